"""Products of matrices and tensors, and diagonals."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.elementwise import conj, multiply, truth
from whygrad.numpy.lookup import lookup
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    normal_axes,
    normal_axis,
    number,
    numpy_dtype,
    refuse,
    tensor,
    together,
    whole,
)
from whygrad.numpy.reductions import any, sum
from whygrad.numpy.shaping import broadcast_to, moveaxis
from whygrad.ops import creation, cumulative, elementwise, linalg_products, shaping
from whygrad.ops.arguments import flag, items, text, unexpected
from whygrad.values.errors import OpValueError
from whygrad.values.faults import InnerSizesDiffer
from whygrad.values.tensor import Tensor

export_defined("numpy")


def _multiplied(product: Any, *operands: Tensor, dtype: Any = None) -> Tensor:
    """A product of tensors of one dtype: TensorFlow multiplies floats and wide integers, NumPy all dtypes."""
    given = operands[0]._array.dtype
    if dtype is not None:
        wanted = numpy_dtype(dtype)
        return product(*[as_dtype(x, wanted) for x in operands])  # type: ignore[no-any-return]
    if given.kind in "fcV" or given in (np.int32, np.int64):
        return product(*operands)  # type: ignore[no-any-return]
    wide = product(*[elementwise.cast(x, np.int64) for x in operands])
    return truth(wide) if given.kind == "b" else elementwise.cast(wide, given)


def matmul(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None, **layout: Any) -> Tensor:
    """The product of two matrices, or of stacks of them; a vector is a row on the left and a column on the right."""
    a, b = together(x1, x2)
    refuse("matmul", out=out)
    if a.ndim == 0 or b.ndim == 0:
        raise OpValueError("matmul() takes no scalars: use multiply()")
    left = shaping.expand_dims(a, 0) if a.ndim == 1 else a
    right = shaping.expand_dims(b, 1) if b.ndim == 1 else b
    y = _multiplied(linalg_products.matmul, left, right, dtype=dtype)
    gone = [i for i, vector in ((-2, a.ndim == 1), (-1, b.ndim == 1)) if vector]
    return shaping.squeeze(y, gone) if gone else y


def matvec(x1: Any, x2: Any, /) -> Tensor:
    """The products of matrices and vectors."""
    a, b = together(x1, x2)
    return _multiplied(linalg_products.matvec, a, b)


def vecmat(x1: Any, x2: Any, /) -> Tensor:
    """The products of vectors (conjugated) and matrices."""
    a, b = together(x1, x2)
    return shaping.squeeze(_multiplied(linalg_products.matmul, shaping.expand_dims(conj(a), -2), b), [-2])


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """The sums of products along an axis; the first factor is conjugated."""
    a, b = [moveaxis(x, normal_axis(axis, x.ndim), -1) for x in together(x1, x2)]  # it counts in each operand
    if a._array.shape[-1] != b._array.shape[-1]:
        raise OpValueError(
            f"vecdot() takes vectors of one length, not of lengths {a._array.shape[-1]} and {b._array.shape[-1]}"
        )
    products = multiply(conj(a) if a._array.dtype.kind == "c" else a, b)
    return sum(products, axis=-1, dtype=a._array.dtype) if a._array.dtype.kind != "b" else any(products, axis=-1)


def _arrays(*operands: Any) -> list[Tensor]:
    """Operands of one dtype, with Python numbers as arrays, as in NumPy: only its ufuncs treat them as weak."""
    return together(*[tensor(x) for x in operands])


def dot(a: Any, b: Any, out: Any = None) -> Tensor:
    """The product of matrices or vectors; for more axes, the sum over the last axis of `a` and the second-to-last of `b`."""
    refuse("dot", out=out)
    x, y = _arrays(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return _multiplied(elementwise.multiply, x, y)
    return tensordot(x, y, axes=((x.ndim - 1,), (max(y.ndim - 2, 0),)))


def vdot(a: Any, b: Any, /) -> Tensor:
    """The sum of products of all elements; the first factor is conjugated."""
    x, y = _arrays(a, b)
    x = shaping.reshape(x, (-1,))
    return dot(conj(x) if x._array.dtype.kind == "c" else x, shaping.reshape(y, (-1,)))


def inner(a: Any, b: Any, /) -> Tensor:
    """The sums of products over the last axes."""
    x, y = _arrays(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return _multiplied(elementwise.multiply, x, y)
    return tensordot(x, y, axes=((x.ndim - 1,), (y.ndim - 1,)))


def outer(a: Any, b: Any, out: Any = None) -> Tensor:
    """The product of each element of `a` with each element of `b`."""
    refuse("outer", out=out)
    x, y = _arrays(a, b)
    return _multiplied(elementwise.multiply, shaping.reshape(x, (-1, 1)), shaping.reshape(y, (1, -1)))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """Contract two tensors: a number of axes, or the axes of each."""
    x, y = _arrays(a, b)
    axes = number(axes)
    if isinstance(axes, int):
        if axes > min(x.ndim, y.ndim):
            raise OpValueError(f"tensordot() over {axes} axes takes tensors that have as many")
        pair = [tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))]
    else:
        if not isinstance(axes, list | tuple) or len(axes) != 2:
            raise unexpected("int or pair of lists", "axes", axes)
        pair = [normal_axes(axes[0], x.ndim), normal_axes(axes[1], y.ndim)]
    sizes = [[t._array.shape[axis] for axis in side] for t, side in ((x, pair[0]), (y, pair[1]))]
    if sizes[0] != sizes[1]:
        wording = f"tensordot() sums over axes of one size, not {sizes[0]} and {sizes[1]}"
        if x.ndim > 1 and y.ndim > 1 and pair == [(x.ndim - 1,), (y.ndim - 2,)]:
            raise OpValueError(InnerSizesDiffer(a=x._array.shape, b=y._array.shape, wording=wording))
        raise OpValueError(wording)
    return _multiplied(lambda p, q: linalg_products.tensordot(p, q, pair), x, y)


def einsum(*operands: Any, out: Any = None, optimize: Any = False, dtype: Any = None, **layout: Any) -> Tensor:
    """Sums of products in Einstein's notation.

    >>> import whygrad.numpy as wnp
    >>> wnp.einsum("ij,j->i", [[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]).numpy()
    array([21., 43.])
    """
    refuse("einsum", out=out)
    if isinstance(operands[0], str):
        subscripts, *values = operands
    else:
        subscripts, values = _from_sublists(operands)
    arrays = _stretched(subscripts, _arrays(*values))
    return _multiplied(lambda *x: linalg_products.einsum(subscripts, *x), *arrays, dtype=dtype)


def _stretched(subscripts: str, arrays: Sequence[Tensor]) -> list[Tensor]:
    """The operands of einsum with axes of size 1 repeated to the size that their label has elsewhere, as NumPy does."""
    labels = [_labels(text, array.ndim) for text, array in zip(subscripts.split("->")[0].split(","), arrays)]
    sizes: dict[str, int] = {}
    for names, array in zip(labels, arrays):
        for name, size in zip(names, array._array.shape):
            sizes[name] = max(sizes.get(name, 1), size)
    stretched = []
    for names, array in zip(labels, arrays):
        shape = [sizes.get(name, size) if size == 1 else size for name, size in zip(names, array._array.shape)]
        distinct = len(set(names)) == len(names)
        stretched.append(array if tuple(shape) == array._array.shape or not distinct else broadcast_to(array, shape))
    return stretched


def _labels(text: str, rank: int) -> list[str]:
    """The label of each axis of an operand; those of an ellipsis have a name of their own, which no other operand has."""
    before, dots, after = text.replace(" ", "").partition("...")
    inner = [f"{text}{i}" for i in range(rank - len(before) - len(after))] if dots else []
    return [*before, *inner, *after]


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """The cheapest order of products, as NumPy finds it."""
    plain: Any = [each if isinstance(each, str | list) else tensor(each)._array for each in operands]
    return ask_numpy(np.einsum_path, *plain, optimize=optimize)


def _from_sublists(operands: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The other form of einsum's arguments: each operand followed by its axis numbers, then those of the result."""
    values = list(operands[: len(operands) // 2 * 2 : 2])
    lists = [*operands[1::2], *([operands[-1]] if len(operands) % 2 else [])]
    texts = ["".join([_letter(label) for label in items(each, "operands")]) for each in lists]
    return ",".join(texts[: len(values)]) + ("->" + texts[-1] if len(operands) % 2 else ""), values


def _letter(label: Any) -> str:
    """The letter of an axis's number in the form of einsum that takes lists."""
    if label is Ellipsis:
        return "..."
    place = whole(label, "operands")
    if not 0 <= place < len(string.ascii_letters):
        raise OpValueError(
            f"einsum() takes a string first, or after each operand the numbers of its axes, from 0 to 51, not {place}"
        )
    return string.ascii_letters[place]


def kron(a: Any, b: Any) -> Tensor:
    """The Kronecker product: each element of `a` times all of `b`, in blocks."""
    x, y = _arrays(a, b)
    rank = max(x.ndim, y.ndim)
    first = (1,) * (rank - x.ndim) + x._array.shape
    second = (1,) * (rank - y.ndim) + y._array.shape
    pairs = _multiplied(
        elementwise.multiply,
        shaping.reshape(x, [size for each in first for size in (each, 1)]),
        shaping.reshape(y, [size for each in second for size in (1, each)]),
    )
    return shaping.reshape(pairs, [p * q for p, q in zip(first, second)])


def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The cross product of vectors of 3 (or 2) components."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _arrays(a, b)
    x, y = (moveaxis(t, place, -1) for t, place in ((x, axisa), (y, axisb)))
    sizes = (x._array.shape[-1], y._array.shape[-1])
    if not set(sizes) <= {2, 3}:
        raise OpValueError(f"cross() takes vectors of 2 or 3 components, not {sizes[0]} and {sizes[1]}")
    x0, x1, x2 = _components(x)
    y0, y1, y2 = _components(y)
    third = x0 * y1 - x1 * y0
    if sizes == (2, 2):
        return third
    parts = shaping.stack([x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, third], -1)
    return moveaxis(parts, -1, axisc)


def _components(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x[..., 0], x[..., 1], x[..., 2] if x._array.shape[-1] == 3 else creation.zeros_like(x[..., 0])


def convolve(a: Any, v: Any, mode: str = "full") -> Tensor:
    """The convolution of two vectors."""
    x, y = together(a, v)
    if x.ndim > 1 or y.ndim > 1:
        raise OpValueError("convolve() takes vectors")
    x, y = shaping.reshape(x, (-1,)), shaping.reshape(y, (-1,))
    if x._array.shape[0] < y._array.shape[0]:
        x, y = y, x
    return _slid(x, y[::-1], mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> Tensor:
    """The correlation of two vectors; the second is conjugated."""
    x, y = together(a, v)
    if x.ndim > 1 or y.ndim > 1:
        raise OpValueError("correlate() takes vectors")
    x, y = shaping.reshape(x, (-1,)), conj(shaping.reshape(y, (-1,)))
    if x._array.shape[0] >= y._array.shape[0]:
        return _slid(x, y, mode)
    return _slid(y, x, mode)[::-1]


def _slid(x: Tensor, y: Tensor, mode: str) -> Tensor:
    """The sums of products as `y`, the shorter vector, slides along `x`."""
    n, m = x._array.shape[0], y._array.shape[0]
    if m == 0:
        raise OpValueError("an empty vector cannot be convolved")
    text(mode, "mode")
    border = {"full": (m - 1, m - 1), "same": (m // 2, (m - 1) // 2), "valid": (0, 0)}.get(mode)
    if border is None:
        raise OpValueError(f"mode must be 'full', 'same' or 'valid', not {mode!r}")
    if mode == "same":
        border = ((m - 1) - (m - 1) // 2, (m - 1) // 2)
    padded = shaping.pad(x, [border])
    count = n + border[0] + border[1] - m + 1
    windows = lookup(padded, np.arange(count)[:, None] + np.arange(m))
    return matmul(windows, y)


# -- diagonals and triangles --


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal over two axes, which becomes the last axis."""
    x = tensor(a)
    if x.ndim < 2:
        raise OpValueError(f"diagonal() takes at least 2 dimensions, not {x.ndim}")
    offset = whole(offset, "offset")
    first, second = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    if first == second:
        raise OpValueError("axis1 and axis2 must differ")
    x = moveaxis(x, (first, second), (-2, -1))
    *batch, rows, columns = x._array.shape
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    start = -offset * columns if offset < 0 else offset
    flat = shaping.reshape(x, (*batch, rows * columns))
    # Neighbours on a diagonal are one row and one element apart.
    return flat[(..., slice(start, start + count * (columns + 1), columns + 1) if count else slice(0, 0))]


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Tensor:
    """The sum of the diagonal over two axes."""
    refuse("trace", out=out)
    return sum(diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def diag(v: Any, k: int = 0) -> Tensor:
    """The k-th diagonal of a matrix, or a matrix with a vector on its k-th diagonal."""
    x, k = tensor(v), whole(k, "k")
    if x.ndim == 2:
        return diagonal(x, k)
    if x.ndim != 1:
        raise OpValueError(f"diag() takes a vector or a matrix, not a tensor of {x.ndim} dimensions")
    size = x._array.shape[0] + abs(k)
    before = max(k, 0) if k >= 0 else -k * size
    # In the flattened matrix the elements are size + 1 apart.
    spaced = shaping.reshape(shaping.pad(shaping.expand_dims(x, 1), [(0, 0), (0, size)]), (-1,))
    rest = size * size - before - x._array.shape[0] * (size + 1)
    spaced = shaping.pad(spaced, [(before, max(rest, 0))])[: size * size]
    return shaping.reshape(spaced, (size, size))


def diagflat(v: Any, k: int = 0) -> Tensor:
    """A matrix with the flattened tensor on its k-th diagonal."""
    return diag(shaping.reshape(tensor(v), (-1,)), k)


def tril(m: Any, k: int = 0) -> Tensor:
    """The lower triangle, zeros above the k-th diagonal."""
    return _triangle(np.tril, m, k)


def triu(m: Any, k: int = 0) -> Tensor:
    """The upper triangle, zeros below the k-th diagonal."""
    return _triangle(np.triu, m, k)


def _triangle(part: Any, m: Any, k: int) -> Tensor:
    x = tensor(m)
    if x.ndim == 0:
        raise OpValueError("a scalar has no triangle")
    if x.ndim == 1:  # as in NumPy: a row, repeated
        x = shaping.broadcast_to(x, (x._array.shape[0],) * 2)
    inside = ask_numpy(part, np.ones(x._array.shape[-2:], bool), whole(k, "k"))
    return elementwise.where(inside, x, creation.zeros((), x.dtype))


def vander(x: Any, N: Any = None, increasing: bool = False) -> Tensor:
    """The powers of a vector's elements, as columns."""
    t = tensor(x)
    if t.ndim != 1:
        raise OpValueError(f"vander() takes a vector, not a tensor of {t.ndim} dimensions")
    t = as_dtype(t, ask_numpy(np.promote_types, t._array.dtype, int))
    count = t._array.shape[0] if N is None else whole(N, "N")
    if count == 0:
        return creation.zeros((t._array.shape[0], 0), t.dtype)
    ones = creation.ones((t._array.shape[0], 1), t.dtype)
    factors = shaping.concat([ones, shaping.broadcast_to(shaping.expand_dims(t, 1), (t._array.shape[0], count - 1))], 1)
    powers = cumulative.cumprod(factors, 1)
    return powers if flag(increasing, "increasing") else powers[:, ::-1]
