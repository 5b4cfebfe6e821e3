"""The shapes and dtypes that a function returns, found by tracing it: nothing is computed, no variable changes.

A size may be unknown (None). Such a function is traced twice, with other sizes in those places: a size of the result that changes is
unknown too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.compile.replay import Program
from whygrad.compile.tracing import trace
from whygrad.engines import loading as xla
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.recorders import left_function
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

_SIZES = (12, 24)  # with many divisors, since functions reshape: `reshape(x, (-1, 4))`
_LARGE = 1 << 20  # elements: from here on XLA traces the function if it is there, for NumPy computes with examples


def output_specs(function: Callable[..., Sequence[Any]], specs: Sequence[TensorSpec]) -> list[Any]:
    """The specs of the tensors in a flat sequence that `function` returns for tensors of these specs; other objects as they are.

    >>> import whygrad as tf
    >>> output_specs(lambda x: [tf.matmul(x, tf.ones((3, 5))), "other"], [tf.TensorSpec((None, 3))])
    [TensorSpec(shape=(None, 5), dtype=tf.float32, name=None), 'other']
    """
    with left_function():
        first = _traced(function, specs, _SIZES[0])
        if all(spec.shape.is_fully_defined() for spec in specs):
            return first
        second = _traced(function, specs, _SIZES[1])
    return [_common(a, b) if isinstance(a, TensorSpec) else a for a, b in zip(first, second)]


def _traced(function: Callable[..., Sequence[Any]], specs: Sequence[TensorSpec], size: int) -> list[Any]:
    found: list[Any] = []

    def flat(*tensors: Tensor) -> list[Tensor]:
        results = []
        for each in function(*tensors):
            if isinstance(each, Tensor | Variable | ActsAsTensor):
                each = convert(each, None)
                results.append(each)
                each = TensorSpec(each.shape, each.dtype)
            found.append(each)
        return results

    shapes = [[size if each is None else each for each in spec.shape.as_list()] for spec in specs]
    examples = [np.broadcast_to(np.zeros((), spec.dtype.numpy_dtype), shape) for shape, spec in zip(shapes, specs)]
    name = getattr(function, "__name__", type(function).__name__)
    if sum(each.size for each in examples) >= _LARGE and xla.is_installed():
        xla.engine()
        trace(name, flat, examples)
    else:
        Program(name, flat, examples)
    return found


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    return TensorSpec(a.shape.most_specific_compatible_shape(b.shape), a.dtype)
