"""Products with sparse matrices, and lookups that sum rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise, segments
from whygrad.ops.arguments import text
from whygrad.ops.partitions import embedding_lookup
from whygrad.ops.primitive import apply, check_dtype
from whygrad.ops.shaping import expand_dims, reshape, transpose
from whygrad.ops.sorting import unique
from whygrad.ops.sparse_segments import sparse_segment_mean, sparse_segment_sqrt_n, sparse_segment_sum
from whygrad.sparse import shaping
from whygrad.sparse.tensor import SparseTensor, as_sparse, chosen, from_arrays, grouped, positions_of, sizes_of
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.faults import DtypesDiffer
from whygrad.values.tensor import Tensor, are_known, value_of, wrap


@export("sparse.sparse_dense_matmul")
def sparse_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The product of two matrices of which one is sparse; `adjoint_a` and `adjoint_b` take the conjugate transpose of either.

    >>> import whygrad as tf
    >>> st = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
    >>> tf.sparse.sparse_dense_matmul(st, [[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[6., 8.],
           [3., 6.]], dtype=float32)
    """
    if isinstance(b, SparseTensor):
        if isinstance(sp_a, SparseTensor):
            raise OpTypeError(
                "sparse_dense_matmul takes one sparse matrix: make one of the two dense with tf.sparse.to_dense"
            )
        # (a b)^H = b^H a^H
        product = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return transpose(product, conjugate=product.dtype.is_complex)
    a = as_sparse(sp_a)
    dense = convert(b, None if isinstance(b, Tensor) else a.dtype)
    op_name = "SparseTensorDenseMatMul"
    if dense.dtype is not a.dtype:
        raise invalid(DtypesDiffer(wanted=a.dtype, dtype=dense.dtype, position=3, op=op_name))
    check_dtype(a.values, "number", op_name)
    if len(a.shape) != 2:
        raise invalid(
            f"Tensor 'a_shape' must have 2 elements: a sparse matrix, not one of shape {a.shape} [Op:{op_name}]"
        )
    if dense.ndim != 2:
        raise invalid(f"Tensor 'b' is not a matrix: it has shape {dense.shape} [Op:{op_name}]")
    if adjoint_b:
        dense = transpose(dense, conjugate=dense.dtype.is_complex)
    rows, columns = (1, 0) if adjoint_a else (0, 1)
    sizes = sizes_of(a)
    if sizes[columns] != dense._array.shape[0]:
        raise invalid(
            f"Cannot multiply A and B because inner dimension does not match: {sizes[columns]} vs. {dense._array.shape[0]}. Did you "
            f"forget a transpose? Dimensions of A: [{sizes[0]}, {sizes[1]}). Dimensions of B: {dense.shape} [Op:{op_name}]"
        )
    values = elementwise.conj(a.values) if adjoint_a and a.dtype.is_complex else a.values
    taken = apply(segments.segment_spread, dense, _column(a, columns, op_name))
    return segments.unsorted_segment_sum(
        expand_dims(values, 1) * taken, _column(a, rows, op_name), wrap(np.array(sizes[rows]))
    )


def _column(value: SparseTensor, axis: int, op_name: str) -> Tensor:
    """The positions along one axis, checked where they are known."""
    if not are_known(value.indices):
        return value.indices[:, axis]
    found, size = positions_of(value)[:, axis], sizes_of(value)[axis]
    if found.size and (found.min() < 0 or found.max() >= size):
        at = int(((found < 0) | (found >= size)).argmax())
        raise invalid(f"index[{at},{axis}] = {found[at]} is out of bounds: need 0 <= index < {size} [Op:{op_name}]")
    return wrap(np.ascontiguousarray(found))


def sparse_sparse_matmul(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """The product of two sparse matrices, or of two batches of them, as a sparse one."""
    sizes_a, sizes_b = sizes_of(a), sizes_of(b)
    if len(sizes_a) not in (2, 3) or sizes_a[:-2] != sizes_b[:-2] or sizes_a[-1] != sizes_b[-2]:
        raise invalid(f"sparse matrices of the shapes {list(sizes_a)} and {list(sizes_b)} cannot be multiplied")
    left, right = positions_of(a), positions_of(b)
    # Each element of `a` meets all elements in the row of `b` that its column names.
    inner = np.concatenate([np.delete(left, -2, axis=1), right[:, :-1]])
    _, numbers = grouped(inner)
    ours, others = numbers[: len(left)], numbers[len(left) :]
    order = np.argsort(others, kind="stable")
    counts = np.bincount(others, minlength=int(numbers.max(initial=-1)) + 1)
    starts = np.cumsum(counts) - counts
    met = counts[ours]
    from_a = np.repeat(np.arange(len(left)), met)
    within = np.arange(len(from_a)) - np.repeat(np.cumsum(met) - met, met)
    from_b = order[np.repeat(starts[ours], met) + within]
    groups, ids = grouped(np.column_stack([left[from_a, :-1], right[from_b, -1]]))
    products = chosen(a.values, from_a) * chosen(b.values, from_b)
    sums = segments.unsorted_segment_sum(products, wrap(ids), len(groups))
    return from_arrays(groups, sums, [*sizes_a[:-1], sizes_b[-1]])


# -- tables --

_BY_COMBINER = {"sum": sparse_segment_sum, "mean": sparse_segment_mean, "sqrtn": sparse_segment_sqrt_n}


@export("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    combiner: str | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """For each row of ids the mean (or "sum", or "sqrtn") of these rows of a table, weighted by `sp_weights`.

    >>> import whygrad as tf
    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 2, 1], [2, 2])
    >>> tf.nn.embedding_lookup_sparse(table, ids, None).numpy()
    array([[3., 4.],
           [3., 4.]], dtype=float32)
    """
    combiner = "mean" if combiner is None else text(combiner, "combiner")
    if combiner not in _BY_COMBINER:
        raise OpValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    ids, weights = _ids_and_weights(sp_ids, sp_weights)
    rows = wrap(np.ascontiguousarray(positions_of(ids)[:, 0]))
    different, places = unique(ids.values)
    found = embedding_lookup(params, different, max_norm)
    if weights is None:
        return _BY_COMBINER[combiner](found, places, rows)
    heavy = elementwise.cast(weights.values, found.dtype)
    column = reshape(heavy, [-1] + [1] * (found.ndim - 1))
    total = segments.segment_sum(chosen(found, value_of(places)) * column, rows)
    if combiner == "sum":
        return total
    if combiner == "mean":
        return elementwise.divide_no_nan(total, segments.segment_sum(column, rows))  # a row without ids is 0
    return elementwise.divide_no_nan(total, elementwise.sqrt(segments.segment_sum(column * column, rows)))


def _ids_and_weights(sp_ids: Any, sp_weights: Any) -> tuple[SparseTensor, SparseTensor | None]:
    """The ids and their weights, which ragged tensors may give as well."""
    ids, weights = [
        each.to_sparse() if isinstance(each, TensorLikeComposite) and hasattr(each, "to_sparse") else each
        for each in (sp_ids, sp_weights)
    ]
    if not isinstance(ids, SparseTensor):
        raise OpTypeError(f"sp_ids must be SparseTensor, got {type(sp_ids).__name__}")
    if weights is None:
        return ids, None
    if not isinstance(weights, SparseTensor):
        raise OpTypeError(f"sp_weights must be either None or SparseTensor, got {type(sp_weights).__name__}")
    if weights.values._array.shape != ids.values._array.shape:
        raise OpValueError(
            f"sp_ids has {len(ids.values)} values and sp_weights {len(weights.values)}: one weight for each id"
        )
    return ids, weights


@export("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = "mean",
    default_id: Any = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """`embedding_lookup_sparse` that ignores negative ids and weights that are not positive; a row without ids gives zeros, or `default_id`.

    >>> import whygrad as tf
    >>> table = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.nn.safe_embedding_lookup_sparse(table, tf.SparseTensor([[0, 0], [2, 0]], [1, -1], [3, 1])).numpy()
    array([[3., 4.],
           [0., 0.],
           [0., 0.]], dtype=float32)
    """
    if embedding_weights is None:
        raise OpValueError("Missing embedding_weights None.")
    ids, weights = _ids_and_weights(sparse_ids, sparse_weights)
    sizes = sizes_of(ids)
    flat = [int(np.prod(sizes[:-1], dtype=np.int64)), sizes[-1]]
    ids = shaping.reshape(ids, flat)
    kept = value_of(ids.values) >= 0
    if weights is not None:
        weights = SparseTensor(ids.indices, weights.values, ids.dense_shape)
        if combiner != "sum":
            kept &= value_of(weights.values) > 0
        weights = shaping.retain(weights, kept)
    ids = shaping.retain(ids, kept)
    ids, is_empty = shaping.fill_empty_rows(ids, 0 if default_id is None else default_id)
    if weights is not None:
        weights, _ = shaping.fill_empty_rows(weights, 1.0)
    found = embedding_lookup_sparse(embedding_weights, ids, weights, combiner, max_norm)
    if default_id is None:
        column = reshape(is_empty, [-1] + [1] * (found.ndim - 1))
        found = elementwise.where(column, wrap(np.zeros((), found.dtype.numpy_dtype)), found)
    return reshape(found, [*sizes[:-1], *found._array.shape[1:]])
