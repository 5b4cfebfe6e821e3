"""The list of TensorFlow's public names is that of the installed TensorFlow."""

import pytest

from tools.tensorflow_names import FILE, names_of, text_of

pytestmark = pytest.mark.tensorflow


def test_the_list_is_up_to_date():
    tensorflow = pytest.importorskip("tensorflow")
    assert FILE.read_text(encoding="utf-8") == text_of(names_of(tensorflow), tensorflow.__version__)
