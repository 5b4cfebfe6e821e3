"""XLA kernels for reductions, cumulative ops and sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.values.errors import depends_on_values

Array = Any


class ReductionKernels:
    """Reductions, cumulative ops and sorting of the XLA engine."""

    jax: Any
    jnp: Any
    lax: Any

    # -- reductions --

    def sum(self, x: Array, axis: Any = None, **options: Any) -> Array:
        """NumPy's sum, in the dtype of the array; half precision is summed in float32."""
        dtype = options.pop("dtype", x.dtype)
        wide = np.float32 if _is_half(dtype) else dtype
        return self.jnp.sum(x, axis=axis, dtype=wide, **options).astype(dtype)

    def unreduce(self, x: Array, *, shape: tuple[int, ...], axis: tuple[int, ...], keepdims: bool) -> Array:
        """Broadcast `x`, the result of reducing `shape` over `axis`, back to `shape`."""
        if not keepdims and x.shape:
            x = x.reshape([1 if i in axis else size for i, size in enumerate(shape)])
        return self.jnp.broadcast_to(x, shape)

    def extreme_shares(self, x: Array, extreme: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """The gradient of a maximum or minimum for each element: 1 / n for each of n ties, else 0."""
        if not keepdims:
            extreme = extreme.reshape([1 if i in axis else size for i, size in enumerate(x.shape)])
        chosen = x == extreme
        count = self.jnp.sum(chosen, axis=axis, keepdims=True)
        shares = chosen.astype(x.dtype) / count.astype(x.dtype)
        # Where the extreme is nan, nothing equals it, and the shares must be nan: set explicitly, as XLA makes False / 0 a 0.
        return self.jnp.where(count == 0, x.dtype.type(np.nan), shares) if x.dtype.kind in "fV" else shares

    def extreme_position(self, x: Array, *, axis: int, largest: bool) -> Array:
        """The index of the first maximum or minimum along `axis`. NaN is ignored unless all elements are NaN."""
        if x.dtype.kind in "fV":
            x = self.jnp.where(self.jnp.isnan(x), x.dtype.type(-np.inf if largest else np.inf), x)
        return (self.jnp.argmax if largest else self.jnp.argmin)(x, axis=axis)

    def logsumexp(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """log(sum(exp(x))) without overflow."""
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        top = self.jnp.max(wide, axis=axis, keepdims=True, initial=-np.inf)
        top = self.jnp.where(self.jnp.isfinite(top), top, wide.dtype.type(0))
        out = self.jnp.log(self.jnp.sum(self.jnp.exp(wide - top), axis=axis, keepdims=True)) + top
        return (out if keepdims else out.reshape([n for i, n in enumerate(x.shape) if i not in axis])).astype(x.dtype)

    def euclidean_norm(self, x: Array, *, axis: tuple[int, ...], keepdims: bool) -> Array:
        """The root of the sum of squared magnitudes; for integers, both steps stay integer."""
        squares = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
        return self.jnp.sqrt(self.sum(squares, axis, keepdims=keepdims)).astype(x.dtype)

    # -- softmax along an axis --

    def softmax(self, x: Array, *, axis: int) -> Array:
        """exp(x) divided by its sum along `axis`, without overflow."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        shares = self.jnp.exp(wide - self.jnp.max(wide, axis=axis, keepdims=True))
        return (shares / self.jnp.sum(shares, axis=axis, keepdims=True)).astype(x.dtype)

    def softmax_grad(self, gain: Array, shares: Array, *, axis: int) -> Array:
        """Softmax VJP: `(g - sum(g * y)) * y`, for the upstream gradient g of the output y."""
        wide = (gain * shares).astype(np.float32) if _is_half(gain.dtype) else gain * shares
        return (gain - self.jnp.sum(wide, axis=axis, keepdims=True).astype(gain.dtype)) * shares

    def log_softmax(self, x: Array, *, axis: int) -> Array:
        """The logarithm of `softmax`, exact even where softmax underflows."""
        if not x.size:
            return x
        wide = x.astype(np.float32) if _is_half(x.dtype) else x
        shifted = wide - self.jnp.max(wide, axis=axis, keepdims=True)
        return (shifted - self.jnp.log(self.jnp.sum(self.jnp.exp(shifted), axis=axis, keepdims=True))).astype(x.dtype)

    # -- cumulative ops along an axis --

    def running_sum(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative sum, excluding the current element if `exclusive`, from the end if `reverse`."""
        return self._running(self.lax.cumsum, x, axis, exclusive, reverse, 0)

    def running_product(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative product, with the options of `running_sum`."""
        return self._running(self.lax.cumprod, x, axis, exclusive, reverse, 1)

    def running_logsumexp(self, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
        """The cumulative log(sum(exp(x))), with the options of `running_sum`."""
        return self._running(self.lax.cumlogsumexp, x, axis, exclusive, reverse, -np.inf)

    def _running(self, run: Any, x: Array, axis: int, exclusive: bool, reverse: bool, start: Any) -> Array:
        """`run` along `axis`; `start` is the first element of an exclusive run."""
        dtype = x.dtype
        if not x.size:
            return x
        axis %= x.ndim
        if exclusive:
            first = self.jnp.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), start, dtype)
            kept = self.lax.slice_in_dim(x, 1 if reverse else 0, x.shape[axis] - (not reverse), axis=axis)
            x = self.jnp.concatenate([kept, first] if reverse else [first, kept], axis)
        wide = x.astype(np.float32) if _is_half(dtype) else x
        return run(wide, axis=axis, reverse=reverse).astype(dtype)

    # -- sorting --

    def sort_values(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The elements sorted along `axis`."""
        ordered = self.jnp.sort(x, axis=axis)
        return self.jnp.flip(ordered, axis) if descending else ordered

    def sort_order(self, x: Array, *, axis: int, descending: bool) -> Array:
        """The indices that sort `x` along `axis`; the sort is stable."""
        if not descending:
            return self.jnp.argsort(x, axis=axis, stable=True).astype(np.int32)
        backwards = self.jnp.argsort(self.jnp.flip(x, axis), axis=axis, stable=True).astype(np.int32)
        return x.shape[axis] - 1 - self.jnp.flip(backwards, axis)

    def argsort(self, x: Array, axis: int = -1, kind: str | None = None) -> Array:
        """NumPy's argsort; always stable, whatever `kind` says."""
        return self.jnp.argsort(x, axis=axis, stable=True).astype(np.int64)

    def argpartition(self, x: Array, kth: Any, axis: int = -1) -> Array:
        """NumPy's argpartition: a full sort is a valid partition."""
        return self.argsort(x, axis)

    def searchsorted(self, line: Array, values: Array, side: str = "left", sorter: Array | None = None) -> Array:
        """NumPy's searchsorted."""
        return self.jnp.searchsorted(line, values, side=side, sorter=sorter).astype(np.int64)

    def digitize(self, values: Array, edges: Array, right: bool = False) -> Array:
        """NumPy's digitize."""
        return self.jnp.digitize(values, edges, right=right).astype(np.int64)

    def place_along_axis(self, values: Array, positions: Array, *, axis: int, size: int) -> Array:
        """Zeros of length `size` along `axis`, with `values` at `positions`, which are distinct along it."""
        out = self.jnp.zeros((*values.shape[:axis], size, *values.shape[axis + 1 :]), values.dtype)
        return self.jnp.put_along_axis(out, positions, values, axis, inplace=False)

    def top_k(self, x: Array, *, k: int) -> tuple[Array, Array]:
        """The k largest along the last axis, in descending order, and their indices; ties go to the lower index."""
        if not k:
            return x[..., :0], self.jnp.zeros((*x.shape[:-1], 0), np.int32)
        values, positions = self.lax.top_k(x, k)
        return values, positions

    def search_sorted(self, sequence: Array, values: Array, *, right: bool) -> Array:
        """The insertion index of each value of `values` in the same row of the sorted `sequence`."""
        if not values.size or not sequence.size:
            return self.jnp.zeros(values.shape, np.int64)
        rows = self.jnp.reshape(sequence, (-1, sequence.shape[-1]))

        def search(row: Array, wanted: Array) -> Array:
            return self.jnp.searchsorted(row, wanted, side="right" if right else "left")

        found = self.jax.vmap(search)(rows, self.jnp.reshape(values, (len(rows), values.shape[-1])))
        return found.reshape(values.shape).astype(np.int64)

    def unique_in_order(self, x: Array, *, axis: int = 0) -> tuple[Array, Array, Array]:
        """Not available: the number of distinct elements, and so the shape, depends on values."""
        raise depends_on_values("how many distinct elements there are", "Find them outside of the function")

    def count_into_bins(self, bins: Array, weights: Array, *, size: int, binary: bool) -> Array:
        """In each row, the sum of the weights (or, if `binary`, whether there are any) in each of `size` bins.

        Elements beyond the last bin are dropped, and so are negative ones: compiled code cannot raise.
        `weights` of size 0 count each element once.
        """
        if not size or not bins.size:
            return self.jnp.zeros((*bins.shape[:-1], size), weights.dtype)
        rows = self.jnp.reshape(bins, (-1, bins.shape[-1]))
        flat = rows + np.arange(len(rows))[:, None] * size
        flat = self.jnp.where((rows >= 0) & (rows < size), flat, len(rows) * size).reshape(-1)
        ones = binary or not weights.size
        values = self.jnp.ones(flat.shape, weights.dtype) if ones else self.jnp.reshape(weights, -1)
        places = self.jnp.zeros(len(rows) * size, weights.dtype).at[flat]
        out = places.max(values, mode="drop") if binary else places.add(values, mode="drop")
        return out.reshape(*bins.shape[:-1], size)

    def histogram_counts(self, values: Array, value_range: Array, nbins: int) -> Array:
        """The number of values in each bin; values outside the range count in the nearest bin."""
        low, high = (self.jnp.asarray(value_range)[i].astype(np.float64) for i in (0, 1))
        step = (high - low) / nbins
        places = self.jnp.clip((values.astype(np.float64) - low) / step, 0, nbins - 1).astype(np.int64)
        return self.jnp.zeros(nbins, np.int64).at[places.reshape(-1)].add(1)

    def histogram_places(self, values: Array, value_range: Array, nbins: int) -> Array:
        """The bin of each value; values outside the range go to the nearest bin."""
        low, high = value_range[0], value_range[1]
        places = self.jnp.floor((values - low) / (high - low) * values.dtype.type(nbins))
        return self.jnp.clip(places, 0, nbins - 1).astype(np.int32)


def _is_half(dtype: Any) -> bool:
    return bool(dtype.itemsize == 2 and dtype.kind in "fV")
