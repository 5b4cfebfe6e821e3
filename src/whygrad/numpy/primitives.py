"""Primitives for NumPy functions without an op in TensorFlow, where a composition of ops would lose precision or range."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad.ops.primitive import Primitive
from whygrad.ops.traits import (
    ELEMENTWISE,
    Arithmetic,
    Batching,
    Exponential,
    InfiniteSlope,
    Logarithm,
    NoSlopeAtOrigin,
    Quotient,
    Traits,
)

log2_op = Primitive(
    "log2",
    "log2",
    vjp=lambda xp, g, x: g / (x * math.log(2)),
    traits=Traits(arithmetic=Arithmetic.LOGARITHM, domain=(Logarithm(),), batching=Batching.ELEMENTWISE),
)
log10_op = Primitive(
    "log10",
    "log10",
    vjp=lambda xp, g, x: g / (x * math.log(10)),
    traits=Traits(
        arithmetic=Arithmetic.LOGARITHM,
        domain=(Logarithm(),),
        batching=Batching.ELEMENTWISE,
    ),
)
exp2_op = Primitive(
    "exp2",
    "exp2",
    vjp=lambda xp, g, y: g * (y * math.log(2)),
    traits=Traits(domain=(Exponential(base=2.0),), batching=Batching.ELEMENTWISE),
)
cbrt_op = Primitive(
    "cbrt",
    "cbrt",
    vjp=lambda xp, g, y: g / (3 * y * y),
    traits=Traits(arithmetic=Arithmetic.ROOT, domain=(InfiniteSlope(),), batching=Batching.ELEMENTWISE),
)
hypot_op = Primitive(
    "hypot",
    "hypot",
    vjp=(lambda xp, g, a, y: g * (a / y), lambda xp, g, b, y: g * (b / y)),
    broadcasts=True,
    traits=Traits(domain=(NoSlopeAtOrigin("tf.sqrt({0} ** 2 + {1} ** 2 + 1e-12)"),), batching=Batching.ELEMENTWISE),
)
logaddexp_op = Primitive(
    "logaddexp",
    "logaddexp",
    vjp=(lambda xp, g, a, y: g * xp.exp(a - y), lambda xp, g, b, y: g * xp.exp(b - y)),
    broadcasts=True,
    traits=ELEMENTWISE,
)
logaddexp2_op = Primitive(
    "logaddexp2",
    "logaddexp2",
    vjp=(lambda xp, g, a, y: g * xp.exp2(a - y), lambda xp, g, b, y: g * xp.exp2(b - y)),
    broadcasts=True,
    traits=ELEMENTWISE,
)
ldexp_op = Primitive(
    "ldexp",
    lambda xp, x, n: xp.ldexp(x, n),
    vjp=(lambda xp, g, n: xp.ldexp(g, n), None),
    broadcasts=True,
    traits=ELEMENTWISE,
)


def _remainder(xp: Any, a: Any, b: Any) -> Any:
    y = xp.remainder(a, b)
    if isinstance(y, np.ndarray | np.generic):
        return y
    return xp.where(y == 0, xp.copysign(y, b), y)  # XLA gives a zero the dividend's sign


# TensorFlow's `floormod`, whose zeros have the dividend's sign, is another op.
remainder_op = Primitive(
    "remainder",
    _remainder,
    vjp=(lambda xp, g: g, lambda xp, g, a, b: -g * xp.floor(a / b)),
    broadcasts=True,
    traits=Traits(domain=(Quotient(),), batching=Batching.ELEMENTWISE),
)
