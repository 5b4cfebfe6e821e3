"""The functions of dense tensors that also take sparse ones, as in TensorFlow: what each of them then computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.ops import control, counting, elementwise, shapes, shaping, special
from whygrad.runtime.overloads import overload
from whygrad.sparse.shaping import reorder, stacked
from whygrad.sparse.spec import SparseTensorSpec
from whygrad.sparse.tensor import SparseTensor, positions_of, row_of, sizes_of
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, SparseGiven, invalid
from whygrad.values.tensor import Tensor, value_of, wrap

# Functions that are made by `unary`, which hand a sparse operand to `mapped` themselves.
_UNARY = (
    elementwise.negative, elementwise.asinh, elementwise.sin, elementwise.tan, elementwise.atan, elementwise.asin,
    elementwise.atanh, elementwise.square, elementwise.sqrt, elementwise.tanh, special.erf, special.bessel_i0e, special.bessel_i1e,
)  # fmt: skip


def mapped(value: SparseTensor, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """The function of the values, where it gives 0 for 0; NotImplemented for others, which take dense tensors."""
    if function in _UNARY and len(operands) == 1:
        return value.with_values(function(value.values))
    return NotImplemented


def _of_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of the values of its first argument."""

    def on_sparse(value: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(value, SparseTensor):
            return NotImplemented
        return value.with_values(function(value.values, *args, **kwargs))

    return on_sparse


def _identity(input: Any, name: str | None = None) -> Any:
    return SparseTensor(*[shaping.identity(each) for each in input._components()])


def _shape(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    return elementwise.cast(input.dense_shape, dtypes.int32 if out_type is None else out_type)


def _size(input: Any, out_type: Any = None, name: str | None = None) -> Any:
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    return wrap(np.array(np.prod(sizes_of(input), dtype=np.int64), wanted.numpy_dtype))


def _rank(input: Any, name: str | None = None) -> Tensor:
    return wrap(np.array(len(input.shape), np.int32))


def _bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    if not isinstance(arr, SparseTensor):
        return NotImplemented
    heavy = None
    if weights is not None:
        if not isinstance(weights, SparseTensor):
            raise OpValueError("Argument `weights` must be a SparseTensor if `values` is a SparseTensor.")
        if sizes_of(weights) != sizes_of(arr) or not np.array_equal(positions_of(weights), positions_of(arr)):
            raise invalid("'weights' and 'values' must have the same dense shape and the same indices.")
        heavy = weights.values
    if axis in (None, 0) or len(arr.shape) < 2:
        return counting.bincount(arr.values, heavy, minlength, maxlength, dtype, name, axis, binary_output)
    # Each row on its own: the numbers of row i are counted from i * size on.
    if axis != -1:
        raise OpValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    if len(arr.shape) != 2:
        raise invalid(f"bincount with axis=-1 takes a sparse tensor of rank 1 or 2, not of shape {arr.shape}")
    numbers = value_of(arr.values).astype(np.int64)
    size = int(numbers.max(initial=-1)) + 1
    if minlength is not None:
        size = max(size, int(value_of(convert(minlength, None))))
    if maxlength is not None:
        size = min(size, int(value_of(convert(maxlength, None))))
    if numbers.size and numbers.min() < 0:
        raise invalid(f"Input must be non-negative, but holds {numbers.min()} [Op:SparseBincount]")
    rows = sizes_of(arr)[0]
    kept = np.flatnonzero(numbers < size)
    places = positions_of(arr)[kept, 0] * size + numbers[kept]
    held = None if heavy is None else wrap(value_of(heavy)[kept])
    counts = counting.bincount(wrap(places), held, rows * size, rows * size, dtype, name, None, binary_output)
    return shaping.reshape(counts, [rows, size])


def _map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    signature = fn_output_signature if fn_output_signature is not None else dtype
    flat = [reorder(each) if isinstance(each, SparseTensor) else convert(each, None) for each in nest.flatten(elems)]

    def row(i: int) -> list[Any]:
        return [row_of(each, i) if isinstance(each, SparseTensor) else each[i] for each in flat]

    expected = elems if signature is None else signature
    results = control.results_of_rows(fn, elems, [int(each.shape[0]) for each in flat], row, expected)
    return nest.pack_sequence_as(expected, [_collected(each) for each in results])


def _collected(values: list[Any]) -> Any:
    return stacked(values) if any(isinstance(each, SparseTensor) for each in values) else shaping.stack(values)


def _maps_to_sparse(*args: Any, **kwargs: Any) -> bool:
    """Whether map_fn is given sparse tensors, or a signature with sparse results."""
    elems = kwargs.get("elems", args[1] if len(args) > 1 else None)
    signature = kwargs.get("fn_output_signature", args[8] if len(args) > 8 else None)
    return any(isinstance(each, SparseTensor) for each in nest.flatten(elems)) or any(
        isinstance(each, SparseTensorSpec) for each in nest.flatten(signature)
    )


_OF_FIRST: tuple[Any, ...] = (elementwise.abs, elementwise.cast, elementwise.sign, shaping.stop_gradient)
_OTHERS: tuple[tuple[Any, Callable[..., Any]], ...] = (
    (control.map_fn, _map_fn),
    (counting.bincount, _bincount),
    (shaping.identity, _identity),
    (shapes.rank, _rank),
    (shapes.shape, _shape),
    (shapes.size, _size),
)


def install() -> None:
    """Let these functions take sparse tensors, from the first one on: programs without them pay nothing."""
    for function in _OF_FIRST:
        overload(function, _of_first(function), SparseGiven)
    for function, other in _OTHERS:
        overload(function, other, SparseGiven, _maps_to_sparse if function is control.map_fn else None)
