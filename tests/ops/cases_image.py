"""Rows for `whygrad.image`: resizing, geometry, colours, measures, patches.

TensorFlow resizes and compares in float32, whatever it is given: such rows are compared to float32's rounding, and their
rules are checked against finite differences in float64 in `test_image.py`.
"""

import numpy as np

from tests.support.cases import BadInput, Case, Input, anything, between, seeded
from tests.support.gradients import gradient_in_float32

FLOATS = ("float16", "bfloat16", "float32", "float64")
# TensorFlow computes in float32, and the result has that dtype.
IN_FLOAT32 = {"float64": 3e-5}


def single(name, function, *inputs, dtypes=("float32", "float64"), **row):
    """A row for an op that computes in float32."""
    return Case(name, function, inputs, order=0, dtypes=dtypes, rtol=IN_FLOAT32 | row.pop("rtol", {}), **row)


def resize(name, shape, size, *args, dtypes=("float32", "float64"), **kwargs):
    return single(
        f"resize {name}", lambda tf, x: tf.image.resize(x, size, *args, **kwargs), anything(*shape), dtypes=dtypes
    )


def colours(*shape):
    return Input(shape, 0.05, 0.95)


def geometry(name, function, *shape, **row):
    """A row for an op that only moves elements."""
    return Case(name, function, (anything(*shape),), dtypes=FLOATS, **row)


def projected(name, *numbers, images=2, **attributes):
    """A row for images seen through transforms of 8 numbers. TensorFlow's gradient is no derivative, so only values are checked."""
    given = {"output_shape": (4, 5), "fill_value": 0.5, "interpolation": "BILINEAR", **attributes}
    return single(
        f"projective transform {name}",
        lambda tf, x: tf.raw_ops.ImageProjectiveTransformV3(
            images=x, transforms=np.array(numbers, np.float32).reshape(-1, 8), **given
        ),
        anything(images, 3, 4, 2),
        second=False,
    )


TURNED = (0.8, -0.6, 0.9, 0.6, 0.8, -0.4, 0.0, 0.0)
TILTED = (1.0, 0.2, 0.3, -0.1, 1.1, 0.2, 0.05, -0.02)
FAR = (1.0, 0.0, -6.3, 0.0, 1.0, 7.7, 0.0, 0.0)


def _project(tf, **given):
    plain = {
        "images": tf.ones((1, 3, 3, 1)),
        "transforms": [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]],
        "output_shape": [3, 3],
        "fill_value": 0.0,
        "interpolation": "NEAREST",
    }
    return tf.raw_ops.ImageProjectiveTransformV3(**plain | given)


CASES = [
    projected("turned", *TURNED),
    projected("tilted, one each", *TURNED, *TILTED),
    projected("with a horizon", 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -0.5, 0.0),
    projected("nearest", *TILTED, interpolation="NEAREST"),
    *[
        projected(f"{mode} {interpolation}", *FAR, *TURNED, fill_mode=mode, interpolation=interpolation)
        for mode in ("CONSTANT", "REFLECT", "WRAP", "NEAREST")
        for interpolation in ("BILINEAR", "NEAREST")
    ],
    resize("bilinear", (2, 5, 4, 3), (7, 9), dtypes=("float16", "bfloat16", "float32", "float64")),
    resize("bilinear smaller", (2, 9, 8, 2), (4, 3)),
    resize("bilinear same", (1, 4, 4, 2), (4, 4)),
    resize("bilinear one image", (5, 4, 3), (3, 6)),
    resize("bilinear to a pixel", (1, 5, 4, 3), (1, 1)),
    resize("bilinear from a pixel", (1, 1, 1, 3), (3, 2)),
    resize("bilinear empty batch", (0, 4, 4, 2), (2, 3)),
    resize("bilinear antialias", (2, 9, 8, 2), (4, 3), antialias=True, dtypes=("float32",)),
    resize("bilinear antialias larger", (2, 4, 3, 2), (9, 8), antialias=True, dtypes=("float32",)),
    resize("bilinear aspect", (2, 4, 8, 2), (6, 6), preserve_aspect_ratio=True),
    resize("bilinear aspect rounding", (5, 7, 1), (4, 3), preserve_aspect_ratio=True),
    resize("nearest aspect", (2, 6, 3, 1), (4, 4), "nearest", preserve_aspect_ratio=True),
    resize("bicubic", (2, 5, 4, 3), (7, 9), "bicubic"),
    resize("bicubic smaller", (2, 9, 8, 2), (4, 3), "bicubic"),
    resize("bicubic antialias", (2, 9, 8, 2), (4, 3), "bicubic", antialias=True, dtypes=("float32",)),
    resize("lanczos3", (2, 9, 8, 2), (4, 13), "lanczos3", dtypes=("float32",)),
    resize("lanczos5 antialias", (2, 12, 8, 2), (4, 13), "lanczos5", antialias=True, dtypes=("float32",)),
    resize("gaussian", (2, 9, 8, 2), (4, 13), "gaussian", antialias=True, dtypes=("float32",)),
    resize("mitchellcubic", (2, 9, 8, 2), (4, 13), "mitchellcubic", dtypes=("float32",)),
    # Gradients through these are a LookupError, in TensorFlow and here: only values are compared.
    *[
        single(
            f"resize area {size}",
            lambda tf, x, size=size: tf.image.resize(tf.stop_gradient(x), size, "area"),
            anything(2, 6, 8, 3),
        )
        for size in ((3, 4), (4, 3), (9, 12), (5, 5))
    ],
    Case(
        "resize nearest",
        lambda tf, x: tf.image.resize(x, (7, 3), "nearest"),
        (anything(2, 5, 6, 3),),
        dtypes=FLOATS,
    ),
    Case("resize nearest smaller", lambda tf, x: tf.image.resize(x, (2, 4), "nearest"), (anything(5, 9, 1),)),
    *[
        Case(
            f"resize {method} integers",
            lambda tf, x, method=method: tf.image.resize(tf.cast(x * 100, tf.int32), (3, 7), method),
            (anything(1, 4, 5, 2),),
            order=0,
            dtypes=("float32",),
        )
        for method in ("bilinear", "nearest", "bicubic", "area")
    ],
    single("resize_with_pad", lambda tf, x: tf.image.resize_with_pad(x, 7, 5), anything(2, 4, 6, 2)),
    single("resize_with_pad tall", lambda tf, x: tf.image.resize_with_pad(x, 4, 9, "bicubic"), anything(7, 3, 2)),
    single(
        "crop_and_resize",
        lambda tf, x, b: tf.image.crop_and_resize(x, tf.cast(b, tf.float32), [1, 0], (3, 4)),
        anything(2, 5, 6, 2),
        np.array([[0.13, 0.22, 0.81, 0.94], [0.9, 0.15, 0.2, 0.62]]),
    ),
    single(
        "crop_and_resize outside",
        lambda tf, x, b: tf.image.crop_and_resize(x, tf.cast(b, tf.float32), [0], (4, 4), extrapolation_value=7.0),
        anything(1, 5, 6, 2),
        np.array([[-0.3, 0.22, 0.81, 1.4]]),
    ),
    single(
        "crop_and_resize nearest",
        lambda tf, x, b: tf.image.crop_and_resize(x, tf.cast(b, tf.float32), [0, 0], (3, 1), "nearest"),
        anything(1, 5, 6, 2),
        np.array([[0.13, 0.22, 0.81, 0.94], [0.9, 0.15, 0.2, 0.6]]),
    ),
    # -- geometry --
    geometry("flip_left_right", lambda tf, x: tf.image.flip_left_right(x), 2, 3, 4, 2),
    geometry("flip_up_down", lambda tf, x: tf.image.flip_up_down(x), 3, 4, 2),
    geometry("image transpose", lambda tf, x: tf.image.transpose(x), 2, 3, 4, 2),
    geometry("image transpose one", lambda tf, x: tf.image.transpose(x), 3, 4, 2),
    *[geometry(f"rot90 {k}", lambda tf, x, k=k: tf.image.rot90(x, k), 3, 4, 2) for k in (0, 1, 2, 3, -1)],
    geometry("rot90 batch", lambda tf, x: tf.image.rot90(x, 3), 2, 3, 4, 2),
    geometry("central_crop", lambda tf, x: tf.image.central_crop(x, 0.4), 7, 6, 2),
    geometry("central_crop batch", lambda tf, x: tf.image.central_crop(x, 0.75), 2, 7, 6, 2),
    geometry("central_crop all", lambda tf, x: tf.image.central_crop(x, 1.0), 3, 3, 1),
    geometry("crop_to_bounding_box", lambda tf, x: tf.image.crop_to_bounding_box(x, 1, 2, 3, 2), 2, 5, 6, 2),
    geometry("pad_to_bounding_box", lambda tf, x: tf.image.pad_to_bounding_box(x, 1, 2, 7, 9), 5, 6, 2),
    geometry("resize_with_crop_or_pad", lambda tf, x: tf.image.resize_with_crop_or_pad(x, 8, 3), 2, 5, 6, 2),
    geometry("resize_with_crop_or_pad odd", lambda tf, x: tf.image.resize_with_crop_or_pad(x, 4, 9), 7, 6, 2),
    geometry(
        "stateless_random_flip_left_right",
        lambda tf, x: tf.image.stateless_random_flip_left_right(x, (3, 4)),
        5,
        3,
        4,
        2,
    ),
    geometry("stateless_random_flip_up_down", lambda tf, x: tf.image.stateless_random_flip_up_down(x, (1, 2)), 3, 4, 2),
    geometry("random_flip_left_right", lambda tf, x: seeded(tf).image.random_flip_left_right(x, seed=5), 6, 3, 4, 2),
    geometry("random_flip_up_down", lambda tf, x: seeded(tf).image.random_flip_up_down(x, seed=4), 3, 4, 2),
    geometry("random_crop", lambda tf, x: seeded(tf).image.random_crop(x, (2, 3, 2), seed=2), 6, 7, 2),
    geometry("stateless_random_crop", lambda tf, x: tf.image.stateless_random_crop(x, [2, 3, 2], (2, 7)), 6, 7, 2),
    # -- colours --
    single("adjust_brightness", lambda tf, x: tf.image.adjust_brightness(x, 0.3), anything(3, 4, 3), dtypes=FLOATS),
    single("adjust_gamma", lambda tf, x: tf.image.adjust_gamma(x, 2.5, 1.5), colours(3, 4, 3), dtypes=FLOATS),
    single("adjust_contrast", lambda tf, x: tf.image.adjust_contrast(tf.stop_gradient(x), 1.7), anything(2, 3, 4, 3)),
    single(
        "adjust_saturation", lambda tf, x: tf.image.adjust_saturation(tf.stop_gradient(x), 1.7), colours(2, 3, 4, 3)
    ),
    single("adjust_hue", lambda tf, x: tf.image.adjust_hue(tf.stop_gradient(x), 0.4), colours(2, 3, 4, 3)),
    single("adjust_hue back", lambda tf, x: tf.image.adjust_hue(tf.stop_gradient(x), -0.4), colours(3, 4, 3)),
    single("random_brightness", lambda tf, x: tf.image.stateless_random_brightness(x, 0.3, (1, 2)), anything(3, 4, 3)),
    single(
        "random_contrast",
        lambda tf, x: tf.image.stateless_random_contrast(tf.stop_gradient(x), 0.2, 1.9, (1, 2)),
        anything(3, 4, 3),
    ),
    single(
        "random_saturation",
        lambda tf, x: tf.image.stateless_random_saturation(tf.stop_gradient(x), 0.2, 1.9, (1, 2)),
        colours(3, 4, 3),
    ),
    single(
        "random_hue", lambda tf, x: tf.image.stateless_random_hue(tf.stop_gradient(x), 0.2, (1, 2)), colours(3, 4, 3)
    ),
    single(
        "per_image_standardization", lambda tf, x: tf.image.per_image_standardization(x)[..., :1], anything(2, 3, 4, 3)
    ),
    single(
        "per_image_standardization even", lambda tf, x: tf.image.per_image_standardization(x), np.full((2, 2, 1), 0.7)
    ),
    single("rgb_to_grayscale", lambda tf, x: tf.image.rgb_to_grayscale(x), anything(2, 3, 3)),
    geometry("grayscale_to_rgb", lambda tf, x: tf.image.grayscale_to_rgb(x), 2, 3, 1),
    Case("rgb_to_hsv", lambda tf, x: tf.image.rgb_to_hsv(x), (colours(5, 6, 3),)),
    Case(
        "rgb_to_hsv ties",
        lambda tf, x: tf.image.rgb_to_hsv(x),
        (
            np.array(
                [
                    [0.5, 0.5, 0.2],
                    [0.5, 0.2, 0.5],
                    [0.2, 0.5, 0.5],
                    [0.5, 0.5, 0.5],
                    [0.2, 0.2, 0.5],
                    [0.0, 0.3, 0.5],
                    [0.3, 0.0, 0.5],
                    [0.3, 0.5, 0.0],
                    [0.0, 0.0, 0.0],
                    [1.0, 1.0, 1.0],
                    [0.5, 0.2, 0.2],
                    [0.2, 0.5, 0.2],
                ]
            ),
        ),
        order=0,
    ),
    Case("hsv_to_rgb", lambda tf, x: tf.image.hsv_to_rgb(x), (between(0.0, 1.0, 5, 6, 3),), order=0, dtypes=FLOATS),
    Case("rgb_to_yiq", lambda tf, x: tf.image.rgb_to_yiq(x), (anything(2, 3, 3),)),
    Case("yiq_to_rgb", lambda tf, x: tf.image.yiq_to_rgb(x), (anything(2, 3, 3),)),
    Case("rgb_to_yuv", lambda tf, x: tf.image.rgb_to_yuv(x), (anything(2, 3, 3),)),
    Case("yuv_to_rgb", lambda tf, x: tf.image.yuv_to_rgb(x), (anything(2, 3, 3),)),
    *[
        Case(
            f"convert_image_dtype {source} to {target}{' saturated' if saturate else ''}",
            lambda tf, x, source=source, target=target, saturate=saturate: tf.image.convert_image_dtype(
                tf.cast(x * scale(source), source), target, saturate
            ),
            (between(0.0, 0.99, 3, 4),),
            order=0,
            dtypes=("float64",),
            rtol=IN_FLOAT32,
        )
        for source, target, saturate in [
            ("uint8", "float32", False),
            ("uint8", "float16", False),
            ("uint8", "int16", False),
            ("uint8", "int32", True),
            ("int16", "uint8", False),
            ("int32", "int8", True),
            ("float32", "uint8", True),
            ("float32", "int16", False),
            ("float64", "float32", False),
            ("float32", "float32", False),
        ]
    ],
    # -- measures --
    Case("total_variation", lambda tf, x: tf.image.total_variation(x), (anything(2, 4, 5, 3),)),
    Case(
        "total_variation one image",
        lambda tf, x: tf.image.total_variation(x),
        (anything(4, 5, 3),),
        dtypes=("float32", "float64"),
    ),
    Case("total_variation flat", lambda tf, x: tf.image.total_variation(x), (np.zeros((3, 3, 1)),), order=0),
    Case("image_gradients", lambda tf, x: tf.image.image_gradients(x), (anything(2, 4, 5, 3),), dtypes=FLOATS),
    Case("sobel_edges", lambda tf, x: tf.image.sobel_edges(x), (anything(2, 4, 5, 3),), dtypes=FLOATS),
    single("psnr", lambda tf, a, b: tf.image.psnr(a, b, 1.5), anything(2, 4, 5, 3), anything(2, 4, 5, 3)),
    single("psnr broadcast", lambda tf, a, b: tf.image.psnr(a, b, 1.0), anything(2, 4, 5, 3), anything(4, 5, 3)),
    single("psnr equal", lambda tf, a: tf.image.psnr(a, a, 1.0), anything(4, 5, 3)),
    single("ssim", lambda tf, a, b: tf.image.ssim(a, b, 1.0), colours(2, 12, 13, 2), colours(2, 12, 13, 2)),
    single(
        "ssim small filter",
        lambda tf, a, b: tf.image.ssim(a, b, 2.0, filter_size=4, filter_sigma=0.8, k1=0.02, k2=0.05),
        colours(3, 6, 7, 1),
        colours(1, 6, 7, 1),
    ),
    single(
        "ssim map",
        lambda tf, a, b: tf.image.ssim(a, b, 1.0, filter_size=3, return_index_map=True),
        colours(2, 6, 7, 2),
        colours(2, 6, 7, 2),
    ),
    single(
        "ssim_multiscale",
        lambda tf, a, b: tf.image.ssim_multiscale(a, 0.8 * a + 0.2 * b, 1.0, (0.3, 0.4, 0.3), filter_size=5),
        colours(2, 21, 23, 2),
        colours(2, 21, 23, 2),
        # Small differences of large sums; the powers of scores near 0 have steep slopes.
        rtol={"float32": 1e-3, "float64": 1e-3},
    ),
    # -- patches --
    *[
        Case(
            f"extract_patches {sizes} {strides} {rates} {padding}",
            lambda tf, x, s=sizes, t=strides, r=rates, p=padding: tf.image.extract_patches(
                x, [1, *s, 1], [1, *t, 1], [1, *r, 1], p
            ),
            (anything(2, 5, 6, 3),),
        )
        for sizes, strides, rates, padding in [
            ((2, 3), (1, 1), (1, 1), "VALID"),
            ((3, 3), (2, 2), (1, 1), "SAME"),
            ((2, 3), (1, 2), (2, 1), "SAME"),
            ((1, 1), (3, 4), (1, 1), "VALID"),
            ((2, 2), (4, 4), (1, 1), "SAME"),
            ((5, 6), (1, 1), (1, 1), "VALID"),
        ]
    ],
    Case(
        "extract_patches empty",
        lambda tf, x: tf.image.extract_patches(x, [1, 5, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
        (anything(1, 4, 4, 2),),
        order=0,
    ),
    Case(
        "extract_volume_patches",
        lambda tf, x: tf.extract_volume_patches(x, [1, 2, 3, 2, 1], [1, 1, 2, 1, 1], "SAME"),
        (anything(2, 3, 4, 3, 2),),
        dtypes=FLOATS,
    ),
    Case(
        "extract_volume_patches apart",
        lambda tf, x: tf.extract_volume_patches(x, [1, 1, 2, 1, 1], [1, 3, 3, 2, 1], "SAME"),
        (anything(1, 5, 3, 6, 2),),
    ),
    Case(
        "extract_volume_patches valid",
        lambda tf, x: tf.extract_volume_patches(x, [1, 2, 2, 1, 1], [1, 1, 2, 2, 1], "VALID"),
        (anything(1, 3, 4, 3, 1),),
    ),
]


def scale(dtype):
    """What makes of numbers in [0, 1) ones that fill a dtype."""
    return float(np.iinfo(dtype).max) if dtype.startswith(("int", "uint")) else 1.0


def _image(tf, *shape):
    return tf.ones(shape or (1, 4, 4, 3))


PICTURE = np.linspace(0.1, 0.9, 48).reshape(4, 4, 3)
ONES = [1, 1, 1, 1]

BAD_INPUT = [
    BadInput(
        "projective transform of one image",
        lambda tf: _project(tf, images=tf.ones((3, 3, 1))),
        "images must be 4-dimensional",
        tensorflow=False,
    ),
    BadInput(
        "projective transform of 9 numbers",
        lambda tf: _project(tf, transforms=tf.ones((1, 9))),
        "num_images x 8 or 1 x 8",
    ),
    BadInput(
        "projective transform to three sizes",
        lambda tf: _project(tf, output_shape=[1, 2, 3]),
        "output_shape must be two positive sizes",
        tensorflow=False,
    ),
    BadInput(
        "projective transform by another name",
        lambda tf: _project(tf, interpolation="CUBIC"),
        "interpolation",
        tensorflow=False,
    ),
    BadInput(
        "projective transform of bools",
        lambda tf: _project(tf, images=tf.ones((1, 3, 3, 1), tf.bool)),
        "attr 'dtype' of bool",
    ),
    BadInput("resize to nothing", lambda tf: tf.image.resize(_image(tf), (0, 3)), "output dimensions must be positive"),
    BadInput(
        "resize of nothing",
        lambda tf: tf.image.resize(_image(tf, 1, 0, 4, 3), (2, 3)),
        "input image must be of non-zero size",
    ),
    BadInput(
        "resize no channels",
        lambda tf: tf.image.resize(_image(tf, 1, 4, 4, 0), (2, 3)),
        "image must have at least one channel",
    ),
    BadInput(
        "resize bool", lambda tf: tf.image.resize(tf.ones((1, 4, 4, 2), tf.bool), (2, 3)), "Value for attr 'T' of bool"
    ),
    BadInput(
        "resize method",
        lambda tf: tf.image.resize(_image(tf), (2, 3), "foo"),
        "Resize method is not implemented: foo",
        ValueError,
    ),
    BadInput(
        "resize rank",
        lambda tf: tf.image.resize(_image(tf)[0, 0], (2, 3)),
        "'images' must have either 3 or 4 dimensions.",
        ValueError,
    ),
    BadInput(
        "resize size of three",
        lambda tf: tf.image.resize(_image(tf), (2, 3, 4)),
        "'size' must be a 1-D Tensor of 2 elements",
        ValueError,
    ),
    BadInput(
        "resize size of floats",
        lambda tf: tf.image.resize(_image(tf), (2.0, 3.0)),
        "'size' must be a 1-D int32 Tensor",
        ValueError,
    ),
    *[
        BadInput(
            f"no gradient of {op_name}",
            lambda tf, function=function: gradient_in_float32(tf, lambda x: function(tf, x), PICTURE),
            f"gradient registry has no entry for: {op_name}",
            LookupError,
        )
        for op_name, function in [
            ("ResizeArea", lambda tf, x: tf.image.resize(x, (2, 2), "area")),
            ("AdjustContrastv2", lambda tf, x: tf.image.adjust_contrast(x, 2.0)),
            ("AdjustSaturation", lambda tf, x: tf.image.adjust_saturation(x, 2.0)),
            ("AdjustHue", lambda tf, x: tf.image.adjust_hue(x, 0.2)),
        ]
    ],
    BadInput(
        "flip rank",
        lambda tf: tf.image.flip_left_right(tf.ones((3, 3))),
        "must be at least three-dimensional",
        ValueError,
    ),
    BadInput(
        "flip of nothing",
        lambda tf: tf.image.flip_up_down(tf.ones((0, 3, 1))),
        "inner 3 dims of 'image.shape' must be > 0",
        ValueError,
    ),
    BadInput(
        "rot90 rank",
        lambda tf: tf.image.rot90(tf.ones((1, 1, 3, 3, 1))),
        "must have either 3 or 4 dimensions",
        ValueError,
    ),
    BadInput(
        "crop outside",
        lambda tf: tf.image.crop_to_bounding_box(_image(tf), 2, 2, 3, 2),
        "height must be >= target + offset.",
        ValueError,
    ),
    BadInput(
        "crop before",
        lambda tf: tf.image.crop_to_bounding_box(_image(tf), -2, 2, 3, 2),
        "offset_height must be >= 0.",
        ValueError,
    ),
    BadInput(
        "pad too small",
        lambda tf: tf.image.pad_to_bounding_box(_image(tf), 2, 2, 3, 2),
        "width must be <= target - offset",
        ValueError,
    ),
    BadInput(
        "central_crop of nothing",
        lambda tf: tf.image.central_crop(_image(tf), 0),
        "central_fraction must be within (0, 1]",
        ValueError,
    ),
    BadInput("central_crop rank", lambda tf: tf.image.central_crop(_image(tf)[None], 0.4), "Had rank = 5", ValueError),
    BadInput(
        "random_crop too large",
        lambda tf: tf.image.random_crop(_image(tf), [1, 5, 2, 3]),
        "Need value.shape >= size, got ",
    ),
    BadInput(
        "gamma negative", lambda tf: tf.image.adjust_gamma(_image(tf), -1), "Gamma should be a non-negative", ValueError
    ),
    BadInput(
        "hue too far",
        lambda tf: tf.image.adjust_hue(_image(tf), 2.0),
        "delta must be in the interval [-1, 1]",
        ValueError,
    ),
    BadInput(
        "hue of two channels",
        lambda tf: tf.image.adjust_hue(_image(tf)[..., :2], 0.2),
        "input must have 3 channels but instead has 2 channels.",
    ),
    BadInput(
        "contrast rank",
        lambda tf: tf.image.adjust_contrast(_image(tf)[0, 0], 0.2),
        "input must be at least 3-D, got shape[4,3]",
    ),
    BadInput(
        "hsv of two channels",
        lambda tf: tf.image.rgb_to_hsv(_image(tf)[..., :2]),
        "input must have 3 channels but input only has 2",
        "FailedPreconditionError",
    ),
    BadInput(
        "hsv of integers", lambda tf: tf.image.rgb_to_hsv(tf.ones((2, 3), tf.int32)), "Value for attr 'T' of int32"
    ),
    BadInput(
        "grayscale of three",
        lambda tf: tf.image.grayscale_to_rgb(_image(tf)),
        "Last dimension of a grayscale image should be size 1.",
        ValueError,
    ),
    BadInput(
        "convert_image_dtype to bool",
        lambda tf: tf.image.convert_image_dtype(_image(tf), tf.bool),
        "dtype must be either floating point or integer",
        AttributeError,
    ),
    BadInput(
        "random_brightness negative",
        lambda tf: tf.image.random_brightness(_image(tf), -1),
        "max_delta must be non-negative.",
        ValueError,
    ),
    BadInput(
        "random_hue too far", lambda tf: tf.image.random_hue(_image(tf), 0.6), "max_delta must be <= 0.5.", ValueError
    ),
    BadInput(
        "random_contrast range",
        lambda tf: tf.image.random_contrast(_image(tf), 1, 0.5),
        "upper must be > lower.",
        ValueError,
    ),
    BadInput(
        "psnr shapes",
        lambda tf: tf.image.psnr(_image(tf), _image(tf)[:, :3], 1.0),
        "Incompatible shapes: [1,4,4,3] vs. [1,3,4,3]",
    ),
    BadInput("ssim too small", lambda tf: tf.image.ssim(_image(tf), _image(tf), 1.0), "to be true. Summarized data:"),
    BadInput(
        "ssim batches",
        lambda tf: tf.image.ssim(_image(tf, 2, 14, 14, 3), _image(tf, 3, 14, 14, 3), 1.0),
        "Two images are not compatible",
        ValueError,
    ),
    BadInput(
        "total_variation rank",
        lambda tf: tf.image.total_variation(_image(tf)[0, 0]),
        "'images' must be either 3 or 4-dimensional.",
        ValueError,
    ),
    BadInput(
        "image_gradients rank",
        lambda tf: tf.image.image_gradients(_image(tf)[0]),
        "image_gradients expects a 4D tensor",
        ValueError,
    ),
    BadInput(
        "sobel_edges of a pixel",
        lambda tf: tf.image.sobel_edges(_image(tf, 1, 1, 1, 1)),
        "paddings must be less than the dimension size",
    ),
    BadInput(
        "sobel_edges of integers",
        lambda tf: tf.image.sobel_edges(tf.ones((1, 3, 3, 1), tf.int32)),
        "Value for attr 'T' of int32",
    ),
    BadInput(
        "extract_patches padding",
        lambda tf: tf.image.extract_patches(_image(tf), [1, 2, 2, 1], ONES, ONES, "same"),
        "Value for attr 'padding' of \"same\"",
    ),
    BadInput(
        "extract_patches sizes",
        lambda tf: tf.image.extract_patches(_image(tf), [2, 2], ONES, ONES, "SAME"),
        "Length for attr 'ksizes' of 2 must be at least minimum 4",
    ),
    BadInput(
        "extract_patches over the batch",
        lambda tf: tf.image.extract_patches(_image(tf), [2, 2, 2, 1], ONES, ONES, "SAME"),
        "Only support ksizes across space",
        "UnimplementedError",
    ),
    BadInput(
        "extract_patches stride 0",
        lambda tf: tf.image.extract_patches(_image(tf), [1, 2, 2, 1], [1, 0, 1, 1], ONES, "SAME"),
        "strides is out of range",
        "OutOfRangeError",
    ),
    BadInput(
        "extract_patches window too large",
        lambda tf: tf.image.extract_patches(_image(tf), [1, 6, 2, 1], ONES, ONES, "VALID"),
        "Computed output size would be negative: -1",
    ),
    BadInput(
        "extract_patches rank",
        lambda tf: tf.image.extract_patches(_image(tf)[0], [1, 2, 2, 1], ONES, ONES, "SAME"),
        "input must be 4-dimensional[4,4,3]",
    ),
    BadInput(
        "extract_volume_patches rank",
        lambda tf: tf.extract_volume_patches(_image(tf), [1, 2, 2, 2, 1], [1] * 5, "SAME"),
        "input must be 5-dimensional",
    ),
    BadInput(
        "crop_and_resize columns",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[0.0, 0, 1]], [0], (2, 2)),
        "boxes must have 4 columns",
    ),
    BadInput(
        "crop_and_resize rank of indices",
        lambda tf: tf.image.crop_and_resize(_image(tf), tf.zeros([0, 4]), tf.zeros([0, 1], tf.int32), (2, 2)),
        "box_indices must be rank 1 but is shape [0,1]",
    ),
    BadInput(
        "crop_and_resize of no number",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[float("inf"), 0.0, 1, 1]], [0], (2, 2)),
        "Boxes contains at least one element that is not finite",
    ),
    BadInput(
        "crop_and_resize to a huge size",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[0.0, 0, 1, 1]] * 11, [0] * 11, (2065374891, 1145309325)),
        "Encountered overflow when multiplying 22719123801 with 1145309325, result: -1",
    ),
    BadInput(
        "crop_and_resize index",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[0.0, 0, 1, 1]], [1], (2, 2)),
        "box_index has values outside [0, batch_size)",
        "OutOfRangeError",
    ),
    BadInput(
        "crop_and_resize method",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[0.0, 0, 1, 1]], [0], (2, 2), "foo"),
        "Value for attr 'method' of \"foo\"",
    ),
    BadInput(
        "crop_and_resize size",
        lambda tf: tf.image.crop_and_resize(_image(tf), [[0.0, 0, 1, 1]], [0], (0, 2)),
        "crop dimensions must be positive",
    ),
]
