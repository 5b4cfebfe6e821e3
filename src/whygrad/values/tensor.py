"""Tensor: an immutable array with an identity that tapes can watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from whygrad._public import export
from whygrad.values import dtypes, shapes
from whygrad.values.absent import Absent, explain_habits
from whygrad.values.errors import Explained, OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.faults import ItemAssigned, ManyNumbers, ManyTruthValues, NoElements, NotAScalar
from whygrad.values.recorders import Mark, state

if TYPE_CHECKING:
    from whygrad.values.variable import Variable

Array = Any  # numpy.ndarray, or an engine's own array


class Key:
    """A tensor's identity for tapes: its shape and dtype, without its data.

    Keys are compared by identity. Tapes hold keys, so a tape keeps no array alive that its rules do not need.
    """

    __slots__ = ("__weakref__", "dtype", "mark", "shape")

    # Set by the caller, for every recorded op: a constructor with arguments would take twice as long.
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    mark: Mark | None  # of a recorder that watches the tensor (see `Recorder.watches`), or None


class Operand:
    """Base class of Tensor and Variable: the operators, which `whygrad.ops.operators` sets."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __getitem__(self, key: Any) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __eq__(self, other: Any) -> Any: ...
        def __ne__(self, other: Any) -> Any: ...


@export("Tensor")
class Tensor(Operand):
    """An immutable, typed array. Created by `constant`, by ops, and by reading a `Variable`.

    Operators and indexing are those of TensorFlow; they are defined with the ops (`whygrad.ops`).

    >>> import whygrad as tf
    >>> t = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> print(t * 2)
    tf.Tensor(
    [[2. 4.]
     [6. 8.]], shape=(2, 2), dtype=float32)
    >>> t[0, 1]
    <tf.Tensor: shape=(), dtype=float32, numpy=2.0>
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_key", "_slice_of")

    _array: Array
    _key: Key | None
    _slice_of: tuple[Variable, tuple[Any, ...]]  # only on slices of a variable

    # NumPy defers to Tensor: `array * tensor` is a Tensor.
    __array_priority__ = 100

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise OpTypeError("Tensors are made with tf.constant or tf.convert_to_tensor, not with tf.Tensor(...).")

    # -- attributes --

    @property
    def shape(self) -> shapes.TensorShape:
        """The shape, a `TensorShape`."""
        return shapes.of_tuple(self._array.shape)

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return dtypes.of_array(self._array)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._array.shape)

    @property
    def device(self) -> str:
        """The device of the value, in TensorFlow's notation."""
        return "/job:localhost/replica:0/task:0/device:CPU:0"

    backing_device = device

    def get_shape(self) -> shapes.TensorShape:
        """The shape, like `shape`."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check that the shape is compatible with `shape`."""
        if not self.shape.is_compatible_with(shape):
            raise OpValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {shapes.as_shape(shape)}."
            )
        if state.declared is not None:
            state.declared[id(self)] = self, shapes.as_shape(shape)

    def ref(self) -> Reference:
        """A hashable reference, for use as a key."""
        return Reference(self)

    def cpu(self) -> Tensor:
        """The tensor itself."""
        return self

    # -- conversion to NumPy and Python --

    def numpy(self) -> Any:
        """The value as a new NumPy array or a NumPy scalar. Computations with it leave the tape."""
        return self._leave().copy() if self._array.shape else self._leave()[()]

    def _leave(self) -> np.ndarray[Any, Any]:
        """Notify the recorders that the value leaves the tape, and return it as a NumPy array."""
        for recorder in state.recorders:
            recorder.left_for_numpy(self)
        return np.asarray(self._array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self._leave()
        if copy or (dtype is not None and array.dtype != dtype):
            if copy is False:
                raise OpValueError(
                    f"A tensor of dtype {self.dtype.name} is not an array of dtype {dtype} without a copy."
                )
            return np.array(array, dtype=dtype)
        view = array.view()
        view.flags.writeable = False  # as in TensorFlow: this is the tensor's own memory, and tensors are immutable
        return view

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        if copy is False:  # the consumer could write to it
            raise BufferError("a tensor never changes: its memory is given away as a copy, and copy=False refuses one")
        return self._leave().copy().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device)

    def __dlpack_device__(self) -> tuple[int, int]:
        return np.asarray(self._array).__dlpack_device__()

    def __buffer__(self, flags: int) -> memoryview:
        array: Any = self._leave()
        return memoryview(array).toreadonly()  # Python 3.12 and later ask for it: `memoryview(tensor)`

    def __bool__(self) -> bool:
        try:
            return bool(self._leave()) if self._array.size else False
        except (TypeError, ValueError) as error:
            raise self._not_one(error, ManyTruthValues) from None

    def __int__(self) -> int:
        try:
            return int(_real_part(self._leave()))
        except (TypeError, ValueError) as error:
            raise self._not_one(error, ManyNumbers) from None

    def __float__(self) -> float:
        try:
            return float(_real_part(self._leave()))
        except (TypeError, ValueError) as error:
            raise self._not_one(error, ManyNumbers) from None

    def __complex__(self) -> complex:
        try:
            return complex(self._leave())
        except (TypeError, ValueError) as error:
            raise self._not_one(error, ManyNumbers) from None

    def __index__(self) -> int:
        try:
            return self._leave().__index__()
        except (TypeError, ValueError) as error:
            raise self._not_one(error, ManyNumbers) from None

    def _not_one(self, error: Exception, fault: type[NotAScalar]) -> Exception:
        """NumPy's error as one that can say its causes; one of ours as it is."""
        if isinstance(error, Explained):
            return error
        kind = OpTypeError if isinstance(error, TypeError) else OpValueError
        return kind(fault(message=str(error)) if self._array.shape else str(error))

    def __round__(self, digits: int | None = None) -> Any:
        return round(self.numpy(), digits) if digits is not None else round(self.numpy())

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec)  # as in TensorFlow, f"{t}" shows only the value

    # -- unsupported operations --

    def __dir__(self) -> list[str]:
        return [name for name in object.__dir__(self) if type(Tensor.__dict__.get(name)) is not Absent]

    def consumers(self) -> Any:
        """Raise NotImplementedError: only graphs have consumers."""
        raise OpNotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Raise NotImplementedError: only graphs need evaluation."""
        raise OpNotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    # -- slices of variables --

    @property
    def assign(self) -> Callable[..., Variable]:
        """For a slice of a variable: `variable[1:].assign(value)` writes to that part of the variable."""
        try:
            variable, index = self._slice_of
        except AttributeError:
            raise Absent("assign", _OF_VARIABLES).error() from None

        def assign(val: Any, name: str | None = None) -> Variable:
            return variable.assign_slice(index, val)

        return assign

    # -- container protocol --

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise OpTypeError(ItemAssigned(kind=type(self).__name__))

    def __len__(self) -> int:
        if not self._array.shape:
            raise OpTypeError(NoElements(wording="Scalar tensor has no `len()`"))
        return int(self._array.shape[0])

    def __iter__(self) -> Iterator[Tensor]:
        if not self._array.shape:
            raise OpTypeError(NoElements(wording="Cannot iterate over a scalar tensor."))
        elements = (self[i] for i in range(self._array.shape[0]))
        return elements if state.context is None else state.context.iterations(elements)

    # Hash by identity, although == compares elements: tensors serve as dictionary keys.
    __hash__ = object.__hash__

    # -- copying: tensors are immutable, so a copy is the tensor itself --

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (np.asarray(self._array),)

    # -- printing, in TensorFlow's format --

    def __str__(self) -> str:
        return f"tf.Tensor({value_text(self._array, str)}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        value = value_text(self._array, repr)
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={value}>"


def _real_part(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array as `int` and `float` take it: without the imaginary part, with NumPy's warning that it is discarded."""
    return array.astype(array.real.dtype) if array.dtype.kind == "c" else array


_OF_GRAPHS = "Tensor.{} is undefined when eager execution is enabled."
_OF_VARIABLES = (
    "'Tensor' object has no attribute '{}'. A tensor never changes: make it a tf.Variable, and keep the variable rather than "
    "what is computed from it"
)
_OF_ARRAYS = (
    "EagerTensor object has no attribute '{}'. If you are looking for numpy-related methods, please run the following: "
    "tf.experimental.numpy.experimental_enable_numpy_behavior()"
)
for _message, _names in {
    _OF_GRAPHS: ("graph", "name", "op", "value_index"),
    _OF_VARIABLES: ("assign_add", "assign_sub", "scatter_add", "scatter_nd_add", "scatter_sub"),
    _OF_ARRAYS: ("T", "astype", "clip", "data", "ravel", "reshape", "size", "tolist", "transpose"),
}.items():
    for _name in _names:
        setattr(Tensor, _name, Absent(_name, _message))
explain_habits(Tensor)

_new = Tensor.__new__
_SCALARS = (np.generic, bytes)  # a union would be rebuilt at each check


def wrap(array: Array) -> Tensor:
    """A Tensor that takes over `array`, which must not be written to from now on."""
    if type(array) is not np.ndarray:
        if isinstance(array, _SCALARS):
            array = as_array(array)
        elif placement.engine is not None and placement.engine.owns(array):
            return wrap_placed(array)
    tensor = _new(Tensor)
    tensor._array = array
    tensor._key = None
    return tensor


def as_array(scalar: Any) -> Array:
    """Convert a scalar that NumPy extracted from its array back to an array of that dtype: strings have dtype object."""
    return np.array(scalar, object) if isinstance(scalar, bytes) else np.asarray(scalar)


def answers_numpy() -> bool:
    """Whether NumPy's own functions, called on Tensors, are redirected to whygrad's."""
    return "__array_function__" in Tensor.__dict__


def key_of(tensor: Tensor) -> Key:
    """The tensor's identity, created when a tape first meets it."""
    key = tensor._key
    if key is None:
        array = tensor._array
        key = Key()
        key.shape = array.shape
        key.dtype = array.dtype
        key.mark = None
        # Another thread may have made one meanwhile. Python switches threads at calls and jumps backwards: not between these lines.
        known = tensor._key
        if known is not None:
            return known
        tensor._key = key
    return key


def value_text(array: Array, show: Any) -> str:
    """The value in TensorFlow's format for a tensor's `str` or `repr`."""
    if placement.engine is not None and placement.engine.owns(array):
        if not placement.engine.is_whole(array):
            return "<a part of it is in this process>"
        array = placement.engine.fetch(array)
    array = np.asarray(array)
    if not array.shape and array.dtype != object and show is repr:
        return str(repr(array.item()))
    text = str(show(array if array.shape else array[()]))
    return "\n" + text if "\n" in text else text


# -- tensors of the XLA engine --


class Placement:
    """The engine other than NumPy: `PlacedTensor`s hold its arrays."""

    loaded: Any = None  # the XLA engine, once it is loaded
    device: Any = None  # where functions are compiled outside `with whygrad.device(...)`; None: the engine chooses

    @property
    def engine(self) -> Any:
        """The engine of the function that this thread traces, if that has its own, else the XLA engine; None without either."""
        context = state.context
        return self.loaded if context is None or context.engine is None else context.engine


placement = Placement()


class PlacedTensor(Tensor):
    """A tensor whose array is another engine's. Ops compute it by their general form, so that NumPy tensors pay nothing."""

    __slots__ = ()

    def here(self) -> Tensor:
        """The tensor in the form that an op takes now, in this thread."""
        raise NotImplementedError


class DeviceTensor(PlacedTensor):
    """A value that a compiled function returned, or that was put on a device; it is copied to the host when it is read."""

    __slots__ = ("_host",)

    _host: Tensor | None  # the same value as a NumPy array, if that is free

    @property
    def device(self) -> str:
        """The device of the value, in TensorFlow's notation."""
        return str(placement.engine.device_name(self._array))

    backing_device = device

    def cpu(self) -> Tensor:
        """The value in main memory."""
        return self._on_host()

    def here(self) -> Tensor:
        """Inside a function that is being compiled, the input for this value; otherwise the value, in main memory if it is there."""
        if state.context is not None:
            return state.context.capture(self)  # type: ignore[no-any-return]
        return self._on_host() if placement.engine.is_on_host(self._array) else self

    def _leave(self) -> np.ndarray[Any, Any]:
        for recorder in state.recorders:
            recorder.left_for_numpy(self)
        return value_of(self)

    def _on_host(self) -> Tensor:
        if self._host is None:
            host = wrap(placement.engine.fetch(self._array))
            host._key = key_of(self)  # tapes see one tensor; before other threads see this one
            self._host = host
        return self._host


class FollowedTensor(PlacedTensor):
    """A NumPy tensor that a tape watches, while a function that uses it is being compiled: there it is an input.

    A tensor becomes one by setting its class, and a plain one again afterwards.
    """

    __slots__ = ()

    def here(self) -> Tensor:
        """The stand-in for it in the function; in other threads, a plain tensor."""
        if state.context is not None:
            return state.context.capture(self)  # type: ignore[no-any-return]
        plain = wrap(self._array)
        plain._key = key_of(self)  # tapes see one tensor
        return plain


class SymbolicTensor(PlacedTensor):
    """A tensor inside a function that is being compiled: it has a shape and a dtype, but no value until the function runs."""

    __slots__ = ("_context",)

    _context: Any

    def here(self) -> Tensor:
        """The tensor itself, or the input that stands for it in an inner function."""
        if self._context is state.context:
            return self
        if state.context is None:
            raise self._context.leaked(self)
        return state.context.capture(self)  # type: ignore[no-any-return]

    def set_shape(self, shape: Any) -> None:
        """Check the shape, or declare what is known of it where it only stands for one of unknown sizes."""
        if state.declared is None or len(shapes.as_shape(shape)) != self.ndim:
            super().set_shape(shape)
        else:
            state.declared[id(self)] = self, shapes.as_shape(shape)

    def _leave(self) -> np.ndarray[Any, Any]:
        raise self._context.has_no_value(self)

    @property
    def device(self) -> str:
        """Unknown before the function runs."""
        return ""

    def numpy(self) -> Any:
        """Raise AttributeError, as in TensorFlow: the value is unknown before the function runs."""
        raise self._context.has_no_value(self, "numpy")

    def __bool__(self) -> bool:
        raise self._context.has_no_value(self, "bool")

    def __int__(self) -> int:
        raise self._context.has_no_value(self, "int")

    def __float__(self) -> float:
        raise self._context.has_no_value(self, "float")

    def __complex__(self) -> complex:
        raise self._context.has_no_value(self, "complex")

    def __index__(self) -> int:
        raise self._context.has_no_value(self, "index")

    def __round__(self, digits: int | None = None) -> Any:
        raise self._context.has_no_value(self, "round")

    def __str__(self) -> str:
        name = self._context.name_of(self)
        named = f'"{name}", ' if name else ""
        return f"Tensor({named}shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, symbolic>"

    def __format__(self, spec: str) -> str:
        if spec:
            raise self._context.has_no_value(self, "format")
        return str(self)


def wrap_placed(array: Array) -> PlacedTensor:
    """A tensor that holds an array of `placement.engine`."""
    if not placement.engine.is_symbolic(array):
        return device_tensor(array)
    tensor = _new(SymbolicTensor)
    tensor._context = state.context
    tensor._array = array
    tensor._key = None
    if tensor._context is not None:
        tensor._context.hold(tensor)
    return tensor


def placed(tensor: Tensor) -> Tensor:
    """A tensor as one of `placement.engine`, a constant in the function being compiled; tapes see one tensor."""
    if type(tensor) is not Tensor:
        return tensor
    if state.context is not None and state.context.replays:
        return state.context.as_symbolic(tensor)  # type: ignore[no-any-return]
    constant = wrap_placed(placement.engine.lift(placement.engine.put(tensor._array)))
    constant._key = key_of(tensor)
    return constant


def are_known(*tensors: Tensor) -> bool:
    """Return whether all have values now. Symbolic tensors have none."""
    return SymbolicTensor not in map(type, tensors)


def value_of(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The value of an argument that must be known when an op is called, such as a shape; raises for symbolic tensors."""
    if type(tensor) is SymbolicTensor:
        raise tensor._context.has_no_value(tensor, "argument")
    if type(tensor) is DeviceTensor:
        return placement.engine.fetch(tensor._array)  # type: ignore[no-any-return]
    return np.asarray(tensor._array)


def whole_value(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The value of a tensor that may be spread over several processes, all of which must call this."""
    if type(tensor) is DeviceTensor:
        return placement.engine.fetch(placement.engine.whole(tensor._array))  # type: ignore[no-any-return]
    return value_of(tensor)


def on_device(tensor: Tensor, layout: Any = None) -> DeviceTensor:
    """A NumPy tensor as a tensor of the other engine, on the current device; tapes see one tensor.

    With a `layout` it is spread over several devices.
    """
    placed = device_tensor(placement.engine.put(tensor._array, layout))
    placed._key = key_of(tensor)
    placed._host = tensor if state.device is None else None
    return placed


def device_tensor(array: Array) -> DeviceTensor:
    """A tensor with a concrete array of `placement.engine`."""
    tensor = _new(DeviceTensor)
    tensor._array = array
    tensor._key = None
    tensor._host = None
    return tensor


class Reference:
    """A hashable reference to a tensor or variable: equal if it refers to the same object.

    >>> import whygrad as tf
    >>> t = tf.constant(1.0)
    >>> t.ref() == t.ref(), t.ref().deref() is t
    (True, True)
    """

    __slots__ = ("__weakref__", "_referent")

    def __init__(self, referent: Any) -> None:
        self._referent = referent

    def deref(self) -> Any:
        """The object referred to."""
        return self._referent

    def __hash__(self) -> int:
        return id(self._referent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._referent is other._referent

    def __lt__(self, other: object) -> bool:
        """An order of references, the same for as long as their objects live: structures with such keys can be flattened."""
        return id(self._referent) < id(other._referent) if isinstance(other, Reference) else NotImplemented

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referent!r}>"
