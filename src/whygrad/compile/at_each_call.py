"""Ops on bytes inside functions that are traced: they run at each call, and what their values decide has an unknown size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whygrad.compile.output_specs import open_size
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor


def computed(
    name: str, function: Callable[..., Tensor], inputs: Sequence[Any], dtype: Any, result: TensorSpec | None
) -> Tensor:
    """What a function of tensors gives. `result` is the spec of its result, None where nothing is known of it.

    While specs are found the result has this spec. A function that is compiled cannot contain it, and runs as Python.
    """
    return computed_parts(name, lambda *given: [function(*given)], inputs, dtype, [result])[0]


def computed_parts(
    name: str,
    function: Callable[..., list[Tensor]],
    inputs: Sequence[Any],
    dtype: Any,
    results: Sequence[TensorSpec | None],
) -> list[Tensor]:
    """`computed` for a function that gives several tensors."""
    tensors = tuple([convert(each, dtype) for each in inputs])
    context = state.context
    if context is None:
        return function(*tensors)
    known = [each for each in results if each is not None and each.shape.rank is not None]
    is_known = all(each.shape.is_fully_defined() for each in known)
    size = None if is_known else open_size()
    if not (context.replays and len(known) == len(results) and (is_known or size is not None)):
        raise OpTypeError(StringsComputed(what=f"{name} computes with them"))
    shapes = [
        (tuple([size if each is None else each for each in spec.shape]), spec.dtype.numpy_dtype) for spec in known
    ]
    made: list[Tensor] = context.at_each_call(function, tensors, shapes)
    return made
