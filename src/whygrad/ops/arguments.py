"""Arguments other than tensors: the numbers, words, flags, lists and functions that say how an op computes.

Each function checks one kind and returns it as a plain Python value. What cannot be used raises a TypeError that names the
parameter and shows what was given, in TensorFlow's words. A tensor or variable may stand for a number wherever its value is known.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.values import dtypes
from whygrad.values.arguments import flag as flag
from whygrad.values.arguments import shown as shown
from whygrad.values.arguments import unexpected as unexpected
from whygrad.values.conversion import convert
from whygrad.values.errors import Explained, OpValueError, ResourceExhaustedError, invalid, shape_text
from whygrad.values.faults import NotAWord, UnexpectedArgument
from whygrad.values.tensor import Operand, value_of


def _plain(value: Any) -> Any:
    """The value of a tensor or variable; anything else as it is."""
    return value_of(convert(value, None)) if isinstance(value, Operand) else value


def integer(value: Any, parameter: str, op: str = "", *, any_size: bool = False) -> int:
    """Convert an argument to an int, of 64 bits unless `any_size`; like TensorFlow, cut off the fraction of a float."""
    if type(value) is not int:
        found = _plain(value)
        try:
            value = int(found)
        except (TypeError, ValueError, OverflowError):
            raise unexpected("int", parameter, value, op) from None
    if not (any_size or -(2**63) <= value < 2**63):
        raise OpValueError(
            UnexpectedArgument(expected="int of 64 bits", parameter=parameter, shown=shown(value), op=op)
        )
    return value  # type: ignore[no-any-return]


def whole(value: Any, parameter: str, op: str = "") -> int:
    """Convert an argument to an int of 64 bits, where TensorFlow makes it a tensor of int64: a float is an error."""
    if value is None:
        raise OpValueError(UnexpectedArgument(expected="int", parameter=parameter, shown="None", op=op))
    found = _plain(value)
    if isinstance(found, float | np.floating) or (isinstance(found, np.ndarray) and found.dtype.kind == "f"):
        raise unexpected("int", parameter, value, op)
    return integer(found, parameter, op)


def integer_list(value: Any, parameter: str, op: str = "") -> list[int]:
    """Convert a number, or several in a list, array or tensor of any rank, to a list of ints."""
    if isinstance(value, int):
        return [integer(value, parameter, op)]
    try:
        flat = np.ravel(_plain(value))
    except Explained:
        raise
    except (TypeError, ValueError):
        raise unexpected("list of ints", parameter, value, op) from None
    return [integer(each, parameter, op) for each in flat]


def number(value: Any, parameter: str, op: str = "") -> float:
    """Convert an argument to a real number; Python's ints and floats stay as they are."""
    if type(value) is float or type(value) is int:
        return value
    found = _plain(value)
    try:
        if not isinstance(found, str | bytes):
            return float(found)
    except (TypeError, ValueError, OverflowError):
        pass
    raise unexpected("float", parameter, value, op)


def text(value: Any, parameter: str, op: str = "") -> str:
    """Check that an argument is a str."""
    if not isinstance(value, str):
        raise unexpected("string", parameter, value, op)
    return value


def word(value: Any, parameter: str, allowed: tuple[str, ...], op: str = "") -> str:
    """Check that an argument is one of the `allowed` words."""
    if text(value, parameter, op) not in allowed:
        raise invalid(NotAWord(parameter=parameter, given=value, allowed=allowed, op=op))
    return value  # type: ignore[no-any-return]


def function(value: Any, parameter: str, op: str = "", *, takes: int | None = None) -> Callable[..., Any]:
    """Check that an argument can be called, with `takes` arguments if that is given."""
    if not callable(value):
        raise unexpected("callable", parameter, value, op)
    if takes is not None:
        try:
            inspect.signature(value).bind(*[None] * takes)
        except TypeError:
            raise unexpected(f"function of {takes} arguments", parameter, value, op) from None
        except ValueError:  # a builtin function that does not tell its parameters
            pass
    return value  # type: ignore[no-any-return]


def items(value: Any, parameter: str, op: str = "") -> list[Any]:
    """Convert a list, tuple or other iterable to a list."""
    try:
        return list(value)
    except Explained:
        raise
    except TypeError:
        raise unexpected("list", parameter, value, op) from None


# -- memory --


def check_fits(shape: Sequence[int], dtype: np.dtype[Any], op_name: str) -> None:
    """Raise ResourceExhaustedError for a result larger than the machine's memory, before computing anything.

    Many systems promise memory that they do not have, and kill the process when it is written to.
    """
    count = dtype.itemsize
    for size in shape:
        count *= size
    if count > 2**31 and count > _memory():  # for smaller results, NumPy's own error at allocation comes early enough
        raise exhausted(shape, dtype, op_name)


def _memory() -> int:
    """The machine's memory in bytes, or an upper bound if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**47


def exhausted(shape: Sequence[int], dtype: np.dtype[Any], op_name: str) -> ResourceExhaustedError:
    """The error for a result that does not fit in memory."""
    return ResourceExhaustedError(
        None,
        None,
        f"OOM when allocating tensor with shape{shape_text(tuple(shape))} and type {dtypes.as_dtype(dtype).cxx_name} "
        f"[Op:{op_name}]",
    )


def allocate(make: Callable[[], Any], shape: Sequence[int], dtype: np.dtype[Any], op_name: str) -> Any:
    """The array of this shape that `make` returns, or ResourceExhaustedError."""
    check_fits(shape, dtype, op_name)
    try:
        return make()
    except MemoryError:
        raise exhausted(shape, dtype, op_name) from None
