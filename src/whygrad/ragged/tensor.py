"""RaggedTensor: values in rows of different lengths."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad._public import export
from whygrad.ops.creation import fill, zeros
from whygrad.ops.indexing import tensor_scatter_nd_update
from whygrad.ops.shaping import broadcast_to, reshape
from whygrad.runtime.code_objects import rename
from whygrad.runtime.overloads import Installation
from whygrad.values import dtypes
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.dtypes import DType
from whygrad.values.errors import InvalidArgumentError, OpTypeError, OpValueError, RaggedGiven, invalid
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, value_of, wrap

Array = Any  # numpy.ndarray
Values = Any  # a Tensor or a RaggedTensor


@export("RaggedTensor")
class RaggedTensor(TensorLikeComposite):
    """A tensor with one or more ragged axes, along which the rows have lengths of their own.

    `values` holds all rows, one after the other, and `row_splits` says where they begin and end: row i is
    `values[row_splits[i]:row_splits[i + 1]]`. Several ragged axes are nested: then `values` is itself ragged. Gradients go through
    `flat_values`, the innermost values, as through any tensor.

    >>> import whygrad as tf
    >>> words = tf.ragged.constant([["a", "short", "one"], ["words"]])
    >>> words
    <tf.RaggedTensor [[b'a', b'short', b'one'], [b'words']]>
    >>> words.row_lengths().numpy(), words[0, 1].numpy()
    (array([3, 1]), b'short')
    >>> tf.ragged.constant([[1, 2], [3]]) + 10
    <tf.RaggedTensor [[11, 12], [13]]>
    """

    __slots__ = ("__weakref__", "_splits", "_uniform", "_values")

    _values: Values
    _splits: Tensor
    _uniform: int | None  # the length of all rows, if the axis is known to be uniform

    made_dense = "Pad its rows to one length: value.to_tensor()."
    refusal = RaggedGiven

    # NumPy defers to it, as to Tensor.
    __array_priority__ = 100

    def __init__(self, values: Any, row_partition: Any, internal: bool = False) -> None:
        raise OpValueError(
            "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
            "RaggedTensor.from_row_lengths())"
        )

    # -- construction --

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i is `values[row_splits[i]:row_splits[i + 1]]`.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_row_splits([3, 1, 4, 1], [0, 3, 3, 4])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        splits = _partition(row_splits, "row_splits")
        if splits.ndim != 1:
            raise OpValueError(f"Shape {_shown(splits)} must have rank 1")
        if not len(splits):
            raise OpValueError("row_splits tensor may not be empty.")
        if validate:
            if splits[0]:
                raise _malformed("from_row_splits", f"zero: row_splits must begin with 0, not {splits[0]}")
            if (np.diff(splits) < 0).any():
                raise _malformed("from_row_splits", "monotonic: row_splits must never decrease")
        return _checked(_as_values(values), splits, validate)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """The rows have these lengths.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_row_lengths([3, 1, 4, 1], [3, 0, 1])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        lengths = _vector(row_lengths, "row_lengths")
        if validate and (lengths < 0).any():
            raise _malformed("from_row_lengths", f"row_lengths must not be negative, not {lengths.min()}")
        return _checked(_as_values(values), _cumulated(lengths), validate)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """The rows begin at these positions, and each ends where the next begins.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_row_starts([3, 1, 4, 1], [0, 3, 3])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        values = _as_values(values)
        starts = _vector(row_starts, "row_starts")
        count = _length(values)
        if validate and len(starts) and starts[0]:
            raise _malformed("from_row_starts", f"row_starts must begin with 0, not {starts[0]}")
        splits = np.append(starts, np.array(count, starts.dtype))
        if validate and (np.diff(splits) < 0).any():
            raise _malformed("from_row_starts", "row_starts must never decrease, and end within the values")
        return _checked(values, splits, validate)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """The rows end at these positions, and each begins where the one before ends.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_row_limits([3, 1, 4, 1], [3, 3, 4])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        limits = _vector(row_limits, "row_limits")
        splits = np.append(np.zeros(1, limits.dtype), limits)
        if validate and (np.diff(splits) < 0).any():
            raise _malformed("from_row_limits", "row_limits must never decrease")
        return _checked(_as_values(values), splits, validate)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Each value says to which row it belongs; the row ids never decrease.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_value_rowids([3, 1, 4, 1], [0, 0, 0, 2])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        values = _as_values(values)
        rows = _vector(value_rowids, "value_rowids")
        if nrows is None:
            count = int(rows[-1]) + 1 if len(rows) else 0
        else:
            count = int(value_of(convert(nrows, None)))
            if count < 0:
                raise OpValueError(f"Expected nrows >= 0; got {count}")
            if len(rows) and count <= rows[-1]:
                raise OpValueError(
                    f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, value_rowids[-1]={rows[-1]}"
                )
        if validate and len(rows) and (rows[0] < 0 or (np.diff(rows) < 0).any()):
            raise _malformed("from_value_rowids", "value_rowids must not be negative and must never decrease")
        if len(rows) != _length(values):
            raise OpValueError(f"Shapes ({_length(values)},) and ({len(rows)},) are incompatible")
        return _made(values, _cumulated(np.bincount(rows, minlength=count).astype(rows.dtype)))

    @classmethod
    def from_uniform_row_length(
        cls, values: Any, uniform_row_length: Any, nrows: Any = None, validate: bool = True, name: str | None = None
    ) -> RaggedTensor:
        """All rows have one length.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).shape
        TensorShape([2, 2])
        """
        values = _as_values(values)
        length = int(value_of(convert(uniform_row_length, None)))
        count = _length(values)
        if length < 0:
            raise OpValueError(f"`uniform_row_length` must be greater than or equal to 0, not {length}")
        rows = int(value_of(convert(nrows, None))) if nrows is not None else count // length if length else 0
        if rows * length != count:
            raise OpValueError(f"uniform_row_length={length} times nrows={rows} must equal nvals={count}")
        made = _made(values, np.arange(rows + 1, dtype=_splits_dtype(values)) * length)
        made._uniform = length
        return made

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """Several ragged axes, each given by its row splits, the outermost first.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_nested_row_splits([3, 1, 4], [[0, 2], [0, 1, 3]])
        <tf.RaggedTensor [[[3], [1, 4]]]>
        """
        return cls._nested(cls.from_row_splits, flat_values, nested_row_splits, "nested_row_splits", validate)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """Several ragged axes, each given by its row lengths, the outermost first.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_nested_row_lengths([3, 1, 4], [[2], [1, 2]])
        <tf.RaggedTensor [[[3], [1, 4]]]>
        """
        return cls._nested(cls.from_row_lengths, flat_values, nested_row_lengths, "nested_row_lengths", validate)

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Any,
        nested_value_rowids: Any,
        nested_nrows: Any = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Any:
        """Several ragged axes, each given by the row ids of its values, the outermost first.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_nested_value_rowids([3, 1, 4], [[0, 0], [0, 1, 1]])
        <tf.RaggedTensor [[[3], [1, 4]]]>
        """
        rowids = _outer_list(nested_value_rowids, "nested_value_rowids")
        counts = [None] * len(rowids) if nested_nrows is None else _outer_list(nested_nrows, "nested_nrows")
        if len(counts) != len(rowids):
            raise OpValueError(
                f"Argument `nested_nrows` must have the same length as argument `nested_value_rowids`. len(nested_nrows) = "
                f"{len(counts)} vs. len(nested_values_rowids) = {len(rowids)}."
            )
        made = flat_values
        for rows, count in zip(reversed(rowids), reversed(counts)):
            made = cls.from_value_rowids(made, rows, count, validate=validate)
        return made

    @classmethod
    def _nested(cls, make: Callable[..., Any], flat_values: Any, partitions: Any, argument: str, validate: bool) -> Any:
        made = flat_values
        for partition in reversed(_outer_list(partitions, argument)):
            made = make(made, partition, validate=validate)
        return made if isinstance(made, RaggedTensor) else convert(made, None)

    @classmethod
    def from_tensor(
        cls,
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> RaggedTensor:
        """A tensor as a ragged one: rows cut to `lengths`, or without the `padding` at their ends.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_tensor([[5, 7, 0], [0, 3, 0], [6, 0, 0]], padding=0)
        <tf.RaggedTensor [[5, 7], [0, 3], [6]]>
        """
        from whygrad.ragged import from_dense

        return from_dense.from_tensor(tensor, lengths, padding, ragged_rank, dtypes.as_dtype(row_splits_dtype))

    @classmethod
    def from_sparse(cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """A sparse tensor of rank 2, whose rows have no gaps, as a ragged one.

        >>> import whygrad as tf
        >>> tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [1, 2, 3], [3, 4]))
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        from whygrad.ragged import from_dense

        return from_dense.from_sparse(st_input, dtypes.as_dtype(row_splits_dtype))

    # -- attributes --

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def values(self) -> Values:
        """All rows, one after the other: a tensor, or a ragged one where there are further ragged axes."""
        return self._values

    @property
    def row_splits(self) -> Tensor:
        """Where the rows begin and end in `values`; it begins with 0."""
        return self._splits

    @property
    def flat_values(self) -> Tensor:
        """The innermost values, a tensor."""
        values = self._values
        while isinstance(values, RaggedTensor):
            values = values._values
        return values  # type: ignore[no-any-return]

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The row splits of every ragged axis, the outermost first."""
        return tuple([each._splits for each in self._levels()])

    @property
    def ragged_rank(self) -> int:
        """The number of axes that are divided into rows."""
        return len(self._levels())

    @property
    def uniform_row_length(self) -> Tensor | None:
        """The length of all rows where it is known to be one, else None."""
        return None if self._uniform is None else wrap(np.array(self._uniform, self._splits.dtype.numpy_dtype))

    @property
    def shape(self) -> TensorShape:
        """The shape; the sizes of ragged axes are None."""
        inner = self._values.shape
        return TensorShape([self._count(), self._uniform, *inner[1:]])

    def get_shape(self) -> TensorShape:
        """The shape, like `shape`."""
        return self.shape

    def _levels(self) -> list[RaggedTensor]:
        levels = [self]
        while isinstance(levels[-1]._values, RaggedTensor):
            levels.append(levels[-1]._values)
        return levels

    def _split_array(self) -> Array:
        return value_of(self._splits)

    def _count(self) -> int:
        return int(self._splits._array.shape[0]) - 1

    def _integers(self, array: Array, out_type: Any = None) -> Tensor:
        wanted = self._splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        return wrap(np.asarray(array, wanted.numpy_dtype))

    # -- the rows --

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """The number of rows."""
        return self._integers(np.array(self._count()), out_type)

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where the rows begin in `values`."""
        return self._splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where the rows end in `values`."""
        return self._splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Values:
        """The lengths of the rows along `axis`; ragged itself for an inner axis.

        >>> import whygrad as tf
        >>> rt = tf.ragged.constant([[[3, 1], [4]], [[]]])
        >>> rt.row_lengths().numpy(), rt.row_lengths(axis=2)
        (array([2, 1]), <tf.RaggedTensor [[2, 1], [0]]>)
        """
        rank = len(self.shape)
        at = axis + rank if axis < 0 else axis
        if not 0 <= at < rank:
            raise OpValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
        if at == 0:
            return self.nrows()
        if at == 1:
            return self._integers(np.diff(self._split_array()))
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(at - 1))
        size = self._values._array.shape[at - 1]
        return self.with_values(self._integers(np.full(self._values._array.shape[: at - 1], size)))

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The lengths of the rows of every ragged axis, the outermost first."""
        return tuple([each.row_lengths() for each in self._levels()])

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The row that each of the `values` belongs to."""
        return self._integers(row_ids(self._split_array()))

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The row ids of every ragged axis, the outermost first."""
        return tuple([each.value_rowids() for each in self._levels()])

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape of the smallest tensor that holds all rows.

        >>> import whygrad as tf
        >>> tf.ragged.constant([[1, 2, 3, 4], [5]]).bounding_shape().numpy()
        array([2, 4])
        """
        sizes = [self._count()]
        sizes += [int(np.diff(each._split_array()).max(initial=0)) for each in self._levels()]
        sizes += self.flat_values._array.shape[1:]
        bounds = np.array(sizes)
        return self._integers(bounds if axis is None else bounds[value_of(convert(axis, None))], out_type)

    # -- other values --

    def with_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other values."""
        values = _as_values(new_values)
        if _length(values) != int(self._split_array()[-1]):
            raise OpValueError(f"Shapes ({int(self._split_array()[-1])},) and ({_length(values)},) are incompatible")
        made = _made(values, self._split_array())
        made._uniform = self._uniform
        return made

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same rows of other innermost values.

        >>> import whygrad as tf
        >>> rt = tf.ragged.constant([[1, 2], [3]])
        >>> rt.with_flat_values(tf.sqrt(tf.cast(rt.flat_values, tf.float32)))[1].numpy()
        array([1.7320508], dtype=float32)
        """
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same with row splits of type int32 or int64."""
        wanted = dtypes.as_dtype(dtype)
        if wanted not in (dtypes.int32, dtypes.int64):
            raise OpValueError(f"Argument `row_splits` dtype must be int32 or int64. Received {wanted!r}.")
        if wanted is self._splits.dtype:
            return self
        inner = self._values
        made = _made(
            inner.with_row_splits_dtype(wanted) if isinstance(inner, RaggedTensor) else inner,
            self._split_array().astype(wanted.numpy_dtype),
        )
        made._uniform = self._uniform
        return made

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Values:
        """The axes from `outer_axis` to `inner_axis` as one.

        >>> import whygrad as tf
        >>> tf.ragged.constant([[[1, 2], [3]], [[4]]]).merge_dims(0, 1)
        <tf.RaggedTensor [[1, 2], [3], [4]]>
        """
        rank = len(self.shape)
        first, last = [axis + rank if axis < 0 else axis for axis in (outer_axis, inner_axis)]
        if not 0 <= first <= last < rank:
            raise OpValueError(
                f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis ({inner_axis})"
            )
        return merged(self, first, last)

    def _spec(self) -> Any:
        from whygrad.ragged.spec import RaggedTensorSpec  # which makes values of this class

        return RaggedTensorSpec.from_value(self)

    def _components(self) -> Sequence[Any]:
        return [self.flat_values, *self.nested_row_splits]

    def _with_components(self, components: Sequence[Any]) -> Any:
        return RaggedTensor.from_nested_row_splits(components[0], list(components[1:]), validate=False)

    def _mapped(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        from whygrad.ragged import elementwise

        return elementwise.mapped(function, *operands)

    def _text(self, summarize: int) -> str:
        return text_of(self)

    def _held(self) -> Tensor:
        return self.flat_values

    def _with_held(self, values: Any) -> RaggedTensor:
        return self.with_flat_values(values)

    # -- conversion --

    def to_tensor(self, default_value: Any = None, name: str | None = None, shape: Any = None) -> Tensor:
        """A dense tensor: rows that are too short are filled up with `default_value`.

        `shape` gives the sizes of the result, None for those that the longest row decides; longer rows are cut.

        >>> import whygrad as tf
        >>> tf.ragged.constant([[9, 8, 7], [], [6]]).to_tensor().numpy()
        array([[9, 8, 7],
               [0, 0, 0],
               [6, 0, 0]], dtype=int32)
        """
        flat = self.flat_values
        inner = flat._array.shape[1:]
        sizes = value_of(self.bounding_shape()).tolist()
        if shape is not None:
            given = as_shape(value_of(shape).tolist() if isinstance(shape, Tensor) else shape)
            wanted = [None] * len(sizes) if given.rank is None else given.as_list()
            if len(wanted) != len(sizes):
                raise OpValueError(
                    f"Shape {TensorShape(wanted)} must have rank {len(sizes)}: that of the ragged tensor"
                )
            sizes = [have if want in (None, -1) else want for have, want in zip(sizes, wanted)]
            if tuple(sizes[len(sizes) - len(inner) :]) != inner:
                raise OpValueError(
                    f"`shape` {TensorShape(wanted)} must end with the shape of the innermost values, {TensorShape(inner)}"
                )
        places, kept = self._places(sizes[: len(sizes) - len(inner)])
        if default_value is None:
            base = zeros(sizes, self.dtype)
        else:
            default = convert(default_value, None if isinstance(default_value, Tensor) else self.dtype)
            if default.dtype is not self.dtype:
                raise OpValueError(
                    f"Tensor conversion requested dtype {self.dtype.name} for Tensor with dtype {default.dtype.name}: "
                    "default_value must have the dtype of the ragged tensor"
                )
            try:
                base = fill(sizes, default) if not default.ndim else broadcast_to(default, sizes)
            except InvalidArgumentError:
                raise invalid(
                    f"default_value.shape={default.shape} and rt_input.flat_values.shape={flat.shape} are incompatible: "
                    "the default must broadcast to the innermost values"
                ) from None
        chosen = flat if kept.all() else flat[convert(kept)]
        dense = tensor_scatter_nd_update(base, wrap(places[kept]), chosen)
        if shape is not None:
            dense.set_shape([None if want == -1 else want for want in wanted])
        return dense

    def _places(self, sizes: Sequence[int]) -> tuple[Array, Array]:
        """For each of the flat values its index in a dense tensor, and whether it fits into one of these sizes."""
        places = np.stack(self._coordinates(), axis=1)
        return places, (places < np.array(sizes)).all(axis=1)

    def _coordinates(self) -> list[Array]:
        """For each of the flat values its row, and its place in the rows of every ragged axis."""
        columns: list[Array] = []
        above: Array = np.zeros(0, np.int64)
        for level in reversed(self._levels()):
            splits = level._split_array().astype(np.int64)
            rows = row_ids(splits)
            within = np.arange(len(rows)) - splits[rows]
            columns, above = ([within[above], *columns], rows[above]) if columns else ([within], rows)
        return [above, *columns]

    def to_list(self) -> list[Any]:
        """The values as nested lists of Python's numbers or bytes.

        >>> import whygrad as tf
        >>> tf.ragged.constant([["a"], []]).to_list()
        [[b'a'], []]
        """
        inner = self._values
        flat = inner.to_list() if isinstance(inner, RaggedTensor) else inner._leave().tolist()
        ends = self._split_array().tolist()
        return [flat[start:end] for start, end in itertools.pairwise(ends)]

    def numpy(self) -> Any:
        """The value as a NumPy array; of dtype object, of arrays, where rows differ in length.

        >>> import whygrad as tf
        >>> tf.ragged.constant([[1, 2], [3]]).numpy()
        array([array([1, 2], dtype=int32), array([3], dtype=int32)], dtype=object)
        """
        inner = self._values
        flat = inner.numpy() if isinstance(inner, RaggedTensor) else inner._leave()
        splits = self._split_array()
        lengths = np.diff(splits)
        if len(lengths) and (lengths == lengths[0]).all():
            return flat.reshape((len(lengths), lengths[0], *flat.shape[1:])).copy()
        rows = np.empty(len(lengths), object)
        for i, (start, end) in enumerate(itertools.pairwise(splits)):
            rows[i] = flat[start:end].copy()
        return rows

    def to_sparse(self, name: str | None = None) -> Any:
        """A sparse tensor with the same values.

        >>> import whygrad as tf
        >>> tf.ragged.constant([[1, 2], [], [3]]).to_sparse().indices.numpy().tolist()
        [[0, 0], [0, 1], [2, 0]]
        """
        from whygrad.ragged import from_dense

        return from_dense.to_sparse(self)

    def consumers(self) -> list[Any]:
        """Nothing: only graphs have consumers."""
        return []

    # -- indexing and operators --

    def __getitem__(self, key: Any) -> Values:
        from whygrad.ragged import indexing

        return indexing.getitem(self, key)

    def __iter__(self) -> Iterator[Values]:
        return (self[i] for i in range(self._count()))

    def __bool__(self) -> bool:
        raise OpTypeError("RaggedTensor may not be used as a boolean.")

    def __hash__(self) -> int:
        raise OpTypeError("RaggedTensor is unhashable.")

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {text_of(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return RaggedTensor.from_nested_row_splits, (self.flat_values, list(self.nested_row_splits))

    if TYPE_CHECKING:

        def __add__(self, other: Any) -> Any: ...
        def __radd__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __rsub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __rmul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __rtruediv__(self, other: Any) -> Any: ...
        def __floordiv__(self, other: Any) -> Any: ...
        def __rfloordiv__(self, other: Any) -> Any: ...
        def __mod__(self, other: Any) -> Any: ...
        def __rmod__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __rpow__(self, other: Any) -> Any: ...
        def __and__(self, other: Any) -> Any: ...
        def __rand__(self, other: Any) -> Any: ...
        def __or__(self, other: Any) -> Any: ...
        def __ror__(self, other: Any) -> Any: ...
        def __xor__(self, other: Any) -> Any: ...
        def __rxor__(self, other: Any) -> Any: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __eq__(self, other: Any) -> Any: ...
        def __ne__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __abs__(self) -> Any: ...
        def __invert__(self) -> Any: ...


def _operator(name: str, swapped: bool) -> Callable[[RaggedTensor, Any], Any]:
    def method(self: RaggedTensor, other: Any) -> Any:
        from whygrad.ragged import elementwise

        if other is None and name in ("eq", "ne"):
            return name == "ne"
        first, second = (other, self) if swapped else (self, other)
        return elementwise.mapped(getattr(operator, name), first, second)

    return method


def _unary(name: str) -> Callable[[RaggedTensor], RaggedTensor]:
    def method(self: RaggedTensor) -> RaggedTensor:
        return self.with_flat_values(getattr(operator, name)(self.flat_values))

    return method


def _set_operators() -> None:
    """The operators, which are those of the flat values."""
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor"):
        plain = name.rstrip("_")
        _set(f"__{plain}__", _operator(name, False))
        _set(f"__r{plain}__", _operator(name, True))
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        _set(f"__{name}__", _operator(name, False))
        _set(f"__r{name}__", _operator(name, True))  # of a tensor on the left, whose method finds it by this name
    for name in ("neg", "abs", "invert"):
        _set(f"__{name}__", _unary(name))


def _set(name: str, method: Callable[..., Any]) -> None:
    rename(method, name, f"RaggedTensor.{name}")
    setattr(RaggedTensor, name, method)


_set_operators()


# -- what the constructors share --

_new = RaggedTensor.__new__


def _install_dispatch() -> None:
    """Let the functions of dense tensors take ragged ones."""
    from whygrad.ragged.dispatch import install

    install()


dispatch = Installation(_install_dispatch)


def _made(values: Values, splits: Array) -> RaggedTensor:
    """A ragged tensor of rows that are known to be right; inner and outer row splits have one dtype, the wider one."""
    if not dispatch.is_done:
        dispatch.ensure()
    if isinstance(values, RaggedTensor) and values._splits.dtype.numpy_dtype != splits.dtype:
        values, splits = values.with_row_splits_dtype(dtypes.int64), splits.astype(np.int64)
    made = _new(RaggedTensor)
    made._values = values
    made._splits = wrap(splits)
    made._uniform = None
    return made


def from_splits(values: Values, splits: Array, uniform: int | None = None) -> RaggedTensor:
    """A ragged tensor of a tensor or ragged tensor and row splits that are known to be right."""
    made = _made(values, splits)
    made._uniform = uniform
    return made


def _checked(values: Values, splits: Array, validate: bool) -> RaggedTensor:
    if validate and splits[-1] != _length(values):
        raise _malformed(
            "_from_row_partition", f"the rows hold {splits[-1]} values, but there are {_length(values)} of them"
        )
    return _made(values, splits)


def _malformed(function: str, what: str) -> InvalidArgumentError:
    return invalid(f"Arguments to {function} do not form a valid RaggedTensor:{what}")


def _as_values(values: Any) -> Values:
    made = values if isinstance(values, RaggedTensor) else convert_to_tensor(values)
    if isinstance(made, Tensor) and not made.ndim:
        raise invalid("slice index 0 of dimension 0 out of bounds: `values` must have an axis to be divided into rows")
    return made


def _length(values: Values) -> int:
    return values._count() if isinstance(values, RaggedTensor) else int(values._array.shape[0])


def _splits_dtype(values: Values) -> Any:
    return values._splits.dtype.numpy_dtype if isinstance(values, RaggedTensor) else np.int64


def _partition(value: Any, argument: str) -> Array:
    """A row partition as an array of int32 or int64; lists become int64."""
    if isinstance(value, list | tuple) and not value:
        return np.zeros(0, np.int64)
    array = value_of(convert_to_tensor(value, dtype_hint=dtypes.int64))
    if array.dtype not in (np.int32, np.int64):
        raise OpValueError(f"{argument} must have dtype int32 or int64")
    return array


def _vector(value: Any, argument: str) -> Array:
    array = _partition(value, argument)
    if array.ndim != 1:
        raise OpValueError(f"Shape {_shown(array)} must have rank 1: `{argument}` has one entry for each row")
    return array


def _shown(array: Array) -> str:
    return str(TensorShape(array.shape))


def _outer_list(value: Any, argument: str) -> list[Any]:
    if isinstance(value, Tensor):
        raise OpTypeError(f"Argument `{argument}` must be a list of Tensors. Received {value}.")
    return list(value)


def _cumulated(lengths: Array) -> Array:
    return np.concatenate([np.zeros(1, lengths.dtype), np.cumsum(lengths, dtype=lengths.dtype)])


def splits_of(lengths: Array, dtype: Any = np.int64) -> Array:
    """The row splits of rows of these lengths."""
    return _cumulated(np.asarray(lengths, dtype))


def row_ids(splits: Array) -> Array:
    """The row that each value belongs to."""
    return np.repeat(np.arange(len(splits) - 1, dtype=splits.dtype), np.diff(splits))


def merged(value: Values, first: int, last: int) -> Values:
    """A tensor or ragged tensor with the axes from `first` to `last` as one."""
    if first == last:
        return value
    if isinstance(value, Tensor):
        shape = value._array.shape
        return reshape(value, (*shape[:first], -1, *shape[last + 1 :]))
    if first > 1:
        return value.with_values(merged(value._values, first - 1, last - 1))
    if first == 0:
        return merged(value._values, 0, last - 1)
    inner = value._values
    for _ in range(last - 1):  # the outer rows in the values one level further in
        if isinstance(inner, RaggedTensor):
            value = from_splits(inner._values, inner._split_array()[value._split_array()])
        else:
            size = inner._array.shape[1]
            value = from_splits(merged(inner, 0, 1), value._split_array() * size)
        inner = value._values
    return value


# -- printing --


def text_of(value: RaggedTensor) -> str:
    """The value as nested lists, with NumPy's abbreviation of long ones."""
    with np.printoptions(formatter={"all": _element_text}):
        return _element_text(value.numpy())


def _element_text(element: Any) -> str:
    """An element, which is a row itself where NumPy shows an array of arrays."""
    if not isinstance(element, np.ndarray):
        return str(element)
    if element.size:
        return np.array2string(element, separator=", ")
    return repr(element.tolist())  # NumPy shows every empty array as []
