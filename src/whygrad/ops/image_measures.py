"""Measures of images: similarity of two images, and differences between neighbouring pixels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag, integer, items, number
from whygrad.ops.image_colour import convert_image_dtype
from whygrad.ops.indexing import getitem
from whygrad.ops.pooling import avg_pool2d
from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.reductions import reduce_mean, reduce_prod, reduce_sum
from whygrad.ops.shaping import pad, reshape, stack
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor

Weights = tuple[float, ...]


def correlate_axis_vjp(xp: Any, g: Any, axis: int, weights: Weights) -> Any:
    """The transpose of a filter: zero padding, and the weights reversed."""
    room = (len(weights) - 1, len(weights) - 1)
    margins = tuple([room if i == axis else (0, 0) for i in range(g.ndim)])
    return xp.correlate_axis(xp.pad_constant(g, paddings=margins, value=0), axis=axis, weights=weights[::-1])


_correlate_axis = Primitive("correlate_axis", "correlate_axis", inputs=("x",), vjp=correlate_axis_vjp)


def _filtered(x: Tensor, down: Weights, along: Weights) -> Tensor:
    """Apply a separable filter, one over the rows and one over the columns, without padding."""
    over_rows = apply(_correlate_axis, x, axis=x.ndim - 3, weights=down)
    return apply(_correlate_axis, over_rows, axis=x.ndim - 2, weights=along)


# -- differences within an image --


@export("image.total_variation")
def total_variation(images: Any, name: str | None = None) -> Tensor:
    """The sum of the absolute differences of neighbouring pixels, for each image.

    >>> import whygrad as tf
    >>> tf.image.total_variation(tf.reshape([1.0, 2.0, 5.0, 5.0], (2, 2, 1))).numpy()
    np.float32(8.0)
    """
    x = convert(images, None)
    if x.ndim not in (3, 4):
        raise OpValueError("'images' must be either 3 or 4-dimensional.")
    axes = None if x.ndim == 3 else [1, 2, 3]
    down, along = (elementwise.abs(d) for d in _differences(x))
    return reduce_sum(down, axis=axes) + reduce_sum(along, axis=axes)


def _differences(x: Tensor) -> tuple[Tensor, Tensor]:
    """The differences to the pixel below and to the pixel on the right."""
    below, above = (
        getitem(x, (..., slice(1, None), slice(None), slice(None))),
        getitem(x, (..., slice(None, -1), slice(None), slice(None))),
    )
    right, left = getitem(x, (..., slice(1, None), slice(None))), getitem(x, (..., slice(None, -1), slice(None)))
    return elementwise.subtract(below, above), elementwise.subtract(right, left)


@export("image.image_gradients")
def image_gradients(image: Any) -> tuple[Tensor, Tensor]:
    """The differences to the pixel below and to the pixel on the right, for a batch of images; 0 at the last ones.

    >>> import whygrad as tf
    >>> dy, dx = tf.image.image_gradients(tf.reshape([1.0, 2.0, 5.0, 8.0], (1, 2, 2, 1)))
    >>> tf.reshape(dy, (2, 2)).numpy()
    array([[4., 6.],
           [0., 0.]], dtype=float32)
    """
    x = convert(image, None)
    if x.ndim != 4:
        raise OpValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {x.shape}.")
    down, along = _differences(x)
    return pad(down, [(0, 0), (0, 1), (0, 0), (0, 0)]), pad(along, [(0, 0), (0, 0), (0, 1), (0, 0)])


@export("image.sobel_edges")
def sobel_edges(image: Any) -> Tensor:
    """Sobel edge filters over a batch of images: [batch, height, width, channels, 2], vertical and horizontal.

    >>> import whygrad as tf
    >>> tf.image.sobel_edges(tf.ones((1, 4, 5, 3))).shape
    TensorShape([1, 4, 5, 3, 2])
    """
    x = convert(image, None)
    padded = pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], mode="REFLECT")
    check_dtype(x, "float", "DepthwiseConv2dNative")
    smooth, difference = (1.0, 2.0, 1.0), (-1.0, 0.0, 1.0)
    return stack([_filtered(padded, difference, smooth), _filtered(padded, smooth, difference)], axis=-1)


# -- differences between two images --


@export("image.psnr")
def psnr(a: Any, b: Any, max_val: Any, name: str | None = None) -> Tensor:
    """The peak signal-to-noise ratio between images a and b, in decibels, for each image.

    >>> import whygrad as tf
    >>> tf.image.psnr(tf.zeros((4, 4, 3)), tf.fill((4, 4, 3), 0.1), max_val=1.0).numpy().round(3)
    np.float32(20.0)
    """
    first, second = convert(a, None), convert(b, None)
    largest = convert_image_dtype(elementwise.cast(convert(max_val, None), first.dtype), dtypes.float32)
    first, second = (convert_image_dtype(x, dtypes.float32) for x in (first, second))
    noise = reduce_mean(elementwise.squared_difference(first, second), [-3, -2, -1])
    decibels = elementwise.log(largest) * 20.0 / math.log(10.0) - elementwise.log(noise) * (10 / math.log(10.0))
    _check_comparable(first, second)
    return decibels


def _check_comparable(a: Tensor, b: Tensor) -> None:
    a.shape.with_rank_at_least(3)
    b.shape.with_rank_at_least(3)
    a.shape[-3:].assert_is_compatible_with(b.shape[-3:])
    for one, other in zip(a.shape[-4::-1], b.shape[-4::-1]):
        if one != other and 1 not in (one, other):
            raise OpValueError(f"Two images are not compatible: {a.shape} and {b.shape}")


def _comparable(img1: Any, img2: Any, max_val: Any) -> tuple[Tensor, Tensor, Tensor]:
    a, b = convert(img1, None), convert(img2, None)
    _check_comparable(a, b)
    largest = convert_image_dtype(elementwise.cast(convert(max_val, None), a.dtype), dtypes.float32)
    return convert_image_dtype(a, dtypes.float32), convert_image_dtype(b, dtypes.float32), largest


def _bell(size: int, sigma: float) -> Weights:
    """Gaussian weights that sum to 1."""
    places = np.arange(size) - (size - 1) / 2
    weights = np.exp(-0.5 * (places / sigma) ** 2)
    return tuple((weights / weights.sum()).tolist())


def _similarity(
    a: Tensor, b: Tensor, largest: Tensor, filter_size: Any, filter_sigma: Any, k1: Any, k2: Any
) -> tuple[Tensor, Tensor]:
    """Luminance similarity, and contrast and structure similarity, at each pixel, over a Gaussian window."""
    size, sigma = integer(filter_size, "filter_size"), number(filter_sigma, "filter_sigma")
    k1, k2 = number(k1, "k1"), number(k2, "k2")
    if size < 1:
        raise OpValueError(f"filter_size must be at least 1, got {size}")
    for x in (a, b):
        if min(x.shape[-3:-1]) < size:
            raise invalid(
                f"Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: {list(x.shape)} {size} "
                f"(an image must be at least as large as the filter, {size} by {size})"
            )
    weights = _bell(size, sigma)
    steady, lively = (largest * k1) ** 2, (largest * k2) ** 2
    mean_a, mean_b, product, squares = (
        _filtered(x, weights, weights) for x in (a, b, a * b, elementwise.square(a) + elementwise.square(b))
    )
    means = mean_a * mean_b * 2.0
    mean_squares = elementwise.square(mean_a) + elementwise.square(mean_b)
    brightness = (means + steady) / (mean_squares + steady)
    return brightness, (product * 2.0 - means + lively) / (squares - mean_squares + lively)


@export("image.ssim")
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """The structural similarity of images, 1 where they are equal: for each image or, with `return_index_map`, each pixel.

    >>> import whygrad as tf
    >>> image = tf.reshape(tf.range(256.0) / 256, (16, 16, 1))
    >>> tf.image.ssim(image, image, max_val=1.0).numpy().round(4)
    np.float32(1.0)
    """
    a, b, largest = _comparable(img1, img2, max_val)
    brightness, structure = _similarity(a, b, largest, filter_size, filter_sigma, k1, k2)
    index = brightness * structure
    return reduce_mean(index if flag(return_index_map, "return_index_map") else reduce_mean(index, [-3, -2]), [-1])


_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@export("image.ssim_multiscale")
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Any = _SCALES,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity over several scales: each scale halves the images and has its own power.

    >>> import whygrad as tf
    >>> image = tf.reshape(tf.range(1024.0) / 1024, (32, 32, 1))
    >>> tf.image.ssim_multiscale(image, image, 1.0, power_factors=(0.5, 0.5)).numpy().round(4)
    np.float32(1.0)
    """
    a, b, largest = _comparable(img1, img2, max_val)
    scores = []
    count = len(items(power_factors, "power_factors"))
    if not count:
        raise OpValueError("power_factors must name at least one scale")
    for scale in range(count):
        if scale:
            a, b = _halved(a), _halved(b)
        brightness, structure = _similarity(a, b, largest, filter_size, filter_sigma, k1, k2)
        is_last = scale == count - 1
        scores.append(elementwise.relu(reduce_mean(brightness * structure if is_last else structure, [-3, -2])))
    powers = elementwise.pow(stack(scores, axis=-1), power_factors)
    return reduce_mean(reduce_prod(powers, [-1]), [-1])


def _halved(x: Tensor) -> Tensor:
    """Halve the number of rows and columns; an odd last one is repeated first."""
    batch = reshape(x, (-1, *x.shape[-3:]))
    odd = [size % 2 for size in x.shape[-3:-1]]
    if any(odd):
        batch = pad(batch, [(0, 0), (0, odd[0]), (0, odd[1]), (0, 0)], mode="SYMMETRIC")
    halved = avg_pool2d(batch, 2, 2, "VALID")
    return reshape(halved, (*x.shape[:-3], *halved.shape[1:]))
