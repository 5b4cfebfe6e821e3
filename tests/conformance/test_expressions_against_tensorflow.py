"""The tables of expressions in `tests/<room>/*.txt` say what TensorFlow gives."""

import pathlib

import pytest

from tests.lookup.test_tables import write_files
from tests.support.expressions import differences, read

pytestmark = pytest.mark.tensorflow
TABLES = sorted(path for path in pathlib.Path(__file__).parents[1].glob("*/*.txt"))


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_table_has_the_results_of_tensorflow(path, real_tf, tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert differences(real_tf, read(path)) == []
