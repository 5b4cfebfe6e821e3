"""Crossed features: all combinations of the values in the same rows, as strings or hashes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import integer, items
from whygrad.ops.elementwise import cast
from whygrad.ragged.joining import as_ragged, as_values
from whygrad.ragged.tensor import Array, RaggedTensor, from_splits, splits_of
from whygrad.sparse.tensor import SparseTensor, positions_of, sizes_of
from whygrad.strings.arguments import compute, string_op, strings_array
from whygrad.strings.hashing import fingerprint64
from whygrad.values import dtypes
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.tensor import Tensor, value_of

_MASK = 0xFFFFFFFFFFFFFFFF
_HASH_KEY = 956888297470  # TensorFlow's own, where none is given


def _crossed(columns: list[Array], splits: list[Array], combine: Callable[..., Any]) -> tuple[list[Any], list[int]]:
    """The combinations of each row, one after the other, and how many each row has."""
    found: list[Any] = []
    counts: list[int] = []
    for row in range(len(splits[0]) - 1):
        parts = [column[ends[row] : ends[row + 1]].tolist() for column, ends in zip(columns, splits)]
        before = len(found)
        found += [combine(each) for each in itertools.product(*parts)]
        counts.append(len(found) - before)
    return found, counts


def _joined(parts: tuple[Any, ...], separator: bytes) -> bytes:
    return separator.join([part if isinstance(part, bytes) else str(part).encode() for part in parts])


def combined_hash(first: int, second: int) -> int:
    """The hash of two hashes."""
    factor = 0xC6A4A7935BD1E995
    mixed = second * factor & _MASK
    value = first ^ factor ^ (mixed ^ mixed >> 47) * factor & _MASK
    value = value * factor & _MASK
    value = (value ^ value >> 47) * factor & _MASK
    return value ^ value >> 47


def _cross_forward(xp: Any, *columns: Array, splits: list[Array], separator: bytes) -> tuple[Array, Array]:
    found, counts = _crossed(list(columns), splits, lambda parts: _joined(parts, separator))
    return strings_array(found), splits_of(np.array(counts, np.int64))


def _hashed_forward(
    xp: Any, *columns: Array, splits: list[Array], num_buckets: int, hash_key: int
) -> tuple[Array, Array]:
    def hashed(parts: tuple[Any, ...]) -> int:
        value = hash_key
        for part in parts:
            value = combined_hash(value, fingerprint64(part) if isinstance(part, bytes) else part & _MASK)
        return value % (num_buckets or 2**63 - 1)

    found, counts = _crossed(list(columns), splits, hashed)
    return np.array(found, np.int64), splits_of(np.array(counts, np.int64))


_cross = string_op("ragged_cross", _cross_forward, "RaggedCross")
_hashed = string_op("ragged_cross_hashed", _hashed_forward, "RaggedCrossHashed")


def _columns(inputs: Any) -> list[RaggedTensor]:
    columns = [as_values(each) for each in items(inputs, "inputs")]
    if not columns:
        raise OpValueError("`inputs` must hold at least one tensor")
    for column in columns:
        if len(column.shape) != 2:
            raise invalid(f"tf.ragged.cross takes tensors of rank 2, not of shape {column.shape}")
        if column.dtype not in (dtypes.string, dtypes.int32, dtypes.int64):
            raise OpTypeError(f"Unexpected dtype for inputs: {column.dtype!r}. They must be strings or integers.")
    ragged = [as_ragged(column) for column in columns]
    if len({each._count() for each in ragged}) > 1:
        raise invalid("inputs must all have the same batch dimension size: their numbers of rows differ")
    return ragged


@export("ragged.cross")
def cross(inputs: Any, name: str | None = None) -> RaggedTensor:
    """All combinations of the values in the same rows, as strings joined by `_X_`.

    >>> import whygrad as tf
    >>> tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), tf.ragged.constant([["d"], ["e"]])])
    <tf.RaggedTensor [[b'a_X_d'], [b'b_X_e', b'c_X_e']]>
    """
    columns = _columns(inputs)
    values, splits = compute(
        _cross,
        *[each.values for each in columns],
        splits=[each._split_array() for each in columns],
        separator=b"_X_",
    )
    return from_splits(values, value_of(splits))


def _ragged_columns(inputs: Any) -> list[RaggedTensor]:
    """The columns of `tf.sparse.cross`: sparse or dense, of strings or integers."""
    columns = []
    if not isinstance(inputs, list | tuple):
        raise OpTypeError("Inputs must be a list")
    for each in inputs:
        if not isinstance(each, SparseTensor | Tensor):
            raise OpTypeError(f"All inputs must be Tensor or SparseTensor, not {type(each).__name__}")
        if isinstance(each, SparseTensor):
            rows = positions_of(each)[:, 0]
            lengths = np.bincount(rows, minlength=sizes_of(each)[0])
            each = from_splits(each.values, splits_of(lengths))
        columns.append(each if each.dtype is dtypes.string else cast(each, dtypes.int64))
    return _columns(columns)


def _to_sparse(values: Tensor, splits: Tensor) -> SparseTensor:
    return from_splits(values, value_of(splits)).to_sparse()  # type: ignore[no-any-return]


@export("sparse.cross")
def sparse_cross(inputs: Any, name: str | None = None, separator: str | None = None) -> SparseTensor:
    """All combinations of the values in the same rows, as strings joined by `separator` (`_X_`).

    >>> import whygrad as tf
    >>> letters = tf.sparse.from_dense([["a", ""], ["b", "c"]])
    >>> tf.sparse.cross([letters, tf.constant([["d"], ["e"]])]).values.numpy().tolist()
    [b'a_X_d', b'b_X_e', b'c_X_e']
    """
    columns = _ragged_columns(inputs)
    values, splits = compute(
        _cross,
        *[each.values for each in columns],
        splits=[each._split_array() for each in columns],
        separator=b"_X_" if separator is None else separator.encode(),
    )
    return _to_sparse(values, splits)


@export("sparse.cross_hashed")
def sparse_cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> SparseTensor:
    """All combinations of the values in the same rows, each as the number of a bucket.

    >>> import whygrad as tf
    >>> letters = tf.sparse.from_dense([["a", ""], ["b", "c"]])
    >>> tf.sparse.cross_hashed([letters, tf.constant([["d"], ["e"]])], num_buckets=100).values.numpy()
    array([82, 61, 41])
    """
    columns = _ragged_columns(inputs)
    values, splits = compute(
        _hashed,
        *[each.values for each in columns],
        splits=[each._split_array() for each in columns],
        num_buckets=integer(num_buckets, "num_buckets"),
        hash_key=_HASH_KEY if hash_key is None else integer(hash_key, "hash_key"),
    )
    return _to_sparse(values, splits)


@export("ragged.cross_hashed")
def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> RaggedTensor:
    """All combinations of the values in the same rows, each as the number of a bucket.

    >>> import whygrad as tf
    >>> inputs = [tf.ragged.constant([["a"], ["b", "c"]]), tf.ragged.constant([["d"], ["e"]])]
    >>> tf.ragged.cross_hashed(inputs, num_buckets=100)
    <tf.RaggedTensor [[82], [61, 41]]>
    """
    columns = _columns(inputs)
    buckets = integer(num_buckets, "num_buckets")
    if buckets < 0:
        raise invalid(f"Value for attr 'num_buckets' of {buckets} must be at least minimum 0")
    values, splits = compute(
        _hashed,
        *[each.values for each in columns],
        splits=[each._split_array() for each in columns],
        num_buckets=buckets,
        hash_key=_HASH_KEY if hash_key is None else integer(hash_key, "hash_key"),
    )
    return from_splits(values, value_of(splits))
