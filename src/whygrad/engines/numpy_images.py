"""Kernels of the NumPy engine for images: resizing, filters along an axis, patches, colours."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.engines.numpy_reductions import is_half
from whygrad.engines.projection import project_image

Array = Any
Sizes = tuple[int, ...]
# For each tap: the input index that every output element reads there, and its weight.
Taps = tuple[tuple[Array, Array], ...]


class ImageKernels:
    """The part of the NumPy engine for images."""

    # -- resizing: along each axis, every output element is a weighted sum of a few neighbours --

    def resize_image(self, x: Array, *, size: tuple[int, int], method: str) -> Array:
        """An image [height, width, channels], or a batch of them, at another size."""
        if x.ndim == 3:
            return self.resize_image(x[np.newaxis], size=size, method=method)[0]
        if method == "nearest":
            rows, columns = (resizing_taps(method, x.shape[i + 1], size[i])[0][0] for i in (0, 1))
            return np.take(np.take(x, rows, axis=1), columns, axis=2)
        if x.dtype.kind in "iu" and method == "bilinear":
            return _interpolated(x, size)
        dtype = x.dtype if x.dtype.kind == "f" or is_half(x.dtype) else np.dtype(np.float32)
        matrices = []
        for axis in (1, 2):
            used, matrix = needed(method, x.shape[axis], size[axis - 1], dtype)
            x = x if used is None else np.take(x, used, axis=axis)
            matrices.append(matrix)
        return _weighted(x.astype(dtype, copy=False), *matrices)

    def resize_image_transpose(self, g: Array, *, size: tuple[int, int], method: str) -> Array:
        """The transpose of `resize_image`: the gradient of images of this `size`, for the upstream gradient g."""
        if g.ndim == 3:
            return self.resize_image_transpose(g[np.newaxis], size=size, method=method)[0]
        if is_half(g.dtype):
            return self.resize_image_transpose(g.astype(np.float32), size=size, method=method).astype(g.dtype)
        return _weighted(g, *(resizing_matrix(method, size[i], g.shape[i + 1], True, g.dtype) for i in (0, 1)))

    def project_image(self, x: Array, transforms: Array, **attributes: Any) -> Array:
        """Images seen through projective transforms."""
        return project_image(np, x, transforms, **attributes)

    # -- a filter of constant weights along one axis --

    def correlate_axis(self, x: Array, *, axis: int, weights: tuple[float, ...]) -> Array:
        """The correlation with `weights` along `axis`, without padding."""
        size = x.shape[axis] - len(weights) + 1
        before = (slice(None),) * axis
        out: Array = 0
        for i, weight in enumerate(weights):
            if weight:
                out = out + x[(*before, slice(i, i + size))] * np.asarray(weight, x.dtype)
        return out

    # -- patches --

    def patches(
        self, x: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes
    ) -> Array:
        """The windows of x [batch, *space, channels], each flattened into the last axis."""
        padded = np.zeros((x.shape[0], *_reach(window, strides, dilations, sizes), x.shape[-1]), x.dtype)
        inner, outer = _overlap(x.shape[1:-1], padded.shape[1:-1], offsets)
        padded[outer] = x[inner]
        out = np.empty((x.shape[0], *sizes, math.prod(window), x.shape[-1]), x.dtype)
        for i, seen in _windows(window, strides, dilations, sizes):
            out[..., i, :] = padded[seen]
        return out.reshape(*out.shape[:-2], out.shape[-2] * out.shape[-1])

    def patches_transpose(
        self, g: Array, *, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, sizes: Sizes, shape: Sizes
    ) -> Array:
        """The transpose of `patches` for an x of this shape: each element's sum over all windows that contain it."""
        g = g.reshape(*g.shape[:-1], math.prod(window), shape[-1])
        padded = np.zeros((shape[0], *_reach(window, strides, dilations, sizes), shape[-1]), g.dtype)
        for i, seen in _windows(window, strides, dilations, sizes):
            padded[seen] += g[..., i, :]
        out = np.zeros(shape, g.dtype)
        inner, outer = _overlap(shape[1:-1], padded.shape[1:-1], offsets)
        out[inner] = padded[outer]
        return out

    # -- colours --

    def rgb_to_hsv(self, x: Array) -> Array:
        """Hue, saturation and value of colours whose last axis is red, green, blue."""
        hue, low, high = _hue(x)
        saturation = np.where(high > 0, (high - low) / np.where(high > 0, high, 1), 0)
        return np.stack([hue, saturation, high], axis=-1).astype(x.dtype, copy=False)

    def hsv_to_rgb(self, x: Array) -> Array:
        """The inverse of `rgb_to_hsv`."""
        hue, saturation, value = x[..., 0:1], x[..., 1:2], x[..., 2:3]
        return ((1 - saturation) + saturation * _pure(hue)) * value

    def adjust_contrast(self, x: Array, factor: Array) -> Array:
        """Scale each channel's deviation from its mean over the image by `factor`."""
        mean = np.mean(x, axis=(-3, -2), keepdims=True, dtype=np.float32).astype(x.dtype)
        return (x - mean) * factor.astype(x.dtype) + mean

    def adjust_saturation(self, x: Array, factor: Array) -> Array:
        """Multiply the saturation by `factor`."""
        hsv = self.rgb_to_hsv(x)
        hsv[..., 1] = np.clip(hsv[..., 1] * factor.astype(x.dtype), 0, 1)
        return self.hsv_to_rgb(hsv)

    def adjust_hue(self, x: Array, delta: Array) -> Array:
        """Rotate the hue by `delta`, a fraction of the full circle."""
        hue, low, high = _hue(x)
        turned = (hue + delta.astype(x.dtype)) % 1
        return (low[..., None] + (high - low)[..., None] * _pure(turned[..., None])).astype(x.dtype, copy=False)


# -- resizing --


@functools.lru_cache(maxsize=256)
def resizing_taps(method: str, size: int, new_size: int) -> Taps:
    """The taps of a method for one axis, in float32 like TensorFlow's, so that the same neighbours are chosen."""
    scale = np.float32(size) / np.float32(new_size)
    if method == "nearest":
        place = np.floor((np.arange(new_size, dtype=np.float32) + np.float32(0.5)) * scale)
        return ((np.clip(place.astype(np.int64), 0, size - 1), None),)
    if method == "area":
        return _area_taps(size, new_size, scale)
    if method in ("bilinear", "bicubic"):
        place = (np.arange(new_size, dtype=np.float32) + np.float32(0.5)) * scale - np.float32(0.5)
        first = np.floor(place)
        return (_bilinear_taps if method == "bilinear" else _bicubic_taps)(size, first.astype(np.int64), place - first)
    kernel, _, antialias = method.partition(" ")
    return _kernel_taps(kernel, bool(antialias), size, new_size)


def _bilinear_taps(size: int, first: Array, beyond: Array) -> Taps:
    following = np.minimum(np.where(beyond > 0, first + 1, first), size - 1)
    return (np.maximum(first, 0), 1 - beyond), (np.maximum(following, 0), beyond)


def _bicubic_taps(size: int, first: Array, beyond: Array) -> Taps:
    """Keys' cubic; the position between two elements is rounded to 1/1024, as in TensorFlow's table."""
    beyond = np.rint(beyond * np.float32(1024)) / np.float32(1024)
    taps = []
    for i in range(-1, 3):
        weight = _keys_cubic(np.abs(beyond - np.float32(i)))
        taps.append((np.clip(first + i, 0, size - 1), np.where((first + i >= 0) & (first + i < size), weight, 0)))
    return _normalised(taps)


def _area_taps(size: int, new_size: int, scale: Any) -> Taps:
    """How much of each input element lies within the interval that an output element covers."""
    begin = np.arange(new_size, dtype=np.float32) * scale
    end = np.arange(1, new_size + 1, dtype=np.float32) * scale
    first = np.floor(begin).astype(np.int64)
    count = int(np.max(np.ceil(end).astype(np.int64) - first))
    taps = []
    for i in range(count):
        place = (first + i).astype(np.float32)
        covered = np.maximum(np.minimum(place + 1, end) - np.maximum(place, begin), 0)
        taps.append((np.clip(first + i, 0, size - 1), (covered / scale).astype(np.float32)))
    return tuple(taps)


def _keys_cubic(x: Array) -> Array:
    near = (np.float32(1.5) * x - np.float32(2.5)) * x * x + 1
    far = ((np.float32(-0.5) * x + np.float32(2.5)) * x - 4) * x + 2
    return np.where(x >= 2, np.float32(0), np.where(x >= 1, far, near))


def _mitchell_cubic(x: Array) -> Array:
    near = (np.float32(7 / 6) * x - 2) * x * x + np.float32(8 / 9)
    far = ((np.float32(-7 / 18) * x + 2) * x - np.float32(10 / 3)) * x + np.float32(16 / 9)
    return np.where(x >= 2, np.float32(0), np.where(x >= 1, far, near))


def _lanczos(radius: int) -> Callable[[Array], Array]:
    def kernel(x: Array) -> Array:
        angle = np.float32(math.pi) * np.where(x <= 1e-3, np.float32(1), x)
        value = radius * np.sin(angle) * np.sin(angle / radius) / (angle * angle)
        return np.where(x > radius, 0, np.where(x <= 1e-3, 1, value)).astype(np.float32)

    return kernel


# Each kernel: its radius, and its value at a distance.
_KERNELS: dict[str, tuple[float, Callable[[Array], Array]]] = {
    "triangle": (1.0, lambda x: np.maximum(1 - x, np.float32(0))),
    "keyscubic": (2.0, _keys_cubic),
    "mitchellcubic": (2.0, _mitchell_cubic),
    "gaussian": (
        1.5,
        lambda x: np.where(x >= 1.5, np.float32(0), np.exp(-x * x * 2)),
    ),  # the standard deviation is a third of the radius
    "lanczos3": (3.0, _lanczos(3)),
    "lanczos5": (5.0, _lanczos(5)),
}


def _kernel_taps(kernel: str, antialias: bool, size: int, new_size: int) -> Taps:
    """A kernel centred on each output element, widened when downsampling."""
    radius, value = _KERNELS[kernel]
    step = np.float32(1) / (np.float32(new_size) / np.float32(size))
    width = max(step, np.float32(1)) if antialias else np.float32(1)
    centre = (np.arange(new_size, dtype=np.float32) + np.float32(0.5)) * step
    half = np.float32(0.5)
    first = np.clip(np.ceil(centre - np.float32(radius) * width - half).astype(np.int64), 0, size - 1)
    last = np.clip(np.floor(centre + np.float32(radius) * width - half).astype(np.int64), 0, size - 1)
    taps = []
    for i in range(int(np.max(last - first)) + 1):
        distance = np.abs(((first + i).astype(np.float32) + half - centre) / width)
        taps.append((np.minimum(first + i, size - 1), np.where(first + i <= last, value(distance), 0)))
    return _normalised(taps)


def _normalised(taps: list[tuple[Array, Array]]) -> Taps:
    """Scale the weights to sum to one, unless they sum to zero."""
    total = sum(weight for _, weight in taps)
    factor = np.where(np.abs(total) >= 1000 * np.finfo(np.float32).tiny, 1 / np.where(total == 0, 1, total), 1)
    return tuple([(place, (weight * factor).astype(np.float32)) for place, weight in taps])


@functools.lru_cache(maxsize=256)
def resizing_matrix(method: str, size: int, new_size: int, transposed: bool, dtype: Any) -> Any:
    """The weights of a method for one axis as a sparse matrix.

    Sparse also so that a pixel that is not finite affects only its neighbours: 0 times infinity is not 0.
    """
    from scipy import sparse

    taps = resizing_taps(method, size, new_size)
    weights = np.concatenate([np.ones(new_size) if weight is None else weight for _, weight in taps])
    places = np.concatenate([place for place, _ in taps])
    rows = np.tile(np.arange(new_size), len(taps))
    matrix = sparse.csr_matrix((weights.astype(dtype), (rows, places)), shape=(new_size, size))
    matrix.eliminate_zeros()
    return matrix.T.tocsr() if transposed else matrix


@functools.lru_cache(maxsize=256)
def needed(method: str, size: int, new_size: int, dtype: Any) -> tuple[Array | None, Any]:
    """The input elements that any output element reads (None: all), and the weights of these: a smaller image leaves many out."""
    matrix = resizing_matrix(method, size, new_size, False, dtype)
    used = np.unique(matrix.indices)
    return (None, matrix) if len(used) == size else (used, matrix[:, used])


@functools.lru_cache(maxsize=256)
def _linear_taps(size: int, new_size: int, channels: int) -> Taps:
    """The taps of bilinear resizing along an axis that is flattened with the channels; one if output elements lie on input elements."""
    offsets = np.arange(channels)
    (first, _), (following, beyond) = resizing_taps("bilinear", size, new_size)
    taps = ((first, None), (following, beyond)) if beyond.any() else ((first, None),)
    return tuple(
        [
            ((place[:, None] * channels + offsets).ravel(), None if weight is None else np.repeat(weight, channels))
            for place, weight in taps
        ]
    )


@functools.lru_cache(maxsize=256)
def _linear_rows(size: int, new_size: int) -> tuple[Array, Taps]:
    """The rows that bilinear resizing reads, and its taps among these."""
    taps = _linear_taps(size, new_size, 1)
    used = np.unique(np.concatenate([place for place, _ in taps]))
    return used, tuple([(np.searchsorted(used, place), weight) for place, weight in taps])


_BLOCK = (
    1 << 19
)  # bytes of images that are resized together: what is computed on the way stays in the processor's cache


def _interpolated(x: Array, size: tuple[int, int]) -> Array:
    """Bilinear resizing of integer images: only the neighbours of each output pixel become floats.

    The same arithmetic as TensorFlow's, so the same numbers. Not for floats: a neighbour that is not finite must not enter with the
    weight 0.
    """
    batch, height, width, channels = x.shape
    used, rows = _linear_rows(height, size[0])
    columns = _linear_taps(width, size[1], channels)
    lines = x.reshape(batch, height, width * channels)
    step = max(1, size[0] * _BLOCK // max(1, lines[:, :1].nbytes * len(used)))
    if step >= size[0]:
        return _interpolated_lines(lines, used, rows, columns).reshape(batch, *size, channels)
    out = np.empty((batch, size[0], size[1] * channels), np.float32)
    for at in range(0, size[0], step):
        part = [(place[at : at + step], weight if weight is None else weight[at : at + step]) for place, weight in rows]
        first, last = part[0][0][0], part[-1][0][-1]
        of_part = tuple([(place - first, weight) for place, weight in part])
        out[:, at : at + step] = _interpolated_lines(lines, used[first : last + 1], of_part, columns)
    return out.reshape(batch, *size, channels)


def _interpolated_lines(lines: Array, used: Array, rows: Taps, columns: Taps) -> Array:
    """Interpolate within these lines of each image, then between them."""
    lines = lines.take(used, axis=1)
    (left, _), *right = columns
    # Unlike an index, `take` lets other threads work and keeps the layout of the image.
    across = lines.take(left, axis=2)
    for column, beyond in right:
        # int16 holds the difference of two bytes, and takes half the time of float32.
        beside = lines.take(column, axis=2)
        difference = np.subtract(beside, across, dtype=np.int16 if lines.itemsize == 1 else np.float32)
        shift = np.multiply(difference, beyond, dtype=np.float32)
        across = np.add(shift, across, out=shift, dtype=np.float32)
    across = across.astype(np.float32, copy=False)
    (above, _), *below = rows
    out = across if len(rows) == 1 else np.take(across, above, axis=1)
    for row, beyond in below:
        shift = np.take(across, row, axis=1)
        shift -= out
        shift *= beyond[:, None]
        out += shift
    return out


def _weighted(x: Array, rows: Any, columns: Any) -> Array:
    """Apply one matrix to the rows of each image and one to its columns, each to contiguous memory."""
    batch, height, width, channels = x.shape
    across = columns @ np.ascontiguousarray(x.transpose(2, 0, 1, 3)).reshape(width, batch * height * channels)
    across = across.reshape(columns.shape[0], batch, height, channels)
    out = np.empty((batch, rows.shape[0], columns.shape[0], channels), x.dtype)
    for i in range(batch):
        image = np.ascontiguousarray(across[:, i].transpose(1, 0, 2)).reshape(height, columns.shape[0] * channels)
        out[i] = (rows @ image).reshape(out.shape[1:])
    return out


# -- patches --


def _reach(window: Sizes, strides: Sizes, dilations: Sizes, sizes: Sizes) -> Sizes:
    """The extent of all windows together along each axis, including padding."""
    return tuple([max((n - 1) * s + (k - 1) * r + 1, 0) for k, s, r, n in zip(window, strides, dilations, sizes)])


def _overlap(sizes: Sizes, padded: Sizes, offsets: Sizes) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Where an array with `offsets` of padding before it (negative: cropping) overlaps the padded one: slices for both."""
    inner, outer = [slice(None)], [slice(None)]
    for size, whole, offset in zip(sizes, padded, offsets):
        cut, before = max(-offset, 0), max(offset, 0)
        width = max(min(size - cut, whole - before), 0)
        inner.append(slice(cut, cut + width))
        outer.append(slice(before, before + width))
    return tuple(inner), tuple(outer)


def _windows(window: Sizes, strides: Sizes, dilations: Sizes, sizes: Sizes) -> Iterator[tuple[int, tuple[slice, ...]]]:
    """For each tap in a window: its index, and the slices that select it in all windows."""
    for i, place in enumerate(itertools.product(*[range(k) for k in window])):
        starts = [p * r for p, r in zip(place, dilations)]
        yield (
            i,
            (slice(None), *[slice(b, b + (n - 1) * s + 1 if n else b, s) for b, s, n in zip(starts, strides, sizes)]),
        )


# -- colours --


def _hue(x: Array) -> tuple[Array, Array, Array]:
    """The hue in [0, 1], and the smallest and largest channel."""
    red, green, blue = x[..., 0], x[..., 1], x[..., 2]
    low, high = np.minimum(np.minimum(red, green), blue), np.maximum(np.maximum(red, green), blue)
    spread = high - low
    factor = 1 / (6 * np.where(spread > 0, spread, 1)).astype(x.dtype)
    from_green = factor * (blue - red) + np.asarray(2 / 6, x.dtype)
    from_blue = factor * (red - green) + np.asarray(4 / 6, x.dtype)
    hue = np.where(red == high, factor * (green - blue), np.where(green == high, from_green, from_blue))
    hue = np.where(spread > 0, hue, 0)
    return np.where(hue < 0, hue + 1, hue).astype(x.dtype, copy=False), low, high


def _pure(hue: Array) -> Array:
    """The colour of a hue at full saturation and value."""
    angle = hue * 6
    channels = [abs(angle - 3) - 1, 2 - abs(angle - 2), 2 - abs(angle - 4)]
    return np.clip(np.concatenate(channels, axis=-1), 0, 1).astype(hue.dtype, copy=False)
