"""Activation functions. relu, sigmoid, tanh and other elementwise ones are in `elementwise.py`."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag, number, unexpected
from whygrad.ops.elementwise import literal
from whygrad.ops.primitive import Primitive, apply, check_dtype, unary
from whygrad.ops.shaping import concat
from whygrad.ops.traits import ELEMENTWISE, Batching, Flat, Overflows, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import Tensor


def _in_float32(value: Any) -> float:
    """Round a constant to float32, as TensorFlow does before converting it to float64."""
    return float(np.float32(value))


# The gradients of relu6 and leaky_relu are separate ops: TensorFlow's second derivative of them is 0, not None.
_relu6_grad = Primitive(
    "relu6_grad",
    "relu6_grad",
    vjp=(lambda xp, g, b: xp.relu6_grad(g, b), lambda xp, g: xp.zeros_like(g)),
    traits=ELEMENTWISE,
)
relu6 = unary(
    "relu6",
    lambda xp, x: xp.minimum(xp.maximum(x, 0), 6),
    exports=("nn.relu6",),
    vjp=lambda xp, g, y: xp.relu6_grad(g, y),
    allowed="real",
    argument="features",
    traits=Traits(flat=Flat.OFF, piecewise_linear=True),
    doc="""x clipped to [0, 6].

    >>> import whygrad as tf
    >>> tf.nn.relu6([-1.0, 2.0, 8.0]).numpy()
    array([0., 2., 6.], dtype=float32)
    """,
)

_leaky_relu_grad = Primitive(
    "leaky_relu_grad",
    "leaky_relu_grad",
    inputs=("a", "b"),
    vjp=(lambda xp, g, b, alpha: xp.leaky_relu_grad(g, b, alpha=alpha), lambda xp, g: xp.zeros_like(g)),
    traits=ELEMENTWISE,
)
_leaky_relu = Primitive(
    "leaky_relu",
    lambda xp, x, *, alpha: xp.leaky_relu_grad(x, x, alpha=alpha),
    vjp=lambda xp, g, x, alpha: xp.leaky_relu_grad(g, x, alpha=alpha),
    traits=Traits(piecewise_linear=True, batching=Batching.ELEMENTWISE),
)


@export("nn.leaky_relu")
def leaky_relu(features: Any, alpha: Any = 0.2, name: str | None = None) -> Tensor:
    """x where it is positive, else alpha * x. Integers become float32.

    >>> import whygrad as tf
    >>> tf.nn.leaky_relu([-1.0, 2.0]).numpy()
    array([-0.2,  2. ], dtype=float32)
    """
    x = convert(features, None)
    if x.dtype.is_integer:
        x = elementwise.cast(x, dtypes.float32)
    check_dtype(x, "float", "LeakyRelu")
    if not isinstance(alpha, numbers.Real | np.ndarray):
        raise unexpected("float", "alpha", alpha)
    return apply(_leaky_relu, x, alpha=_in_float32(number(alpha, "alpha")))


elu = unary(
    "elu",
    lambda xp, x: xp.where(x < 0, xp.expm1(x), x),
    exports=("nn.elu",),
    vjp=lambda xp, g, y: g * xp.where(y < 0, y + 1, xp.ones_like(y)),
    allowed="float",
    argument="features",
    traits=Traits(flat=Flat.LEVELS_OFF),
    doc="""x where it is positive, else exp(x) - 1.

    >>> import whygrad as tf
    >>> tf.nn.elu([-1.0, 2.0]).numpy().round(4)
    array([-0.6321,  2.    ], dtype=float32)
    """,
)

# The fixed point at which activations keep mean 0 and variance 1: Klambauer et al., Self-Normalizing Neural Networks.
_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_FALL = _SELU_SCALE * 1.6732632423543772848170429916717


def _selu(xp: Any, x: Any) -> Any:
    return xp.where(x < 0, xp.expm1(x) * literal(_SELU_FALL, x.dtype), x * literal(_SELU_SCALE, x.dtype))


def selu_vjp(xp: Any, g: Any, y: Any, x_dtype: Any) -> Any:
    """The slope from the output: fall * exp(x) is y + fall."""
    slope = xp.where(y < 0, y + literal(_SELU_FALL, x_dtype), xp.full_like(y, literal(_SELU_SCALE, x_dtype)))
    return g * slope


selu = unary(
    "selu",
    _selu,
    exports=("nn.selu",),
    vjp=selu_vjp,
    allowed="float",
    argument="features",
    traits=Traits(flat=Flat.LEVELS_OFF),
    doc="""scale * x where x is positive, else scale * alpha * (exp(x) - 1): keeps mean 0 and variance 1.

    >>> import whygrad as tf
    >>> tf.nn.selu([-1.0, 2.0]).numpy().round(4)
    array([-1.1113,  2.1014], dtype=float32)
    """,
)

# -- gelu --

_ROOT_HALF = _in_float32(math.sqrt(0.5))
_TANH_CUBIC = _in_float32(0.044715)
_TANH_SCALE = math.sqrt(2 / math.pi)


def _gelu(xp: Any, x: Any) -> Any:
    return x * (xp.erfc(x * literal(-_ROOT_HALF, x.dtype)) * literal(0.5, x.dtype))


def gelu_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    """The slope of gelu: Phi(x) + x phi(x), the normal cumulative distribution and density."""
    scaled = x * literal(-_ROOT_HALF, x_dtype)
    below = xp.erfc(scaled) * literal(0.5, x_dtype)
    density = xp.exp(-(scaled * scaled)) * literal(_ROOT_HALF / math.sqrt(math.pi), x_dtype)
    return g * (below + x * density)


def _gelu_tanh(xp: Any, x: Any, dtype: Any) -> Any:
    return xp.tanh((x * x * literal(_TANH_CUBIC, dtype) + 1) * x * literal(_TANH_SCALE, dtype))


def gelu_approximate_vjp(xp: Any, g: Any, x: Any, x_dtype: Any) -> Any:
    """With t = tanh(u): (1 + t) / 2 + x (1 - t^2) u' / 2."""
    t = _gelu_tanh(xp, x, x_dtype)
    slope = (x * x * literal(3 * _TANH_CUBIC, x_dtype) + 1) * literal(_TANH_SCALE, x_dtype)
    return g * ((t + 1 + x * (1 - t * t) * slope) * literal(0.5, x_dtype))


_gelu_exact = Primitive("gelu", _gelu, vjp=gelu_vjp, traits=Traits(flat=Flat.LEVELS_OFF, batching=Batching.ELEMENTWISE))
_gelu_approximate = Primitive(
    "gelu_approximate",
    lambda xp, x: x * ((_gelu_tanh(xp, x, x.dtype) + 1) * literal(0.5, x.dtype)),
    vjp=gelu_approximate_vjp,
    op_name="Gelu",
    traits=Traits(domain=(Overflows(),), flat=Flat.LEVELS_OFF, batching=Batching.ELEMENTWISE),
)


@export("nn.gelu")
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """x times the normal cumulative distribution at x; `approximate` approximates it with tanh.

    >>> import whygrad as tf
    >>> tf.nn.gelu([-1.0, 2.0]).numpy().round(4)
    array([-0.1587,  1.9545], dtype=float32)
    """
    x = convert(features, None)
    if not x.dtype.is_floating:
        raise OpValueError(f"`features.dtype` must be a floating point tensor. Received: features.dtype={x.dtype}")
    return apply(_gelu_approximate if flag(approximate, "approximate") else _gelu_exact, x)


# -- silu --


def silu_vjp_x(xp: Any, g: Any, x: Any, beta: Any) -> Any:
    """s + beta x s (1 - s), where s is the sigmoid."""
    s = xp.sigmoid(beta * x)
    return g * (s * (beta * x * (1 - s) + 1))


def silu_vjp_beta(xp: Any, g: Any, x: Any, beta: Any) -> Any:
    """x^2 s (1 - s)."""
    s = xp.sigmoid(beta * x)
    return g * (s * (1 - s) * (x * x))


_silu = Primitive(
    "silu",
    lambda xp, x, beta: x * xp.sigmoid(beta * x),
    vjp=(silu_vjp_x, silu_vjp_beta),
    broadcasts=True,
    traits=Traits(domain=(Overflows(),), flat=Flat.LEVELS_OFF, batching=Batching.ELEMENTWISE),
)


@export("nn.silu", "nn.swish")
def silu(features: Any, beta: Any = 1.0) -> Tensor:
    """x * sigmoid(beta * x), also called swish; `beta` may be learned.

    >>> import whygrad as tf
    >>> tf.nn.silu([-1.0, 2.0]).numpy().round(4)
    array([-0.2689,  1.7616], dtype=float32)
    """
    x = convert(features, None)
    steepness = elementwise.cast(beta, x.dtype)
    check_dtype(x, "float or complex", "Sigmoid")
    return apply(_silu, x, steepness)


@export("nn.crelu")
def crelu(features: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """Concatenate relu(x) and relu(-x) along `axis`, which doubles in size.

    >>> import whygrad as tf
    >>> tf.nn.crelu([-1.0, 2.0]).numpy()
    array([0., 2., 1., 0.], dtype=float32)
    """
    x = convert(features, None)
    opposite = elementwise.negative(x)
    return concat([elementwise.relu(x), elementwise.relu(opposite)], axis)
