"""Products of matrices and tensors, and what is read off a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

import whygrad as tf
from whygrad.numpy.promotion import normal_axis, numpy_dtype, refuse, tensor, together
from whygrad.numpy.shaping import moveaxis
from whygrad.values.tensor import Tensor

# fmt: off
__all__ = [
    "diagonal", "einsum", "matmul", "tensordot", "trace", "tril", "triu",
]
# fmt: on


def matmul(x1: Any, x2: Any, /, out: Any = None, **layout: Any) -> Tensor:
    """The product of two matrices, or of stacks of them; a vector counts as a row on the left, a column on the right."""
    a, b = together(x1, x2)
    refuse("matmul", out=out)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul() takes no scalars: use multiply()")
    left = tf.expand_dims(a, 0) if a.ndim == 1 else a
    right = tf.expand_dims(b, 1) if b.ndim == 1 else b
    y = tf.matmul(left, right)
    gone = [i for i, vector in ((-2, a.ndim == 1), (-1, b.ndim == 1)) if vector]
    return tf.squeeze(y, gone) if gone else y


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """Products summed over axes of both: a number of axes, or the axes of each."""
    x, y = together(a, b)
    return tf.tensordot(x, y, axes)


def einsum(*operands: Any, out: Any = None, optimize: Any = False, **layout: Any) -> Tensor:
    """Sums of products in Einstein's notation: `einsum("ij,jk->ik", a, b)`."""
    refuse("einsum", out=out)
    subscripts, *values = operands
    return tf.einsum(subscripts, *together(*values))


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal over two axes, which becomes the last axis."""
    x = tensor(a)
    if x.ndim < 2:
        raise ValueError(f"diagonal() takes at least 2 dimensions, not {x.ndim}")
    first, second = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    if first == second:
        raise ValueError("axis1 and axis2 must differ")
    return tf.linalg.diag_part(moveaxis(x, (first, second), (-2, -1)), k=offset)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Tensor:
    """The sum of the diagonal over two axes."""
    from whygrad.numpy.reductions import sum

    refuse("trace", out=out)
    return sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def tril(m: Any, k: int = 0) -> Tensor:
    """The lower triangle, zeros above the k-th diagonal."""
    return _triangle(np.tril, m, k)


def triu(m: Any, k: int = 0) -> Tensor:
    """The upper triangle, zeros below the k-th diagonal."""
    return _triangle(np.triu, m, k)


def _triangle(part: Any, m: Any, k: int) -> Tensor:
    x = tensor(m)
    if x.ndim == 1:  # as NumPy: a row, repeated
        x = tf.broadcast_to(x, (x._array.shape[0],) * 2)
    return tf.where(part(np.ones(x._array.shape[-2:], bool), k), x, tf.zeros((), x.dtype))
