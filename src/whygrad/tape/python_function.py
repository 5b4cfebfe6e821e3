"""Python functions as single ops: py_function, whose gradient is taken inside, and numpy_function, which has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.ops.primitive import Primitive, record
from whygrad.ops.recorded import recorded
from whygrad.tape.custom_gradient import tapes_paused
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import (
    InvalidArgumentError,
    OpError,
    OpNotImplementedError,
    OpTypeError,
    OpValueError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
    invalid,
)
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap


class Call:
    """One call of a Python function as an op: the function, and what its own tape recorded inside."""

    def __init__(self, function: Callable[..., Any], output_dtypes: list[dtypes.DType]) -> None:
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.output_dtypes = output_dtypes
        self.tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []

    def run(self, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Call the function on tensors that the tapes outside know nothing of."""
        self.inputs = [wrap(tensor._array) for tensor in tensors]
        followed = any(recorder.differentiates for recorder in state.recorders)
        with tapes_paused():
            if followed:
                with self.tape:
                    self.tape.watch([tensor for tensor in self.inputs if tensor.dtype.is_differentiable])
                    self.outputs = self._outputs(self.inputs)
            else:
                self.outputs = self._outputs(self.inputs)
        return tuple([wrap(output._array) for output in self.outputs])

    def _outputs(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        wanted = self.output_dtypes
        try:
            returned = self.function(*inputs)
            values = list(returned) if isinstance(returned, list | tuple) else [] if returned is None else [returned]
            outputs = [convert(value, dtype) for value, dtype in zip(values, wanted)]
        except Exception as error:
            raise _translated(error) from error
        if len(outputs) < len(wanted):
            raise invalid(f"{self.name} returns {len(outputs)} values, but expects to see {len(wanted)} values.")
        return outputs

    def gradients(self, xp: Any, g: Sequence[Tensor], tensors: Sequence[Tensor]) -> list[Tensor | None]:
        """The gradients for the inputs, zeros where the function left for NumPy or used another input."""
        if xp is recorded:
            # Their own derivative is wanted: the function again, on the tensors that the tapes outside follow.
            tape, outputs, inputs = GradientTape(persistent=True), [], list(tensors)
            with tape:
                tape.watch([tensor for tensor in inputs if tensor.dtype.is_differentiable])
                outputs = self._outputs(inputs)
        else:
            tape, outputs, inputs = self.tape, self.outputs, self.inputs
        found = tape.gradient(outputs, inputs, list(g), UnconnectedGradients.ZERO)
        return [
            convert(gradient, None) if tensor.dtype.is_differentiable else None
            for gradient, tensor in zip(found, inputs)
        ]


# An exception of the user's function becomes TensorFlow's class for it; the exception itself is its cause.
_CLASSES: list[tuple[type[Exception], type[OpError]]] = [
    (ValueError, InvalidArgumentError),
    (TypeError, InvalidArgumentError),
    (StopIteration, OutOfRangeError),
    (MemoryError, ResourceExhaustedError),
    (NotImplementedError, UnimplementedError),
    (Exception, UnknownError),
]


def _translated(error: Exception) -> Exception:
    made = next(made for kind, made in _CLASSES if isinstance(error, kind))
    return made(None, None, f"{type(error).__name__}: {error}")


def _no_forward(xp: Any, *x: Any, call: Call) -> Any:
    raise OpNotImplementedError("the forward pass of py_function is the user's function")


_py_function = Primitive(
    "py_function",
    _no_forward,
    joint=lambda xp, g, x, call: call.gradients(xp, g, x),
    op_name="EagerPyFunc",
    takes_tensors=True,
    conjugates=False,
)


def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """Call a Python function on tensors as one op, with its gradient.

    Gradients reach the inputs `inp` through what the function computes with whygrad's ops. What it takes to NumPy and back
    does not change with the inputs as far as can be seen: there the gradient is zero. Without `func` and `inp` it is a
    decorator.

    >>> import whygrad as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.py_function(lambda x: x * x, [x], tf.float32)
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)
    """
    if func is None:
        return lambda function: lambda *args: py_function(function, list(args), Tout, name)
    if not callable(func):
        raise OpValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    several = isinstance(Tout, list | tuple)
    wanted = [_dtype_of(each) for each in (Tout if several else [Tout])]
    inputs = tuple([convert(each, None) for each in (() if inp is None else inp)])
    call = Call(func, wanted)
    outputs = call.run(inputs)
    if state.recorders:
        record(_py_function, inputs, outputs, {"call": call})
    return list(outputs) if several else outputs[0]


def _dtype_of(described: Any) -> dtypes.DType:
    """The dtype that `Tout` names: a dtype, or a TensorSpec."""
    dtype = getattr(described, "dtype", None)
    return dtype if isinstance(dtype, dtypes.DType) else dtypes.as_dtype(described)


_numpy_function = Primitive(
    "numpy_function",
    _no_forward,
    no_gradient="numpy_function computes in NumPy, which no tape can see: py_function with whygrad's ops has a gradient",
    op_name="PyFunc",
)


def numpy_function(
    func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: str | None = None
) -> Any:
    """Call a Python function on NumPy arrays as one op. It has no gradient. Without `func` and `inp` it is a decorator.

    >>> import numpy as np, whygrad as tf
    >>> tf.numpy_function(np.ptp, [tf.constant([8.0, 27.0])], tf.float32).numpy()
    np.float32(19.0)
    """
    if func is None:
        return lambda function: lambda *args: numpy_function(function, list(args), Tout, stateful, name)
    if not callable(func):
        raise OpTypeError(f"{type(func).__name__!r} object is not callable")
    given = [] if inp is None else list(inp)
    inputs = tuple([convert(each, None) for each in given])
    # Copies: the function may write to what it is given, and tensors never change. A Python number is the array NumPy makes
    # of it, in double precision, as in TensorFlow.
    returned = func(*[np.array(x._array if hasattr(each, "dtype") else each) for x, each in zip(inputs, given)])
    if returned is None:
        return None
    several = isinstance(returned, list | tuple)
    with tapes_paused():  # the op is what tapes are told of, not that an array became a tensor
        outputs = tuple([convert(each, None) for each in (returned if several else [returned])])
    if state.recorders:
        record(_numpy_function, inputs, outputs, {})
    return list(outputs) if several else outputs[0]
