"""Norms of vectors and matrices, and normalization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.advice import SMALL, safe_form, safe_with
from whygrad.ops.arguments import flag, integer, number
from whygrad.ops.elementwise import abs, cast, conj, imag, maximum, multiply, pow, real, rsqrt, sqrt, square
from whygrad.ops.elementwise import complex as complex_of
from whygrad.ops.linalg_decompositions import svd
from whygrad.ops.reductions import l2_loss, normal_axes, reduce_max, reduce_sum, safe_norm
from whygrad.ops.shaping import reshape, stack, transpose
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, wrap


@safe_form(safe_norm)
@export("norm", "linalg.norm")
def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: bool | None = None, name: str | None = None
) -> Tensor:
    """The norm of vectors (`axis` a number, or None for the whole tensor as one vector) or of matrices (`axis` two numbers).

    `ord` is "euclidean", 1, 2, inf or any positive number; for matrices "euclidean" or "fro" (Frobenius), 2 (the
    largest singular value), 1 or inf (the largest column or row sum).

    >>> import whygrad as tf
    >>> tf.norm([3.0, 4.0]).numpy()
    np.float32(5.0)
    >>> tf.norm([[1.0, 2.0], [3.0, 4.0]], ord=1, axis=(0, 1)).numpy()
    np.float32(6.0)
    """
    x = convert(tensor, None)
    if isinstance(axis, list | tuple) and len(axis) == 2:
        axis = [integer(each, "axis") for each in axis]
    of_matrices = isinstance(axis, list) and len(axis) == 2 and axis[0] != axis[1]
    if not of_matrices and axis is not None and not isinstance(axis, int | np.integer):
        raise OpValueError(f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}")
    supported = ["euclidean", "fro", 1, 2, np.inf]
    if not isinstance(ord, str):
        ord = number(ord, "ord")
    if of_matrices and ord not in supported:
        raise OpValueError(f"'ord' must be a supported matrix norm in {supported}, got {ord}")
    if not of_matrices and ord != "euclidean" and (isinstance(ord, str) or ord <= 0):
        raise OpValueError(f"'ord' must be a supported vector norm, got {ord}")
    keep = flag(keepdims, "keepdims")
    if of_matrices and ord == 2 and not isinstance(ord, str):
        return _largest_singular_value(x, axis, keep)
    if isinstance(ord, str) or ord == 2:
        return sqrt(reduce_sum(multiply(x, conj(x)), axis, keepdims=keep))
    if of_matrices:
        first, second = normal_axes(axis[0], x.ndim) + normal_axes(axis[1], x.ndim)
        if ord != 1:
            first, second = second, first
        largest = reduce_max(reduce_sum(abs(x), first, keepdims=True), second, keepdims=True)
        return largest if keep else _squeezed(largest, (first, second))
    if ord == 1:
        return reduce_sum(abs(x), axis, keepdims=keep)
    if ord == np.inf:
        return reduce_max(abs(x), axis, keepdims=keep)
    return pow(reduce_sum(pow(abs(x), ord), axis, keepdims=keep), 1.0 / ord)


def _largest_singular_value(x: Tensor, axis: Sequence[int], keep: bool) -> Tensor:
    axes = [normal_axes(each, x.ndim)[0] for each in axis]
    others = [i for i in range(x.ndim) if i not in axes]
    largest = reduce_max(svd(transpose(x, [*others, *axes]), compute_uv=False), axis=-1)
    return reshape(largest, tuple([1 if i in axes else n for i, n in enumerate(x.shape)])) if keep else largest


def _squeezed(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return reshape(x, tuple([size for i, size in enumerate(x.shape) if i not in axes]))


@export("linalg.normalize")
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Divide the tensor by its norm (see `norm`), and return both.

    >>> import whygrad as tf
    >>> tf.linalg.normalize([3.0, 4.0])[0].numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(tensor, None)
    length = cast(norm(x, ord=ord, axis=axis, keepdims=True), x.dtype)
    return x / length, length


@safe_with("epsilon", SMALL)
@export("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: Any = 1e-12, name: str | None = None, dim: Any = None) -> Tensor:
    """Divide x by its Euclidean norm along `axis`; the squared norm is at least `epsilon`.

    >>> import whygrad as tf
    >>> tf.math.l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    t = convert(x, None)
    axis = dim if axis is None else axis
    if t._array.dtype.kind != "c":
        return multiply(t, rsqrt(maximum(reduce_sum(square(t), axis, keepdims=True), epsilon)))
    squares = square(real(t)) + square(imag(t))
    scale = rsqrt(maximum(reduce_sum(squares, axis, keepdims=True), epsilon))
    return complex_of(multiply(real(t), scale), multiply(imag(t), scale))


@export("linalg.global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Tensor:
    """The Euclidean norm of a list of tensors as one vector; None entries are ignored.

    >>> import whygrad as tf
    >>> tf.linalg.global_norm([tf.constant([3.0]), None, tf.constant([[4.0]])]).numpy()
    np.float32(5.0)
    """
    check_list(t_list)
    halves = [l2_loss(t.values if isinstance(t, IndexedSlices) else t) for t in t_list if t is not None]
    if not halves:
        return wrap(np.zeros((), np.float32))
    return sqrt(multiply(reduce_sum(stack(halves)), 2.0))


def check_list(t_list: Any) -> None:
    """Raise TypeError unless the argument is a sequence of tensors rather than a tensor."""
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise OpTypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
