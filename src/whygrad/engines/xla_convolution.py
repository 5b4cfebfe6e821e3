"""XLA kernels for `whygrad.ops.convolution`, `whygrad.ops.pooling` and patches.

The arguments are those of the NumPy engine: channels last, `offsets` is the padding before each spatial axis (negative: cropping),
and the sizes of the result are given. JAX derives the kernels that are transposes of others, as it has the convolutions and scatters
for them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad.engines.numpy_convolution import least
from whygrad.engines.numpy_linalg import in_float32

Array = Any
Sizes = tuple[int, ...]


class ConvolutionKernels:
    """Convolution and its two transposes, pooling, dilation, and patches."""

    jax: Any
    jnp: Any
    lax: Any

    def conv(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The cross-correlation of x with filters w; `sizes` is the spatial shape of the result."""
        space = "".join("abcdefgh"[: len(sizes)])
        out = self.lax.conv_general_dilated(
            self.summable(x),  # type: ignore[attr-defined]
            self.summable(w),  # type: ignore[attr-defined]
            strides,
            _paddings(x.shape, w.shape[: len(sizes)], strides, offsets, dilations, sizes),
            rhs_dilation=dilations,
            dimension_numbers=(f"N{space}C", f"{space}IO", f"N{space}C"),
            feature_group_count=x.shape[-1] // w.shape[-2],
        )
        return out.astype(x.dtype)

    def conv_input(
        self, g: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `conv` in x: the gradient of an x of this shape, for the upstream gradient g."""
        arguments = {"strides": strides, "offsets": offsets, "dilations": dilations, "sizes": g.shape[1:-1]}
        return self._transpose(lambda x: self.conv(x, w, **arguments), g, shape)

    def conv_filters(
        self, x: Array, g: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `conv` in its filters: the gradient of filters of this shape, for the upstream gradient g."""
        arguments = {"strides": strides, "offsets": offsets, "dilations": dilations, "sizes": g.shape[1:-1]}
        return self._transpose(lambda w: self.conv(x, w, **arguments), g, shape)

    def _transpose(self, linear: Callable[[Array], Array], g: Array, shape: Sizes) -> Array:
        """The transpose of a linear function of an array of this shape."""
        if not g.size:
            return self.jnp.zeros(shape, g.dtype)
        return self.jax.linear_transpose(linear, self.jax.ShapeDtypeStruct(shape, g.dtype))(g)[0]

    # -- pooling --

    def max_pool(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The maximum of each window."""
        paddings = _paddings(x.shape, window, strides, offsets, dilations, sizes)
        return self._reduce_windows(x, least(x.dtype), self.lax.max, window, strides, paddings, dilations)

    def max_pool_spread(
        self,
        values: Array,
        x: Array,
        y: Array,
        *,
        window: Sizes,
        strides: Sizes,
        offsets: Sizes,
        dilations: Sizes,
        ties: str,
    ) -> Array:
        """`values` at the positions of each window's maximum y: at the "first" of several, or at "all"."""
        tiled = all(size == count * n for size, count, n in zip(x.shape[1:-1], y.shape[1:-1], window))
        if tiled and window == strides and not any(offsets) and set(dilations) == {1}:
            return self._spread_over_tiles(values, x, y, window, ties)
        if ties == "first" and set(dilations) == {1}:  # XLA has an op for it, with which JAX differentiates pooling
            paddings = _paddings(x.shape, window, strides, offsets, dilations, y.shape[1:-1])
            lowest = x.dtype.type(-np.inf)

            def pooled(x: Array) -> Array:
                return self._reduce_windows(x, lowest, self.lax.max, window, strides, paddings, dilations)

            return self.jax.vjp(pooled, x)[1](values)[0]

        def gather(values: Array) -> Array:
            return self.max_pool_gather(
                values, x, y, window=window, strides=strides, offsets=offsets, dilations=dilations, ties=ties
            )

        return self._transpose(gather, values, x.shape)

    def _spread_over_tiles(self, values: Array, x: Array, y: Array, window: Sizes, ties: str) -> Array:
        """`max_pool_spread` for windows that do not overlap: elementwise, which XLA fuses into one loop."""
        batch, *counts, channels = y.shape
        tiles = x.reshape(batch, *[each for pair in zip(counts, window) for each in pair], channels)
        within = tuple(range(2, 2 * len(window) + 1, 2))
        parts = self.jnp.moveaxis(tiles, within, tuple(range(len(window)))).reshape(-1, *y.shape)
        chosen = self._chosen([part == y for part in parts], ties)
        spread = self.jnp.stack([self.keep_where(here, values) for here in chosen])  # type: ignore[attr-defined]
        spread = spread.reshape(*window, *y.shape)
        return self.jnp.moveaxis(spread, tuple(range(len(window))), within).reshape(x.shape)

    def max_pool_gather(
        self,
        values: Array,
        x: Array,
        y: Array,
        *,
        window: Sizes,
        strides: Sizes,
        offsets: Sizes,
        dilations: Sizes,
        ties: str,
    ) -> Array:
        """The transpose of `max_pool_spread`: the elements of `values`, of x's shape, at each window's maximum."""
        place = window, strides, offsets, dilations, y.shape[1:-1]
        chosen = self._chosen([seen == y for _, seen in self._taps(x, np.nan, *place)], ties)
        out = self.jnp.zeros(y.shape, values.dtype)
        for here, (_, seen) in zip(chosen, self._taps(values, 0, *place)):
            out = out + self.jnp.where(here, seen, np.zeros((), seen.dtype))
        return out

    def max_pool_places(
        self, x: Array, y: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """The flat index, within an image, of each window's first maximum."""
        places = np.arange(math.prod(x.shape[1:])).reshape(1, *x.shape[1:])
        return self.max_pool_gather(
            self.jnp.broadcast_to(places, x.shape),
            x,
            y,
            window=window,
            strides=strides,
            offsets=offsets,
            dilations=dilations,
            ties="first",
        )

    def avg_pool(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The mean of each window, not counting padding."""
        wide = in_float32(x)
        paddings = _paddings(x.shape, window, strides, offsets, dilations, sizes)
        sums = self._reduce_windows(wide, 0, self.lax.add, window, strides, paddings, dilations)
        return (sums / _counts(x.shape, window, strides, offsets, dilations, sizes, wide.dtype)).astype(x.dtype)

    def avg_pool_spread(
        self, g: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `avg_pool`: `g` distributed evenly over the elements of each window."""
        wide = in_float32(g)
        sizes = g.shape[1:-1]
        paddings = _paddings(shape, window, strides, offsets, dilations, sizes)
        shares = wide / _counts(shape, window, strides, offsets, dilations, sizes, wide.dtype)

        def summed(x: Array) -> Array:
            return self._reduce_windows(x, 0, self.lax.add, window, strides, paddings, dilations)

        return self._transpose(summed, shares, shape).astype(g.dtype)

    # -- dilation --

    def dilation(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The maximum of x + w in each window: a convolution with maximum for sum and sum for product."""
        lowest = x.dtype.type(least(x.dtype))
        out = self.jnp.full((x.shape[0], *sizes, x.shape[-1]), lowest, x.dtype)
        for tap, seen in self._taps(x, lowest, w.shape[:-1], strides, offsets, dilations, sizes):
            out = self.jnp.maximum(out, self.jnp.where(seen == lowest, lowest, seen + w[tap]))
        return out

    def dilation_input(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` at the positions in x of each window's first maximum y."""

        def gather(in_x: Array) -> Array:
            in_w = self.jnp.zeros(w.shape, values.dtype)
            return self.dilation_gather(in_x, in_w, x, w, y, strides=strides, offsets=offsets, dilations=dilations)

        return self._transpose(gather, values, x.shape)

    def dilation_filters(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` at the positions in w of each window's first maximum y."""

        def gather(in_w: Array) -> Array:
            in_x = self.jnp.zeros(x.shape, values.dtype)
            return self.dilation_gather(in_x, in_w, x, w, y, strides=strides, offsets=offsets, dilations=dilations)

        return self._transpose(gather, values, w.shape)

    def dilation_gather(
        self,
        in_x: Array,
        in_w: Array,
        x: Array,
        w: Array,
        y: Array,
        *,
        strides: Sizes,
        offsets: Sizes,
        dilations: Sizes,
    ) -> Array:
        """The transpose of both: the sum of two arrays, of x's and w's shapes, at each window's first maximum y."""
        place = w.shape[:-1], strides, offsets, dilations, y.shape[1:-1]
        chosen = self._chosen([seen + w[tap] == y for tap, seen in self._taps(x, np.nan, *place)], "first")
        out = self.jnp.zeros(y.shape, in_x.dtype)
        for here, (tap, seen) in zip(chosen, self._taps(in_x, 0, *place)):
            out = out + self.jnp.where(here, seen + in_w[tap], np.zeros((), seen.dtype))
        return out

    # -- patches --

    def patches(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The windows of x [batch, *space, channels], each flattened into the last axis."""
        seen = [each for _, each in self._taps(x, 0, window, strides, offsets, dilations, sizes)]
        return self.jnp.concatenate(seen, axis=-1)

    def patches_transpose(
        self, g: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `patches` for an x of this shape: each element's sum over all windows that contain it."""

        def seen(x: Array) -> Array:
            return self.patches(x, window=window, strides=strides, offsets=offsets, dilations=dilations, sizes=sizes)

        return self._transpose(seen, g, shape)

    # -- windows --

    def _reduce_windows(
        self,
        x: Array,
        start: Any,
        combine: Callable[[Array, Array], Array],
        window: Sizes,
        strides: Sizes,
        paddings: Sequence[tuple[int, int]],
        dilations: Sizes,
    ) -> Array:
        """Reduce the elements of each window, starting from `start`."""
        beginning = np.asarray(start, x.dtype)
        if any(min(padding) < 0 for padding in paddings):  # crop first: reduce_window takes no negative padding
            x = self.lax.pad(x, beginning, [(0, 0, 0), *[(before, after, 0) for before, after in paddings], (0, 0, 0)])
            paddings = [(0, 0)] * len(window)
        return self.lax.reduce_window(
            x,
            beginning,
            combine,
            (1, *window, 1),
            (1, *strides, 1),
            [(0, 0), *paddings, (0, 0)],
            window_dilation=(1, *dilations, 1),
        )

    def _taps(
        self, x: Array, fill: Any, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Iterator[tuple[Sizes, Array]]:
        """For each tap: the tap, and the element of every window there; `fill` in the padding."""
        paddings = _paddings(x.shape, window, strides, offsets, dilations, sizes)
        filled = [(0, 0, 0), *[(before, after, 0) for before, after in paddings], (0, 0, 0)]
        padded = self.lax.pad(x, np.asarray(fill, x.dtype), filled)
        for tap in itertools.product(*map(range, window)):
            starts = [t * d for t, d in zip(tap, dilations)]
            ends = [start + (n - 1) * s + 1 if n else start for start, n, s in zip(starts, sizes, strides)]
            yield (
                tap,
                self.lax.slice(padded, (0, *starts, 0), (x.shape[0], *ends, x.shape[-1]), (1, *strides, 1)),
            )

    def _chosen(self, found: list[Array], ties: str) -> list[Array]:
        """For each tap, where its element is the maximum: the "first" of several only, or "all"."""
        if ties == "all":
            return found
        pending = True
        chosen = []
        for here in found:
            chosen.append(here & pending)
            pending = ~here & pending
        return chosen


def _paddings(
    shape: Sizes, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
) -> list[tuple[int, int]]:
    """The padding before and after each spatial axis that gives exactly these windows."""
    reach = [max((n - 1) * s + (k - 1) * d + 1, 0) for n, s, k, d in zip(sizes, strides, window, dilations)]
    return [(offset, whole - size - offset) for offset, whole, size in zip(offsets, reach, shape[1:])]


def _counts(
    shape: Sizes, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes, dtype: Any
) -> Array:
    """The number of elements of x in each window, as an array that broadcasts against the result."""
    out = np.ones((1,) * (len(sizes) + 1), dtype)
    for i, size in enumerate(sizes):
        places = np.arange(size)[:, None] * strides[i] + np.arange(window[i]) * dilations[i] - offsets[i]
        along = ((places >= 0) & (places < shape[1 + i])).sum(axis=1)
        out = out * along.astype(dtype).reshape(-1, *(1,) * (len(sizes) - i))
    return np.maximum(out, np.ones((), dtype))  # an empty window has the sum 0
