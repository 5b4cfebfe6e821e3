"""Extract windows of images and volumes."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import word
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.windows import lay, required_int_list
from whygrad.values.conversion import convert
from whygrad.values.errors import OutOfRangeError, UnimplementedError, invalid
from whygrad.values.faults import ImageRank
from whygrad.values.tensor import Tensor

Sizes = tuple[int, ...]

_patches = Primitive(
    "patches",
    "patches",
    inputs=("x",),
    vjp=lambda xp, g, x_shape, window, strides, offsets, dilations, sizes: xp.patches_transpose(
        g, window=window, strides=strides, offsets=offsets, dilations=dilations, sizes=sizes, shape=x_shape
    ),
)
_patches_transpose = Primitive(
    "patches_transpose",
    "patches_transpose",
    inputs=("x",),
    vjp=lambda xp, g, window, strides, offsets, dilations, sizes: xp.patches(
        g, window=window, strides=strides, offsets=offsets, dilations=dilations, sizes=sizes
    ),
)


@export("image.extract_patches")
def extract_patches(images: Any, sizes: Any, strides: Any, rates: Any, padding: str, name: str | None = None) -> Tensor:
    """Every window of a batch of images, flattened into the last axis: [batch, rows, columns, window and channels].

    `sizes`, `strides` and `rates` (the dilation of a window) are lists of four, 1 for batch and channels.

    >>> import whygrad as tf
    >>> image = tf.reshape(tf.range(9), (1, 3, 3, 1))
    >>> tf.image.extract_patches(image, [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID")[0, 1, 1].numpy()
    array([4, 5, 7, 8], dtype=int32)
    """
    return _extracted(images, {"ksizes": sizes, "strides": strides, "rates": rates}, padding, 2, "ExtractImagePatches")


@export("extract_volume_patches")
def extract_volume_patches(input: Any, ksizes: Any, strides: Any, padding: str, name: str | None = None) -> Tensor:
    """Every window of a batch of volumes, flattened into the last axis; see `image.extract_patches`.

    >>> import whygrad as tf
    >>> tf.extract_volume_patches(tf.ones((1, 3, 3, 3, 2)), [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 2, 16])
    """
    return _extracted(input, {"ksizes": ksizes, "strides": strides}, padding, 3, "ExtractVolumePatches")


def _extracted(value: Any, windows: dict[str, Any], padding: str, space: int, op_name: str) -> Tensor:
    x = convert(value, None)
    lists = {name: required_int_list(given, name, op_name) for name, given in windows.items()}
    for name, given in lists.items():
        if len(given) < space + 2:
            raise invalid(
                f"Length for attr '{name}' of {len(given)} must be at least minimum {space + 2} [Op:{op_name}]"
            )
    word(padding, "padding", ("SAME", "VALID"), op_name)
    for name, given in lists.items():
        if (given[0], given[-1]) != (1, 1):
            raise UnimplementedError(None, None, f"Only support {name} across space. [Op:{op_name}]")
        if min(given) < 1:
            raise OutOfRangeError(None, None, f"{name} is out of range. [Op:{op_name}]")
    if x.ndim != space + 2:
        wording = "input must be {wanted}-dimensional{shape}"
        raise invalid(ImageRank(shape=x._array.shape, wanted=space + 2, op=op_name, wording=wording))
    inner = {name: tuple(given[1:-1]) for name, given in lists.items()}
    window, strides, rates = inner["ksizes"], inner["strides"], inner.get("rates", (1,) * space)
    laid = lay(tuple(x.shape[1:-1]), window, strides, rates, padding, op_name)
    if space == 3 and padding == "SAME":
        # In volumes TensorFlow centres the windows if strides leave elements out; in images it leaves them out at the end.
        spare = [(n - 1) * s + k - size for n, s, k, size in zip(laid.sizes, strides, window, x.shape[1:-1])]
        laid = laid._replace(offsets=tuple([-(-each // 2) if each < 0 else each // 2 for each in spare]))
    return apply(_patches, x, window=window, sizes=laid.sizes, **laid.placement())
