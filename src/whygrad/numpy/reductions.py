"""NumPy's reductions and cumulative functions, and those that ignore nan."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.discrete import discrete
from whygrad.numpy.elementwise import isnan, maximum, minimum, not_equal, sqrt, subtract, truth
from whygrad.numpy.errors import OpZeroDivisionError
from whygrad.numpy.lookup import lookup
from whygrad.numpy.promotion import (
    as_dtype,
    floating,
    normal_axes,
    normal_axis,
    numpy_dtype,
    refuse,
    tensor,
    together,
    whole,
)
from whygrad.ops import creation, cumulative, elementwise, reductions, shaping
from whygrad.ops.advice import SMALL, safe_form
from whygrad.ops.arguments import flag
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import Tensor, are_known

export_defined("numpy", but=("cummax", "cummin", "logsumexp", "summed"))

_default: Any = np._NoValue


def summed(x: Any, dtype: Any) -> Tensor:
    """`x` in the dtype in which NumPy sums it: narrow integers are widened."""
    t = tensor(x)
    given = t._array.dtype
    if dtype is not None:
        return as_dtype(t, numpy_dtype(dtype))
    if given.kind in "fcV" or given.itemsize == 8:
        return t
    return as_dtype(t, np.dtype(np.uint64 if given.kind == "u" else np.int64))


def _kept(keepdims: Any) -> bool:
    return False if keepdims is _default else flag(keepdims, "keepdims")


def _where(x: Tensor, where: Any, otherwise: Any) -> Tensor:
    """`x` where the mask is true, and the neutral element elsewhere."""
    if where is _default or where is True:
        return x
    return elementwise.where(truth(where), x, as_dtype(otherwise, x._array.dtype))


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _default,
    initial: Any = _default,
    where: Any = _default,
) -> Tensor:
    """The sum over `axis`."""
    x = _where(summed(a, dtype), where, 0)
    refuse("sum", out=out)
    y = reductions.reduce_sum(x, normal_axes(axis, x.ndim), _kept(keepdims))
    return y if initial is _default else y + as_dtype(tensor(initial), y._array.dtype)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _default,
    initial: Any = _default,
    where: Any = _default,
) -> Tensor:
    """The product over `axis`."""
    x = _where(summed(a, dtype), where, 1)
    refuse("prod", out=out)
    y = reductions.reduce_prod(x, normal_axes(axis, x.ndim), _kept(keepdims))
    return y if initial is _default else y * as_dtype(tensor(initial), y._array.dtype)


def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _default, *, where: Any = _default
) -> Tensor:
    """The mean over `axis`."""
    refuse("mean", out=out)
    x = floating(a) if dtype is None else as_dtype(tensor(a), numpy_dtype(dtype))
    axes = normal_axes(axis, x.ndim)
    if where is _default or where is True:
        return reductions.reduce_mean(x, axes, _kept(keepdims))
    return sum(x, axes, keepdims=keepdims, where=where) / _count(x, axes, keepdims, where)


def _count(x: Tensor, axes: tuple[int, ...], keepdims: Any, where: Any = _default) -> Tensor:
    """The number of elements in each result, in the real dtype of `x`."""
    dtype = elementwise.real(x).dtype if x._array.dtype.kind == "c" else x.dtype
    if where is _default or where is True:
        return creation.constant(math.prod([x._array.shape[axis] for axis in axes]), dtype)
    mask = shaping.broadcast_to(truth(where), x._array.shape)
    counted: Tensor = elementwise.cast(
        reductions.reduce_sum(elementwise.cast(mask, np.int64), axes, _kept(keepdims)), dtype
    )
    return counted


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = _default,
    *,
    where: Any = _default,
    mean: Any = _default,
    correction: Any = _default,
) -> Tensor:
    """The variance over `axis`: the mean squared deviation from the mean, with `ddof` subtracted from the count."""
    refuse("var", out=out)
    x = floating(a) if dtype is None else as_dtype(tensor(a), numpy_dtype(dtype))
    axes = normal_axes(axis, x.ndim)
    middle = _mean(x, axes, keepdims=True, where=where) if mean is _default else tensor(mean)
    away = x - middle
    squares = (
        elementwise.square(away)
        if away._array.dtype.kind != "c"
        else elementwise.square(elementwise.real(away)) + elementwise.square(elementwise.imag(away))
    )
    total = sum(squares, axes, keepdims=keepdims, where=where)
    fewer = ddof if correction is _default else correction
    return total / maximum(_count(squares, axes, keepdims, where) - fewer, 0)


@safe_form(lambda call: f"{call.namespace}.sqrt({call.namespace}.var({call.arguments}) + {SMALL})")
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = _default,
    *,
    where: Any = _default,
    mean: Any = _default,
    correction: Any = _default,
) -> Tensor:
    """The standard deviation over `axis`."""
    return sqrt(var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction))


_mean = mean


def _extreme(function: str, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Tensor:
    """The maximum or minimum: the common part of `max` and `min`."""
    x = tensor(a)
    refuse(function, out=out)
    axes = normal_axes(axis, x.ndim)
    if initial is not _default:
        x = _where(x, where, initial)
    elif where is not _default and where is not True:
        raise OpValueError(f"{function}() over a mask needs initial=: what is given where nothing is selected")
    elif math.prod([x._array.shape[each] for each in axes]) == 0:
        raise OpValueError(f"{function}() of no elements has no value: give initial=")
    if x._array.dtype.kind == "b":
        y = (reductions.reduce_any if function == "max" else reductions.reduce_all)(x, axes, _kept(keepdims))
    elif x._array.dtype.kind == "c":
        y = _complex_extreme(function, x, axes, _kept(keepdims))
    else:
        y = (reductions.reduce_max if function == "max" else reductions.reduce_min)(x, axes, _kept(keepdims))
    return y if initial is _default else (maximum if function == "max" else minimum)(y, initial)


def _complex_extreme(function: str, x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The largest or smallest complex number, by real part and then by imaginary part: its index is found, then looked up."""
    others = [i for i in range(x.ndim) if i not in axes]
    shape = [1 if i in axes else size for i, size in enumerate(x._array.shape) if keepdims or i not in axes]
    lines = shaping.reshape(
        shaping.transpose(x, (*others, *axes)), (math.prod([x._array.shape[i] for i in others]), -1)
    )
    index = discrete("arg" + function, lines, axis=1)
    return shaping.reshape(lookup(lines, index, batch_dims=1), shape)


def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _default,
    initial: Any = _default,
    where: Any = _default,
) -> Tensor:
    """The maximum over `axis`; ties share the gradient."""
    return _extreme("max", a, axis, out, keepdims, initial, where)


def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _default,
    initial: Any = _default,
    where: Any = _default,
) -> Tensor:
    """The minimum over `axis`; ties share the gradient."""
    return _extreme("min", a, axis, out, keepdims, initial, where)


amax, amin = max, min


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _default) -> Tensor:
    """The difference between the maximum and the minimum."""
    return subtract(max(a, axis, out, keepdims), min(a, axis, out, keepdims))


def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _default, *, where: Any = _default) -> Tensor:
    """True where all elements over `axis` are true."""
    x = _where(truth(a), where, True)
    refuse("all", out=out)
    return reductions.reduce_all(x, normal_axes(axis, x.ndim), _kept(keepdims))


def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _default, *, where: Any = _default) -> Tensor:
    """True where any element over `axis` is true."""
    x = _where(truth(a), where, False)
    refuse("any", out=out)
    return reductions.reduce_any(x, normal_axes(axis, x.ndim), _kept(keepdims))


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Tensor:
    """The number of nonzero elements over `axis`."""
    return sum(elementwise.cast(truth(a), np.int64), axis, keepdims=keepdims)


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = _default) -> Any:
    """The weighted mean over `axis`."""
    x, returned = floating(a), flag(returned, "returned")
    if weights is None:
        result = mean(x, axis, keepdims=keepdims)
        scale = shaping.broadcast_to(_count(x, normal_axes(axis, x.ndim), keepdims), result._array.shape)
        return (result, elementwise.cast(scale, result.dtype)) if returned else result
    x, w = together(x, weights)
    axes = normal_axes(axis, x.ndim)
    if w._array.shape != x._array.shape:
        expected = tuple([x._array.shape[each] for each in axes])
        if w._array.shape != expected:
            raise OpValueError(f"average() takes weights of shape {x._array.shape} or {expected}, not {w._array.shape}")
        order = sorted(range(len(axes)), key=lambda i: axes[i])
        w = shaping.transpose(w, order)
        w = shaping.reshape(w, [size if i in axes else 1 for i, size in enumerate(x._array.shape)])
        w = shaping.broadcast_to(w, x._array.shape)
    scale = sum(w, axes, keepdims=keepdims)
    if are_known(scale) and (scale._array == 0).any():
        raise OpZeroDivisionError("the weights of average() add up to zero")
    result = sum(x * w, axes, keepdims=keepdims) / scale
    return (result, scale) if returned else result


def logsumexp(a: Any, axis: Any = None, keepdims: Any = _default) -> Tensor:
    """log(sum(exp(a))) over `axis`, without overflow; `logaddexp.reduce`."""
    x = floating(a)
    return reductions.reduce_logsumexp(x, normal_axes(axis, x.ndim), _kept(keepdims))


# -- cumulative functions --


def _line(x: Tensor, axis: Any) -> tuple[Tensor, int]:
    """A tensor and the axis to run along; flattened if `axis` is None."""
    return (shaping.reshape(x, (-1,)), 0) if axis is None else (x, normal_axis(axis, x.ndim))


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Cumulative sums along `axis`."""
    refuse("cumsum", out=out)
    return cumulative.cumsum(*_line(summed(a, dtype), axis))


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Cumulative products along `axis`."""
    refuse("cumprod", out=out)
    return cumulative.cumprod(*_line(summed(a, dtype), axis))


def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Tensor:
    """Cumulative sums along `axis`, starting with 0 if `include_initial`."""
    start = 0 if flag(include_initial, "include_initial") else None
    return _cumulative("cumulative_sum", cumsum, x, axis, dtype, out, start)


def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Tensor:
    """Cumulative products along `axis`, starting with 1 if `include_initial`."""
    start = 1 if flag(include_initial, "include_initial") else None
    return _cumulative("cumulative_prod", cumprod, x, axis, dtype, out, start)


def _cumulative(name: str, run: Any, x: Any, axis: Any, dtype: Any, out: Any, initial: Any) -> Tensor:
    x = tensor(x)
    if x.ndim == 0:
        raise OpValueError(f"{name}() takes at least 1 dimension")
    if axis is None and x.ndim > 1:
        raise OpValueError(f"{name}() of a tensor of {x.ndim} dimensions needs axis=")
    axis = 0 if axis is None else normal_axis(axis, x.ndim)
    y: Tensor = run(x, axis, dtype, out)
    if initial is None:
        return y
    first = [1 if i == axis else size for i, size in enumerate(y._array.shape)]
    return shaping.concat([creation.fill(first, as_dtype(initial, y._array.dtype)), y], axis)


def cummax(a: Any, axis: int = 0) -> Tensor:
    """The cumulative maximum along `axis`; `maximum.accumulate`."""
    return _running_extreme(a, axis, np.maximum)


def cummin(a: Any, axis: int = 0) -> Tensor:
    """The cumulative minimum along `axis`; `minimum.accumulate`."""
    return _running_extreme(a, axis, np.minimum)


def _running_extreme(a: Any, axis: int, better: Any) -> Tensor:
    """Each result is the element at which the cumulative extreme last changed."""
    from whygrad.numpy.indexing import take_along_axis

    x = tensor(a)
    place = normal_axis(axis, x.ndim)
    best = np.moveaxis(better.accumulate(x._array, axis=place), place, -1)
    later, earlier = best[..., 1:], best[..., :-1]
    # Nan is no change after nan, although it compares unequal.
    changed = (later != earlier) & ~((later != later) & (earlier != earlier))
    holder = np.zeros(best.shape, np.int64)
    np.maximum.accumulate(np.where(changed, np.arange(1, best.shape[-1] or 1), 0), axis=-1, out=holder[..., 1:])
    return take_along_axis(x, tensor(np.moveaxis(holder, -1, place)), place)


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = _default, append: Any = _default) -> Tensor:
    """The differences of neighbouring elements along `axis`, n times."""
    x = tensor(a)
    if x.ndim == 0:
        raise OpValueError("diff() takes at least 1 dimension")
    n = whole(n, "n")
    if n < 0:
        raise OpValueError(f"diff() takes an order that is not negative, not {n}")
    place = normal_axis(axis, x.ndim)
    shape = [1 if i == place else size for i, size in enumerate(x._array.shape)]
    parts = [x]
    if prepend is not _default:
        parts.insert(0, _edge(prepend, shape))
    if append is not _default:
        parts.append(_edge(append, shape))
    if len(parts) > 1:
        x = shaping.concat(together(*parts), place)
    before = (slice(None),) * place
    for _ in range(builtins.min(n, x._array.shape[place])):  # then nothing is left to subtract
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = not_equal(later, earlier) if x._array.dtype.kind == "b" else later - earlier
    return x


def _edge(value: Any, shape: list[int]) -> Tensor:
    value = tensor(value)
    return shaping.broadcast_to(value, shape) if value.ndim == 0 else value


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """The differences of neighbouring elements of the flattened tensor."""
    x = diff(shaping.reshape(tensor(ary), (-1,)))
    ends = [
        x if part is x else shaping.reshape(as_dtype(tensor(part), x._array.dtype), (-1,))
        for part in (to_begin, x, to_end)
        if part is not None
    ]
    return shaping.concat(ends, 0) if len(ends) > 1 else x


# -- ignoring nan --


def _filled(a: Any, value: Any) -> Tensor:
    """Replace nan by `value`."""
    x = tensor(a)
    return elementwise.where(isnan(x), as_dtype(value, x._array.dtype), x) if x._array.dtype.kind in "fcV" else x


def _present(a: Any) -> Tensor:
    """True where elements are not nan."""
    return elementwise.logical_not(isnan(a))


def nansum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _default, initial: Any = _default,
    where: Any = _default,
) -> Tensor:  # fmt: skip
    """The sum, ignoring nan."""
    return sum(_filled(a, 0), axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _default, initial: Any = _default,
    where: Any = _default,
) -> Tensor:  # fmt: skip
    """The product, ignoring nan."""
    return prod(_filled(a, 1), axis, dtype, out, keepdims, initial, where)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Cumulative sums, ignoring nan."""
    return cumsum(_filled(a, 0), axis, dtype, out)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Tensor:
    """Cumulative products, ignoring nan."""
    return cumprod(_filled(a, 1), axis, dtype, out)


def _nan_extreme(function: Any, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Tensor:
    x = tensor(a)
    if x._array.dtype.kind not in "fV":
        return function(x, axis, out, keepdims, initial, where)  # type: ignore[no-any-return]
    y = function(_filled(x, -math.inf if function is max else math.inf), axis, out, keepdims, initial, where)
    nothing = all(isnan(x), axis, keepdims=keepdims)
    if initial is not _default:
        return y  # type: ignore[no-any-return]
    return elementwise.where(nothing, as_dtype(math.nan, x._array.dtype), y)


def nanmax(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _default, initial: Any = _default, where: Any = _default
) -> Tensor:
    """The maximum, ignoring nan."""
    return _nan_extreme(max, a, axis, out, keepdims, initial, where)


def nanmin(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _default, initial: Any = _default, where: Any = _default
) -> Tensor:
    """The minimum, ignoring nan."""
    return _nan_extreme(min, a, axis, out, keepdims, initial, where)


def _and_present(a: Any, where: Any) -> Tensor:
    present = _present(a)
    return present if where is _default or where is True else elementwise.logical_and(present, truth(where))


def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _default, *, where: Any = _default
) -> Tensor:
    """The mean, ignoring nan."""
    return mean(_filled(a, 0), axis, dtype, out, keepdims, where=_and_present(a, where))


def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = _default, *,
    where: Any = _default, mean: Any = _default, correction: Any = _default,
) -> Tensor:  # fmt: skip
    """The variance, ignoring nan."""
    present = _and_present(a, where)
    y = var(_filled(a, 0), axis, dtype, out, ddof, keepdims, where=present, mean=mean, correction=correction)
    x = tensor(a)
    fewer = ddof if correction is _default else correction
    enough = _count(floating(x), normal_axes(axis, x.ndim), keepdims, present) - fewer
    return elementwise.where(
        elementwise.greater(enough, creation.zeros((), enough.dtype)), y, as_dtype(math.nan, y._array.dtype)
    )


def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0, keepdims: Any = _default, *,
    where: Any = _default, mean: Any = _default, correction: Any = _default,
) -> Tensor:  # fmt: skip
    """The standard deviation, ignoring nan."""
    return sqrt(nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction))
