"""Convolutions over one to three spatial axes, and their transposes.

There are three primitives, each linear in both inputs and each the rule of the others: `conv`, its transpose in the input and its
transpose in the filters. So gradients of any order use the same three kernels.
"""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import function, integer, integer_list, items, text
from whygrad.ops.blocks import batch_to_space, required_space_to_batch_paddings, space_to_batch
from whygrad.ops.primitive import Primitive, apply, check_same_dtype, convert_operands
from whygrad.ops.shaping import reshape
from whygrad.ops.windows import (
    Windows,
    channels_last_batch,
    check_allowed,
    check_dilations,
    check_images,
    check_rank,
    check_strides,
    explicit_padding,
    in_space,
    int_list,
    is_channels_last,
    lay,
    required_int_list,
    seems_channels_last,
)
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.faults import ChannelsDiffer, DtypesDiffer, UnevenGroups
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


@export("nn.conv1d")
def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve along one axis: `input` [..., width, channels] with `filters` [width, channels, out_channels].

    `padding` is "SAME" or "VALID"; with `data_format="NCW"` the channels come before the width.

    >>> import whygrad as tf
    >>> x, w = tf.reshape([1.0, 2.0, 4.0, 8.0], (1, 4, 1)), tf.reshape([1.0, -1.0], (2, 1, 1))
    >>> tf.reshape(tf.nn.conv1d(x, w, 1, "VALID"), -1).numpy()
    array([-1., -2., -4.], dtype=float32)
    """
    if data_format is not None and text(data_format, "data_format") in ("NHWC", "NCHW"):  # older names of the formats
        data_format = "NWC" if data_format == "NHWC" else "NCW"
    if data_format not in (None, "NWC", "NCW"):
        raise OpValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    return _convolution(input, filters, stride, padding, data_format, dilations, 1, "stride", False)


@export("nn.conv2d")
def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve in 2-D: `input` [..., height, width, channels] with `filters` [height, width, channels, out_channels].

    Strides and dilations are one number, two, or four. `padding` is "SAME" (zeros on all sides, for a result of size
    `ceil(size / stride)`), "VALID" (none), or a list with a pair for each axis. With `data_format="NCHW"` the channels come
    second. If the input has a multiple of the filters' channels, the convolution is grouped.

    >>> import whygrad as tf
    >>> x = tf.reshape(tf.range(9.0), (1, 3, 3, 1))
    >>> tf.reshape(tf.nn.conv2d(x, tf.ones((2, 2, 1, 1)), strides=1, padding="VALID"), (2, 2)).numpy()
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)
    """
    return _convolution(input, filters, strides, padding, data_format, dilations, 2, "strides", True)


@export("nn.conv3d")
def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve in 3-D: `input` [..., depth, height, width, channels] with `filters` [depth, height, width, channels, out].

    `strides` and `dilations` are lists of five numbers, 1 for batch and channels.

    >>> import whygrad as tf
    >>> tf.nn.conv3d(tf.ones((1, 3, 3, 3, 2)), tf.ones((2, 2, 2, 2, 4)), [1, 1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 2, 4])
    """
    given = required_int_list(strides, "strides", "conv3d")
    if len(given) != 5:
        raise invalid(f"Length for attr 'strides' of {len(given)} must be at least minimum 5 [Op:Conv3D]")
    if dilations is not None and len(required_int_list(dilations, "dilations", "conv3d")) != 5:
        raise invalid(f"Dilation rates field must specify 5 dimensions. Received: {dilations} [Op:Conv3D]")
    return _convolution(input, filters, given, padding, data_format, dilations, 3, "strides", False)


@export("nn.convolution")
def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve over as many spatial axes as the filters have, one to three; see `conv2d`.

    >>> import whygrad as tf
    >>> tf.nn.convolution(tf.ones((1, 5, 5, 2)), tf.ones((3, 3, 2, 4)), padding="SAME").shape
    TensorShape([1, 5, 5, 4])
    """
    x, w = convert_operands(input, filters)
    space = len(w.shape) - 2
    if space not in (1, 2, 3):
        raise OpValueError(f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={space}.")
    channels_last = seems_channels_last(data_format)
    given_strides, _ = in_space(strides, space, channels_last, "strides")
    given_dilations, _ = in_space(dilations, space, channels_last, "dilations")
    if max(given_strides) > 1 and max(given_dilations) > 1:
        raise OpValueError(
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
    channels_last = seems_channels_last(data_format)
    step, other_strides = in_space(strides, space, channels_last, strides_name)
    apart, other_dilations = in_space(dilations, space, channels_last, "dilations")
    pads = explicit_padding(padding, space, channels_last, op_name, takes_lists=takes_lists)
    channels_last = is_channels_last(data_format, space, op_name)
    check_same_dtype(x, w, op_name)
    check_allowed(x, _ALLOWED[space], op_name)
    check_strides(step, other_strides, op_name)
    check_dilations(apart, other_dilations, op_name)
    if len(x.shape) < space + 2 or not channels_last:
        check_images(x, space + 2, "convolution input", op_name)
    check_rank(w, space + 2, "convolution filter", op_name)
    channels = x.shape[-1 if channels_last else 1]
    _check_depths(channels, w, space)
    x, undo = channels_last_batch(x, space, channels_last)
    windows = lay(tuple(x.shape[1:-1]), tuple(w.shape[:-2]), step, apart, pads, op_name)
    return undo(apply(_conv, x, w, sizes=windows.sizes, **windows.placement()))


def _check_depths(channels: int, w: Tensor, space: int) -> None:
    """Check that the channels of an input match its filters."""
    op_name = _OP_NAMES[space]
    depth, out_depth = w.shape[-2:]
    if not depth:
        raise invalid(f"filter depth must be stricly positive, got 0 [Op:{op_name}]")
    if 0 in w.shape[:-2]:
        raise invalid(f"filter must not have zero elements (i.e. all dimensions must be non-zero) [Op:{op_name}]")
    if space == 3 and channels % depth:  # TensorFlow takes groups here only where XLA compiles it
        raise invalid(f"input and filter must have the same depth: {channels} vs {depth} [Op:{op_name}]")
    if channels % depth:
        raise invalid(ChannelsDiffer(channels=channels, wanted=depth, op=op_name))
    groups = channels // depth
    if groups and out_depth % groups:
        raise invalid(UnevenGroups(channels=channels, wanted=depth, outputs=out_depth, op=op_name))


# -- transposed convolutions --


@export("nn.conv1d_transpose")
def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`: its gradient with respect to the input; `filters` are [width, out_channels, in_channels].

    >>> import whygrad as tf
    >>> x, w = tf.reshape([1.0, 2.0], (1, 2, 1)), tf.reshape([1.0, 10.0], (2, 1, 1))
    >>> tf.reshape(tf.nn.conv1d_transpose(x, w, [1, 4, 1], strides=2), -1).numpy()
    array([ 1., 10.,  2., 20.], dtype=float32)
    """
    if data_format is not None and text(data_format, "data_format") in ("NHWC", "NCHW"):
        data_format = "NWC" if data_format == "NHWC" else "NCW"
    if data_format not in (None, "NWC", "NCW"):
        raise OpValueError(f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}")
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 1)


@export("nn.conv2d_transpose")
def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`, often called deconvolution: the gradient of `conv2d` with respect to its input.

    `filters` are [height, width, out_channels, in_channels]; `output_shape` is the shape of the result (or only its height and
    width), for which `conv2d` with these arguments would give the shape of `input`.

    >>> import whygrad as tf
    >>> y = tf.nn.conv2d_transpose(tf.ones((1, 3, 3, 2)), tf.ones((3, 3, 5, 2)), [1, 6, 6, 5], strides=2)
    >>> y.shape
    TensorShape([1, 6, 6, 5])
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 2)


@export("nn.conv3d_transpose")
def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`; `filters` are [depth, height, width, out_channels, in_channels]. See `conv2d_transpose`.

    >>> import whygrad as tf
    >>> tf.nn.conv3d_transpose(tf.ones((1, 2, 2, 2, 1)), tf.ones((2, 2, 2, 3, 1)), [1, 4, 4, 4, 3], strides=2).shape
    TensorShape([1, 4, 4, 4, 3])
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 3)


@export("nn.conv_transpose")
def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of a convolution over as many spatial axes, one to three, as `output_shape` has; see `conv2d_transpose`.

    >>> import whygrad as tf
    >>> tf.nn.conv_transpose(tf.ones((1, 3, 2)), tf.ones((3, 5, 2)), [1, 6, 5], strides=2).shape
    TensorShape([1, 6, 5])
    """
    if not hasattr(output_shape, "__len__") and not isinstance(output_shape, Tensor):
        raise OpValueError(
            f"`output_shape` must be a tensor or sized collection. Received: output_shape={output_shape}"
        )
    space = len(int_list(output_shape, "output_shape")) - 2
    if space not in (1, 2, 3):
        raise OpValueError(
            f"`output_shape` must be of length 3, 4 or 5. Received: output_shape={output_shape} of length {space + 2}."
        )
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, space)


def _transposed(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    space: int,
) -> Tensor:
    op_name = "Conv3DBackpropInputV2" if space == 3 else "Conv2DBackpropInput"
    x, w = convert_operands(input, filters)
    channels_last = seems_channels_last(data_format)
    step, other_strides = in_space(strides, space, channels_last, "strides")
    apart, other_dilations = in_space(dilations, space, channels_last, "dilations")
    pads = explicit_padding(padding, space, channels_last, op_name, takes_lists=space == 2)
    channels_last = is_channels_last(data_format, space, op_name)
    check_same_dtype(x, w, op_name)
    check_allowed(x, _ALLOWED[space], op_name)
    check_strides(step, other_strides, op_name)
    check_dilations(apart, other_dilations, op_name)
    check_images(x, space + 2, "input_sizes", op_name)
    check_rank(w, space + 2, "filter", op_name)
    shape = _output_shape(output_shape, x, w, channels_last, space, op_name)
    x, undo = channels_last_batch(x, space, channels_last)
    if shape[0] != x.shape[0]:
        raise invalid(
            f"{op_name}: input and out_backprop must have the same batch size. "
            f"Input batch: {shape[0]}, outbackprop batch: {x.shape[0]}, batch_dim: 0 [Op:{op_name}]"
        )
    depth = w.shape[-2]
    if not depth or shape[-1] % depth or (space == 3 and shape[-1] != depth):
        wording = f"{op_name}: {ChannelsDiffer.sentence}"
        raise invalid(ChannelsDiffer(channels=shape[-1], wanted=depth, op=op_name, wording=wording))
    if w.shape[-1] != x.shape[-1]:
        raise invalid(
            f"{op_name}: filter and out_backprop must have the same out_depth: {w.shape[-1]} vs {x.shape[-1]} "
            f"[Op:{op_name}]"
        )
    taps = tuple(w.shape[:-2])
    windows = lay(shape[1:-1], taps, step, apart, pads, op_name)
    for i, (size, count, found) in enumerate(zip(shape[1:-1], windows.sizes, x.shape[1:-1])):
        if count != found:
            raise invalid(
                f"{op_name}: Size of out_backprop doesn't match computed: actual = {found}, computed = {count} "
                f"spatial_dim: {i + 1} input: {size} filter: {taps[i]} output: {found} stride: {step[i]} "
                f"dilation: {apart[i]} [Op:{op_name}]"
            )
    return undo(apply(_conv_input, x, w, shape=shape, **windows.placement()))


def _output_shape(given: Any, x: Tensor, w: Tensor, channels_last: bool, space: int, op_name: str) -> Sizes:
    """The shape of a transposed convolution's result, channels last; only its spatial sizes need be given."""
    as_tensor = convert(given, None if isinstance(given, Tensor) else dtypes.int32)
    if as_tensor.dtype is not dtypes.int32 and not (space == 3 and as_tensor.dtype is dtypes.int64):
        raise invalid(DtypesDiffer(wanted=dtypes.int32, dtype=as_tensor.dtype, position=0, op=op_name))
    sizes = int_list(as_tensor, "output_shape")
    if len(sizes) == space == 2:
        return (x.shape[0], *sizes, w.shape[-2])
    if len(sizes) != space + 2:
        raise invalid(
            f"{op_name} requires input_sizes to contain {space + 2} values or {space} values, but got: {len(sizes)} "
            f"[Op:{op_name}]"
        )
    if min(sizes) < 0:
        raise invalid(f"Dimension {min(sizes)} must be >= 0 [Op:{op_name}]")
    return tuple(sizes) if channels_last else (sizes[0], *sizes[2:], sizes[1])


# -- depthwise and separable convolutions --


@export("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve each channel with its own filters: `filter` is [height, width, channels, multiplier].

    The result has `channels * multiplier` channels; those of one input channel are adjacent. `strides` is a list of four
    numbers, `dilations` a list of two.

    >>> import whygrad as tf
    >>> x = tf.ones((1, 3, 3, 2))
    >>> w = tf.reshape([1.0, 10.0, 100.0, 1000.0], (1, 1, 2, 2))
    >>> tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID")[0, 0, 0].numpy()
    array([   1.,   10.,  100., 1000.], dtype=float32)
    """
    op_name = "DepthwiseConv2dNative"
    x, w = convert_operands(input, filter)
    step, apart = _depthwise_strides(strides, dilations, data_format)
    channels_last = seems_channels_last(data_format)
    pads = explicit_padding(padding, 2, channels_last, op_name, takes_lists=True)
    channels_last = is_channels_last(data_format, 2, op_name)
    check_same_dtype(x, w, op_name)
    check_allowed(x, _ALLOWED[3], op_name)
    check_images(x, 4, "input", op_name)
    check_rank(w, 4, "filter", op_name)
    x, undo = channels_last_batch(x, 2, channels_last)
    if x.shape[-1] != w.shape[-2]:
        raise invalid(f"input and filter must have the same depth: {x.shape[-1]} vs {w.shape[-2]} [Op:{op_name}]")
    height, width, channels, multiplier = w.shape
    windows = lay(tuple(x.shape[1:-1]), (height, width), step, apart, pads, op_name)
    grouped = reshape(w, (height, width, 1, channels * multiplier))
    return undo(apply(_conv, x, grouped, sizes=windows.sizes, **windows.placement()))


def _depthwise_strides(strides: Any, dilations: Any, data_format: str | None) -> tuple[Sizes, Sizes]:
    """The strides, four numbers, and dilations, two numbers, of a depthwise convolution."""
    op_name = "DepthwiseConv2dNative"
    channels_last = seems_channels_last(data_format)
    given = required_int_list(strides, "strides", "depthwise_conv2d_native")
    if len(given) != 4:
        raise invalid(f"Sliding window strides field must specify 4 dimensions. Received: {given} [Op:{op_name}]")
    step, others = in_space(given, 2, channels_last, "strides")
    if others != (1, 1):
        raise invalid(
            "Current implementation does not yet support strides in the batch and depth dimensions. "
            f"Received: {given} [Op:{op_name}]"
        )
    check_strides(step, others, op_name)
    apart = (1, 1) if dilations is None else tuple(integer_list(items(dilations, "dilations"), "dilations"))
    if len(apart) != 2:
        raise OpValueError(
            f"`dilations` of a depthwise convolution must be two numbers. Received: dilations={dilations}"
        )
    check_dilations(apart, (1, 1), op_name)
    if max(apart) > 1 and max(step) > 1:
        raise OpValueError(
            "When dilation rate is greater than 1, then all values of strides must be 1. "
            f"Received: `dilation rate` {list(apart)} and `strides` {given}"
        )
    return step, apart


@export("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006  (TensorFlow's default; never written to)
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` with respect to its input, of shape `input_sizes`.

    >>> import whygrad as tf
    >>> g = tf.ones((1, 2, 2, 2))
    >>> tf.nn.depthwise_conv2d_backprop_input([1, 3, 3, 2], tf.ones((2, 2, 2, 1)), g, [1, 1, 1, 1], "VALID")[0, 1, :, 0].numpy()
    array([2., 4., 2.], dtype=float32)
    """
    g, w = convert_operands(out_backprop, filter)
    check_rank(w, 4, "filter", "DepthwiseConv2dNativeBackpropInput")
    shape, windows, channels_last = _depthwise_backward(
        int_list(input_sizes, "input_sizes"), tuple(w.shape[:2]), strides, padding, data_format, dilations
    )
    check_rank(g, 4, "out_backprop", "DepthwiseConv2dNativeBackpropInput")
    g, undo = channels_last_batch(g, 2, channels_last)
    height, width, channels, multiplier = w.shape
    grouped = reshape(w, (height, width, 1, channels * multiplier))
    return undo(apply(_conv_input, g, grouped, shape=shape, **windows.placement()))


@export("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006  (TensorFlow's default; never written to)
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` with respect to its filter, of shape `filter_sizes`.

    >>> import whygrad as tf
    >>> x, g = tf.ones((1, 3, 3, 2)), tf.ones((1, 2, 2, 2))
    >>> tf.nn.depthwise_conv2d_backprop_filter(x, [2, 2, 2, 1], g, [1, 1, 1, 1], "VALID")[0, 0, :, 0].numpy()
    array([4., 4.], dtype=float32)
    """
    x, g = convert_operands(input, out_backprop)
    check_images(x, 4, "input", "DepthwiseConv2dNativeBackpropFilter")
    sizes = int_list(filter_sizes, "filter_sizes")
    if len(sizes) != 4:
        raise invalid(f"filter_sizes must be 4-dimensional, got: {len(sizes)} [Op:DepthwiseConv2dNativeBackpropFilter]")
    check_rank(g, 4, "out_backprop", "DepthwiseConv2dNativeBackpropFilter")
    height, width, channels, multiplier = sizes
    _, windows, channels_last = _depthwise_backward(
        list(x.shape), (height, width), strides, padding, data_format, dilations
    )
    x, _ = channels_last_batch(x, 2, channels_last)
    g, _ = channels_last_batch(g, 2, channels_last)
    shape = (height, width, 1, channels * multiplier)
    found = apply(_conv_filters, x, g, shape=shape, **windows.placement())
    return reshape(found, (height, width, channels, multiplier))


def _depthwise_backward(
    sizes: list[int], taps: Sizes, strides: Any, padding: Any, data_format: str, dilations: Any
) -> tuple[Sizes, Windows, bool]:
    """The shape, channels last, of a depthwise convolution's input, and its windows."""
    op_name = "DepthwiseConv2dNative"
    channels_last = is_channels_last(data_format, 2, op_name)
    apart, _ = in_space(dilations, 2, channels_last, "dilations")
    step, _ = _depthwise_strides(strides, None, data_format)
    pads = explicit_padding(padding, 2, channels_last, op_name, takes_lists=True)
    if len(sizes) != 4:
        raise invalid(f"input_sizes must be 4-dimensional, got: {len(sizes)} [Op:{op_name}]")
    shape = tuple(sizes) if channels_last else (sizes[0], *sizes[2:], sizes[1])
    return shape, lay(shape[1:-1], taps, step, apart, pads, op_name), channels_last


@export("nn.separable_conv2d")
def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, followed by a 1x1 convolution: `pointwise_filter` is [1, 1, channels * multiplier, out].

    >>> import whygrad as tf
    >>> x, depthwise, pointwise = tf.ones((1, 4, 4, 2)), tf.ones((3, 3, 2, 1)), tf.ones((1, 1, 2, 5))
    >>> tf.nn.separable_conv2d(x, depthwise, pointwise, [1, 1, 1, 1], "SAME").shape
    TensorShape([1, 4, 4, 5])
    """
    pointwise = convert(pointwise_filter, None)
    if len(pointwise.shape) != 4:
        raise OpValueError(f"Shape {tuple(pointwise.shape)} must have rank 4")
    for size in pointwise.shape[:2]:
        if size != 1:
            raise OpValueError(f"Dimensions {size} and 1 are not compatible")
    inside = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(inside, pointwise, 1, "VALID", data_format)


# -- dilated convolutions --


@export("nn.atrous_conv2d")
def atrous_conv2d(value: Any, filters: Any, rate: Any, padding: Any, name: str | None = None) -> Tensor:
    """Convolve with filters whose taps are `rate` apart: `conv2d` with `dilations=rate`.

    >>> import whygrad as tf
    >>> tf.nn.atrous_conv2d(tf.ones((1, 7, 7, 1)), tf.ones((3, 3, 1, 2)), rate=2, padding="VALID").shape
    TensorShape([1, 3, 3, 2])
    """
    x, w = convert_operands(value, filters)
    apart = integer(rate, "rate")
    if apart < 1:
        raise OpValueError(f"all values of `dilation_rate` must be positive. Received: dilation_rate=[{apart} {apart}]")
    if not isinstance(padding, str) or padding not in ("SAME", "VALID"):
        raise OpValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    if len(w.shape) == 4 and len(x.shape) and w.shape[-2] and x.shape[-1] % w.shape[-2]:
        raise OpValueError(
            "The number of input channels is not divisible by the corresponding number of output filters. Received: "
            f"input.shape={tuple(x.shape)} with {x.shape[-1]} channels and filters.shape={tuple(w.shape)} with "
            f"{w.shape[-2]} output filters."
        )
    return conv2d(x, w, 1, padding, dilations=apart)


@export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: Any, padding: Any, name: str | None = None
) -> Tensor:
    """The transpose of `atrous_conv2d`; `filters` are [height, width, out_channels, in_channels].

    >>> import whygrad as tf
    >>> x, w = tf.ones((1, 3, 3, 1)), tf.ones((3, 3, 2, 1))
    >>> tf.nn.atrous_conv2d_transpose(x, w, [1, 7, 7, 2], rate=2, padding="VALID").shape
    TensorShape([1, 7, 7, 2])
    """
    x, w = convert_operands(value, filters)
    apart, shape = integer(rate, "rate"), int_list(output_shape, "output_shape")
    if apart < 1:
        raise OpValueError(f"`rate` cannot be less than one. Received: rate={rate}")
    if len(shape) != 4:
        raise OpValueError(f"`output_shape` must have shape (4,). Received: output_shape=({len(shape)},)")
    if not isinstance(padding, str) or padding not in ("SAME", "VALID"):
        raise OpValueError(f"`padding` must be either 'VALID' or 'SAME'. Received: padding={padding}")
    check_images(x, 4, "value", "Conv2DBackpropInput")
    check_rank(w, 4, "filter", "Conv2DBackpropInput")
    if x.shape[-1] != w.shape[-1]:
        raise OpValueError(
            "`value` channel count must be compatible with `filters` input channel count. Received: "
            f"value.shape={tuple(x.shape)} with channel count {x.shape[-1]} and filters.shape={tuple(w.shape)} with "
            f"input channel count {w.shape[-1]}."
        )
    if shape[-1] != w.shape[-2]:
        raise OpValueError(
            "`output_shape` channel count must be compatible with `filters` output channel count. Received: "
            f"output_shape={shape} with channel count {shape[-1]} and filters.shape={tuple(w.shape)} with "
            f"output channel count {w.shape[-2]}."
        )
    return conv2d_transpose(x, w, shape, 1, padding, dilations=apart)


@export("nn.with_space_to_batch")
def with_space_to_batch(
    input: Any,
    dilation_rate: Any,
    padding: Any,
    op: Any,
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: str | None = None,
) -> Tensor:
    """Run `op(input, num_spatial_dims, padding)` with windows dilated by `dilation_rate`.

    `space_to_batch` moves the elements that one dilated window covers into an image of its own, `op` runs there with "VALID"
    padding, and `batch_to_space` moves the results back. "SAME" padding needs `filter_shape`.

    >>> import whygrad as tf
    >>> x, w = tf.ones((1, 6, 6, 1)), tf.ones((2, 2, 1, 1))
    >>> tf.nn.with_space_to_batch(x, [2, 3], "VALID", lambda x, _, padding: tf.nn.conv2d(x, w, 1, padding)).shape
    TensorShape([1, 4, 3, 1])
    """
    x = convert(input, None)
    rates = int_list(dilation_rate, "dilation_rate")
    op = function(op, "op")
    if any(rate < 1 for rate in rates):
        raise OpValueError(f"`dilation_rate` must be positive. Received: dilation_rate={rates}")
    first = 1 if seems_channels_last(data_format) else 2
    axes = list(range(first, first + len(rates))) if spatial_dims is None else int_list(spatial_dims, "spatial_dims")
    if not axes or len(axes) != len(rates) or axes[0] < 1 or sorted(set(axes)) != axes:
        raise OpValueError(
            "`spatial_dims` must be a monotonically increasing sequence of positive integers. "
            f"Received: spatial_dims={spatial_dims}"
        )
    if len(x.shape) <= axes[-1]:
        raise OpValueError(
            f"`input.shape.rank` must be at least {axes[-1] + 1}. "
            f"Received: input.shape={tuple(x.shape)} with rank {len(x.shape)}"
        )
    if max(rates) == 1:
        return op(x, len(rates), padding)  # type: ignore[no-any-return]
    if not isinstance(padding, str) or padding not in ("SAME", "VALID"):
        raise OpValueError(f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding}")
    extra = [0] * len(rates)
    if padding == "SAME":
        if filter_shape is None:
            raise OpValueError(
                "`filter_shape` must be specified for `padding='SAME'`. "
                f"Received: filter_shape={filter_shape} and padding={padding}"
            )
        extra = [(taps - 1) * rate for taps, rate in zip(int_list(filter_shape, "filter_shape"), rates)]
    blocks, around = [1] * axes[-1], [[0, 0] for _ in range(axes[-1])]
    for axis, rate, more in zip(axes, rates, extra):
        blocks[axis - 1] = rate
        around[axis - 1] = [more // 2, more - more // 2]
    sizes = list(x.shape[1 : axes[-1] + 1])
    paddings, crops = required_space_to_batch_paddings(sizes, blocks, around)
    result = op(space_to_batch(x, blocks, paddings), len(rates), "VALID")
    return batch_to_space(result, blocks, crops)
