"""SparseTensor: some elements of a tensor, and their positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from whygrad._public import export
from whygrad.ops.primitive import apply
from whygrad.ops.printing import tensor_text
from whygrad.ops.segments import segment_spread
from whygrad.runtime.code_objects import rename
from whygrad.runtime.overloads import Installation
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpAttributeError, OpTypeError, OpValueError, SparseGiven, invalid
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, are_known, value_of, wrap
from whygrad.values.variable import Variable

Array = Any  # numpy.ndarray


@export("compat.v1.SparseTensorValue")
class SparseTensorValue(NamedTuple):
    """The parts of a sparse tensor as plain values.

    >>> import whygrad as tf
    >>> tf.SparseTensor.from_value(tf.compat.v1.SparseTensorValue([[0]], [5], [2])).shape
    TensorShape([2])
    """

    indices: Any
    values: Any
    dense_shape: Any


@export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(TensorLikeComposite):
    """The elements `values` of a tensor of shape `dense_shape`, at the positions in the rows of `indices`; all others are 0.

    Positions are expected in row-major order and only once: `tf.sparse.reorder` sorts them. Gradients go through `values`, as through
    any tensor.

    >>> import whygrad as tf
    >>> st = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1.0, 2.0], dense_shape=[3, 4])
    >>> tf.sparse.to_dense(st).numpy()
    array([[1., 0., 0., 0.],
           [0., 0., 2., 0.],
           [0., 0., 0., 0.]], dtype=float32)
    >>> (st * 10.0).values.numpy(), st.shape
    (array([10., 20.], dtype=float32), TensorShape([3, 4]))
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_row_limits", "_static", "_values")

    _indices: Tensor
    _values: Tensor
    _dense_shape: Tensor
    _static: TensorShape
    _row_limits: Array | None  # where rows begin and end, once it was asked for

    made_dense = (
        "tf.sparse has the functions of sparse tensors, such as tf.sparse.reduce_sum, add and sparse_dense_matmul; "
        "tf.sparse.to_dense(value) makes a dense one."
    )
    refusal = SparseGiven

    # NumPy defers to it, as to Tensor.
    __array_priority__ = 100

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        where = convert(indices, dtypes.int64)
        held = convert(values, None)
        sizes = convert(dense_shape, dtypes.int64)
        if not sizes.ndim:
            raise OpTypeError(f"`dense_shape` must be a vector of sizes, such as [2, 3], not the scalar {dense_shape}")
        for tensor, rank, argument in ((where, 2, "indices"), (held, 1, "values"), (sizes, 1, "dense_shape")):
            if tensor.ndim != rank:
                raise OpValueError(f"Shape {tensor.shape} must have rank {rank}: `{argument}` of a SparseTensor")
        count, rank = where._array.shape
        if held._array.shape[0] != count:
            raise OpValueError(
                f"Dimensions {count} and {held._array.shape[0]} are not compatible: `indices` has a row for each of the `values`"
            )
        if sizes._array.shape[0] != rank:
            raise OpValueError(
                f"Dimensions {rank} and {sizes._array.shape[0]} are not compatible: a row of `indices` has a number for each "
                "size in `dense_shape`"
            )
        self._indices, self._values, self._dense_shape = where, held, sizes
        self._static = _static_shape(sizes)
        self._row_limits = None
        if not dispatch.is_done:
            dispatch.ensure()

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A sparse tensor of a sparse tensor, or of a named tuple with its three parts."""
        found = _as_sparse(sparse_tensor_value)
        if found is None:
            raise OpTypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        return SparseTensor(found._indices, found._values, found._dense_shape)

    # -- attributes --

    @property
    def indices(self) -> Tensor:
        """The positions of the elements: a row of int64 for each."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """The elements."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """The shape of the dense tensor, as a tensor of int64."""
        return self._dense_shape

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor; sizes that are unknown in a function are None."""
        return self._static

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._values.dtype

    def get_shape(self) -> TensorShape:
        """The shape, like `shape`."""
        return self._static

    def set_shape(self, shape: Any) -> None:
        """Say what is known of the shape; raises ValueError if it is another."""
        self._static = self._static.merge_with(as_shape(shape))

    def with_values(self, new_values: Any) -> SparseTensor:
        """The same positions with other values.

        >>> import whygrad as tf
        >>> tf.sparse.from_dense([[0, 3], [4, 0]]).with_values([5.0, 6.0]).values.numpy()
        array([5., 6.], dtype=float32)
        """
        made = SparseTensor(self._indices, new_values, self._dense_shape)
        made._static = self._static
        return made

    def consumers(self) -> list[Any]:
        """Nothing: only graphs have consumers."""
        return []

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Raise: there are no sessions."""
        raise _no_graph("graph")

    @property
    def op(self) -> NoReturn:
        """Raise: there are no graphs."""
        raise _no_graph("op")

    @property
    def graph(self) -> NoReturn:
        """Raise: there are no graphs."""
        raise _no_graph("graph")

    # -- what composites have --

    def _spec(self) -> Any:
        from whygrad.sparse.spec import SparseTensorSpec  # which makes values of this class

        return SparseTensorSpec.from_value(self)

    def _components(self) -> Sequence[Any]:
        return [self._indices, self._values, self._dense_shape]

    def _with_components(self, components: Sequence[Any]) -> Any:
        if all(isinstance(each, Tensor) for each in components):
            return SparseTensor(*components)
        return SparseTensorValue(*components)

    def _mapped(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        from whygrad.sparse import dispatch

        return dispatch.mapped(self, function, operands)

    def _text(self, summarize: int) -> str:
        indices, values, shape = [tensor_text(value_of(each), summarize) for each in self._components()]
        return f"'SparseTensor(indices={indices}, values={values}, shape={shape})'"

    def _held(self) -> Tensor:
        return self._values

    def _with_held(self, values: Any) -> SparseTensor:
        return self.with_values(values)

    # -- operators --

    def __mul__(self, other: Any) -> SparseTensor:
        from whygrad.sparse import arithmetic

        return arithmetic.times(self, other)

    def __rmul__(self, other: Any) -> SparseTensor:
        if not isinstance(other, Tensor | Variable):
            raise OpTypeError(
                f"unsupported operand type(s) for *: '{type(other).__name__}' and 'SparseTensor': write the sparse tensor first"
            )
        return self * other

    def __truediv__(self, other: Any) -> SparseTensor:
        from whygrad.sparse import arithmetic

        return arithmetic.divided(self, other)

    __div__ = __truediv__

    def __getitem__(self, key: Any) -> NoReturn:
        raise OpTypeError(
            "'SparseTensor' object is not subscriptable: tf.sparse.slice(value, start, size) takes a part"
        )

    __iter__ = None  # although Python would otherwise fall back to __getitem__

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    def __reduce__(self) -> tuple[Any, ...]:
        return SparseTensor, (self._indices, self._values, self._dense_shape)


def _static_shape(sizes: Tensor) -> TensorShape:
    known = value_of(sizes).tolist() if are_known(sizes) else [-1] * sizes._array.shape[0]
    return TensorShape([None if size == -1 else size for size in known])


def _no_graph(attribute: str) -> Exception:
    return OpAttributeError(f"Tensor.{attribute} is undefined when eager execution is enabled.")


def _refusing(name: str, sign: str) -> Callable[[SparseTensor, Any], Any]:
    """The method of an operator that sparse tensors do not have."""

    def method(self: SparseTensor, other: Any) -> Any:
        if isinstance(other, Tensor | Variable):
            raise OpValueError(f"a SparseTensor and a dense tensor have no operator {sign}. {SparseTensor.made_dense}")
        raise OpTypeError(
            f"unsupported operand type(s) for {sign}: 'SparseTensor' and '{type(other).__name__}'. {SparseTensor.made_dense}"
        )

    return method


for _name, _sign in (("add", "+"), ("sub", "-"), ("matmul", "@")):
    _method = _refusing(_name, _sign)
    rename(_method, f"__{_name}__", f"SparseTensor.__{_name}__")
    setattr(SparseTensor, f"__{_name}__", _method)


# -- what the functions of sparse tensors share --


def _install_dispatch() -> None:
    """Let the functions of dense tensors that take sparse ones in TensorFlow do so."""
    from whygrad.sparse.dispatch import install

    install()


dispatch = Installation(_install_dispatch)


def _as_sparse(value: Any) -> SparseTensor | None:
    if isinstance(value, SparseTensor):
        return value
    if getattr(value, "_fields", None) == SparseTensorValue._fields:
        return SparseTensor(*value)
    return None


def as_sparse(value: Any) -> SparseTensor:
    """An argument that must be a sparse tensor."""
    found = _as_sparse(value)
    if found is None:
        raise OpTypeError(f"Input must be a SparseTensor, not {type(value).__name__}: tf.sparse.from_dense makes one")
    return found


def positions_of(value: SparseTensor) -> Array:
    """The positions of the elements, which must be known now."""
    return value_of(value._indices)


def sizes_of(value: SparseTensor) -> tuple[int, ...]:
    """The shape of the dense tensor, which must be known now."""
    return tuple(value_of(value._dense_shape).tolist())


def from_arrays(positions: Array, values: Tensor, sizes: Any) -> SparseTensor:
    """A sparse tensor of positions and sizes that are known."""
    return SparseTensor(wrap(np.asarray(positions, np.int64)), values, wrap(np.array(sizes, np.int64)))


def row_of(value: SparseTensor, index: int) -> SparseTensor:
    """One row of a sparse tensor in row-major order, without its first axis."""
    positions = positions_of(value)
    if value._row_limits is None:
        if (np.diff(positions[:, 0]) < 0).any():
            raise invalid("the rows of a sparse tensor are not in their order: tf.sparse.reorder sorts its positions")
        value._row_limits = np.searchsorted(positions[:, 0], np.arange(sizes_of(value)[0] + 1))
    start, end = value._row_limits[index : index + 2]
    return from_arrays(positions[start:end, 1:], value.values[start:end], sizes_of(value)[1:])


def chosen(values: Tensor, places: Array) -> Tensor:
    """The rows at some places, with a dense gradient."""
    return apply(segment_spread, values, wrap(np.asarray(places, np.int64)))


def order_of(positions: Array) -> Array:
    """The row-major order of positions."""
    return np.lexsort(positions.T[::-1]) if positions.shape[1] else np.arange(len(positions))


def grouped(positions: Array) -> tuple[Array, Array]:
    """The different rows among positions, in row-major order, and for each position the number of its row."""
    order = order_of(positions)
    ordered = positions[order]
    is_new = np.ones(len(ordered), bool)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(ordered), np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return ordered[is_new], numbers
