"""Pooling: the maximum or the mean of windows that slide over an input."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import integer_list, items
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import reshape
from whygrad.ops.traits import Selects, Traits
from whygrad.ops.windows import (
    FORMATS,
    Windows,
    channels_last_batch,
    check_allowed,
    explicit_padding,
    in_space,
    is_channels_last,
    lay,
    seems_channels_last,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, UnimplementedError, invalid
from whygrad.values.faults import DtypeNotAllowed, ImageRank
from whygrad.values.tensor import Tensor

Sizes = tuple[int, ...]


def _max_pool_rule(
    xp: Any, g: Any, x: Any, y: Any, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, ties: str
) -> Any:
    return xp.max_pool_spread(g, x, y, window=window, strides=strides, offsets=offsets, dilations=dilations, ties=ties)


_max_pool = Primitive(
    "max_pool",
    lambda xp, x, *, window, strides, offsets, dilations, sizes, ties: xp.max_pool(
        x, window=window, strides=strides, offsets=offsets, dilations=dilations, sizes=sizes
    ),
    vjp=_max_pool_rule,
    op_name="MaxPool",
    traits=Traits(piecewise_linear=True),
)


def _gathering_rule(
    xp: Any, g: Any, x: Any, y: Any, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes, ties: str
) -> Any:
    return xp.max_pool_gather(g, x, y, window=window, strides=strides, offsets=offsets, dilations=dilations, ties=ties)


def _nothing(xp: Any, g: Any, x_shape: Sizes, x_dtype: Any) -> Any:
    """Zero: the position of the maximum does not change under a small step."""
    return xp.zeros(x_shape, x_dtype)


_max_pool_spread = Primitive(
    "max_pool_spread",
    "max_pool_spread",
    inputs=("values", "x", "y_of_x"),
    vjp=(
        lambda xp, g, x, y_of_x, window, strides, offsets, dilations, ties: _gathering_rule(
            xp, g, x, y_of_x, window, strides, offsets, dilations, ties
        ),
        _nothing,
        None,
    ),
    op_name="MaxPoolGrad",
)
_max_pool_gather = Primitive(
    "max_pool_gather",
    "max_pool_gather",
    inputs=("values", "x", "y_of_x"),
    vjp=(
        lambda xp, g, x, y_of_x, window, strides, offsets, dilations, ties: _max_pool_rule(
            xp, g, x, y_of_x, window, strides, offsets, dilations, ties
        ),
        _nothing,
        None,
    ),
    op_name="MaxPoolGradGrad",
    traits=Traits(selects=Selects.PLACES),
)


def _avg_pool_rule(
    xp: Any, g: Any, x_shape: Sizes, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.avg_pool_spread(g, window=window, strides=strides, offsets=offsets, dilations=dilations, shape=x_shape)


def _avg_pool_spread_rule(
    xp: Any, g: Any, values_shape: Sizes, window: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.avg_pool(
        g, window=window, strides=strides, offsets=offsets, dilations=dilations, sizes=values_shape[1:-1]
    )


_avg_pool = Primitive("avg_pool", "avg_pool", inputs=("x",), vjp=_avg_pool_rule, op_name="AvgPool")
_avg_pool_spread = Primitive(
    "avg_pool_spread", "avg_pool_spread", inputs=("values",), vjp=_avg_pool_spread_rule, op_name="AvgPoolGrad"
)

_ALLOWED = {
    "MaxPool": "half, bfloat16, float, double, int32, int64, uint8, int16, int8, uint16",
    "AvgPool": "half, bfloat16, float, double",
    "MaxPool3D": "half, bfloat16, float, double",
    "AvgPool3D": "half, bfloat16, float, double",
}


@export("nn.max_pool")
def max_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The maximum of each window, over one to three spatial axes according to the input's rank; see `max_pool2d`.

    >>> import whygrad as tf
    >>> tf.reshape(tf.nn.max_pool(tf.reshape([1.0, 3.0, 2.0, 5.0], (1, 4, 1)), 2, 2, "VALID"), -1).numpy()
    array([3., 5.], dtype=float32)
    """
    x = convert(input, None)
    space = _space_of(x)
    if space == 3 and isinstance(padding, list | tuple):
        raise OpValueError(
            f"Explicit padding is not supported with an input tensor of rank 5. Received: padding={padding}"
        )
    return _pool("MAX", x, ksize, strides, padding, data_format, space)


@export("nn.max_pool1d")
def max_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NWC", name: str | None = None
) -> Tensor:
    """The maximum of each window of `input` [batch, width, channels]; see `max_pool2d`.

    >>> import whygrad as tf
    >>> tf.nn.max_pool1d(tf.ones((1, 5, 2)), ksize=3, strides=2, padding="SAME").shape
    TensorShape([1, 3, 2])
    """
    return _pool("MAX", convert(input, None), ksize, strides, padding, data_format, 1)


@export("nn.max_pool2d")
def max_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """The maximum of each window of `input` [batch, height, width, channels].

    `ksize` and `strides` are one number, two, or four; `padding` is "SAME", "VALID" or a list with a pair for each axis. The
    gradient goes to the maximum; to the first of several.

    >>> import whygrad as tf
    >>> x = tf.reshape(tf.range(16.0), (1, 4, 4, 1))
    >>> tf.reshape(tf.nn.max_pool2d(x, ksize=2, strides=2, padding="VALID"), (2, 2)).numpy()
    array([[ 5.,  7.],
           [13., 15.]], dtype=float32)
    """
    return _pool("MAX", convert(input, None), ksize, strides, padding, data_format, 2)


@export("nn.max_pool3d")
def max_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The maximum of each window of `input` [batch, depth, height, width, channels].

    The gradient goes to the maximum; in full to each of several (as in TensorFlow, in 3-D only).

    >>> import whygrad as tf
    >>> tf.nn.max_pool3d(tf.ones((1, 4, 4, 4, 2)), ksize=2, strides=2, padding="VALID").shape
    TensorShape([1, 2, 2, 2, 2])
    """
    return _pool("MAX", convert(input, None), ksize, strides, padding, data_format, 3)


@export("nn.avg_pool")
def avg_pool(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """The mean of each window, over one to three spatial axes according to the input's rank; see `avg_pool2d`.

    >>> import whygrad as tf
    >>> tf.reshape(tf.nn.avg_pool(tf.reshape([1.0, 3.0, 2.0, 5.0], (1, 4, 1)), 2, 2, "VALID"), -1).numpy()
    array([2. , 3.5], dtype=float32)
    """
    x = convert(input, None)
    return _pool("AVG", x, ksize, strides, padding, data_format, _space_of(x))


@export("nn.avg_pool1d")
def avg_pool1d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NWC", name: str | None = None
) -> Tensor:
    """The mean of each window of `input` [batch, width, channels]; see `avg_pool2d`.

    >>> import whygrad as tf
    >>> tf.nn.avg_pool1d(tf.ones((1, 5, 2)), ksize=3, strides=2, padding="SAME").shape
    TensorShape([1, 3, 2])
    """
    return _pool("AVG", convert(input, None), ksize, strides, padding, data_format, 1)


@export("nn.avg_pool2d")
def avg_pool2d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of `input` [batch, height, width, channels]; padding does not count.

    `ksize` and `strides` are one number, two, or four; `padding` is "SAME" or "VALID".

    >>> import whygrad as tf
    >>> x = tf.reshape(tf.range(16.0), (1, 4, 4, 1))
    >>> tf.reshape(tf.nn.avg_pool2d(x, ksize=2, strides=2, padding="VALID"), (2, 2)).numpy()
    array([[ 2.5,  4.5],
           [10.5, 12.5]], dtype=float32)
    """
    return _pool("AVG", convert(input, None), ksize, strides, padding, data_format, 2)


@export("nn.avg_pool3d")
def avg_pool3d(
    input: Any, ksize: Any, strides: Any, padding: Any, data_format: str | None = "NDHWC", name: str | None = None
) -> Tensor:
    """The mean of each window of `input` [batch, depth, height, width, channels]; see `avg_pool2d`.

    >>> import whygrad as tf
    >>> tf.nn.avg_pool3d(tf.ones((1, 4, 4, 4, 2)), ksize=2, strides=2, padding="VALID").shape
    TensorShape([1, 2, 2, 2, 2])
    """
    return _pool("AVG", convert(input, None), ksize, strides, padding, data_format, 3)


@export("nn.pool")
def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool` or `avg_pool` for `pooling_type` "MAX" or "AVG", with windows that may be dilated by `dilations`.

    >>> import whygrad as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], (1, 4, 1))
    >>> tf.reshape(tf.nn.pool(x, [2], "MAX", dilations=[2]), -1).numpy()
    array([2., 5.], dtype=float32)
    """
    x = convert(input, None)
    window_shape = integer_list(items(window_shape, "window_shape"), "window_shape")
    space = len(window_shape)
    if space not in FORMATS:
        raise OpValueError(
            f"`len(window_shape)` must be 1, 2, or 3. Received: window_shape={window_shape} of length {space}"
        )
    if len(x.shape) != space + 2:
        raise OpValueError(f"Shape {tuple(x.shape)} must have rank {space + 2}")
    given = [
        (None if sizes is None else integer_list(items(sizes, what), what), what)
        for sizes, what in ((strides, "strides"), (dilations, "dilations"))
    ]
    for sizes, what in given:
        if sizes is not None and len(sizes) != space:
            raise OpValueError(f"`len({what})` must be {space}. Received: {what}={sizes} of length {len(sizes)}")
    strides, apart = given[0][0], tuple(given[1][0] or (1,) * space)
    if any(each < 1 for each in apart):
        raise OpValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate={list(apart)}")
    if strides is not None and max(strides) > 1 and max(apart) > 1:
        raise OpValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
            f"Received: strides={list(strides)} and dilation_rate={list(apart)}"
        )
    if isinstance(padding, str) and padding == "SAME" and max(apart) > 1:
        raise OpValueError(
            "pooling with 'SAME' padding is not implemented for `dilation_rate` > 1. "
            f"Received: padding={padding} and dilation_rate={list(apart)}"
        )
    if not isinstance(pooling_type, str) or pooling_type not in ("MAX", "AVG"):
        raise OpValueError(f"{space}-D {pooling_type} pooling is not supported.")
    return _pool(pooling_type, x, window_shape, strides, padding, data_format, space, apart)


@export("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`max_pool2d`, and the index of each maximum: `(row * width + column) * channels + channel`.

    With `include_batch_in_index` the index counts across images too.

    >>> import whygrad as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], (1, 2, 2, 1))
    >>> y, argmax = tf.nn.max_pool_with_argmax(x, 2, 2, "VALID")
    >>> y.numpy().item(), argmax.numpy().item()
    (5.0, 1)
    """
    if not isinstance(data_format, str) or data_format != "NHWC":
        raise OpValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    wanted = dtypes.as_dtype(output_dtype)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise invalid(
            DtypeNotAllowed(dtype=wanted, allowed=("int32", "int64"), attribute="Targmax", op="MaxPoolWithArgmax")
        )
    x = convert(input, None)
    y = _pool("MAX", x, ksize, strides, padding, data_format, 2, takes_lists=False)
    window, windows = _windows(x, ksize, strides, padding, True, 2, (1, 1), "MaxPoolWithArgmax", False)
    places = apply(
        _max_pool_places, x, y, window=window, by_batch=include_batch_in_index, dtype=wanted, **windows.placement()
    )
    return y, places


def _places_forward(xp: Any, x: Any, y: Any, *, by_batch: bool, dtype: Any, **windows: Any) -> Any:
    places = xp.max_pool_places(x, y, **windows)
    if by_batch:
        image = places.size and x.size // x.shape[0]
        places = places + image * xp.arange(x.shape[0]).reshape(-1, 1, 1, 1)
    return places.astype(dtype.numpy_dtype)


_max_pool_places = Primitive(
    "max_pool_places",
    _places_forward,
    inputs=("x", "y"),
    no_gradient="the places of the largest elements are integers: they do not change under a small step",
    op_name="MaxPoolWithArgmax",
)


def _space_of(x: Tensor) -> int:
    space = len(x.shape) - 2
    if space not in FORMATS:
        raise OpValueError(
            f"`input.shape.rank` must be 3, 4 or 5. Received: input.shape={tuple(x.shape)} of rank {space + 2}."
        )
    return space


def _pool(
    kind: str,
    x: Tensor,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    space: int,
    dilations: Sizes = (),
    takes_lists: bool = True,
) -> Tensor:
    op_name = kind.title() + "Pool" + "3D" * (space == 3)
    channels_last = seems_channels_last(data_format)
    takes_lists = takes_lists and kind == "MAX" and space < 3
    if not x._array.ndim:
        _check_image_rank(x, space, op_name)
    in_depth = _depth_window(x, ksize, strides, channels_last, space, op_name) if kind == "MAX" and space == 2 else 1
    if in_depth > 1:
        in_strides, _ = in_space(strides, space, channels_last, "strides")
        return _pool_in_depth(_pool(kind, x, 1, in_strides, padding, data_format, space), in_depth)
    is_last = is_channels_last(data_format, space, op_name)
    window, windows = _windows(x, ksize, strides, padding, is_last, space, dilations, op_name, takes_lists)
    check_allowed(x, _ALLOWED[op_name], op_name)
    flat, undo = channels_last_batch(x, space, is_last)
    if kind == "AVG":
        return undo(apply(_avg_pool, flat, window=window, sizes=windows.sizes, **windows.placement()))
    ties = "all" if space == 3 else "first"
    return undo(apply(_max_pool, flat, window=window, sizes=windows.sizes, ties=ties, **windows.placement()))


def _windows(
    x: Tensor,
    ksize: Any,
    strides: Any,
    padding: Any,
    channels_last: bool,
    space: int,
    dilations: Sizes,
    op_name: str,
    takes_lists: bool,
) -> tuple[Sizes, Windows]:
    """The window, and its layout over x; raises for unsupported arguments."""
    window, other_sizes = in_space(ksize, space, channels_last, "ksize")
    step, other_strides = in_space(strides, space, channels_last, "strides")
    pads = explicit_padding(padding, space, channels_last, op_name, takes_lists=takes_lists)
    _check_image_rank(x, space, op_name)
    if min(window) <= 0:
        whole = ",".join(str(size) for size in (1, *window, 1))
        raise invalid(
            f"Sliding window ksize must be positive. The specified or inferred ksize is: {whole} [Op:{op_name}]"
        )
    if min(step) <= 0:
        raise invalid(f"Stride must be > 0, but got {min(step)} [Op:{op_name}]")
    for i, axis in enumerate(("batch", "depth")):
        if other_sizes[i] != 1 or other_strides[i] != 1:
            raise UnimplementedError(
                None, None, f"Pooling is not yet supported on the {axis} dimension. [Op:{op_name}]"
            )
    if not isinstance(pads, str):
        for pair, size, sides in zip(pads, window, (("Top", "Bottom"), ("Left", "Right"))):
            for amount, side in zip(pair, sides):
                if amount >= size:
                    raise invalid(
                        f"{side} padding {amount} needs to be smaller than the window size {size} [Op:{op_name}]"
                    )
    sizes = tuple(x.shape[1:-1] if channels_last else x.shape[2:])
    return window, lay(sizes, window, step, dilations or (1,) * space, pads, op_name)


def _check_image_rank(x: Tensor, space: int, op_name: str) -> None:
    if len(x.shape) != space + 2:
        what = "tensor_in must be 5-dimensional" if space == 3 else "tensor_in_shape must have 2 spatial dimensions."
        wording = f"{what} Received: {{shape}}, of rank {{rank}}"
        raise invalid(ImageRank(shape=x._array.shape, wanted=space + 2, op=op_name, wording=wording))


def _depth_window(x: Tensor, ksize: Any, strides: Any, channels_last: bool, space: int, op_name: str) -> int:
    """The number of channels in a window, if pooling is over channels rather than space; else 1."""
    window, (_, depth) = in_space(ksize, space, channels_last, "ksize")
    _, (_, step) = in_space(strides, space, channels_last, "strides")
    if depth == 1 or not channels_last:
        return 1
    if window != (1, 1):
        raise UnimplementedError(
            None,
            None,
            f"MaxPooling supports exactly one of pooling across depth or pooling across width/height. [Op:{op_name}]",
        )
    if depth <= 0 or x.shape[-1] % depth:
        raise UnimplementedError(
            None,
            None,
            f"Depthwise max pooling requires the depth window to evenly divide the input depth [Op:{op_name}]",
        )
    if step != depth:
        raise UnimplementedError(
            None, None, f"Depthwise max pooling requires the depth window to equal the depth stride [Op:{op_name}]"
        )
    return depth


def _pool_in_depth(x: Tensor, depth: int) -> Tensor:
    """The maximum of every `depth` channels, with the channels as a spatial axis."""
    *outer, channels = x.shape
    rows = reshape(x, (-1 if x.shape.num_elements() else 0, channels, 1))
    pooled = apply(
        _max_pool,
        rows,
        window=(depth,),
        strides=(depth,),
        offsets=(0,),
        dilations=(1,),
        sizes=(channels // depth,),
        ties="first",
    )
    return reshape(pooled, (*outer, channels // depth))
