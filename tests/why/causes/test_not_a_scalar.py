"""What `grad` and its kin refuse, explained: results that are not one number, and arguments without a derivative."""

import numpy as np
import pytest

import whygrad


def squares(x):
    y = x * 2.0
    return y**2


def forgotten(x):
    np.sum(x)


def pair(x):
    return np.sum(x), x


def largest(x):
    return np.argmax(x)


X = np.array([1.0, 2.0])


def cause_of(function, argument):
    with pytest.raises(TypeError) as caught:
        whygrad.grad(function)(argument)
    (cause,) = caught.value.causes
    assert cause.sites[-1].text == "whygrad.grad(function)(argument)"
    assert cause.sites[-1].role == "asked here"
    return cause


def test_several_numbers():
    cause = cause_of(squares, X)
    assert cause.kind == "not-a-scalar"
    assert cause.sites[0].text == "y**2"
    assert "`squares` returns a tensor of shape (2,)" in cause.sentence
    assert "whygrad.jacobian" in cause.help


def test_nothing_is_returned():
    cause = cause_of(forgotten, X)
    assert cause.kind == "target-not-a-tensor"
    assert (cause.sites[0].role, cause.sites[0].text) == ("not returned", "np.sum(x)")


def test_a_pair_without_has_aux():
    assert "has_aux=True" in cause_of(pair, X).help


def test_integers_are_returned():
    cause = cause_of(largest, X)
    assert "dtype int64" in cause.sentence
    assert cause.sites[0].text == "np.argmax(x)"


def test_complex_numbers_are_returned():
    assert "np.real" in cause_of(lambda x: np.sum(x), X * 1j).help


@pytest.mark.parametrize(
    ("argument", "kind", "sentence", "help"),
    [
        (3, "integer-dtype", "`x` is int", "write 3.0 in the place of 3"),
        ({"n": [np.arange(3)]}, "integer-dtype", "`x['n'][0]` is of dtype int64", "x.astype(float)"),
        ("text", "source-not-a-tensor", "`x` is str", "argnums says which"),
    ],
)
def test_arguments_without_a_derivative(argument, kind, sentence, help):
    cause = cause_of(squares, argument)
    assert cause.kind == kind
    assert sentence in cause.sentence
    assert help in cause.help
