"""Colours of images: conversions between colour spaces and dtypes, and adjustments."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops import elementwise, random
from whygrad.ops.arguments import flag, number
from whygrad.ops.image_geometry import check_image
from whygrad.ops.linalg_products import tensordot
from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.reductions import reduce_mean, reduce_std
from whygrad.ops.shaping import expand_dims, identity, tile
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import FailedPreconditionError, OpAttributeError, OpValueError, invalid, shape_text
from whygrad.values.tensor import Tensor

# -- dtypes --


@export("image.convert_image_dtype")
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Tensor:
    """Convert images to another dtype, scaled so that white stays white: 1 in a float dtype is the largest integer value.

    With `saturate`, values that an integer dtype cannot hold become its smallest or largest value.

    >>> import whygrad as tf
    >>> tf.image.convert_image_dtype([0.0, 0.5, 1.0], tf.uint8).numpy()
    array([  0, 127, 255], dtype=uint8)
    >>> tf.image.convert_image_dtype(tf.constant([0, 255], tf.uint8), tf.float32).numpy()
    array([0., 1.], dtype=float32)
    """
    x = convert(image, None)
    wanted = dtypes.as_dtype(dtype)
    if not (wanted.is_floating or wanted.is_integer):
        raise OpAttributeError("dtype must be either floating point or integer")
    if not (x.dtype.is_floating or x.dtype.is_integer):
        raise OpAttributeError("image dtype must be either floating point or integer")
    to = elementwise.saturate_cast if flag(saturate, "saturate") else elementwise.cast
    if x.dtype is wanted:
        return identity(x)
    if x.dtype.is_floating and wanted.is_floating:
        return elementwise.cast(x, wanted)  # type: ignore[no-any-return]
    if x.dtype.is_floating:
        return to(elementwise.multiply(x, wanted.max + 0.5), wanted)
    if wanted.is_floating:
        return elementwise.multiply(elementwise.cast(x, wanted), 1.0 / x.dtype.max)
    if x.dtype.max > wanted.max:
        scaled = elementwise.floordiv(x, (x.dtype.max + 1) // (wanted.max + 1))
        return to(scaled, wanted)
    return elementwise.multiply(to(x, wanted), (wanted.max + 1) // (x.dtype.max + 1))


def _as_float(image: Any) -> tuple[Tensor, dtypes.DType]:
    """Convert images to float16 or float32 for an adjustment, and return the dtype to convert back to."""
    x = convert(image, None)
    halves = (dtypes.float16, dtypes.float32)
    return (x if x.dtype in halves else convert_image_dtype(x, dtypes.float32)), x.dtype


# -- adjustments --


@export("image.adjust_brightness")
def adjust_brightness(image: Any, delta: Any) -> Tensor:
    """Add `delta` to every channel, on the scale where white is 1.

    >>> import whygrad as tf
    >>> tf.image.adjust_brightness(tf.constant([[[0, 100, 250]]], tf.uint8), 0.1).numpy()
    array([[[ 25, 125, 255]]], dtype=uint8)
    """
    x, dtype = _as_float(image)
    return convert_image_dtype(elementwise.add(x, elementwise.cast(delta, x.dtype)), dtype, saturate=True)


_adjust_contrast = Primitive(
    "adjust_contrast",
    "adjust_contrast",
    inputs=("x", "factor"),
    joint=unregistered("AdjustContrastv2"),
    op_name="AdjustContrastv2",
)


@export("image.adjust_contrast")
def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Scale each channel's deviation from its mean over the image. It has no gradient: differentiating raises a LookupError.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.adjust_contrast(tf.reshape([1.0, 2.0, 3.0], (1, 3, 1)), 2.0), -1).numpy()
    array([0., 2., 4.], dtype=float32)
    """
    x, dtype = _as_float(images)
    if x.ndim < 3:
        raise invalid(f"input must be at least 3-D, got shape{shape_text(x.shape)} [Op:AdjustContrastv2]")
    adjusted = apply(_adjust_contrast, x, _number(contrast_factor, "contrast_factor", "AdjustContrastv2"))
    return convert_image_dtype(adjusted, dtype, saturate=True)


@export("image.adjust_gamma")
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Tensor:
    """`gain * image ** gamma`, on the scale where white is 1.

    >>> import whygrad as tf
    >>> tf.image.adjust_gamma([[[0.0, 0.5, 1.0]]], gamma=2.0).numpy()
    array([[[0.  , 0.25, 1.  ]]], dtype=float32)
    """
    x, dtype = _as_float(image)
    if not number(gamma, "gamma") >= 0:
        raise OpValueError("Gamma should be a non-negative real number.")
    return convert_image_dtype(gain * x**gamma, dtype, saturate=True)


_adjust_saturation = Primitive(
    "adjust_saturation",
    "adjust_saturation",
    inputs=("x", "factor"),
    joint=unregistered("AdjustSaturation"),
)
_adjust_hue = Primitive("adjust_hue", "adjust_hue", inputs=("x", "delta"), joint=unregistered("AdjustHue"))


@export("image.adjust_saturation")
def adjust_saturation(image: Any, saturation_factor: Any, name: str | None = None) -> Tensor:
    """Multiply the saturation of the colours. It has no gradient: differentiating raises a LookupError.

    >>> import whygrad as tf
    >>> tf.image.adjust_saturation([[[0.5, 0.25, 0.25]]], 2.0).numpy()
    array([[[0.5, 0. , 0. ]]], dtype=float32)
    """
    x, dtype = _as_float(image)
    _check_colours(x, "AdjustSaturation")
    adjusted = apply(_adjust_saturation, x, _number(saturation_factor, "scale", "AdjustSaturation"))
    return convert_image_dtype(adjusted, dtype)


@export("image.adjust_hue")
def adjust_hue(image: Any, delta: Any, name: str | None = None) -> Tensor:
    """Rotate the hue of the colours by `delta`, a fraction of the circle. It has no gradient: differentiating raises a LookupError.

    >>> import whygrad as tf
    >>> tf.image.adjust_hue([[[1.0, 0.0, 0.0]]], 1 / 3).numpy().round(3)
    array([[[0., 1., 0.]]], dtype=float32)
    """
    if not -1 <= number(delta, "delta") <= 1:
        raise OpValueError("delta must be in the interval [-1, 1]")
    x, dtype = _as_float(image)
    _check_colours(x, "AdjustHue")
    return convert_image_dtype(apply(_adjust_hue, x, _number(delta, "delta", "AdjustHue")), dtype)


def _number(value: Any, what: str, op_name: str) -> Tensor:
    number = convert(value, dtypes.float32)
    if number.ndim:
        raise invalid(f"{what} must be scalar: {shape_text(number.shape)} [Op:{op_name}]")
    return number


def _check_colours(x: Tensor, op_name: str) -> None:
    if x.ndim < 3:
        raise invalid(f"input must be at least 3-D, got shape{shape_text(x.shape)} [Op:{op_name}]")
    if x.shape[-1] != 3:
        raise invalid(f"input must have 3 channels but instead has {x.shape[-1]} channels. [Op:{op_name}]")


@export("image.random_brightness")
def random_brightness(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """`adjust_brightness` by a random number between -max_delta and max_delta.

    >>> import whygrad as tf
    >>> tf.image.random_brightness(tf.ones((2, 2, 3)), 0.1, seed=1).shape
    TensorShape([2, 2, 3])
    """
    _check_delta(max_delta)
    return adjust_brightness(image, random.uniform([], -max_delta, max_delta, seed=seed))


@export("image.stateless_random_brightness")
def stateless_random_brightness(image: Any, max_delta: float, seed: Any) -> Tensor:
    """Like `random_brightness`, but deterministic: the draw depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_brightness(tf.ones((2, 2, 3)), 0.1, seed=(1, 2)).shape
    TensorShape([2, 2, 3])
    """
    _check_delta(max_delta)
    return adjust_brightness(image, random.stateless_uniform([], seed, -max_delta, max_delta))


@export("image.random_contrast")
def random_contrast(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`adjust_contrast` by a random factor between `lower` and `upper`.

    >>> import whygrad as tf
    >>> tf.image.random_contrast(tf.ones((2, 2, 3)), 0.5, 1.5, seed=1).shape
    TensorShape([2, 2, 3])
    """
    _check_range(lower, upper)
    return adjust_contrast(image, random.uniform([], lower, upper, seed=seed))


@export("image.stateless_random_contrast")
def stateless_random_contrast(image: Any, lower: float, upper: float, seed: Any) -> Tensor:
    """Like `random_contrast`, but deterministic: the draw depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_contrast(tf.ones((2, 2, 3)), 0.5, 1.5, seed=(1, 2)).shape
    TensorShape([2, 2, 3])
    """
    _check_range(lower, upper)
    return adjust_contrast(image, random.stateless_uniform([], seed, lower, upper))


@export("image.random_saturation")
def random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """`adjust_saturation` by a random factor between `lower` and `upper`.

    >>> import whygrad as tf
    >>> tf.image.random_saturation(tf.ones((2, 2, 3)), 0.5, 1.5, seed=1).shape
    TensorShape([2, 2, 3])
    """
    _check_range(lower, upper)
    return adjust_saturation(image, random.uniform([], lower, upper, seed=seed))


@export("image.stateless_random_saturation")
def stateless_random_saturation(image: Any, lower: float, upper: float, seed: Any = None) -> Tensor:
    """Like `random_saturation`, but deterministic: the draw depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_saturation(tf.ones((2, 2, 3)), 0.5, 1.5, seed=(1, 2)).shape
    TensorShape([2, 2, 3])
    """
    _check_range(lower, upper)
    return adjust_saturation(image, random.stateless_uniform([], seed, lower, upper))


@export("image.random_hue")
def random_hue(image: Any, max_delta: float, seed: Any = None) -> Tensor:
    """`adjust_hue` by a random number between -max_delta and max_delta.

    >>> import whygrad as tf
    >>> tf.image.random_hue(tf.ones((2, 2, 3)), 0.1, seed=1).shape
    TensorShape([2, 2, 3])
    """
    _check_rotation(max_delta)
    return adjust_hue(image, random.uniform([], -max_delta, max_delta, seed=seed))


@export("image.stateless_random_hue")
def stateless_random_hue(image: Any, max_delta: float, seed: Any) -> Tensor:
    """Like `random_hue`, but deterministic: the draw depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_hue(tf.ones((2, 2, 3)), 0.1, seed=(1, 2)).shape
    TensorShape([2, 2, 3])
    """
    _check_rotation(max_delta)
    return adjust_hue(image, random.stateless_uniform([], seed, -max_delta, max_delta))


def _check_delta(max_delta: float) -> None:
    if number(max_delta, "max_delta") < 0:
        raise OpValueError("max_delta must be non-negative.")


def _check_rotation(max_delta: float) -> None:
    if number(max_delta, "max_delta") > 0.5:
        raise OpValueError("max_delta must be <= 0.5.")
    _check_delta(max_delta)


def _check_range(lower: float, upper: float) -> None:
    if number(upper, "upper") <= number(lower, "lower"):
        raise OpValueError("upper must be > lower.")
    if number(lower, "lower") < 0:
        raise OpValueError("lower must be non-negative.")


@export("image.per_image_standardization")
def per_image_standardization(image: Any) -> Tensor:
    """Scale each image to mean 0 and variance 1, in float32; a constant image is only centred.

    >>> import whygrad as tf
    >>> tf.reshape(tf.image.per_image_standardization(tf.reshape([1.0, 3.0], (1, 2, 1))), -1).numpy()
    array([-1.,  1.], dtype=float32)
    """
    x = convert(image, None)
    check_image(x)
    x = elementwise.cast(x, dtypes.float32)
    pixels = x.shape[-3] * x.shape[-2] * x.shape[-1]
    axes = [-1, -2, -3]
    deviation = elementwise.maximum(reduce_std(x, axis=axes, keepdims=True), pixels**-0.5)
    return elementwise.realdiv(x - reduce_mean(x, axis=axes, keepdims=True), deviation)


# -- colour spaces --


@export("image.rgb_to_grayscale")
def rgb_to_grayscale(images: Any, name: str | None = None) -> Tensor:
    """Convert colours to perceived brightness, as images with one channel.

    >>> import whygrad as tf
    >>> tf.image.rgb_to_grayscale([[[1.0, 0.0, 0.0]]]).numpy()
    array([[[0.2989]]], dtype=float32)
    """
    x = convert(images, None)
    brightness = tensordot(convert_image_dtype(x, dtypes.float32), [0.2989, 0.587, 0.114], [-1, -1])
    return convert_image_dtype(expand_dims(brightness, -1), x.dtype)


@export("image.grayscale_to_rgb")
def grayscale_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """Convert images with one channel to three equal channels.

    >>> import whygrad as tf
    >>> tf.image.grayscale_to_rgb([[[0.5]]]).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    x = convert(images, None)
    if x.ndim < 2:
        raise OpValueError(f"A grayscale image (shape {x.shape}) must be at least two-dimensional.")
    if x.shape[-1] != 1:
        raise OpValueError("Last dimension of a grayscale image should be size 1.")
    return tile(x, [1] * (x.ndim - 1) + [3])


def rgb_to_hsv_vjp(xp: Any, g: Any, x: Any) -> Any:
    """Value is the largest channel, saturation 1 - smallest / largest, hue a difference of two over largest - smallest.

    Where channels tie, the first one counts as the largest and the last one as the smallest; a channel that is 0 does not affect
    the saturation. Both as in TensorFlow.
    """
    red, green, blue = x[..., 0], x[..., 1], x[..., 2]
    is_top = xp.stack(
        [(red >= blue) & (red >= green), (green > red) & (green >= blue), (blue > red) & (blue > green)], -1
    )
    is_low = xp.stack(
        [(red < blue) & (red < green), (green <= red) & (green < blue), (blue <= red) & (blue <= green)], -1
    )
    zeros, ones = xp.zeros_like(x), xp.ones_like(x)
    top, low = xp.where(is_top, ones, zeros), xp.where(is_low, ones, zeros)
    high, least = xp.sum(top * x, axis=-1, keepdims=True), xp.sum(low * x, axis=-1, keepdims=True)
    coloured = high > 0
    scale = 1 / xp.where(coloured, high, xp.ones_like(high))
    spread = high - least
    per_spread = xp.where(coloured & (spread > 0), 1 / xp.where(spread > 0, spread, xp.ones_like(spread)), spread * 0)
    to_hue, to_saturation, to_value = g[..., 0:1], g[..., 1:2], g[..., 2:3]
    by_saturation = xp.where((x > 0) & coloured, top * least * scale * scale - low * scale, zeros)
    # The hue is the difference of the two channels that follow the largest one in the cycle red, green, blue.
    signs = xp.roll(top, 1, axis=-1) - xp.roll(top, -1, axis=-1)
    difference = xp.sum(signs * x, axis=-1, keepdims=True)
    by_hue = (signs - difference * per_spread * (top - low)) * per_spread / 6
    return to_value * top + to_saturation * by_saturation + to_hue * by_hue


_rgb_to_hsv = Primitive("rgb_to_hsv", "rgb_to_hsv", inputs=("x",), vjp=rgb_to_hsv_vjp, op_name="RGBToHSV")
_hsv_to_rgb = Primitive(
    "hsv_to_rgb",
    "hsv_to_rgb",
    inputs=("x",),
    no_gradient="hsv_to_rgb has no gradient in TensorFlow; it is made of clipped differences of the hue",
    op_name="HSVToRGB",
)


def _colours(primitive: Primitive, images: Any) -> Tensor:
    x = convert(images, None)
    check_dtype(x, "float", primitive.op_name)
    if not x.ndim:
        raise invalid(f"input must be at least 1D{shape_text(x.shape)} [Op:{primitive.op_name}]")
    if x.shape[-1] != 3:
        raise FailedPreconditionError(
            None,
            None,
            f"input must have 3 channels but input only has {x.shape[-1]} channels. [Op:{primitive.op_name}]",
        )
    return apply(primitive, x)


@export("image.rgb_to_hsv")
def rgb_to_hsv(images: Any, name: str | None = None) -> Tensor:
    """Convert RGB colours in [0, 1], in the last axis, to hue, saturation and value in [0, 1].

    >>> import whygrad as tf
    >>> tf.image.rgb_to_hsv([0.0, 0.5, 0.5]).numpy()
    array([0.5, 1. , 0.5], dtype=float32)
    """
    return _colours(_rgb_to_hsv, images)


@export("image.hsv_to_rgb")
def hsv_to_rgb(images: Any, name: str | None = None) -> Tensor:
    """The inverse of `rgb_to_hsv`. It has no gradient.

    >>> import whygrad as tf
    >>> tf.image.hsv_to_rgb([0.5, 1.0, 0.5]).numpy()
    array([0. , 0.5, 0.5], dtype=float32)
    """
    return _colours(_hsv_to_rgb, images)


# Each row: the contribution of red, green or blue (or of the first, second, third channel).
_RGB_TO_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_YIQ_TO_RGB = [[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_RGB_TO_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_YUV_TO_RGB = [[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]]


def _mixed(images: Any, shares: list[list[float]]) -> Tensor:
    x = convert(images, None)
    return tensordot(x, convert(shares, x.dtype), [[x.ndim - 1], [0]])


@export("image.rgb_to_yiq")
def rgb_to_yiq(images: Any) -> Tensor:
    """Convert RGB to YIQ: brightness and two colour differences, as in NTSC television.

    >>> import whygrad as tf
    >>> tf.image.rgb_to_yiq([1.0, 1.0, 1.0]).numpy().round(3) + 0.0
    array([1., 0., 0.], dtype=float32)
    """
    return _mixed(images, _RGB_TO_YIQ)


@export("image.yiq_to_rgb")
def yiq_to_rgb(images: Any) -> Tensor:
    """The inverse of `rgb_to_yiq`.

    >>> import whygrad as tf
    >>> tf.image.yiq_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)
    """
    return _mixed(images, _YIQ_TO_RGB)


@export("image.rgb_to_yuv")
def rgb_to_yuv(images: Any) -> Tensor:
    """Convert RGB to YUV: brightness and two colour differences, as in PAL television.

    >>> import whygrad as tf
    >>> tf.image.rgb_to_yuv([1.0, 1.0, 1.0]).numpy().round(3) + 0.0
    array([1., 0., 0.], dtype=float32)
    """
    return _mixed(images, _RGB_TO_YUV)


@export("image.yuv_to_rgb")
def yuv_to_rgb(images: Any) -> Tensor:
    """The inverse of `rgb_to_yuv`.

    >>> import whygrad as tf
    >>> tf.image.yuv_to_rgb([1.0, 0.0, 0.0]).numpy()
    array([1., 1., 1.], dtype=float32)
    """
    return _mixed(images, _YUV_TO_RGB)
