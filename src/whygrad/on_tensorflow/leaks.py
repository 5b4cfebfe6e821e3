"""TensorFlow's symbolic tensors that outlive the trace of their function, and whygrad tensors that stand for them in explanations."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType
from typing import Any

import numpy as np

from whygrad.on_tensorflow.shadows import SHADOW
from whygrad.values.errors import LeakedTensorError
from whygrad.values.tensor import Key, SymbolicTensor


class TracedFunction:
    """The trace of a function that is over, as a symbolic tensor's context."""

    finished = True

    def __init__(self, tensor: Any, python: Any) -> None:
        self.function = getattr(python, "__name__", None) or str(tensor.graph.name)
        self._tensor = tensor
        self._code: CodeType | None = getattr(getattr(python, "__func__", python), "__code__", None)

    def leaked(self, tensor: SymbolicTensor) -> Exception:
        """The error for using a symbolic tensor after its function was traced."""
        return LeakedTensorError(
            f"A tensor of shape {tensor.shape} is out of scope: it was made inside `{self.function}`.", tensor
        )

    def has_no_value(self, tensor: SymbolicTensor, wanted: str = "array") -> Exception:
        """The error for taking its value."""
        return self.leaked(tensor)

    def made_at(self, key: Key | None) -> tuple[CodeType, int] | None:
        """The call site that computed the tensor: TensorFlow knows its line."""
        for frame in reversed(self._tensor.op.traceback):
            for code in _nested(self._code):
                if code.co_filename == frame.filename and (found := _widest_call(code, frame.lineno)) is not None:
                    return code, found
        return None


def _nested(code: CodeType | None) -> Iterator[CodeType]:
    """A code object, and those of the functions inside it."""
    if code is not None:
        for each in code.co_consts:
            if isinstance(each, CodeType):
                yield from _nested(each)
        yield code


def _widest_call(code: CodeType, line: int) -> int | None:
    """The call or operator that covers most of a line: ops are recorded where they are called."""
    found, widest = None, 0
    for each in dis.get_instructions(code):
        place = each.positions
        if place is None or place.lineno != line or not each.opname.startswith(("CALL", "BINARY_OP", "BINARY_SUBSCR")):
            continue
        width = 10**6 if place.end_lineno != line else (place.end_col_offset or 0) - (place.col_offset or 0)
        if width > widest:
            found, widest = each.offset, width
    return found


def stand_in(tensor: Any, python: Any) -> SymbolicTensor:
    """The whygrad symbolic tensor that stands for TensorFlow's, which holds it."""
    known: SymbolicTensor | None = getattr(tensor, SHADOW, None)
    if known is None:
        known = SymbolicTensor.__new__(SymbolicTensor)
        shape = tuple([size or 1 for size in tensor.shape]) if tensor.shape.rank is not None else ()
        known._array = np.broadcast_to(np.zeros((), tensor.dtype.as_numpy_dtype), shape)
        known._key = None
        known._context = TracedFunction(tensor, python)
        setattr(tensor, SHADOW, known)
    return known
