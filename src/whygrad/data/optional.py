"""Optional: a value that an iterator may have or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.data.structure import as_component, flatten, map_structure, same_structure, spec_of
from whygrad.values.composite import CompositeTensor
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.tensor import Tensor, wrap

_TRUE, _FALSE = np.array(True), np.array(False)


@export("OptionalSpec")
class OptionalSpec:
    """The spec of an `Optional`.

    >>> import whygrad as tf
    >>> tf.experimental.Optional.from_value(tf.ones(2)).element_spec
    TensorSpec(shape=(2,), dtype=tf.float32, name=None)
    """

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec

    @property
    def value_type(self) -> type:
        """The class of the values: Optional."""
        return Optional

    @staticmethod
    def from_value(value: Optional) -> OptionalSpec:
        """The spec of an optional."""
        return OptionalSpec(value.element_spec)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether an optional, or its spec, has a value of these specs."""
        if not isinstance(spec_or_value, Optional | OptionalSpec):
            return False
        other = spec_or_value.element_spec if isinstance(spec_or_value, Optional) else spec_or_value._element_spec
        return same_structure(self._element_spec, other) and all(
            a is b or a.is_compatible_with(b) for a, b in zip(flatten(self._element_spec), flatten(other))
        )

    def most_specific_compatible_type(self, other: Any) -> OptionalSpec:
        """The spec itself, which must equal the other."""
        if self != other:
            raise OpValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionalSpec) and self._element_spec == other._element_spec

    def __hash__(self) -> int:
        return hash((OptionalSpec, *flatten(self._element_spec)))

    def __repr__(self) -> str:
        return f"OptionalSpec({self._element_spec!r})"


@export("experimental.Optional")
class Optional(CompositeTensor):
    """A value, or none: what `iterator.get_next_as_optional()` returns.

    >>> import whygrad as tf
    >>> iterator = iter(tf.data.Dataset.range(1))
    >>> first, second = iterator.get_next_as_optional(), iterator.get_next_as_optional()
    >>> bool(first.has_value()), bool(second.has_value()), first.get_value().numpy()
    (True, False, np.int64(0))
    """

    def __init__(self, value: Any, has_value: bool, element_spec: Any = None) -> None:
        self._value = value
        self._has_value = has_value
        self._element_spec = element_spec

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An optional with a value, a structure of tensors."""
        return Optional(map_structure(_as_held, value), True)

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """An optional without a value."""
        return Optional(None, False, element_spec)

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value, as a tensor."""
        return wrap(_TRUE if self._has_value else _FALSE)

    def get_value(self, name: str | None = None) -> Any:
        """The value; raises InvalidArgumentError if there is none."""
        if not self._has_value:
            raise invalid("The given optional does not have a value.")
        return self._value

    @property
    def element_spec(self) -> Any:
        """The spec of the value."""
        if self._has_value and self._element_spec is None:
            self._element_spec = spec_of(self._value)
        return self._element_spec


def _as_held(value: Any) -> Any:
    """A leaf of the value: a tensor as it is, since to read what a compiled call returned would wait for the call to end."""
    return value if isinstance(value, Tensor) else as_component(value)
