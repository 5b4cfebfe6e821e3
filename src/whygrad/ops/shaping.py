"""Ops that change the shape or the order of elements, but not their values."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.advice import shape_by_values
from whygrad.ops.arguments import allocate, check_fits, flag, items, number, text, unexpected
from whygrad.ops.arguments import integer as int_argument
from whygrad.ops.elementwise import cast
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, Record, apply, apply_several
from whygrad.ops.traits import MOVES_ALL, MOVES_SOME, REPEATS, Batching, Moves, Selects, Traits
from whygrad.ops.unregistered import unregistered
from whygrad.values import dtypes
from whygrad.values.conversion import convert, set_packing
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpIndexError, OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import (
    AxisOutOfRange,
    DtypeNotAllowed,
    DtypesDiffer,
    JoinedRanksDiffer,
    JoinedSizesDiffer,
    NotBroadcastableTo,
    NotRepresentable,
    NotSizeOne,
    PermutationCount,
    ReshapeCount,
    SplitSizes,
    StackedPartsDiffer,
    UnevenSplit,
)
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, are_known, value_of, wrap
from whygrad.values.variable import Variable

# -- arguments that are shapes, axes and sizes --


def static_shape(value: Any, op_name: str = "Fill") -> tuple[int, ...]:
    """Convert the shape of a new tensor (a tuple, list, number, TensorShape, array or tensor) to a tuple of ints."""
    return checked_sizes(
        vector_of_ints(value, op_name, "index_type", "dims must represent a vector, got shape {}"), op_name
    )


def checked_sizes(sizes: tuple[int, ...], op_name: str) -> tuple[int, ...]:
    """Return the sizes of a new tensor; raise unless they are non-negative and give fewer than 2**63 elements."""
    count = 1
    for size in sizes:
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0 [Op:{op_name}]")
        count *= size
    if count >= 2**63:
        raise invalid(
            f"Shape {shape_text(sizes)} would have more than 2**63 - 1 elements: its size would overflow [Op:{op_name}]"
        )
    return sizes


def vector_of_ints(value: Any, op_name: str, attr: str, not_a_vector: str, scalar: bool = True) -> tuple[int, ...]:
    """Convert an argument that is one integer (if `scalar`) or a vector of them to a tuple of ints.

    `attr` is TensorFlow's name for the argument's dtype, `not_a_vector` its sentence about a wrong rank.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        for size in value:
            if type(size) is not int:
                break
            if not -(2**63) <= size < 2**63:
                raise OpValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
        else:
            return tuple(value)
    array = integers(value, op_name, attr)
    if array.ndim > 1 or (array.ndim == 0 and not scalar):
        raise invalid(not_a_vector.format(shape_text(array.shape)) + f" [Op:{op_name}]")
    return tuple(array.reshape(-1).tolist())


def integers(value: Any, op_name: str, attr: str) -> np.ndarray[Any, Any]:
    """Convert an argument to an array of integers; TensorFlow requires int32 or int64, or values that become those."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iufb":
        return np.asarray(value).astype(np.int64)  # NumPy arrays are cast, as in TensorFlow
    array = value_of(convert(value, None))
    if array.dtype in (np.int32, np.int64):
        return array
    if not isinstance(value, Tensor) and (array.dtype == bool or array.size == 0):
        return array.astype(np.int64)
    if isinstance(value, list | tuple) and any(isinstance(each, Tensor) for each in value) and array.dtype.kind in "fV":
        return array.astype(np.int64)  # sizes that were computed with floats, also cast in TensorFlow
    raise invalid(DtypeNotAllowed(dtype=dtypes.of_array(array), allowed=("int32", "int64"), attribute=attr, op=op_name))


def integer(value: Any, op_name: str, attr: str, not_a_scalar: str, vector: bool = True) -> int:
    """Convert an argument to a single integer: a number, or a tensor with one element. A float is a TypeError.

    A vector of one element is accepted unless `vector` is False.
    """
    if type(value) is int:
        return value
    if isinstance(value, float | np.floating):
        raise OpTypeError(NotRepresentable(shown=str(value), dtype=dtypes.int32))
    array = integers(value, op_name, attr)
    if array.size != 1 or array.ndim > vector:
        raise invalid(f"{not_a_scalar.format(shape_text(array.shape), rank=array.ndim)} [Op:{op_name}]")
    return int(array.reshape(()))


def matching(values: Iterable[Any], op_name: str, numbers: Sequence[int] | None = None) -> list[Tensor]:
    """Convert values to Tensors of one dtype: that of the first tensor among them, else of the first value.

    `numbers` are their positions among the op's inputs, if they are not the first ones.
    """
    values = items(values, "values", op_name)
    wanted = next((v.dtype for v in values if type(getattr(v, "dtype", None)) is DType), None)
    tensors: list[Tensor] = []
    for i, value in enumerate(values):
        own = type(getattr(value, "dtype", None)) is DType
        tensor = convert(value, None if own else wanted)
        if wanted is None:
            wanted = tensor.dtype
        elif tensor.dtype is not wanted:
            place = numbers[i] if numbers else i
            raise invalid(DtypesDiffer(wanted=wanted, dtype=tensor.dtype, position=place, op=op_name))
        tensors.append(tensor)
    return tensors


def at(axis: int, index: Any) -> tuple[Any, ...]:
    """The basic index that takes `index` along `axis`."""
    return (*[slice(None)] * axis, index)


# -- identity --

identity_primitive = Primitive(
    "identity",
    lambda xp, x: x,
    vjp=lambda xp, g: g,
    sparse=lambda xp, rows, record: [rows],
    traits=Traits(moves=Moves.ALL, copies=True, passes_numeric_checks=True),
)


@export("identity")
def identity(input: Any, name: str | None = None) -> Tensor:
    """A new tensor with the same value, through which gradients pass. An IndexedSlices stays one.

    >>> import whygrad as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> tf.identity(x) is x, tf.identity(x).numpy()
    (False, array([1., 2.], dtype=float32))
    """
    if type(input) is not Tensor and isinstance(input, IndexedSlices):
        return _identity_of_slices(input)  # type: ignore[return-value]  # for nearly every caller it is a Tensor
    return apply(identity_primitive, convert(input, None))


def _identity_of_slices(slices: IndexedSlices) -> IndexedSlices:
    shape = slices.dense_shape
    return IndexedSlices(identity(slices.values), identity(slices.indices), None if shape is None else identity(shape))


_identity_n = Primitive(
    "identity_n", lambda xp, *inputs: inputs, joint=lambda xp, g: g, op_name="IdentityN", traits=MOVES_ALL
)


@export("identity_n")
def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """A list of new tensors with the same values.

    >>> import whygrad as tf
    >>> [t.numpy() for t in tf.identity_n([tf.constant(1.0), tf.constant(2)])]
    [np.float32(1.0), np.int32(2)]
    """
    tensors = [convert(each, None) for each in items(input, "input", "IdentityN")]
    if not tensors:
        raise invalid("Length for attr 'T' of 0 must be at least minimum 1 [Op:IdentityN]")
    return list(apply_several(_identity_n, *tensors))


_stop_gradient = Primitive(
    "stop_gradient",
    lambda xp, x: x,
    no_gradient="stop_gradient passes the value on and lets no gradient back: that is its purpose",
    stops_watching=True,
    traits=Traits(stops_gradient=True),
)


@export("stop_gradient")
def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The same value, treated as a constant: gradients do not pass through.

    >>> import whygrad as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(3.0)
    """
    return apply(_stop_gradient, convert(input, None))


_guarantee_const = Primitive("guarantee_const", lambda xp, x: x, joint=unregistered("GuaranteeConst"))


@export("guarantee_const")
def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """The same value, declared constant. It has no gradient: differentiating raises a LookupError.

    >>> import whygrad as tf
    >>> tf.guarantee_const([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    return apply(_guarantee_const, convert(input, None))


# -- reshaping --

_reshape = Primitive(
    "reshape",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
    traits=Traits(moves=Moves.ALL, makes_axis=True, passes_numeric_checks=True),
)


# What to write where a size is not known while a function is being compiled (`ShapeByValues`).
SIZES_OF_SHAPES = "take sizes from shapes, as x.shape[0], or from Python numbers; -1 stands for one of them"


@shape_by_values(instead=SIZES_OF_SHAPES, takes_numbers=True)
@export("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """Reshape a tensor; one size may be -1, which is inferred.

    >>> import whygrad as tf
    >>> tf.reshape([1, 2, 3, 4, 5, 6], (2, -1)).numpy()
    array([[1, 2, 3],
           [4, 5, 6]], dtype=int32)
    """
    x = tensor if type(tensor) is Tensor else convert(tensor, None)
    wanted = vector_of_ints(shape, "Reshape", "Tshape", "sizes input must be 1-D, not {}")
    return apply(_reshape, x, shape=_resolved(wanted, x._array.shape))


@functools.lru_cache(maxsize=1024)  # a program uses few shapes, again and again
def _resolved(wanted: tuple[int, ...], given: tuple[int, ...]) -> tuple[int, ...]:
    """The target shape for a tensor of shape `given`, with its -1 replaced."""
    known, open_at = 1, -1
    for i, each in enumerate(wanted):
        if each == -1:
            if open_at >= 0:
                raise invalid(f"Only one input size may be -1, not both {open_at} and {i} [Op:Reshape]")
            open_at = i
        elif each < 0:
            raise invalid(f"Size {i} must be non-negative, not {each} [Op:Reshape]")
        elif each:
            known *= each
    if known >= 2**63:
        raise invalid(f"Shape {list(wanted)} has too many elements [Op:Reshape]")
    if len(wanted) > 64:
        limit = "must be < 254" if len(wanted) >= 254 else "NumPy has at most 64"
        raise invalid(f"too many dimensions: {limit}, but received {len(wanted)} [Op:Reshape]")
    size = math.prod(given)
    empty = 0 in wanted
    if open_at >= 0:
        # When reshaping an empty tensor to an empty shape, the nonzero sizes determine the -1.
        spread = math.prod([each for each in given if each]) if empty else size
        if not empty and spread % known:
            raise invalid(ReshapeCount(count=size, wanted=known, multiple=True, op="Reshape"))
        wanted = (*wanted[:open_at], spread // known, *wanted[open_at + 1 :])
    if size != (count := math.prod(wanted)):
        raise invalid(ReshapeCount(count=size, wanted=count, op="Reshape"))
    return wanted


_squeeze = Primitive(
    "squeeze",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
    traits=Traits(moves=Moves.ALL, passes_numeric_checks=True),
)


@export("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Remove axes of size 1: all of them, or those in `axis`.

    >>> import whygrad as tf
    >>> tf.squeeze(tf.ones((1, 2, 1))).shape, tf.squeeze(tf.ones((1, 2, 1)), axis=0).shape
    (TensorShape([2]), TensorShape([2, 1]))
    """
    x = convert(input, None)
    shape = x._array.shape
    axes = () if axis is None else _squeezed_axes(axis)
    if not axes:
        return apply(_squeeze, x, shape=tuple([size for size in shape if size != 1]))
    rank = len(shape)
    gone = set()
    for each in axes:
        if not -rank <= each < rank:
            wording = "Tried to squeeze dim index {axis} for tensor with {rank} dimensions."
            raise invalid(AxisOutOfRange(axis=each, rank=rank, op="Squeeze", wording=wording))
        if shape[each] != 1:
            raise invalid(NotSizeOne(axis=each % rank, size=shape[each], op="Squeeze"))
        gone.add(each % rank)
    return apply(_squeeze, x, shape=tuple([size for i, size in enumerate(shape) if i not in gone]))


def _squeezed_axes(axis: Any) -> tuple[int, ...]:
    if isinstance(axis, str | bytes):
        raise OpTypeError(f"Expected int for argument 'axis' not {axis!r}.")
    return vector_of_ints(axis, "Squeeze", "squeeze_dims", "axis must be a number or a vector, got shape {}")


_expand_dims = Primitive(
    "expand_dims",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
    traits=Traits(moves=Moves.ALL, makes_axis=True, passes_numeric_checks=True),
)


@export("expand_dims")
def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """Insert an axis of size 1 at `axis`.

    >>> import whygrad as tf
    >>> tf.expand_dims(tf.ones((2, 3)), 0).shape, tf.expand_dims(tf.ones((2, 3)), -1).shape
    (TensorShape([1, 2, 3]), TensorShape([2, 3, 1]))
    """
    x = convert(input, None)
    shape = x._array.shape
    rank = len(shape)
    where = integer(axis, "ExpandDims", "Tdim", "'dim' must be a tensor with a single value")
    if not -rank - 1 <= where <= rank:
        wording = "Tried to expand dim index {axis} for tensor with {rank} dimensions."
        raise invalid(AxisOutOfRange(axis=where, rank=rank, adds=True, op="ExpandDims", wording=wording))
    if where < 0:
        where += rank + 1
    return apply(_expand_dims, x, shape=(*shape[:where], 1, *shape[where:]))


# -- reordering --


def _transpose_vjp(xp: Any, g: Any, perm: tuple[int, ...], conjugate: bool) -> Any:
    g = xp.transpose(g, _inverse(perm))
    return xp.conj(g) if conjugate else g


@functools.lru_cache(maxsize=1024)
def _inverse(perm: tuple[int, ...]) -> tuple[int, ...]:
    inverse = [0] * len(perm)
    for to, came_from in enumerate(perm):
        inverse[came_from] = to
    return tuple(inverse)


_transpose = Primitive(
    "transpose",
    lambda xp, x, *, perm, conjugate: xp.conj(xp.transpose(x, perm)) if conjugate else xp.transpose(x, perm),
    vjp=_transpose_vjp,
    traits=Traits(moves=Moves.ALL, makes_axis=True, passes_numeric_checks=True),
)


@export("transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """Permute the axes by `perm`, or reverse them; `conjugate` also takes the complex conjugate.

    >>> import whygrad as tf
    >>> tf.transpose([[1, 2, 3], [4, 5, 6]]).numpy()
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)
    """
    x = convert(a, None)
    rank = x._array.ndim
    if perm is None:
        order = tuple(range(rank - 1, -1, -1))
    else:
        order = _permutation(
            vector_of_ints(perm, "Transpose", "Tperm", "perm must be rank 1, got shape {}", scalar=False), rank
        )
    return apply(_transpose, x, perm=order, conjugate=flag(conjugate, "conjugate") and x._array.dtype.kind == "c")


@functools.lru_cache(maxsize=1024)
def _permutation(order: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Check a permutation of `rank` axes, and make it non-negative."""
    if len(order) != rank:
        raise invalid(PermutationCount(rank=rank, named=len(order), op="Transpose"))
    order = tuple([each + rank if each < 0 else each for each in order])
    for each in order:
        if not 0 <= each < rank:
            wording = "{axis} is out of range [0 .. {rank})"
            raise invalid(AxisOutOfRange(axis=each, rank=rank, op="Transpose", wording=wording))
    for axis in range(rank):
        if axis not in order:
            given = ",".join(str(each) for each in order)
            raise invalid(f"{axis} is missing from {{{given}}}. [Op:Transpose]")
    return order


_reverse = Primitive(
    "reverse",
    lambda xp, x, *, axis: xp.flip(x, axis),
    vjp=lambda xp, g, axis: xp.flip(g, axis),
    op_name="ReverseV2",
    traits=MOVES_ALL,
)


@export("reverse")
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """Reverse a tensor along each axis in the list `axis`.

    >>> import whygrad as tf
    >>> tf.reverse([[1, 2, 3], [4, 5, 6]], [1]).numpy()
    array([[3, 2, 1],
           [6, 5, 4]], dtype=int32)
    """
    x = convert(tensor, None)
    rank = x._array.ndim
    given = integers(axis, "ReverseV2", "Tidx")
    if given.ndim != 1:
        raise invalid(f"'dims' must be 1-dimension, not {given.ndim} [Op:ReverseV2]")
    if rank == 0:
        return identity(x)
    axes = set()
    for i, each in enumerate(given.tolist()):
        if not -rank <= each < rank:
            wording = f"'axis'[{i}] = {{axis}} is out of valid range [0, {rank - 1}"
            raise invalid(AxisOutOfRange(axis=each, rank=rank, op="ReverseV2", wording=wording))
        if each % rank in axes:
            raise invalid(f"axis {each % rank} specified more than once. [Op:ReverseV2]")
        axes.add(each % rank)
    return apply(_reverse, x, axis=tuple(sorted(axes)))


_reverse_sequence = Primitive(
    "reverse_sequence",
    lambda xp, x, lengths, *, seq_axis, batch_axis: xp.reverse_sequence(
        x, lengths, seq_axis=seq_axis, batch_axis=batch_axis
    ),
    # Reversing the same parts again restores the order.
    vjp=(
        lambda xp, g, lengths, seq_axis, batch_axis: xp.reverse_sequence(
            g, lengths, seq_axis=seq_axis, batch_axis=batch_axis
        ),
        None,
    ),
    traits=MOVES_ALL,
)


@export("reverse_sequence")
def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int | None = None, batch_axis: int | None = None, name: str | None = None
) -> Tensor:
    """For each i along `batch_axis`, reverse the first `seq_lengths[i]` elements along `seq_axis`.

    >>> import whygrad as tf
    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)
    """
    x = convert(input, None)
    lengths = _sequence_lengths(seq_lengths)
    shape = x._array.shape
    if seq_axis is None:
        raise OpTypeError("Expected int for argument 'seq_dim' not None.")
    axis, batch = (
        plain_index(seq_axis, "seq_axis"),
        0 if batch_axis is None else plain_index(batch_axis, "batch_axis"),
    )
    if lengths.ndim != 1:
        raise _bad_sequence(f"seq_lengths must be 1-dim, not {lengths.ndim}")
    if batch == axis:
        raise _bad_sequence(f"batch_dim == seq_dim == {axis}")
    for what, each in (("seq_dim", axis), ("batch_dim", batch)):
        if each < 0:
            raise _bad_sequence(f"Invalid {what} {each}")
        if each >= len(shape):
            raise _bad_sequence(f"{what} must be < input rank ( {each} vs. {len(shape)})")
    if len(lengths) != shape[batch]:
        raise _bad_sequence(f"Length of seq_lengths != input.dims({batch}), ({len(lengths)} vs. {shape[batch]})")
    for i, length in enumerate(value_of(lengths).tolist() if are_known(lengths) else ()):
        if length < 0:
            raise _bad_sequence(f"seq_lens({i}) < 0")
        if length > shape[axis]:
            raise _bad_sequence(f"seq_lens({i}) > input.dims({axis})")
    return apply(_reverse_sequence, x, lengths, seq_axis=axis, batch_axis=batch)


def _sequence_lengths(seq_lengths: Any) -> Tensor:
    """The lengths of sequences as a tensor; in a compiled function they may be symbolic."""
    if isinstance(seq_lengths, Tensor | Variable):
        lengths = convert(seq_lengths, None)
        if not are_known(lengths):
            if lengths.dtype not in (dtypes.int32, dtypes.int64):
                refused = DtypeNotAllowed(
                    dtype=lengths.dtype, allowed=("int32", "int64"), attribute="Tlen", op="ReverseSequence"
                )
                raise invalid(refused)
            return lengths
    return wrap(integers(seq_lengths, "ReverseSequence", "Tlen"))


def _bad_sequence(sentence: str) -> Exception:
    return invalid(f"{sentence} [Op:ReverseSequence]")


_roll = Primitive(
    "roll",
    lambda xp, x, *, shift, axis: xp.roll(x, shift, axis),
    vjp=lambda xp, g, shift, axis: xp.roll(g, tuple([-each for each in shift]), axis),
    traits=MOVES_ALL,
)


@export("roll")
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """Shift a tensor cyclically along `axis`; several shifts belong to several axes.

    >>> import whygrad as tf
    >>> tf.roll([1, 2, 3, 4], shift=1, axis=0).numpy()
    array([4, 1, 2, 3], dtype=int32)
    """
    x = convert(input, None)
    rank = x._array.ndim
    by, along = integers(shift, "Roll", "Tshift"), integers(axis, "Roll", "Taxis")
    if rank < 1:
        raise invalid("input must be 1-D or higher [Op:Roll]")
    for what, each in (("shift", by), ("axis", along)):
        if each.ndim > 1:
            raise invalid(f"{what} must be a scalar or a 1-D vector. Found: {shape_text(each.shape)} [Op:Roll]")
    if by.shape != along.shape:
        raise invalid("shift and axis must have the same size [Op:Roll]")
    axes = []
    for each in along.reshape(-1).tolist():
        place = each + rank if each < 0 else each
        if not 0 <= place < rank:
            raise invalid(AxisOutOfRange(axis=place, rank=rank, op="Roll", wording="axis {axis} is out of range"))
        axes.append(place)
    return apply(_roll, x, shift=tuple(by.reshape(-1).tolist()), axis=tuple(axes))


# -- repeating --

_broadcast_to = Primitive(
    "broadcast_to",
    lambda xp, x, *, shape: xp.broadcast_to(x, shape),
    vjp=lambda xp, g: g,  # the sweep sums it back, as for every op that broadcasts
    broadcasts=True,
    traits=REPEATS,
)


@export("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Broadcast a tensor to `shape`.

    >>> import whygrad as tf
    >>> tf.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)
    """
    x = convert(input, None)
    wanted = vector_of_ints(
        shape, "BroadcastTo", "Tidx", "shape must be a vector of {{int32,int64}}, got shape {}", False
    )
    wanted = static_shape(wanted, "BroadcastTo")
    given = x._array.shape
    if len(given) > len(wanted):
        raise invalid(
            f"Rank of input ({len(given)}) must be no greater than rank of output shape ({len(wanted)}). [Op:BroadcastTo]"
        )
    clashes = [want for have, want in zip(given[::-1], wanted[::-1]) if have not in (1, want)]
    if clashes:
        if set(clashes) == {1}:  # the shapes broadcast, but to a larger one
            raise invalid(
                f"Unable to broadcast tensor of shape {shape_text(given)} to tensor of shape {shape_text(wanted)} "
                "[Op:BroadcastTo]"
            )
        raise invalid(NotBroadcastableTo(shape=given, wanted=wanted, op="BroadcastTo"))
    check_fits(wanted, x._array.dtype, "BroadcastTo")
    return apply(_broadcast_to, x, shape=wanted)


def _tile_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], multiples: tuple[int, ...]) -> Any:
    split = [size for pair in zip(multiples, x_shape) for size in pair]
    return xp.sum(xp.reshape(g, tuple(split)), axis=tuple(range(0, len(split), 2)))


_tile = Primitive("tile", lambda xp, x, *, multiples: xp.tile(x, multiples), vjp=_tile_vjp, traits=REPEATS)


@export("tile")
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """Repeat a tensor `multiples[i]` times along each axis i.

    >>> import whygrad as tf
    >>> tf.tile([[1, 2]], [2, 2]).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]], dtype=int32)
    """
    x = convert(input, None)
    times = vector_of_ints(multiples, "Tile", "Tmultiples", "Expected multiples to be 1-D, but got shape {}", False)
    if len(times) != x._array.ndim:
        raise invalid(
            f"Expected multiples argument to be a vector of length {x._array.ndim} but got length {len(times)} [Op:Tile]"
        )
    for i, each in enumerate(times):
        if each < 0:
            raise invalid(f"Expected multiples[{i}] >= 0, but got {each} [Op:Tile]")
    shape = [size * each for size, each in zip(x._array.shape, times)]
    if math.prod(shape) >= 2**63:
        raise invalid(f"Expected a non-negative size, got a shape of more than 2**63 - 1 elements: {shape} [Op:Tile]")
    check_fits(shape, x._array.dtype, "Tile")
    return apply(_tile, x, multiples=times)


def _repeat_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], repeats: int, axis: int) -> Any:
    return xp.sum(xp.reshape(g, (*x_shape[: axis + 1], repeats, *x_shape[axis + 1 :])), axis=axis + 1)


_repeat = Primitive(
    "repeat", lambda xp, x, *, repeats, axis: xp.repeat(x, repeats, axis), vjp=_repeat_vjp, traits=REPEATS
)

# With a separate count for each element: the rows to take, some perhaps not at all.
_repeat_each = Primitive(
    "repeat_each",
    lambda xp, x, indices, *, axis: xp.take(x, indices, axis=axis),
    vjp=(
        lambda xp, g, indices, x_shape, axis: xp.ungather(g, indices, shape=x_shape, axis=axis, batch_dims=0),
        None,
    ),
    op_name="Repeat",
    traits=REPEATS,
)


@export("repeat")
def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Repeat each element along `axis`; of the flattened tensor if `axis` is None.

    >>> import whygrad as tf
    >>> tf.repeat([1, 2, 3], 2).numpy(), tf.repeat([1, 2, 3], [2, 0, 1]).numpy()
    (array([1, 1, 2, 2, 3, 3], dtype=int32), array([1, 1, 3], dtype=int32))
    """
    x = convert(input, None)
    given = convert(repeats, dtypes.int32 if isinstance(repeats, list | tuple) and not repeats else None)
    if not given.dtype.is_integer:
        raise OpTypeError(
            "Argument `tensor` (name: repeats) must be of type integer. "
            f"Received `tensor` = {given.numpy()} of dtype: {given.dtype!s}"
        )
    times = value_of(given).astype(np.int64, copy=False)
    if times.ndim > 1:
        raise OpValueError(f"Shape {given.shape} must have rank at most 1")
    if axis is None or not x._array.ndim:
        x = reshape(x, (-1,))
        axis = 0 if axis is None else axis
    if not isinstance(axis, int):
        raise OpTypeError(f"Argument `axis` must be an int. Received `axis` = {axis} of type {type(axis).__name__}")
    rank = x._array.ndim
    if not -rank <= axis < rank:
        wording = "axis={axis} out of bounds: expected {lowest}<=axis<{count}"
        raise OpValueError(AxisOutOfRange(axis=axis, rank=rank, wording=wording))
    axis %= rank
    size = x._array.shape[axis]
    if times.size == 1:
        count = int(times.reshape(()))
        if count < 0:
            raise invalid(f"Expected multiples[{axis + 1}] >= 0, but got {count} [Op:Tile]")
        check_fits((*x._array.shape, count), x._array.dtype, "Tile")
        return apply(_repeat, x, repeats=count, axis=axis)
    if times.size != size:
        raise OpValueError(f"Dimensions {size} and {times.size} are not compatible")
    counts = np.maximum(times, 0)
    total = [int(counts.sum(dtype=object))]
    indices = allocate(lambda: np.repeat(np.arange(size), counts), total, np.dtype(np.int64), "Repeat")
    return apply(_repeat_each, x, wrap(indices), axis=axis)


@export("meshgrid")
def meshgrid(*args: Any, **kwargs: Any) -> list[Tensor]:
    """The coordinate grid of several vectors: for each vector, a tensor that repeats it along the axes of the others.

    Keyword arguments are `indexing` ("xy", which swaps the first two axes, or "ij") and `name`.

    >>> import whygrad as tf
    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> x.numpy(), y.numpy()
    (array([[1, 2, 3],
           [1, 2, 3]], dtype=int32), array([[4, 4, 4],
           [5, 5, 5]], dtype=int32))
    """
    indexing = kwargs.pop("indexing", "xy")
    kwargs.pop("name", None)
    if kwargs:
        raise OpTypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if not isinstance(indexing, str) or indexing not in ("xy", "ij"):
        raise OpValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    tensors = [convert(each, None) for each in args]
    for each in tensors:
        if each.dtype is dtypes.string:
            raise OpTypeError(NotRepresentable(shown="1", dtype=dtypes.string))
        if each.dtype is not tensors[0].dtype:
            raise invalid(DtypesDiffer(wanted=each.dtype, dtype=tensors[0].dtype, op="Mul"))
    places = list(range(len(tensors)))
    if indexing == "xy" and len(tensors) > 1:
        places[:2] = 1, 0
    grid = [1] * len(tensors)
    for place, each in zip(places, tensors):
        grid[place] = each._array.size
    return [
        broadcast_to(reshape(each, tuple([-1 if i == place else 1 for i in range(len(tensors))])), grid)
        for place, each in zip(places, tensors)
    ]


# -- joining --


def _concat_vjp(xp: Any, g: Any, values_shapes: tuple[tuple[int, ...], ...], axis: int) -> list[Any]:
    parts = []
    begin = 0
    for shape in values_shapes:
        end = begin + shape[axis]
        parts.append(g[at(axis, slice(begin, end))])
        begin = end
    return parts


def _concat_sparse(xp: Any, rows: Rows, record: Record) -> list[Rows] | None:
    """Each input's own columns of the rows or, along the first axis, the rows that are its own."""
    axis, shapes = record.attributes["axis"], [key.shape for key in record.inputs]
    if axis % len(shapes[0]):
        return [Rows(part, rows.indices) for part in _concat_vjp(xp, rows.values, tuple(shapes), axis)]
    if type(rows.indices) is not np.ndarray:  # which rows are whose depends on values: not while compiling or recording
        return None
    found, begin = [], 0
    for shape in shapes:
        own = (rows.indices >= begin) & (rows.indices < begin + shape[0])
        found.append(Rows(rows.values[own], rows.indices[own] - begin))
        begin += shape[0]
    return found


_concat = Primitive(
    "concat",
    lambda xp, *values, axis: xp.concatenate(values, axis=axis),
    joint=_concat_vjp,
    sparse=_concat_sparse,
    op_name="ConcatV2",
    traits=Traits(moves=Moves.JOINED, passes_numeric_checks=True),
)


@export("concat")
def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Concatenate tensors along an existing axis.

    >>> import whygrad as tf
    >>> tf.concat([[[1, 2]], [[3, 4], [5, 6]]], axis=0).numpy()
    array([[1, 2],
           [3, 4],
           [5, 6]], dtype=int32)
    """
    if not isinstance(values, list | tuple):
        values = [values]
    where = integer(
        axis, "ConcatV2", "Tidx", "ConcatOp : concat_dim must be a scalar or a vector of length 1, got shape {}"
    )
    if not values:
        raise invalid("ConcatOp : Expected at least one tensor to concatenate, but got an empty list [Op:ConcatV2]")
    if len(values) == 1:
        return identity(values[0])
    tensors = matching(values, "ConcatV2")
    first = tensors[0]._array.shape
    rank = len(first)
    if rank == 0:
        raise invalid("ConcatOp : Can't concatenate scalars (use tf.stack instead) [Op:ConcatV2]")
    if not -rank <= where < rank:
        wording = "ConcatOp : Expected concatenating dimensions in the range [{lowest}, {count}), but got {axis}"
        raise invalid(AxisOutOfRange(axis=where, rank=rank, op="ConcatV2", wording=wording))
    where %= rank
    for i, tensor in enumerate(tensors):
        shape = tensor._array.shape
        if len(shape) != rank:
            raise invalid(JoinedRanksDiffer(position=i, first=first, shape=shape, op="ConcatV2"))
        for dimension in range(rank):
            if dimension != where and shape[dimension] != first[dimension]:
                raise invalid(
                    JoinedSizesDiffer(along=where, axis=dimension, position=i, first=first, shape=shape, op="ConcatV2")
                )
    return apply(_concat, *tensors, axis=where)


_NOT_IN_RANGE = "Argument `axis` = {axis} not in range [{lowest}, {count})"  # as stack and unstack word it

_stack = Primitive(
    "stack",
    lambda xp, *values, axis: xp.stack(values, axis=axis),
    joint=lambda xp, g, axis: [g[at(axis, i)] for i in range(g.shape[axis])],
    op_name="Pack",
    traits=Traits(moves=Moves.JOINED, makes_axis=True, passes_numeric_checks=True),
)


@export("stack")
def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Stack tensors of the same shape along a new axis.

    >>> import whygrad as tf
    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    where = int_argument(axis, "axis", "Pack")
    if where == 0 and not (isinstance(values, list | tuple) and any(is_value(each) for each in values)):
        try:
            return identity(values)  # Python numbers, or a single tensor
        except (TypeError, ValueError):
            pass  # the error below names the parts
    if isinstance(values, np.ndarray):
        raise OpValueError(f"expected a sequence for attr N, got an ndarray with rank {values.ndim} instead")
    tensors = matching(values, "Pack")
    if not tensors:
        raise OpIndexError("stack of an empty list along an axis other than 0: list index out of range")
    first = tensors[0]._array.shape
    rank = len(first) + 1
    if not -rank <= where < rank:
        raise OpValueError(AxisOutOfRange(axis=where, rank=len(first), adds=True, wording=_NOT_IN_RANGE))
    for i, tensor in enumerate(tensors):
        shape = tensor._array.shape
        if shape != first:
            raise invalid(StackedPartsDiffer(position=i, first=first, shape=shape, op="Pack"))
    return apply(_stack, *tensors, axis=where % rank)


@export("parallel_stack")
def parallel_stack(values: Any, name: str = "parallel_stack") -> Tensor:
    """Like `stack` along the first axis. (TensorFlow offers it only in graphs, where the parts arrive one by one.)

    >>> import whygrad as tf
    >>> tf.parallel_stack([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)
    """
    return stack(values)


def is_value(each: Any) -> bool:
    """Return whether it is a tensor, a variable or a similar value with its own dtype."""
    return type(getattr(each, "dtype", None)) is DType


def _pack(values: Sequence[Any], dtype: DType | None) -> Tensor:
    """Convert a list that contains tensors, at any depth, to one tensor through which gradients pass."""
    first = _first_dtype(values)
    return _packed(values, dtype or first, must_cast=dtype not in (None, first))


def _packed(values: Sequence[Any], wanted: DType | None, must_cast: bool) -> Tensor:
    parts = []
    only_tensors = all(is_value(each) for each in values)
    for each in values:
        if isinstance(each, list | tuple):
            part = _packed(each, wanted, must_cast)
        elif is_value(each):
            part = convert(each, None)
            if must_cast:
                part = cast(part, wanted)
            elif part.dtype is not wanted and not only_tensors:  # `stack` compares the dtypes of tensors
                raise OpTypeError(
                    f"Cannot convert a list containing a tensor of dtype {part.dtype!s} to {wanted!s} (Tensor is: {part!r})"
                )
        else:
            part = convert(each, wanted)
        parts.append(part)
    return stack(parts) if parts else convert([], wanted)


def _first_dtype(values: Sequence[Any]) -> DType | None:
    """The dtype of the first tensor in nested lists."""
    for each in values:
        if is_value(each):
            return each.dtype  # type: ignore[no-any-return]
        if isinstance(each, list | tuple):
            found = _first_dtype(each)
            if found is not None:
                return found
    return None


set_packing(_pack)


# -- splitting --

_unstack = Primitive(
    "unstack",
    # The Ellipsis keeps an element an array; without it, an element of a vector of strings would be bare bytes.
    lambda xp, x, *, axis: tuple([x[(*at(axis, i), ...)] for i in range(x.shape[axis])]),
    vjp=lambda xp, g, axis: xp.stack(g, axis=axis),
    op_name="Unpack",
    traits=Traits(moves=Moves.SOME, passes_numeric_checks=True),
)


@export("unstack")
def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """Split a tensor into the list of its slices along `axis`.

    >>> import whygrad as tf
    >>> [row.numpy() for row in tf.unstack(tf.constant([[1, 2], [3, 4]]))]
    [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    x = convert(value, None)
    shape = x._array.shape
    rank = len(shape)
    where = plain_index(axis, "axis")
    if not -rank <= where < rank:
        raise OpValueError(AxisOutOfRange(axis=where, rank=rank, wording=_NOT_IN_RANGE))
    if num is not None and int_argument(num, "num", "Unpack") != shape[where]:
        raise invalid(f"Input shape axis {where % rank} must equal {num}, got shape {shape_text(shape)} [Op:Unpack]")
    return list(apply_several(_unstack, x, axis=where % rank))


def plain_index(value: Any, argument: str) -> int:
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise OpTypeError(f"Argument `{argument}` must be an integer, not {value!r}") from None


_split = Primitive(
    "split",
    lambda xp, x, *, sizes, axis: _slices(x, sizes, axis),
    vjp=lambda xp, g, axis: xp.concatenate(g, axis=axis),
    traits=MOVES_SOME,
)


def _slices(x: Any, sizes: tuple[int, ...], axis: int) -> tuple[Any, ...]:
    parts = []
    begin = 0
    for size in sizes:
        parts.append(x[at(axis, slice(begin, begin + size))])
        begin += size
    return tuple(parts)


@export("split")
def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """Split a tensor along `axis` into equal parts, or into parts of the given sizes (one may be -1).

    >>> import whygrad as tf
    >>> [part.numpy() for part in tf.split([1, 2, 3, 4], 2)]
    [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    >>> [part.shape for part in tf.split(tf.ones((2, 5)), [1, -1], axis=1)]
    [TensorShape([2, 1]), TensorShape([2, 4])]
    """
    x = convert(value, None)
    shape = x._array.shape
    rank = len(shape)
    counted = isinstance(num_or_size_splits, int | np.integer)
    op_name = "Split" if counted else "SplitV"
    where = integer(axis, op_name, "split_dim", "split_dim must be a scalar but has rank {rank}", vector=False)
    if not -rank <= where < rank:
        wording = "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
        raise invalid(AxisOutOfRange(axis=where, rank=rank, op=op_name, wording=wording))
    where %= rank
    size = shape[where]
    if counted:
        parts = int(num_or_size_splits)
        if parts < 1:
            raise invalid(f"Value for attr 'num_split' of {parts} must be at least minimum 1 [Op:Split]")
        if size % parts:
            raise invalid(UnevenSplit(axis=where, size=size, parts=parts, op="Split"))
        check_fits((parts, 512), np.dtype(np.int8), "Split")  # about as many bytes as the tensors take
        sizes = (size // parts,) * parts
    else:
        sizes = _split_sizes(num_or_size_splits, num, size)
    return list(apply_several(_split, x, sizes=sizes, axis=where))


def _split_sizes(given: Any, num: int | None, whole: int) -> tuple[int, ...]:
    sizes_given = convert(given, None)
    if not sizes_given._array.ndim:
        raise OpValueError(
            f"Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: {given!s}"
        )
    array = integers(cast(sizes_given, dtypes.int32) if sizes_given.dtype is dtypes.int8 else given, "SplitV", "Tlen")
    if array.ndim != 1 or (num is not None and array.size != int_argument(num, "num", "SplitV")):
        raise invalid(
            "size of the split_tensor must be 1-D and have the same elements as outputs "
            f"got {array.ndim} -D and {array.size} elements [Op:SplitV]"
        )
    sizes: list[int] = array.tolist()
    if not sizes:
        raise invalid("Value for attr 'num_split' of 0 must be at least minimum 1 [Op:SplitV]")
    for i, each in enumerate(sizes):
        if each < -1:
            raise invalid(f"Split size at index {i} must be >= 0. Got: {each} [Op:SplitV]")
    if sizes.count(-1) > 1:
        raise invalid("There can only be one -1 in the input. [Op:SplitV]")
    known = sum(each for each in sizes if each != -1)
    if known > whole or (known != whole and -1 not in sizes):
        raise invalid(SplitSizes(total=known, size=whole, op="SplitV"))
    return tuple([whole - known if each == -1 else each for each in sizes])


# -- padding --

_pad_constant = Primitive(
    "pad_constant",
    lambda xp, x, *, paddings, value: xp.pad_constant(x, paddings=paddings, value=value),
    vjp=lambda xp, g, x_shape, paddings: g[
        tuple([slice(before, before + size) for size, (before, _) in zip(x_shape, paddings)])
    ],
    op_name="Pad",
    traits=Traits(moves=Moves.PADDED, batching=Batching.LEADING),
)


def _fold_mirrored(xp: Any, g: Any, paddings: tuple[tuple[int, int], ...], mode: str) -> Any:
    """The cotangent of a mirrored padding: the margins are folded back, axis by axis."""
    offset = 1 if mode == "reflect" else 0  # REFLECT excludes the edge itself
    for axis, (before, after) in enumerate(paddings):
        if before == after == 0:
            continue
        size = g.shape[axis] - before - after
        inner = g[at(axis, slice(before, before + size))]
        left = xp.flip(g[at(axis, slice(0, before))], axis)
        right = xp.flip(g[at(axis, slice(before + size, None))], axis)
        at_left = [(0, 0)] * g.ndim
        at_left[axis] = (offset, size - offset - before)
        at_right = [(0, 0)] * g.ndim
        at_right[axis] = (size - offset - after, offset)
        g = (
            inner
            + xp.pad_constant(left, paddings=tuple(at_left), value=0)
            + xp.pad_constant(right, paddings=tuple(at_right), value=0)
        )
    return g


_pad_mirrored = Primitive(
    "pad_mirrored",
    lambda xp, x, *, paddings, mode: xp.pad(x, paddings, mode=mode),
    vjp=_fold_mirrored,
    op_name="MirrorPad",
    traits=REPEATS,
)


@export("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Tensor:
    """Pad a tensor with `paddings[i] = (before, after)` elements along each axis i.

    They are `constant_values`, or mirror the tensor at its edge, excluding (`"REFLECT"`) or including the edge (`"SYMMETRIC"`).

    >>> import whygrad as tf
    >>> tf.pad([1, 2, 3], [[2, 1]], constant_values=9).numpy()
    array([9, 9, 1, 2, 3, 9], dtype=int32)
    >>> tf.pad([1, 2, 3], [[2, 1]], mode="REFLECT").numpy()
    array([3, 2, 1, 2, 3, 2], dtype=int32)
    """
    kind = text(mode, "mode").upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise OpValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {kind}"
        )
    fill = None
    several = is_value(constant_values) or isinstance(constant_values, list | tuple)
    if kind == "CONSTANT" and (several or np.ndim(constant_values) or constant_values != 0):
        x, fill = matching((tensor, constant_values), "PadV2", numbers=(0, 2))
    else:
        x = convert(tensor, None)
    op_name = "Pad" if kind == "CONSTANT" else "MirrorPad"
    margins = _margins(paddings, x._array.shape, op_name)
    if fill is not None and fill._array.ndim:
        raise invalid(f"constant_values must be a scalar. Found: {shape_text(fill._array.shape)} [Op:PadV2]")
    if kind == "CONSTANT":
        value = zero_of(x._array.dtype) if fill is None else fill._array[()]
        shape = [before + size + after for size, (before, after) in zip(x._array.shape, margins)]
        if math.prod(shape) >= 2**63:
            raise invalid(
                f"Expected a non-negative size, got a shape of more than 2**63 - 1 elements: {shape} [Op:Pad]"
            )
        check_fits(shape, x._array.dtype, "Pad")
        return apply(_pad_constant, x, paddings=margins, value=value)
    for size, (before, after) in zip(x._array.shape, margins):
        if kind == "REFLECT" and max(before, after) >= size:
            raise invalid(
                f"paddings must be less than the dimension size: {before}, {after} not less than {size} [Op:MirrorPad]"
            )
        if max(before, after) > size:
            raise invalid(
                f"paddings must be no greater than the dimension size: {before}, {after} greater than {size} [Op:MirrorPad]"
            )
    return apply(_pad_mirrored, x, paddings=margins, mode=kind.lower())


def zero_of(dtype: np.dtype[Any]) -> Any:
    """Zero, False or the empty string."""
    return b"" if dtype.kind == "O" else dtype.type(0)


def _margins(paddings: Any, shape: tuple[int, ...], op_name: str) -> tuple[tuple[int, int], ...]:
    array = integers(paddings, op_name, "Tpaddings")
    if array.ndim != 2 or array.shape[1] != 2:
        raise invalid(f"paddings must be a matrix with 2 columns: {shape_text(array.shape)} [Op:{op_name}]")
    if array.shape[0] != len(shape):
        raise invalid(
            "The first dimension of paddings must be the rank of inputs"
            f"{shape_text(array.shape)} {shape_text(shape)} [Op:{op_name}]"
        )
    margins = tuple([(before, after) for before, after in array.tolist()])
    for before, after in margins:
        if before < 0 or after < 0:
            word = "Paddings" if op_name == "Pad" else "paddings"
            raise invalid(f"{word} must be non-negative: {before} {after} [Op:{op_name}]")
    return margins


# -- bitcasts and masks --

_bitcast = Primitive(
    "bitcast",
    lambda xp, x, *, dtype: xp.bitcast(x, dtype=dtype),
    joint=unregistered("Bitcast"),
)
_BITCAST = (
    "bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, "
    "qint8, quint8, qint16, quint16, qint32"
)


@export("bitcast")
def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """Reinterpret the bytes as another dtype: a smaller one adds a last axis, a larger one removes it.

    It has no gradient: differentiating raises a LookupError.

    >>> import whygrad as tf
    >>> tf.bitcast(tf.constant([1.0, -2.0]), tf.uint32).numpy()
    array([1065353216, 3221225472], dtype=uint32)
    """
    x = convert(input, None)
    wanted = dtypes.as_dtype(type)
    for attr, dtype in (("T", x.dtype), ("type", wanted)):
        if not dtype.is_numeric:
            raise invalid(
                DtypeNotAllowed(dtype=dtype, allowed=tuple(_BITCAST.split(", ")), attribute=attr, op="Bitcast")
            )
    ratio = wanted.size // x.dtype.size
    if ratio > 1 and x._array.shape[-1:] != (ratio,):
        raise invalid(
            f"Cannot bitcast from {x.dtype.as_datatype_enum} to {wanted.as_datatype_enum} (the numbers of {x.dtype!r} and "
            f"{wanted!r}): the last axis, of {x.shape}, does not make whole elements [Op:Bitcast]"
        )
    return apply(_bitcast, x, dtype=wanted.numpy_dtype)


_sequence_mask = Primitive(
    "sequence_mask",
    lambda xp, lengths, *, maxlen: xp.arange(maxlen) < xp.expand_dims(lengths, -1),
    no_gradient="sequence_mask compares positions with lengths: a small step of a length does not change it",
    traits=Traits(selects=Selects.PLACES),
)


def _ceiling(value: Any, parameter: str) -> int:
    """A number rounded up; TensorFlow compares lengths of any real dtype."""
    real = number(value, parameter)
    if not math.isfinite(real):
        raise unexpected("finite number", parameter, real)
    return math.ceil(real)


@shape_by_values(instead="give maxlen, the longest length that there can be")
@export("sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool_, name: str | None = None) -> Tensor:
    """For each length, a row of that many True followed by False, up to `maxlen` (or the greatest length).

    >>> import whygrad as tf
    >>> tf.sequence_mask([1, 3, 0]).numpy()
    array([[ True, False, False],
           [ True,  True,  True],
           [False, False, False]])
    """
    x = convert(lengths, None)
    if maxlen is None:
        longest = max(_ceiling(value_of(x).max(initial=0) if x._array.dtype.kind in "iufV" else x, "lengths"), 0)
    else:
        limit = convert(maxlen, None)
        if limit._array.ndim:
            raise OpValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {limit._array} "
                f"with shape '{limit.shape}' instead"
            )
        longest = _ceiling(limit, "maxlen")
        if longest < 0:
            raise invalid(f"Requires start <= limit when delta > 0: 0/{longest} [Op:Range]")
        x = cast(x, limit.dtype)
    mask = apply(_sequence_mask, x, maxlen=longest)
    wanted = dtypes.as_dtype(dtype)
    return mask if wanted is dtypes.bool_ else cast(mask, wanted)
