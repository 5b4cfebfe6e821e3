"""Grayscale dilation and erosion: convolutions with the maximum for the sum, and the sum for the product."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.elementwise import negative
from whygrad.ops.primitive import Primitive, apply, check_same_dtype, convert_operands
from whygrad.ops.shaping import reverse
from whygrad.ops.traits import Selects, Traits
from whygrad.ops.windows import (
    check_allowed,
    check_images,
    check_rank,
    explicit_padding,
    in_space,
    lay,
    required_int_list,
)
from whygrad.values.errors import OpValueError, UnimplementedError, invalid
from whygrad.values.tensor import Tensor

Sizes = tuple[int, ...]


def _input_rule(xp: Any, g: Any, x: Any, w: Any, y: Any, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Any:
    return xp.dilation_input(g, x, w, y, strides=strides, offsets=offsets, dilations=dilations)


def _filters_rule(xp: Any, g: Any, x: Any, w: Any, y: Any, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Any:
    return xp.dilation_filters(g, x, w, y, strides=strides, offsets=offsets, dilations=dilations)


_dilation = Primitive("dilation", "dilation", inputs=("x", "w"), vjp=(_input_rule, _filters_rule), op_name="Dilation2D")

# The gradients place values where the maxima were found. These positions do not change under a small step, so the gradients
# are differentiable only in the values.


def _from_input(xp: Any, g: Any, x: Any, w: Any, y_of_x: Any, strides: Sizes, offsets: Sizes, dilations: Sizes) -> Any:
    zeros = xp.zeros_like(w)
    return xp.dilation_gather(g, zeros, x, w, y_of_x, strides=strides, offsets=offsets, dilations=dilations)


def _from_filters(
    xp: Any, g: Any, x: Any, w: Any, y_of_x: Any, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    zeros = xp.zeros_like(x)
    return xp.dilation_gather(zeros, g, x, w, y_of_x, strides=strides, offsets=offsets, dilations=dilations)


def _gathered_in_input(
    xp: Any, g: Any, x: Any, w: Any, y_of_x: Any, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.dilation_input(g, x, w, y_of_x, strides=strides, offsets=offsets, dilations=dilations)


def _gathered_in_filters(
    xp: Any, g: Any, x: Any, w: Any, y_of_x: Any, strides: Sizes, offsets: Sizes, dilations: Sizes
) -> Any:
    return xp.dilation_filters(g, x, w, y_of_x, strides=strides, offsets=offsets, dilations=dilations)


_PLACES = ("x", "w", "y_of_x")
_dilation_input = Primitive(
    "dilation_input",
    "dilation_input",
    inputs=("values", *_PLACES),
    vjp=(_from_input, None, None, None),
    op_name="Dilation2DBackpropInput",
)
_dilation_filters = Primitive(
    "dilation_filters",
    "dilation_filters",
    inputs=("values", *_PLACES),
    vjp=(_from_filters, None, None, None),
    op_name="Dilation2DBackpropFilter",
)
_dilation_gather = Primitive(
    "dilation_gather",
    "dilation_gather",
    inputs=("in_x", "in_w", *_PLACES),
    vjp=(_gathered_in_input, _gathered_in_filters, None, None, None),
    op_name="Dilation2DGather",
    traits=Traits(selects=Selects.PLACES),
)


@export("nn.dilation2d")
def dilation2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """The maximum of `input + filters` in each window: `input` is [batch, height, width, depth], `filters` [height, width, depth].

    `strides` and `dilations` are lists of four numbers, 1 for batch and depth; `data_format` is "NHWC".

    >>> import whygrad as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], (1, 2, 2, 1))
    >>> ones = [1, 1, 1, 1]
    >>> tf.reshape(tf.nn.dilation2d(x, tf.zeros((1, 2, 1)), ones, "SAME", "NHWC", ones), (2, 2)).numpy()
    array([[5., 5.],
           [4., 4.]], dtype=float32)
    """
    op_name = "Dilation2D"
    if not isinstance(data_format, str) or data_format != "NHWC":
        raise OpValueError(
            f"`data_format` values other  than 'NHWC' are not supported. Received: data_format={data_format}"
        )
    x, w = convert_operands(input, filters)
    step = _four(strides, "strides", "Stride")
    apart = _four(dilations, "rates", "Rate")
    pads = explicit_padding(padding, 2, True, op_name, takes_lists=False)
    check_same_dtype(x, w, op_name)
    check_allowed(x, "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64", op_name)
    check_images(x, 4, "input", op_name)
    check_rank(w, 3, "filter", op_name)
    if x.shape[-1] != w.shape[-1]:
        raise invalid(f"input and filter must have the same depth: {x.shape[-1]} vs {w.shape[-1]} [Op:{op_name}]")
    windows = lay(tuple(x.shape[1:-1]), tuple(w.shape[:-1]), step, apart, pads, op_name)
    return apply(_dilation, x, w, sizes=windows.sizes, **windows.placement())


@export("nn.erosion2d")
def erosion2d(
    value: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str,
    dilations: Any,
    name: str | None = None,
) -> Tensor:
    """The minimum of `value - filters` in each window, with reversed filters: minus the dilation of `-value`.

    >>> import whygrad as tf
    >>> x = tf.reshape([1.0, 5.0, 2.0, 4.0], (1, 2, 2, 1))
    >>> ones = [1, 1, 1, 1]
    >>> tf.reshape(tf.nn.erosion2d(x, tf.zeros((1, 2, 1)), ones, "SAME", "NHWC", ones), (2, 2)).numpy()
    array([[1., 5.],
           [2., 4.]], dtype=float32)
    """
    x, w = convert_operands(value, filters)
    turned = reverse(w, [0, 1]) if len(w.shape) > 1 else w
    return negative(dilation2d(negative(x), turned, strides, padding, data_format, dilations))


def _four(value: Any, name: str, label: str) -> Sizes:
    """The two spatial entries of strides or rates, given as lists of four."""
    given = required_int_list(value, name, "dilation2d")
    if len(given) != 4:
        raise invalid(f"Length for attr '{name}' of {len(given)} must be at least minimum 4 [Op:Dilation2D]")
    inner, others = in_space(given, 2, True, name)
    if others != (1, 1):
        raise UnimplementedError(
            None, None, f"{label} is only supported across spatial dimensions. Received: {given} [Op:Dilation2D]"
        )
    if min(inner) <= 0:
        raise invalid(f"{label} must be > 0, but got {min(inner)} [Op:Dilation2D]")
    return inner
