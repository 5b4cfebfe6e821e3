"""Rows for `whygrad.numpy`: `function(xp, *arrays)` runs on NumPy's arrays, on Tensors and, where it exists, on jax.numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.support.cases import Input, anything, between, positive, unit


@dataclass(frozen=True)
class Row:
    name: str  # "sum axis": the first word is the function's name, with "linalg." in front for that namespace
    function: Callable[..., Any]
    inputs: tuple[Any, ...]
    order: int = 1  # how many derivatives finite differences can check; 0: values only
    jax: bool = True  # whether jax.numpy has it with the same meaning (says why where not)
    complex: bool = False  # also with complex numbers

    def draw(self, kind: str = "float64") -> list[np.ndarray]:
        rng = np.random.default_rng(abs(hash_of(self.name)) % 2**32)
        drawn = []
        for each in self.inputs:
            values = each.draw(rng) if isinstance(each, Input) else np.asarray(each)
            if kind.startswith("complex") and isinstance(each, Input):
                values = values + 1j * each.draw(rng)
            drawn.append(values.astype(kind) if isinstance(each, Input) else values)
        return drawn

    def __str__(self) -> str:
        return self.name


def hash_of(text: str) -> int:
    """The same on every run, which Python's own is not for strings."""
    total = 0
    for letter in text:
        total = (total * 31 + ord(letter)) % 2**31
    return total


def row(name: str, *arguments: Any, order: int = 1, jax: bool = True, complex: bool = False, **keywords: Any) -> Row:
    """A row for the function of that name: `Input`s and float arrays are differentiated, the rest is passed on."""
    path = name.split()[0]
    varying = [isinstance(a, Input) or (isinstance(a, np.ndarray) and a.dtype.kind in "fc") for a in arguments]
    inputs = tuple(a for a, varies in zip(arguments, varying) if varies)

    def function(xp: Any, *arrays: Any) -> Any:
        given = iter(arrays)
        target = xp
        for part in path.split("."):
            target = getattr(target, part)
        return target(*[next(given) if varies else a for a, varies in zip(arguments, varying)], **keywords)

    return Row(name, function, inputs, order, jax, complex)


def of(name: str, function: Callable[..., Any], *inputs: Any, **options: Any) -> Row:
    """A row written out."""
    return Row(name, function, inputs, **options)


X = np.array([[1.0, -2.0, 0.5], [3.0, 0.25, -1.5]])
WITH_NAN = np.array([[1.0, np.nan, 3.0, 2.0], [np.nan, np.nan, 0.5, -1.0]])
NO_RULE = {"order": 0}

ELEMENTWISE = [
    *[
        row(name, anything(2, 3), order=2, complex=True)
        for name in (
            "negative",
            "positive",
            "square",
            "exp",
            "expm1",
            "sin",
            "cos",
            "sinh",
            "cosh",
            "tanh",
            "conj",
            "conjugate",
        )
    ],
    *[
        row(name, anything(2, 3), order=2)
        for name in (
            "exp2",
            "absolute",
            "abs",
            "fabs",
            "arctan",
            "atan",
            "arcsinh",
            "asinh",
            "tan",
            "deg2rad",
            "radians",
            "rad2deg",
            "degrees",
            "sinc",
            "i0",
            "nan_to_num",
        )
    ],
    *[row(name, positive(2, 3), order=2) for name in ("sqrt", "cbrt", "log", "log2", "log10", "log1p", "reciprocal")],
    *[row(name, unit(2, 3), order=2) for name in ("arcsin", "asin", "arccos", "acos", "arctanh", "atanh")],
    *[row(name, between(1.2, 3.0, 2, 3), order=2) for name in ("arccosh", "acosh")],
    *[
        row(name, anything(2, 3), **NO_RULE)
        for name in (
            "sign",
            "floor",
            "ceil",
            "trunc",
            "rint",
            "round",
            "around",
            "isnan",
            "isinf",
            "isfinite",
            "isposinf",
            "isneginf",
            "isreal",
            "iscomplex",
            "signbit",
            "logical_not",
            "isrealobj",
            "iscomplexobj",
        )
    ],
    row("spacing", anything(2, 3), **NO_RULE),
    row("fix", anything(2, 3), **NO_RULE, jax=False),  # on its way out of jax.numpy
    row("round decimals", anything(2, 3), 2, **NO_RULE),
    *[row(name, anything(2, 3), anything(3), order=2, complex=True) for name in ("add", "subtract", "multiply")],
    *[
        row(name, anything(2, 3), positive(3), order=2)
        for name in (
            "divide",
            "true_divide",
            "hypot",
            "logaddexp",
            "logaddexp2",
            "arctan2",
            "atan2",
            "copysign",
            "heaviside",
        )
    ],
    *[row(name, positive(2, 3), anything(3), order=2) for name in ("power", "pow")],
    row("float_power", positive(2, 3), anything(3)),
    *[row(name, anything(2, 3), anything(3), order=2) for name in ("maximum", "minimum", "fmax", "fmin")],
    row("fmax nan", WITH_NAN, np.array([np.nan, 2.0, np.nan, 0.0]), order=0),
    row("fmin nan", WITH_NAN, np.array([np.nan, 2.0, np.nan, 0.0]), order=0),
    *[row(name, anything(2, 3), positive(3)) for name in ("remainder", "mod", "fmod")],
    of("fmod negative", lambda xp, x: xp.fmod(x, -0.7), anything(2, 3)),
    of("remainder negative", lambda xp, x: xp.remainder(x, -0.7), anything(2, 3)),
    row("floor_divide", anything(2, 3), positive(3), **NO_RULE),
    row("divmod", anything(2, 3), positive(3), **NO_RULE),
    row("modf", anything(2, 3)),
    row("modf inf", np.array([np.inf, -np.inf, -0.5]), order=0, jax=False),  # jax: nan
    row("frexp", anything(2, 3)),
    of("ldexp", lambda xp, x: xp.ldexp(x, np.array([1, -2, 3])), anything(2, 3)),
    row("nextafter", anything(2, 3), anything(3), **NO_RULE),
    *[
        of(name, lambda xp, name=name: getattr(xp, name)(np.array([12, 18, 4]), np.array([8, 27, 6])), **NO_RULE)
        for name in ("gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor")
    ],
    *[
        of(name, lambda xp, name=name: getattr(xp, name)(np.array([12, 18, 4]), np.array([1, 2, 3])), **NO_RULE)
        for name in ("left_shift", "right_shift", "bitwise_left_shift", "bitwise_right_shift")
    ],
    *[
        of(name, lambda xp, name=name: getattr(xp, name)(np.array([12, -18, 4])), **NO_RULE)
        for name in ("invert", "bitwise_not", "bitwise_invert", "bitwise_count")
    ],
    *[
        row(name, X, np.array([1.0, 0.0, 0.5]), **NO_RULE)
        for name in (
            "equal",
            "not_equal",
            "less",
            "less_equal",
            "greater",
            "greater_equal",
            "logical_and",
            "logical_or",
            "logical_xor",
            "isclose",
            "allclose",
            "array_equal",
            "array_equiv",
        )
    ],
    of("where", lambda xp, x, y: xp.where(x > 0, x, y), anything(2, 3), anything(3), order=2),
    row("where indices", X, **NO_RULE),
    of("where scalar", lambda xp, x: xp.where(x > 0, x, 0.0), anything(2, 3)),
    row("clip", anything(2, 3), -1.0, 1.0, order=2),
    of("clip by tensors", lambda xp, x, a, b: xp.clip(x, a, b), anything(4, 3), between(-1, 0, 3), between(0, 1, 3)),
    row("clip lower", anything(2, 3), 0.0, None),
    row("nan_to_num nan", np.array([np.nan, np.inf, -np.inf, 1.0]), nan=7.0, posinf=8.0, neginf=-8.0, order=0),
    row("nan_to_num limits", np.array([np.nan, np.inf, -np.inf, 1.0]), order=0),
    row("unwrap", np.array([0.1, 3.0, 6.5, 0.2, -5.0])),
    of("real", lambda xp, x: xp.real(xp.multiply(x, 1 + 2j)), anything(2, 3), complex=True),
    of("imag", lambda xp, x: xp.imag(xp.multiply(x, 1 + 2j)), anything(2, 3), complex=True),
    of("angle", lambda xp, x: xp.angle(xp.multiply(x, 1 + 2j)), positive(2, 3), complex=True),
    row("angle real", X, order=0),
    of("angle degrees", lambda xp, x: xp.angle(xp.add(x, 2j), deg=True), anything(2, 3), complex=True),
    row("real_if_close", np.array([1 + 1e-18j, 2.0]), order=0, jax=False),  # jax.numpy has none
    row("astype", X, np.float32, order=0),
    row("astype bool", X, bool, order=0),
    row("isscalar", 3.0, **NO_RULE, jax=False),  # jax counts its own scalars
]

CREATION = [
    *[row(name, (2, 3), **NO_RULE) for name in ("zeros", "ones")],
    row("zeros int", 3, int, **NO_RULE),
    of("empty", lambda xp: tuple(xp.empty((2, 3)).shape), **NO_RULE),
    of("empty_like", lambda xp: tuple(xp.empty_like(X).shape), **NO_RULE),
    *[
        row(name, X, **NO_RULE)
        for name in ("zeros_like", "ones_like", "asarray", "array", "copy", "shape", "ndim", "size")
    ],
    *[row(name, X, **NO_RULE, jax=False) for name in ("asanyarray", "ascontiguousarray")],  # jax.numpy has neither
    row("array ndmin", anything(3), ndmin=2),
    row("size axis", X, 1, **NO_RULE),
    of("array of tensors", lambda xp, x, y: xp.array([[x, y], [y, x]]), anything(), anything()),
    row("full", (2, 3), 2.5, **NO_RULE),
    of("full value", lambda xp, x: xp.full((2, 3), x), anything()),
    row("full_like", X, 7, **NO_RULE),
    row("eye", 3, 4, 1, **NO_RULE),
    row("identity", 3, **NO_RULE),
    row("tri", 3, 4, 1, **NO_RULE),
    row("arange", 5, **NO_RULE),
    row("arange float", 1.0, 3.0, 0.25, **NO_RULE),
    of("arange value", lambda xp, x: xp.arange(x, x + 2.25, 0.5), np.array(0.3), jax=False),  # jax wants constants
    row("linspace", anything(), anything(), 7),
    row("linspace open", anything(3), anything(3), 5, endpoint=False, axis=1),
    row("linspace step", 0, 1, 4, retstep=True, **NO_RULE),
    row("linspace one", 2.0, 3.0, 1, **NO_RULE),
    row("linspace int", 0, 10, 4, dtype=int, **NO_RULE),
    row("logspace", unit(), anything(), 5),
    row("geomspace", positive(), positive(), 5),
    row("geomspace negative", -1.0, -1000.0, 4, **NO_RULE),
    row("meshgrid", anything(2), anything(3)),
    row("meshgrid ij", anything(2), anything(3), indexing="ij", sparse=True),
    row("indices", (2, 3), **NO_RULE),
    row("fromfunction", lambda i, j: i + j, (2, 3), **NO_RULE),
    row("tril_indices", 3, **NO_RULE),
    row("triu_indices", 3, 1, **NO_RULE),
    row("tril_indices_from", X, **NO_RULE),
    row("triu_indices_from", X, 1, **NO_RULE),
    row("diag_indices", 3, **NO_RULE),
    row("diag_indices_from", np.eye(3), **NO_RULE),
    *[row(name, 6, **NO_RULE) for name in ("bartlett", "blackman", "hamming", "hanning")],
    row("kaiser", 6, positive()),
    of(
        "from_dlpack", lambda xp: xp.from_dlpack(X.copy()), **NO_RULE, jax=False
    ),  # jax takes DLPack objects of its own kind
    of("result_type", lambda xp: str(xp.result_type(X.astype("float32"), 2.0, np.int8)), **NO_RULE),
    of("promote_types", lambda xp: str(xp.promote_types("float32", "int64")), **NO_RULE, jax=False),
    row("can_cast", "int32", "float32", **NO_RULE),
    row("isdtype", np.dtype("float32"), "real floating", **NO_RULE),
    row("issubdtype", np.float32, np.floating, **NO_RULE),
    of("finfo", lambda xp: xp.finfo(np.float32).eps, **NO_RULE),
    of("iinfo", lambda xp: xp.iinfo(np.int32).max, **NO_RULE),
]

SHAPING = [
    row("reshape", anything(2, 3), (3, -1), order=2),
    of("reshape fortran", lambda xp, x: xp.reshape(x, (3, 2), order="F"), anything(2, 3)),
    row("ravel", anything(2, 3)),
    row("expand_dims", anything(2, 3), 1),
    row("expand_dims several", anything(2, 3), (0, -1)),
    row("squeeze", anything(1, 3, 1)),
    row("squeeze axis", anything(1, 3, 1), -1),
    *[row(name, anything(3)) for name in ("atleast_1d", "atleast_2d", "atleast_3d")],
    row("atleast_2d several", anything(), anything(2, 3)),
    row("broadcast_to", anything(3), (2, 3)),
    row("broadcast_shapes", (2, 1), (3,), **NO_RULE),
    row("broadcast_arrays", anything(3), anything(2, 1)),
    row("transpose", anything(2, 3, 4), order=2),
    row("transpose axes", anything(2, 3, 4), (1, -1, 0)),
    row("permute_dims", anything(2, 3, 4), (1, 2, 0)),
    row("swapaxes", anything(2, 3, 4), 0, -1),
    row("moveaxis", anything(2, 3, 4), (0, 1), (-1, 0)),
    row("rollaxis", anything(2, 3, 4), 2, 1),
    row("matrix_transpose", anything(2, 3, 4)),
    *[
        of(name, lambda xp, x, y, name=name: getattr(xp, name)([x, y]), anything(2, 3), anything(2, 3))
        for name in ("concatenate", "concat", "stack", "vstack", "hstack", "dstack", "column_stack")
    ],
    of("vstack of vectors", lambda xp, x, y: xp.vstack([x, y]), anything(3), anything(3)),
    of("column_stack of vectors", lambda xp, x, y: xp.column_stack([x, y]), anything(3), anything(3)),
    of("concatenate flat", lambda xp, x, y: xp.concatenate([x, y], axis=None), anything(2, 3), anything(2)),
    of("stack axis", lambda xp, x, y: xp.stack([x, y], axis=-1), anything(2, 3), anything(2, 3)),
    of("block", lambda xp, x, y: xp.block([[x, y], [y, x]]), anything(2, 3), anything(2, 3)),
    of("block of vectors", lambda xp, x, y: xp.block([x, y, 1.0]), anything(3), anything(2)),
    row("append", anything(2, 3), anything(2, 3), axis=0),
    row("append flat", anything(2, 3), anything(2)),
    row("split", anything(6, 2), 3),
    row("split at", anything(6, 2), [1, 4]),
    row("array_split", anything(7, 2), 3),
    row("hsplit", anything(2, 6), 3),
    row("vsplit", anything(6, 2), 3),
    row("dsplit", anything(2, 2, 6), [1, 3]),
    row("unstack", anything(2, 3), axis=1),
    row("tile", anything(2, 3), (2, 1, 2)),
    row("repeat", anything(2, 3), 2, axis=1),
    row("repeat each", anything(3), np.array([1, 0, 2])),
    row("repeat flat", anything(2, 3), 2),
    row("resize", anything(2, 3), (4, 2)),
    row("flip", anything(2, 3)),
    row("flip axis", anything(2, 3), -1),
    row("fliplr", anything(2, 3)),
    row("flipud", anything(2, 3)),
    *[row(f"rot90 {k}", anything(2, 3), k) for k in (0, 1, 2, 3)],
    row("rot90 axes", anything(2, 3, 4), 1, (2, 0)),
    row("roll", anything(2, 3), 2),
    row("roll axis", anything(2, 3), (1, -1), (0, 1)),
    row("pad", anything(2, 3), ((1, 2), (0, 1))),
    row("pad value", anything(2, 3), 1, constant_values=5.0),
    row("pad values", anything(2), (1, 2), constant_values=((3.0, 4.0),)),
    *[row(f"pad {mode}", anything(3, 4), ((1, 2), (2, 1)), mode) for mode in ("edge", "reflect", "symmetric", "wrap")],
]

REDUCTIONS = [
    *[
        row(name, anything(2, 3), order=2)
        for name in ("sum", "prod", "mean", "var", "std", "max", "min", "amax", "amin", "ptp")
    ],
    *[
        row(f"{name} axis", anything(2, 3, 4), axis=(0, -1), keepdims=True, order=2)
        for name in ("sum", "prod", "mean", "var", "std", "max", "min")
    ],
    row("sum complex", anything(2, 3), complex=True),
    row("mean complex", anything(2, 3), complex=True),
    row("var complex", anything(2, 3), axis=0, complex=True),
    row("var ddof", anything(2, 3), axis=1, ddof=1),
    row("std correction", anything(2, 3), axis=1, correction=1),
    *[
        of(
            f"{name} where",
            lambda xp, x, name=name: getattr(xp, name)(x, axis=1, where=np.array([True, False, True])),
            anything(2, 3),
        )
        for name in ("sum", "prod", "mean", "var", "std")
    ],
    of("max where", lambda xp, x: xp.max(x, axis=1, where=np.array([True, False, True]), initial=-9.0), anything(2, 3)),
    row("sum initial", anything(2, 3), initial=5.0),
    row("max initial", anything(2, 3), initial=0.5),
    row("sum empty", anything(0, 3), axis=0),
    row("sum dtype", np.array([1, 2, 3]), dtype=np.float32, **NO_RULE),
    *[row(name, X > 0, **NO_RULE) for name in ("all", "any", "count_nonzero")],
    *[row(f"{name} axis", X > 0, axis=1, keepdims=True, **NO_RULE) for name in ("all", "any", "count_nonzero")],
    row("average", anything(2, 3), axis=1),
    of("average weights", lambda xp, x, w: xp.average(x, axis=1, weights=w), anything(2, 3), positive(3)),
    of("average returned", lambda xp, x, w: xp.average(x, weights=w, returned=True), anything(2, 3), positive(2, 3)),
    *[row(name, anything(2, 3), order=2) for name in ("cumsum", "cumprod")],
    *[
        row(f"{name} axis", anything(2, 3), axis=-1)
        for name in ("cumsum", "cumprod", "cumulative_sum", "cumulative_prod")
    ],
    row("cumulative_sum initial", anything(2, 3), axis=0, include_initial=True),
    row("diff", anything(2, 5), 2),
    row("diff ends", anything(2, 5), axis=0, prepend=0.0, append=1.0),
    row("ediff1d", anything(2, 3)),
    row("ediff1d ends", anything(4), to_begin=np.array([0.5]), to_end=9.0),
    *[
        of(
            f"{name}",
            lambda xp, x, name=name: getattr(xp, name)(xp.where(np.isnan(WITH_NAN), np.nan, x), axis=1),
            anything(2, 4),
        )
        for name in (
            "nansum",
            "nanprod",
            "nanmax",
            "nanmin",
            "nanmean",
            "nanvar",
            "nanstd",
            "nancumsum",
            "nancumprod",
            "nanmedian",
        )
    ],
    *[
        of(
            f"{name} where",
            lambda xp, x, name=name: getattr(xp, name)(xp.where(np.isnan(WITH_NAN), np.nan, x), 0.3, axis=1),
            anything(2, 4),
        )
        for name in ("nanquantile",)
    ],
    of(
        "nanpercentile",
        lambda xp, x: xp.nanpercentile(xp.where(np.isnan(WITH_NAN), np.nan, x), np.array([30, 60])),
        anything(2, 4),
    ),
]

INDEXING = [
    row("take", anything(2, 3), np.array([0, 2, 2]), axis=1),
    row("take flat", anything(2, 3), np.array([[0, 5], [-1, 2]])),
    row("take clip", anything(4), np.array([7, -7]), mode="clip"),
    row("take wrap", anything(4), np.array([7, -7]), mode="wrap"),
    of("take_along_axis", lambda xp, x: xp.take_along_axis(x, np.array([[0, 2], [1, 1]]), axis=1), anything(2, 3)),
    of("take_along_axis rows", lambda xp, x: xp.take_along_axis(x, np.array([[0, 1, 1]]), axis=0), anything(2, 3)),
    of("take_along_axis sorted", lambda xp, x: xp.take_along_axis(x, xp.argsort(x, axis=0), axis=0), anything(4, 3)),
    of("compress", lambda xp, x: xp.compress(np.array([True, False, True]), x, axis=1), anything(2, 3)),
    of("extract", lambda xp, x: xp.extract(X > 0, x), anything(2, 3)),
    of("select", lambda xp, x: xp.select([x > 1, x > 0], [x * 2, x * 3], -1.0), anything(2, 3)),
    of("choose", lambda xp, x, y: xp.choose(np.array([0, 1, 0]), [x, y]), anything(3), anything(3)),
    of("piecewise", lambda xp, x: xp.piecewise(x, [x < 0, x >= 1], [lambda t: -t, 1.0, lambda t: t * t]), anything(5)),
    row("delete", anything(5), np.array([1, 3])),
    row("delete axis", anything(2, 5), 1, axis=1),
    of("insert", lambda xp, x, y: xp.insert(x, 2, y), anything(5), anything()),
    of("insert several", lambda xp, x, y: xp.insert(x, np.array([1, 3]), y), anything(5), anything(2)),
    of("insert axis", lambda xp, x, y: xp.insert(x, 1, y, axis=1), anything(2, 3), anything(2)),
    row("trim_zeros", np.array([0.0, 0.0, 1.0, 0.0, 2.0, 0.0]), order=0),
    row("ix_", np.array([0, 1]), np.array([2, 0]), **NO_RULE),
    *[row(name, X, **NO_RULE) for name in ("argmax", "argmin", "nonzero", "flatnonzero", "argwhere", "argsort")],
    *[row(f"{name} axis", X, axis=1, keepdims=True, **NO_RULE) for name in ("argmax", "argmin")],
    *[row(name, WITH_NAN, axis=1, **NO_RULE) for name in ("nanargmax", "nanargmin")],
    of("searchsorted", lambda xp, x: xp.searchsorted(np.array([-1.0, 0.0, 1.0]), x, side="right"), X, order=0),
    row("digitize", X, np.array([-1.0, 0.0, 1.0]), **NO_RULE),
    row("isin", np.array([1, 2, 3]), np.array([2, 5]), **NO_RULE),
    row("sort", anything(2, 3), axis=0),
    row("sort flat", anything(2, 3), axis=None),
    row("sort nan", WITH_NAN, order=0),
    row("sort_complex", np.array([2.0, 1 + 2j, 1 + 1j]), order=0),
    row("lexsort", (np.array([1, 1, 0]), np.array([2, 1, 3])), **NO_RULE),
    of("argpartition", lambda xp, x: xp.take(x, xp.argpartition(x, 2))[2], anything(6), order=0),
    of("partition", lambda xp, x: xp.partition(x, 2)[2], anything(6)),
    row("unique", np.array([2.0, 1.0, 2.0, 3.0]), order=0),
    row("unique all", np.array([2, 1, 2, 3]), True, True, True, **NO_RULE),
    row("unique axis", np.array([[1, 2], [0, 5], [1, 2]]), axis=0, **NO_RULE),
    *[row(name, np.array([2, 1, 2, 3]), **NO_RULE) for name in ("unique_all", "unique_counts", "unique_inverse")],
    of("unique_values", lambda xp: xp.sort(xp.unique_values(np.array([2, 1, 2, 3]))), **NO_RULE),
    *[
        row(name, np.array([2, 1, 2, 3]), np.array([3, 4, 1]), **NO_RULE)
        for name in ("intersect1d", "union1d", "setdiff1d", "setxor1d")
    ],
    row("bincount", np.array([0, 2, 2]), **NO_RULE),
    row("bincount weights", np.array([0, 2, 2]), anything(3), minlength=5),
    row("histogram", X, 4, **NO_RULE),
    of("histogram weights", lambda xp, w: xp.histogram(X, 3, weights=w)[0], anything(2, 3)),
    row("histogram density", X, np.array([-2.0, 0.0, 1.0, 3.0]), density=True, **NO_RULE),
    row("histogram_bin_edges", X, 4, **NO_RULE),
    row("unravel_index", np.array([1, 5]), (2, 3), **NO_RULE),
    row("ravel_multi_index", (np.array([0, 1]), np.array([1, 2])), (2, 3), **NO_RULE),
]

PRODUCTS = [
    row("matmul", anything(2, 3), anything(3, 4), order=2, complex=True),
    row("matmul batch", anything(5, 1, 2, 3), anything(4, 3, 2)),
    row("matmul vector", anything(3), anything(4, 3, 2)),
    row("matmul vectors", anything(3), anything(3)),
    row("matvec", anything(2, 3, 4), anything(4)),
    row("vecmat", anything(3), anything(3, 4)),
    row("vecdot", anything(2, 3), anything(3), complex=True),
    of("vecdot axis", lambda xp, x, y: xp.vecdot(x, y, axis=0), anything(3), anything(3, 2)),
    row("dot", anything(2, 3), anything(3, 4)),
    row("dot vectors", anything(3), anything(3)),
    row("dot scalar", anything(2, 3), 2.0),
    row("dot tensors", anything(2, 3), anything(4, 3, 2)),
    of("vdot", lambda xp, x, y: xp.vdot(x, y), anything(6), anything(6), complex=True),
    row("inner", anything(2, 3), anything(4, 3)),
    row("outer", anything(2), anything(3)),
    row("tensordot", anything(2, 3, 4), anything(3, 4, 2)),
    row("tensordot axes", anything(2, 3, 4), anything(4, 2), axes=([0, -1], [1, 0])),
    row("tensordot outer", anything(2), anything(3), axes=0),
    row("einsum", "ij,jk->ik", anything(2, 3), anything(3, 4)),
    row("einsum implicit", "ij,jk", anything(2, 3), anything(3, 4)),
    row("einsum diagonal", "ii->i", anything(3, 3)),
    row("einsum ellipsis", "...i,...i->...", anything(2, 3), anything(2, 3)),
    of("einsum sublists", lambda xp, x, y: xp.einsum(x, [0, 1], y, [1, 2], [0, 2]), anything(2, 3), anything(3, 4)),
    row("kron", anything(2, 3), anything(2, 2)),
    row("kron vector", anything(3), anything(2, 2)),
    row("cross", anything(2, 3), anything(2, 3)),
    row("cross axis", anything(3, 2), anything(3, 2), axis=0),
    *[row(f"convolve {mode}", anything(5), anything(3), mode) for mode in ("full", "same", "valid")],
    *[row(f"convolve even {mode}", anything(4), anything(6), mode) for mode in ("full", "same", "valid")],
    *[row(f"correlate {mode}", anything(5), anything(3), mode) for mode in ("full", "same", "valid")],
    *[row(f"correlate even {mode}", anything(3), anything(4), mode) for mode in ("full", "same", "valid")],
    row("diagonal", anything(3, 4)),
    *[row(f"diagonal {k}", anything(2, 3, 4), k, 1, 2) for k in (-2, -1, 1, 3, 4)],
    row("trace", anything(3, 4), 1),
    *[row(f"diag {k}", anything(3), k) for k in (-2, -1, 0, 1, 2)],
    row("diag matrix", anything(3, 4), 1),
    row("diagflat", anything(2, 2)),
    *[row(f"{name} {k}", anything(2, 3, 4), k) for name in ("tril", "triu") for k in (-1, 0, 2)],
    row("vander", anything(3), order=2),
    row("vander increasing", anything(3), 4, increasing=True),
]

STATISTICS = [
    row("median", anything(2, 4)),
    row("median axis", anything(3, 2, 3), axis=(0, 2), keepdims=True),
    row("median nan", WITH_NAN, axis=1, order=0),
    *[
        of(
            f"quantile {method}",
            lambda xp, x, method=method: xp.quantile(x, np.array([0.0, 0.1, 0.4, 0.75, 1.0]), axis=0, method=method),
            anything(5, 2),
            jax=method in ("linear", "lower", "higher", "midpoint", "nearest"),
        )
        for method in (
            "linear",
            "lower",
            "higher",
            "midpoint",
            "nearest",
            "hazen",
            "weibull",
            "median_unbiased",
            "normal_unbiased",
            "interpolated_inverted_cdf",
        )
    ],
    row("percentile", anything(5, 2), 30, axis=0, keepdims=True),
    row("cov", anything(3, 6)),
    row("cov two", anything(6), anything(6), ddof=0),
    of(
        "cov weights",
        lambda xp, x: xp.cov(x, fweights=np.array([1, 2, 1, 3]), aweights=np.array([1.0, 0.5, 2.0, 1.0])),
        anything(3, 4),
    ),
    row("cov columns", anything(6, 3), rowvar=False, complex=True),
    row("corrcoef", anything(3, 6)),
    row("polyval", anything(4), anything(2, 3), order=2),
    row("polyadd", anything(4), anything(2)),
    row("polysub", anything(2), anything(4)),
    row("polymul", anything(4), anything(2)),
    row("polyder", anything(4), 2),
    row("polyint", anything(4), 2, k=np.array([1.0, 2.0])),
    row("polyfit", anything(6), anything(6), 2),
    of("polyfit weights", lambda xp, x, y, w: xp.polyfit(x, y, 1, w=w), anything(6), anything(6), positive(6)),
    of("vectorize", lambda xp, x, y: xp.vectorize(lambda a, b: a * b + 1.0)(x, y), anything(2, 3), anything(3)),
    of("einsum_path", lambda xp: xp.einsum_path("ij,jk,kl->il", X, X.T, X)[0], **NO_RULE, jax=False),
    row("interp", between(-2.5, 2.5, 7), np.array([-2.0, -1.0, 0.5, 2.0]), anything(4)),
    row("interp ends", between(-4.5, 4.5, 7), np.array([-2.0, -1.0, 0.5, 2.0]), anything(4), left=9.0, right=-9.0),
    row("interp period", between(-4.5, 4.5, 7), np.array([-2.0, -1.0, 0.5, 1.2]), anything(4), period=4.0),
    row("trapezoid", anything(2, 5), dx=0.5),
    of("trapezoid points", lambda xp, y, x: xp.trapezoid(y, x, axis=0), anything(5, 2), anything(5)),
    row("gradient", anything(4, 5)),
    row("gradient axis", anything(4, 5), 0.5, axis=1),
    row(
        "gradient second", anything(5), np.array([0.0, 1.0, 1.5, 3.0, 4.0]), edge_order=2, jax=False
    ),  # jax: edge_order 1 only
    of(
        "apply_along_axis",
        lambda xp, x: xp.apply_along_axis(lambda v: xp.stack([v[0], v[0] * v[1]]), 1, x),
        anything(2, 3, 2),
    ),
    of("apply_over_axes", lambda xp, x: xp.apply_over_axes(xp.sum, x, (0, 2)), anything(2, 3, 2)),
]


def spd(xp, x):
    """A symmetric positive definite matrix made of any."""
    return xp.add(xp.matmul(x, xp.matrix_transpose(x)), 3.0 * np.eye(x.shape[-1]))


def sym(xp, x):
    return xp.add(x + xp.matrix_transpose(x), np.diag(np.arange(x.shape[-1]) * 4.0))


LINALG = [
    of("linalg.cholesky", lambda xp, x: xp.linalg.cholesky(spd(xp, x)), anything(2, 3, 3)),
    of("linalg.cholesky upper", lambda xp, x: xp.linalg.cholesky(spd(xp, x), upper=True), anything(3, 3)),
    of("linalg.qr", lambda xp, x: xp.linalg.qr(x).R ** 2, anything(4, 3)),
    of("linalg.qr r", lambda xp, x: xp.linalg.qr(x, mode="r") ** 2, anything(4, 3)),
    of("linalg.eigh", lambda xp, x: xp.linalg.eigh(sym(xp, x)).eigenvalues, anything(3, 3)),
    of("linalg.eigh vectors", lambda xp, x: xp.linalg.eigh(sym(xp, x)).eigenvectors ** 2, anything(3, 3)),
    of("linalg.eigvalsh", lambda xp, x: xp.linalg.eigvalsh(sym(xp, x)), anything(3, 3)),
    of(
        "linalg.eig", lambda xp, x: xp.sort(xp.real(xp.linalg.eig(sym(xp, x)).eigenvalues)), anything(3, 3), jax=False
    ),  # jax: no derivative
    of("linalg.eigvals", lambda xp, x: xp.sort(xp.real(xp.linalg.eigvals(sym(xp, x)))), anything(3, 3)),
    of("linalg.svd", lambda xp, x: xp.linalg.svd(x, full_matrices=False).S, anything(2, 4, 3)),
    of("linalg.svd vectors", lambda xp, x: xp.linalg.svd(x, full_matrices=False).Vh ** 2, anything(4, 3)),
    of("linalg.svd values", lambda xp, x: xp.linalg.svd(x, compute_uv=False), anything(4, 3)),
    row("linalg.svdvals", anything(4, 3)),
    of("linalg.inv", lambda xp, x: xp.linalg.inv(spd(xp, x)), anything(2, 3, 3)),
    row("linalg.pinv", anything(4, 3)),
    of("linalg.solve", lambda xp, x, b: xp.linalg.solve(spd(xp, x), b), anything(3, 3), anything(3, 2)),
    of("linalg.solve vector", lambda xp, x, b: xp.linalg.solve(spd(xp, x), b), anything(3, 3), anything(3)),
    of("linalg.solve batch", lambda xp, x, b: xp.linalg.solve(spd(xp, x), b), anything(2, 3, 3), anything(3, 2)),
    row("linalg.lstsq", anything(5, 3), anything(5)),
    row("linalg.lstsq several", anything(5, 3), anything(5, 2)),
    row("linalg.matrix_rank", np.array([[1.0, 2.0], [2.0, 4.0]]), **NO_RULE),
    row("linalg.det", anything(2, 3, 3)),
    row("linalg.slogdet", anything(2, 3, 3)),
    *[row(f"linalg.matrix_power {n}", anything(3, 3), n) for n in (0, 1, 2, 5, -2)],
    of(
        "linalg.multi_dot",
        lambda xp, x, y, z: xp.linalg.multi_dot([x, y, z]),
        anything(2, 3),
        anything(3, 4),
        anything(4),
    ),
    row("linalg.tensorinv", anything(4, 2, 2), ind=1),
    row("linalg.tensorsolve", anything(2, 3, 6), anything(2, 3)),
    *[
        row(f"linalg.vector_norm {p}", anything(2, 3), axis=1, ord=p, order=0 if p == 0 else 1)
        for p in (0, 1, 2, 3, np.inf, -np.inf)
    ],
    *[
        row(f"linalg.matrix_norm {p}", anything(2, 3, 3), ord=p, keepdims=True)
        for p in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf)
    ],
    row("linalg.norm", anything(2, 3)),
    row("linalg.norm axis", anything(2, 3), axis=1, keepdims=True),
    row("linalg.norm ord", anything(2, 3), 1),
    row("linalg.norm nuclear", anything(2, 3), "nuc", axis=(0, 1), keepdims=True),
    *[row(f"linalg.cond {p}", anything(3, 3), p) for p in (None, -2, 1, "fro")],
    row("linalg.cross", anything(2, 3), anything(2, 3)),
    row("linalg.outer", anything(2), anything(3)),
    row("linalg.diagonal", anything(2, 3, 4), offset=1),
    row("linalg.trace", anything(2, 3, 4)),
    row("linalg.matmul", anything(2, 3), anything(3, 2)),
    row("linalg.matrix_transpose", anything(2, 3)),
    row("linalg.tensordot", anything(2, 3), anything(3, 2), axes=1),
    of(
        "linalg.matrix_rank of no matrices",
        lambda xp, x, rtol: xp.linalg.matrix_rank(x, rtol=rtol),
        anything(0, 5, 6, 4),
        anything(0, 5),
        order=0,
        jax=False,
    ),
    row("linalg.vecdot", anything(2, 3), anything(2, 3)),
]

FFT = [
    *[
        row(f"fft.{name}", anything(3, 4), order=2, complex=True)
        for name in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")
    ],
    *[row(f"fft.{name}", anything(3, 4), order=2) for name in ("rfft", "rfft2", "rfftn", "ihfft")],
    *[row(f"fft.{name}", anything(3, 4), order=2, complex=True) for name in ("irfft", "irfft2", "irfftn", "hfft")],
    *[
        row(f"fft.{name} {norm}", anything(3, 5), norm=norm)
        for norm in ("ortho", "forward", "backward")
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "irfftn")
    ],
    *[
        row(f"fft.{name} {n}", anything(5, 2), n, 0)
        for n in (1, 3, 8)
        for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    ],
    *[
        row(f"fft.{name} sizes", anything(2, 3, 4), (4, 5), (0, 2))
        for name in ("fftn", "ifftn", "rfftn", "irfftn", "irfft2")
    ],
    row("fft.fftshift", anything(3, 4)),
    row("fft.ifftshift", anything(3, 5)),
    row("fft.fftshift axis", anything(3, 5), 1),
    row("fft.fftfreq", 5, 0.5, **NO_RULE),
    row("fft.rfftfreq", 6, 0.5, **NO_RULE),
]

ROWS = [*ELEMENTWISE, *CREATION, *SHAPING, *REDUCTIONS, *INDEXING, *PRODUCTS, *STATISTICS, *LINALG, *FFT]
