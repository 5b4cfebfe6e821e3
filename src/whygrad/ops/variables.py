"""Methods of variables that need ops: explicit reads, operators, lookups, and partial writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.index_checks import (
    bad_position,
    check_in_range,
    check_index_dtype,
    check_scatter_shapes,
    outside_nd,
)
from whygrad.ops.indexing import (
    basic_index,
    gather,
    gather_nd,
    getitem,
    is_mask,
    placed_index,
)
from whygrad.ops.operators import set_operators
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import broadcast_to, stack
from whygrad.ops.traits import Moves, Traits
from whygrad.runtime.error_state import restore, silence
from whygrad.values import conversion, dtypes
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OutOfRangeError, invalid, shape_text
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, placement, wrap
from whygrad.values.variable import Variable

Array = Any

# -- reading --

_read = Primitive(
    "read_variable",
    lambda xp, x: x,
    vjp=lambda xp, g: g,
    sparse=lambda xp, rows, record: [rows],
    op_name="ReadVariableOp",
    traits=Traits(moves=Moves.ALL, passes_numeric_checks=True),
)


def read_value(self: Variable) -> Tensor:
    """A new tensor with the variable's value, which can itself be a source."""
    return apply(_read, self.read())


def variable_getitem(self: Variable, key: Any) -> Tensor:
    """`variable[key]`, as for tensors; the result also has `assign`, which writes to that part of the variable."""
    value = self.read()
    if is_mask(key):
        return getitem(value, key)
    if state.context is not None:
        part = getitem(value, key)
        part._slice_of = (self, placed_index(key, value._array.shape))
        return part
    index = basic_index(key, value._array.shape)
    part = getitem(value, index)
    part._slice_of = (self, index)
    return part


def sparse_read(self: Variable, indices: Any, name: str | None = None) -> Tensor:
    """The rows at `indices`; their gradient is an `IndexedSlices`."""
    return gather(self, indices)


def variable_gather_nd(self: Variable, indices: Any, name: str | None = None) -> Tensor:
    """The elements or slices at the positions in the last axis of `indices`."""
    return gather_nd(self, indices)


def count_up_to(self: Variable, limit: int) -> Tensor:
    """Return the value of an integer variable and increment it; raise OutOfRangeError once it has reached `limit`."""
    check_index_dtype(self.value_here, "ResourceCountUpTo", attribute="T", allowed=(dtypes.int32, dtypes.int64))
    with self._lock:
        before = self.current()
        if are_known(before) and before._array >= limit:
            raise OutOfRangeError(None, None, f"Reached limit of {limit} [Op:ResourceCountUpTo]")
        self.assign_add(1)
        return wrap(before._array)


# -- partial writes: rows by number, or elements and slices by position --


def _write(table: Array, rows: Array, values: Array) -> None:
    table[rows] = values  # for duplicate rows the last one wins


def _combining(ufunc: str) -> Callable[[Array, Array, Array], None]:
    def combine(table: Array, rows: Array, values: Array) -> None:
        engine.combine_rows(getattr(np, ufunc), table, rows, values)

    return combine


def _divide(table: Array, rows: Array, values: Array) -> None:
    if table.dtype.kind not in "iu":
        engine.combine_rows(np.divide, table, rows, values)
        return
    # Integers are divided towards zero. Successive divisions are one division by the product.
    divisors = np.ones_like(table)
    engine.combine_rows(np.multiply, divisors, rows, values)
    table[...] = np.sign(table) * np.sign(divisors) * (np.abs(table) // np.abs(divisors))


_WAYS: dict[str, tuple[str, Callable[[Array, Array, Array], None]]] = {
    "update": ("with `updates` in place of what was there", _write),
    "add": ("with `updates` added", _combining("add")),
    "sub": ("with `updates` subtracted", _combining("subtract")),
    "mul": ("multiplied by `updates`", _combining("multiply")),
    "div": ("divided by `updates`", _divide),
    "max": ("the larger of it and `updates`", _combining("maximum")),
    "min": ("the smaller of it and `updates`", _combining("minimum")),
}


def _scatter_nd_method(way: str) -> Callable[..., Variable]:
    op_name = f"ResourceScatterNd{way.title()}"
    write = _WAYS[way][1]

    def method(self: Variable, indices: Any, updates: Any, name: str | None = None) -> Variable:
        where = conversion.convert(indices, None)
        values = conversion.convert(updates, self.dtype)
        check_index_dtype(where, op_name, allowed=(dtypes.int32, dtypes.int64))
        shape = self.value_here._array.shape
        check_scatter_shapes(shape, where._array.shape, values._array.shape, op_name)
        outside = outside_nd(where._array, shape[: where._array.shape[-1]])
        if outside is not None:
            raise bad_position(where._array, outside, shape, op_name)
        if not _in_numpy(self, where, values):
            return _scattered(self, where._array, values, way)
        return _written(self, lambda array: write(*engine.as_rows(array, where._array, values._array)), values)

    method.__doc__ = (
        f"Make the elements or slices at the positions in the last axis of `indices` be {_WAYS[way][0]}. "
        "Returns the variable."
    )
    return method


def _scatter_method(way: str) -> Callable[..., Variable]:
    op_name = f"ResourceScatter{way.title()}"
    write = _WAYS[way][1]

    def method(
        self: Variable, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        _check_slices(sparse_delta)
        rows = sparse_delta.indices._array
        given = conversion.convert(sparse_delta._values, self.dtype)
        updates = given._array
        check_index_dtype(sparse_delta.indices, op_name, allowed=(dtypes.int32, dtypes.int64))
        shape = self.value_here._array.shape
        if updates.shape and updates.shape[: rows.ndim] != rows.shape:
            raise invalid(
                f"The shape of indices ({shape_text(rows.shape)}) must be a prefix of the shape of updates "
                f"({shape_text(updates.shape)}) [Op:{op_name}]"
            )
        if not shape or (updates.shape and updates.shape != rows.shape + shape[1:]):
            raise invalid(
                "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got updates.shape "
                f"{shape_text(updates.shape)}, indices.shape {shape_text(rows.shape)}, params.shape {shape_text(shape)} "
                f"[Op:{op_name}]"
            )
        check_in_range(rows, shape, 0, op_name)
        if not _in_numpy(self, sparse_delta.indices, given):
            spread = given if updates.shape else broadcast_to(given, rows.shape + shape[1:])
            return _scattered(self, rows[..., None], spread, way)
        values = np.broadcast_to(updates, rows.shape + shape[1:]).reshape(rows.size, *shape[1:])
        return _written(self, lambda array: write(array, rows.reshape(-1), values), given)

    method.__doc__ = (
        f"Make the rows `sparse_delta.indices` be {_WAYS[way][0]}, which are its values. Returns the variable."
    )
    return method


def batch_scatter_update(
    self: Variable, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
) -> Variable:
    """Write rows batch by batch: all axes of the indices but the last are batch axes of the variable."""
    _check_slices(sparse_delta)
    rows = sparse_delta.indices
    shape, dtype = rows._array.shape, rows._array.dtype
    batch = np.indices(shape[:-1], dtype)
    spread = [wrap(np.array(np.broadcast_to(each[..., None], shape))) for each in batch]
    return self.scatter_nd_update(stack([*spread, rows], axis=-1), sparse_delta._values)


def _check_slices(value: Any) -> None:
    if not isinstance(value, IndexedSlices):
        shown = value.numpy() if isinstance(value, Tensor) else value
        raise OpTypeError(f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {shown}")


def _in_numpy(variable: Variable, *tensors: Tensor) -> bool:
    """Return whether value and arguments are NumPy arrays, so that the value can be updated in place."""
    return all(type(tensor) is Tensor for tensor in (variable.current(), *tensors))


def _scattered(variable: Variable, positions: Array, updates: Tensor, way: str) -> Variable:
    """Write `updates` at the positions in the last axis of `positions` with the XLA engine, whose arrays are immutable."""
    with variable._lock:
        arrays = [variable.current()._array, positions, updates._array]
        return variable.rebind(placement.engine.compute("scattered", arrays, {"how": way}), origin=updates)


def _written(variable: Variable, write: Callable[[Array], None], updates: Tensor) -> Variable:
    """Write `updates` to the variable's value; all arguments are already checked."""
    with variable._lock:
        token = silence()
        try:
            array = variable.writable()
            write(array)
        finally:
            restore(token)
        return variable.rebind(array, origin=updates)


# -- the methods of Variable --


def _convert_variable(value: Variable, dtype: DType | None = None, name: Any = None, as_ref: bool = False) -> Tensor:
    return conversion.convert(value.read(), dtype)


def _convert_indexed_slices(
    value: IndexedSlices, dtype: DType | None = None, name: Any = None, as_ref: bool = False
) -> Tensor:
    from whygrad.ops.segments import dense  # lazily: a rarer op

    return dense(value, dtype)


conversion.register_tensor_conversion_function(Variable, _convert_variable, priority=0)
conversion.register_tensor_conversion_function(IndexedSlices, _convert_indexed_slices, priority=0)
_methods: dict[str, Callable[..., Any]] = {
    "read_value": read_value,
    "value": read_value,
    "sparse_read": sparse_read,
    "gather_nd": variable_gather_nd,
    "count_up_to": count_up_to,
    "batch_scatter_update": batch_scatter_update,
    "__getitem__": variable_getitem,
}
for _way in ("update", "add", "sub", "max", "min"):
    _methods[f"scatter_nd_{_way}"] = _scatter_nd_method(_way)
for _way in _WAYS:
    _methods[f"scatter_{_way}"] = _scatter_method(_way)
for _name, _method in _methods.items():
    setattr(Variable, _name, _method)
set_operators(Variable)
