"""Linear algebra on NumPy arrays: the kernels of `whygrad.ops.linalg_*` that NumPy has no name for, or not as TensorFlow has it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any
Labels = tuple[int, ...]


def in_float32(array: Array) -> Array:
    """A half precision array in float32, in which TensorFlow computes; any other array as it is."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 and array.dtype.kind in "fV" else array


class LinalgKernels:
    """The engine's linear algebra."""

    # -- products --

    def matmul(self, a: Array, b: Array) -> Array:
        """Matrix products over the last two axes; half precision is summed in float32 and rounded once."""
        if a.dtype.itemsize == 2 and a.dtype.kind in "fV":
            return self.matmul(in_float32(a), in_float32(b)).astype(a.dtype)
        if b.ndim == 2 and a.ndim > 2:  # one large product in place of many small ones
            rows = np.matmul(a.reshape(math.prod(a.shape[:-1]), a.shape[-1]), b)
            return rows.reshape(*a.shape[:-1], b.shape[1])
        return np.matmul(a, b)

    def matrix_transpose(self, x: Array) -> Array:
        """The last two axes exchanged, as a view."""
        return x.swapaxes(-1, -2)

    def cross_product(self, a: Array, b: Array) -> Array:
        """The cross product of vectors of three elements along the last axis."""
        return np.cross(a, b)

    def contract(self, a: Array, b: Array, *, a_labels: Labels, b_labels: Labels, labels: Labels) -> Array:
        """The product of two arrays with labelled axes, summed over the labels that both have and the result has not.

        A label occurs once in an array, and each label of `a` or `b` is in the other or in the result.
        """
        batch = [label for label in labels if label in a_labels and label in b_labels]
        summed = [label for label in a_labels if label in b_labels and label not in labels]
        rows = [label for label in a_labels if label not in b_labels]
        columns = [label for label in b_labels if label not in a_labels]
        size = dict(zip(a_labels, a.shape)) | dict(zip(b_labels, b.shape))

        def matrices(array: Array, own: Labels, left: list[int], right: list[int]) -> Array:
            ordered = array.transpose([own.index(label) for label in (*batch, *left, *right)])
            return ordered.reshape([*[size[label] for label in batch], count(left), count(right)])

        def count(some: list[int]) -> int:
            return math.prod([size[label] for label in some])

        left = matrices(a, a_labels, rows, summed)
        right = matrices(b, b_labels, summed, columns)
        product = self.matmul(left, right) if summed else left * right
        order = [*batch, *rows, *columns]
        product = product.reshape([size[label] for label in order])
        return product.transpose([order.index(label) for label in labels])

    def einsum_reduce(self, x: Array, *, x_labels: Labels, labels: Labels) -> Array:
        """The diagonals of axes with the same label, summed over the labels that the result has not."""
        distinct = tuple(dict.fromkeys(x_labels))
        x = _diagonals(x, x_labels, distinct)
        gone = tuple([i for i, label in enumerate(distinct) if label not in labels])
        if gone:
            x = (
                in_float32(x)
                .sum(axis=gone, dtype=None if x.dtype.kind in "fVc" else x.dtype)
                .astype(x.dtype, copy=False)
            )
        left = [label for label in distinct if label in labels]
        return x.transpose([left.index(label) for label in labels])

    def einsum_spread(self, y: Array, *, x_labels: Labels, labels: Labels, shape: tuple[int, ...]) -> Array:
        """The transpose of `einsum_reduce` as a linear map: an array of `shape` with `y` on its diagonals, repeated."""
        distinct = tuple(dict.fromkeys(x_labels))
        size = dict(zip(x_labels, shape))
        kept = [label for label in distinct if label in labels]
        y = y.transpose([labels.index(label) for label in kept])
        y = y.reshape([size[label] if label in labels else 1 for label in distinct])
        if len(distinct) == len(x_labels):
            return np.broadcast_to(y, shape)
        out = np.zeros(shape, y.dtype)
        _diagonals(out, x_labels, distinct)[...] = y
        return out


def _diagonals(x: Array, x_labels: Labels, distinct: Labels) -> Array:
    """A view of the elements at which axes of the same label have the same index: one axis for each label."""
    if len(distinct) == len(x_labels):
        return x
    strides = [sum(s for s, label in zip(x.strides, x_labels) if label == each) for each in distinct]
    sizes = [x.shape[x_labels.index(each)] for each in distinct]
    return np.lib.stride_tricks.as_strided(x, sizes, strides)
