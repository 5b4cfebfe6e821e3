"""Resize images.

Every method is linear in the image: along each axis, an output element is a weighted sum of a few neighbours. So one primitive
serves all methods, and it and its transpose are each other's rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import check_fits, flag, integer, number, word
from whygrad.ops.image_geometry import check_image, pad_to_bounding_box
from whygrad.ops.indexing import gather_nd, getitem
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import checked_sizes, reshape, stop_gradient
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, OutOfRangeError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

Size = tuple[int, int]


@export("image.ResizeMethod")
class ResizeMethod:
    """The names of the resizing methods.

    >>> import whygrad as tf
    >>> tf.image.ResizeMethod.NEAREST_NEIGHBOR
    'nearest'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


_resize = Primitive(
    "resize_image",
    "resize_image",
    inputs=("x",),
    vjp=lambda xp, g, x_shape, method: xp.resize_image_transpose(g, size=x_shape[-3:-1], method=method),
)
_resize_transpose = Primitive(
    "resize_image_transpose",
    "resize_image_transpose",
    inputs=("x",),
    vjp=lambda xp, g, x_shape, method: xp.resize_image(g, size=x_shape[-3:-1], method=method),
)


_resize_area = Primitive(
    "resize_area",
    lambda xp, x, *, size: xp.resize_image(x, size=size, method="area"),
    joint=unregistered(
        "ResizeArea",
        'average with tf.nn.avg_pool2d where the sizes divide, or resize with method="bilinear" and antialias=True',
    ),
)

# For each method: TensorFlow's op, and our kernel without and with antialiasing.
_METHODS = {
    "bilinear": ("ResizeBilinear", "bilinear", "triangle antialias"),
    "nearest": ("ResizeNearestNeighbor", "nearest", "nearest"),
    "bicubic": ("ResizeBicubic", "bicubic", "keyscubic antialias"),
    "area": ("ResizeArea", "area", "area"),
    "lanczos3": ("ScaleAndTranslate", "lanczos3", "lanczos3 antialias"),
    "lanczos5": ("ScaleAndTranslate", "lanczos5", "lanczos5 antialias"),
    "gaussian": ("ScaleAndTranslate", "gaussian", "gaussian antialias"),
    "mitchellcubic": ("ScaleAndTranslate", "mitchellcubic", "mitchellcubic antialias"),
}


@export("image.resize")
def resize(
    images: Any,
    size: Any,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Resize images [height, width, channels], or a batch of them, to a size (height, width).

    Pixel centres are at half-integer coordinates. The result is float32, except that "nearest" keeps the dtype. With
    `preserve_aspect_ratio` the result is the largest that fits into `size`. `antialias` widens the filter when downsampling.
    "area" has no gradient: differentiating it raises a LookupError, as in TensorFlow.

    >>> import whygrad as tf
    >>> image = tf.reshape([0.0, 4.0, 8.0, 12.0], (2, 2, 1))
    >>> tf.reshape(tf.image.resize(image, (2, 4)), (2, 4)).numpy()
    array([[ 0.,  1.,  3.,  4.],
           [ 8.,  9., 11., 12.]], dtype=float32)
    """
    x = convert(images, None)
    if x.ndim not in (3, 4):
        raise OpValueError("'images' must have either 3 or 4 dimensions.")
    height, width = _size(size)
    if flag(preserve_aspect_ratio, "preserve_aspect_ratio"):
        height, width = _within(height, width, x)
    if not isinstance(method, str) or method not in _METHODS:
        raise OpValueError(f"Resize method is not implemented: {method}")
    op_name, plain, antialiased = _METHODS[method]
    _check_resizable(x, height, width, op_name)
    on_numpy = type(x) is Tensor if state.context is None else state.context.replays
    if method != "nearest" and not (x.dtype.is_integer and on_numpy):
        # Integers become floats in NumPy's kernel, without the pixels that are not needed.
        x = elementwise.cast(x, dtypes.float32)
    if method == "area":
        return apply(_resize_area, x, size=(height, width))
    return apply(_resize, x, size=(height, width), method=antialiased if flag(antialias, "antialias") else plain)


def _size(size: Any) -> Size:
    if type(size) in (list, tuple) and [type(each) for each in size] == [int, int] and max(size) < 2**31:
        return size[0], size[1]
    try:
        given = convert(list(size) if isinstance(size, tuple) else size, dtypes.int32)
    except (TypeError, ValueError):
        raise OpValueError("'size' must be a 1-D int32 Tensor") from None
    if given.shape != (2,):
        raise OpValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    height, width = value_of(given).tolist()
    return height, width


def _within(height: int, width: int, x: Tensor) -> Size:
    """The largest size with the image's aspect ratio that fits."""
    sizes = np.array(x.shape[-3:-1], np.float32)
    scale = np.min(np.array([height, width], np.float32) / sizes)
    fitted = np.rint(scale * sizes).astype(int)
    return int(fitted[0]), int(fitted[1])


def _check_resizable(x: Tensor, height: int, width: int, op_name: str) -> None:
    if x._array.dtype.kind not in "iufV" or x.dtype in (dtypes.uint32, dtypes.uint64):
        raise invalid(
            DtypeNotAllowed(
                dtype=x.dtype,
                allowed=("int8", "uint8", "int16", "uint16", "int32", "int64", "half", "float", "double", "bfloat16"),
                op=op_name,
            )
        )
    if height <= 0 or width <= 0:
        raise invalid(f"output dimensions must be positive [Op:{op_name}]")
    *batch, rows, columns, channels = x._array.shape
    if not rows or not columns:
        raise invalid(f"input image must be of non-zero size [Op:{op_name}]")
    if not channels:
        raise invalid(f"image must have at least one channel [Op:{op_name}]")
    check_fits(checked_sizes((*batch, height, width, channels), op_name), x._array.dtype, op_name)


@export("image.resize_with_pad")
def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: str = ResizeMethod.BILINEAR, antialias: bool = False
) -> Tensor:
    """Resize images to fit into a size without distortion, and pad them with zeros.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.resize_with_pad(tf.ones((2, 4, 1)), 4, 4), (4, 4)).numpy()
    array([[0., 0., 0., 0.],
           [1., 1., 1., 1.],
           [1., 1., 1., 1.],
           [0., 0., 0., 0.]], dtype=float32)
    """
    x = convert(image, None)
    if x.ndim not in (3, 4):
        raise OpValueError(f"'image' (shape {x.shape}) must have either 3 or 4 dimensions.")
    check_image(x)
    target = integer(target_height, "target_height"), integer(target_width, "target_width")
    for size, which in zip(target[::-1], ("target_width", "target_height")):
        if size <= 0:
            raise OpValueError(f"{which} must be > 0.")
    sizes = np.array(x.shape[-3:-1], np.float32)
    fitted = sizes / np.max(sizes / np.array(target, np.float32))
    before = np.maximum(np.floor((np.array(target, np.float32) - fitted) / 2), 0).astype(int)
    resized = resize(x, np.floor(fitted).astype(np.int32), method, antialias=antialias)
    return pad_to_bounding_box(resized, int(before[0]), int(before[1]), *target)


# -- cropping and resizing --


@export("image.crop_and_resize")
def crop_and_resize(
    image: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Crop boxes [y1, x1, y2, x2] from a batch of images, and resize each to (height, width), in float32.

    Coordinates are relative: 0 is the image's first pixel and 1 its last. Box i is of image `box_indices[i]`. Pixels outside the
    image are `extrapolation_value`. Differentiable with respect to the image and the boxes.

    >>> import whygrad as tf
    >>> image = tf.reshape(tf.range(16.0), (1, 4, 4, 1))
    >>> tf.reshape(tf.image.crop_and_resize(image, [[0.0, 0.0, 1.0, 1.0]], [0], (2, 2)), (2, 2)).numpy()
    array([[ 0.,  3.],
           [12., 15.]], dtype=float32)
    """
    x = convert(image, None)
    corners, owners = convert(boxes, dtypes.float32), convert(box_indices, dtypes.int32)
    sizes = convert(list(crop_size) if isinstance(crop_size, tuple) else crop_size, dtypes.int32)
    _check_boxes(x, corners, owners, sizes, method)
    height, width = value_of(sizes).tolist()
    pixels = elementwise.cast(x, dtypes.float32)
    rows = _along_box(corners, 0, height, x.shape[1])
    columns = _along_box(corners, 1, width, x.shape[2])
    fill = convert(number(extrapolation_value, "extrapolation_value"), dtypes.float32)
    if method == "bilinear":
        return _interpolated(pixels, rows, columns, owners, fill)
    # The boxes' gradient is that of the bilinear method, as in TensorFlow: the nearest pixel does not change under a small step.
    moving = _interpolated(stop_gradient(pixels), rows, columns, owners, fill)
    return (moving - stop_gradient(moving)) + _nearest(pixels, rows, columns, owners, fill)


def _check_boxes(x: Tensor, boxes: Tensor, owners: Tensor, sizes: Tensor, method: str) -> None:
    op = "[Op:CropAndResize]"
    word(method, "method", ("bilinear", "nearest"), "CropAndResize")
    if x._array.dtype.kind not in "iuf" or x.dtype in (dtypes.uint32, dtypes.uint64):
        raise invalid(
            DtypeNotAllowed(
                dtype=x.dtype,
                allowed=("uint8", "uint16", "int8", "int16", "int32", "int64", "half", "float", "double"),
                op="CropAndResize",
            )
        )
    if x.ndim != 4:
        raise invalid(f"input image must be 4-D{shape_text(x.shape)} {op}")
    if 0 in x.shape[1:3]:
        raise invalid(f"image dimensions must be positive {op}")
    if boxes.ndim != 2:
        raise invalid(f"boxes must be 2-D{shape_text(boxes.shape)} {op}")
    if boxes.shape[1] != 4:
        raise invalid(f"boxes must have 4 columns {op}")
    if owners.ndim != 1:
        raise invalid(f"box_indices must be rank 1 but is shape {shape_text(owners.shape)} {op}")
    if owners.shape != boxes.shape[:1]:
        raise invalid(f"box_index has incompatible shape {op}")
    if sizes.ndim != 1 or sizes.shape[0] != 2:
        raise invalid(f"crop_size must have two elements{shape_text(sizes.shape)} {op}")
    if (value_of(sizes) <= 0).any():
        raise invalid(f"crop dimensions must be positive {op}")
    count = 1
    for size in (len(owners), *value_of(sizes).tolist(), x.shape[3]):
        if count * size >= 2**63:
            raise invalid(f"Encountered overflow when multiplying {count} with {size}, result: -1 {op}")
        count *= size
    if are_known(boxes) and not np.isfinite(boxes._array).all():
        raise invalid(f"Boxes contains at least one element that is not finite {op}")
    if are_known(owners) and owners._array.size and not ((owners._array >= 0) & (owners._array < x.shape[0])).all():
        raise OutOfRangeError(None, None, f"box_index has values outside [0, batch_size) {op}")


def _along_box(boxes: Tensor, axis: int, count: int, size: int) -> Tensor:
    """The coordinates, along one axis of the image, of the pixels of each crop: [boxes, count]."""
    first, last = getitem(boxes, (slice(None), slice(axis, axis + 1))), getitem(boxes, (..., slice(axis + 2, axis + 3)))
    if count == 1:
        return (first + last) * (0.5 * (size - 1))
    steps = wrap(np.arange(count, dtype=np.float32))
    return first * float(size - 1) + steps * ((last - first) * float(size - 1) / float(count - 1))


_STEP = "which pixels a crop takes does not change under a small step of its box"
_pixel_grid = Primitive(
    "pixel_grid",
    lambda xp, owners, rows, columns: xp.stack(
        xp.broadcast_arrays(owners[:, None, None], rows[:, :, None], columns[:, None, :]), axis=-1
    ),
    no_gradient=_STEP,
)
_pixel_near = Primitive(
    "pixel_near",
    lambda xp, places, *, shift, rounding, size: xp.clip(
        getattr(xp, rounding)(places + np.float32(shift)), 0, size - 1
    ).astype(np.int32),
    no_gradient=_STEP,
)
_inside_image = Primitive(
    "inside_image",
    lambda xp, rows, columns, *, height, width: (
        ((rows >= 0) & (rows <= height - 1))[:, :, None, None]
        & ((columns >= 0) & (columns <= width - 1))[:, None, :, None]
    ),
    no_gradient=_STEP,
)


def _pixels(x: Tensor, owners: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """x at these rows and columns of each box's image: [boxes, height, width, channels]."""
    return gather_nd(x, apply(_pixel_grid, owners, rows, columns))


def _inside(rows: Tensor, columns: Tensor, x: Tensor) -> Tensor:
    """Which pixels of the crops are inside the image."""
    return apply(_inside_image, rows, columns, height=x.shape[1], width=x.shape[2])


def _near(places: Tensor, rounding: str, size: int, shift: float = 0.0) -> Tensor:
    """The row or column of pixels at each coordinate."""
    return apply(_pixel_near, places, shift=shift, rounding=rounding, size=size)


def _interpolated(x: Tensor, rows: Tensor, columns: Tensor, owners: Tensor, fill: Tensor) -> Tensor:
    top, bottom = (_near(rows, rounding, x.shape[1]) for rounding in ("floor", "ceil"))
    left, right = (_near(columns, rounding, x.shape[2]) for rounding in ("floor", "ceil"))
    down = reshape(rows - elementwise.floor(rows), (*rows.shape, 1, 1))
    along = reshape(columns - elementwise.floor(columns), (columns.shape[0], 1, columns.shape[1], 1))
    above, below = (
        first + (second - first) * along
        for first, second in ((_pixels(x, owners, y, left), _pixels(x, owners, y, right)) for y in (top, bottom))
    )
    return elementwise.where(_inside(rows, columns, x), above + (below - above) * down, fill)


def _nearest(x: Tensor, rows: Tensor, columns: Tensor, owners: Tensor, fill: Tensor) -> Tensor:
    # Round half away from zero, not to even.
    closest = [_near(places, "floor", size, shift=0.5) for places, size in zip((rows, columns), x.shape[1:3])]
    return elementwise.where(_inside(rows, columns, x), _pixels(x, owners, *closest), fill)
