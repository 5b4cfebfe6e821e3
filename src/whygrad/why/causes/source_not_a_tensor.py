"""A source of a gradient that is neither a tensor nor a variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.values import nest
from whygrad.values.faults import NotASource
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp

KIND = "source-not-a-tensor"


@explains(NotASource)
def _source(op: FailedOp, fault: NotASource) -> Explanation | None:
    given = [each for each in op.operands if each.parameter.startswith("source") and not _can_be_a_source(each.value)]
    if not given:
        return None
    source, tape = given[0], "tape" if op.owner is None else op.owner.primary
    if isinstance(source.value, list | tuple | dict) and nest.flatten(source.value):
        return Explanation(
            KIND,
            f"{source.quoted} holds {_kind_of(fault.value)}: a source is a variable or a tensor",
            "give variables, or tensors that the tape watches",
        )
    name = "the source" if source.text == "None" else source.quoted
    if isinstance(source.value, int | float | np.ndarray | np.generic):
        what = "a NumPy array" if isinstance(source.value, np.ndarray) else "a number"
        help = f"make it a tf.Variable, or a tensor that is watched before it is used: {tape}.watch(tf.constant({source.text}))"
    else:
        what = _kind_of(source.value)
        help = "give variables, or tensors that the tape watches"
    return Explanation(KIND, f"{name} is {what}: a source is a variable or a tensor", help)


def _kind_of(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "a NumPy array"
    return "None" if value is None else f"a {type(value).__name__}"


def _can_be_a_source(value: Any) -> bool:
    return isinstance(value, Tensor | Variable | IndexedSlices)
