"""Convolutions over one to three axes of space, and their transposes.

Three primitives, each linear in both its inputs, and each the rule of the others: `conv`, its transpose in the input and its
transpose in the filters. So a gradient of any order is made of the same three kernels.
"""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Primitive, apply, check_same_dtype, convert_operands
from whygrad.ops.windows import (
    channels_last_batch,
    check_allowed,
    check_dilations,
    check_rank,
    check_strides,
    explicit_padding,
    in_space,
    is_channels_last,
    lay,
    whole_list,
)
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

Sizes = tuple[int, ...]


def _input_rule(xp: Any, g: Any, w: Any, x_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Any:
    return xp.conv_input(g, w, strides=strides, offsets=offsets, dilations=dilations, shape=x_shape)


def _filters_rule(xp: Any, g: Any, x: Any, w_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Any:
    return xp.conv_filters(x, g, strides=strides, offsets=offsets, dilations=dilations, shape=w_shape)


_conv = Primitive("conv", "conv", inputs=("x", "w"), vjp=(_input_rule, _filters_rule), op_name="Conv2D")


def _input_result_rule(
    xp: Any, g: Any, w: Any, result_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.conv(g, w, strides=strides, offsets=offsets, dilations=dilations, sizes=result_shape[1:-1])


def _input_filters_rule(
    xp: Any, g: Any, result: Any, w_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.conv_filters(g, result, strides=strides, offsets=offsets, dilations=dilations, shape=w_shape)


_conv_input = Primitive(
    "conv_input",
    "conv_input",
    inputs=("result", "w"),
    vjp=(_input_result_rule, _input_filters_rule),
    op_name="Conv2DBackpropInput",
)


def _filters_input_rule(
    xp: Any, g: Any, result: Any, x_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.conv_input(result, g, strides=strides, offsets=offsets, dilations=dilations, shape=x_shape)


def _filters_result_rule(
    xp: Any, g: Any, x: Any, result_shape: Sizes, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.conv(x, g, strides=strides, offsets=offsets, dilations=dilations, sizes=result_shape[1:-1])


_conv_filters = Primitive(
    "conv_filters",
    "conv_filters",
    inputs=("x", "result"),
    vjp=(_filters_input_rule, _filters_result_rule),
    op_name="Conv2DBackpropFilter",
)

_OP_NAMES = {1: "Conv2D", 2: "Conv2D", 3: "Conv3D"}  # TensorFlow's own conv1d is its Conv2D
_ALLOWED = {
    1: "half, bfloat16, float, double, int32",
    2: "half, bfloat16, float, double, int32",
    3: "half, bfloat16, float, double",
}


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution along one axis: `input` [..., width, channels] with `filters` [width, channels, out_channels].

    `padding` is "SAME" or "VALID"; with `data_format="NCW"` the channels come before the width.

    >>> import whygrad as tf
    >>> x, w = tf.reshape([1.0, 2.0, 4.0, 8.0], (1, 4, 1)), tf.reshape([1.0, -1.0], (2, 1, 1))
    >>> tf.reshape(tf.nn.conv1d(x, w, 1, "VALID"), -1).numpy()
    array([-1., -2., -4.], dtype=float32)
    """
    if data_format in ("NHWC", "NCHW"):  # the names before there were others
        data_format = "NWC" if data_format == "NHWC" else "NCW"
    if data_format not in (None, "NWC", "NCW"):
        raise ValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    return _convolution(input, filters, stride, padding, data_format, dilations, 1, "stride", False)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution in the plane: `input` [..., height, width, channels] with `filters` [height, width, channels, out_channels].

    Strides and dilations are one number, two, or four. `padding` is "SAME" (zeros all round, so that the result is
    `ceil(size / stride)` large), "VALID" (none), or a list of a pair for each axis. With `data_format="NCHW"` the channels come
    second. Where the input has a multiple of the filters' channels, it is taken in groups of channels.

    >>> import whygrad as tf
    >>> x = tf.reshape(tf.range(9.0), (1, 3, 3, 1))
    >>> tf.reshape(tf.nn.conv2d(x, tf.ones((2, 2, 1, 1)), strides=1, padding="VALID"), (2, 2)).numpy()
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)
    """
    return _convolution(input, filters, strides, padding, data_format, dilations, 2, "strides", True)


def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution in space: `input` [..., depth, height, width, channels] with `filters` [depth, height, width, channels, out].

    `strides` and `dilations` are lists of five numbers, 1 for batch and channels.

    >>> import whygrad as tf
    >>> tf.nn.conv3d(tf.ones((1, 3, 3, 3, 2)), tf.ones((2, 2, 2, 2, 4)), [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 2, 4])
    """
    given = whole_list(strides, "strides", "conv3d")
    if len(given) != 5:
        raise invalid(f"Length for attr 'strides' of {len(given)} must be at least minimum 5 [Op:Conv3D]")
    if dilations is not None and len(whole_list(dilations, "dilations", "conv3d")) != 5:
        raise invalid(f"Dilation rates field must specify 5 dimensions. Received: {dilations} [Op:Conv3D]")
    return _convolution(input, filters, given, padding, data_format, dilations, 3, "strides", False)


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution over as many axes of space as the filters have, one to three; see `conv2d`.

    >>> import whygrad as tf
    >>> tf.nn.convolution(tf.ones((1, 5, 5, 2)), tf.ones((3, 3, 2, 4)), padding="SAME").shape
    TensorShape([1, 5, 5, 4])
    """
    x, w = convert_operands(input, filters)
    space = len(w.shape) - 2
    if space not in (1, 2, 3):
        raise ValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={space}.")
    channels_last = data_format is None or not data_format.startswith("NC")
    given_strides, _ = in_space(strides, space, channels_last, "strides")
    given_dilations, _ = in_space(dilations, space, channels_last, "dilations")
    if max(given_strides) > 1 and max(given_dilations) > 1:
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
            f"Received: strides={list(given_strides)} and dilation_rate={list(given_dilations)}"
        )
    return _convolution(x, w, strides, padding, data_format, dilations, space, "strides", False)


def _convolution(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    space: int,
    strides_name: str,
    takes_lists: bool,
) -> Tensor:
    op_name = _OP_NAMES[space]
    x, w = convert_operands(input, filters)
    channels_last = data_format is None or not data_format.startswith("NC")
    step, other_strides = in_space(strides, space, channels_last, strides_name)
    apart, other_dilations = in_space(dilations, space, channels_last, "dilations")
    pads = explicit_padding(padding, space, channels_last, op_name, takes_lists=takes_lists)
    channels_last = is_channels_last(data_format, space, op_name)
    check_same_dtype(x, w, op_name)
    check_allowed(x, _ALLOWED[space], op_name)
    check_strides(step, other_strides, op_name)
    check_dilations(apart, other_dilations, op_name)
    if len(x.shape) < space + 2 or not channels_last:
        check_rank(x, space + 2, "convolution input", op_name)
    check_rank(w, space + 2, "convolution filter", op_name)
    channels = x.shape[-1 if channels_last else 1]
    _check_depths(channels, w, space)
    x, undo = channels_last_batch(x, space, channels_last)
    windows = lay(tuple(x.shape[1:-1]), tuple(w.shape[:-2]), step, apart, pads, op_name)
    return undo(apply(_conv, x, w, sizes=windows.sizes, **windows.placement()))


def _check_depths(channels: int, w: Tensor, space: int) -> None:
    """The channels of an input and its filters go together."""
    op_name = _OP_NAMES[space]
    depth, out_depth = w.shape[-2:]
    if not depth:
        raise invalid(f"filter depth must be stricly positive, got 0 [Op:{op_name}]")
    if 0 in w.shape[:-2]:
        raise invalid(f"filter must not have zero elements (i.e. all dimensions must be non-zero) [Op:{op_name}]")
    if space == 3 and channels != depth:
        raise invalid(f"input and filter must have the same depth: {channels} vs {depth} [Op:{op_name}]")
    if channels % depth:
        raise invalid(f"input depth must be evenly divisible by filter depth: {channels} vs {depth} [Op:{op_name}]")
    groups = channels // depth
    if groups and out_depth % groups:
        raise invalid(
            f"output depth must be evenly divisible by number of groups: {out_depth} vs {groups} [Op:{op_name}]"
        )
