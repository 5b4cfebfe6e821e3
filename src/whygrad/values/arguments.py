"""Arguments other than tensors: the flags that values themselves take, and the errors for what a parameter does not take."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.values.errors import Explained, OpTypeError, OpValueError
from whygrad.values.faults import UnexpectedArgument
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

_LONGEST = 80  # characters of an argument that a message shows


def unexpected(expected: str, parameter: str, value: Any, op: str = "") -> OpTypeError:
    """The error for an argument of another kind than `parameter` takes."""
    return OpTypeError(UnexpectedArgument(expected=expected, parameter=parameter, shown=shown(value), op=op))


def shown(value: Any) -> str:
    """An argument as a message shows it: arrays by dtype and shape, others by a repr of limited length."""
    if isinstance(value, Tensor | Variable):
        return f"a tensor of dtype {value.dtype.name} and shape {tuple(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"an array of dtype {value.dtype} and shape {value.shape}"
    try:
        text = repr(value)
    except Exception:  # the class's own repr fails, or an integer has more digits than Python prints
        text = f"an object of class {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def flag(value: Any, parameter: str, op: str = "") -> bool:
    """Convert an argument to a bool by its truth value."""
    if value is True or value is False:
        return value
    try:
        return bool(value)
    except Explained:
        raise
    except ValueError:
        wording = "The truth value of {shown} is ambiguous: expected {expected} for argument '{parameter}'."
        fault = UnexpectedArgument(expected="bool", parameter=parameter, shown=shown(value), op=op, wording=wording)
        raise OpValueError(fault) from None
    except Exception:  # of the class's own `__bool__`
        raise unexpected("bool", parameter, value, op) from None
