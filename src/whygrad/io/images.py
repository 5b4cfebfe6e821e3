"""Images as files have them: decoded and encoded by Pillow, which comes with `whygrad[scripts]`.

JPEG files are decoded by simplejpeg, which comes with it too: TensorFlow takes libjpeg's fast cosine transform unless a program asks for
the accurate one, and Pillow always takes the accurate one. Where simplejpeg is missing, Pillow does it, and pixels differ a little.
"""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed
from whygrad.io import wide_png
from whygrad.io.files import string_tensor
from whygrad.ops.arguments import flag, integer
from whygrad.ops.image_colour import convert_image_dtype
from whygrad.ops.random import stateless_uniform, uniform
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
_UNKNOWN = "Unknown image file format. One of JPEG, PNG, GIF, BMP required."
_TRANSFORMS = ("", "INTEGER_FAST", "INTEGER_ACCURATE")
_JPEG = b"\xff\xd8\xff"  # how such files begin
_MOST_PIXELS = 1 << 27  # Pillow refuses images that are much larger, as attempts to fill the memory
_PICTURES = {channels: TensorSpec((None, None, channels or None), dtypes.uint8) for channels in range(5)}
_FORMATS = ("JPEG", "PNG", "GIF", "BMP", "WEBP")


def _pillow() -> Any:
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        if error.name not in ("PIL", "PIL.Image"):
            raise
        raise ModuleNotFoundError(
            "images are decoded and encoded by Pillow, which is not installed: pip install 'whygrad[scripts]'",
            name="PIL",
        ) from None
    return Image


def _opened(contents: Tensor, formats: tuple[str, ...]) -> Any:
    """The image in a scalar string."""
    data = value_of(contents)
    if data.shape:
        raise invalid(f"`contents` must be scalar but got shape {list(data.shape)}")
    image_of = _pillow()
    try:
        return image_of.open(io.BytesIO(data.item()), formats=formats)
    except image_of.UnidentifiedImageError:
        raise invalid(f"{_UNKNOWN} The {len(data.item())} bytes begin with {data.item()[:8]!r}.") from None
    except (OSError, ValueError, SyntaxError, image_of.DecompressionBombError) as error:
        raise invalid(f"Invalid image data, size {len(data.item())}: {error}") from None


def _pixels(image: Any, channels: int, wide: bool = False) -> np.ndarray[Any, Any]:
    """The pixels of an image: height, width, channels."""
    try:
        if image.mode.startswith("I"):  # 16 bits a pixel
            array = np.asarray(image).astype(np.uint16)
            array = array if wide else (array >> 8).astype(np.uint8)
            array = array[..., np.newaxis]
            return np.repeat(array, channels, axis=-1) if channels == 3 else array
        mode = _MODES[channels] if channels else _own_mode(image)
        if image.mode != mode:
            if image.mode == "P" and mode == "L":
                image = image.convert("RGB")
            image = image.convert(mode)
        array = np.asarray(image)
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise invalid(f"Invalid image data: {error}") from None
    return array if array.ndim == 3 else array[..., np.newaxis]


def _jpeg_pixels(contents: Tensor, channels: int, fancy_upscaling: bool = True) -> np.ndarray[Any, Any] | None:
    """The pixels of a JPEG file by the fast cosine transform; None for what is left to Pillow, other files and damaged ones too."""
    data = value_of(contents)
    if data.shape or not data.item().startswith(_JPEG):
        return None
    try:
        from simplejpeg import decode_jpeg, decode_jpeg_header

        height, width, space, _ = decode_jpeg_header(data.item())
        if space not in ("Gray", "YCbCr", "RGB") or height * width > _MOST_PIXELS:
            return None
        wanted = "GRAY" if channels == 1 or (not channels and space == "Gray") else "RGB"
        pixels: np.ndarray[Any, Any] = decode_jpeg(data.item(), wanted, fastdct=True, fastupsample=not fancy_upscaling)
    except (ImportError, ValueError):
        return None
    return pixels


def _own_mode(image: Any) -> str:
    if image.mode == "P":
        return "RGBA" if "transparency" in image.info else "RGB"
    if image.mode == "1":
        return "L"
    return image.mode if image.mode in _MODES.values() else "RGB"


def _as_dtype(pixels: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    if dtype is dtypes.uint8 or pixels.dtype == np.uint16:
        return pixels
    if dtype is dtypes.uint16:
        return pixels.astype(np.uint16) * np.uint16(257)
    scaled: np.ndarray[Any, Any] = pixels.astype(dtype.numpy_dtype) / dtype.numpy_dtype.type(255)
    return scaled


def _wide_pixels(contents: Tensor, channels: int, dtype: DType) -> np.ndarray[Any, Any] | None:
    """The pixels of a PNG image of several channels with 16 bits each; None where Pillow reads the image as well."""
    data = value_of(contents)
    if data.shape or not wide_png.is_wide(data.item()):
        return None
    if dtype is dtypes.uint8 and not wide_png.is_grey(data.item()):  # Pillow takes grey with alpha for four channels
        return None
    pixels = wide_png.decode(data.item(), channels, _MOST_PIXELS)
    if dtype is dtypes.uint16:
        return pixels
    if dtype is dtypes.uint8:
        return (pixels >> 8).astype(np.uint8)
    scaled: np.ndarray[Any, Any] = pixels * dtype.numpy_dtype.type(1 / 65535)  # rounds as TensorFlow does
    return scaled


def _checked_channels(channels: Any, allowed: tuple[int, ...]) -> int:
    number = 0 if channels is None else integer(channels, "channels")
    if number not in allowed:
        raise invalid(f"channels must be one of {', '.join(map(str, allowed))}, got {number}")
    return number


def _still(name: str, contents: Any, formats: tuple[str, ...], channels: int, dtype: DType = dtypes.uint8) -> Tensor:
    def decode(given: Tensor) -> Tensor:
        if (pixels := _wide_pixels(given, channels, dtype)) is not None:
            return wrap(pixels)
        image = _opened(given, formats)
        return wrap(_as_dtype(_pixels(image, channels, dtype is dtypes.uint16 and image.mode.startswith("I")), dtype))

    return computed(name, decode, [contents], dtypes.string, TensorSpec((None, None, channels or None), dtype))


@export("io.decode_png", "image.decode_png")
def decode_png(contents: Any, channels: Any = 0, dtype: Any = dtypes.uint8, name: str | None = None) -> Tensor:
    """Decode a PNG image: height, width, channels.

    >>> import whygrad as tf
    >>> picture = tf.constant([[[255, 0, 0], [0, 0, 255]]], tf.uint8)
    >>> tf.io.decode_png(tf.io.encode_png(picture)).numpy().tolist()
    [[[255, 0, 0], [0, 0, 255]]]
    """
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.uint8, dtypes.uint16):
        raise OpValueError(f"decode_png gives tf.uint8 or tf.uint16, not {kind!r}")
    return _still("tf.io.decode_png", contents, _FORMATS, _checked_channels(channels, (0, 1, 2, 3, 4)), kind)


@export("io.decode_jpeg", "image.decode_jpeg")
def decode_jpeg(
    contents: Any,
    channels: Any = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decode a JPEG image: height, width, channels. `ratio` 2, 4 or 8 makes it smaller.

    >>> import whygrad as tf
    >>> tf.io.decode_jpeg(tf.io.encode_jpeg(tf.zeros((4, 6, 3), tf.uint8))).shape
    TensorShape([4, 6, 3])
    """
    ratio = integer(ratio, "ratio", "DecodeJpeg")
    if ratio not in (1, 2, 4, 8):
        raise invalid(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    number = _checked_channels(channels, (0, 1, 3))
    fancy_upscaling = flag(fancy_upscaling, "fancy_upscaling")
    if dct_method not in _TRANSFORMS:
        raise invalid(f"dct_method must be one of {{'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}}, got {dct_method!r}")

    def decode(given: Tensor) -> Tensor:
        is_fast = ratio == 1 and dct_method != "INTEGER_ACCURATE"
        pixels = _jpeg_pixels(given, number, fancy_upscaling) if is_fast else None
        if pixels is None:
            image = _opened(given, _FORMATS)
            if ratio != 1:
                image.draft(None, (max(1, image.width // ratio), max(1, image.height // ratio)))
            pixels = _pixels(image, number)
        return wrap(pixels)

    return computed("tf.io.decode_jpeg", decode, [contents], dtypes.string, _PICTURES[number])


@export("io.decode_and_crop_jpeg", "image.decode_and_crop_jpeg")
def decode_and_crop_jpeg(
    contents: Any,
    crop_window: Any,
    channels: Any = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decode a part of a JPEG image: `crop_window` is its top, left, height and width.

    >>> import whygrad as tf
    >>> tf.io.decode_and_crop_jpeg(tf.io.encode_jpeg(tf.zeros((9, 9, 3), tf.uint8)), [1, 2, 3, 4]).shape
    TensorShape([3, 4, 3])
    """
    window = value_of(convert(crop_window, dtypes.int32))
    if window.shape != (4,):
        raise invalid(f"crop_window must have four elements, but has shape {list(window.shape)} [Op:DecodeAndCropJpeg]")
    top, left, height, width = map(int, window)
    pixels = value_of(decode_jpeg(contents, channels, ratio, fancy_upscaling, dct_method=dct_method))
    if top < 0 or left < 0 or height < 1 or width < 1 or top + height > len(pixels) or left + width > pixels.shape[1]:
        raise invalid(
            f"the crop window {[top, left, height, width]} is not within the image of shape {list(pixels.shape)}"
        )
    return wrap(pixels[top : top + height, left : left + width])


@export("io.decode_bmp", "image.decode_bmp")
def decode_bmp(contents: Any, channels: Any = 0, name: str | None = None) -> Tensor:
    """Decode a BMP image: height, width, channels.

    >>> import whygrad as tf
    >>> try:
    ...     tf.io.decode_bmp(b"not an image")
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(str(error)[:26])
    Unknown image file format.
    """
    return _still("tf.io.decode_bmp", contents, _FORMATS, _checked_channels(channels, (0, 1, 3, 4)))


@export("io.decode_gif", "image.decode_gif")
def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """Decode the frames of a GIF: frames, height, width, 3 channels.

    >>> import whygrad as tf
    >>> try:
    ...     tf.io.decode_gif(b"not an image")
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(str(error)[:26])
    Unknown image file format.
    """
    spec = TensorSpec((None, None, None, 3), dtypes.uint8)
    return computed(
        "tf.io.decode_gif", lambda given: wrap(_frames(_opened(given, _FORMATS))), [contents], dtypes.string, spec
    )


def _frames(image: Any) -> np.ndarray[Any, Any]:
    found = []
    for number in range(getattr(image, "n_frames", 1)):
        try:
            image.seek(number)
        except (OSError, EOFError, ValueError) as error:
            raise invalid(f"Invalid GIF data: {error}") from None
        found.append(_pixels(image, 3))
    return np.stack(found)


@export("io.decode_image", "image.decode_image")
def decode_image(
    contents: Any,
    channels: Any = None,
    dtype: Any = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """Decode a JPEG, PNG, GIF or BMP image. A GIF has its frames as the first axis, unless `expand_animations` is False.

    >>> import whygrad as tf
    >>> tf.io.decode_image(tf.io.encode_png(tf.zeros((2, 3, 1), tf.uint8)), channels=3).shape
    TensorShape([2, 3, 3])
    """
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.uint8, dtypes.uint16, dtypes.float32):
        raise OpValueError(f"decode_image gives tf.uint8, tf.uint16 or tf.float32, not {kind!r}")
    number = _checked_channels(channels, (0, 1, 3, 4))
    expand_animations = flag(expand_animations, "expand_animations")

    def decode(given: Tensor) -> Tensor:
        pixels = _jpeg_pixels(given, number) if number != 4 else None
        if pixels is not None:
            return wrap(_as_dtype(pixels, kind))
        if (pixels := _wide_pixels(given, number, kind)) is not None:
            return wrap(pixels)
        image = _opened(given, _FORMATS)
        if image.format == "GIF":
            if number not in (0, 3):
                raise invalid(f"channels must be 0 or 3 for GIF, got {number}")
            frames = _frames(image)
            return wrap(_as_dtype(frames if expand_animations else frames[0], kind))
        return wrap(_as_dtype(_pixels(image, number), kind))

    spec = None if expand_animations else TensorSpec((None, None, number or None), kind)
    return computed("tf.io.decode_image", decode, [contents], dtypes.string, spec)


@export("io.is_jpeg", "image.is_jpeg")
def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether bytes begin as those of a JPEG image do.

    >>> import whygrad as tf
    >>> bool(tf.io.is_jpeg(b"GIF89a"))
    False
    """
    data = value_of(convert(contents, dtypes.string))
    if data.shape:
        raise invalid(f"contents must be one string, but has shape {list(data.shape)} [Op:IsJpeg]")
    return convert(data.item().startswith(_JPEG), None)


@export("io.extract_jpeg_shape", "image.extract_jpeg_shape")
def extract_jpeg_shape(contents: Any, output_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The shape of a JPEG image, without decoding it.

    >>> import whygrad as tf
    >>> tf.io.extract_jpeg_shape(tf.io.encode_jpeg(tf.zeros((4, 6, 3), tf.uint8))).numpy()
    array([4, 6, 3], dtype=int32)
    """
    image = _opened(convert(contents, dtypes.string), ("JPEG",))
    return convert([image.height, image.width, len(image.getbands())], dtypes.as_dtype(output_type))


# -- encoding --


def _checked_picture(pixels: np.ndarray[Any, Any], op: str) -> None:
    if pixels.ndim != 3 or pixels.shape[2] not in (1, 2, 3, 4):
        raise invalid(f"image must be 3-dimensional with 1 to 4 channels, but has shape {list(pixels.shape)} [Op:{op}]")
    if not pixels.size:
        raise invalid(f"image must not be empty, but has shape {list(pixels.shape)} [Op:{op}]")


def _picture(pixels: np.ndarray[Any, Any]) -> Any:
    return _pillow().fromarray(np.ascontiguousarray(pixels[..., 0] if pixels.shape[2] == 1 else pixels))


@export("io.encode_png", "image.encode_png")
def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """Encode an image of height, width and 1 to 4 channels as PNG, or each of a batch of images.

    >>> import whygrad as tf
    >>> tf.io.encode_png(tf.zeros((2, 2, 3), tf.uint8)).numpy()[:4]
    b'\\x89PNG'
    """
    compression = integer(compression, "compression", "EncodePng")
    if not -1 <= compression <= 9:
        raise invalid(f"compression should be in [-1,9], got {compression}")
    level = 6 if compression < 0 else compression

    def encode(given: Tensor) -> Tensor:
        pixels = value_of(given)
        if pixels.dtype not in (np.uint8, np.uint16):
            raise invalid(f"image must be of tf.uint8 or tf.uint16, but is of {given.dtype.name} [Op:EncodePng]")
        if pixels.ndim < 3:
            raise invalid(f"images must be at least rank 3{shape_text(pixels.shape)} [Op:EncodePng]")
        files = np.empty(pixels.shape[:-3], object)
        pictures = pixels.reshape(math.prod(files.shape), *pixels.shape[-3:])
        for place, each in zip(np.ndindex(files.shape), pictures):
            files[place] = _png(each, level)
        return wrap(files)

    tensor = convert(image, None)
    return computed("tf.io.encode_png", encode, [tensor], None, TensorSpec(tensor.shape[:-3], dtypes.string))


def _png(pixels: np.ndarray[Any, Any], level: int) -> bytes:
    _checked_picture(pixels, "EncodePng")
    if pixels.dtype == np.uint16 and pixels.shape[2] > 1:
        return wide_png.encode(pixels, level)
    file = io.BytesIO()
    _picture(pixels).save(file, "PNG", compress_level=level)
    return file.getvalue()


@export("io.encode_jpeg", "image.encode_jpeg")
def encode_jpeg(
    image: Any,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """Encode an image of height, width and 1 or 3 channels as JPEG.

    >>> import whygrad as tf
    >>> bool(tf.io.is_jpeg(tf.io.encode_jpeg(tf.zeros((2, 2, 3), tf.uint8))))
    True
    """
    quality = integer(quality, "quality", "EncodeJpeg")
    density = (integer(x_density, "x_density", "EncodeJpeg"), integer(y_density, "y_density", "EncodeJpeg"))
    progressive, optimize_size = flag(progressive, "progressive"), flag(optimize_size, "optimize_size")
    chroma_downsampling = flag(chroma_downsampling, "chroma_downsampling")
    if not 0 <= quality <= 100:
        raise invalid(f"quality must be in [0,100], got {quality}")

    def encode(given: Tensor) -> Tensor:
        pixels = value_of(given)
        _checked_picture(pixels, "EncodeJpeg")
        if pixels.dtype != np.uint8:
            raise invalid(f"image must be of tf.uint8, but is of {given.dtype.name} [Op:EncodeJpeg]")
        if pixels.shape[2] not in (1, 3):
            raise invalid(
                f"image must have 1 or 3 channels for JPEG, but has shape {list(pixels.shape)} [Op:EncodeJpeg]"
            )
        file = io.BytesIO()
        _picture(pixels).save(
            file, "JPEG", quality=quality, progressive=progressive, optimize=optimize_size,
            subsampling=2 if chroma_downsampling else 0, dpi=density,
        )  # fmt: skip
        return string_tensor(file.getvalue())

    return computed("tf.io.encode_jpeg", encode, [image], None, TensorSpec((), dtypes.string))


# -- the losses of JPEG --


@export("image.adjust_jpeg_quality")
def adjust_jpeg_quality(image: Any, jpeg_quality: Any, dct_method: str = "", name: str | None = None) -> Tensor:
    """An image of 1 or 3 channels as JPEG of this quality, from 0 to 100, shows it.

    >>> import whygrad as tf
    >>> tf.image.adjust_jpeg_quality(tf.zeros((8, 8, 3)), 75).shape
    TensorShape([8, 8, 3])
    """
    x = convert(image, None)
    pixels = convert_image_dtype(x, dtypes.uint8, saturate=True)
    quality = integer(jpeg_quality, "jpeg_quality", "EncodeJpegVariableQuality")
    decoded = decode_jpeg(encode_jpeg(pixels, quality=quality), x.shape[-1] or 0, dct_method=dct_method)
    return convert_image_dtype(decoded, x.dtype, saturate=True)


@export("image.random_jpeg_quality")
def random_jpeg_quality(image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any = None) -> Tensor:
    """`adjust_jpeg_quality` to a random quality, of `min_jpeg_quality` or more and less than `max_jpeg_quality`.

    >>> import whygrad as tf
    >>> tf.image.random_jpeg_quality(tf.zeros((8, 8, 3)), 75, 95, seed=1).shape
    TensorShape([8, 8, 3])
    """
    low, high = _qualities(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, uniform([], low, high, dtypes.int32, seed))


@export("image.stateless_random_jpeg_quality")
def stateless_random_jpeg_quality(image: Any, min_jpeg_quality: Any, max_jpeg_quality: Any, seed: Any) -> Tensor:
    """Like `random_jpeg_quality`, but deterministic: the draw depends only on `seed`, two integers.

    >>> import whygrad as tf
    >>> tf.image.stateless_random_jpeg_quality(tf.zeros((8, 8, 3)), 75, 95, seed=(1, 2)).shape
    TensorShape([8, 8, 3])
    """
    low, high = _qualities(min_jpeg_quality, max_jpeg_quality)
    return adjust_jpeg_quality(image, stateless_uniform([], seed, low, high, dtypes.int32))


def _qualities(low: Any, high: Any) -> tuple[int, int]:
    low, high = integer(low, "min_jpeg_quality"), integer(high, "max_jpeg_quality")
    if low < 0 or high < 0 or low > 100 or high > 100:
        raise OpValueError("jpeg encoding range must be between 0 and 100.")
    if low >= high:
        raise OpValueError("`min_jpeg_quality` must be less than `max_jpeg_quality`.")
    return low, high
