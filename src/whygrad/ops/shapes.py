"""Shapes as values: ops that give a shape, compute with shapes, or check one."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import integers, is_value, matching
from whygrad.ops.traits import MOVES_ALL, Traits
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, IncompatibleShapes, NotRepresentable
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, wrap

_SIZES = "{} counts axes or elements: it does not change with the tensor's values"
_shape = Primitive(
    "shape",
    lambda xp, x, *, dtype: np.asarray(x.shape, dtype=dtype),
    no_gradient=_SIZES.format("shape"),
    traits=Traits(only_shape=True),
)
_size = Primitive(
    "size",
    lambda xp, x, *, dtype: np.asarray(x.size, dtype=dtype),
    no_gradient=_SIZES.format("size"),
    traits=Traits(only_shape=True),
)
_rank = Primitive(
    "rank",
    lambda xp, x: np.asarray(x.ndim, dtype=np.int32),
    no_gradient=_SIZES.format("rank"),
    traits=Traits(only_shape=True),
)


@export("shape")
def shape(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape of a tensor, as a tensor of int32 or int64.

    >>> import whygrad as tf
    >>> tf.shape([[1, 2, 3], [4, 5, 6]]).numpy()
    array([2, 3], dtype=int32)
    """
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    if wanted not in (dtypes.int32, dtypes.int64):
        raise invalid(DtypeNotAllowed(dtype=wanted, allowed=("int32", "int64"), attribute="out_type", op="Shape"))
    return apply(_shape, convert(input, None), dtype=wanted.numpy_dtype)


@export("shape_n")
def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors.

    >>> import whygrad as tf
    >>> [s.numpy() for s in tf.shape_n([tf.ones(2), tf.ones((2, 3))])]
    [array([2], dtype=int32), array([2, 3], dtype=int32)]
    """
    return [shape(each, out_type) for each in matching(input, "ShapeN")]


@export("size")
def size(input: Any, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements as a tensor.

    >>> import whygrad as tf
    >>> tf.size([[1, 2, 3], [4, 5, 6]]).numpy()
    np.int32(6)
    """
    x = convert(input, None)
    wanted = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    if wanted is dtypes.string:
        raise OpTypeError(NotRepresentable(shown=str(x._array.size), dtype=dtypes.string))
    return apply(_size, x, dtype=wanted.numpy_dtype)


@export("rank")
def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes as a tensor.

    >>> import whygrad as tf
    >>> tf.rank([[1, 2, 3], [4, 5, 6]]).numpy()
    np.int32(2)
    """
    return apply(_rank, convert(input, None))


@export("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The broadcast shape of two shapes; sizes may be unknown.

    >>> import whygrad as tf
    >>> tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3]))
    TensorShape([2, 3])
    """
    a, b = as_shape(shape_x), as_shape(shape_y)
    if a.rank is None or b.rank is None:
        return TensorShape(None)
    together = []
    for i in range(max(len(a), len(b)), 0, -1):
        p, q = (each[-i] if i <= len(each) else 1 for each in (a, b))
        if p == 1 or p == q:
            together.append(q)
        elif q == 1:
            together.append(p)
        elif p is None or q is None:
            together.append(q if p is None else p)  # the known size is not 1, so the unknown one must equal it or be 1
        else:
            raise OpValueError(
                "Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are either "
                f"equal or one of them is 1. Received: {a} and {b}."
            )
    return TensorShape(together)


@export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The broadcast shape of two shapes given as tensors, as a tensor.

    >>> import whygrad as tf
    >>> tf.broadcast_dynamic_shape([2, 1], [3]).numpy()
    array([2, 3], dtype=int32)
    """
    given = [
        wrap(np.asarray(integers(each, "BroadcastArgs", "T"), None if is_value(each) else np.int32))
        for each in (shape_x, shape_y)
    ]
    if all(is_value(each) for each in (shape_x, shape_y)):
        matching(given, "BroadcastArgs")
    for i, each in enumerate(given):
        if each._array.ndim != 1:
            raise invalid(f"In[{i}] must be a vector.{shape_text(each._array.shape)} [Op:BroadcastArgs]")
    sizes = [tuple(each._array.tolist()) for each in given]
    try:
        together = broadcast_static_shape(*sizes)
    except ValueError:
        raise invalid(IncompatibleShapes(a=sizes[0], b=sizes[1], op="BroadcastArgs")) from None
    return wrap(np.array(together, np.result_type(given[0]._array, given[1]._array)))


_ensure_shape = Primitive("ensure_shape", lambda xp, x: x, vjp=lambda xp, g: g, traits=MOVES_ALL)


@export("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """Return the tensor if it has this shape (None stands for any size); raise otherwise.

    >>> import whygrad as tf
    >>> tf.ensure_shape(tf.ones((2, 3)), (None, 3)).shape
    TensorShape([2, 3])
    """
    tensor = convert(x, None)
    wanted = as_shape(shape)
    if not wanted.is_compatible_with(tensor.shape):
        expected = tuple(["?" if each is None else each for each in wanted.as_list()])
        raise invalid(
            f"Shape of tensor input {shape_text(tensor._array.shape)} is not compatible with expected shape "
            f"{shape_text(expected)}. [Op:EnsureShape]"
        )
    return apply(_ensure_shape, tensor)
