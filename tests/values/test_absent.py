"""Attributes that other libraries have, and the errors that say what to write here."""

import pytest

import whygrad as tf
from whygrad.values.absent import FUNCTIONS, HABITS


@pytest.mark.parametrize("value", [tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])], ids=["tensor", "variable"])
@pytest.mark.parametrize("name", [*HABITS, *FUNCTIONS])
def test_an_attribute_of_another_library_says_what_to_write(value, name):
    with pytest.raises(AttributeError, match=f"object has no attribute '{name}': ."):
        getattr(value, name)
    assert not hasattr(value, name)
    assert name not in dir(tf.constant(1.0))


@pytest.mark.parametrize("function", sorted(set(FUNCTIONS.values())))
def test_the_functions_exist(function):
    found = tf
    for part in function.split(".")[1:]:
        found = getattr(found, part)
    assert callable(found)
