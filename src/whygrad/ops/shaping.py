"""Ops that change the form of a tensor and none of its values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from whygrad.ops.primitive import Primitive, apply, apply_several
from whygrad.values import dtypes
from whygrad.values.conversion import convert, set_packing
from whygrad.values.dtypes import DType
from whygrad.values.errors import ResourceExhaustedError, invalid, shape_text
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor

# -- arguments that are shapes, axes and sizes --


def static_shape(value: Any, op_name: str = "Fill") -> tuple[int, ...]:
    """The shape of a new tensor (a tuple, list, number, TensorShape, array or tensor; of tensors too) as a tuple of ints."""
    sizes = vector_of_ints(value, op_name, "index_type", "dims must represent a vector, got shape {}")
    count = 1
    for size in sizes:
        if size < 0:
            raise invalid(f"Dimension {size} must be >= 0 [Op:{op_name}]")
        count *= size
    if count >= 2**63:
        raise invalid(f"Shape {shape_text(sizes)} would have more than 2**63 - 1 elements [Op:{op_name}]")
    return sizes


def check_fits(shape: Sequence[int], dtype: np.dtype[Any], op_name: str) -> None:
    """Raise ResourceExhaustedError for a result that no memory holds, before anything is computed."""
    count = dtype.itemsize
    for size in shape:
        count *= size
    if count > 2**33:  # below that, what NumPy itself says when it allocates is early enough
        try:
            np.empty(count, np.uint8)
        except (MemoryError, ValueError):
            raise exhausted(shape, dtype, op_name) from None


def exhausted(shape: Sequence[int], dtype: np.dtype[Any], op_name: str) -> ResourceExhaustedError:
    """The error for a result that does not fit into memory."""
    return ResourceExhaustedError(
        None,
        None,
        f"OOM when allocating tensor with shape{shape_text(tuple(shape))} and type {dtypes.as_dtype(dtype).cxx_name} "
        f"[Op:{op_name}]",
    )


def vector_of_ints(value: Any, op_name: str, attr: str, not_a_vector: str, scalar: bool = True) -> tuple[int, ...]:
    """An argument that is one integer (if `scalar`) or a vector of them as a tuple of ints.

    `attr` is what TensorFlow calls the argument's dtype, `not_a_vector` its sentence about a wrong rank.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        for size in value:
            if type(size) is not int:
                break
            if not -(2**63) <= size < 2**63:
                raise ValueError("Can't convert Python sequence with out-of-range integer to Tensor.")
        else:
            return tuple(value)
    array = integers(value, op_name, attr)
    if array.ndim > 1 or (array.ndim == 0 and not scalar):
        raise invalid(not_a_vector.format(shape_text(array.shape)) + f" [Op:{op_name}]")
    return tuple(array.reshape(-1).tolist())


def integers(value: Any, op_name: str, attr: str) -> np.ndarray[Any, Any]:
    """An argument that TensorFlow wants as int32 or int64, as an array: tensors of those, or what becomes one."""
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        return np.array(value.as_list(), np.int64)
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iufb":
        return np.asarray(value).astype(np.int64)  # arrays are cast, as in TensorFlow
    array: np.ndarray[Any, Any] = convert(value, None)._array
    if array.dtype in (np.int32, np.int64):
        return array
    if not isinstance(value, Tensor) and (array.dtype == bool or array.size == 0):
        return array.astype(np.int64)
    raise invalid(
        f"Value for attr '{attr}' of {dtypes.of_array(array).cxx_name} is not in the list of allowed values: "
        f"int32, int64 [Op:{op_name}]"
    )


def integer(value: Any, op_name: str, attr: str, not_a_scalar: str) -> int:
    """An argument that is a single integer: a number, or a tensor with one element. A float is a TypeError."""
    if type(value) is int:
        return value
    if isinstance(value, float | np.floating):
        raise TypeError(f"Cannot convert {value} to EagerTensor of dtype int32")
    array = integers(value, op_name, attr)
    if array.size != 1:
        raise invalid(f"{not_a_scalar.format(shape_text(array.shape))} [Op:{op_name}]")
    return int(array.reshape(()))


def matching(values: Iterable[Any], op_name: str) -> list[Tensor]:
    """Values as Tensors of one dtype: that of the first tensor among them, else of the first value."""
    values = list(values)
    wanted = next((v.dtype for v in values if type(getattr(v, "dtype", None)) is DType), None)
    tensors: list[Tensor] = []
    for i, value in enumerate(values):
        own = type(getattr(value, "dtype", None)) is DType
        tensor = convert(value, None if own else wanted)
        if wanted is None:
            wanted = tensor.dtype
        elif tensor.dtype is not wanted:
            raise invalid(
                f"cannot compute {op_name} as input #{i}(zero-based) was expected to be a {wanted.cxx_name} tensor but is a "
                f"{tensor.dtype.cxx_name} tensor [Op:{op_name}]"
            )
        tensors.append(tensor)
    return tensors


def at(axis: int, index: Any) -> tuple[Any, ...]:
    """The basic index that takes `index` along `axis`."""
    return (*[slice(None)] * axis, index)


# -- identity --

_identity = Primitive("identity", lambda xp, x: x, vjp=lambda xp, g: g)


def identity(input: Any, name: str | None = None) -> Tensor:
    """A tensor of its own with the same value, through which gradients pass.

    >>> import whygrad as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> tf.identity(x) is x, tf.identity(x).numpy()
    (False, array([1., 2.], dtype=float32))
    """
    return apply(_identity, convert(input, None))


_identity_n = Primitive("identity_n", lambda xp, *inputs: inputs, joint=lambda xp, g: g, op_name="IdentityN")


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """A list of tensors of their own with the same values.

    >>> import whygrad as tf
    >>> [t.numpy() for t in tf.identity_n([tf.constant(1.0), tf.constant(2)])]
    [np.float32(1.0), np.int32(2)]
    """
    return list(apply_several(_identity_n, *[convert(each, None) for each in input]))


_stop_gradient = Primitive(
    "stop_gradient",
    lambda xp, x: x,
    no_gradient="stop_gradient passes the value on and lets no gradient back: that is its purpose",
)


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The same value, held constant: gradients do not pass.

    >>> import whygrad as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(3.0)
    """
    return apply(_stop_gradient, convert(input, None))


# -- the same values in the same order --

_reshape = Primitive(
    "reshape",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The values in the same order in a new shape, in which one size may be -1.

    >>> import whygrad as tf
    >>> tf.reshape([1, 2, 3, 4, 5, 6], (2, -1)).numpy()
    array([[1, 2, 3],
           [4, 5, 6]], dtype=int32)
    """
    x = tensor if type(tensor) is Tensor else convert(tensor, None)
    wanted = vector_of_ints(shape, "Reshape", "Tshape", "sizes input must be 1-D, not {}")
    return apply(_reshape, x, shape=_resolved(wanted, x._array.size))


def _resolved(wanted: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape to which `size` values are to be brought, its -1 replaced."""
    known, open_at = 1, -1
    for i, each in enumerate(wanted):
        if each == -1:
            if open_at >= 0:
                raise invalid(f"Only one input size may be -1, not both {open_at} and {i} [Op:Reshape]")
            open_at = i
        elif each < 0:
            raise invalid(f"Size {i} must be non-negative, not {each} [Op:Reshape]")
        else:
            known *= each
    if known >= 2**63:
        raise invalid(f"Shape {list(wanted)} has too many elements [Op:Reshape]")
    if open_at < 0 or known == 0:
        if known != size:
            raise invalid(
                f"Input to reshape is a tensor with {size} values, but the requested shape has {known} [Op:Reshape]"
            )
        # Nothing fixes the open size of an empty tensor if another size is 0: TensorFlow says 1.
        return wanted if open_at < 0 else (*wanted[:open_at], 1, *wanted[open_at + 1 :])
    if size % known:
        raise invalid(
            f"Input to reshape is a tensor with {size} values, but the requested shape requires a multiple of {known} "
            "[Op:Reshape]"
        )
    return (*wanted[:open_at], size // known, *wanted[open_at + 1 :])


_squeeze = Primitive(
    "squeeze",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """The tensor without its axes of size 1, or without those in `axis`.

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
            raise invalid(f"Tried to squeeze dim index {each} for tensor with {rank} dimensions. [Op:Squeeze]")
        if shape[each] != 1:
            raise invalid(
                f"Can not squeeze dim[{each % rank}], expected a dimension of 1, got {shape[each]} [Op:Squeeze]"
            )
        gone.add(each % rank)
    return apply(_squeeze, x, shape=tuple([size for i, size in enumerate(shape) if i not in gone]))


def _squeezed_axes(axis: Any) -> tuple[int, ...]:
    if isinstance(axis, str | bytes):
        raise TypeError(f"Expected int for argument 'axis' not {axis!r}.")
    return vector_of_ints(axis, "Squeeze", "squeeze_dims", "axis must be a number or a vector, got shape {}")


_expand_dims = Primitive(
    "expand_dims",
    lambda xp, x, *, shape: xp.reshape(x, shape),
    vjp=lambda xp, g, x_shape: xp.reshape(g, x_shape),
)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """The tensor with an axis of size 1 put in at `axis`.

    >>> import whygrad as tf
    >>> tf.expand_dims(tf.ones((2, 3)), 0).shape, tf.expand_dims(tf.ones((2, 3)), -1).shape
    (TensorShape([1, 2, 3]), TensorShape([2, 3, 1]))
    """
    x = convert(input, None)
    shape = x._array.shape
    rank = len(shape)
    where = integer(axis, "ExpandDims", "Tdim", "'dim' must be a tensor with a single value")
    if not -rank - 1 <= where <= rank:
        raise invalid(f"Tried to expand dim index {where} for tensor with {rank} dimensions. [Op:ExpandDims]")
    if where < 0:
        where += rank + 1
    return apply(_expand_dims, x, shape=(*shape[:where], 1, *shape[where:]))


# -- the same values in another order --


def _transpose_vjp(xp: Any, g: Any, perm: tuple[int, ...], conjugate: bool) -> Any:
    inverse = [0] * len(perm)
    for to, came_from in enumerate(perm):
        inverse[came_from] = to
    g = xp.transpose(g, tuple(inverse))
    return xp.conj(g) if conjugate else g


_transpose = Primitive(
    "transpose",
    lambda xp, x, *, perm, conjugate: xp.conj(xp.transpose(x, perm)) if conjugate else xp.transpose(x, perm),
    vjp=_transpose_vjp,
)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Tensor:
    """The axes in the order `perm`, or reversed; `conjugate` also takes the complex conjugate.

    >>> import whygrad as tf
    >>> tf.transpose([[1, 2, 3], [4, 5, 6]]).numpy()
    array([[1, 4],
           [2, 5],
           [3, 6]], dtype=int32)
    """
    x = convert(a, None)
    rank = x._array.ndim
    order = tuple(range(rank - 1, -1, -1)) if perm is None else _permutation(perm, rank)
    return apply(_transpose, x, perm=order, conjugate=bool(conjugate) and x._array.dtype.kind == "c")


def _permutation(perm: Any, rank: int) -> tuple[int, ...]:
    order = vector_of_ints(perm, "Transpose", "Tperm", "perm must be rank 1, got shape {}", scalar=False)
    if len(order) != rank:
        raise invalid(
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size {len(order)} [Op:Transpose]"
        )
    order = tuple([each + rank if each < 0 else each for each in order])
    for each in order:
        if not 0 <= each < rank:
            raise invalid(f"{each} is out of range [0 .. {rank}) [Op:Transpose]")
    for axis in range(rank):
        if axis not in order:
            given = ",".join(str(each) for each in order)
            raise invalid(f"{axis} is missing from {{{given}}}. [Op:Transpose]")
    return order


# -- the same values several times --

_broadcast_to = Primitive(
    "broadcast_to",
    lambda xp, x, *, shape: xp.broadcast_to(x, shape),
    vjp=lambda xp, g: g,  # summed back by the sweep, as for every op that broadcasts
    broadcasts=True,
)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """The tensor repeated along axes of size 1, and along new ones in front, to fill `shape`.

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
    for have, want in zip(given[::-1], wanted[::-1]):
        if have not in (1, want):
            raise invalid(f"Incompatible shapes: {shape_text(given)} vs. {shape_text(wanted)} [Op:BroadcastTo]")
    check_fits(wanted, x._array.dtype, "BroadcastTo")
    return apply(_broadcast_to, x, shape=wanted)


def _tile_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], multiples: tuple[int, ...]) -> Any:
    split = [size for pair in zip(multiples, x_shape) for size in pair]
    return xp.sum(xp.reshape(g, tuple(split)), axis=tuple(range(0, len(split), 2)))


_tile = Primitive("tile", lambda xp, x, *, multiples: xp.tile(x, multiples), vjp=_tile_vjp)


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """The tensor laid out `multiples[i]` times along each axis i.

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
    shape = static_shape([size * each for size, each in zip(x._array.shape, times)], "Tile")
    check_fits(shape, x._array.dtype, "Tile")
    return apply(_tile, x, multiples=times)


# -- joining --


def _concat_vjp(xp: Any, g: Any, values_shapes: tuple[tuple[int, ...], ...], axis: int) -> list[Any]:
    parts = []
    begin = 0
    for shape in values_shapes:
        end = begin + shape[axis]
        parts.append(g[at(axis, slice(begin, end))])
        begin = end
    return parts


_concat = Primitive(
    "concat",
    lambda xp, *values, axis: xp.concatenate(values, axis=axis),
    joint=_concat_vjp,
    op_name="ConcatV2",
)


def concat(values: Any, axis: Any, name: str = "concat") -> Tensor:
    """Tensors joined along an axis they have.

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
        raise invalid(
            f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got {where} [Op:ConcatV2]"
        )
    where %= rank
    for i, tensor in enumerate(tensors):
        shape = tensor._array.shape
        shapes = f"shape[0] = {shape_text(first)} vs. shape[{i}] = {shape_text(shape)}"
        if len(shape) != rank:
            raise invalid(f"ConcatOp : Ranks of all input tensors should match: {shapes} [Op:ConcatV2]")
        for dimension in range(rank):
            if dimension != where and shape[dimension] != first[dimension]:
                raise invalid(f"ConcatOp : Dimension {dimension} in both shapes must be equal: {shapes} [Op:ConcatV2]")
    return apply(_concat, *tensors, axis=where)


_stack = Primitive(
    "stack",
    lambda xp, *values, axis: xp.stack(values, axis=axis),
    joint=lambda xp, g, axis: [g[at(axis, i)] for i in range(g.shape[axis])],
    op_name="Pack",
)


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape joined along a new axis.

    >>> import whygrad as tf
    >>> tf.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    where = int(axis)
    if where == 0 and not (isinstance(values, list | tuple) and any(_is_value(each) for each in values)):
        try:
            return identity(values)  # Python numbers, or a tensor, as they are
        except (TypeError, ValueError):
            pass  # said below, about the parts
    if isinstance(values, np.ndarray):
        raise ValueError(f"expected a sequence for attr N, got an ndarray with rank {values.ndim} instead")
    tensors = matching(values, "Pack")
    if not tensors:
        raise IndexError("stack of an empty list along an axis other than 0: list index out of range")
    first = tensors[0]._array.shape
    rank = len(first) + 1
    if not -rank <= where < rank:
        raise ValueError(f"Argument `axis` = {where} not in range [{-rank}, {rank})")
    for i, tensor in enumerate(tensors):
        shape = tensor._array.shape
        if shape != first:
            raise invalid(
                "Shapes of all inputs must match: "
                f"values[0].shape = {shape_text(first)} != values[{i}].shape = {shape_text(shape)} [Op:Pack]"
            )
    return apply(_stack, *tensors, axis=where % rank)


def _is_value(each: Any) -> bool:
    """Whether it is a tensor, a variable or the like, whose dtype is its own."""
    return type(getattr(each, "dtype", None)) is DType


def _pack(values: Sequence[Any], dtype: DType | None) -> Tensor:
    """A list that holds tensors, at any depth, as one tensor through which gradients pass."""
    wanted = dtype or _first_dtype(values)
    return _packed(values, wanted)


def _packed(values: Sequence[Any], wanted: DType | None) -> Tensor:
    parts = []
    for each in values:
        if isinstance(each, list | tuple):
            part = _packed(each, wanted)
        elif _is_value(each):
            part = convert(each, None)
            if part.dtype is not wanted:
                raise TypeError(
                    f"Cannot convert a list containing a tensor of dtype {part.dtype!s} to {wanted!s} (Tensor is: {part!r})"
                )
        else:
            part = convert(each, wanted)
        parts.append(part)
    return stack(parts) if parts else convert([], wanted)


def _first_dtype(values: Sequence[Any]) -> DType | None:
    """The dtype of the first tensor in nested lists."""
    for each in values:
        if _is_value(each):
            return each.dtype  # type: ignore[no-any-return]
        if isinstance(each, list | tuple):
            found = _first_dtype(each)
            if found is not None:
                return found
    return None


set_packing(_pack)


# -- taking apart --

_unstack = Primitive(
    "unstack",
    lambda xp, x, *, axis: tuple([x[at(axis, i)] for i in range(x.shape[axis])]),
    vjp=lambda xp, g, axis: xp.stack(g, axis=axis),
    op_name="Unpack",
)


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The list of the tensors that lie along `axis`.

    >>> import whygrad as tf
    >>> [row.numpy() for row in tf.unstack(tf.constant([[1, 2], [3, 4]]))]
    [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    x = convert(value, None)
    shape = x._array.shape
    rank = len(shape)
    where = _plain_index(axis, "axis")
    if not -rank <= where < rank:
        raise ValueError(f"Argument `axis` = {where} not in range [{-rank}, {rank})")
    if num is not None and int(num) != shape[where]:
        raise invalid(
            f"Input shape axis {where % rank} must equal {int(num)}, got shape {shape_text(shape)} [Op:Unpack]"
        )
    return list(apply_several(_unstack, x, axis=where % rank))


def _plain_index(value: Any, argument: str) -> int:
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(f"Argument `{argument}` must be an integer, not {value!r}") from None


_split = Primitive(
    "split",
    lambda xp, x, *, sizes, axis: _slices(x, sizes, axis),
    vjp=lambda xp, g, axis: xp.concatenate(g, axis=axis),
)


def _slices(x: Any, sizes: tuple[int, ...], axis: int) -> tuple[Any, ...]:
    parts = []
    begin = 0
    for size in sizes:
        parts.append(x[at(axis, slice(begin, begin + size))])
        begin += size
    return tuple(parts)


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: str = "split"
) -> list[Tensor]:
    """The tensor cut along `axis` into so many equal parts, or into parts of the given sizes (one may be -1).

    >>> import whygrad as tf
    >>> [part.numpy() for part in tf.split([1, 2, 3, 4], 2)]
    [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    >>> [part.shape for part in tf.split(tf.ones((2, 5)), [1, -1], axis=1)]
    [TensorShape([2, 1]), TensorShape([2, 4])]
    """
    x = convert(value, None)
    shape = x._array.shape
    rank = len(shape)
    counted = isinstance(num_or_size_splits, int)
    op_name = "Split" if counted else "SplitV"
    where = integer(axis, op_name, "split_dim", "split_dim must be a scalar but has shape {}")
    if not -rank <= where < rank:
        raise invalid(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {where} [Op:{op_name}]")
    where %= rank
    size = shape[where]
    if counted:
        parts = int(num_or_size_splits)
        if parts < 1:
            raise invalid(f"Value for attr 'num_split' of {parts} must be at least minimum 1 [Op:Split]")
        if size % parts:
            raise invalid(
                "Number of ways to split should evenly divide the split dimension, but got split_dim "
                f"{where} (size = {size}) and num_split {parts} [Op:Split]"
            )
        sizes = (size // parts,) * parts
    else:
        sizes = _split_sizes(num_or_size_splits, num, size)
    return list(apply_several(_split, x, sizes=sizes, axis=where))


def _split_sizes(given: Any, num: int | None, whole: int) -> tuple[int, ...]:
    array = integers(given, "SplitV", "Tlen")
    if array.ndim == 0:
        raise ValueError(
            f"Rank-0 tensors are not supported as the num_or_size_splits argument to split. Argument provided: {given}"
        )
    if array.ndim != 1 or (num is not None and array.size != num):
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
        raise invalid(
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the "
            f"size of the input along split_dim if not fully specified.  Got: {known} [Op:SplitV]"
        )
    return tuple([whole - known if each == -1 else each for each in sizes])


# -- padding --

_pad_constant = Primitive(
    "pad_constant",
    lambda xp, x, *, paddings, value: xp.pad_constant(x, paddings=paddings, value=value),
    vjp=lambda xp, g, x_shape, paddings: g[
        tuple([slice(before, before + size) for size, (before, _) in zip(x_shape, paddings)])
    ],
    op_name="Pad",
)


def _fold_mirrored(xp: Any, g: Any, paddings: tuple[tuple[int, int], ...], mode: str) -> Any:
    """The cotangent of a mirrored padding: what was copied to the margins is folded back, axis by axis."""
    offset = 1 if mode == "reflect" else 0  # REFLECT leaves the edge itself out
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
)


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: str | None = None
) -> Tensor:
    """The tensor with `paddings[i] = (before, after)` elements put around it along each axis i.

    They are `constant_values`, or mirror the tensor at its edge, without (`"REFLECT"`) or with the edge (`"SYMMETRIC"`).

    >>> import whygrad as tf
    >>> tf.pad([1, 2, 3], [[2, 1]], constant_values=9).numpy()
    array([9, 9, 1, 2, 3, 9], dtype=int32)
    >>> tf.pad([1, 2, 3], [[2, 1]], mode="REFLECT").numpy()
    array([3, 2, 1, 2, 3, 2], dtype=int32)
    """
    kind = mode.upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or "SYMMETRIC". '
            f"Received `mode` = {kind}"
        )
    fill = None
    if kind == "CONSTANT" and (_is_value(constant_values) or constant_values != 0):
        x, fill = matching_pair(tensor, constant_values, "PadV2")
    else:
        x = convert(tensor, None)
    op_name = "Pad" if kind == "CONSTANT" else "MirrorPad"
    margins = _margins(paddings, x._array.shape, op_name)
    if fill is not None and fill._array.ndim:
        raise invalid(f"constant_values must be a scalar. Found: {shape_text(fill._array.shape)} [Op:PadV2]")
    if kind == "CONSTANT":
        value = zero_of(x._array.dtype) if fill is None else fill._array[()]
        return apply(_pad_constant, x, paddings=margins, value=value)
    for size, (before, after) in zip(x._array.shape, margins):
        if kind == "REFLECT" and (before or after) and max(before, after) >= size:
            raise invalid(
                f"paddings must be less than the dimension size: {before}, {after} not less than {size} [Op:MirrorPad]"
            )
        if max(before, after) > size:
            raise invalid(
                f"paddings must be no greater than the dimension size: {before}, {after} greater than {size} [Op:MirrorPad]"
            )
    return apply(_pad_mirrored, x, paddings=margins, mode=kind.lower())


def matching_pair(a: Any, b: Any, op_name: str) -> tuple[Tensor, Tensor]:
    """Two values as Tensors of one dtype, as in `matching`."""
    first, second = matching((a, b), op_name)
    return first, second


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
