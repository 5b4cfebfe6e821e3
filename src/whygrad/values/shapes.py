"""TensorShape: a sequence of sizes with TensorFlow's methods."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from whygrad._public import export
from whygrad.values.errors import OpTypeError, OpValueError


class Dimension(int):
    """A size in `TensorShape.dims`: an int with TensorFlow's `value`."""

    __slots__ = ()

    @property
    def value(self) -> int:
        """The size as a plain int."""
        return int(self)

    def __repr__(self) -> str:
        return f"Dimension({int(self)})"

    __str__ = int.__repr__


class UnknownDimension:
    """A size in `TensorShape.dims` that is not known."""

    __slots__ = ()

    value = None

    def __repr__(self) -> str:
        return "Dimension(None)"

    def __str__(self) -> str:
        return "?"


# Type checkers accept a shape where NumPy takes a sequence of sizes. At run time it is no `Sequence`, as in TensorFlow: libraries that
# look through nested structures would take it apart.
if TYPE_CHECKING:
    _Base = Sequence[Any]
else:
    _Base = object


@export("TensorShape")
class TensorShape(_Base):
    """The shape of a tensor: a sequence of sizes with TensorFlow's methods, equal to a tuple or list of the same sizes.

    It is no tuple, as in TensorFlow, so `"%s" % tensor.shape` shows it as a whole. A size may be None (unknown), and
    `TensorShape(None)` has unknown rank; the shapes of tensors are always fully known.

    >>> import whygrad as tf
    >>> shape = tf.ones((2, 3)).shape
    >>> shape, str(shape), shape == (2, 3), shape.as_list(), shape.num_elements()
    (TensorShape([2, 3]), '(2, 3)', True, [2, 3], 6)
    """

    __slots__ = ("_sizes",)

    _sizes: tuple[Any, ...] | None  # None if the rank is unknown

    def __new__(cls, dims: Any = ()) -> TensorShape:
        if isinstance(dims, TensorShape):
            return dims
        if dims is None:
            return of_tuple(None)
        if isinstance(dims, str):
            raise OpTypeError(
                f"Failed to convert '{dims!r}' to a shape. A shape should either be single dimension (e.g. 10), or an "
                "iterable of dimensions (e.g. [1, 10, None])."
            )
        if not isinstance(dims, Iterable):
            dims = (dims,)
        return of_tuple(tuple([_size(d) for d in dims]))

    @property
    def rank(self) -> int | None:
        """The number of axes, or None if unknown."""
        return None if self._sizes is None else len(self._sizes)

    ndims = rank

    @property
    def dims(self) -> list[Dimension | UnknownDimension] | None:
        """The sizes as a list, each with a `value` as in TensorFlow, or None if the rank is unknown."""
        if self._sizes is None:
            return None
        return [UnknownDimension() if size is None else Dimension(size) for size in self._sizes]

    def as_list(self) -> list[Any]:
        """The sizes as a list."""
        if self._sizes is None:
            raise OpValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._sizes)

    def num_elements(self) -> int | None:
        """The product of the sizes, or None if one is unknown."""
        if not self.is_fully_defined():
            return None
        total = 1
        for size in self:
            total *= size
        return total

    def is_fully_defined(self) -> bool:
        """Whether rank and all sizes are known."""
        return self._sizes is not None and None not in self._sizes

    def assert_is_fully_defined(self) -> None:
        """Raise ValueError unless rank and all sizes are known."""
        if not self.is_fully_defined():
            raise OpValueError(f"Shape {self} is not fully defined")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a tensor could have both shapes."""
        other = as_shape(other)
        if self._sizes is None or other._sizes is None:
            return True
        return len(self) == len(other) and all(a is None or b is None or a == b for a, b in zip(self, other))

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise ValueError unless the shapes are compatible."""
        if not self.is_compatible_with(other):
            raise OpValueError(f"Shapes {self} and {other} are incompatible")

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape also has the shape `other`."""
        other = as_shape(other)
        if other._sizes is None:
            return True
        return self.rank == other.rank and all(b is None or a == b for a, b in zip(self, other))

    def assert_has_rank(self, rank: int) -> None:
        """Raise ValueError unless the rank is `rank`."""
        if self.rank not in (None, rank):
            raise OpValueError(f"Shape {self} must have rank {rank}")

    def assert_same_rank(self, other: Any) -> None:
        """Raise ValueError unless both have the same rank."""
        other = as_shape(other)
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            raise OpValueError(f"Shapes {self} and {other} must have the same rank")

    def with_rank(self, rank: int) -> TensorShape:
        """The shape, with this rank."""
        if self._sizes is None:
            return TensorShape([None] * rank)
        if len(self) != rank:
            raise OpValueError(f"Shape {self} must have rank {rank}")
        return self

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """The shape, if its rank is at least `rank`; otherwise raise ValueError."""
        if self.rank is not None and self.rank < rank:
            raise OpValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """The shape, if its rank is at most `rank`; otherwise raise ValueError."""
        if self.rank is not None and self.rank > rank:
            raise OpValueError(f"Shape {self} must have rank at most {rank}")
        return self

    def merge_with(self, other: Any) -> TensorShape:
        """The shape with the known sizes of both."""
        other = as_shape(other)
        if self._sizes is None:
            return as_shape(other)
        if other._sizes is None:
            return self
        if not self.is_compatible_with(other):
            raise OpValueError(f"Shapes {self} and {other} are not compatible")
        return TensorShape([b if a is None else a for a, b in zip(self, other)])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The shape with only the sizes that both agree on."""
        other = as_shape(other)
        if self._sizes is None or other._sizes is None or len(self) != len(other):
            return TensorShape(None)
        return TensorShape([a if a == b else None for a, b in zip(self, other)])

    def most_specific_common_supertype(self, others: Iterable[Any]) -> TensorShape | None:
        """The shape with only the sizes that all agree on; None unless all are shapes."""
        shape = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            shape = shape.most_specific_compatible_shape(other)
        return shape

    def concatenate(self, other: Any) -> TensorShape:
        """This shape followed by the other."""
        other = as_shape(other)
        if self._sizes is None or other._sizes is None:
            return TensorShape(None)
        return of_tuple(self._sizes + other._sizes)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return as_shape(other).concatenate(self)

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> int | Any: ...  # None where the size is not known
    @overload
    def __getitem__(self, key: slice, /) -> TensorShape: ...
    def __getitem__(self, key: Any, /) -> Any:
        if self._sizes is None:
            return self._slice_of_unknown(key) if isinstance(key, slice) else None
        found = self._sizes[key]
        return of_tuple(found) if isinstance(key, slice) else found

    @staticmethod
    def _slice_of_unknown(key: slice) -> TensorShape:
        """A slice of a shape of unknown rank: only its length may be known."""
        start, stop = key.start or 0, key.stop
        if key.step is not None:
            raise OpValueError("Steps are not yet handled")
        if stop is None or start < 0 or stop < 0:
            return TensorShape(None)
        return TensorShape([None] * max(stop - start, 0))

    def __iter__(self) -> Iterator[Any]:
        if self._sizes is None:
            raise OpValueError("Cannot iterate over a shape with unknown rank.")
        return iter(self._sizes)

    def index(self, value: Any, start: int = 0, stop: int = sys.maxsize) -> int:
        """The first place of a size, as of a tuple."""
        return tuple(self).index(value, start, stop)

    def count(self, value: Any) -> int:
        """How many axes have this size, as of a tuple."""
        return tuple(self).count(value)

    def __bool__(self) -> bool:
        return self._sizes is not None

    def __len__(self) -> int:
        if self._sizes is None:
            raise OpValueError("Cannot take the length of shape with unknown rank.")
        return len(self._sizes)

    def __eq__(self, other: object) -> bool:
        try:
            other = as_shape(other)
        except (TypeError, ValueError):
            return NotImplemented
        return self._sizes == other._sizes

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(self._sizes)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._sizes,)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._sizes is None else list(self._sizes)})"

    def __str__(self) -> str:
        return "<unknown>" if self._sizes is None else repr(self._sizes)


def of_tuple(sizes: tuple[Any, ...] | None) -> TensorShape:
    """The TensorShape of sizes that need no check; of unknown rank for None."""
    shape = _new(TensorShape)
    shape._sizes = sizes
    return shape


_new = object.__new__


def as_shape(value: Any) -> TensorShape:
    """Convert `value` to a TensorShape."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def _size(value: Any) -> int | None:
    if value is None or type(value) is UnknownDimension:
        return None
    try:
        size = value.__index__()
    except (AttributeError, TypeError):
        raise OpTypeError(
            f"Dimension value must be integer or None or have an __index__ method, got value '{value!r}' "
            f"with type '{type(value)!r}'"
        ) from None
    if size < 0:
        raise OpValueError(f"Dimension {size} must be >= 0")
    return int(size)
