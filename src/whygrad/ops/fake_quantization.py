"""Fake quantization: floats rounded to the numbers that integers of few bits can stand for, with the gradient of the identity between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, integer, number
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.recorded import recorded
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid, shape_text
from whygrad.values.tensor import Tensor, wrap


def _bounds(xp: Any, low: Any, high: Any, least: float, most: float) -> tuple[Any, Any, Any]:
    """The integers below and above 0, and the distance between the numbers that they stand for; an empty interval at 0 has none.

    The bounds are moved so that 0 is one of the numbers.
    """
    is_empty = (low == 0) & (high == 0)
    scale = xp.where(is_empty, xp.ones_like(low), (high - low) / (most - least))
    # The integer for 0, one of those that there are.
    zero = xp.floor(xp.minimum(xp.maximum(least - low / scale, least), most) + 0.5)
    return least - zero, most - zero, scale


def _forward(xp: Any, x: Any, low: Any, high: Any, *, least: float, most: float) -> Any:
    first, last, scale = _bounds(xp, low, high, least, most)
    begin = first * scale
    clipped = xp.maximum(xp.minimum(x, last * scale), begin)
    # A whole number times the scale: adding `begin` to a product would round twice.
    rounded = (xp.floor((clipped - begin) * (1 / scale) + 0.5) + first) * scale
    return xp.where((low == 0) & (high == 0), xp.zeros_like(rounded), rounded)


def _places(xp: Any, x: Any, low: Any, high: Any, least: float, most: float) -> tuple[Any, Any]:
    """Where x is below and above the bounds; nowhere for an empty interval at 0."""
    first, last, scale = _bounds(xp, low, high, least, most)
    has_some = (low != 0) | (high != 0)
    return (x < first * scale) & has_some, (x > last * scale) & has_some


def _inside_vjp(xp: Any, g: Any, x: Any, low: Any, high: Any, least: float, most: float) -> Any:
    below, above = _places(xp, x, low, high, least, most)
    passes = (x == x) & ~(below | above)  # not at nan
    return xp.where(passes | ((low == 0) & (high == 0)), g, xp.zeros_like(g))


def _below_vjp(xp: Any, g: Any, x: Any, low: Any, high: Any, least: float, most: float) -> Any:
    return _summed(xp, xp.where(_places(xp, x, low, high, least, most)[0], g, xp.zeros_like(g)), low)


def _above_vjp(xp: Any, g: Any, x: Any, low: Any, high: Any, least: float, most: float) -> Any:
    return _summed(xp, xp.where(_places(xp, x, low, high, least, most)[1], g, xp.zeros_like(g)), high)


def _summed(xp: Any, g: Any, bound: Any) -> Any:
    """The sum over all elements that have one bound."""
    return xp.sum(g, axis=tuple(range(len(g.shape) - len(bound.shape))))


_fake_quant = Primitive(
    "fake_quant", _forward, vjp=(_inside_vjp, _below_vjp, _above_vjp), op_name="FakeQuantWithMinMaxVars"
)


def _levels(num_bits: Any, narrow_range: Any, op_name: str) -> dict[str, float]:
    """The least and the greatest integer of `num_bits` bits."""
    bits = integer(num_bits, "num_bits", op_name)
    if not 2 <= bits <= 16:
        raise invalid(f"num_bits must be between 2 and 16, inclusive [Op:{op_name}]")
    return {"least": float(flag(narrow_range, "narrow_range")), "most": float(2**bits - 1)}


def _given_bounds(low: Any, high: Any, op_name: str) -> tuple[Tensor, Tensor]:
    """Bounds that are numbers, as tensors."""
    given = number(low, "min", op_name), number(high, "max", op_name)
    if given[0] >= given[1]:
        raise invalid(f"min has to be smaller than max, was: {given[0]:g} >= {given[1]:g} [Op:{op_name}]")
    return wrap(np.array(given[0], np.float32)), wrap(np.array(given[1], np.float32))


def _float32(*values: Any) -> list[Tensor]:
    return [convert(each, dtypes.float32) for each in values]


def _bounds_of_rank(low: Any, high: Any, rank: int, x: Tensor, op_name: str) -> list[Tensor]:
    """The bounds as tensors, checked: one of each, or one of each for each channel."""
    bounds = _float32(low, high)
    for name, bound in zip(("min", "max"), bounds):
        if bound.ndim != rank:
            raise invalid(f"`{name}` must be rank {rank} but is rank {bound.ndim} [Op:{op_name}]")
        if not rank:
            continue
        if not x.ndim:
            raise invalid(f"inputs must have channels as their last axis, got a scalar [Op:{op_name}]")
        size, channels = bound._array.shape[0], x._array.shape[-1]
        if size != channels:
            raise invalid(f"{name} has incorrect size, expected {channels} was {size} [Op:{op_name}]")
    return bounds


def _gradients(
    gradients: Any, inputs: Any, low: Any, high: Any, levels: dict[str, float], rank: int, op_name: str
) -> tuple[Tensor, ...]:
    g, x = _float32(gradients, inputs)
    if g._array.shape != x._array.shape:
        raise invalid(
            f"gradient and input must be the same size: {shape_text(g._array.shape)} and {shape_text(x._array.shape)} [Op:{op_name}]"
        )
    least, greatest = _bounds_of_rank(low, high, rank, x, op_name)
    return tuple([rule(recorded, g, x, least, greatest, **levels) for rule in (_inside_vjp, _below_vjp, _above_vjp)])


@export("quantization.fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: Any, min: Any = -6, max: Any = 6, num_bits: Any = 8, narrow_range: Any = False, name: str | None = None
) -> Tensor:
    """Round `inputs` to one of 2**num_bits numbers between `min` and `max`, of which 0 is one.

    The gradient passes where the inputs lie between the bounds, as if nothing had been rounded.

    >>> import whygrad as tf
    >>> tf.quantization.fake_quant_with_min_max_args([-7.0, 0.1, 1.0], num_bits=4).numpy()
    array([-6.4,  0. ,  0.8], dtype=float32)
    """
    op_name = "FakeQuantWithMinMaxArgs"
    levels = _levels(num_bits, narrow_range, op_name)
    return apply(_fake_quant, *_float32(inputs), *_given_bounds(min, max, op_name), **levels)


@export("quantization.fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: Any, min: Any, max: Any, num_bits: Any = 8, narrow_range: Any = False, name: str | None = None
) -> Tensor:
    """`fake_quant_with_min_max_args` with bounds that are tensors or variables: they get the gradients of what lies beyond them.

    >>> import whygrad as tf
    >>> tf.quantization.fake_quant_with_min_max_vars([-3.0, 0.3], tf.Variable(-1.0), tf.Variable(1.0), num_bits=2).numpy()
    array([-1.3333334,  0.       ], dtype=float32)
    """
    op_name = "FakeQuantWithMinMaxVars"
    levels = _levels(num_bits, narrow_range, op_name)
    (x,) = _float32(inputs)
    return apply(_fake_quant, x, *_bounds_of_rank(min, max, 0, x, op_name), **levels)


@export("quantization.fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs: Any, min: Any, max: Any, num_bits: Any = 8, narrow_range: Any = False, name: str | None = None
) -> Tensor:
    """`fake_quant_with_min_max_vars` with bounds for each channel, the last axis of `inputs`.

    >>> import whygrad as tf
    >>> tf.quantization.fake_quant_with_min_max_vars_per_channel([[0.4, 0.4]], [0.0, 0.0], [3.0, 6.0], num_bits=2).numpy()
    array([[0., 0.]], dtype=float32)
    """
    op_name = "FakeQuantWithMinMaxVarsPerChannel"
    levels = _levels(num_bits, narrow_range, op_name)
    (x,) = _float32(inputs)
    return apply(_fake_quant, x, *_bounds_of_rank(min, max, 1, x, op_name), **levels)


@export("quantization.fake_quant_with_min_max_args_gradient")
def fake_quant_with_min_max_args_gradient(
    gradients: Any,
    inputs: Any,
    min: Any = -6,
    max: Any = 6,
    num_bits: Any = 8,
    narrow_range: Any = False,
    name: str | None = None,
) -> Tensor:
    """The gradient of `fake_quant_with_min_max_args` for its inputs, where that of its result is `gradients`.

    >>> import whygrad as tf
    >>> tf.quantization.fake_quant_with_min_max_args_gradient([1.0, 2.0], [-7.0, 1.0]).numpy()
    array([0., 2.], dtype=float32)
    """
    op_name = "FakeQuantWithMinMaxArgsGradient"
    levels = _levels(num_bits, narrow_range, op_name)
    return _gradients(gradients, inputs, *_given_bounds(min, max, op_name), levels, 0, op_name)[0]


@export("quantization.fake_quant_with_min_max_vars_gradient")
def fake_quant_with_min_max_vars_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: Any = False,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The gradients of `fake_quant_with_min_max_vars` for its inputs and its bounds, where that of its result is `gradients`.

    >>> import whygrad as tf
    >>> [g.numpy().tolist() for g in tf.quantization.fake_quant_with_min_max_vars_gradient([1.0, 2.0], [-7.0, 1.0], -6.0, 6.0)]
    [[0.0, 2.0], 1.0, 0.0]
    """
    op_name = "FakeQuantWithMinMaxVarsGradient"
    levels = _levels(num_bits, narrow_range, op_name)
    return _gradients(gradients, inputs, min, max, levels, 0, op_name)


@export("quantization.fake_quant_with_min_max_vars_per_channel_gradient")
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any,
    inputs: Any,
    min: Any,
    max: Any,
    num_bits: Any = 8,
    narrow_range: Any = False,
    name: str | None = None,
) -> tuple[Tensor, ...]:
    """The gradients of `fake_quant_with_min_max_vars_per_channel`, where that of its result is `gradients`.

    >>> import whygrad as tf
    >>> gradient = tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient
    >>> [g.numpy().tolist() for g in gradient([[1.0, 2.0]], [[-7.0, 7.0]], [-6.0, -6.0], [6.0, 6.0])]
    [[[0.0, 0.0]], [1.0, 0.0], [0.0, 2.0]]
    """
    op_name = "FakeQuantWithMinMaxVarsPerChannelGradient"
    levels = _levels(num_bits, narrow_range, op_name)
    return _gradients(gradients, inputs, min, max, levels, 1, op_name)
