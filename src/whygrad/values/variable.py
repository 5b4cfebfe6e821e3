"""Variable: a name for a value that changes. The value itself never does: assigning rebinds."""

from __future__ import annotations

import itertools
from typing import Any

from whygrad.values import conversion, dtypes, shapes
from whygrad.values.recorders import state
from whygrad.values.tensor import Reference, Tensor, value_text, wrap


_constructed = itertools.count()  # variables are listed in the order of their construction


class Variable:
    """A value that can be assigned anew, watched by tapes when it is read (unless `trainable=False`).

    >>> import whygrad as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> v.assign_add([1.0, 1.0])
    <tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    >>> v[1:].assign([9.0])
    <tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([2., 9.], dtype=float32)>
    """

    __slots__ = (
        "__dict__", "__weakref__", "_constraint", "_name", "_number", "_shape", "_trainable", "_value", "aggregation", "synchronization",
    )  # fmt: skip

    _value: Tensor

    __array_priority__ = 100

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        import_scope: Any = None,
        constraint: Any = None,
        synchronization: Any = None,
        aggregation: Any = None,
        shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a `variable_def`."
            )
        if callable(initial_value) and not isinstance(initial_value, Tensor | Variable):
            initial_value = initial_value()
        if constraint is not None and not callable(constraint):
            raise ValueError(
                f"Argument `constraint` must be None or a callable. a callable. Got a {type(constraint)}:  {constraint}"
            )
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        # A value of its own, with an identity of its own: wrapping a computed tensor cuts the path to it, as in TensorFlow.
        self._value = wrap(conversion.convert(initial_value, wanted)._array)
        self._trainable = True if trainable is None else trainable
        self._name = (name or "Variable") + ":0"
        self._constraint = constraint
        self._shape = self._value.shape if shape is None else shapes.as_shape(shape)
        if not self._shape.is_compatible_with(self._value.shape):
            raise ValueError(
                f"The initial value's shape ({self._value.shape}) is not compatible with the explicitly supplied `shape` argument ({self._shape})."
            )
        self._number = next(_constructed)
        self.synchronization = synchronization
        self.aggregation = aggregation

    # -- what it is --

    @property
    def shape(self) -> shapes.TensorShape:
        """The shape; may hold None where the variable was made with such a `shape`."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return self._value.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._value.ndim

    @property
    def name(self) -> str:
        """The name, with TensorFlow's `:0`."""
        return self._name

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read."""
        return self._trainable

    @property
    def constraint(self) -> Any:
        """The projection an optimizer applies after an update, or None."""
        return self._constraint

    @property
    def device(self) -> str:
        """Where the value lives."""
        return self._value.device

    @property
    def handle(self) -> Variable:
        """The variable itself: there is no separate resource."""
        return self

    def get_shape(self) -> shapes.TensorShape:
        """The shape, as `shape`."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Narrow the declared shape."""
        self._shape = self._shape.merge_with(shape)

    def ref(self) -> Reference:
        """A hashable reference, for use as a key."""
        return Reference(self)

    def is_initialized(self, name: str | None = None) -> Any:
        """Always True: a variable has a value from the start."""
        return conversion.convert(True, None)

    @property
    def initialized_value(self) -> Tensor:
        """The value."""
        return self.read()

    # -- reading --

    def read(self) -> Tensor:
        """The current value as ops take it: every recorder is told that the variable was read."""
        for recorder in state.recorders:
            recorder.variable_read(self)
        return self._value

    def numpy(self) -> Any:
        """The current value as a NumPy array of its own."""
        return self.read().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.read().__array__(dtype, copy)

    def __bool__(self) -> bool:
        return bool(self.read())

    def __int__(self) -> int:
        return int(self.read())

    def __float__(self) -> float:
        return float(self.read())

    def __complex__(self) -> complex:
        return complex(self.read())

    def __index__(self) -> int:
        return self.read().__index__()

    def __format__(self, spec: str) -> str:
        return format(self.read(), spec) if not self._value._array.shape else format(str(self), spec)

    def __iter__(self) -> Any:
        return iter(self.read())

    def __len__(self) -> int:
        return len(self._value)

    __hash__ = object.__hash__

    # -- writing --

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Give the variable a new value of its dtype and shape."""
        new = conversion.convert(value, self.dtype)
        if not self._shape.is_compatible_with(new.shape):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch."
                f"The variable shape {self._shape}, and the assigned value shape {new.shape} are incompatible."
            )
        self._value = wrap(new._array)
        return self

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Add `delta` to the value."""
        return self._update(delta, "assign_add", lambda value, change: value + change)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Subtract `delta` from the value."""
        return self._update(delta, "assign_sub", lambda value, change: value - change)

    def _update(self, delta: Any, what: str, combine: Any) -> Variable:
        change = conversion.convert(delta, self.dtype)
        if not self._value.shape.is_compatible_with(change.shape):
            raise ValueError(
                f"Cannot {what} value to variable '{self.name}': Shape mismatch."
                f"The variable shape {self._shape}, and the value shape {change.shape} are incompatible."
            )
        self._value = wrap(combine(self._value._array, change._array))
        return self

    # -- copying and printing --

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Any) -> Variable:
        copied = Variable(
            self._value,
            trainable=self._trainable,
            name=self._name.removesuffix(":0"),
            constraint=self._constraint,
            shape=self._shape,
        )
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._value, self._trainable, self._name.removesuffix(":0"), self._shape)

    def __repr__(self) -> str:
        value = value_text(self._value._array, repr)
        return f"<tf.Variable '{self.name}' shape={self._shape} dtype={self.dtype.name}, numpy={value}>"

    __str__ = __repr__


def _restore(value: Tensor, trainable: bool, name: str, shape: Any) -> Variable:
    return Variable(value, trainable=trainable, name=name, shape=shape)
