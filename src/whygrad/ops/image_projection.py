"""Projective transforms of images."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import number, word
from whygrad.ops.primitive import Primitive, apply
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed
from whygrad.values.tensor import Tensor, value_of

_NAME = "ImageProjectiveTransformV3"
_DTYPES = ("uint8", "int32", "int64", "float16", "bfloat16", "float32", "float64")


def _rule(xp: Any, g: Any, transforms: Any, x_shape: Any, interpolation: str, mode: str) -> Any:
    """TensorFlow's gradient: the upstream gradient, seen through the inverse transforms."""
    rows = xp.reshape(xp.concatenate((transforms, xp.ones_like(transforms[:, :1])), axis=1), (-1, 3, 3))
    inverse = xp.reshape(xp.matrix_inverse(rows), (-1, 9))
    back = inverse[:, :8] / inverse[:, 8:]
    return xp.project_image(g, back, size=x_shape[1:3], fill=0.0, interpolation=interpolation, mode=mode)


_project = Primitive("project_image", "project_image", inputs=("x", "transforms"), vjp=(_rule, None), op_name=_NAME)


@export("raw_ops.ImageProjectiveTransformV3")
def image_projective_transform(
    images: Any,
    transforms: Any,
    output_shape: Any,
    fill_value: Any,
    interpolation: str,
    fill_mode: str = "CONSTANT",
    name: str | None = None,
) -> Tensor:
    """Images [batch, height, width, channels] seen through projective transforms [batch or 1, 8].

    With a transform a0 .. a7 the pixel (x, y) is read at ((a0 x + a1 y + a2) / k, (a3 x + a4 y + a5) / k), k = a6 x + a7 y + 1.
    `interpolation` is "NEAREST" or "BILINEAR"; outside of the image are `fill_value`s, or with `fill_mode` "REFLECT", "WRAP" and "NEAREST"
    what it says. The gradient is TensorFlow's: the upstream gradient seen through the inverse transforms.

    >>> import whygrad as tf
    >>> image = tf.reshape([1.0, 2.0, 3.0], (1, 1, 3, 1))
    >>> to_the_left = [[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
    >>> moved = tf.raw_ops.ImageProjectiveTransformV3(
    ...     images=image, transforms=to_the_left, output_shape=(1, 3), fill_value=0.0, interpolation="NEAREST"
    ... )
    >>> tf.reshape(moved, (3,)).numpy()
    array([2., 3., 0.], dtype=float32)
    """
    x, rows = convert(images, None), convert(transforms, dtypes.float32)
    if x.dtype.name not in _DTYPES:
        raise invalid(DtypeNotAllowed(dtype=x.dtype, allowed=_DTYPES, attribute="dtype", op=_NAME))
    if x.ndim != 4:
        raise invalid(f"images must be 4-dimensional, but has shape {shape_text(x._array.shape)} [Op:{_NAME}]")
    count = x._array.shape[0]
    if rows.ndim != 2 or rows._array.shape[1] != 8 or rows._array.shape[0] not in (1, count):
        raise invalid(
            f"Input transform should be num_images x 8 or 1 x 8, and has shape {shape_text(rows._array.shape)} [Op:{_NAME}]"
        )
    size = tuple(int(each) for each in np.ravel(value_of(convert(output_shape, None))))
    if len(size) != 2 or min(size) <= 0:
        raise invalid(f"output_shape must be two positive sizes, height and width, got {size} [Op:{_NAME}]")
    return apply(
        _project,
        x,
        rows,
        size=size,
        fill=number(value_of(convert(fill_value, None)), "fill_value", _NAME),
        interpolation=word(interpolation, "interpolation", ("NEAREST", "BILINEAR"), _NAME),
        mode=word(fill_mode, "fill_mode", ("CONSTANT", "REFLECT", "WRAP", "NEAREST"), _NAME),
    )
