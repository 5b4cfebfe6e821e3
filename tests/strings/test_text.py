"""Python's text and bytes, one as the other."""

import pytest

import whygrad as tf


def test_text_and_bytes_become_each_other():
    assert tf.compat.as_text(b"caf\xc3\xa9") == tf.compat.as_str("café") == "café"
    assert tf.compat.as_bytes("é", encoding="latin-1") == b"\xe9"
    assert [tf.compat.as_str_any(each) for each in (b"a", "b", 3)] == ["a", "b", "3"]


def test_other_values_are_refused():
    for function in (tf.compat.as_text, tf.compat.as_bytes):
        with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
            function(3)
