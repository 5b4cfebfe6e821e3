"""NumPy functions whose results do not change under a small step: searches, sorting orders, counts, bits.

One primitive serves all functions of a kind: recorded, so that a later None can be explained, and without a gradient.
"""

from __future__ import annotations

from typing import Any

from whygrad.numpy.promotion import ask_numpy
from whygrad.ops.primitive import Primitive, apply, apply_several
from whygrad.ops.traits import Arithmetic, Traits
from whygrad.values.tensor import Tensor


def _primitive(name: str, no_gradient: str, **traits: Any) -> Primitive:
    return Primitive(
        name,
        lambda xp, *x, function, arguments: ask_numpy(getattr(xp, function), *x, **arguments),
        no_gradient=no_gradient,
        traits=Traits(**traits),
    )


_UNCHANGED = "it does not change under a small step"
_POSITIONS = _primitive(
    "numpy_position",
    f"its result is a position: {_UNCHANGED}",
    finds_extreme=True,
    smooth_form="a softmax, which weights all positions where this picks one",
)
_ORDERS = _primitive(
    "numpy_order",
    f"its result is an order: {_UNCHANGED}",
    smooth_form="the sorted values, which have a gradient (np.sort), or ranks that sum sigmoids of differences",
)
_CELLS = _primitive(
    "numpy_cell",
    f"its result is the number of a cell: {_UNCHANGED}",
    smooth_form="an interpolation (np.interp), which weights the edges of the cell by how near they are",
)
_STEPS = _primitive("numpy_step", f"it is a step function: {_UNCHANGED}", piecewise_constant=True)
_COUNTS = _primitive(
    "numpy_count",
    f"its result is a count: {_UNCHANGED}",
    smooth_form="sums of a smooth kernel in the place of counts: of sigmoids, or of a normal density around each center",
)
_POWERS = _primitive("numpy_power", f"its result is an integer: {_UNCHANGED}", arithmetic=Arithmetic.POWER)
_OTHERS = _primitive("numpy_discrete", f"its result is a count, an index, a bit or a truth value: {_UNCHANGED}")
_BY_FUNCTION = {
    **dict.fromkeys(("argmax", "argmin", "nanargmax", "nanargmin"), _POSITIONS),
    **dict.fromkeys(("argsort", "lexsort", "argpartition"), _ORDERS),
    **dict.fromkeys(("searchsorted", "digitize"), _CELLS),
    "histogram": _COUNTS,
    "power": _POWERS,
    **dict.fromkeys(("round", "rint", "trunc", "floor_divide"), _STEPS),
}


def discrete(function: str, *operands: Tensor, **arguments: Any) -> Tensor:
    """Apply NumPy's `function` to Tensors, without a gradient."""
    return apply(_BY_FUNCTION.get(function, _OTHERS), *operands, function=function, arguments=arguments)


def discrete_several(function: str, *operands: Tensor, **arguments: Any) -> tuple[Tensor, ...]:
    """Like `discrete`, for a function with several results."""
    return tuple(apply_several(_BY_FUNCTION.get(function, _OTHERS), *operands, function=function, arguments=arguments))
