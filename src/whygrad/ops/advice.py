"""Advice: what public functions declare for explanations, as primitives declare traits.

    @shape_by_values(chooses=True, instead="keep the shape: tf.where({0}, {1}, 0.0)")
    def boolean_mask(tensor, mask): ...

    @safe_form(lambda call: f"tf.sqrt(tf.math.reduce_variance({call.arguments}) + {SMALL})")
    def reduce_std(input_tensor, axis=None): ...

`why/` reads it here and never tells functions apart by their names.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, TypeVar

from whygrad.runtime.data import Data

_Function = TypeVar("_Function", bound=Callable[..., Any])

# -- functions whose results have a shape that values decide --


class ShapeByValues(Data):
    """What to write where the values that decide a shape are not known, because a function is being compiled.

    In the texts `{0}` stands for the operand that decides, as the program writes it, and `{1}` for the other one.
    """

    instead: str = ""
    for_mask: str = ""  # the same, where a mask decides
    for_loop: str = ""  # the same, where Python loops over the result
    chooses: bool = False  # the values decide how many elements there are
    takes_numbers: bool = False  # a Python number in place of the tensor helps too


shapes_by_values: dict[CodeType, ShapeByValues] = {}


def shape_by_values(**advice: Any) -> Callable[[_Function], _Function]:
    """Declare that values decide the shape of a function's result; see `ShapeByValues`."""

    def declared(function: _Function) -> _Function:
        shapes_by_values[function.__code__] = ShapeByValues(**advice)
        return function

    return declared


# -- functions of several ops that are made safe as a whole --

SMALL = "1e-12"  # added to what a root or a logarithm is taken of
SMALL_IN_HALF = "1e-4"  # in float16, where smaller ones are 0 or have slopes beyond its range


def small_for(dtype: Any, usual: str = SMALL) -> str:
    """A small constant that a dtype holds."""
    return SMALL_IN_HALF if dtype == "float16" else usual


class WrittenCall(Data):
    """A call as the program writes it."""

    given: dict[str, str]  # the arguments by parameter, in the function's order
    arguments: str  # all of them
    namespace: str  # what stands before the function's name: `tf.math`


class SafeForm(Data):
    """How to write a call so that its value and its slope stay finite."""

    parameters: tuple[str, ...]
    write: Callable[[WrittenCall], str] | None = None  # another expression
    argument: tuple[str, str] = ("", "")  # or the same call, with this value for this parameter


safe_forms: dict[str, SafeForm] = {}  # by the name that programs call the function by


def safe_form(write: Callable[[WrittenCall], str]) -> Callable[[_Function], _Function]:
    """Declare the expression to suggest in place of a call of this function."""
    return _declared_safe(write, ("", ""))


def safe_with(parameter: str, value: str) -> Callable[[_Function], _Function]:
    """Declare that a call of this function is safe with this value for one parameter."""
    return _declared_safe(None, (parameter, value))


def _declared_safe(write: Any, argument: tuple[str, str]) -> Callable[[_Function], _Function]:
    def declared(function: _Function) -> _Function:
        code = function.__code__
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        safe_forms[function.__name__] = SafeForm(parameters, write, argument)
        return function

    return declared


# -- reductions that people write where they mean a function of two values: tf.reduce_max(0.0, x) --

of_two_values: dict[str, str] = {}  # the function that is meant, by the name that programs call the reduction by


def also_written_for(function_of_two: str) -> Callable[[_Function], _Function]:
    """Declare the function of two values that a reduction is taken for, whose second argument is an axis."""

    def declared(function: _Function) -> _Function:
        of_two_values[function.__name__] = function_of_two
        return function

    return declared
