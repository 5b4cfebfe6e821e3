"""What NumPy has and TensorFlow has no op for, where a composition of ops would lose digits or range."""

from __future__ import annotations

import math

from whygrad.ops.primitive import Primitive

log2_op = Primitive("log2", "log2", vjp=lambda xp, g, x: g / (x * math.log(2)))
log10_op = Primitive("log10", "log10", vjp=lambda xp, g, x: g / (x * math.log(10)))
exp2_op = Primitive("exp2", "exp2", vjp=lambda xp, g, y: g * (y * math.log(2)))
cbrt_op = Primitive("cbrt", "cbrt", vjp=lambda xp, g, y: g / (3 * y * y))
hypot_op = Primitive(
    "hypot", "hypot", vjp=(lambda xp, g, a, y: g * (a / y), lambda xp, g, b, y: g * (b / y)), broadcasts=True
)
logaddexp_op = Primitive(
    "logaddexp",
    "logaddexp",
    vjp=(lambda xp, g, a, y: g * xp.exp(a - y), lambda xp, g, b, y: g * xp.exp(b - y)),
    broadcasts=True,
)
logaddexp2_op = Primitive(
    "logaddexp2",
    "logaddexp2",
    vjp=(lambda xp, g, a, y: g * xp.exp2(a - y), lambda xp, g, b, y: g * xp.exp2(b - y)),
    broadcasts=True,
)
ldexp_op = Primitive(
    "ldexp",
    lambda xp, x, n: xp.ldexp(x, n),
    vjp=(lambda xp, g, n: xp.ldexp(g, n), None),
    broadcasts=True,
)
