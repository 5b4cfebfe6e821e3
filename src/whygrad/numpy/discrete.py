"""NumPy functions whose results do not change under a small step: searches, sorting orders, counts, bits.

One primitive serves all of them: recorded, so that a later None can be explained, and without a gradient.
"""

from __future__ import annotations

from typing import Any

from whygrad.numpy.promotion import ask_numpy
from whygrad.ops.primitive import Primitive, apply, apply_several
from whygrad.values.tensor import Tensor

_discrete = Primitive(
    "numpy_discrete",
    lambda xp, *x, function, arguments: ask_numpy(getattr(xp, function), *x, **arguments),
    no_gradient="its result is an order, a count, an index, a bit or a rounded number: it does not change under a small step",
)


def discrete(function: str, *operands: Tensor, **arguments: Any) -> Tensor:
    """Apply NumPy's `function` to Tensors, without a gradient."""
    return apply(_discrete, *operands, function=function, arguments=arguments)


def discrete_several(function: str, *operands: Tensor, **arguments: Any) -> tuple[Tensor, ...]:
    """Like `discrete`, for a function with several results."""
    return tuple(apply_several(_discrete, *operands, function=function, arguments=arguments))
