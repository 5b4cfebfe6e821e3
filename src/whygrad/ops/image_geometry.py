"""Geometry of images: flips, rotations, crops and pads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise, random
from whygrad.ops.arguments import integer, number
from whygrad.ops.indexing import getitem, slice_
from whygrad.ops.shaping import identity, pad, reshape, reverse
from whygrad.ops.shaping import transpose as permute
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor, are_known, value_of

# -- checks --


def batch_or_image(image: Any, what: str = "'image' (shape {})") -> Tensor:
    """Convert to an image [height, width, channels] or a batch of them, not empty."""
    x = convert(image, None)
    check_image(x)
    if x.ndim > 4:
        raise OpValueError(f"{what.format(x.shape)} must have either 3 or 4 dimensions.")
    return x


def check_image(x: Tensor) -> None:
    """Raise unless it has at least height, width and channels, none of them 0."""
    if x.ndim < 3:
        raise OpValueError(f"'image' (shape {x.shape}) must be at least three-dimensional.")
    if 0 in x.shape[-3:]:
        raise OpValueError(f"inner 3 dims of 'image.shape' must be > 0: {x.shape}")


# -- flips and rotations --


@export("image.flip_left_right")
def flip_left_right(image: Any) -> Tensor:
    """Flip images left to right.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.flip_left_right(tf.reshape(tf.range(6), (2, 3, 1))), (2, 3)).numpy()
    array([[2, 1, 0],
           [5, 4, 3]], dtype=int32)
    """
    return reverse(batch_or_image(image), [-2])


@export("image.flip_up_down")
def flip_up_down(image: Any) -> Tensor:
    """Flip images upside down.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.flip_up_down(tf.reshape(tf.range(6), (2, 3, 1))), (2, 3)).numpy()
    array([[3, 4, 5],
           [0, 1, 2]], dtype=int32)
    """
    return reverse(batch_or_image(image), [-3])


@export("image.transpose")
def transpose(image: Any, name: str | None = None) -> Tensor:
    """Swap rows and columns of images.

    >>> import whygrad as tf
    >>> tf.image.transpose(tf.ones((8, 2, 3, 1))).shape
    TensorShape([8, 3, 2, 1])
    """
    x = batch_or_image(image)
    return permute(x, (1, 0, 2) if x.ndim == 3 else (0, 2, 1, 3))


@export("image.rot90")
def rot90(image: Any, k: Any = 1, name: str | None = None) -> Tensor:
    """Rotate images counterclockwise by k quarter turns.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.rot90(tf.reshape(tf.range(4), (2, 2, 1))), (2, 2)).numpy()
    array([[1, 3],
           [0, 2]], dtype=int32)
    """
    x = batch_or_image(image)
    quarters = convert(k, dtypes.int32)
    quarters.shape.assert_has_rank(0)
    turned = int(value_of(quarters)) % 4
    if turned == 0:
        return x
    if turned == 1:
        return transpose(reverse(x, [-2]))
    if turned == 2:
        return reverse(x, [-3, -2])
    return reverse(transpose(x), [-2])


Draws = Callable[..., Tensor]


def _random_flip(image: Any, axis: int, uniform: Draws) -> Tensor:
    x = batch_or_image(image)
    if x.ndim == 3:
        draw = uniform(shape=[])
        if not are_known(draw):
            return elementwise.where(draw < 0.5, reverse(x, [axis]), x)
        return reverse(x, [axis]) if float(draw.numpy()) < 0.5 else identity(x)
    draws = uniform(shape=[x.shape[0]])
    flips = elementwise.cast(elementwise.round(reshape(draws, (-1, 1, 1, 1))), x.dtype)
    return elementwise.where(elementwise.not_equal(flips, elementwise.cast(0, x.dtype)), reverse(x, [axis]), x)


@export("image.random_flip_left_right")
def random_flip_left_right(image: Any, seed: Any = None) -> Tensor:
    """Flip each image left to right with probability 1/2.

    >>> import whygrad as tf
    >>> tf.image.random_flip_left_right(tf.ones((8, 4, 4, 3)), seed=1).shape
    TensorShape([8, 4, 4, 3])
    """
    return _random_flip(image, -2, lambda shape: random.uniform(shape, seed=seed))


@export("image.random_flip_up_down")
def random_flip_up_down(image: Any, seed: Any = None) -> Tensor:
    """Flip each image upside down with probability 1/2.

    >>> import whygrad as tf
    >>> tf.image.random_flip_up_down(tf.ones((8, 4, 4, 3)), seed=1).shape
    TensorShape([8, 4, 4, 3])
    """
    return _random_flip(image, -3, lambda shape: random.uniform(shape, seed=seed))


@export("image.stateless_random_flip_left_right")
def stateless_random_flip_left_right(image: Any, seed: Any) -> Tensor:
    """Like `random_flip_left_right`, but deterministic: the draws depend only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_flip_left_right(tf.ones((4, 4, 3)), seed=(1, 2)).shape
    TensorShape([4, 4, 3])
    """
    return _random_flip(image, -2, lambda shape: random.stateless_uniform(shape, seed))


@export("image.stateless_random_flip_up_down")
def stateless_random_flip_up_down(image: Any, seed: Any) -> Tensor:
    """Like `random_flip_up_down`, but deterministic: the draws depend only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_flip_up_down(tf.ones((4, 4, 3)), seed=(1, 2)).shape
    TensorShape([4, 4, 3])
    """
    return _random_flip(image, -3, lambda shape: random.stateless_uniform(shape, seed))


# -- crops and pads --


@export("image.central_crop")
def central_crop(image: Any, central_fraction: Any) -> Tensor:
    """Crop the centre of images: this fraction of their height and width.

    >>> import whygrad as tf
    >>> tf.image.central_crop(tf.ones((6, 8, 3)), 0.5).shape
    TensorShape([4, 4, 3])
    """
    x = convert(image, None)
    fraction = number(central_fraction, "central_fraction")
    if not 0.0 < fraction <= 1.0:
        raise OpValueError("central_fraction must be within (0, 1]")
    if fraction == 1.0:
        return x
    check_image(x)
    if x.ndim > 4:
        raise OpValueError(f"`image` should either be a Tensor with rank = 3 or rank = 4. Had rank = {x.ndim}.")
    top, left = [int((size - size * fraction) / 2) for size in x.shape[-3:-1]]
    height, width = x.shape[-3:-1]
    return getitem(x, (..., slice(top, height - top), slice(left, width - left), slice(None)))


@export("image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Crop images to the box with the given upper left corner and size.

    >>> import whygrad as tf
    >>> tf.image.crop_to_bounding_box(tf.ones((6, 8, 3)), 1, 2, 4, 5).shape
    TensorShape([4, 5, 3])
    """
    x = convert(image, None)
    _check_rank(x)
    check_image(x)
    top, left = integer(offset_height, "offset_height"), integer(offset_width, "offset_width")
    height, width = integer(target_height, "target_height"), integer(target_width, "target_width")
    if left < 0:
        raise OpValueError("offset_width must be >= 0.")
    if top < 0:
        raise OpValueError("offset_height must be >= 0.")
    _check_target(height, width)
    if x.shape[-2] < width + left:
        raise OpValueError("width must be >= target + offset.")
    if x.shape[-3] < height + top:
        raise OpValueError("height must be >= target + offset.")
    return getitem(x, (..., slice(top, top + height), slice(left, left + width), slice(None)))


@export("image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Tensor:
    """Pad images with zeros to a larger size, with the given numbers of rows above and columns to the left.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.pad_to_bounding_box(tf.ones((1, 2, 1)), 1, 0, 3, 3), (3, 3)).numpy()
    array([[0., 0., 0.],
           [1., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    x = convert(image, None)
    _check_rank(x)
    check_image(x)
    top, left = integer(offset_height, "offset_height"), integer(offset_width, "offset_width")
    height, width = integer(target_height, "target_height"), integer(target_width, "target_width")
    below, right = height - top - x.shape[-3], width - left - x.shape[-2]
    if top < 0:
        raise OpValueError("offset_height must be >= 0")
    if left < 0:
        raise OpValueError("offset_width must be >= 0")
    if right < 0:
        raise OpValueError("width must be <= target - offset")
    if below < 0:
        raise OpValueError("height must be <= target - offset")
    return pad(x, [(0, 0)] * (x.ndim - 3) + [(top, below), (left, right), (0, 0)])


@export("image.resize_with_crop_or_pad")
def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Tensor:
    """Crop or zero-pad images to a size, evenly on both sides.

    >>> import whygrad as tf
    >>> tf.image.resize_with_crop_or_pad(tf.ones((6, 8, 3)), 7, 5).shape
    TensorShape([7, 5, 3])
    """
    x = convert(image, None)
    _check_rank(x)
    check_image(x)
    height, width = integer(target_height, "target_height"), integer(target_width, "target_width")
    _check_target(height, width)
    more_rows, more_columns = height - x.shape[-3], width - x.shape[-2]
    cropped = crop_to_bounding_box(
        x,
        max(-more_rows // 2, 0),
        max(-more_columns // 2, 0),
        min(height, x.shape[-3]),
        min(width, x.shape[-2]),
    )
    return pad_to_bounding_box(cropped, max(more_rows // 2, 0), max(more_columns // 2, 0), height, width)


@export("image.random_crop")
def random_crop(value: Any, size: Any, seed: Any = None, name: str | None = None) -> Tensor:
    """Crop a tensor to this size at a random position.

    >>> import whygrad as tf
    >>> tf.image.random_crop(tf.ones((6, 8, 3)), (4, 4, 3), seed=1).shape
    TensorShape([4, 4, 3])
    """
    return _random_crop(value, size, lambda shape, dtype: random.uniform(shape, 0, dtype.max, dtype=dtype, seed=seed))


@export("image.stateless_random_crop")
def stateless_random_crop(value: Any, size: Any, seed: Any, name: str | None = None) -> Tensor:
    """Like `random_crop`, but deterministic: the position depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_crop(tf.ones((6, 8, 3)), (4, 4, 3), seed=(1, 2)).shape
    TensorShape([4, 4, 3])
    """
    return _random_crop(
        value, size, lambda shape, dtype: random.stateless_uniform(shape, seed, 0, dtype.max, dtype=dtype)
    )


def _random_crop(value: Any, size: Any, uniform: Callable[..., Tensor]) -> Tensor:
    x = convert(value, None)
    wanted = convert(list(size) if isinstance(size, tuple) else size, None)
    sizes = value_of(wanted)
    shape = np.array(x.shape, sizes.dtype)
    if sizes.shape != shape.shape or not (shape >= sizes).all():
        raise invalid(f"Need value.shape >= size, got {list(x.shape)} {sizes.tolist()}")
    begin = uniform(shape=[x.ndim], dtype=wanted.dtype) % (shape - sizes + 1)
    return slice_(x, begin, sizes)


def _check_rank(x: Tensor) -> None:
    if x.ndim not in (3, 4):
        raise OpValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")


def _check_target(height: int, width: int) -> None:
    if width <= 0:
        raise OpValueError("target_width must be > 0.")
    if height <= 0:
        raise OpValueError("target_height must be > 0.")
