"""Kernels of the NumPy engine for `whygrad.ops.convolution` and `whygrad.ops.pooling`.

All take channels last: x is [batch, *space, channels], filters are [*taps, channels / groups, out_channels]. `offsets` is the
padding before each spatial axis (negative: cropping). The sizes of the result are given, so the padding or cropping at the end
follows from them.

Convolutions are matrix products: every window is a row of a matrix (im2col), built for a few images at a time, so that it stays in
the cache. The taps of the last axis are adjacent in x, and so are copied as one run; windows that advance by one line share what is
copied. Where runs are short, as with one channel, neighbouring windows are one row. Each thread multiplies a chunk of its own, in blocks
so small that OpenBLAS does not use threads of its own.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.engines import workers
from whygrad.engines.numpy_reductions import is_half
from whygrad.runtime.blas import largest_single_threaded_product

Array = Any
Sizes = tuple[int, ...]
Chunk = tuple[slice, slice]

_SMALL_PRODUCT = largest_single_threaded_product()  # rows * columns * inner size of a block
_CHUNK_BYTES = 1 << 21  # size of one piece of work: it stays in the cache until it is multiplied
_LONG_RUN = 64  # bytes from which NumPy's loops are as fast as a copy
_FEW_ROWS = 16  # blocks of fewer rows are multiplied more slowly than a large product
_ENOUGH_TIME = 200_000  # nanoseconds, by the figures below, from which waking another thread pays
_LARGE_POOL = 1 << 23  # and bytes, for pools: their many short loops wait for each other
_ENOUGH_COLUMNS = 24  # from which several products of this inner size are as fast as one
_MOST_NEIGHBOURS = 4  # windows that are one row: beyond it, most of what is multiplied is zeros
# Nanoseconds, about: to copy a run, each of its numbers, and to multiply and add one; and what it takes to make rows of several windows.
_RUN, _NUMBER, _PRODUCT, _PREPARATION = 2.0, 0.09, 0.012, 20_000


class ConvolutionKernels:
    """Convolution and its two transposes, pooling, and dilation."""

    def conv(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The cross-correlation of x with filters w; `sizes` is the spatial shape of the result."""
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
        """The transpose of `conv` in x: the gradient of an x of this shape, for the upstream gradient g."""
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
        """The transpose of `conv` in its filters: the gradient of filters of this shape, for the upstream gradient g."""
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
        """The maximum of each window, ignoring nan, as in TensorFlow."""
        out = np.full((x.shape[0], *sizes, x.shape[-1]), least(x.dtype), x.dtype)

        def pool(images: slice) -> None:
            seen, largest = x[images], out[images]
            for _, there, here in _taps(seen, largest, window, strides, offsets, dilations):
                part = largest[there]
                np.fmax(part, seen[here], out=part)

        _by_images(x, pool)
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
        """`values` at the positions of each window's maximum y: at the "first" of several, or at "all"."""
        out = np.zeros(x.shape, values.dtype)
        apart = all((size - 1) * d < stride for size, stride, d in zip(window, strides, dilations))

        def spread(images: slice) -> None:
            given, to = values[images], out[images]
            for there, here, chosen in _chosen(x[images], y[images], window, strides, offsets, dilations, ties):
                part = self.keep_where(chosen, given[there])  # type: ignore[attr-defined]
                if apart:  # windows do not overlap
                    _copy(to[here], part)
                else:
                    to[here] += part

        _by_images(x, spread)
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
        """The transpose of `max_pool_spread`: the elements of `values`, of x's shape, at each window's maximum."""
        out = np.zeros(y.shape, values.dtype)
        for there, here, chosen in _chosen(x, y, window, strides, offsets, dilations, ties):
            out[there] += values[here] * chosen
        return out

    def max_pool_places(
        self, x: Array, y: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """The flat index, within an image, of each window's first maximum."""
        places = np.arange(math.prod(x.shape[1:])).reshape(1, *x.shape[1:])
        out = np.zeros(y.shape, np.int64)
        for there, here, chosen in _chosen(x, y, window, strides, offsets, dilations, "first"):
            out[there] += places[here] * chosen
        return out

    def avg_pool(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The mean of each window, not counting padding."""
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
        """The transpose of `avg_pool`: `g` distributed evenly over the elements of each window."""
        working = np.float32 if is_half(g.dtype) else g.dtype
        shares = g / _counts(shape, window, strides, offsets, dilations, g.shape[1:-1], working)
        out = np.zeros(shape, working)
        for _, there, here in _taps(out, g, window, strides, offsets, dilations):
            part = out[here]
            np.add(part, shares[there], out=part)
        return out.astype(g.dtype, copy=False)

    # -- dilation --

    def dilation(self, x: Array, w: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
        """The maximum of x + w in each window: a convolution with maximum for sum and sum for product."""
        out = np.full((x.shape[0], *sizes, x.shape[-1]), least(x.dtype), x.dtype)
        for tap, there, here in _taps(x, out, w.shape[:-1], strides, offsets, dilations):
            part = out[there]
            np.fmax(part, x[here] + w[tap], out=part)
        return out

    def dilation_input(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` at the positions in x of each window's first maximum y."""
        out = np.zeros(x.shape, values.dtype)
        for _, there, here, chosen in _reached(x, w, y, strides, offsets, dilations):
            out[here] += values[there] * chosen
        return out

    def dilation_filters(
        self, values: Array, x: Array, w: Array, y: Array, *, strides: Sizes, offsets: Sizes, dilations: Sizes
    ) -> Array:
        """`values` at the positions in w of each window's first maximum y."""
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
        """The transpose of both: the sum of two arrays, of x's and w's shapes, at each window's first maximum y."""
        out = np.zeros(y.shape, in_x.dtype)
        for tap, there, here, chosen in _reached(x, w, y, strides, offsets, dilations):
            out[there] += (in_x[here] + in_w[tap]) * chosen
        return out


# -- windows --


def _taps(
    x: Array, y: Array, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Iterator[tuple[Sizes, tuple[slice, ...], tuple[slice, ...]]]:
    """For each tap of the window: the tap, the elements of y whose tap is inside x, and those elements of x."""
    by_axis = [
        _taps_of_axis(x.shape[1 + i], y.shape[1 + i], size, strides[i], offsets[i], dilations[i])
        for i, size in enumerate(window)
    ]
    whole = slice(None)
    for taps in itertools.product(*by_axis):
        tap, there, here = zip(*taps)
        yield tap, (whole, *there), (whole, *here)


def _taps_of_axis(
    size: int, count: int, window: int, stride: int, offset: int, dilation: int
) -> list[tuple[int, slice, slice]]:
    """The taps along one axis that fall inside it for any of `count` windows, with these windows and their elements."""
    # A window may be far larger than the axis: only taps near it are looked at.
    first = max(0, -((stride * (count - 1) - offset) // dilation))
    last = min(window - 1, (size - 1 + offset) // dilation)
    reaches = [(tap, _reach(size, count, stride, tap * dilation - offset)) for tap in range(first, last + 1)]
    return [(tap, *reach) for tap, reach in reaches if reach is not None]


def _reach(size: int, count: int, stride: int, start: int) -> tuple[slice, slice] | None:
    """Of the `count` positions `start + stride * i`: which i are in range(size), and their positions; None if none is."""
    first = max(0, -(start // stride))  # the smallest i with start + stride * i >= 0
    last = min(count - 1, (size - 1 - start) // stride)
    if last < first:
        return None
    return slice(first, last + 1), slice(start + stride * first, start + stride * last + 1, stride)


def _packed(x: Array) -> Array:
    """Copy x to contiguous memory if it has few channels: NumPy's loops over a few channels would cost more than the copy."""
    if x.shape[-1] * x.itemsize > _LONG_RUN:
        return x
    out = np.empty(x.shape, x.dtype)
    _copy(out, x)
    return out


def _copy(to: Array, source: Array) -> None:
    """`to[...] = source`, copying all channels of a position as one item."""
    item = source.itemsize
    if to.strides[-1] == item == source.strides[-1]:
        whole = np.dtype((np.void, item * source.shape[-1]))
        to, source = to.view(whole), source.view(whole)
    np.copyto(to, source)


def _chosen(
    x: Array, y: Array, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, ties: str
) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...], Array]]:
    """For each tap: the windows that have it, their elements there, and whether that is their maximum y."""
    pending = np.ones(y.shape, bool)
    for _, there, here in _taps(x, y, window, strides, offsets, dilations):
        chosen = _packed(x[here]) == y[there]
        if ties == "first":
            left = pending[there]
            chosen &= left
            left ^= chosen
        yield there, here, chosen


def _reached(
    x: Array, w: Array, y: Array, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Iterator[tuple[Sizes, tuple[slice, ...], tuple[slice, ...], Array]]:
    """Like `_chosen`, with the tap, for windows of x + w; only the first of several maxima."""
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
    """The number of elements of x in each window, as an array that broadcasts against the result."""
    out = np.ones((1,) * (len(sizes) + 1), dtype)
    for i, size in enumerate(sizes):
        along = np.zeros(size, dtype)
        for _, there, _ in _taps_of_axis(shape[1 + i], size, window[i], strides[i], offsets[i], dilations[i]):
            along[there] += 1
        out = out * along.reshape(-1, *(1,) * (len(sizes) - i))
    return np.maximum(out, 1)  # an empty window has the sum 0


def least(dtype: Any) -> Any:
    """The smallest finite number, the initial value of TensorFlow's windows."""
    if dtype.kind in "iu":
        return np.iinfo(dtype).min
    return np.finfo(dtype).min if dtype.kind == "f" else -(2.0**128 - 2.0**120)  # bfloat16's


def _wide(x: Array) -> Array:
    return x.astype(np.float32)


def _groups(w: Array, groups: int) -> Iterator[tuple[slice, slice]]:
    """For each group: its input channels and its output channels."""
    ins, outs = w.shape[-2], w.shape[-1] // groups
    for i in range(groups):
        yield slice(i * ins, (i + 1) * ins), slice(i * outs, (i + 1) * outs)


# -- convolution of one group --


class _Windows:
    """The windows of x as rows of a matrix, a chunk at a time.

    Windows that advance by one line share their lines: the matrix then holds the taps of a single line, and the windows of the next
    tap of the first axis are the rows one line further down. `shifts` lists these distances in lines, one for each product.
    `is_long` says whether all products with this many filters take so long that several threads are faster than one.
    """

    def __init__(
        self, x: Array, taps: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes, filters: int
    ) -> None:
        self.x, self.strides, self.offsets, self.sizes = x, strides, offsets, sizes
        self.reach = tuple([(size - 1) * dilation + 1 for size, dilation in zip(taps, dilations)])
        self.shifts = [0]
        if strides[0] == 1 and math.prod(taps[1:]) * x.shape[-1] >= _ENOUGH_COLUMNS:
            self.shifts = list(range(0, self.reach[0], dilations[0]))
            taps = (1, *taps[1:])
        self.halo = self.shifts[-1]  # lines of the matrix beyond one for each line of windows
        self.columns = math.prod(taps) * x.shape[-1]
        # Adjacent elements of x are copied as one run: the taps of the last axis, if they are neighbours.
        steps = taps if dilations[-1] != 1 else taps[:-1]
        self.run = self.columns // math.prod(steps)
        self.taps = [tuple(map(operator.mul, tap, dilations)) for tap in itertools.product(*map(range, steps))]
        each = len(self.taps) * (_RUN + _NUMBER * self.run) + len(self.shifts) * self.columns * filters * _PRODUCT
        self.is_long = x.shape[0] * math.prod(sizes) * each >= _ENOUGH_TIME

    def chunks(self) -> list[Chunk]:
        """Chunks of images, and of lines (of the first spatial axis) in them, whose windows fit in the cache.

        They do not depend on the number of threads, nor does the order of sums over them.
        """
        count, lines = self.x.shape[0], self.sizes[0]
        line = math.prod(self.sizes[1:]) * self.columns * self.x.itemsize
        image = line * (lines + self.halo)
        if image <= _CHUNK_BYTES:
            pieces = -(-count * image // _CHUNK_BYTES)
            if pieces > 1 or self.is_long:
                pieces += pieces % 2  # an even number of equal size, so that two threads finish at the same time
            images = -(-count // pieces)
            return [(slice(i, min(count, i + images)), slice(0, lines)) for i in range(0, count, images)]
        few = max(1, self.halo, _CHUNK_BYTES // line - self.halo)
        return [(slice(i, i + 1), slice(j, min(lines, j + few))) for i in range(count) for j in range(0, lines, few)]

    def matrix(self, chunk: Chunk, together: bool) -> Array:
        """The matrix of one chunk, [images, lines, *sizes[1:], columns], in memory that this thread's next chunk reuses.

        With `together`, all threads build it; otherwise this thread does, while the others work on their own chunks.
        """
        images, lines = chunk
        source = self._source(images, lines)
        shape = (len(source), lines.stop - lines.start + self.halo, *self.sizes[1:])
        matrix = _scratch("windows", math.prod(shape) * self.columns, source.dtype)
        image, *along = source.strides[:-1]
        strides = (image, *map(operator.mul, self.strides, along))
        # A run is copied as a single item: NumPy's loop over a few numbers costs more than the copy.
        run = np.dtype((np.void, self.run * source.itemsize))
        runs = matrix.view(run).reshape(*shape, len(self.taps))
        copies = []
        for i, tap in enumerate(self.taps):
            start = sum(map(operator.mul, tap, along))
            seen = np.ndarray(shape, run, source, start, strides)  # like `as_strided`, in a tenth of its time
            copies.append(functools.partial(np.copyto, runs[..., i], seen))
        if together:
            workers.run(copies)
        else:
            for copy in copies:
                copy()
        return matrix.reshape(*shape, self.columns)

    def by_shift(self, matrix: Array) -> list[Array]:
        """For each shift: the rows of all windows of a chunk, [images, windows, columns]; as one image where rows follow each other."""
        if not self.halo:
            return [matrix.reshape(1, -1, self.columns)]
        lines = matrix.shape[1] - self.halo
        return [matrix[:, i : i + lines].reshape(len(matrix), -1, self.columns) for i in self.shifts]

    def _source(self, images: slice, lines: slice) -> Array:
        """The part of x that the windows of a chunk cover, with padding; x itself where no padding is needed."""
        x = self.x[images]
        starts = [-before for before in self.offsets]
        starts[0] += lines.start * self.strides[0]
        counts = (lines.stop - lines.start, *self.sizes[1:])
        lengths = [(n - 1) * stride + reach for n, stride, reach in zip(counts, self.strides, self.reach)]
        inside = all(start >= 0 and start + n <= size for start, n, size in zip(starts, lengths, x.shape[1:]))
        if inside and x.flags.c_contiguous and not any(starts[1:]) and (len(x) == 1 or not starts[0]):
            return x[:, starts[0] :]
        padded = _scratch("padded", len(x) * math.prod(lengths) * x.shape[-1], x.dtype)
        padded = padded.reshape(len(x), *lengths, x.shape[-1])
        reaches = [_reach(size, n, 1, start) for size, n, start in zip(x.shape[1:], lengths, starts)]
        if not inside:
            padded.fill(0)
        if None not in reaches:
            padded[:, *[r[0] for r in reaches]] = x[:, *[r[1] for r in reaches]]  # type: ignore[index]
        return padded


_kept = threading.local()


def _scratch(use: str, size: int, dtype: Any) -> Array:
    """Memory for `size` numbers, cached per thread and `use` unless it is too large to keep.

    The system clears fresh memory page by page, which would take longer than the products.
    """
    nbytes = size * dtype.itemsize
    if nbytes > 2 * _CHUNK_BYTES:
        return np.empty(size, dtype)
    memory = getattr(_kept, use, None)
    if memory is None or memory.size < nbytes:
        memory = np.empty(max(nbytes, _CHUNK_BYTES), np.uint8)
        setattr(_kept, use, memory)
    return memory[:nbytes].view(dtype)


def _in_chunks(windows: _Windows, columns: int, compute: Callable[[int, Chunk, list[Array]], None]) -> None:
    """Call `compute` with the number, position and rows of each chunk, for products with a matrix of `columns` columns."""
    is_small = _block(windows.columns, columns)[0] >= _FEW_ROWS

    def chunk_by_chunk(i: int, chunk: Chunk) -> None:
        compute(i, chunk, windows.by_shift(windows.matrix(chunk, not is_small)))

    parts = [functools.partial(chunk_by_chunk, i, chunk) for i, chunk in enumerate(windows.chunks())]
    if is_small and windows.is_long:
        workers.run(parts)
    else:  # for large products BLAS uses its own threads, one product at a time
        for part in parts:
            part()


def _block(inner: int, columns: int) -> tuple[int, int]:
    """The number of rows and of columns of small products with a matrix of this size, which one thread computes fastest."""
    few = 16 if columns % 16 == 0 and inner * columns * 4 * _FEW_ROWS > _SMALL_PRODUCT else columns
    return _SMALL_PRODUCT // (inner * few), few


@functools.lru_cache(1024)
def _split(count: int, most: int) -> tuple[int, int]:
    """How many blocks of how many rows: equal blocks of at most `most` rows if few more are needed, otherwise the last one is smaller."""
    least = -(-count // most)
    blocks = next((n for n in range(least, min(2 * least, count) + 1) if count % n == 0), least)
    return blocks, count // blocks


def _multiply(rows: Array, matrix: Array, out: Array) -> None:
    """The product of [images, windows, inner] with a matrix, in blocks."""
    images, count, inner = rows.shape
    columns = matrix.shape[1]
    most, few = _block(inner, columns)
    if most < _FEW_ROWS:
        np.matmul(rows, matrix, out=out)
        return
    blocks, size = _split(count, most)
    whole = blocks * size
    np.matmul(
        rows[:, :whole].reshape(images, blocks, 1, size, inner),
        matrix.reshape(inner, -1, few).swapaxes(0, 1),
        out=out[:, :whole].reshape(images, blocks, size, -1, few).swapaxes(2, 3),
    )
    if whole < count:
        np.matmul(rows[:, whole:], matrix, out=out[:, whole:])


def _multiply_transposed(rows: Array, given: Array, out: Array) -> None:
    """The sum over all windows of the products of [images, windows, inner] with [images, windows, columns], in blocks."""
    images, count, inner = rows.shape
    columns = given.shape[-1]
    most, few = _block(inner, columns)
    blocks, size = _split(count, most) if most >= _FEW_ROWS else (1, count)
    if most < _FEW_ROWS:
        few = columns
    whole = blocks * size
    products = np.matmul(
        rows[:, :whole].reshape(images, blocks, 1, size, inner).swapaxes(3, 4),
        given[:, :whole].reshape(images, blocks, size, -1, few).swapaxes(2, 3),
    )
    np.add.reduce(products, axis=(0, 1), out=out.reshape(inner, -1, few).swapaxes(0, 1))
    if whole < count:
        for left, right in zip(rows[:, whole:], given[:, whole:]):
            out += np.matmul(left.T, right)


def _conv(x: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes) -> Array:
    taps, (channels, out_channels) = w.shape[:-2], w.shape[-2:]
    out_shape = (x.shape[0], *sizes, out_channels)
    if not all(out_shape) or not w.size:
        return np.zeros(out_shape, x.dtype)
    if math.prod(taps) == 1 and _covers(x, strides, offsets, sizes):
        return np.matmul(x[_every(strides, sizes)], w.reshape(channels, out_channels))
    neighbours = _neighbours(x.shape[0], w.shape, strides[-1], dilations[-1], sizes)
    # The filters of a row are 0 where only its other windows have taps, and 0 * inf would be nan.
    if neighbours > 1 and np.isfinite(x).all():
        wide = _beside_each_other(w, neighbours, strides[-1])
        return _conv_rows(x, wide, *_in_rows(strides, sizes, neighbours), offsets, dilations).reshape(out_shape)
    return _conv_rows(x, w, strides, sizes, offsets, dilations)


def _conv_rows(x: Array, w: Array, strides: Sizes, sizes: Sizes, offsets: Sizes, dilations: Sizes) -> Array:
    """The convolution of one group with each window as one row."""
    out_channels = w.shape[-1]
    windows = _Windows(x, w.shape[:-2], strides, offsets, dilations, sizes, out_channels)
    out = np.empty((x.shape[0], *sizes, out_channels), x.dtype)
    matrices = w.reshape(len(windows.shifts), -1, out_channels)

    def compute(_: int, chunk: Chunk, rows: list[Array]) -> None:
        total = out[chunk].reshape(*rows[0].shape[:-1], out_channels)
        _multiply(rows[0], matrices[0], total)
        if len(rows) > 1:
            product = _scratch("product", total.size, total.dtype).reshape(total.shape)
        for each, matrix in zip(rows[1:], matrices[1:]):
            _multiply(each, matrix, product)
            np.add(total, product, out=total)

    _in_chunks(windows, out_channels, compute)
    return out


def _conv_input(g: Array, w: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    taps = w.shape[:-2]
    turned = np.swapaxes(w, -1, -2)
    if not all(shape) or not g.size or any(stride > 1 and d > 1 for stride, d in zip(strides, dilations)):
        out = np.zeros(shape, g.dtype)
        for tap, there, here in _taps(out, g, taps, strides, offsets, dilations):
            out[here] += np.matmul(g[there], turned[tap])
        return out
    # Elements of x that are a stride apart see taps that are a stride apart: each group of them is a convolution of g.
    groups = list(itertools.product(*map(_stride_groups, shape[1:-1], taps, strides, offsets, dilations)))
    out = np.empty(shape if len(groups) > 1 else 0, g.dtype)
    for group in groups:
        here, chosen, back = zip(*group)
        filters = np.flip(turned[chosen], tuple(range(len(taps))))
        sizes = tuple([len(range(*each.indices(size))) for each, size in zip(here, shape[1:-1])])
        part = _conv(g, filters, (1,) * len(taps), back, dilations, sizes)
        if len(groups) == 1:
            return part
        _copy(out[:, *here], part)
    return out


def _stride_groups(size: int, taps: int, stride: int, before: int, dilation: int) -> list[tuple[slice, slice, int]]:
    """For each group of elements along an axis, a stride apart: the elements, their taps, and the padding before g.

    Either the stride or the dilation is 1.
    """
    groups = []
    for first in range(min(stride, size)):
        step, tap = divmod(first + before, stride)
        count = len(range(tap, taps, stride))
        groups.append((slice(first, size, stride), slice(tap, taps, stride), (count - 1) * dilation - step))
    return groups


def _conv_filters(x: Array, g: Array, strides: Sizes, offsets: Sizes, dilations: Sizes, shape: Sizes) -> Array:
    taps, (channels, out_channels), sizes = shape[:-2], shape[-2:], g.shape[1:-1]
    if not (x.size and g.size and all(shape)):
        return np.zeros(shape, x.dtype)
    if math.prod(taps) == 1 and _covers(x, strides, offsets, sizes):
        return np.matmul(x[_every(strides, sizes)].reshape(-1, channels).T, g.reshape(-1, out_channels)).reshape(shape)
    neighbours = _neighbours(x.shape[0], shape, strides[-1], dilations[-1], sizes)
    if neighbours == 1:
        return _conv_filters_rows(x, g, strides, sizes, offsets, dilations, taps)
    rows = _in_rows(strides, sizes, neighbours)
    given = g.reshape(-1, *rows[1], neighbours * out_channels)
    reach = (*taps[:-1], taps[-1] + (neighbours - 1) * strides[-1])
    wide = _conv_filters_rows(x, given, *rows, offsets, dilations, reach)
    return _sum_of_neighbours(wide, shape, neighbours, strides[-1])


def _conv_filters_rows(
    x: Array, g: Array, strides: Sizes, sizes: Sizes, offsets: Sizes, dilations: Sizes, taps: Sizes
) -> Array:
    """The gradient for the filters of one group with each window as one row."""
    out_channels = g.shape[-1]
    windows = _Windows(x, taps, strides, offsets, dilations, sizes, out_channels)
    sums = np.empty((len(windows.chunks()), len(windows.shifts), windows.columns, out_channels), x.dtype)

    def compute(i: int, chunk: Chunk, rows: list[Array]) -> None:
        given = g[chunk].reshape(*rows[0].shape[:-1], out_channels)
        for each, total in zip(rows, sums[i]):
            _multiply_transposed(each, given, total)

    _in_chunks(windows, out_channels, compute)
    return np.add.reduce(sums, axis=0).reshape(*taps, x.shape[-1], out_channels)


# -- neighbouring windows as one row --


def _neighbours(images: int, shape: Sizes, stride: int, dilation: int, sizes: Sizes) -> int:
    """How many windows, neighbours along the last axis, to multiply as one row, for filters of this shape.

    n windows are one run of a line where they would be n runs, most of which overlap. But each is multiplied with the taps of all.
    """
    if dilation != 1 or shape[-3] * shape[-2] >= _ENOUGH_COLUMNS:
        return 1
    return _fastest_row(images, shape, stride, sizes)


@functools.lru_cache(1024)
def _fastest_row(images: int, shape: Sizes, stride: int, sizes: Sizes) -> int:
    *lines, taps, channels, filters = shape

    def cost(count: int) -> float:
        run = (taps + (count - 1) * stride) * channels
        return math.prod(lines) * ((_RUN + _NUMBER * run) / count + _PRODUCT * run * filters)

    best = min((n for n in range(1, _MOST_NEIGHBOURS + 1) if sizes[-1] % n == 0), key=cost)
    return best if images * math.prod(sizes) * (cost(1) - cost(best)) > _PREPARATION else 1


def _in_rows(strides: Sizes, sizes: Sizes, neighbours: int) -> tuple[Sizes, Sizes]:
    """The strides and sizes of rows of neighbouring windows, in the place of those of windows."""
    return (*strides[:-1], strides[-1] * neighbours), (*sizes[:-1], sizes[-1] // neighbours)


def _beside_each_other(w: Array, neighbours: int, stride: int) -> Array:
    """The filters of a row of neighbouring windows: those of each window at its own taps, 0 at the others."""
    *lines, taps, channels, filters = w.shape
    wide = np.zeros((*lines, taps + (neighbours - 1) * stride, channels, neighbours, filters), w.dtype)
    for part in _parts_of_neighbours(wide, neighbours, taps, stride):
        part[...] = w
    return wide.reshape(*wide.shape[:-2], neighbours * filters)


def _sum_of_neighbours(wide: Array, shape: Sizes, neighbours: int, stride: int) -> Array:
    """The transpose of `_beside_each_other`, for filters of this shape."""
    wide = wide.reshape(*wide.shape[:-1], neighbours, shape[-1])
    first, *others = _parts_of_neighbours(wide, neighbours, shape[-3], stride)
    total = first.copy()
    for each in others:
        total += each
    return total


def _parts_of_neighbours(wide: Array, neighbours: int, taps: int, stride: int) -> Iterator[Array]:
    """For each window of a row, its filters: those at its own taps."""
    for i in range(neighbours):
        yield wide[..., i * stride : i * stride + taps, :, i, :]


# -- depthwise convolution --


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
    """Repeat depthwise filters along the last spatial axis: two long runs multiply faster than many short ones."""
    return np.repeat(w, size, axis=-2)


def _repeated(x: Array, out_channels: int) -> Array:
    """Repeat each channel once for each of its filters."""
    multiplier = out_channels // x.shape[-1]
    return np.repeat(x, multiplier, axis=-1) if multiplier > 1 else x


def _by_images(x: Array, compute: Callable[[slice], None]) -> None:
    """Call `compute` on all images of x; if they are large, on equal parts of them in parallel."""
    count = x.shape[0]
    size = -(-count // workers.limit()) if x.nbytes > _LARGE_POOL else count
    workers.run([functools.partial(compute, slice(i, i + size)) for i in range(0, count, max(size, 1))])


def _some_images(x: Array) -> Iterator[slice]:
    """Yield as many images at a time as stay in the cache while all taps pass over them."""
    count = max(1, _CHUNK_BYTES // 4 // max(1, math.prod(x.shape[1:]) * x.dtype.itemsize))
    for start in range(0, x.shape[0], count):
        yield slice(start, start + count)


def _covers(x: Array, strides: Sizes, offsets: Sizes, sizes: Sizes) -> bool:
    """Return whether windows of a single tap all lie inside x, starting at its first element."""
    return not any(offsets) and all((n - 1) * s < size for n, s, size in zip(sizes, strides, x.shape[1:-1]))


def _every(strides: Sizes, sizes: Sizes) -> tuple[slice, ...]:
    """Slices for the elements at each stride, as many as `sizes`."""
    return (slice(None), *[slice(0, (n - 1) * s + 1, s) for n, s in zip(sizes, strides)])
