"""Errors of ragged tensors begin with TensorFlow's text."""

import pytest

import whygrad as tf
from tests.ragged.mismatches import messages

pytestmark = pytest.mark.tensorflow


def test_rows_that_do_not_match(real_tf):
    found, wanted = messages(tf), messages(real_tf)
    assert found.keys() == wanted.keys()
    assert len(found) == 10
    assert {name: text[: len(wanted[name])] for name, text in found.items()} == wanted
