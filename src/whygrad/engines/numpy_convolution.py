"""Kernels of the NumPy engine for `whygrad.ops.convolution` and `whygrad.ops.pooling`.

All take channels last: x is [batch, *space, channels], filters are [*taps, channels / groups, out_channels]. `offsets` is the
padding before each axis of space (negative: cut off), and the sizes of the result are given, so that what lies after the
last element that is needed does not matter: it is padding, or left over.

Convolutions are matrix products. Copying every window beside the next (im2col) would write each element once for each tap
that sees it; here only the taps of all axes but the last are laid side by side (the band). In the band a window is one run of
memory, and the windows that start a whole window apart are the rows of a matrix as they lie: one product for each phase.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.engines.numpy_reductions import is_half

Array = Any
Sizes = tuple[int, ...]

_BAND_BYTES = 1 << 19  # how much of the band is made at once: as much as stays in the cache until it is multiplied


class ConvolutionKernels:
    """Convolution and its two transposes, pooling, and dilation."""

    def conv(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The convolution (without turning the filters round) of x with filters w; `sizes` are those of the result."""
        if is_half(x.dtype):
            wide = self.conv(_wide(x), _wide(w), strides=strides, offsets=offsets, dilations=dilations, sizes=sizes)
            return wide.astype(x.dtype)
        groups = x.shape[-1] // w.shape[-2]
        if groups == 1:
            return _conv(x, w, strides, offsets, dilations, sizes)
        if w.shape[-2] == 1:
            return _depthwise(x, w, strides, offsets, dilations, sizes)
        out = np.empty((x.shape[0], *sizes, w.shape[-1]), x.dtype)
        for ins, outs in _groups(w, groups):
            out[..., outs] = _conv(x[..., ins], w[..., outs], strides, offsets, dilations, sizes)
        return out

    def conv_input(
        self, g: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `conv` in x: what each element of an x of this shape gave, weighted by g."""
        if is_half(g.dtype):
            wide = self.conv_input(
                _wide(g), _wide(w), strides=strides, offsets=offsets, dilations=dilations, shape=shape
            )
            return wide.astype(g.dtype)
        groups = shape[-1] // w.shape[-2]
        if groups == 1:
            return _conv_input(g, w, strides, offsets, dilations, shape)
        if w.shape[-2] == 1:
            return _depthwise_input(g, w, strides, offsets, dilations, shape)
        out = np.empty(shape, g.dtype)
        for ins, outs in _groups(w, groups):
            part = (*shape[:-1], w.shape[-2])
            out[..., ins] = _conv_input(g[..., outs], w[..., outs], strides, offsets, dilations, part)
        return out

    def conv_filters(
        self, x: Array, g: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `conv` in its filters: what each element of filters of this shape gave, weighted by g."""
        if is_half(x.dtype):
            wide = self.conv_filters(
                _wide(x), _wide(g), strides=strides, offsets=offsets, dilations=dilations, shape=shape
            )
            return wide.astype(x.dtype)
        groups = x.shape[-1] // shape[-2]
        if groups == 1:
            return _conv_filters(x, g, strides, offsets, dilations, shape)
        if shape[-2] == 1:
            return _depthwise_filters(x, g, strides, offsets, dilations, shape)
        out = np.empty(shape, x.dtype)
        for ins, outs in _groups(out, groups):
            part = (*shape[:-1], shape[-1] // groups)
            out[..., outs] = _conv_filters(x[..., ins], g[..., outs], strides, offsets, dilations, part)
        return out

    # -- pooling --

    def max_pool(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The largest element of each window; nan is passed over, as in TensorFlow."""
        out = np.full((x.shape[0], *sizes, x.shape[-1]), _least(x.dtype), x.dtype)
        for _, there, here in _taps(x, out, window, strides, offsets, dilations):
            part = out[there]
            np.fmax(part, x[here], out=part)
        return out

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
        """`values` put where `max_pool` found y, each window's largest element: the "first" of equals, or "all"."""
        out = np.zeros(x.shape, values.dtype)
        for there, here, chosen in _chosen(x, y, window, strides, offsets, dilations, ties):
            out[here] += values[there] * chosen
        return out

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
        """The transpose of `max_pool_spread`: from `values`, of x's shape, those at each window's largest element."""
        out = np.zeros(y.shape, values.dtype)
        for there, here, chosen in _chosen(x, y, window, strides, offsets, dilations, ties):
            out[there] += values[here] * chosen
        return out

    def max_pool_places(
        self, x: Array, y: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """Where in x, counted through space and channels of its image, each window's largest element is: the first."""
        places = np.arange(math.prod(x.shape[1:])).reshape(1, *x.shape[1:])
        out = np.zeros(y.shape, np.int64)
        for there, here, chosen in _chosen(x, y, window, strides, offsets, dilations, "first"):
            out[there] += places[here] * chosen
        return out

    def avg_pool(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The mean of what lies in each window; padding does not count."""
        working = np.float32 if is_half(x.dtype) else x.dtype
        out = np.zeros((x.shape[0], *sizes, x.shape[-1]), working)
        for _, there, here in _taps(x, out, window, strides, offsets, dilations):
            part = out[there]
            np.add(part, x[here], out=part)
        out /= _counts(x.shape, window, strides, offsets, dilations, sizes, working)
        return out.astype(x.dtype, copy=False)

    def avg_pool_spread(
        self, g: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `avg_pool`: `g` shared evenly among the elements of each window."""
        working = np.float32 if is_half(g.dtype) else g.dtype
        shares = g / _counts(shape, window, strides, offsets, dilations, g.shape[1:-1], working)
        out = np.zeros(shape, working)
        for _, there, here in _taps(out, g, window, strides, offsets, dilations):
            part = out[here]
            np.add(part, shares[there], out=part)
        return out.astype(g.dtype, copy=False)

    # -- dilation --

    def dilation(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The largest of x + w in each window: a convolution with maximum for sum and sum for product."""
        out = np.full((x.shape[0], *sizes, x.shape[-1]), _least(x.dtype), x.dtype)
        for tap, there, here in _taps(x, out, w.shape[:-1], strides, offsets, dilations):
            part = out[there]
            np.fmax(part, x[here] + w[tap], out=part)
        return out

    def dilation_input(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` put where in x `dilation` found y: the first of equals."""
        out = np.zeros(x.shape, values.dtype)
        for _, there, here, chosen in _reached(x, w, y, strides, offsets, dilations):
            out[here] += values[there] * chosen
        return out

    def dilation_filters(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` put where in w `dilation` found y: the first of equals."""
        out = np.zeros(w.shape, values.dtype)
        axes = tuple(range(x.ndim - 1))
        for tap, there, _, chosen in _reached(x, w, y, strides, offsets, dilations):
            out[tap] = np.add.reduce(values[there] * chosen, axis=axes)
        return out

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
        """The transpose of both: from arrays of x's and w's shapes, the sum of their elements where `dilation` found y."""
        out = np.zeros(y.shape, in_x.dtype)
        for tap, there, here, chosen in _reached(x, w, y, strides, offsets, dilations):
            out[there] += (in_x[here] + in_w[tap]) * chosen
        return out


# -- windows --


def _taps(
    x: Array, y: Array, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Iterator[tuple[Sizes, tuple[slice, ...], tuple[slice, ...]]]:
    """For each tap of the window: the tap, the elements of y whose tap lies inside x, and those elements of x."""
    by_axis = [
        [_reach(x.shape[1 + i], y.shape[1 + i], strides[i], tap * dilations[i] - offsets[i]) for tap in range(size)]
        for i, size in enumerate(window)
    ]
    whole = slice(None)
    for tap in itertools.product(*map(range, window)):
        reach = [by_axis[i][t] for i, t in enumerate(tap)]
        if None not in reach:
            yield tap, (whole, *[r[0] for r in reach]), (whole, *[r[1] for r in reach])  # type: ignore[index]


def _reach(size: int, count: int, stride: int, start: int) -> tuple[slice, slice] | None:
    """Of `count` places `start + stride * i`: which i lie in range(size), and the places; None if none does."""
    first = max(0, -(start // stride))  # the smallest i with start + stride * i >= 0
    last = min(count - 1, (size - 1 - start) // stride)
    if last < first:
        return None
    return slice(first, last + 1), slice(start + stride * first, start + stride * last + 1, stride)


def _chosen(
    x: Array, y: Array, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, ties: str
) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...], Array]]:
    """For each tap: the windows that have it, what they see there, and whether that is their largest element, y."""
    pending = np.ones(y.shape, bool)
    for _, there, here in _taps(x, y, window, strides, offsets, dilations):
        chosen = x[here] == y[there]
        if ties == "first":
            left = pending[there]
            chosen &= left
            left ^= chosen
        yield there, here, chosen


def _reached(
    x: Array, w: Array, y: Array, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Iterator[tuple[Sizes, tuple[slice, ...], tuple[slice, ...], Array]]:
    """As `_chosen`, with the tap, for windows of x + w; of equals the first."""
    pending = np.ones(y.shape, bool)
    for tap, there, here in _taps(x, y, w.shape[:-1], strides, offsets, dilations):
        chosen = x[here] + w[tap] == y[there]
        left = pending[there]
        chosen &= left
        left ^= chosen
        yield tap, there, here, chosen


def _counts(
    shape: Sizes, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes, dtype: Any
) -> Array:
    """How many elements of an x of this shape lie in each window, as an array that broadcasts against the result."""
    out = np.ones((1,) * (len(sizes) + 1), dtype)
    for i, size in enumerate(sizes):
        along = np.zeros(size, dtype)
        for tap in range(window[i]):
            reach = _reach(shape[1 + i], size, strides[i], tap * dilations[i] - offsets[i])
            if reach:
                along[reach[0]] += 1
        out = out * along.reshape(-1, *(1,) * (len(sizes) - i))
    return np.maximum(out, 1)  # a window that holds nothing has a sum of nothing


def _least(dtype: Any) -> Any:
    """The least finite number, which TensorFlow's windows start with."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return np.finfo(dtype).min if dtype.kind == "f" else -(2.0**128 - 2.0**120)  # bfloat16's


def _wide(x: Array) -> Array:
    return x.astype(np.float32)


def _groups(w: Array, groups: int) -> Iterator[tuple[slice, slice]]:
    """For each group: its channels of the input, and of the output."""
    ins, outs = w.shape[-2], w.shape[-1] // groups
    for i in range(groups):
        yield slice(i * ins, (i + 1) * ins), slice(i * outs, (i + 1) * outs)


# -- convolution of one group --


class _Band:
    """The windows of x as rows of matrices: `phase(r)` holds those of every m-th place of the last axis from r on."""

    def __init__(self, x: Array, taps: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> None:
        self.x, self.taps, self.strides, self.offsets, self.dilations = x, taps, strides, offsets, dilations
        self.sizes = sizes
        self.channels = x.shape[-1]
        self.outer = taps[:-1]
        self.column = math.prod(self.outer) * self.channels  # what lies in one column of the band
        stride, last = strides[-1], sizes[-1]
        self.phases = -(-taps[-1] // stride)
        step = self.phases * stride
        self.per_line = -(-((last - 1) * stride + taps[-1]) // step)  # windows of one phase in a line
        self.length = self.per_line * step  # columns in a line
        self.used = min(self.phases, last)
        per_image = math.prod(sizes[:-1]) * self.length * self.column * x.dtype.itemsize
        self.images = max(1, min(x.shape[0], _BAND_BYTES // max(per_image, 1)))
        lines = self.images * math.prod(sizes[:-1])
        reaching_over = max(0, taps[-1] - stride) * self.column  # by the last windows of all, whose results are dropped
        self.buffer = _scratch("band", lines * self.length * self.column + reaching_over, x.dtype)
        self.buffer.fill(0)

    def chunks(self) -> Iterator[tuple[slice, int]]:
        """Fill the band with some images at a time: which, and how many lines they make."""
        whole = self.buffer[: self.images * math.prod(self.sizes[:-1]) * self.length * self.column]
        whole = whole.reshape(self.images, *self.sizes[:-1], self.length, *self.outer, self.channels)
        space = len(self.taps)
        columns = _reach(self.x.shape[space], self.length, 1, -self.offsets[-1])
        outer = (self.strides[:-1], self.offsets[:-1], self.dilations[:-1])
        fills: list[tuple[Any, Any]] = []
        if columns is not None:
            for tap, there, here in _taps(self.x, whole, self.outer, *outer):
                fills.append(((*there[1:], columns[0], *tap), (*here[1:], columns[1])))
        for start in range(0, self.x.shape[0], self.images):
            chunk = self.x[start : start + self.images]
            band = whole[: len(chunk)]
            for to, source in fills:
                _copy(band[:, *to], chunk[:, *source])
            yield slice(start, start + len(chunk)), len(chunk) * math.prod(self.sizes[:-1])

    def phase(self, r: int, lines: int) -> Array:
        """The matrix of the windows of phase r, [windows, taps * channels], without a copy."""
        item = self.buffer.itemsize
        return np.ndarray(  # as `as_strided` does, in a tenth of its time
            (lines * self.per_line, self.taps[-1] * self.column),
            self.buffer.dtype,
            self.buffer,
            r * self.strides[-1] * self.column * item,
            (self.phases * self.strides[-1] * self.column * item, item),
        )

    def of_phase(self, r: int) -> int:
        """How many of a line's windows of phase r belong to the result; the rest reach over its end."""
        return -(-(self.sizes[-1] - r) // self.phases)


def _copy(to: Array, source: Array) -> None:
    """`to[...] = source`, all channels of a place as one item: NumPy's loop over few channels costs more than the copying."""
    item = source.itemsize
    if to.strides[-1] == item == source.strides[-1]:
        whole = np.dtype((np.void, item * source.shape[-1]))
        to, source = to.view(whole), source.view(whole)
    to[...] = source


_kept = threading.local()


def _scratch(use: str, size: int, dtype: Any) -> Array:
    """Memory for so many numbers, the same again for each call with this use in a thread, if it is not too much to keep.

    What is taken from the system afresh for every chunk is cleared page by page, which takes longer than the products.
    """
    nbytes = size * dtype.itemsize
    if nbytes > 4 * _BAND_BYTES:
        return np.empty(size, dtype)
    memory = getattr(_kept, use, None)
    if memory is None or memory.size < nbytes:
        memory = np.empty(max(nbytes, _BAND_BYTES), np.uint8)
        setattr(_kept, use, memory)
    return memory[:nbytes].view(dtype)


def _is_banded(taps: Sizes, strides: Sizes, dilations: Sizes, sizes: Sizes) -> bool:
    """Whether the last axis is fit for a band: its taps are neighbours, and few windows reach over a line's end."""
    taps_last, stride, last = taps[-1], strides[-1], sizes[-1]
    if dilations[-1] != 1 and taps_last > 1:
        return False
    phases = -(-taps_last // stride)
    per_line = -(-((last - 1) * stride + taps_last) // (phases * stride))
    return per_line * min(phases, last) <= 1.5 * last


def _conv(x: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
    taps, (channels, out_channels) = w.shape[:-2], w.shape[-2:]
    out_shape = (x.shape[0], *sizes, out_channels)
    if not all(out_shape):
        return np.zeros(out_shape, x.dtype)
    if math.prod(taps) == 1 and _covers(x, strides, offsets, sizes):
        return np.matmul(x[_every(strides, sizes)], w.reshape(channels, out_channels))
    if not _is_banded(taps, strides, dilations, sizes):  # all taps side by side: a band whose last axis is single
        x, w = x[..., None, :], w[..., None, :, :]
        strides, offsets, dilations, sizes = (*strides, 1), (*offsets, 0), (*dilations, 1), (*sizes, 1)
        taps = (*taps, 1)
    band = _Band(x, taps, strides, offsets, dilations, sizes)
    out = np.empty((x.shape[0], *sizes, out_channels), x.dtype)
    matrix = np.moveaxis(w, len(taps) - 1, 0).reshape(-1, out_channels)
    for images, lines in band.chunks():
        part = out[images].reshape(lines, sizes[-1], out_channels)
        if band.used == 1 and band.per_line == sizes[-1]:
            np.matmul(band.phase(0, lines), matrix, out=part.reshape(-1, out_channels))
            continue
        for r in range(band.used):
            found = _scratch("phase", lines * band.per_line * out_channels, x.dtype).reshape(-1, out_channels)
            np.matmul(band.phase(r, lines), matrix, out=found)
            _copy(part[:, r :: band.phases], found.reshape(lines, band.per_line, -1)[:, : band.of_phase(r)])
    return out.reshape(out_shape)


def _conv_input(g: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    taps = w.shape[:-2]
    turned = np.swapaxes(w, -1, -2)
    if all(stride == 1 for stride in strides) and all(shape) and g.size:
        turned = np.flip(turned, tuple(range(len(taps))))
        back = tuple([(size - 1) * d - before for size, d, before in zip(taps, dilations, offsets)])
        return _conv(g, turned, strides, back, dilations, shape[1:-1])
    out = np.zeros(shape, g.dtype)
    for tap, there, here in _taps(out, g, taps, strides, offsets, dilations):
        out[here] += np.matmul(g[there], turned[tap])
    return out


def _conv_filters(x: Array, g: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    taps, (channels, out_channels), sizes = shape[:-2], shape[-2:], g.shape[1:-1]
    if not (x.size and g.size and all(shape)):
        return np.zeros(shape, x.dtype)
    if math.prod(taps) == 1 and _covers(x, strides, offsets, sizes):
        return np.matmul(x[_every(strides, sizes)].reshape(-1, channels).T, g.reshape(-1, out_channels)).reshape(shape)
    banded = _is_banded(taps, strides, dilations, sizes)
    if banded:
        out = _filters_from_band(x, g, taps, strides, offsets, dilations)
        # Windows that reach over a line's end are multiplied by 0, which takes nothing away from an inf or a nan.
        banded = bool(np.isfinite(out).all()) if x.dtype.kind in "fc" else True
    if not banded:
        out = _filters_from_band(
            x[..., None, :], g[..., None, :], (*taps, 1), (*strides, 1), (*offsets, 0), (*dilations, 1)
        )
    return out.reshape(shape)


def _filters_from_band(x: Array, g: Array, taps: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Array:
    sizes, out_channels = g.shape[1:-1], g.shape[-1]
    band = _Band(x, taps, strides, offsets, dilations, sizes)
    total = np.zeros((taps[-1] * band.column, out_channels), x.dtype)
    for images, lines in band.chunks():
        part = g[images].reshape(lines, sizes[-1], out_channels)
        for r in range(band.used):
            of_phase = part[:, r :: band.phases]
            if of_phase.shape[1] != band.per_line:
                padded = _scratch("phase", lines * band.per_line * out_channels, g.dtype)
                padded = padded.reshape(lines, band.per_line, out_channels)
                _copy(padded[:, : of_phase.shape[1]], of_phase)
                padded[:, of_phase.shape[1] :] = 0
                of_phase = padded
            total += np.matmul(band.phase(r, lines).T, of_phase.reshape(-1, out_channels))
    return np.moveaxis(total.reshape(taps[-1], *taps[:-1], x.shape[-1], out_channels), 0, len(taps) - 1)


# -- convolution of each channel by itself --


def _depthwise(x: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
    out = np.zeros((x.shape[0], *sizes, w.shape[-1]), x.dtype)
    rows = _along_last_axis(w, sizes[-1])
    for images in _some_images(out):
        seen, part = _repeated(x[images], w.shape[-1]), out[images]
        for tap, there, here in _taps(seen, part, w.shape[:-2], strides, offsets, dilations):
            part[there] += seen[here] * rows[tap][there[-1]]
    return out


def _depthwise_input(g: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    out = np.empty(shape, g.dtype)
    rows = _along_last_axis(w, g.shape[-2])
    for images in _some_images(g):
        given = g[images]
        part = np.zeros((given.shape[0], *shape[1:-1], w.shape[-1]), g.dtype)
        for tap, there, here in _taps(part, given, w.shape[:-2], strides, offsets, dilations):
            part[here] += given[there] * rows[tap][there[-1]]
        multiplier = w.shape[-1] // shape[-1]
        out[images] = np.add.reduce(part.reshape(*part.shape[:-1], -1, multiplier), axis=-1) if multiplier > 1 else part
    return out


def _depthwise_filters(x: Array, g: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    out = np.zeros(shape, x.dtype)
    for images in _some_images(g):
        seen, given = _repeated(x[images], shape[-1]), g[images]
        for tap, there, here in _taps(seen, given, shape[:-2], strides, offsets, dilations):
            products = (seen[here] * given[there]).reshape(-1, shape[-1])
            out[tap] += np.matmul(np.ones((1, len(products)), x.dtype), products)
    return out


def _along_last_axis(w: Array, size: int) -> Array:
    """Filters of single channels repeated along the last axis of space: two long runs multiply faster than many short ones."""
    return np.repeat(w, size, axis=-2)


def _repeated(x: Array, out_channels: int) -> Array:
    """Each channel once for each of its filters."""
    multiplier = out_channels // x.shape[-1]
    return np.repeat(x, multiplier, axis=-1) if multiplier > 1 else x


def _some_images(x: Array) -> Iterator[slice]:
    """So many images at a time as stay in the cache while all taps pass over them."""
    count = max(1, _BAND_BYTES // max(1, math.prod(x.shape[1:]) * x.dtype.itemsize))
    for start in range(0, x.shape[0], count):
        yield slice(start, start + count)


def _covers(x: Array, strides: Sizes, offsets: Sizes, sizes: Sizes) -> bool:
    """Whether windows of a single tap all lie inside x, from its first element on."""
    return not any(offsets) and all((n - 1) * s < size for n, s, size in zip(sizes, strides, x.shape[1:-1]))


def _every(strides: Sizes, sizes: Sizes) -> tuple[slice, ...]:
    """The elements at each stride, as many as there are sizes."""
    return (slice(None), *[slice(0, (n - 1) * s + 1, s) for n, s in zip(sizes, strides)])
