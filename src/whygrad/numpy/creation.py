"""Create tensors from other values or from a shape. Defaults are NumPy's: float64, and int64 for ranges."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    common_dtype,
    floating,
    is_recorded,
    normal_axis,
    number,
    numpy_dtype,
    static_shape,
    tensor,
    together,
    typed,
    whole,
)
from whygrad.ops import creation, elementwise, shaping
from whygrad.ops.arguments import flag, text, unexpected
from whygrad.ops.arguments import function as callable_argument
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import Tensor, are_known, wrap

export_defined("numpy")

_MOST_AXES = 64  # as NumPy allows


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: bool | None = None, like: Any = None
) -> Tensor:
    """Convert `a` to a Tensor; gradients pass through a Tensor."""
    return tensor(a) if dtype is None else typed(a, numpy_dtype(dtype))


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: Any = "K",
    subok: bool = False,
    ndmin: int = 0,
    like: Any = None,
) -> Tensor:
    """Convert `object` to a Tensor with at least `ndmin` axes."""
    x = asarray(object, dtype)
    ndmin = whole(ndmin, "ndmin")
    if ndmin > _MOST_AXES:
        raise OpValueError(f"array() takes ndmin up to {_MOST_AXES}, not {ndmin}")
    return shaping.reshape(x, (1,) * (ndmin - x.ndim) + x._array.shape) if x.ndim < ndmin else x


asanyarray = ascontiguousarray = asarray


def copy(a: Any, order: str = "K", subok: bool = False) -> Tensor:
    """A new tensor with the same value."""
    return shaping.identity(tensor(a))


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A Tensor from any array that supports DLPack."""
    if not hasattr(x, "__dlpack__"):
        raise unexpected("array that supports DLPack", "x", x)
    return convert(ask_numpy(np.from_dlpack, x), None)


def zeros(shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None) -> Tensor:
    """Zeros."""
    return wrap(ask_numpy(np.zeros, static_shape(shape), numpy_dtype(dtype, float)))


def ones(shape: Any, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None) -> Tensor:
    """Ones."""
    return wrap(ask_numpy(np.ones, static_shape(shape), numpy_dtype(dtype, float)))


empty = zeros  # a Tensor cannot be filled later: zeros rather than uninitialized memory


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """A tensor filled with `fill_value`."""
    value = tensor(fill_value)
    if dtype is not None:
        value = as_dtype(value, numpy_dtype(dtype))
    return shaping.broadcast_to(value, static_shape(shape))


def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Tensor:
    """Zeros with the shape and dtype of `a`."""
    given = tensor(a)
    x, wanted = given._array, numpy_dtype(dtype, given._array.dtype)
    if shape is None and wanted == x.dtype:
        return creation.zeros_like(given)  # a tape watches them, as in TensorFlow, which takes ones for constants
    return wrap(ask_numpy(np.zeros, x.shape if shape is None else static_shape(shape), wanted))


def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: Any = None
) -> Tensor:
    """Ones with the shape and dtype of `a`."""
    x = tensor(a)._array
    return wrap(ask_numpy(np.ones, x.shape if shape is None else static_shape(shape), numpy_dtype(dtype, x.dtype)))


empty_like = zeros_like


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Tensor:
    """A tensor with the shape and dtype of `a`, filled with `fill_value`."""
    x = tensor(a)._array
    return full(x.shape if shape is None else shape, fill_value, numpy_dtype(dtype, x.dtype))


def eye(
    N: Any, M: Any = None, k: Any = 0, dtype: Any = float, order: str = "C", *, device: Any = None, like: Any = None
) -> Tensor:
    """A matrix with ones on the k-th diagonal."""
    return wrap(ask_numpy(np.eye, number(N), number(M), number(k), numpy_dtype(dtype, float)))


def identity(n: Any, dtype: Any = None, *, like: Any = None) -> Tensor:
    """The identity matrix."""
    return eye(n, dtype=dtype)


def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *, like: Any = None) -> Tensor:
    """Ones at and below the k-th diagonal."""
    return wrap(ask_numpy(np.tri, number(N), number(M), number(k), numpy_dtype(dtype, float)))


# -- ranges --


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None, like: Any = None
) -> Tensor:
    """Numbers from `start` up to `stop` in steps of `step`; from 0 if only one number is given."""
    wanted = None if dtype is None else numpy_dtype(dtype)
    begin, end = (0, start) if stop is None else (start, stop)
    counted = [number(each) for each in (begin, end, step)]
    if not any(is_recorded(each) for each in (begin, end, step)):
        return wrap(ask_numpy(np.arange, *counted, dtype=wanted))
    # The count is fixed, and each number depends on `start` and `step`.
    first, distance, _ = together(begin, step, end)
    count = as_dtype(wrap(np.arange(len(ask_numpy(np.arange, *counted)))), first._array.dtype)
    return asarray(first + count * distance, wanted)


def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: Any = None,
) -> Any:
    """`num` evenly spaced numbers from `start` to `stop`."""
    first, last = together(start, stop)
    first, last = floating(first), floating(last)
    count = whole(num, "num")
    if count < 0:
        raise OpValueError(f"linspace() takes a number of samples that is not negative, not {count}")
    endpoint, retstep = flag(endpoint, "endpoint"), flag(retstep, "retstep")
    steps = count - 1 if endpoint else count
    distance = (last - first) / steps if steps > 0 else (last - first) * np.nan
    shape = np.broadcast_shapes(first._array.shape, last._array.shape)
    index = as_dtype(wrap(ask_numpy(np.arange, count).reshape(-1, *(1,) * len(shape))), first._array.dtype)
    points = shaping.broadcast_to(first, (count, *shape)) if steps <= 0 else index * distance + first
    if endpoint and count > 1:  # the last one exactly
        points = shaping.concat([points[:-1], shaping.reshape(shaping.broadcast_to(last, shape), (1, *shape))], 0)
    points = _moved(points, axis)
    if dtype is not None:
        wanted = numpy_dtype(dtype)
        points = as_dtype(elementwise.floor(points) if wanted.kind in "iu" else points, wanted)
    return (points, distance) if retstep else points


def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Tensor:
    """`num` numbers evenly spaced on a log scale."""
    from whygrad.numpy.elementwise import power

    return asarray(power(base, linspace(start, stop, num, endpoint, axis=axis)), dtype)


def geomspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor:
    """`num` numbers, each a constant multiple of the one before."""
    from whygrad.numpy.elementwise import exp, log

    first, last, _ = together(start, stop, np.float64(0))
    if are_known(first, last) and (np.any(first._array == 0) or np.any(last._array == 0)):
        raise OpValueError("geomspace() cannot start or stop at zero")
    # start * exp(t log(stop / start)): real for negative endpoints too, and exactly `start` at t = 0.
    parts = linspace(0, 1, num, endpoint, dtype=first._array.real.dtype)
    rank = len(np.broadcast_shapes(first._array.shape, last._array.shape))
    parts = elementwise.cast(shaping.reshape(parts, (-1, *(1,) * rank)), first.dtype)
    points = first * exp(parts * log(last / first))
    if endpoint and number(num) > 1:
        end = shaping.expand_dims(shaping.broadcast_to(last, points._array.shape[1:]), 0)
        points = shaping.concat([points[:-1], end], 0)
    return asarray(_moved(points, axis), dtype)


def _moved(points: Tensor, axis: int) -> Tensor:
    """Move the samples from the first axis to another."""
    from whygrad.numpy.shaping import moveaxis

    place = whole(axis, "axis")
    return moveaxis(points, 0, place) if place else points


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Tensor, ...]:
    """The coordinates of a grid, one tensor per axis."""
    if text(indexing, "indexing") not in ("xy", "ij"):
        raise OpValueError(f"meshgrid() takes indexing='xy' or 'ij', not {indexing!r}")
    vectors = [shaping.reshape(tensor(x), (-1,)) for x in xi]
    places = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        places[:2] = [1, 0]
    shape = [0] * len(vectors)
    for vector, place in zip(vectors, places):
        shape[place] = vector._array.shape[0]
    grids = [
        shaping.reshape(v, [-1 if i == place else 1 for i in range(len(shape))]) for v, place in zip(vectors, places)
    ]
    return tuple(grids if flag(sparse, "sparse") else [shaping.broadcast_to(grid, shape) for grid in grids])


# -- indices --


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The indices of a grid, one tensor per axis."""
    sparse = flag(sparse, "sparse")
    found: Any = ask_numpy(np.indices, static_shape(dimensions), numpy_dtype(dtype), sparse=sparse)
    return tuple([wrap(each) for each in found]) if sparse else wrap(found)


def fromfunction(function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any) -> Any:
    """Apply a function to the indices of a grid."""
    sizes = static_shape(shape)
    function = callable_argument(function, "function", takes=None if kwargs else len(sizes))
    grid = ask_numpy(np.indices, sizes, numpy_dtype(dtype))
    return function(*[wrap(each) for each in grid], **kwargs)


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """The indices of the lower triangle of an n by m matrix."""
    return tuple([wrap(each) for each in ask_numpy(np.tril_indices, number(n), number(k), number(m))])


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> tuple[Tensor, ...]:
    """The indices of the upper triangle of an n by m matrix."""
    return tuple([wrap(each) for each in ask_numpy(np.triu_indices, number(n), number(k), number(m))])


def _matrix_shape(arr: Any) -> tuple[int, ...]:
    shape: tuple[int, ...] = tensor(arr)._array.shape
    if len(shape) != 2:
        raise OpValueError(f"a matrix is needed, not a tensor of {len(shape)} dimensions")
    return shape


def tril_indices_from(arr: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """The indices of the lower triangle of a matrix."""
    rows, columns = _matrix_shape(arr)
    return tril_indices(rows, k, columns)


def triu_indices_from(arr: Any, k: Any = 0) -> tuple[Tensor, ...]:
    """The indices of the upper triangle of a matrix."""
    rows, columns = _matrix_shape(arr)
    return triu_indices(rows, k, columns)


def diag_indices(n: Any, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the main diagonal."""
    indices = ask_numpy(np.diag_indices, number(n), whole(ndim, "ndim"))
    return (wrap(indices[0]),) * len(indices) if indices else ()


def diag_indices_from(arr: Any) -> tuple[Tensor, ...]:
    """The indices of the main diagonal of a tensor whose axes have one size."""
    shape = tensor(arr)._array.shape
    if len(shape) < 2 or len(set(shape)) != 1:
        raise OpValueError(f"diag_indices_from() takes at least 2 axes, all of one size, not {shape}")
    return diag_indices(shape[0], len(shape))


# -- windows --


def bartlett(M: Any) -> Tensor:
    """The Bartlett (triangular) window."""
    return wrap(ask_numpy(np.bartlett, number(M)))


def blackman(M: Any) -> Tensor:
    """The Blackman window."""
    return wrap(ask_numpy(np.blackman, number(M)))


def hamming(M: Any) -> Tensor:
    """The Hamming window."""
    return wrap(ask_numpy(np.hamming, number(M)))


def hanning(M: Any) -> Tensor:
    """The Hann window."""
    return wrap(ask_numpy(np.hanning, number(M)))


def kaiser(M: Any, beta: Any) -> Tensor:
    """The Kaiser window; differentiable with respect to `beta`."""
    from whygrad.numpy.elementwise import i0

    count = whole(M, "M")
    if count == 1:
        return ones(1)
    shape = as_dtype(tensor(beta), np.dtype(np.float64))
    half = (count - 1) / 2.0
    inside = np.sqrt(1 - ((ask_numpy(np.arange, count) - half) / half) ** 2)
    return i0(shape * wrap(inside)) / i0(shape)


# -- dtypes and shapes --


def shape(a: Any) -> tuple[int, ...]:
    """The shape."""
    return tuple(tensor(a)._array.shape)


def ndim(a: Any) -> int:
    """The number of axes."""
    return tensor(a).ndim


def size(a: Any, axis: Any = None) -> int:
    """The number of elements, in total or along axes."""
    sizes = tensor(a)._array.shape
    axes = range(len(sizes)) if axis is None else (axis if isinstance(axis, tuple) else (axis,))
    return int(np.prod([sizes[normal_axis(each, len(sizes))] for each in axes], dtype=int))


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype to which NumPy promotes these."""
    values = [x if type(x) in (int, float, complex) else _typed(x) for x in arrays_and_dtypes]
    return common_dtype(values)


def _typed(x: Any) -> Tensor:
    """A tensor of the given dtype."""
    if isinstance(x, type | str | np.dtype | DType):
        return wrap(np.zeros((), numpy_dtype(x)))
    return tensor(x)


def promote_types(type1: Any, type2: Any) -> Any:
    """The smallest dtype to which both can be cast safely."""
    return ask_numpy(np.promote_types, numpy_dtype(type1), numpy_dtype(type2))


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Return whether a casting rule allows a cast."""
    return bool(ask_numpy(np.can_cast, _typed(from_)._array.dtype, numpy_dtype(to), casting))


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind ("real floating", "integral", ...) or one of several."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    wanted = tuple([numpy_dtype(each) if isinstance(each, DType) else each for each in kinds])
    return bool(ask_numpy(np.isdtype, numpy_dtype(dtype), wanted))


def finfo(dtype: Any) -> Any:
    """Limits of a floating dtype."""
    return ask_numpy(np.finfo, _typed(dtype)._array.dtype)


def iinfo(dtype: Any) -> Any:
    """Limits of an integer dtype."""
    return ask_numpy(np.iinfo, _typed(dtype)._array.dtype)


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Return whether a dtype equals another or is below it in NumPy's type hierarchy."""
    kinds = [numpy_dtype(each) if isinstance(each, DType) else each for each in (arg1, arg2)]
    return bool(ask_numpy(np.issubdtype, *kinds))
