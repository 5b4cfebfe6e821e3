"""XLA kernels of `whygrad.ops.indexing`: lookups and scatters.

An index out of range is not an error, since compiled code cannot raise: a lookup clamps it, a scatter drops it. TensorFlow's compiled
functions do the same.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

Array = Any
Shape = tuple[int, ...]


class LookupKernels:
    """The lookups of the XLA engine, and the scatters that transpose them."""

    jax: Any
    jnp: Any
    lax: Any

    # -- basic indices --

    def put_slot(self, x: Array, values: Array, *, index: Any) -> Array:
        """`x` with `values` at a basic index."""
        return self.jnp.asarray(x).at[index].set(values)

    def add_at(self, x: Array, values: Array, *, index: Any) -> Array:
        """`x` with `values` added at a basic index."""
        return x + self._slot(values, index, x.shape)

    def place_slots(self, *values: Array, slots: tuple[Any, ...], shape: Shape) -> Array:
        """Each of `values` added into zeros of `shape` at its basic index in `slots`."""
        return functools.reduce(
            lambda total, each: total + each, [self._slot(value, index, shape) for value, index in zip(values, slots)]
        )

    def _slot(self, values: Array, index: Any, shape: Shape) -> Array:
        """Zeros of `shape` with `values` at a basic index: a padding, which XLA fuses with the following addition."""
        paddings, reversed_axes, sizes = [], [], []
        for axis, (item, size) in enumerate(zip(_one_each(index, len(shape)), shape)):
            places = range(size)[item] if isinstance(item, slice) else range(size)[item : item + 1 or None]
            step = abs(places.step)
            first, last = (places[0], places[-1]) if len(places) else (0, -1)
            if places.step < 0:
                reversed_axes.append(axis)
                first, last = (last, first) if len(places) else (0, -1)
            paddings.append((first, size - 1 - last, step - 1))
            sizes.append(len(places))
        values = self.jnp.reshape(self.jnp.broadcast_to(values, _shape_at(index, sizes)), sizes)
        if not values.size:
            return self.jnp.zeros(shape, values.dtype)
        return self.lax.pad(self.lax.rev(values, reversed_axes), np.zeros((), values.dtype), paddings)

    # -- blocks at positions known only at run time --

    def slice_at(self, x: Array, starts: Array, *, sizes: Shape) -> Array:
        """The block of `sizes` that begins at `starts`; shifted back inside if it would exceed the end."""
        return self.lax.dynamic_slice(x, [starts[i] for i in range(len(sizes))], sizes)

    def unslice_at(self, values: Array, starts: Array, *, shape: Shape) -> Array:
        """The transpose of `slice_at`: zeros of `shape` with `values` in the block."""
        zeros = self.jnp.zeros(shape, values.dtype)
        return self.lax.dynamic_update_slice(zeros, values, [starts[i] for i in range(len(shape))])

    # -- lookups along an axis --

    def gather(self, params: Array, indices: Array, *, axis: int, batch_dims: int) -> Array:
        """`params` at `indices` along `axis`; the first `batch_dims` axes of both are batch axes."""
        axis %= params.ndim
        if not params.shape[axis]:  # an empty table gives an empty result
            return self.jnp.zeros(
                (*params.shape[:axis], *indices.shape[batch_dims:], *params.shape[axis + 1 :]), params.dtype
            )
        if not indices.shape:  # a scalar index is a slice; a negative one counts from the end
            return self.lax.dynamic_index_in_dim(params, indices, axis, keepdims=False)
        take = functools.partial(self.jnp.take, axis=axis - batch_dims, mode="clip")
        for _ in range(batch_dims):
            take = self.jax.vmap(take)
        return take(self.jnp.asarray(params), self.jnp.asarray(indices))

    def ungather(self, values: Array, indices: Array, *, shape: Shape, axis: int, batch_dims: int) -> Array:
        """The transpose of `gather`: `values` added into zeros of `shape` at `indices`."""
        axis %= len(shape)
        if not indices.shape:
            zeros = self.jnp.zeros(shape, values.dtype)
            return self.lax.dynamic_update_index_in_dim(zeros, values, indices, axis)
        before = (slice(None),) * (axis - batch_dims)

        def add(values: Array, indices: Array) -> Array:
            return self._added(self.jnp.zeros(shape[batch_dims:], values.dtype), (*before, indices), values)

        for _ in range(batch_dims):
            add = self.jax.vmap(add)
        return add(self.jnp.asarray(values), self.jnp.asarray(indices))

    def scatter_rows(self, values: Array, indices: Array, *, shape: Shape) -> Array:
        """Rows `values` added into zeros of `shape` at the positions `indices` along the first axis."""
        return self._added(self.jnp.zeros(shape, values.dtype), indices, values)

    def _added(self, x: Array, index: Any, values: Array) -> Array:
        return x.at[index].add(values, mode="drop", wrap_negative_indices=False)

    # -- lookups by positions --

    def gather_nd(self, params: Array, indices: Array) -> Array:
        """The elements or slices of `params` at the positions in the last axis of `indices`."""
        params = self.jnp.asarray(params)
        depth = indices.shape[-1]
        if not depth or 0 in params.shape[:depth]:
            return self.jnp.broadcast_to(
                params if not depth else self.jnp.zeros((), params.dtype), (*indices.shape[:-1], *params.shape[depth:])
            )
        return params.at[_positions(indices)].get(mode="clip", wrap_negative_indices=False)

    def scatter_nd(self, indices: Array, updates: Array, *, shape: Shape) -> Array:
        """`updates` added into zeros of `shape` at the positions in the last axis of `indices`."""
        if not indices.shape[-1]:
            return self.jnp.sum(updates.reshape(math.prod(indices.shape[:-1]), *shape), axis=0, dtype=updates.dtype)
        return self._added(self.jnp.zeros(shape, updates.dtype), _positions(indices), updates)

    def write_nd(self, x: Array, indices: Array, updates: Array) -> Array:
        """`x` with `updates` at the positions in the last axis of `indices`."""
        x = self.jnp.asarray(x)
        if not indices.shape[-1]:
            return updates.reshape(math.prod(indices.shape[:-1]), *x.shape)[-1] if math.prod(indices.shape[:-1]) else x
        return x.at[_positions(indices)].set(updates, mode="drop", wrap_negative_indices=False)

    def extreme_nd(self, x: Array, indices: Array, updates: Array, *, how: str) -> Array:
        """`x`, at the positions in the last axis of `indices` the "maximum" or "minimum" with `updates`."""
        at = self.jnp.asarray(x).at[_positions(indices)]
        return (at.max if how == "maximum" else at.min)(updates, mode="drop", wrap_negative_indices=False)

    def scattered(self, x: Array, indices: Array, updates: Array, *, how: str) -> Array:
        """`x`, combined with `updates` at the positions in the last axis of `indices`: "add", "sub", "mul", "div", ..."""
        x = self.jnp.asarray(x)
        if how == "update":
            return self.write_nd(x, indices, updates)
        if how == "div":  # successive divisions are one division by the product
            divisors = self.scattered(self.jnp.ones_like(x), indices, updates, how="mul")
            if x.dtype.kind not in "iu":
                return x / divisors
            return self.jnp.sign(x) * self.jnp.sign(divisors) * (abs(x) // abs(divisors))  # rounds towards zero
        combine = {"sub": "subtract", "mul": "multiply"}.get(how, how)
        return getattr(x.at[_positions(indices)], combine)(updates, mode="drop", wrap_negative_indices=False)


def _positions(indices: Array) -> tuple[Array, ...]:
    """Split positions in the last axis into one index array per axis."""
    return tuple([indices[..., i] for i in range(indices.shape[-1])])


def _one_each(index: Any, rank: int) -> list[Any]:
    """Expand a basic index to one int or slice per axis."""
    items = [item for item in (index if isinstance(index, tuple) else (index,)) if item is not None]
    if Ellipsis not in items:
        items.append(Ellipsis)
    at = items.index(Ellipsis)
    return items[:at] + [slice(None)] * (rank - len(items) + 1) + items[at + 1 :]


def _shape_at(index: Any, sizes: list[int]) -> list[int]:
    """The shape of a basic index's result, given how many elements it takes along each axis."""
    items = index if isinstance(index, tuple) else (index,)
    if Ellipsis not in items:
        items = (*items, Ellipsis)
    used = sum(item is not None and item is not Ellipsis for item in items)
    left = list(sizes)
    shape = []
    for item in items:
        if item is None:
            shape.append(1)
        elif item is Ellipsis:
            shape += [left.pop(0) for _ in range(len(sizes) - used)]
        else:
            size = left.pop(0)
            if isinstance(item, slice):
                shape.append(size)
    return shape
