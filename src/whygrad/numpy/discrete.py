"""NumPy's functions whose results do not change under small steps: searches, orders, counts, bits.

One primitive for all of them: recorded, so that a None further on can be explained, and without a gradient.
"""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import Primitive, apply, apply_several
from whygrad.values.tensor import Tensor

_discrete = Primitive(
    "numpy_discrete",
    lambda xp, *x, function, arguments: getattr(xp, function)(*x, **arguments),
    no_gradient="its result is an order, a count, an index, a bit or a rounded number: it does not change under a small step",
)


def discrete(function: str, *operands: Tensor, **arguments: Any) -> Tensor:
    """NumPy's `function` of Tensors, without a gradient."""
    return apply(_discrete, *operands, function=function, arguments=arguments)


def discrete_several(function: str, *operands: Tensor, **arguments: Any) -> tuple[Tensor, ...]:
    """As `discrete`, for a function with several results."""
    return tuple(apply_several(_discrete, *operands, function=function, arguments=arguments))
