"""The NumPy engine: NumPy's namespace, kernels that NumPy has no name for, and quiet floating point.

Forward functions and rules receive the engine as `xp` and use NumPy's names (`xp.sin`, `xp.linalg.inv`) on it. What lies
outside NumPy (special functions, scatter) is a method here, under the name of the primitive it computes.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines.numpy_linalg import LinalgKernels

Array = Any


class NumpyEngine(LinalgKernels):
    """NumPy's functions by their names, and the kernels below."""

    def __init__(self) -> None:
        kernels = dir(type(self))  # where a kernel has a name of NumPy's (matmul), the kernel it is
        self.__dict__.update({name: getattr(np, name) for name in np.__all__ if name not in kernels})
        self.linalg = np.linalg

    def __getattr__(self, name: str) -> Any:  # a namespace for type checkers; NumPy's names are set in __init__
        raise AttributeError(f"the NumPy engine has no {name!r}")

    # -- lookups and scatters: everything is a matter of rows, of a table whose leading axes are made one --

    def gather(self, params: Array, indices: Array, *, axis: int, batch_dims: int) -> Array:
        """`params` taken at `indices` along `axis`, the first `batch_dims` axes of both being the same."""
        axis %= params.ndim
        if not batch_dims:
            if axis == 0:
                return _take_rows(params, indices)
            return np.take(params, indices, axis=axis)
        rows, shape = _batch_rows(params.shape, indices, axis, batch_dims)
        tail = params.shape[axis + 1 :]
        return _take_rows(params.reshape(math.prod(params.shape[: axis + 1]), *tail), rows).reshape(*shape, *tail)

    def ungather(
        self, values: Array, indices: Array, *, shape: tuple[int, ...], axis: int, batch_dims: int
    ) -> Array:
        """What `gather` took, added into zeros of `shape` at the places it came from."""
        axis %= len(shape)
        rows, _ = _batch_rows(shape, indices, axis, batch_dims)
        tail = shape[axis + 1 :]
        table = np.zeros((math.prod(shape[: axis + 1]), *tail), values.dtype)
        self.add_rows(table, rows.reshape(-1), values.reshape(rows.size, *tail))
        return table.reshape(shape)

    def gather_nd(self, params: Array, indices: Array) -> Array:
        """The elements or slices of `params` at the positions in the last axis of `indices`."""
        depth = indices.shape[-1]
        lead, tail = params.shape[:depth], params.shape[depth:]
        if depth > 1 and not params.flags.c_contiguous:
            return params[tuple(np.moveaxis(indices, -1, 0))]
        return _take_rows(params if depth == 1 else params.reshape(math.prod(lead), *tail), _row_numbers(indices, lead))

    def scatter_nd(self, indices: Array, updates: Array, *, shape: tuple[int, ...]) -> Array:
        """`updates` added into zeros of `shape` at the positions in the last axis of `indices`."""
        depth = indices.shape[-1]
        tail = shape[depth:]
        table = _zeros((math.prod(shape[:depth]), *tail), updates.dtype)
        rows = _row_numbers(indices, shape[:depth]).reshape(-1)
        self.add_rows(table, rows, updates.reshape(rows.size, *tail))
        return table.reshape(shape)

    def scatter_rows(self, values: Array, indices: Array, *, shape: tuple[int, ...]) -> Array:
        """Rows `values` added into zeros of `shape` at the positions `indices` along the first axis."""
        out = np.zeros(shape, values.dtype)
        self.add_rows(out, indices, values)
        return out

    def add_rows(self, table: Array, rows: Array, values: Array) -> None:
        """Add `values[i]` to `table[rows[i]]`, in place; rows may repeat."""
        width = math.prod(table.shape[1:])
        if width == 1 or not table.flags.c_contiguous or table.dtype == object:
            np.add.at(table, rows, values)
        elif values.size:
            # `add.at` is several times faster on one axis than on rows.
            flat = rows.reshape(-1, 1) * np.intp(width) + np.arange(width)
            np.add.at(table.reshape(-1), flat.reshape(-1), values.reshape(-1))

    def place_slots(self, *values: Array, slots: tuple[Any, ...], shape: tuple[int, ...]) -> Array:
        """Each of `values` added into zeros of `shape` at its basic index in `slots`."""
        out = np.zeros(shape, values[0].dtype)
        for index, value in zip(slots, values):
            out[index] += value
        return out


def _take_rows(params: Array, rows: Array) -> Array:
    """`params[rows]`; `take` is faster, but would first copy all of an array that is not contiguous."""
    return params.take(rows, axis=0) if params.flags.c_contiguous else params[rows]


def _row_numbers(indices: Array, lead: tuple[int, ...]) -> Array:
    """Positions (the last axis of `indices`) within axes of sizes `lead` as numbers of rows."""
    if not lead:
        return np.zeros(indices.shape[:-1], np.intp)
    rows = indices[..., 0]
    for k, size in enumerate(lead[1:], 1):
        rows = rows * np.intp(size) + indices[..., k]
    return rows


def _batch_rows(
    shape: tuple[int, ...], indices: Array, axis: int, batch_dims: int
) -> tuple[Array, tuple[int, ...]]:
    """The rows that a batched lookup along `axis` takes, when the axes up to `axis` are made one; and the result's axes."""
    batch, between = shape[:batch_dims], shape[batch_dims:axis]
    groups = np.arange(math.prod(shape[:axis])).reshape(math.prod(batch), math.prod(between), 1) * shape[axis]
    rows = groups + indices.reshape(math.prod(batch), 1, math.prod(indices.shape[batch_dims:]))
    return rows, (*batch, *between, *indices.shape[batch_dims:])


def _zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """Zeros, or empty strings."""
    return np.full(shape, b"", object) if dtype == object else np.zeros(shape, dtype)


engine = NumpyEngine()

# An op that overflows or divides by zero gives inf or nan without a word, as in TensorFlow. NumPy would warn, at our line:
# every call runs with NumPy's error state set to "ignore". `numpy.errstate` costs more than a small op does; it sets this
# context variable, which is set directly here.
try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj
except ImportError:  # a NumPy that has moved it: the public way

    def quiet() -> Any:
        """Ignore floating point errors until `loud` is called with what this returns."""
        stack = contextlib.ExitStack()
        stack.enter_context(np.errstate(all="ignore"))
        return stack

    def loud(token: Any) -> None:
        """Undo `quiet`."""
        token.close()

else:
    _IGNORE = _make_extobj(all="ignore")

    def quiet() -> Any:
        """Ignore floating point errors until `loud` is called with what this returns."""
        return _extobj_contextvar.set(_IGNORE)

    loud: Callable[[Any], None] = _extobj_contextvar.reset  # type: ignore[no-redef]
