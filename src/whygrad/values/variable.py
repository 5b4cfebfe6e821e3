"""Variable: a name for a changing value. The values themselves are immutable: assigning rebinds the name."""

from __future__ import annotations

import enum
import gc
import itertools
import os
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from whygrad._public import export
from whygrad.runtime.call_sites import Scope
from whygrad.runtime.error_state import restore, silence
from whygrad.runtime.malloc import LARGE, keep_freed_memory
from whygrad.runtime.reference_counts import ATTRIBUTE_ALONE, TEMPORARY_ARGUMENT, count
from whygrad.runtime.threads import other_threads
from whygrad.values import conversion, dtypes, shapes
from whygrad.values.absent import explain_habits
from whygrad.values.errors import OpRuntimeError, OpTypeError, OpValueError, behind, invalid, shape_text
from whygrad.values.faults import AssignedShape, ChangedInPlace, UpdateShape, VariableItemAssigned
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.names import scopes
from whygrad.values.recorders import Recorder, left_function, observers, private_values, state
from whygrad.values.tensor import Operand, Reference, SymbolicTensor, Tensor, placement, value_text, wrap

Array = Any


@export("VariableSynchronization")
class VariableSynchronization(enum.Enum):
    """When the copies of a distributed variable are synchronized. Here there is one copy.

    >>> import whygrad as tf
    >>> tf.Variable(1.0).synchronization
    <VariableSynchronization.AUTO: 0>
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@export("VariableAggregation")
class VariableAggregation(enum.Enum):
    """How the copies of a distributed variable are aggregated. Here there is one copy.

    >>> import whygrad as tf
    >>> tf.Variable(1.0).aggregation
    <VariableAggregation.NONE: 0>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


_constructed = itertools.count()  # variables are listed in order of construction


@export("Variable")
class Variable(Operand):
    """A value that can be reassigned; tapes watch it when it is read (unless `trainable=False`).

    >>> import whygrad as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> v
    <tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>
    >>> v.assign_add([1.0, 1.0])
    <tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([2., 3.], dtype=float32)>
    >>> v[1:].assign([9.0]).numpy()
    array([2., 9.], dtype=float32)
    """

    __slots__ = (
        "__dict__", "__weakref__", "_constraint", "_lock", "_name", "_number", "_shape", "_trainable", "_value", "aggregation", "synchronization",
    )  # fmt: skip

    _value: Tensor
    # How the library that made it calls it, where that says more than its name: Keras's `dense_1/kernel`.
    _path: str | None = None
    _scope: Scope | None = None  # the library's object that made it
    _layout: Any = None  # the layout of the value on several devices, for variables created in a strategy's scope

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
            raise OpValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        if callable(initial_value) and not isinstance(initial_value, Tensor | Variable):
            # As in TensorFlow: a function that creates the variable when it is traced needs its value then.
            with left_function():
                initial_value = initial_value()
        if constraint is not None and not callable(constraint):
            raise OpValueError(
                f"Argument `constraint` must be None or a callable. a callable. Got a {type(constraint)}:  {constraint}"
            )
        wanted = None if dtype is None else dtypes.as_dtype(dtype)
        try:
            value = conversion.convert(initial_value, wanted)
        except ValueError as error:
            raise OpValueError(behind("initial_value: ", error)) from None
        self._shape = value.shape if shape is None else shapes.as_shape(shape)
        if not self._shape.is_compatible_with(value.shape):
            raise OpValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({value.shape}) is not compatible with the "
                f"explicitly supplied `shape` argument ({shape})."
            )
        # A new tensor with a new identity: wrapping a computed tensor cuts the path to it, as in TensorFlow.
        self._value = wrap(value._array)
        if getattr(value._array, "nbytes", 0) >= LARGE:
            keep_freed_memory()
        self._trainable = True if trainable is None else bool(trainable)
        self._name = scopes.prefix + (name or "Variable") + ":0"
        self._constraint = constraint
        self._lock = threading.RLock()  # held while the value changes, if other threads live
        self._number = next(_constructed)
        self.synchronization = _one_of(VariableSynchronization, synchronization, "synchronization", name)
        self.aggregation = _one_of(VariableAggregation, aggregation, "aggregation", name)
        origin = value if isinstance(initial_value, Tensor | Variable) else None
        self._notify("created", origin)
        if state.context is None:
            for each in observers:  # of the program, where this is computed at once while a function is being traced
                if isinstance(each, Recorder) and each not in state.recorders:
                    each.variable_set("created", self, origin)
        if state.layout is not None:
            state.layout(self)

    # -- attributes --

    @property
    def shape(self) -> shapes.TensorShape:
        """The shape; may contain None if the variable was created with such a `shape`."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return self._value.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.value_here.ndim

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
        """The device of the value."""
        return self.value_here.device

    @property
    def handle(self) -> Variable:
        """The variable itself: there is no separate resource."""
        return self

    def get_shape(self) -> shapes.TensorShape:
        """The shape, like `shape`."""
        return self._shape

    def set_shape(self, shape: Any) -> None:
        """Narrow the declared shape."""
        self._shape = self._shape.merge_with(shape)

    def ref(self) -> Reference:
        """A hashable reference, for use as a key."""
        return Reference(self)

    experimental_ref = ref

    def is_initialized(self, name: str | None = None) -> Any:
        """Always True: a variable has a value from the start."""
        return conversion.convert(True, None)

    @property
    def _unique_id(self) -> str:
        """A name that no other variable has. Keras's optimizers tell variables apart by it."""
        return f"{self._name.removesuffix(':0')}_{self._number}"

    @property
    def initializer(self) -> None:
        """None: there is nothing to run."""
        return None

    @property
    def initial_value(self) -> Any:
        """Not available: the initial value is not kept."""
        raise OpRuntimeError("This property is not supported when eager execution is enabled.")

    # -- reading --

    @property
    def value_here(self) -> Tensor:
        """The value for this thread: symbolic while it traces a function that uses the variable. `_value` is for all threads."""
        return self._value if state.private is None else state.private.of(self.handle)

    def read(self) -> Tensor:
        """The current value as ops take it: every recorder is notified that the variable was read."""
        recorders = state.recorders
        value = self._value
        if not private_values and type(value) is Tensor and value._key is not None:
            key = value._key
            for recorder in recorders:
                # Most likely the tapes have seen this value read before. Recorders that are no tapes have `unmarked` of other kinds.
                if key.mark is not recorder.mark and (
                    type(recorder.unmarked) is not set or key not in recorder.unmarked
                ):
                    break
            else:
                return value
        if private_values:
            if state.context is not None:
                state.context.variable_read(self)  # first: tapes follow the symbolic value
            value = self.value_here
        while recorders:
            for recorder in recorders:
                recorder.variable_read(self)
            now = self.value_here if private_values else self._value
            if now is value:
                break
            value = now  # another thread assigned the variable meanwhile: recorders must know the value that is used
        return value if type(value) is Tensor else conversion.convert(value, None)

    def current(self) -> Tensor:
        """The current value as an op takes it. Tapes are not notified of the read; a function being compiled is."""
        if private_values and state.context is not None:
            state.context.variable_read(self)
        value = self.value_here if private_values else self._value
        return value if type(value) is Tensor else conversion.convert(value, None)

    def numpy(self) -> Any:
        """The current value as a new NumPy array."""
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
        return format(self.read(), spec) if spec and not self.value_here._array.shape else format(str(self), spec)

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.read())

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise OpTypeError(VariableItemAssigned(kind=type(self).__name__))

    def __len__(self) -> int:
        return len(self.value_here)

    __hash__ = object.__hash__

    # -- writing: tapes do not record it --

    def assign(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Assign a new value of the variable's dtype and shape. Returns the variable (None with `read_value=False`)."""
        new = conversion.convert(value, self.dtype)
        if not self._shape.is_compatible_with(new.shape):
            raise OpValueError(AssignedShape(variable=self._shape, value=new._array.shape, name=self.name))
        return self.rebind(new._array, read_value, new if isinstance(value, Tensor | Variable) else None)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Add `delta`, of the variable's shape, to the value."""
        is_temporary = type(delta) is Tensor and count(delta) == TEMPORARY_ARGUMENT
        return self._combine(np.add, delta, is_temporary, "AssignAddVariableOp", read_value)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Variable:
        """Subtract `delta`, of the variable's shape, from the value."""
        is_temporary = type(delta) is Tensor and count(delta) == TEMPORARY_ARGUMENT
        return self._combine(np.subtract, delta, is_temporary, "AssignSubVariableOp", read_value)

    def _combine(self, combine: np.ufunc, delta: Any, is_temporary: bool, op_name: str, read_value: bool) -> Variable:
        """Add or subtract. `is_temporary`: the caller holds no reference to `delta`, as in `v.assign_sub(rate * g)`."""
        fits = type(delta) is Tensor and delta._array.dtype is self._value._array.dtype
        origin = delta if fits else conversion.convert(delta, self.dtype)
        of_tensor = isinstance(delta, Tensor)
        if other_threads():
            with self._lock:
                return self._combine_alone(combine, origin, is_temporary, of_tensor, op_name, read_value)
        return self._combine_alone(combine, origin, is_temporary, of_tensor, op_name, read_value)

    def _combine_alone(
        self, combine: np.ufunc, origin: Tensor, is_temporary: bool, of_tensor: bool, op_name: str, read_value: bool
    ) -> Variable:
        """Add or subtract `origin` while no other thread changes the variable."""
        current = self.current()
        if current._array.dtype.kind not in "fciuV":  # bfloat16's kind is V
            raise invalid(
                f"No OpKernel was registered to support Op '{op_name}' with these attrs: [dtype={self.dtype.name}]"
            )
        if origin._array.shape != current._array.shape:
            raise invalid(UpdateShape(variable=current._array.shape, value=origin._array.shape, op=op_name))
        if type(current) is not Tensor or type(origin) is not Tensor:
            new = placement.engine.compute(combine.__name__, [current._array, origin._array], {})
        else:
            del current
            # The value's memory may be in the caches of all cores that computed with it, and would have to be invalidated there
            # before it is written. The memory of a large `delta` was just written by this core.
            room = None
            if is_temporary and origin._array.nbytes >= _LARGE and origin._array.flags.c_contiguous:
                room = _array_if_unshared(origin)
            if room is None:
                room = self._unshared()
            token = silence()
            try:
                array = (self.value_here if private_values else self._value)._array
                new = np.asarray(combine(array, origin._array, out=room))
            finally:
                restore(token)
        return self.rebind(new, read_value, origin if of_tensor else None)

    # `v += x` would rebind the name `v` to a tensor and leave the variable unchanged, which is never intended.

    def __iadd__(self, other: Any) -> NoReturn:
        raise _not_in_place("+", "variable.assign_add(value)")

    def __isub__(self, other: Any) -> NoReturn:
        raise _not_in_place("-", "variable.assign_sub(value)")

    def __imul__(self, other: Any) -> NoReturn:
        raise _not_in_place("*")

    def __itruediv__(self, other: Any) -> NoReturn:
        raise _not_in_place("/")

    def __ipow__(self, other: Any) -> NoReturn:
        raise _not_in_place("**")

    def load(self, value: Any, session: Any = None) -> None:
        """Like `assign`; returns nothing."""
        self.assign(value)

    def assign_slice(self, index: tuple[Any, ...], value: Any) -> Variable:
        """Implement `variable[index].assign(value)`: write to the part at a basic index."""
        origin = conversion.convert(value, self.dtype)
        new = origin._array
        with self._lock:
            part = self.value_here._array[index].shape
            if not _fits(new.shape, part):
                raise invalid(
                    f"Cannot broadcast input shape {shape_text(new.shape)} into final shape {shape_text(part)} "
                    "[Op:ResourceStridedSliceAssign]"
                )
            current = self.current()
            if type(current) is not Tensor or type(origin) is not Tensor:
                array = placement.engine.compute("put_slot", [current._array, new], {"index": index})
            else:
                del current
                array = self.writable()
                array[index] = new
            return self.rebind(array, origin=origin if isinstance(value, Tensor) else None)

    def writable(self) -> Array:
        """The value as an array to write to and `rebind`: a copy, unless nothing else refers to the array.

        A value that was read never changes. But if no tensor, view, record or user holds the array, writing to it is equivalent to writing
        to a copy, and updating some rows of a large table costs only those rows.
        """
        array = self._unshared()
        return np.array(self.current()._array, order="C") if array is None else array

    def _unshared(self) -> Array | None:
        """The value's array if nothing else refers to it and it is writable, else None.

        Always None while other threads live: one may read the variable while NumPy, which releases the lock, writes.
        """
        if other_threads() or private_values or count(self._value) != ATTRIBUTE_ALONE:
            return None
        return _array_if_unshared(self._value)

    def rebind(self, array: Array, read_value: bool = True, origin: Tensor | None = None) -> Variable:
        """Make `array`, which must not be written to from now on, the value, with a new identity.

        `origin` is the tensor it was computed from, which recorders are notified of. Updates that read the value first hold
        `_lock` from there on, if other threads live.
        """
        if private_values and state.private is not None:
            state.private.values[self.handle] = wrap(array)
        elif other_threads():
            with self._lock:
                self._value = wrap(array)
        else:
            self._value = wrap(array)
        if state.recorders:
            self._notify("assigned", origin)
        return UnreadVariable(self) if read_value else None  # type: ignore[return-value]

    def _notify(self, kind: str, origin: Tensor | None) -> None:
        for recorder in state.recorders:
            recorder.variable_set(kind, self, origin)

    # `whygrad.ops.variables` sets the methods that use ops; these lines declare them for type checkers.
    if TYPE_CHECKING:

        def read_value(self) -> Tensor: ...
        def value(self) -> Tensor: ...
        def sparse_read(self, indices: Any, name: str | None = None) -> Tensor: ...
        def gather_nd(self, indices: Any, name: str | None = None) -> Tensor: ...
        def count_up_to(self, limit: int) -> Tensor: ...
        def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Variable: ...
        def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Variable: ...
        def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Variable: ...
        def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Variable: ...
        def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Variable: ...
        def scatter_update(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_add(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_sub(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_mul(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_div(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_max(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def scatter_min(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...
        def batch_scatter_update(
            self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
        ) -> Variable: ...

    # -- copying and printing --

    def placeholder(self) -> Variable:
        """A variable with the same value and settings, that stands for this one and others like it while a function is traced."""
        stand_in = object.__new__(Variable)
        stand_in.__dict__.update(self.__dict__)
        for name in ("_constraint", "_name", "_number", "_shape", "_trainable", "aggregation", "synchronization"):
            setattr(stand_in, name, getattr(self, name))
        stand_in._value = wrap(self._value._array)
        stand_in._lock = threading.RLock()
        return stand_in

    def __copy__(self) -> Variable:
        return self  # as in TensorFlow: two variables with one value would be no shallow copy

    def __deepcopy__(self, memo: Any) -> Variable:
        copied = Variable(
            self.value_here,
            trainable=self._trainable,
            name=self._name.removesuffix(":0"),
            constraint=self._constraint,
            synchronization=self.synchronization,
            aggregation=self.aggregation,
            shape=self._shape,
        )
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.value_here, self._trainable, self._name.removesuffix(":0"), self._shape)

    def __repr__(self) -> str:
        value = self.value_here
        shown = "" if isinstance(value, SymbolicTensor) else f", numpy={value_text(value._array, repr)}"
        return f"<tf.Variable '{self.name}' shape={self._shape} dtype={self.dtype.name}{shown}>"

    __str__ = __repr__


class UnreadVariable(Variable):
    """The result of assigning: the variable itself, under the name that TensorFlow prints."""

    __slots__ = ("_origin",)

    def __init__(self, origin: Variable) -> None:
        self._origin = origin
        self._name = "UnreadVariable"

    @property
    def handle(self) -> Variable:
        """The variable that was assigned to."""
        return self._origin.handle

    def read(self) -> Tensor:
        """The current value of the variable that was assigned to."""
        return self._origin.read()

    def _get_value(self) -> Tensor:
        return self._origin._value

    def _set_value(self, value: Tensor) -> None:
        self._origin._value = value

    _value = property(_get_value, _set_value)


def _of_origin(name: str) -> property:
    """An attribute that an UnreadVariable, one per update, takes from its variable."""

    def get(self: UnreadVariable) -> Any:
        return getattr(self._origin, name)

    def set(self: UnreadVariable, value: Any) -> None:
        setattr(self._origin, name, value)

    return property(get, set)


for _attribute in ("_constraint", "_lock", "_number", "_shape", "_trainable", "aggregation", "synchronization"):
    setattr(UnreadVariable, _attribute, _of_origin(_attribute))


def _not_in_place(operator: str, instead: str | None = None) -> RuntimeError:
    name = "var" if instead is None else "variable"
    instead = instead or f"var.assign(var {operator} value)"
    return OpRuntimeError(ChangedInPlace(operator=operator, name=name, instead=instead))


def _renew_locks() -> None:
    """In a forked child: the threads that may have held locks do not exist there."""
    if other_threads():
        for each in gc.get_objects():
            if issubclass(type(each), Variable) and type(each) is not UnreadVariable:
                each._lock = threading.RLock()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_renew_locks)

conversion.readers.update({Variable: Variable.read, UnreadVariable: UnreadVariable.read})


def _restore(value: Tensor, trainable: bool, name: str, shape: Any) -> Variable:
    return Variable(value, trainable=trainable, name=name, shape=shape)


def _one_of(modes: Any, given: Any, what: str, name: str | None) -> Any:
    """A mode of distributed variables, given as itself or by number; the first one by default."""
    if given is None:
        return next(iter(modes))
    try:
        return modes(getattr(given, "value", given))
    except ValueError:
        raise OpValueError(f"Invalid variable {what} mode: {given} for variable: {name}") from None


def _fits(shape: tuple[int, ...], part: tuple[int, ...]) -> bool:
    """Return whether a value of `shape` can be written to a part of that shape: it broadcasts, ignoring leading ones."""
    while len(shape) > len(part) and shape[0] == 1:
        shape = shape[1:]
    return len(shape) <= len(part) and all(a in (1, b) for a, b in zip(shape[::-1], part[::-1]))


_LARGE = 1 << 16  # bytes


def _array_if_unshared(tensor: Tensor) -> Array | None:
    """The array of a tensor that nothing else refers to, if nothing else refers to the array either and it is writable."""
    if count(tensor._array) != ATTRIBUTE_ALONE:
        return None
    array = tensor._array
    return array if type(array) is np.ndarray and array.base is None and array.flags.writeable else None


explain_habits(Variable)
