"""`prefer_float32`: Python's floats count as float32, and complex numbers as complex64, where NumPy's promotion chooses a dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad.numpy import promotion
from whygrad.numpy.ufunc import Ufunc
from whygrad.runtime.overloads import Installation, overload

_NARROW = {float: np.float32, complex: np.complex64}


class _Preference:
    on = False


def set_preferred(preferred: bool) -> None:
    """Switch it on or off."""
    _Preference.on = preferred
    if preferred:
        _functions.ensure()


def _is_wide(x: Any) -> bool:
    """Whether an operand is a Python float or complex number, or a list with one."""
    return type(x) in _NARROW or (isinstance(x, list | tuple) and any(map(_is_wide, x)))


def _narrowed(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_narrowed(each) for each in x]
    return _NARROW[type(x)](x) if type(x) in _NARROW else x


def _any_wide(operands: Sequence[Any]) -> bool:
    return _Preference.on and any(map(_is_wide, operands))


def _install() -> None:
    overload(
        promotion.tensor,
        lambda x: promotion.tensor(_array(x)),
        NotImplementedError,
        lambda x: _any_wide([x]),
    )
    overload(
        promotion.together,
        lambda *operands: promotion.together(*map(_narrowed, operands)),
        NotImplementedError,
        lambda *operands: _any_wide(operands),
    )
    overload(
        Ufunc.__call__,
        lambda self, *operands, **arguments: self(*map(_narrowed, operands), **arguments),
        NotImplementedError,
        lambda self, *operands, **arguments: _any_wide(operands),
    )
    overload(
        promotion.numpy_dtype,
        lambda dtype, default=None: np.dtype(np.float32),
        NotImplementedError,
        lambda dtype, default=None: _Preference.on and dtype is float and default is float,
    )


def _array(x: Any) -> Any:
    """A number or a list of numbers and tensors with its floats narrowed."""
    return _narrowed(x)


_functions = Installation(_install)
