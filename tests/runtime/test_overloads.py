"""Functions with a second implementation, given in place."""

import inspect

import pytest

from whygrad.runtime.overloads import is_forwarding, overload, own_code


class _Refused(ValueError):
    pass


def _made(scale):
    def multiplied(x, by=2, *, plus=0):
        if isinstance(x, str):
            raise _Refused(f"{x} is no number")
        return scale * x * by + plus

    return multiplied


def test_the_function_stays_the_one_that_others_hold():
    function = held = _made(10)
    overload(function, lambda x, by=2, *, plus=0: NotImplemented if x == "" else x * by, _Refused)
    assert held(3) == 60
    assert held(3, 1, plus=4) == 34
    assert held("ab", by=3) == "ababab"
    with pytest.raises(_Refused, match="is no number"):
        held("")
    assert str(inspect.signature(held)) == "(x, by=2, *, plus=0)"
    assert held.__name__ == "multiplied"


def test_a_predicate_decides_at_once():
    function = _made(1)
    overload(function, lambda *args, **kwargs: "other", _Refused, applies=lambda x, *rest: x == 7)
    assert (function(7), function(8)) == ("other", 16)


def test_errors_name_the_function():
    function = _made(1)
    overload(function, lambda *args, **kwargs: None, _Refused)
    with pytest.raises(TypeError, match=r"multiplied\(\) missing 1 required positional argument"):
        function()


def test_a_function_in_c_is_refused():
    with pytest.raises(TypeError, match="not a function written in Python"):
        overload(len, lambda x: 0, _Refused)


def test_its_frames_can_be_looked_into():
    frames = []

    def looks(x, **options):
        frames.append(inspect.currentframe().f_back.f_back)
        return "other"

    function = _made(10)
    overload(function, looks, _Refused)
    assert function("a") == "other"
    frame = frames[0]
    assert frame.f_code.co_name == "multiplied"
    assert frame.f_locals["args"] == ("a",)
    assert frame.f_locals["scale"] == 10  # what the function's own code takes from around it


def test_the_own_code_is_known():
    function = _made(10)
    written = function.__code__
    overload(function, lambda x: NotImplemented, _Refused)
    assert own_code(function) is written
    assert is_forwarding(function.__code__)
    assert not is_forwarding(written)
