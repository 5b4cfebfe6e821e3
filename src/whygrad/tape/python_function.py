"""Python functions as single ops: py_function, differentiated by an inner tape, and numpy_function, without a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.primitive import Primitive, record
from whygrad.ops.recorded import recorded
from whygrad.ops.traits import Traits
from whygrad.runtime.call_sites import pinned
from whygrad.tape.custom_gradient import tapes_paused
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.values import dtypes, nest
from whygrad.values.composite import TensorLikeComposite
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
    behind,
    invalid,
)
from whygrad.values.faults import ResultShapeUnknown
from whygrad.values.recorders import state
from whygrad.values.spec import Spec, TensorSpec
from whygrad.values.tensor import Tensor, placement, wrap


class Call:
    """One call of a Python function as an op: the function, and what its inner tape recorded."""

    def __init__(self, function: Callable[..., Any], output_dtypes: list[dtypes.DType] | None) -> None:
        """Without `output_dtypes` the outputs are what the function gives."""
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)
        self.output_dtypes = output_dtypes
        self.tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []

    def run(self, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Call the function on tensors that outer tapes do not watch."""
        self.inputs = [wrap(tensor._array) for tensor in tensors]
        differentiated = any(recorder.differentiates for recorder in state.recorders)
        with tapes_paused():
            if differentiated:
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
            dtypes_of = [None] * len(values) if wanted is None else wanted
            outputs = [convert(value, dtype) for value, dtype in zip(values, dtypes_of)]
        except Exception as error:
            raise as_op_error(error) from error
        if wanted is not None and len(outputs) < len(wanted):
            raise invalid(f"{self.name} returns {len(outputs)} values, but expects to see {len(wanted)} values.")
        return outputs

    def gradients(self, xp: Any, g: Sequence[Tensor], tensors: Sequence[Tensor]) -> list[Tensor | None]:
        """The gradients of the inputs, zeros where the function went through NumPy or did not use an input."""
        if xp is recorded:
            # Differentiated again: call the function on the tensors that the outer tapes watch.
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


# The user's exception becomes TensorFlow's class for it, with the original as its cause.
_CLASSES: list[tuple[type[Exception], type[OpError]]] = [
    (ValueError, InvalidArgumentError),
    (TypeError, InvalidArgumentError),
    (StopIteration, OutOfRangeError),
    (MemoryError, ResourceExhaustedError),
    (NotImplementedError, UnimplementedError),
    (Exception, UnknownError),
]


def as_op_error(error: Exception) -> Exception:
    """TensorFlow's class for an error of the user's Python, with its text."""
    made = next(made for kind, made in _CLASSES if isinstance(error, kind))
    return made(None, None, behind(f"{type(error).__name__}: ", error))


def _no_forward(xp: Any, *x: Any, call: Call) -> Any:
    raise OpNotImplementedError("the forward pass of py_function is the user's function")


py_function_primitive = Primitive(
    "py_function",
    _no_forward,
    joint=lambda xp, g, x, call: call.gradients(xp, g, x),
    op_name="EagerPyFunc",
    takes_tensors=True,
    conjugates=False,
    traits=Traits(calls_python=True),
)


# -- inside a function that is being compiled --

_REMEMBERED = 1000  # calls whose gradients were not requested yet; for an older one the function is called again


class CompiledCall:
    """A call site in a compiled function where a Python function is called at each run.

    Each call has a number, which is one of its results: with it the gradient finds what the call recorded.
    """

    def __init__(self, function: Callable[..., Any], described: Sequence[Any]) -> None:
        self.function = function
        self.described = described
        self.output_dtypes = [_dtype_of(each) for each in described]
        self._differentiated = any(recorder.differentiates for recorder in state.recorders)
        self._calls: dict[int, Call] = {}
        self._count = 0

    def apply(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        """The call as part of the compiled function."""
        of = [*[_shape_and_dtype(each, self.function) for each in self.described], ((), np.dtype(np.int64))]
        found = placement.engine.call_python(self._run, of, *[tensor._array for tensor in inputs])
        outputs = tuple([wrap(array) for array in found])
        if state.recorders:
            record(_compiled_py_function, tuple(inputs), outputs, {"call": self})
        return list(outputs[:-1])

    def _run(self, *arrays: Any) -> list[Any]:
        call, number = Call(self.function, self.output_dtypes), self._count
        outputs = self._recorded_run(call, [wrap(array) for array in arrays])
        self._count += 1
        if self._differentiated:
            self._calls[number] = call
            if len(self._calls) > _REMEMBERED:
                del self._calls[next(iter(self._calls))]
        _check_promised(call.name, outputs, self.described)
        return [*[output._array for output in outputs], np.int64(number)]

    def _recorded_run(self, call: Call, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        if not self._differentiated:
            return call.run(tensors)
        with GradientTape():  # under a tape, a call records what it computes
            return call.run(tensors)

    def gradients(self, g: Sequence[Tensor], inputs: Sequence[Tensor], number: Tensor) -> list[Tensor | None]:
        """The gradients of the inputs, computed in Python by the call's own tape."""
        wanted = [tensor.dtype.is_differentiable for tensor in inputs]
        of = [(tensor._array.shape, tensor._array.dtype) for tensor, is_wanted in zip(inputs, wanted) if is_wanted]
        count = len(inputs)

        def pull(which: Any, *arrays: Any) -> list[Any]:
            tensors = [wrap(array) for array in arrays]
            call = self._calls.pop(int(which), None)
            if call is None:
                call = Call(self.function, self.output_dtypes)
                self._recorded_run(call, tensors[:count])
            found = call.gradients(None, tensors[count:], tensors[:count])
            return [each._array for each, is_wanted in zip(found, wanted) if is_wanted and each is not None]

        arrays = [tensor._array for tensor in (number, *inputs, *g)]
        made = [wrap(array) for array in placement.engine.call_python(pull, of, *arrays)]
        if state.recorders:
            record(_gradient_in_python, (*inputs, *g), tuple(made), {})
        found = iter(made)
        return [next(found) if is_wanted else None for is_wanted in wanted]


_compiled_py_function = Primitive(
    "compiled_py_function",
    _no_forward,
    joint=lambda xp, g, x, y, call: call.gradients(g[:-1], x, y[-1]),
    op_name="EagerPyFunc",
    takes_tensors=True,
    conjugates=False,
    register=False,
)
_gradient_in_python = Primitive(
    "gradient_in_python",
    lambda xp, *x: _no_forward(xp, *x, call=None),  # type: ignore[arg-type]
    no_gradient="inside a compiled function the gradient of a py_function is computed in Python, which no tape outside can see",
    register=False,
)


def _check_promised(name: str, outputs: Sequence[Tensor], described: Sequence[Any]) -> None:
    """Raise unless a function's results have the shapes that `Tout` promised."""
    for output, spec in zip(outputs, described):
        if not spec.shape.is_compatible_with(output.shape):
            raise invalid(f"{name} returns a tensor of shape {output.shape}, but {spec} was promised.")


def _shape_and_dtype(described: Any, function: Callable[..., Any]) -> tuple[tuple[int, ...], Any]:
    """The shape and dtype that a TensorSpec gives for a result: they must be known at compile time."""
    shape = getattr(described, "shape", None)
    if not isinstance(described, TensorSpec) or shape is None or not shape.is_fully_defined():
        name = getattr(function, "__name__", type(function).__name__)
        raise OpValueError(ResultShapeUnknown(name=name, dtype=_dtype_of(described)))
    return tuple(shape), described.dtype.numpy_dtype


def _check_given(op: str, func: Any, inp: Any, Tout: Any) -> None:
    """Raise unless a call gives what it must as a call, or as a decorator."""
    if Tout is None:
        raise OpTypeError(f"Missing required argument: 'Tout'. If {op} is used as a decorator, set Tout by name.")
    if func is None and inp is not None:
        raise OpTypeError(f"Don't set the 'inp' argument when {op} is used as a decorator (func=None).")
    if func is not None and inp is None:
        raise OpTypeError(f"Missing argument 'inp': {op} takes `func` and `inp` unless it is used as a decorator.")


@export("py_function")
def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None) -> Any:
    """Call a Python function on tensors as one op, with its gradient.

    Gradients reach the inputs `inp` through the ops that the function calls. Where it goes through NumPy and back, the gradient is zero.
    Without `func` and `inp` it is a decorator. Inside a `tf.function`, where shapes must be known, `Tout` takes `TensorSpec`s.

    >>> import whygrad as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.py_function(lambda x: x * x, [x], tf.float32)
    >>> tape.gradient(y, x).numpy()
    np.float32(6.0)
    """
    _check_given("tf.py_function", func, inp, Tout)
    if func is None:
        return lambda function: lambda *args: py_function(function, list(args), Tout, name)
    if not callable(func):
        raise OpValueError(f"Expected func to be callable. Received func={func} of type {type(func)}.")
    several = isinstance(Tout, list | tuple)
    described = list(Tout) if several else [Tout]
    given = list(inp)
    if state.context is None and any(map(_is_composite, [*given, *described])):
        results = _called_on_composites(func, given, described)
        return results if several else results[0]
    wanted = [_dtype_of(each) for each in described]
    inputs = tuple([convert(each, None) for each in given])
    if state.context is not None and state.context.replays:
        of = [_shape_and_dtype(each, func) for each in described]

        def as_promised(*tensors: Tensor) -> tuple[Tensor, ...]:
            outputs = _called(func, wanted, tensors)
            _check_promised(getattr(func, "__name__", "the function"), outputs, described)
            return outputs

        results = state.context.at_each_call(as_promised, inputs, of)
        return results if several else results[0]
    if state.context is not None:
        results = CompiledCall(func, described).apply(inputs)
        return results if several else results[0]
    outputs = _called(func, wanted, inputs)
    return list(outputs) if several else outputs[0]


def _is_composite(each: Any) -> bool:
    """Whether a value, or what a spec describes, is a ragged or a sparse tensor."""
    kind = getattr(each, "value_type", None) if isinstance(each, Spec) else type(each)
    return isinstance(kind, type) and issubclass(kind, TensorLikeComposite)


def _called_on_composites(func: Any, given: list[Any], described: list[Any]) -> list[Any]:
    """Call the function as an op that takes and gives the tensors of which ragged and sparse tensors consist."""
    returned: list[Any] = []

    def on_components(*components: Tensor) -> list[Tensor]:
        values = func(*nest.pack_sequence_as(given, components, expand_composites=True))
        values = list(values) if isinstance(values, list | tuple) else [] if values is None else [values]
        if len(values) != len(described) or not all(map(_matches, values, described)):
            shown = values[0] if len(values) == 1 else values
            raise OpValueError(f"py_function: func={func} returned {shown!r}, which did not match Tout={described!r}.")
        returned[:] = [
            value if _is_composite(value) else convert(value, _dtype_of(each)) for value, each in zip(values, described)
        ]
        return nest.flatten(returned, expand_composites=True)

    inputs = tuple([convert(each, None) for each in nest.flatten(given, expand_composites=True)])
    return nest.pack_sequence_as(returned, _called(on_components, None, inputs), expand_composites=True)  # type: ignore[no-any-return]


def _matches(value: Any, described: Any) -> bool:
    if _is_composite(value) or _is_composite(described):
        return isinstance(described, Spec) and bool(described.is_compatible_with(value))  # type: ignore[attr-defined]
    return True


def _called(func: Any, wanted: list[dtypes.DType] | None, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Call the function on tensors, and record the call."""
    call = Call(func, wanted)
    place, pinned.place = pinned.place, None  # inside, the call sites are the function's own
    try:
        outputs = call.run(inputs)
    finally:
        pinned.place = place
    if state.recorders and outputs:
        record(py_function_primitive, inputs, outputs, {"call": call})
    return outputs


def _dtype_of(described: Any) -> dtypes.DType:
    """The dtype that `Tout` gives: a dtype, or a TensorSpec's."""
    dtype = getattr(described, "dtype", None)
    return dtype if isinstance(dtype, dtypes.DType) else dtypes.as_dtype(described)


numpy_function_primitive = Primitive(
    "numpy_function",
    _no_forward,
    no_gradient="numpy_function computes in NumPy, which no tape can see: py_function with whygrad's ops has a gradient",
    stops_watching=True,
    op_name="PyFunc",
    traits=Traits(calls_python=True),
)


@export("numpy_function")
def numpy_function(
    func: Any = None, inp: Any = None, Tout: Any = None, stateful: bool = True, name: str | None = None
) -> Any:
    """Call a Python function on NumPy arrays as one op. It has no gradient. Without `func` and `inp` it is a decorator.

    >>> import numpy as np, whygrad as tf
    >>> tf.numpy_function(np.ptp, [tf.constant([8.0, 27.0])], tf.float32).numpy()
    np.float32(19.0)
    """
    _check_given("tf.numpy_function", func, inp, Tout)
    if func is None:
        return lambda function: lambda *args: numpy_function(function, list(args), Tout, stateful, name)
    if not callable(func):
        raise OpTypeError(f"{type(func).__name__!r} object is not callable")
    given = list(inp)
    inputs = tuple([convert(each, None) for each in given])
    if state.context is not None:
        return _compiled_numpy_function(func, given, inputs, Tout)
    # Copies: the function may write to its arguments, but tensors are immutable. A Python number becomes NumPy's array of it, in double
    # precision, as in TensorFlow.
    returned = func(*[np.array(x._array if hasattr(each, "dtype") else each) for x, each in zip(inputs, given)])
    if returned is None:
        return None
    several = isinstance(returned, list | tuple)
    with tapes_paused():  # tapes record the op, not the conversion of its arrays
        outputs = tuple([convert(each, None) for each in (returned if several else [returned])])
    if state.recorders and outputs:
        record(numpy_function_primitive, inputs, outputs, {})
    return list(outputs) if several else outputs[0]


def _compiled_numpy_function(func: Any, given: Sequence[Any], inputs: tuple[Tensor, ...], Tout: Any) -> Any:
    """The call as part of a function that is being compiled."""
    several = isinstance(Tout, list | tuple)
    of = [_shape_and_dtype(each, func) for each in (Tout if several else [Tout])]
    numbers = [None if hasattr(each, "dtype") else np.array(each) for each in given]

    def call(*arrays: Any) -> list[Any]:
        made = func(*[array if number is None else number for array, number in zip(arrays, numbers)])
        results = list(made) if several else [made]
        for result, (shape, _) in zip(results, of):
            if np.shape(result) != shape:
                raise invalid(
                    f"{func.__name__} returns an array of shape {np.shape(result)}, but {shape} was promised."
                )
        return results

    outputs = tuple([wrap(each) for each in placement.engine.call_python(call, of, *[x._array for x in inputs])])
    if state.recorders and outputs:
        record(numpy_function_primitive, inputs, outputs, {})
    return list(outputs) if several else outputs[0]
