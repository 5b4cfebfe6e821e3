"""Names read off code objects and given to them."""

import functools
import inspect

import pytest

from whygrad.runtime import code_objects
from whygrad.runtime.code_objects import parameters, rename


def _function(xp, g, a, *others, axis):
    return xp, g, a, others, axis


def test_parameters():
    assert parameters(_function) == (("xp", "g", "a"), "others")
    assert parameters(lambda xp, x: x) == (("xp", "x"), None)


def test_parameters_of_what_has_no_code_object():
    assert parameters(functools.partial(_function, axis=0)) == (("xp", "g", "a"), "others")
    assert code_objects._parameters_of_signature(_function) == parameters(_function)


class _WithoutReplace:
    """A function as it is where code objects cannot be replaced."""

    def __init__(self, function):
        self._function = function
        self.__annotations__ = function.__annotations__
        self.__defaults__ = function.__defaults__
        self.__signature__ = inspect.signature(function)

    def __call__(self, *arguments, **keywords):
        return self._function(*arguments, **keywords)

    @property
    def __code__(self):
        return self._function.__code__


@pytest.mark.parametrize("kind", [lambda function: function, _WithoutReplace], ids=["replaced", "fallback"])
def test_rename(kind):
    def op(x: int, y: str, name: None = None):
        return x, y, name

    renamed = kind(op)
    rename(renamed, "__add__", "Tensor.__add__", ("self", "other"))
    assert renamed(1, 2) == (1, 2, None)
    assert (renamed.__name__, renamed.__qualname__) == ("__add__", "Tensor.__add__")
    assert list(inspect.signature(renamed).parameters) == ["self", "other", "name"]
    assert renamed.__annotations__ == {"self": int, "other": str, "name": None}
