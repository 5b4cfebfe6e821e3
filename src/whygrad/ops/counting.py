"""Ops that count. None of them has a gradient: counts do not change under a small step."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import flag, integer
from whygrad.ops.indexing import scatter_nd
from whygrad.ops.primitive import Primitive, apply, check_same_dtype, convert_operands
from whygrad.ops.reductions import checked_type, reduce_sum, static_number
from whygrad.ops.shaping import reshape, squeeze, stack
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, depends_on_values, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, DtypesDiffer
from whygrad.values.tensor import Tensor, are_known, wrap

_COUNTS = "counts do not change under a small step"

_is_nonzero = Primitive(
    "is_nonzero",
    lambda xp, x: x != (b"" if x.dtype.kind == "O" else xp.zeros((), x.dtype)),
    no_gradient=_COUNTS,
    op_name="NotEqual",
)


@export("math.count_nonzero")
def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """The number of elements over `axis` that are not zero (of strings: not empty).

    >>> import whygrad as tf
    >>> tf.math.count_nonzero([[0, 1, 2], [0, 0, 3]], axis=1).numpy()
    array([2, 1])
    """
    nonzero = elementwise.cast(apply(_is_nonzero, convert(input, None)), dtypes.int64)
    return elementwise.cast(reduce_sum(nonzero, axis, flag(keepdims, "keepdims", "Sum")), dtype)  # type: ignore[no-any-return]


@export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The fraction of elements that are zero, in float32. It has no gradient.

    >>> import whygrad as tf
    >>> tf.math.zero_fraction([0.0, 3.0, 0.0, 0.0]).numpy()
    np.float32(0.75)
    """
    tensor = convert(value, None)
    size: int = tensor._array.size
    zeros: Tensor = elementwise.cast(size - count_nonzero(tensor), dtypes.float32)
    return zeros / size


_bincount = Primitive(
    "bincount",
    lambda xp, bins, weights, *, size, binary: xp.count_into_bins(bins, weights, size=size, binary=binary),
    joint=unregistered(
        "DenseBincount", "add the weights up with tf.math.unsorted_segment_sum(weights, arr, num_segments)"
    ),
    op_name="DenseBincount",
)


@export("math.bincount")
def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """Count how often each of 0, 1, 2, ... appears in `arr`, or sum the weights of its appearances.

    The result covers the largest value, and at least `minlength`; values from `maxlength` on are ignored. `axis=-1` counts row by row;
    `binary_output` gives 1 for every value that appears.

    >>> import whygrad as tf
    >>> tf.math.bincount([1, 1, 2, 5]).numpy()
    array([0, 2, 1, 0, 0, 1], dtype=int32)
    >>> tf.math.bincount([1, 1, 2], weights=[0.5, 0.25, 2.0]).numpy()
    array([0.  , 0.75, 2.  ], dtype=float32)
    """
    binary_output = flag(binary_output, "binary_output")
    if binary_output and weights is not None:
        raise OpValueError("Arguments `binary_output` and `weights` are mutually exclusive. Please specify only one.")
    if axis is not None and integer(axis, "axis") not in (0, -1):
        raise OpValueError(f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported.")
    op_name = "DenseBincount"
    values = convert(arr, None)
    if not values.dtype.is_integer:
        values = elementwise.cast(values, dtypes.int32)
    checked_type(values.dtype, ("int32", "int64"), "Tidx", op_name)
    heavy = convert(np.zeros(0, dtypes.as_dtype(dtype).numpy_dtype) if weights is None else weights, None)
    if heavy.dtype.name not in ("int32", "int64", "float32", "float64"):
        raise invalid(DtypeNotAllowed(dtype=heavy.dtype, allowed=("int32", "int64", "float", "double"), op=op_name))
    array = values._array
    if heavy._array.size and heavy._array.shape != array.shape:
        raise invalid(
            f"`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it acts as all weights equal "
            f"to 1. Received {shape_text(heavy._array.shape)} [Op:{op_name}]"
        )
    known = are_known(values)
    if known and array.size and array.min() < 0:
        raise invalid(
            f"Input arr must be non-negative! Input 'in' must be non-negative! Negative input value found: {array.min()} "
            f"[Op:{op_name}]"
        )
    if axis == -1 and values.ndim > 2:
        raise invalid(f"Shape must be at most rank 2 but is rank {values.ndim} [Op:{op_name}]")
    at_least = 0 if minlength is None else static_number(minlength, "minlength must be a scalar, not {}", op_name)
    at_most = None if maxlength is None else static_number(maxlength, "maxlength must be a scalar, not {}", op_name)
    if at_most is not None and at_most <= at_least:
        size = at_most
    elif known:
        size = max(int(array.max()) + 1 if array.size else 0, at_least)
        size = size if at_most is None else min(size, at_most)
    else:
        raise depends_on_values(
            "the largest of the numbers", "Give `minlength` and `maxlength`, both the number of bins"
        )
    if size < 0:
        raise invalid(f"size ({size}) must be non-negative [Op:{op_name}]")
    by_row = axis == -1 and values.ndim == 2
    bins = values if by_row else _flat(values)
    return apply(_bincount, bins, heavy if by_row else _flat(heavy), size=size, binary=bool(binary_output))


def _flat(tensor: Tensor) -> Tensor:
    return tensor if tensor.ndim == 1 else reshape(tensor, (-1,))


_histogram = Primitive(
    "histogram_fixed_width",
    lambda xp, values, value_range, *, nbins, dtype: xp.histogram_counts(values, value_range, nbins).astype(dtype),
    no_gradient=_COUNTS,
    op_name="HistogramFixedWidth",
)


@export("histogram_fixed_width")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Count the values in each of `nbins` bins of equal width over `value_range`.

    Values outside the range count in the first or the last bin.

    >>> import whygrad as tf
    >>> tf.histogram_fixed_width([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([2, 1, 1, 0, 2], dtype=int32)
    """
    op_name = "HistogramFixedWidth"
    x, ends = convert_operands(values, value_range)
    check_same_dtype(x, ends, op_name)
    if x.dtype.name not in ("int32", "int64", "float32", "float64"):
        raise invalid(DtypeNotAllowed(dtype=x.dtype, allowed=("int32", "int64", "float", "double"), op=op_name))
    kind = checked_type(dtype, ("int32", "int64"), "dtype", op_name)
    number = static_number(nbins, "nbins should be a scalar, not {}", op_name)
    if ends._array.shape != (2,):
        raise invalid(f"value_range should be a vector of 2 elements. [Op:{op_name}]")
    if are_known(ends):
        low, high = ends._array.tolist()
        if not low < high:
            raise invalid(
                f"value_range should satisfy value_range[0] < value_range[1], but got '[{low:g}, {high:g}]' [Op:{op_name}]"
            )
    if number <= 0:
        raise invalid(f"nbins should be a positive number, but got '{number}' [Op:{op_name}]")
    if are_known(x) and x.dtype.is_floating and np.isnan(x._array).any():
        raise invalid(f"Histogram values must not contain NaN [Op:{op_name}]")
    return apply(_histogram, x, ends, nbins=number, dtype=kind)


_histogram_bins = Primitive(
    "histogram_fixed_width_bins",
    lambda xp, values, value_range, *, nbins: xp.histogram_places(values, value_range, nbins),
    no_gradient=_COUNTS,
)


@export("histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """The bin of `histogram_fixed_width` for each value: int32, whatever `dtype` says.

    >>> import whygrad as tf
    >>> tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5).numpy()
    array([0, 0, 1, 2, 4, 4], dtype=int32)
    """
    x, ends = convert(values, None), convert(value_range, None)
    check_same_dtype(x, ends, "Sub")
    if not x.dtype.is_floating:
        raise invalid(DtypesDiffer(wanted=x.dtype, dtype=dtypes.float64, op="Mul"))
    number = static_number(nbins, "nbins must be a scalar, not {}", "Mul")
    if number <= 0:
        raise invalid(f"nbins {number} must > 0")
    return apply(_histogram_bins, x, ends, nbins=number)


@export("math.confusion_matrix")
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Count how often (or with what weight) each label, a row, was predicted as each class, a column.

    >>> import whygrad as tf
    >>> tf.math.confusion_matrix([1, 2, 1], [2, 2, 1]).numpy()
    array([[0, 0, 0],
           [0, 1, 1],
           [0, 0, 1]], dtype=int32)
    """
    rows, columns = (elementwise.cast(convert(each, None), dtypes.int64) for each in (labels, predictions))
    if rows.ndim == columns.ndim + 1:
        rows = squeeze(rows, [-1])
    elif columns.ndim == rows.ndim + 1:
        columns = squeeze(columns, [-1])
    found = 0
    if num_classes is None and not are_known(rows, columns):
        raise depends_on_values("the largest label or prediction", "Give `num_classes`")
    known = [(what, each) for what, each in (("labels", rows), ("predictions", columns)) if are_known(each)]
    for what, tensor in known:
        array = tensor._array
        if array.size and array.min() < 0:
            raise invalid(f"`{what}` contains negative values.  \nCondition x >= 0 did not hold element-wise")
        found = max(found, int(array.max()) + 1 if array.size else 0)
    size = found if num_classes is None else static_number(num_classes, "num_classes must be a scalar, not {}", "Less")
    for what, tensor in known:
        if tensor._array.size and tensor._array.max() >= size:
            raise invalid(f"`{what}` out of bound\nCondition x < y did not hold.")
    kind = dtypes.as_dtype(dtype)
    if weights is None:
        values = wrap(np.ones(columns._array.shape, kind.numpy_dtype))
    else:
        values = elementwise.cast(convert(weights, None), kind)
        if values._array.shape != columns._array.shape:
            raise OpValueError(f"Shapes {tuple(columns.shape)} and {tuple(values.shape)} are incompatible")
    return scatter_nd(stack([rows, columns], axis=-1), values, (size, size))
