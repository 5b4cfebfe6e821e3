"""The list of TensorFlow's public names is that of the installed TensorFlow."""

import pytest

from tools.tensorflow_names import FILE, FILE_V1, names_of, names_of_version_1, text_of, text_of_version_1

pytestmark = pytest.mark.tensorflow


def test_the_lists_are_up_to_date(real_tf):
    assert FILE.read_text(encoding="utf-8") == text_of(names_of(real_tf), real_tf.__version__)
    common = text_of_version_1(names_of_version_1(real_tf), real_tf.__version__)
    assert FILE_V1.read_text(encoding="utf-8") == common
