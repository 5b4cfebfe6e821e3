"""Checks that raise: for NaN and infinities, and assertions about values, ranks, shapes and types."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import flag, items, unexpected
from whygrad.ops.elementwise import equal, greater, greater_equal, less, less_equal, not_equal, subtract
from whygrad.ops.primitive import Primitive, apply, check_dtype
from whygrad.ops.traits import MOVES_ALL
from whygrad.runtime.call_sites import users_site
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpError, OpTypeError, OpValueError, invalid
from whygrad.values.faults import IncompatibleShapes
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, placement, value_of, wrap
from whygrad.values.variable import Variable

# -- NaN and infinities --


def check_numerics_vjp(xp: Any, g: Any, message: str) -> Any:
    """Return the upstream gradient, if it passes the same check."""
    return xp.check_numerics(g, message=f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}")


_check_numerics = Primitive(
    "check_numerics",
    "check_numerics",
    inputs=("tensor",),
    vjp=check_numerics_vjp,
    op_name="CheckNumerics",
    traits=MOVES_ALL,
)


@export("debugging.check_numerics")
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Return the tensor; raise InvalidArgumentError if it contains a NaN or an infinity. Its gradient is checked too.

    >>> import whygrad as tf
    >>> tf.debugging.check_numerics([1.0, 2.0], "weights").numpy()
    array([1., 2.], dtype=float32)
    """
    x = convert(tensor, None)
    if not isinstance(message, str | bytes):
        raise OpTypeError(f"Expected string for argument 'message' not {message!r}.")
    check_dtype(x, "float", "CheckNumerics")
    return apply(_check_numerics, x, message=message if isinstance(message, str) else message.decode())


@export("debugging.assert_all_finite")
def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """An alias of `check_numerics`.

    >>> import whygrad as tf
    >>> tf.debugging.assert_all_finite(1.0, "rate").numpy()
    np.float32(1.0)
    """
    return check_numerics(x, message)


# -- values --


@export("Assert", "debugging.Assert")
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError unless `condition` is true, showing the first `summarize` (3) elements of each of `data`.

    >>> import whygrad as tf
    >>> tf.Assert(tf.constant(True), ["never shown"])
    """
    if not _is_known(condition):
        given = [convert(each, None) for each in (condition, *items(data, "data"))]
        _check_when_called(
            lambda condition, *data: Assert(condition, data, summarize), lambda condition, *_: condition._array, given
        )
    elif not condition:
        if not isinstance(data, Iterable):
            raise OpTypeError("values must be a sequence.")
        shown = "\n".join(_first_elements(convert(item, None), summarize) for item in data)
        raise invalid(f"Expected '{condition!s}' to be true. Summarized data: {shown}")


def _is_known(condition: Any) -> bool:
    return not isinstance(condition, Tensor | Variable) or are_known(convert(condition, None))


def _check_when_called(check: Callable[..., None], holds: Callable[..., Any], tensors: Sequence[Tensor]) -> None:
    """Have each call of the function that is being traced run `check` on the values of tensors.

    A compiled call runs it, and so Python, only if `holds`, one bool that is computed from them, is false.
    """

    def checked(*given: Tensor) -> list[Tensor]:
        check(*given)
        return []

    if state.context.replays:
        state.context.at_each_call(checked, tensors, [])
    elif state.context.checks_values:
        known = [each if are_known(each) else None for each in tensors]  # symbolic tensors must not outlive the trace
        code, instruction = users_site()

        def report(*arrays: Any) -> None:
            values = iter(arrays)
            try:
                check(*[wrap(next(values)) if each is None else each for each in known])
            except OpError as error:  # the traceback leads to the call of the function alone
                (line, *_) = next(itertools.islice(code.co_positions(), instruction // 2, None))
                error.add_note(f"  checked in `{code.co_name}`: {code.co_filename}, line {line}")
                raise

        placement.engine.check(holds(*tensors), report, *[each._array for each in tensors if not are_known(each)])


def _first_elements(tensor: Tensor, summarize: int | None) -> str:
    flat = tensor._array.reshape(-1)
    count = 3 if summarize is None else flat.size if summarize < 0 else summarize
    shown = [str(item) for item in flat[:count]]
    if tensor.ndim and len(shown) < flat.size:
        shown.append("...")
    return ", ".join(shown)


def _compare(
    symbol: str, holds: Callable[..., Tensor], x: Any, y: Any, message: str | None, summarize: int | None
) -> None:
    x, y = convert(x, None), convert(y, None)
    if not are_known(x, y):
        _check_when_called(
            lambda x, y: _compare(symbol, holds, x, y, message, summarize),
            lambda x, y: holds(x, y)._array.all(),
            [x, y],
        )
        return
    result = holds(x, y)._array
    if result.all():
        return
    lines = [] if message is None else [message]
    raise invalid("\n".join([*lines, comparison(symbol, x._array, y._array, result, summarize)]))


def comparison(symbol: str, x: Any, y: Any, result: Any, summarize: int | None = None) -> str:
    """What TensorFlow says of two arrays that a comparison does not hold for; `result` is false where."""
    lines = [f"Condition x {symbol} y did not hold."]
    if x.shape == y.shape:
        failing = np.argwhere(~result) if result.shape else np.empty((1, 0), np.int64)
        failing = failing[: _limit(summarize, len(failing))]
        at = tuple(failing.T)
        lines += [f"Indices of first {len(failing)} different values:", str(failing)]
        for which, array in (("x", x), ("y", y)):
            lines += [f"Corresponding {which} values:", str(array[at].reshape(-1))]
    for which, array in (("x", x), ("y", y)):
        first = array.reshape(-1)[: _limit(summarize, array.size)]
        lines += [f"First {first.size} elements of {which}:", str(first)]
    return "\n".join(lines)


def _limit(summarize: int | None, size: int) -> int:
    return min(size, 3) if summarize is None else size if summarize < 0 else min(size, summarize)


@export("assert_equal", "debugging.assert_equal")
def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x == y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_equal([1, 2], [1, 2])
    """
    if x is not y:
        _compare("==", equal, x, y, message, summarize)


@export("debugging.assert_none_equal")
def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x != y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_none_equal([1, 2], [3, 4])
    """
    _compare("!=", not_equal, x, y, message, summarize)


@export("assert_less", "debugging.assert_less")
def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x < y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_less([1, 2], 3)
    """
    _compare("<", less, x, y, message, summarize)


@export("debugging.assert_less_equal")
def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x <= y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_less_equal([1, 3], 3)
    """
    _compare("<=", less_equal, x, y, message, summarize)


@export("assert_greater", "debugging.assert_greater")
def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x > y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_greater([4, 5], 3)
    """
    _compare(">", greater, x, y, message, summarize)


@export("debugging.assert_greater_equal")
def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x >= y everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_greater_equal([3, 5], 3)
    """
    _compare(">=", greater_equal, x, y, message, summarize)


@export("debugging.assert_near")
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> None:
    """Raise InvalidArgumentError unless |x - y| < atol + rtol |y| everywhere; both default to ten times the dtype's epsilon.

    >>> import whygrad as tf
    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.0000002])
    """
    x = convert(x, None)
    y = convert(y, x.dtype)
    real = x.dtype.real_dtype
    if not real.is_floating:
        raise OpValueError(f"data type {real.as_numpy_dtype} not inexact")
    ten_epsilon = 10 * float(_epsilon(real))
    rtol = convert(ten_epsilon if rtol is None else rtol, real)
    atol = convert(ten_epsilon if atol is None else atol, real)
    difference = subtract(x, y)
    if not are_known(difference, rtol, atol):
        _check_when_called(
            lambda x, y, rtol, atol: assert_near(x, y, rtol, atol, message, summarize),
            lambda *_: _near(difference, y, rtol, atol).all(),
            [x, y, rtol, atol],
        )
        return
    for tolerance in (rtol, atol):
        try:
            np.broadcast_shapes(tolerance._array.shape, difference._array.shape)
        except ValueError:
            shapes = {"a": tolerance._array.shape, "b": difference._array.shape}
            raise invalid(IncompatibleShapes(**shapes, op="Mul")) from None
    Assert(
        convert(bool(_near(difference, y, rtol, atol).all()), None),
        [
            _prefix(message),
            f"x and y not equal to tolerance rtol = {rtol!s}, atol = {atol!s}",
            f"x ({_described(x)}) = ",
            x,
            f"y ({_described(y)}) = ",
            y,
        ],
        summarize,
    )


def _near(difference: Tensor, y: Tensor, rtol: Tensor, atol: Tensor) -> Any:
    """Where |difference| < atol + rtol |y|."""
    with np.errstate(all="ignore"):
        return abs(difference._array) < atol._array + rtol._array * abs(y._array)


def _epsilon(dtype: DType) -> Any:
    if dtype is dtypes.bfloat16:
        import ml_dtypes

        return ml_dtypes.finfo(dtype.numpy_dtype).eps  # type: ignore[no-untyped-call]
    return np.finfo(dtype.numpy_dtype).eps


def _described(tensor: Any) -> str:
    return f"shape={tensor.shape} dtype={tensor.dtype.name}"


def _prefix(message: str | None) -> str:
    return f"{message}.  " if flag(message, "message") else ""


def _compare_with_zero(
    symbol: str, holds: Callable[..., Any], x: Any, message: str | None, summarize: int | None
) -> None:
    x = convert(x, None)
    convert(0, x.dtype)  # raises for dtypes without a zero to compare with
    check_dtype(x, "real", "Less")
    if not are_known(x):
        _check_when_called(
            lambda x: _compare_with_zero(symbol, holds, x, message, summarize),
            lambda x: holds(x._array, 0).all(),
            [x],
        )
    elif not holds(x._array, 0).all():
        flat = x._array.reshape(-1)
        shown: Any = [str(item) for item in flat[: _limit(summarize, flat.size)]]
        if len(shown) < flat.size:
            shown.append("...")
        if not x.ndim:
            shown = shown[0]
        raise invalid(
            f"{_prefix(message)}\nCondition x {symbol} 0 did not hold element-wise:\nx ({_described(x)}) = \n{shown}"
        )


@export("debugging.assert_positive")
def assert_positive(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError unless x > 0 everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_positive([1.0, 2.0])
    """
    _compare_with_zero(">", operator.gt, x, message, summarize)


@export("debugging.assert_negative")
def assert_negative(x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
    """Raise InvalidArgumentError unless x < 0 everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_negative([-1.0, -2.0])
    """
    _compare_with_zero("<", operator.lt, x, message, summarize)


@export("debugging.assert_non_negative")
def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x >= 0 everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_non_negative([0.0, 2.0])
    """
    _compare_with_zero(">=", operator.ge, x, message, summarize)


@export("debugging.assert_non_positive")
def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless x <= 0 everywhere.

    >>> import whygrad as tf
    >>> tf.debugging.assert_non_positive([0.0, -2.0])
    """
    _compare_with_zero("<=", operator.le, x, message, summarize)


# -- ranks and shapes --


def _rank(rank: Any) -> int:
    tensor = convert(rank, None)
    if tensor.ndim:
        raise OpValueError("Rank must be a scalar.")
    assert_type(tensor, dtypes.int32)
    return int(value_of(tensor))


def _shaped(x: Any) -> Any:
    """A tensor, or a composite whose shape is known, such as a sparse tensor: what is checked is its shape alone."""
    return x if isinstance(x, TensorLikeComposite) and x.shape.is_fully_defined() else convert(x, None)


def _wrong_rank(x: Any, wanted: str, message: str | None) -> ValueError:
    rank = len(x.shape)
    return OpValueError(f"{_prefix(message)}Tensor  must have rank {wanted}.  Received rank {rank}, shape {x.shape}")


@export("assert_rank", "debugging.assert_rank")
def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless x has rank `rank`.

    >>> import whygrad as tf
    >>> tf.debugging.assert_rank([[1.0]], 2)
    """
    x, wanted = _shaped(x), _rank(rank)
    if len(x.shape) != wanted:
        raise _wrong_rank(x, str(wanted), message)


@export("debugging.assert_rank_at_least")
def assert_rank_at_least(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless x has at least rank `rank`.

    >>> import whygrad as tf
    >>> tf.debugging.assert_rank_at_least([[1.0]], 1)
    """
    x, wanted = _shaped(x), _rank(rank)
    if len(x.shape) < wanted:
        raise _wrong_rank(x, f"at least {wanted}", message)


@export("debugging.assert_rank_in")
def assert_rank_in(x: Any, ranks: Iterable[Any], message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless the rank of x is one of `ranks`.

    >>> import whygrad as tf
    >>> tf.debugging.assert_rank_in([[1.0]], (1, 2))
    """
    x, wanted = _shaped(x), tuple([_rank(rank) for rank in items(ranks, "ranks")])
    if len(x.shape) not in wanted:
        raise _wrong_rank(x, f"in {wanted}", message)


@export("debugging.assert_scalar")
def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless the tensor is a scalar.

    >>> import whygrad as tf
    >>> tf.debugging.assert_scalar(3.0)
    """
    shape = convert(tensor, None).shape
    if len(shape):
        raise OpValueError(f"{_prefix(message)}Expected scalar shape, saw shape: {shape}.")


class _Sizes(NamedTuple):
    """A tensor and the shape that `assert_shapes` requires; with `inner`, only of its last axes."""

    tensor: Any  # a tensor, or a composite
    symbols: tuple[Any, ...]
    inner: bool


@export("debugging.assert_shapes")
def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None, name: str | None = None
) -> None:
    """Raise ValueError unless the tensors have these shapes, in which a symbol means the same size everywhere.

    `shapes` is a list of pairs or a dict. A size is a number, a symbol such as "N", or None or "." for any size; `...` or
    "*" as the first entry stands for any leading axes.

    >>> import whygrad as tf
    >>> x, w = tf.ones((5, 3)), tf.ones((3, 2))
    >>> tf.debugging.assert_shapes([(x, ("N", "D")), (w, ("D", 2))])
    """
    pairs = list(shapes.items()) if isinstance(shapes, Mapping) else items(shapes, "shapes")
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise unexpected("pair (tensor, shape)", "shapes", pair)
    wanted = [_sizes(_shaped(x), shape, message) for x, shape in pairs if shape is not None]
    for sizes in wanted:
        rank = len(sizes.symbols)
        if rank > 1:
            (assert_rank_at_least if sizes.inner else assert_rank)(sizes.tensor, rank, message)
        elif not sizes.inner:  # a scalar counts as one element
            assert_rank_in(sizes.tensor, (0, 1), message)
    known: dict[Any, tuple[int, Any, int]] = {}
    for sizes in wanted:
        actual = tuple(sizes.tensor.shape) or (1,)
        for i, symbol in enumerate(sizes.symbols):
            if symbol is None or symbol == ".":
                continue
            axis = i - len(sizes.symbols) if sizes.inner else i
            size = _number(symbol)
            if size is not None:
                origin = "Specified explicitly"
            elif symbol in known:
                size, other, other_axis = known[symbol]
                origin = f"Specified by tensor {_described(other)} dimension {other_axis}"
            else:
                known[symbol] = (actual[axis], sizes.tensor, axis)
                continue
            if actual[axis] != size:
                raise OpValueError(
                    f"{_prefix(message)}{origin}.  Tensor {_described(sizes.tensor)} dimension {axis} must have size "
                    f"{size}.  Received size {actual[axis]}, shape {sizes.tensor.shape}"
                )


def _sizes(tensor: Any, shape: Any, message: str | None) -> _Sizes:
    if not (hasattr(shape, "__iter__") or hasattr(shape, "__getitem__")):
        raise OpValueError(
            f"{_prefix(message)}Tensor {_described(tensor)}.  Specified shape must be an iterable.  An iterable has the "
            f"attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
        )
    symbols = tuple(shape)
    for i, symbol in enumerate(symbols):
        if (symbol is Ellipsis or symbol == "*") and i:
            raise OpValueError(
                f"{_prefix(message)}Tensor {_described(tensor)} specified shape index {i}.  Symbol `...` or `*` for a "
                "variable number of unspecified dimensions is only allowed as the first entry"
            )
    inner = bool(symbols) and (symbols[0] is Ellipsis or symbols[0] == "*")
    return _Sizes(tensor, (symbols[1:] if inner else symbols) or (1,), inner)


def _number(symbol: Any) -> int | None:
    try:
        return int(symbol)
    except (TypeError, ValueError):
        return None


# -- types --


@export("debugging.assert_type")
def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless the tensor has this dtype.

    >>> import whygrad as tf
    >>> tf.debugging.assert_type([1.0], tf.float32)
    """
    wanted = dtypes.as_dtype(tf_type)
    given = (tensor._held() if isinstance(tensor, TensorLikeComposite) else convert(tensor, None)).dtype
    if given is not wanted:
        raise OpTypeError(f"{_prefix(message)}tensor must be of type {wanted!r}; got {given!r}")


@export("debugging.assert_integer")
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless x has an integer dtype.

    >>> import whygrad as tf
    >>> tf.debugging.assert_integer([1, 2])
    """
    dtype = convert(x, None).dtype
    if not dtype.is_integer:
        raise OpTypeError(f'{_prefix(message)}Expected "x" to be integer type.  Found: tensor of dtype {dtype}')


@export("debugging.assert_same_float_dtype")
def assert_same_float_dtype(tensors: Iterable[Any] | None = None, dtype: Any = None) -> DType:
    """Return the floating point dtype that all tensors (and `dtype`, if given) share; raise ValueError if they differ.

    >>> import whygrad as tf
    >>> tf.debugging.assert_same_float_dtype([tf.ones(2), tf.zeros(3)])
    tf.float32
    """
    found: DType | None = None if dtype is None else dtypes.as_dtype(dtype)
    first = None
    for item in () if tensors is None else items(tensors, "tensors"):
        if item is None:
            continue
        if not isinstance(getattr(item, "dtype", None), DType):
            raise unexpected("list of tensors", "tensors", item)
        if found is None:
            found, first = item.dtype, item
        elif item.dtype is not found:
            origin = "" if first is None else f" as {_name(first)}"
            raise OpValueError(f"{_name(item)}, type={item.dtype}, must be of the same type ({found}){origin}.")
    found = found or dtypes.float32
    if not found.is_floating:
        raise OpValueError(f"Expected floating point type, got {found}.")
    return found


def _name(item: Any) -> str:
    return item.name if isinstance(item, Variable) else str(item)


@export("debugging.assert_proper_iterable")
def assert_proper_iterable(values: Any) -> None:
    """Raise TypeError unless `values` is iterable and neither a tensor, an array nor a string.

    >>> import whygrad as tf
    >>> tf.debugging.assert_proper_iterable([tf.ones(1), tf.ones(2)])
    """
    if isinstance(values, Tensor | TensorLikeComposite | IndexedSlices | np.ndarray | str | bytes):
        raise OpTypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise OpTypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@export("debugging.is_numeric_tensor")
def is_numeric_tensor(tensor: Any) -> bool:
    """Return whether it is a tensor of numbers (bool and string are not).

    >>> import whygrad as tf
    >>> tf.debugging.is_numeric_tensor(tf.ones(2)), tf.debugging.is_numeric_tensor(1.0)
    (True, False)
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric
