"""NumPy's functions that select, search, sort and count."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.discrete import discrete, discrete_several
from whygrad.numpy.elementwise import isnan, truth
from whygrad.numpy.lookup import lookup
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    floating,
    normal_axes,
    normal_axis,
    number,
    refuse,
    static_shape,
    tensor,
    together,
    whole,
)
from whygrad.ops import creation, elementwise, reductions, segments, shaping
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import flag, items, text, unexpected
from whygrad.ops.indexing import getitem
from whygrad.ops.primitive import engine_of
from whygrad.values.errors import OpIndexError, OpValueError
from whygrad.values.faults import IndexOutOfRange, literal
from whygrad.values.tensor import Tensor, are_known, wrap
from whygrad.values.variable import Variable

export_defined("numpy", but=("UniqueAllResult", "UniqueCountsResult", "UniqueInverseResult", "advanced", "from_front"))

# -- selecting --


def from_front(indices: Tensor, size: int) -> Tensor:
    """Make negative indices non-negative; raise IndexError for an index out of bounds."""
    array = indices._array
    if array.size == 0:
        return indices if array.dtype.kind in "iu" else elementwise.cast(indices, np.int64)
    if array.dtype.kind not in "iu":
        raise OpIndexError(f"indices must be integers, not {indices.dtype.name}")
    if not are_known(indices):
        return wrap(engine_of((indices,)).where(array < 0, array + size, array))
    low, high = array.min(), array.max()
    if low >= 0 and high < size:
        return indices
    for extreme in (low, high):
        if not -size <= extreme < size:
            wording = "index {index} is out of bounds for an axis of size {size}"
            raise OpIndexError(IndexOutOfRange(index=int(extreme), size=size, wording=wording))
    return wrap(np.where(array < 0, array + size, array))


def advanced(x: Any, key: Any) -> Tensor:
    """`x[key]` with NumPy's meaning: numbers, slices, None, Ellipsis, and arrays of integers or bools.

    >>> import whygrad as tf
    >>> from whygrad.numpy.indexing import advanced
    >>> advanced(tf.constant([[1.0, 2.0], [3.0, 4.0]]), ([0, 1], [1, 0])).numpy()
    array([2., 3.], dtype=float32)
    """
    t = tensor(x)
    parts = key if isinstance(key, tuple) else (key,)
    if all(map(_is_basic, parts)):
        return getitem(t, parts)  # not t[parts], which may be redirected here
    plain = tuple([_plain_index(part) for part in parts])
    if len(plain) == 1 and isinstance(plain[0], np.ndarray) and plain[0].dtype.kind in "iu" and t.ndim:
        return lookup(t, from_front(wrap(plain[0]), t._array.shape[0]))
    try:  # apply NumPy's own indexing to the positions, then look those up
        positions = np.arange(t._array.size).reshape(t._array.shape)[plain]
    except IndexError as error:
        raise _index_error(f"a tensor of shape {t._array.shape} cannot be indexed this way: ", error) from None
    return lookup(shaping.reshape(t, (-1,)), positions)


def _is_basic(part: Any) -> bool:
    """Return whether it is a basic index; True and False are masks, not numbers."""
    if isinstance(part, bool | np.bool_):
        return False
    return part is None or part is Ellipsis or isinstance(part, int | np.integer | slice)


def _plain_index(part: Any) -> Any:
    if isinstance(part, Tensor | Variable):
        return tensor(part)._array
    if isinstance(part, slice):
        return slice(*[each if each is None else number(each) for each in (part.start, part.stop, part.step)])
    if isinstance(part, list | tuple):
        array = np.asarray(number(part))
        return array if array.size else array.astype(int)
    return part


def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Tensor:
    """The elements (or slices along `axis`) at these indices."""
    x, at = tensor(a), tensor(indices)
    refuse("take", out=out)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    place = normal_axis(axis, x.ndim)
    size = x._array.shape[place]
    mode = text(mode, "mode")
    if at._array.dtype.kind not in "iub":
        pass  # refused below
    elif mode == "wrap":
        at = wrap(at._array % size)
    elif mode == "clip":
        at = wrap(np.clip(at._array, 0, size - 1))
    return lookup(x, from_front(at, size), axis=place)


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Tensor:
    """The elements at `indices` along `axis`, row by row."""
    x, at = tensor(arr), tensor(indices)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    if at.ndim != x.ndim:
        raise OpValueError(f"take_along_axis() takes indices of {x.ndim} dimensions, not {at.ndim}")
    place = normal_axis(axis, x.ndim)
    shape = x._array.shape
    at = from_front(at, shape[place])
    if x.ndim == 1:
        return lookup(x, at)
    lines = ask_numpy(
        np.broadcast_shapes,
        (*shape[:place], 1, *shape[place + 1 :]),
        (*at._array.shape[:place], 1, *at._array.shape[place + 1 :]),
    )
    x = _broadcast_to(x, (*lines[:place], shape[place], *lines[place + 1 :]))
    at = _broadcast_to(at, (*lines[:place], at._array.shape[place], *lines[place + 1 :]))
    if place == x.ndim - 1:
        return lookup(x, at, batch_dims=place)
    order = [i for i in range(x.ndim) if i != place] + [place]
    picked = lookup(shaping.transpose(x, order), shaping.transpose(at, order), batch_dims=x.ndim - 1)
    return shaping.transpose(picked, np.argsort(order).tolist())


def _broadcast_to(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    return x if x._array.shape == shape else shaping.broadcast_to(x, shape)


def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Tensor:
    """The slices along `axis` where the condition is true."""
    return take(a, np.flatnonzero(truth(condition)._array), axis, out)


def extract(condition: Any, arr: Any) -> Tensor:
    """The elements where the condition is true, as a vector."""
    return take(arr, np.flatnonzero(truth(condition)._array))


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """For each element, the choice of the first condition that is true."""
    condlist, choicelist = items(condlist, "condlist"), items(choicelist, "choicelist")
    if len(condlist) != len(choicelist) or not len(condlist):
        raise OpValueError(f"select() takes a choice for each condition, not {len(choicelist)} for {len(condlist)}")
    *choices, result = together(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices)):
        result = elementwise.where(truth(condition), choice, result)
    return result


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Tensor:
    """For each element, the choice with its index."""
    refuse("choose", out=out)
    index = tensor(a)
    values = shaping.unstack(choices) if isinstance(choices, Tensor) else together(*items(choices, "choices"))
    shape = ask_numpy(np.broadcast_shapes, index._array.shape, *[value._array.shape for value in values])
    index = tensor(np.broadcast_to(index._array, shape))
    size = len(values)
    mode = text(mode, "mode")
    if index._array.dtype.kind not in "iub":
        raise unexpected("int", "a", a)
    if mode == "wrap":
        index = wrap(index._array % size)
    elif mode == "clip":
        index = wrap(np.clip(index._array, 0, size - 1))
    elif index._array.size and not 0 <= index._array.min() <= index._array.max() < size:
        raise OpValueError(f"choose() takes integers from 0 to {size - 1}")
    stacked = shaping.stack([_broadcast_to(value, shape) for value in values])
    return take_along_axis(stacked, shaping.expand_dims(index, 0), 0)[0]


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Tensor:
    """A piecewise function: each piece is computed everywhere and used where its condition is true.

    >>> import whygrad as tf, whygrad.numpy as wnp
    >>> x = tf.constant([-1.0, 0.5, 2.0])
    >>> wnp.piecewise(x, [x < 0, x >= 1], [lambda x: -x, 1.0, lambda x: x * x]).numpy()
    array([1.  , 0.25, 1.  ], dtype=float32)
    """
    x = tensor(x)
    conditions = list(condlist) if isinstance(condlist, list | tuple) else [condlist]
    if isinstance(condlist, Tensor) and condlist.ndim > x.ndim:
        conditions = shaping.unstack(condlist)
    funclist = items(funclist, "funclist")
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise OpValueError(
            f"piecewise() takes {len(conditions)} or {len(conditions) + 1} functions, not {len(funclist)}"
        )
    dtype = x._array.dtype
    values = [as_dtype(tensor(f(x, *args, **kw) if callable(f) else f), dtype) for f in funclist]
    result = values.pop() if len(values) > len(conditions) else creation.zeros((), x.dtype)
    for condition, value in zip(conditions, values):  # the last true condition wins, as in NumPy
        result = elementwise.where(truth(condition), value, result)
    return _broadcast_to(result, x._array.shape)


def delete(arr: Any, obj: Any, axis: int | None = None) -> Tensor:
    """Remove the slices at these indices."""
    x = tensor(arr)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    place = normal_axis(axis, x.ndim)
    return take(x, _after("delete", np.delete, x._array.shape[place], obj), place)


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Tensor:
    """Insert values before these indices."""
    x = tensor(arr)
    new = as_dtype(tensor(values), x._array.dtype)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    place = normal_axis(axis, x.ndim)
    size = x._array.shape[place]
    at = np.arange(size)[obj] if isinstance(obj, slice) else ask_numpy(np.asarray, number(obj))
    if new.ndim < x.ndim:
        new = shaping.reshape(new, (1,) * (x.ndim - new.ndim) + new._array.shape)
    if at.ndim == 0:  # one position: all of `values` goes there, its first axis along `axis`
        order = [*range(1, place + 1), 0, *range(place + 1, x.ndim)]
        new = shaping.transpose(new, order)
        at = np.repeat(at, new._array.shape[place])
    shape = tuple([at.size if i == place else each for i, each in enumerate(x._array.shape)])
    # Let NumPy insert into the indices: the new elements are those from `size` on.
    positions = _after("insert", np.insert, size, at, range(size, size + at.size))
    return take(shaping.concat([x, _broadcast_to(new, shape)], place), positions, place)


def _index_error(prefix: str, error: IndexError) -> OpIndexError:
    """NumPy's IndexError as one that can say its causes. NumPy has one class for all of them, and says the kind in words."""
    message = f"{prefix}{error}"
    return OpIndexError(IndexOutOfRange(wording=literal(message)) if "out of bounds" in message else message)


def _after(name: str, change: Any, size: int, *arguments: Any) -> Any:
    """Apply a NumPy function to the indices 0, 1, ... of an axis."""
    plain = [each if isinstance(each, slice) else number(each) for each in arguments]
    try:
        return ask_numpy(change, np.arange(size), *plain)
    except IndexError as error:
        raise _index_error(f"{name}(): ", error) from None


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Tensor:
    """Remove slices of zeros from the front, the back or both ends of axes."""
    x = tensor(filt)
    kept = np.argwhere(x._array)
    index: list[slice] = [slice(None)] * x.ndim
    for place in normal_axes(axis, x.ndim):
        if kept.size == 0:
            index[place] = slice(0, 0)
            continue
        first = int(kept[:, place].min()) if "f" in text(trim, "trim").lower() else 0
        last = int(kept[:, place].max()) + 1 if "b" in trim.lower() else x._array.shape[place]
        index[place] = slice(first, last)
    return x[tuple(index)]


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Index vectors as an open grid."""
    return tuple([wrap(each) for each in ask_numpy(np.ix_, *[tensor(x)._array for x in args])])


# -- searching --


def argmax(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the maximum; of the flattened tensor if `axis` is None."""
    return _position("argmax", a, axis, out, keepdims)


def argmin(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the minimum; of the flattened tensor if `axis` is None."""
    return _position("argmin", a, axis, out, keepdims)


def nanargmax(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the maximum, ignoring nan."""
    return _position("nanargmax", a, axis, out, keepdims)


def nanargmin(a: Any, axis: int | None = None, out: Any = None, *, keepdims: Any = False) -> Tensor:
    """The index of the minimum, ignoring nan."""
    return _position("nanargmin", a, axis, out, keepdims)


def _position(function: str, a: Any, axis: int | None, out: Any, keepdims: Any) -> Tensor:
    x = tensor(a)
    refuse(function, out=out)
    place = None if axis is None else normal_axis(axis, x.ndim)
    if (x._array.size if place is None else x._array.shape[place]) == 0:
        raise OpValueError(f"{function}() of no elements has no value")
    if function.startswith("nan") and are_known(x) and bool(np.any(np.all(isnan(x)._array, axis=place))):
        raise OpValueError(f"{function}() found nothing but nan")
    return discrete(function, x, axis=place, keepdims=keepdims is not np._NoValue and flag(keepdims, "keepdims"))


def nonzero(a: Any) -> tuple[Tensor, ...]:
    """The indices of the nonzero elements, one tensor per axis."""
    x = tensor(a)
    if x.ndim == 0:
        raise OpValueError("nonzero() takes no scalars: use atleast_1d(x).nonzero()")
    return discrete_several("nonzero", x)


def flatnonzero(a: Any) -> Tensor:
    """The indices of the nonzero elements in the flattened tensor."""
    return discrete("flatnonzero", tensor(a))


def argwhere(a: Any) -> Tensor:
    """The indices of the nonzero elements, one row each."""
    return discrete("argwhere", tensor(a))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """The insertion indices of values in a sorted vector."""
    if text(side, "side") not in ("left", "right"):
        raise OpValueError(f"searchsorted() takes side='left' or 'right', not {side!r}")
    line, values = together(a, v)
    if line.ndim != 1:
        raise OpValueError(f"searchsorted() takes a sorted vector, not a tensor of {line.ndim} dimensions")
    order = None if sorter is None else tensor(sorter)._array
    return discrete("searchsorted", line, values, side=side, sorter=order)


def digitize(x: Any, bins: Any, right: bool = False) -> Tensor:
    """The bin index of each element."""
    values, edges = together(x, bins)
    return discrete("digitize", values, edges, right=right)


def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Tensor:
    """True where an element is one of the test elements."""
    return discrete("isin", *together(element, test_elements), invert=invert)


# -- sorting --


def argsort(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: bool = False
) -> Tensor:
    """The indices that sort the tensor along `axis`; the sort is stable."""
    x = tensor(a)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    place = normal_axis(axis, max(x.ndim, 1))
    if not flag(descending, "descending") or x.ndim == 0:
        return discrete("argsort", x, axis=place if x.ndim else -1, kind="stable")
    # Sorted in reverse and read from the end: largest first, ties still in order.
    backwards = discrete("argsort", x[(*(slice(None),) * place, slice(None, None, -1))], axis=place, kind="stable")
    order_ = np.flip(x._array.shape[place] - 1 - backwards._array, place)
    return wrap(order_)


def sort(
    a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: bool = False
) -> Tensor:
    """The tensor sorted along `axis`."""
    x = tensor(a)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    return take_along_axis(x, argsort(x, axis, descending=descending), axis)


def lexsort(keys: Any, axis: int = -1) -> Tensor:
    """The indices that sort by several keys, the last one being the primary key."""
    return discrete("lexsort", shaping.stack(together(*items(keys, "keys"))), axis=axis)


def argpartition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Tensor:
    """Indices that move the kth element to its sorted position, with smaller ones before it."""
    x = tensor(a)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    return discrete("argpartition", x, kth=number(kth), axis=normal_axis(axis, x.ndim))


def partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Tensor:
    """The tensor with the kth element in its sorted position, with smaller ones before it."""
    x = tensor(a)
    if axis is None:
        x, axis = shaping.reshape(x, (-1,)), 0
    return take_along_axis(x, argpartition(x, kth, axis), axis)


def sort_complex(a: Any) -> Tensor:
    """Complex numbers sorted by real part, then by imaginary part."""
    x = tensor(a)
    return sort(x if x._array.dtype.kind == "c" else elementwise.cast(x, np.complex128))


# -- sets --


class UniqueAllResult(NamedTuple):
    """The result of `unique_all`."""

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: Tensor
    inverse_indices: Tensor


@shape_by_values(chooses=True)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The sorted distinct values (or slices along `axis`); differentiable, as they are looked up."""
    x = tensor(ar)
    place = None if axis is None else normal_axis(axis, x.ndim)
    _, index, inverse, counts = discrete_several(
        "unique", x, return_index=True, return_inverse=True, return_counts=True, axis=place, equal_nan=equal_nan
    )
    results = [take(x, index, place)]
    wanted = {"return_index": (return_index, index), "return_inverse": (return_inverse, inverse)}
    wanted["return_counts"] = (return_counts, counts)
    results += [result for name, (asked, result) in wanted.items() if flag(asked, name)]
    return results[0] if len(results) == 1 else tuple(results)


def unique_all(x: Any) -> UniqueAllResult:
    """The distinct values, their first indices, the inverse indices and the counts; each nan is distinct."""
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x: Any) -> UniqueCountsResult:
    """The distinct values and their counts."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any) -> UniqueInverseResult:
    """The distinct values and the inverse indices."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: Any) -> Tensor:
    """The distinct values."""
    return unique(x, equal_nan=False)  # type: ignore[no-any-return]


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The sorted values that occur in both."""
    a, b = together(ar1, ar2)
    _, first, second = discrete_several("intersect1d", a, b, assume_unique=assume_unique, return_indices=True)
    values = take(a, first)
    return (values, first, second) if flag(return_indices, "return_indices") else values


def union1d(ar1: Any, ar2: Any) -> Tensor:
    """The sorted values that occur in either."""
    return unique(shaping.concat([shaping.reshape(x, (-1,)) for x in together(ar1, ar2)], 0))  # type: ignore[no-any-return]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """The sorted values of the first that do not occur in the second."""
    a = shaping.reshape(tensor(ar1), (-1,)) if flag(assume_unique, "assume_unique") else unique(ar1)
    return extract(isin(a, ar2, invert=True), a)


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """The sorted values that occur in exactly one."""
    assume_unique = flag(assume_unique, "assume_unique")
    a, b = (shaping.reshape(x, (-1,)) if assume_unique else unique(x) for x in together(ar1, ar2))
    return sort(shaping.concat([setdiff1d(a, b, True), setdiff1d(b, a, True)], 0))


# -- counting --


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Tensor:
    """The count of each number, or the sum of its weights."""
    at = tensor(x)
    if at.ndim != 1 or at._array.dtype.kind not in "iub":
        raise OpValueError(f"bincount() takes a vector of integers, not {at.dtype.name} of {at.ndim} dimensions")
    if at._array.size and at._array.min() < 0:
        raise OpValueError("bincount() takes integers that are not negative")
    if weights is None:
        return discrete("bincount", at, minlength=whole(minlength, "minlength"))
    w = as_dtype(tensor(weights), np.dtype(np.float64))
    count = max(int(at._array.max()) + 1 if at._array.size else 0, whole(minlength, "minlength"))
    return segments.unsorted_segment_sum(w, elementwise.cast(at, np.int64), count)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Tensor:
    """The edges of the bins of a histogram."""
    x = tensor(a)
    return wrap(np.asarray(ask_numpy(np.histogram_bin_edges, x._array, _bins(bins), range=number(range))))


def _bins(bins: Any) -> Any:
    if isinstance(bins, str):
        return bins
    given = number(bins)
    return given if isinstance(given, int) else ask_numpy(np.asarray, given)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Tensor, Tensor]:
    """The number of elements (or the sum of their weights) in each bin, and the bin edges."""
    x = shaping.reshape(tensor(a), (-1,))
    edges = histogram_bin_edges(x, bins, range)
    density = density is not None and flag(density, "density")
    if edges._array.dtype.kind not in "iuf" or edges._array.size < 2:
        raise OpValueError(f"histogram() takes edges of bins that are numbers, two or more of them, not {bins!r}")
    if weights is None:
        counted, _ = discrete_several("histogram", x, edges)
    else:
        w = shaping.reshape(tensor(weights), (-1,))
        place: Any = np.searchsorted(edges._array, x._array, "right") - 1
        place[x._array == edges._array[-1]] -= 1  # the last bin includes both edges
        inside = np.flatnonzero((place >= 0) & (place < edges._array.size - 1))
        counted = segments.unsorted_segment_sum(lookup(w, inside), place[inside], edges._array.size - 1)
    if density:
        counted = floating(counted)
        counted = counted / wrap(np.diff(edges._array).astype(counted._array.dtype)) / reductions.reduce_sum(counted)
    return counted, edges


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Tensor, ...]:
    """Convert indices into a flattened tensor to indices per axis."""
    found = ask_numpy(np.unravel_index, tensor(indices)._array, static_shape(shape), order)
    return tuple([wrap(np.asarray(each)) for each in found])


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Tensor:
    """Convert indices per axis to indices into the flattened tensor."""
    arrays = tuple([tensor(each)._array for each in items(multi_index, "multi_index")])
    return wrap(np.asarray(ask_numpy(np.ravel_multi_index, arrays, static_shape(dims), mode, order)))
