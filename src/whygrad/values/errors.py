"""The exceptions of `tf.errors`, with the classes and codes programs match on."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.values.faults import Fault, ShapeDependsOnValues
from whygrad.values.faults import shape_text as shape_text

OK = export("errors.OK")(0)
CANCELLED = export("errors.CANCELLED")(1)
UNKNOWN = export("errors.UNKNOWN")(2)
INVALID_ARGUMENT = export("errors.INVALID_ARGUMENT")(3)
DEADLINE_EXCEEDED = export("errors.DEADLINE_EXCEEDED")(4)
NOT_FOUND = export("errors.NOT_FOUND")(5)
ALREADY_EXISTS = export("errors.ALREADY_EXISTS")(6)
PERMISSION_DENIED = export("errors.PERMISSION_DENIED")(7)
RESOURCE_EXHAUSTED = export("errors.RESOURCE_EXHAUSTED")(8)
FAILED_PRECONDITION = export("errors.FAILED_PRECONDITION")(9)
ABORTED = export("errors.ABORTED")(10)
OUT_OF_RANGE = export("errors.OUT_OF_RANGE")(11)
UNIMPLEMENTED = export("errors.UNIMPLEMENTED")(12)
INTERNAL = export("errors.INTERNAL")(13)
UNAVAILABLE = export("errors.UNAVAILABLE")(14)
DATA_LOSS = export("errors.DATA_LOSS")(15)
UNAUTHENTICATED = export("errors.UNAUTHENTICATED")(16)


class Explained(Exception):
    """An exception of an op or a conversion that can say its causes (`error.causes`, and as notes under its message).

    It is raised with a message, or with a `Fault`: then its text is the fault's, and `fault` is what the causes are found
    from. They are found when they are read, by `whygrad.view.notice` (see `whygrad.view.hooks`).
    """

    fault: Fault | None = None
    of_numpys = False  # whether it left a call during which NumPy's functions took tensors

    def __init__(self, *args: Any, **named: Any) -> None:
        if args and isinstance(args[0], Fault):
            self.fault = args[0]
            args = (str(args[0]), *args[1:])
        super().__init__(*args, **named)


def first_raised(error: Explained) -> Explained:
    """Return the error, or the one that a library raised again with more text, as Keras does with a layer's arguments."""
    while error.fault is None and isinstance(before := error.__context__, Explained) and str(before) in str(error):
        error = before
    return error


class Standard(Explained):
    """One of Python's own exceptions, as it is shown, caught and pickled, that can say its causes."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__bases__[1], self.args


class OpTypeError(Standard, TypeError):
    """A TypeError of an op or a conversion."""


class OpValueError(Standard, ValueError):
    """A ValueError of an op or a conversion."""


class OpIndexError(Standard, IndexError):
    """An IndexError of an op."""


class OpLookupError(Standard, LookupError):
    """A LookupError of an op: no gradient is registered for it."""


class OpAttributeError(Standard, AttributeError):
    """An AttributeError of a value."""


class OpNotImplementedError(Standard, NotImplementedError):
    """A NotImplementedError of an op."""


class OpRuntimeError(Standard, RuntimeError):
    """A RuntimeError of a value, an op or a tape."""


def named_as_standard(*classes: type[Standard]) -> None:
    """Show classes under the names of the ones they stand for."""
    for each in classes:
        standard = each.__bases__[1]
        each.__name__ = each.__qualname__ = standard.__name__
        each.__module__ = standard.__module__


class CompositeGiven(OpValueError):
    """A ragged or sparse tensor where a dense one is wanted. Ops that take composites compute with it; for others it is an error."""


class RaggedGiven(CompositeGiven):
    """A ragged tensor where a dense one is wanted."""


class SparseGiven(CompositeGiven):
    """A sparse tensor where a dense one is wanted."""


named_as_standard(
    OpTypeError, OpValueError, OpIndexError, OpLookupError, OpAttributeError, OpNotImplementedError, OpRuntimeError
)
for _class in (CompositeGiven, RaggedGiven, SparseGiven):
    _class.__name__ = _class.__qualname__ = "ValueError"
    _class.__module__ = "builtins"


@export("errors.OpError")
class OpError(Explained):
    """An op could not be carried out; the base of the classes in `whygrad.errors`.

    TensorFlow's constructors take `(node_def, op, message)`, and so do these.

    >>> import whygrad as tf
    >>> try:
    ...     tf.reshape(tf.ones(3), (2, 2))
    ... except tf.errors.OpError as error:
    ...     print(type(error).__name__)
    InvalidArgumentError
    """

    error_code = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str | Fault, *args: Any) -> None:
        super().__init__(message)
        self._node_def = node_def
        self._op = op
        self._message: str = self.args[0]

    @property
    def message(self) -> str:
        """The message, as `str(error)` shows it."""
        return self._message

    @property
    def op(self) -> Any:
        """The failing op, where it was given."""
        return self._op

    @property
    def node_def(self) -> Any:
        """The failing node, where it was given."""
        return self._node_def

    @property
    def experimental_payloads(self) -> dict[bytes, bytes]:
        """What TensorFlow's runtime attaches to an error: nothing here."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        what = self._message if self.fault is None else self.fault
        return type(self), (self._node_def, self._op, what)


@export("errors.InvalidArgumentError")
class InvalidArgumentError(OpError):
    """Shapes, dtypes, axes or values that an op cannot take."""

    error_code = INVALID_ARGUMENT


def depends_on_values(what: str, instead: str) -> InvalidArgumentError:
    """The error for a result whose shape is decided by `what`, in compiled code; `instead` is what to do."""
    return invalid(ShapeDependsOnValues(what=what, instead=instead))


@export("errors.NotFoundError")
class NotFoundError(OpError):
    """Something that was asked for does not exist."""

    error_code = NOT_FOUND


@export("errors.OutOfRangeError")
class OutOfRangeError(OpError):
    """An iteration past the valid range."""

    error_code = OUT_OF_RANGE


@export("errors.UnimplementedError")
class UnimplementedError(OpError):
    """A combination of arguments that the op does not offer."""

    error_code = UNIMPLEMENTED


@export("errors.FailedPreconditionError")
class FailedPreconditionError(OpError):
    """The system is not in the state the op needs."""

    error_code = FAILED_PRECONDITION


@export("errors.ResourceExhaustedError")
class ResourceExhaustedError(OpError):
    """The result does not fit into memory."""

    error_code = RESOURCE_EXHAUSTED


@export("errors.UnknownError")
class UnknownError(OpError):
    """An error of no class of its own: what a function under `py_function` raised."""

    error_code = UNKNOWN


@export("errors.InternalError")
class InternalError(OpError):
    """An invariant of the library is broken."""

    error_code = INTERNAL


# The rest of TensorFlow's classes are never raised here; programs that catch them, or raise them, find them.


@export("errors.CancelledError")
class CancelledError(OpError):
    """The operation was cancelled."""

    error_code = CANCELLED


@export("errors.DeadlineExceededError")
class DeadlineExceededError(OpError):
    """The operation took too long."""

    error_code = DEADLINE_EXCEEDED


@export("errors.AlreadyExistsError")
class AlreadyExistsError(OpError):
    """Something that was to be made exists already."""

    error_code = ALREADY_EXISTS


@export("errors.PermissionDeniedError")
class PermissionDeniedError(OpError):
    """The caller may not do this."""

    error_code = PERMISSION_DENIED


@export("errors.UnauthenticatedError")
class UnauthenticatedError(OpError):
    """The caller is not known."""

    error_code = UNAUTHENTICATED


@export("errors.AbortedError")
class AbortedError(OpError):
    """The operation was given up, usually for another one."""

    error_code = ABORTED


@export("errors.UnavailableError")
class UnavailableError(OpError):
    """The service cannot be reached now."""

    error_code = UNAVAILABLE


@export("errors.DataLossError")
class DataLossError(OpError):
    """Data is lost or corrupted."""

    error_code = DATA_LOSS


@export("errors.OperatorNotAllowedInGraphError")
class OperatorNotAllowedInGraphError(Explained, TypeError):
    """A symbolic tensor, inside a function that is being compiled, where Python needs a value."""


class LeakedTensorError(OpTypeError):
    """A symbolic tensor that is used outside the function it was made in."""

    def __init__(self, message: str, tensor: Any) -> None:
        super().__init__(message)
        self.tensor = tensor


class LeakedValueError(LeakedTensorError, AttributeError):
    """The same where Python asks for its value by `.numpy()`, a method that TensorFlow's symbolic tensors do not have."""

    def __reduce__(self) -> tuple[Any, ...]:
        return TypeError, self.args


LeakedTensorError.__name__ = LeakedTensorError.__qualname__ = "TypeError"
LeakedTensorError.__module__ = "builtins"


for _named in (
    OpError, InvalidArgumentError, NotFoundError, OutOfRangeError, UnimplementedError, FailedPreconditionError,
    ResourceExhaustedError, UnknownError, InternalError, CancelledError, DeadlineExceededError, AlreadyExistsError,
    PermissionDeniedError, UnauthenticatedError, AbortedError, UnavailableError, DataLossError,
    OperatorNotAllowedInGraphError,
):  # fmt: skip
    _named.__module__ = "whygrad.errors"  # where users find them, and as tracebacks name them


def invalid(what: str | Fault) -> InvalidArgumentError:
    """An InvalidArgumentError with this message, or of this fault, for raising."""
    return InvalidArgumentError(None, None, what)


def behind(prefix: str, error: Exception) -> str | Fault:
    """What an error says, with `prefix` before it; its fault, where it has one."""
    fault = error.fault if isinstance(error, Explained) else None
    return f"{prefix}{error}" if fault is None else fault.behind(prefix)
