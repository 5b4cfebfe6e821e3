"""Constants: tensors from Python values, filled tensors, ranges."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import allocate, check_fits, exhausted, integer, integer_list
from whygrad.ops.elementwise import cast
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shapes import broadcast_dynamic_shape
from whygrad.ops.shaping import (
    at,
    broadcast_to,
    concat,
    expand_dims,
    integers,
    static_shape,
    zero_of,
)
from whygrad.ops.traits import Moves, Selects, Traits
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpTypeError, OpValueError, UnimplementedError, behind, invalid, shape_text
from whygrad.values.faults import AxisOutOfRange, DtypeNotAllowed, NotRepresentable
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import as_shape
from whygrad.values.tensor import Tensor, value_of, wrap
from whygrad.values.variable import Variable

_constant_in_shape = Primitive(
    "constant_in_shape",
    lambda xp, x, *, shape: xp.reshape(x, shape) if x.size != 1 else xp.broadcast_to(xp.reshape(x, ()), shape),
    no_gradient="constant with a shape makes a new constant, also of a tensor: tf.reshape and tf.fill keep the path",
    stops_watching=True,
    op_name="Const",
    traits=Traits(only_shape=True),
)


@export("constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor with this value; a tensor is returned unchanged, and gradients pass through.

    >>> import whygrad as tf
    >>> tf.constant([[1.0, 2.0], [3.0, 4.0]])
    <tf.Tensor: shape=(2, 2), dtype=float32, numpy=
    array([[1., 2.],
           [3., 4.]], dtype=float32)>
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) and wanted not in (None, value.dtype):
        raise OpTypeError(f"Expected tensor {value.numpy()} with dtype {wanted!r}, but got dtype {value.dtype!r}.")
    tensor = convert(value, wanted)
    if shape is None:
        return tensor
    given_shape = as_shape(shape)
    count = given_shape.num_elements()
    if count is None:
        raise OpValueError(f"Cannot convert a partially known TensorShape {given_shape} to a Tensor.")
    wanted_shape = tuple(given_shape)
    if wanted_shape == tensor._array.shape:
        return tensor
    size = tensor._array.size
    if size in (count, 1):
        check_fits(wanted_shape, tensor._array.dtype, "Fill")
        return apply(_constant_in_shape, tensor, shape=wanted_shape)
    raise OpTypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {tensor._array} (converted from {value}) has "
        f"{size} elements, but got `shape` {wanted_shape} with {count} elements)."
    )


def _filled(shape: tuple[int, ...], value: Any, dtype: DType) -> Tensor:
    """A tensor of `shape` filled with `value`."""
    check_fits(shape, dtype.numpy_dtype, "Fill")
    try:
        if value == 0 and dtype is not dtypes.string:
            return wrap(np.zeros(shape, dtype.numpy_dtype))
        return wrap(np.full(shape, value, dtype.numpy_dtype))
    except (MemoryError, ValueError):
        raise exhausted(shape, dtype.numpy_dtype, "Fill") from None


def _shape_argument(shape: Any) -> tuple[int, ...]:
    """The `shape` argument of zeros and ones, where a float is a TypeError."""
    floats = float | np.floating | str
    if isinstance(shape, floats) or (
        isinstance(shape, list | tuple) and any(isinstance(each, floats) for each in shape)
    ):
        raise OpTypeError(NotRepresentable(shown=repr(shape), dtype=dtypes.int32))
    return static_shape(shape)


@export("ones")
def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of ones.

    >>> import whygrad as tf
    >>> tf.ones((2,)).numpy()
    array([1., 1.], dtype=float32)
    """
    wanted = dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        raise OpTypeError(NotRepresentable(shown="1", dtype=dtypes.string))
    return _filled(_shape_argument(shape), 1, wanted)


@export("zeros")
def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of zeros (False, or empty strings).

    >>> import whygrad as tf
    >>> tf.zeros((2,)).numpy()
    array([0., 0.], dtype=float32)
    """
    wanted = dtypes.as_dtype(dtype)
    return _filled(_shape_argument(shape), zero_of(wanted.numpy_dtype), wanted)


_LIKE = "{} takes only the shape and dtype of its input: its values do not change with the input's"


def _filled_like(name: str, fill: Callable[..., Any]) -> tuple[Primitive, Primitive]:
    """The primitives that give constants of their input's shape: one of its dtype, one of another dtype.

    Only the first is an op on its input in TensorFlow. The second takes no more than the shape, so tapes do not watch its result.
    """
    same, other = (
        Primitive(
            name,
            fill,
            no_gradient=_LIKE.format(name),
            stops_watching=stops,
            traits=Traits(only_shape=True),
            register=not stops,
        )
        for stops in (False, True)
    )
    return same, other


_zeros_like, _zeros_of_shape = _filled_like(
    "zeros_like", lambda xp, x, *, dtype: xp.full(x.shape, zero_of(dtype), dtype)
)
_ones_like, _ones_of_shape = _filled_like("ones_like", lambda xp, x, *, dtype: xp.ones(x.shape, dtype))


@export("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Zeros with the shape of `input`, and with its dtype unless `dtype` is given.

    >>> import whygrad as tf
    >>> tf.zeros_like([[1, 2]]).numpy(), tf.zeros_like(3, tf.float32).numpy()
    (array([[0, 0]], dtype=int32), np.float32(0.0))
    """
    x = convert(input, None)
    wanted = x.dtype if dtype is None else dtypes.as_dtype(dtype)
    return apply(_zeros_like if wanted is x.dtype else _zeros_of_shape, x, dtype=wanted.numpy_dtype)


@export("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones with the shape of `input`, and with its dtype unless `dtype` is given.

    >>> import whygrad as tf
    >>> tf.ones_like([[1, 2]]).numpy(), tf.ones_like(3, tf.float32).numpy()
    (array([[1, 1]], dtype=int32), np.float32(1.0))
    """
    x = convert(input, None)
    wanted = x.dtype if dtype is None else dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        if dtype is not None:
            raise OpTypeError(NotRepresentable(shown="1", dtype=dtypes.string))
        raise invalid(
            DtypeNotAllowed(
                dtype=dtypes.string,
                allowed=(
                    "bfloat16",
                    "half",
                    "float",
                    "double",
                    "int8",
                    "uint8",
                    "int16",
                    "uint16",
                    "int32",
                    "uint32",
                    "int64",
                    "uint64",
                    "complex64",
                    "complex128",
                    "bool",
                ),
                op="OnesLike",
            )
        )
    return apply(_ones_like if wanted is x.dtype else _ones_of_shape, x, dtype=wanted.numpy_dtype)


def _fill_vjp(xp: Any, g: Any, value_shape: tuple[int, ...]) -> Any:
    return xp.reshape(xp.sum(g), value_shape)


_fill = Primitive(
    "fill",
    lambda xp, value, *, shape: xp.broadcast_to(xp.reshape(value, ()), shape),
    vjp=_fill_vjp,
    traits=Traits(moves=Moves.REPEATED, passes_numeric_checks=True),
)


@export("fill")
def fill(dims: Any, value: Any, name: str | None = None, layout: Any = None) -> Tensor:
    """A tensor of shape `dims` filled with `value`.

    >>> import whygrad as tf
    >>> tf.fill((2, 2), 7).numpy()
    array([[7, 7],
           [7, 7]], dtype=int32)
    """
    shape = static_shape(dims)
    x = convert(value, None)
    if x._array.size != 1 or x._array.ndim > 1:
        raise invalid(f"value must represent a scalar, got shape {shape_text(x._array.shape)} [Op:Fill]")
    check_fits(shape, x._array.dtype, "Fill")
    return apply(_fill, x, shape=shape)


@export("eye", "linalg.eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix, or a batch of them; ones on the main diagonal if it is not square.

    >>> import whygrad as tf
    >>> tf.eye(2, 3).numpy()
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    >>> tf.eye(2, batch_shape=[5]).shape
    TensorShape([5, 2, 2])
    """
    columns = num_rows if num_columns is None else num_columns
    for each in (num_rows, columns):
        if isinstance(each, list | tuple | float | str):
            raise OpTypeError(
                "Arguments `num_rows` and `num_columns` must be positive integer values. "
                f"Received: num_rows={num_rows}, num_columns={columns}"
            )
    wanted = dtypes.as_dtype(dtype)
    if wanted is dtypes.string:
        raise OpTypeError(NotRepresentable(shown="1", dtype=dtypes.string))
    if isinstance(batch_shape, int):
        raise OpTypeError(
            "Argument `batch_shape` must be a list, tuple or tensor of integers: 'int' object is not iterable"
        )
    batch = () if batch_shape is None else static_shape(batch_shape)
    rows, cols = static_shape([num_rows, columns])
    shape = static_shape((*batch, rows, cols))
    of = wanted.numpy_dtype
    matrix = wrap(allocate(lambda: np.eye(rows, cols, dtype=of), (rows, cols), of, "Fill"))
    return broadcast_to(matrix, shape) if batch else matrix


# -- ranges --

_range = Primitive(
    "range",
    lambda xp, start, limit, delta, *, count: start + delta * xp.arange(count, dtype=start.dtype),
    no_gradient="range counts: where a count begins and ends has no derivative",
)
# A range of mixed dtypes takes the last of them in this order.
_COUNTING = (dtypes.int32, dtypes.int64, dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


@shape_by_values(
    instead="take a number that is known, and a mask: tf.range(most) < {0}",
    for_loop="loop with tf.while_loop, with the count among its loop_vars",
    takes_numbers=True,
)
@export("range")
def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """Numbers from `start` (0 if only `limit` is given) up to, but not including, `limit`, in steps of `delta`.

    >>> import whygrad as tf
    >>> tf.range(3).numpy(), tf.range(1.0, 2.0, 0.25).numpy()
    (array([0, 1, 2], dtype=int32), array([1.  , 1.25, 1.5 , 1.75], dtype=float32))
    """
    if limit is None:
        start, limit = 0, start
    if dtype is None and type(start) is int and type(limit) is int and type(delta) is int:
        count = _count(start, limit, delta)
        if max(abs(start), abs(limit), abs(delta)) < 2**31 and count < 2**28:  # typical loop counters
            return wrap(np.arange(start, limit, delta, dtype=np.int32))
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    given = [each if isinstance(each, Tensor) else convert(each, wanted) for each in (start, limit, delta)]
    for each in given if wanted is None else [wrap(np.zeros((), wanted.numpy_dtype))]:
        if each.dtype not in _COUNTING:
            raise invalid(
                DtypeNotAllowed(
                    dtype=each.dtype, allowed=tuple(known.cxx_name for known in _COUNTING), attribute="Tidx", op="Range"
                )
            )
    if wanted is None:
        wanted = max([each.dtype for each in given], key=_COUNTING.index)
    numbers = []
    for each, argument in zip(given, ("start", "limit", "delta")):
        if not each.dtype.is_numeric:
            raise UnimplementedError(None, None, f"Cast {each.dtype.name} to {wanted.name} is not supported [Op:Cast]")
        if each._array.size != 1 or each._array.ndim > 1:
            raise invalid(f"{argument} must be a scalar, not shape {shape_text(each._array.shape)} [Op:Range]")
        if each.dtype is not wanted or each._array.ndim:
            each = wrap(value_of(each).reshape(()).astype(wanted.numpy_dtype))
        numbers.append(each)
    values = [value_of(each) for each in numbers]
    count = _count(*[each.item() if wanted.is_integer else each[()] for each in values])
    check_fits((count,), wanted.numpy_dtype, "Range")
    return apply(_range, *numbers, count=count)


def _count(start: Any, limit: Any, delta: Any) -> int:
    """The number of elements in a range of ints, or of NumPy floats."""
    if delta == 0:
        raise invalid("Requires delta != 0: 0 [Op:Range]")
    if delta > 0 and not start <= limit:
        raise invalid(f"Requires start <= limit when delta > 0: {float(start):g}/{float(limit):g} [Op:Range]")
    if delta < 0 and not start >= limit:
        raise invalid(f"Requires start >= limit when delta < 0: {float(start):g}/{float(limit):g} [Op:Range]")
    if isinstance(start, int):
        return int(-(-abs(limit - start) // abs(delta)))
    # Divide in the precision of the range: 0.3 / 0.1 is 3 in float32, but more for the same numbers in double precision.
    with np.errstate(all="ignore"):
        length = float(abs((limit - start) / delta))
    if not length < 2**63:
        raise invalid(f"Requires ((limit - start) / delta) <= {2**63 - 1} [Op:Range]")
    return math.ceil(length)


@export("linspace")
def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` evenly spaced numbers from `start` to `stop`, both included; along a new `axis` if they are tensors.

    >>> import whygrad as tf
    >>> tf.linspace(0.0, 1.0, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    first = convert(start, None)
    try:
        last = convert(stop, first.dtype)
    except ValueError as error:
        raise OpValueError(behind("stop: ", error)) from None
    count = convert(num, None)
    if not count.dtype.is_integer:
        raise OpTypeError(
            "Argument `tensor` (name: num) must be of type integer. "
            f"Received `tensor` = {count.numpy()} of dtype: {count.dtype!s}"
        )
    many = integer(count, "num")
    if many < 0:
        raise invalid(f"Requires start <= limit when delta > 0: 1/{many} [Op:Range]")
    shape = broadcast_dynamic_shape(first._array.shape, last._array.shape)
    sizes = tuple(integer_list(shape, "shape"))
    check_fits((*sizes, many), first._array.dtype, "LinSpace")
    first, last = (expand_dims(broadcast_to(each, shape), axis) for each in (first, last))
    step = (last - first) / max(many - 1, 1)  # a float, for integers too
    if first.dtype is not step.dtype:
        first, last = cast(first, step.dtype), cast(last, step.dtype)
    place = axis % first._array.ndim
    inner = max(many - 1, 1)
    between = allocate(
        lambda: np.arange(1, inner).astype(step._array.dtype), (*sizes, inner), step._array.dtype, "LinSpace"
    )
    between = between.reshape([-1 if i == place else 1 for i in range(first._array.ndim)])
    points = concat([first, first + step * wrap(between), last], place)
    return points if many > 1 else points[at(place, slice(0, many))]


_one_hot = Primitive(
    "one_hot",
    lambda xp, indices, on_value, off_value, *, depth, axis: xp.where(
        xp.expand_dims(indices, axis) == xp.reshape(xp.arange(depth), (-1, *[1] * (indices.ndim - axis))),
        on_value,
        off_value,
    ),
    no_gradient="one_hot marks positions: integers do not change under a small step",
    traits=Traits(selects=Selects.PLACES),
)


@export("one_hot")
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """For each index, a row of `depth` zeros with a one at that index; only zeros for an index out of range.

    >>> import whygrad as tf
    >>> tf.one_hot([0, 2, -1], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 0., 0.]], dtype=float32)
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    given = [
        None if each is None else _one_hot_value(each, argument, wanted)
        for each, argument in ((on_value, "on_value"), (off_value, "off_value"))
    ]
    known = [each for each in given if each is not None]
    if wanted is None:
        wanted = known[0].dtype if known else dtypes.float32
        if len(known) == 2 and known[1].dtype is not wanted:
            raise OpTypeError(f"dtype {wanted!s} of on_value does not match dtype {known[1].dtype!s} of off_value")
    if (wanted is dtypes.bool_ or wanted is dtypes.string) and len(known) < 2:
        raise OpTypeError(NotRepresentable(shown="1" if given[0] is None else "0", dtype=wanted))
    on, off = (convert(value, wanted) if each is None else each for each, value in zip(given, (1, 0)))
    for argument, each in (("on_value", on), ("off_value", off)):
        if each._array.ndim:
            raise invalid(f"{argument} must be a scalar, but got: {shape_text(each._array.shape)} [Op:OneHot]")
    x = convert(indices, None)
    if isinstance(indices, list | tuple | bool) and (not x._array.size or x.dtype is dtypes.bool_):
        x = wrap(x._array.astype(np.int64))
    allowed = (dtypes.uint8, dtypes.int8, dtypes.int32, dtypes.int64)
    if isinstance(indices, np.ndarray) and x.dtype not in allowed and indices.dtype.kind in "biuf":
        x = wrap(x._array.astype(np.int64))  # as in TensorFlow, which refuses tensors and lists of these numbers
    if x.dtype not in allowed:
        raise invalid(
            DtypeNotAllowed(
                dtype=x.dtype,
                allowed=("uint8", "int8", "int32", "int64"),
                attribute="TI",
                parameter="indices",
                op="OneHot",
            )
        )
    size = integers(convert(depth, dtypes.int32), "OneHot", "depth")
    if size.ndim:
        raise invalid(f"depth must be a scalar, but got: {shape_text(size.shape)} [Op:OneHot]")
    many = int(size)
    if many < 0:
        raise invalid(f"depth must be non-negative, got: {many} [Op:OneHot]")
    rank = x._array.ndim + 1
    place = -1 if axis is None else integer(axis, "axis", "OneHot")
    if not -1 <= place < rank:
        wording = "Expected axis to be -1 or between [0, {count}).  But received: {axis}"
        raise invalid(AxisOutOfRange(axis=place, rank=rank - 1, adds=True, op="OneHot", wording=wording))
    check_fits((*x._array.shape, many), wanted.numpy_dtype, "OneHot")
    return apply(_one_hot, x, on, off, depth=many, axis=place % rank)


def _one_hot_value(value: Any, argument: str, wanted: DType | None) -> Tensor:
    try:
        return convert(value, wanted)
    except (TypeError, ValueError):
        given = convert(value, None).dtype
        raise OpTypeError(f"dtype {given!s} of {argument} does not match dtype parameter {wanted!s}") from None


@export("is_tensor")
def is_tensor(x: Any) -> bool:
    """Return whether x is a Tensor, a Variable, an IndexedSlices, or a ragged or sparse tensor.

    >>> import whygrad as tf
    >>> tf.is_tensor(tf.ones(2)), tf.is_tensor([1.0])
    (True, False)
    """
    return isinstance(x, Tensor | Variable | IndexedSlices | TensorLikeComposite | ActsAsTensor)
