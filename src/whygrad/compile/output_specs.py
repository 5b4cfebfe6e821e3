"""The shapes and dtypes that a function returns, found by tracing it: nothing is computed, no variable changes.

A size may be unknown (None). Such a function is traced twice, with other sizes in those places: a size of the result that changes is
unknown too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.compile.replay import Program
from whygrad.compile.tracing import trace
from whygrad.engines import loading as xla
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.recorders import left_function, state
from whygrad.values.shapes import TensorShape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

_UNUSUAL = 61  # the size for a function that must be traced only once: a size of the result that equals it is unknown
_SIZES = (12, 24)  # with many divisors, since functions reshape: `reshape(x, (-1, 4))`
_LARGE = 1 << 20  # elements: from here on XLA traces the function if it is there, for NumPy computes with examples


class _Open(threading.local):
    size: int | None = None  # what stands for an unknown size in the trace of this thread
    used = False  # whether an op asked for it


_open = _Open()


def open_size() -> int | None:
    """What stands for an unknown size while `output_specs` traces a function; None elsewhere.

    An op whose result has a size that only values decide gives it this size: then it is found to be unknown.
    """
    _open.used = True
    return _open.size


def output_specs(
    function: Callable[..., Sequence[Any]], specs: Sequence[TensorSpec], once: bool = False, example: int = 0
) -> list[Any]:
    """The specs of the tensors in a flat sequence that `function` returns for tensors of these specs; other objects as they are.

    With `once` the function is traced once, whatever is unknown: for one that does more than it returns. The trace computes with
    tensors full of `example`.

    >>> import whygrad as tf
    >>> output_specs(lambda x: [tf.matmul(x, tf.ones((3, 5))), "other"], [tf.TensorSpec((None, 3))])
    [TensorSpec(shape=(None, 5), dtype=tf.float32, name=None), 'other']
    """
    with left_function():
        if once:
            return [_without_unusual(each) for each in _traced(function, specs, _UNUSUAL, example)[0]]
        first, needs_second = _traced(function, specs, _SIZES[0], example)
        if not needs_second:
            return first
        second, _ = _traced(function, specs, _SIZES[1], example)
    return [_common(a, b) if isinstance(a, TensorSpec) else a for a, b in zip(first, second)]


def raises_for_other_sizes(
    error: Exception, function: Callable[..., Sequence[Any]], specs: Sequence[TensorSpec]
) -> bool:
    """Whether `function`, which raised `error` in a trace, raises the same with other sizes in the place of unknown ones."""
    try:
        with left_function():
            _traced(function, specs, _SIZES[1], 0)
    except Exception as other:
        return type(other) is type(error) and str(other) == str(error)
    return False


def _without_unusual(spec: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        return spec
    return TensorSpec([None if each == _UNUSUAL else each for each in spec.shape], spec.dtype)


def _traced(
    function: Callable[..., Sequence[Any]], specs: Sequence[TensorSpec], size: int, example: int
) -> tuple[list[Any], bool]:
    """The specs of the results where `size` stands for unknown sizes, and whether any was unknown."""
    found: list[Any] = []

    def flat(*tensors: Tensor) -> list[Tensor]:
        results = []
        for each in function(*tensors):
            if isinstance(each, Tensor | Variable | ActsAsTensor):
                each = convert(each, None)
                results.append(each)
                each = TensorSpec(_declared_shape(each), each.dtype)
            found.append(each)
        return results

    shapes = [[size if each is None else each for each in spec.shape.as_list()] for spec in specs]
    examples = [np.broadcast_to(_example(spec.dtype.numpy_dtype, example), shape) for shape, spec in zip(shapes, specs)]
    name = getattr(function, "__name__", type(function).__name__)
    is_open = not all(spec.shape.is_fully_defined() for spec in specs)
    before, _open.size, _open.used = (_open.size, _open.used, state.declared), size, False
    state.declared = {} if is_open else None
    try:
        if sum(each.size for each in examples) >= _LARGE and xla.is_installed():
            xla.engine()
            trace(name, flat, examples)
        else:
            Program(name, flat, examples)
        used = _open.used or is_open
    finally:
        _open.size, _open.used, state.declared = before
    return found, used


def _declared_shape(tensor: Tensor) -> TensorShape:
    """The shape of a result, with the sizes that the function has set in the place of those of the example."""
    _, declared = (state.declared or {}).get(id(tensor), (None, None))
    if declared is None:
        return tensor.shape
    return TensorShape([size if known is None else known for size, known in zip(tensor.shape, declared)])


def _example(dtype: np.dtype[Any], value: int) -> np.ndarray[Any, Any]:
    return np.array(b"", object) if dtype.kind == "O" else np.full((), value, dtype)


def example_of(spec: TensorSpec) -> np.ndarray[Any, Any]:
    """An array of zeros, or of empty strings, of a spec whose sizes are known."""
    return np.broadcast_to(_example(spec.dtype.numpy_dtype, 0), tuple(spec.shape))


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    return TensorSpec(a.shape.most_specific_compatible_shape(b.shape), a.dtype)
