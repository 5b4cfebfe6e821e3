"""Order statistics, correlation, polynomials, interpolation, and numerical integrals and derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad._public import export_defined
from whygrad.numpy.elementwise import conj, divide, maximum, minimum, multiply, real, sqrt
from whygrad.numpy.indexing import sort, take_along_axis
from whygrad.numpy.lookup import lookup
from whygrad.numpy.products import diagonal, dot, vander
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    common_dtype,
    floating,
    normal_axes,
    normal_axis,
    number,
    numpy_dtype,
    refuse,
    tensor,
    together,
    whole,
)
from whygrad.numpy.reductions import sum
from whygrad.numpy.shaping import atleast_2d, broadcast_arrays
from whygrad.ops import creation, elementwise, shaping
from whygrad.ops.arguments import flag, function, text
from whygrad.ops.arguments import number as real_number
from whygrad.ops.primitive import engine_of
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor, are_known, wrap

export_defined("numpy")

_default: Any = np._NoValue

# -- order statistics --

# The position of the quantile q among n sorted elements: n q + alpha + q (1 - alpha - beta), counted from 1.
_PLACES = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
# Methods that take one of the two neighbours of the linear position, or their midpoint.
_NEIGHBOURS = {"lower", "higher", "midpoint", "nearest"}


def quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: Any = False, *, weights: Any = None,
) -> Tensor:  # fmt: skip
    """The value below which a fraction `q` of the elements lies, interpolated between two of them."""
    return _quantile("quantile", a, q, 1.0, axis, out, method, keepdims, weights, skip_nan=False)


def percentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: Any = False, *, weights: Any = None,
) -> Tensor:  # fmt: skip
    """Like `quantile`, with the fraction in percent."""
    return _quantile("percentile", a, q, 100.0, axis, out, method, keepdims, weights, skip_nan=False)


def nanquantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: Any = False, *, weights: Any = None,
) -> Tensor:  # fmt: skip
    """Like `quantile`, ignoring nan."""
    return _quantile("nanquantile", a, q, 1.0, axis, out, method, keepdims, weights, skip_nan=True)


def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, method: str = "linear",
    keepdims: Any = False, *, weights: Any = None,
) -> Tensor:  # fmt: skip
    """Like `percentile`, ignoring nan."""
    return _quantile("nanpercentile", a, q, 100.0, axis, out, method, keepdims, weights, skip_nan=True)


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Tensor:
    """The middle element, or the mean of the two middle ones."""
    return _quantile("median", a, 0.5, 1.0, axis, out, "linear", keepdims, None, skip_nan=False)


def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = _default
) -> Tensor:
    """The median, ignoring nan."""
    return _quantile("nanmedian", a, 0.5, 1.0, axis, out, "linear", keepdims, None, skip_nan=True)


def _quantile(
    name: str,
    a: Any,
    q: Any,
    whole: float,
    axis: Any,
    out: Any,
    method: str,
    keepdims: Any,
    weights: Any,
    *,
    skip_nan: bool,
) -> Tensor:
    refuse(name, out=out, weights=weights)
    text(method, "method")
    if method not in _PLACES and method not in _NEIGHBOURS:
        raise OpValueError(
            f"{name}(method={method!r}) is not supported: {', '.join(sorted({*_PLACES, *_NEIGHBOURS}))} are"
        )
    x = floating(a)
    if x._array.dtype.kind == "c" and "median" not in name:
        raise OpTypeError(f"{name}() is not defined for complex Tensors")
    if tensor(q)._array.dtype.kind == "c":
        raise OpTypeError(f"{name}() takes real parts from 0 to {whole:g}, not complex ones")
    part = divide(q, whole)  # in NumPy, a Python number takes the dtype of `a`; anything else promotes it
    if isinstance(q, int | float):
        part = as_dtype(part, x._array.real.dtype)
    elif method not in ("lower", "higher", "nearest"):  # those return elements unchanged
        x, part = together(x, part)
    if are_known(part) and not bool(((part._array >= 0) & (part._array <= 1)).all()):
        raise OpValueError(f"{name}() takes parts from 0 to {whole:g}, not {number(q)}")
    axes = normal_axes(axis, x.ndim)
    shape = x._array.shape
    others = [i for i in range(x.ndim) if i not in axes]
    lines = [shape[i] for i in others]
    size = math.prod([shape[i] for i in axes])
    # One row per result, along the last axis, sorted; nan comes last.
    x = sort(shaping.reshape(shaping.transpose(x, (*others, *axes)), (*lines, size)))
    missing = engine_of((x,)).isnan(x._array)
    counts = (size - missing.sum(-1, keepdims=True)) if skip_nan else np.full((*lines, 1), size)
    found = _interpolated(x, shaping.reshape(part, (-1,)), counts, method)
    spoilt = counts == 0 if skip_nan else missing.any(-1, keepdims=True)
    if size == 0 or not are_known(x) or spoilt.any():
        nothing = shaping.broadcast_to(wrap(spoilt | (size == 0)), found._array.shape)
        found = elementwise.where(nothing, as_dtype(math.nan, found._array.dtype), found)
    kept = keepdims is not _default and flag(keepdims, "keepdims")
    result = [1 if i in axes else n for i, n in enumerate(shape)] if kept else lines
    found = shaping.transpose(found, (found.ndim - 1, *range(found.ndim - 1)))
    return shaping.reshape(found, (*part._array.shape, *result))


def _interpolated(x: Tensor, part: Tensor, counts: Any, method: str) -> Tensor:
    """The quantiles `part` of sorted rows, using their first `counts` elements."""
    alpha, beta = _PLACES.get(method, (1.0, 1.0))
    n = wrap(counts.astype(part._array.dtype))
    place = minimum(maximum(n * part + (part * (1 - alpha - beta) + (alpha - 1)), 0), maximum(n - 1, 0))
    engine = engine_of((n, place))
    below = (engine.round if method == "nearest" else engine.floor)(place._array)
    last = engine.maximum(counts - 1, 0)
    lower = engine.minimum(below, last).astype(np.int64)
    upper = engine.minimum(lower + (place._array > lower), last).astype(np.int64)
    if method in ("lower", "nearest"):
        return take_along_axis(x, wrap(lower), -1)
    high = take_along_axis(x, wrap(upper), -1)
    if method == "higher":
        return high
    low = take_along_axis(x, wrap(lower), -1)
    if method == "midpoint":
        return (low + high) / 2
    weight = place - wrap(lower.astype(place._array.dtype))
    nearer = wrap(weight._array < 0.5)  # from the nearer end, so that equal neighbours give exactly their value
    weight = as_dtype(weight, x._array.dtype)
    return elementwise.where(nearer, low + (high - low) * weight, high - (high - low) * (1 - weight))


# -- correlation --


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Tensor:
    """The covariances of variables: each row of `m` is one (each column, unless `rowvar`)."""
    x = tensor(m)
    x = as_dtype(x, np.result_type(x._array.dtype, np.float64) if dtype is None else numpy_dtype(dtype))
    if x.ndim > 2:
        raise OpValueError(f"cov() takes at most 2 dimensions, not {x.ndim}")
    rowvar = flag(rowvar, "rowvar")
    x = _rows(x, rowvar)
    if y is not None:
        x, more = together(x, _rows(floating(y), rowvar))
        x = shaping.concat([x, more], 0)
    counts = _weights("fweights", fweights, x) * _weights("aweights", aweights, x)
    total = sum(counts)
    fewer = (0 if flag(bias, "bias") else 1) if ddof is None else ddof
    away = x - sum(x * counts, -1, keepdims=True) / total
    if aweights is None:
        scale = total - fewer
    else:
        scale = total - fewer * sum(counts * _weights("aweights", aweights, x)) / total
    return (
        dot(away * counts, shaping.transpose(conj(away))) / maximum(real(scale), 0)
        if x._array.dtype.kind != "c"
        else (dot(away * counts, shaping.transpose(conj(away))) / scale)
    )


def _rows(x: Tensor, rowvar: bool) -> Tensor:
    x = atleast_2d(x) if x.ndim < 2 else x
    return x if rowvar or x._array.shape[0] == 1 else shaping.transpose(x)


def _weights(name: str, weights: Any, x: Tensor) -> Tensor:
    if weights is None:
        return creation.ones((x._array.shape[-1],), x.dtype)
    w = tensor(weights)
    if w.ndim != 1 or w._array.shape[0] != x._array.shape[-1] or (w._array < 0).any():
        raise OpValueError(f"{name} must be a vector of {x._array.shape[-1]} numbers, none negative")
    return as_dtype(w, x._array.dtype)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Tensor:
    """The correlations of variables: covariances divided by the standard deviations."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c._array.size == 1:
        return c / c
    deviations = sqrt(real(diagonal(c)))
    deviations = as_dtype(deviations, c._array.dtype)
    return c / shaping.expand_dims(deviations, 1) / shaping.expand_dims(deviations, 0)


# -- polynomials --


def polyval(p: Any, x: Any) -> Tensor:
    """The polynomial with these coefficients, highest power first, at x."""
    coefficients, at = together(p, x)
    value = creation.zeros_like(at)
    for coefficient in shaping.unstack(coefficients):
        value = value * at + coefficient
    return value


def polyadd(a1: Any, a2: Any) -> Tensor:
    """The sum of two polynomials."""
    x, y = _same_length(a1, a2)
    return x + y


def polysub(a1: Any, a2: Any) -> Tensor:
    """The difference of two polynomials."""
    x, y = _same_length(a1, a2)
    return x - y


def polymul(a1: Any, a2: Any) -> Tensor:
    """The product of two polynomials."""
    from whygrad.numpy.products import convolve

    x, y = together(a1, a2)
    return convolve(x, y)


def polyder(p: Any, m: int = 1) -> Tensor:
    """The m-th derivative of a polynomial."""
    x, m = tensor(p), whole(m, "m")
    for _ in range(min(m, x._array.size)):
        x = multiply(x[:-1], np.arange(x._array.shape[0] - 1, 0, -1))
    return x


def polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """The m-th integral of a polynomial; `k` are the constants of integration."""
    x, m = shaping.reshape(floating(p), (-1,)), whole(m, "m")
    constants = ask_numpy(np.zeros, m) if k is None else ask_numpy(np.broadcast_to, number(k), (m,))
    for i in range(m):
        x = shaping.concat(together(divide(x, np.arange(x._array.shape[0], 0, -1)), constants[i : i + 1]), 0)
    return x


def _same_length(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    x, y = together(a, b)
    x, y = shaping.reshape(x, (-1,)), shaping.reshape(y, (-1,))
    longest = max(x._array.shape[0], y._array.shape[0])
    return tuple([shaping.pad(t, [(longest - t._array.shape[0], 0)]) for t in (x, y)])  # type: ignore[return-value]


def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Tensor:
    """The least-squares polynomial of degree `deg` through points (x, y)."""
    from whygrad.numpy.linalg import lstsq

    refuse("polyfit", full=flag(full, "full") or None, cov=flag(cov, "cov") or None)
    at, values = (as_dtype(t, np.promote_types(t._array.dtype, np.float64)) for t in (tensor(x), tensor(y)))
    powers = vander(at, whole(deg, "deg") + 1)
    if w is not None:
        weights = as_dtype(tensor(w), at._array.dtype)
        powers = powers * shaping.expand_dims(weights, 1)
        values = values * (shaping.expand_dims(weights, 1) if values.ndim == 2 else weights)
    scale = sqrt(sum(powers * powers, 0))  # normalizes the columns: powers differ by orders of magnitude
    cutoff = at._array.shape[0] * np.finfo(at._array.dtype).eps if rcond is None else rcond
    solution = lstsq(powers / scale, values, cutoff)[0]
    return solution / (shaping.expand_dims(scale, 1) if values.ndim == 2 else scale)


# -- interpolation, integrals, derivatives --


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Tensor:
    """Linear interpolation of the points (xp, fp) at x; differentiable with respect to all three."""
    at, knots, values = (floating(each) for each in (x, xp, fp))
    dtype = np.result_type(common_dtype([at, knots, values]), np.float64)
    at, knots, values = (as_dtype(each, dtype) for each in (at, knots, values))
    if knots.ndim != 1 or values.ndim != 1 or knots._array.shape != values._array.shape or not knots._array.size:
        raise OpValueError("interp() takes vectors xp and fp of one length that is not zero")
    if period is not None:
        size = abs(real_number(period, "period"))
        at, knots = elementwise.floormod(at, as_dtype(size, dtype)), elementwise.floormod(knots, as_dtype(size, dtype))
        order = wrap(engine_of((knots,)).argsort(knots._array))
        knots, values = lookup(knots, order), lookup(values, order)
        knots = shaping.concat([knots[-1:] - size, knots, knots[:1] + size], 0)
        values = shaping.concat([values[-1:], values, values[:1]], 0)
    count = knots._array.shape[0]
    if count == 1:
        inside = shaping.broadcast_to(values[0], at._array.shape)
    else:
        engine = engine_of((knots, at))
        low = engine.clip(engine.searchsorted(knots._array, at._array, "right") - 1, 0, count - 2)
        x0, f0, x1, f1 = (lookup(v, wrap(i)) for i in (low, low + 1) for v in (knots, values))
        inside = f0 + (f1 - f0) / (x1 - x0) * (at - x0)
    if period is not None:
        return inside
    before = values[0] if left is None else as_dtype(tensor(left), dtype)
    after = values[-1] if right is None else as_dtype(tensor(right), dtype)
    y = elementwise.where(wrap(at._array < knots._array[0]), before, inside)
    return elementwise.where(wrap(at._array > knots._array[-1]), after, y)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by the trapezoidal rule."""
    from whygrad.numpy.reductions import diff

    values = floating(y)
    place = normal_axis(axis, values.ndim)
    before = (slice(None),) * place
    if x is None:
        distance: Any = dx
    else:
        points = tensor(x)
        distance = diff(points) if points.ndim == 1 else diff(points, axis=place)
        if points.ndim == 1:
            distance = shaping.reshape(distance, [-1 if i == place else 1 for i in range(values.ndim)])
    middles = (values[(*before, slice(1, None))] + values[(*before, slice(None, -1))]) / 2
    distance, middles = together(distance, middles)
    return sum(distance * middles, place)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Numerical derivatives along axes: central differences inside, one-sided ones at the edges."""
    x = floating(f)
    axes = normal_axes(axis, x.ndim)
    if len(varargs) not in (0, 1, len(axes)):
        raise OpTypeError(f"gradient() takes one spacing, or {len(axes)}, not {len(varargs)}")
    spacings = (1.0,) * len(axes) if not varargs else varargs * len(axes) if len(varargs) == 1 else varargs
    results = [_derivative(x, place, spacing, edge_order) for place, spacing in zip(axes, spacings)]
    return results[0] if len(results) == 1 and (axis is None or not isinstance(axis, tuple)) else tuple(results)


def _derivative(x: Tensor, axis: int, spacing: Any, edge_order: int) -> Tensor:
    size = x._array.shape[axis]
    edge_order = whole(edge_order, "edge_order")
    if edge_order not in (1, 2):
        raise OpValueError(f"gradient() takes edge_order 1 or 2, not {edge_order}")
    if size < edge_order + 1:
        raise OpValueError(f"gradient() needs {edge_order + 1} elements along an axis, and there are {size}")
    before = (slice(None),) * axis

    def at(begin: Any, end: Any) -> Tensor:
        return x[(*before, slice(begin, end))]

    step = as_dtype(tensor(spacing), x._array.dtype)
    if step.ndim == 0:
        h = shaping.broadcast_to(step, (size - 1,))
    else:
        h = step[1:] - step[:-1]
    h = shaping.reshape(h, [-1 if i == axis else 1 for i in range(x.ndim)])
    h1, h2 = h[(*before, slice(None, -1))], h[(*before, slice(1, None))]
    inside = (
        at(None, -2) * (-h2 / (h1 * (h1 + h2)))
        + at(1, -1) * ((h2 - h1) / (h1 * h2))
        + at(2, None) * (h1 / (h2 * (h1 + h2)))
    )
    first, last = h[(*before, slice(0, 1))], h[(*before, slice(-1, None))]
    if edge_order == 1:
        start, end = (at(1, 2) - at(0, 1)) / first, (at(-1, None) - at(-2, -1)) / last
    else:
        a, b = first, h[(*before, slice(1, 2))]
        start = (
            at(0, 1) * (-(2 * a + b) / (a * (a + b))) + at(1, 2) * ((a + b) / (a * b)) - at(2, 3) * (a / (b * (a + b)))
        )
        a, b = h[(*before, slice(-2, -1))], last
        end = (
            at(-3, -2) * (b / (a * (a + b)))
            - at(-2, -1) * ((b + a) / (a * b))
            + at(-1, None) * ((2 * b + a) / (b * (a + b)))
        )
    return shaping.concat([start, inside, end], axis)


# -- functions along axes --


def vectorize(pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None, *_: Any, **signature: Any) -> Any:
    """Turn a function of scalars into one of tensors: called for each element, and the results stacked."""
    refuse("vectorize", excluded=excluded, **signature)

    def vectorized(*args: Any) -> Tensor:
        operands = broadcast_arrays(*args)
        shape = operands[0]._array.shape
        columns = [shaping.unstack(shaping.reshape(x, (-1,))) for x in operands]
        return shaping.reshape(shaping.stack(together(*[pyfunc(*each) for each in zip(*columns)])), shape)

    vectorized.__doc__ = pyfunc.__doc__ if doc is None else doc
    return vectorized


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Apply a function to each row along an axis, and stack the results."""
    x = tensor(arr)
    place = normal_axis(axis, x.ndim)
    others = [i for i in range(x.ndim) if i != place]
    lines = shaping.reshape(shaping.transpose(x, (*others, place)), (-1, x._array.shape[place]))
    func1d = function(func1d, "func1d")
    results = together(*[func1d(line, *args, **kwargs) for line in shaping.unstack(lines)])
    rank = results[0].ndim
    found = shaping.reshape(shaping.stack(results), (*[x._array.shape[i] for i in others], *results[0]._array.shape))
    back = list(range(len(others)))
    back[place:place] = range(len(others), len(others) + rank)
    return shaping.transpose(found, back)


def apply_over_axes(func: Any, a: Any, axes: Any) -> Tensor:
    """Apply a function over one axis after another, each kept with size 1."""
    x = tensor(a)
    func = function(func, "func")
    for axis in normal_axes(axes, x.ndim):
        result = tensor(func(x, axis))
        x = result if result.ndim == x.ndim else shaping.expand_dims(result, axis)
    return x
