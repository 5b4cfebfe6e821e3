"""Tracing: running Python once on symbolic tensors, to learn what it computes.

While a function is traced, a `Context` stands in `state.context`. Tensors made inside belong to it. A tensor from outside
that is used inside becomes an input of what is traced, and so does the value of every variable that is read; a variable that
is assigned becomes an output, and gets its old value back when the trace ends. Nothing is left behind by a trace that fails.
"""

from __future__ import annotations

import gc
import itertools
import threading
import weakref
from collections.abc import Callable, Sequence
from types import CodeType, TracebackType
from typing import Any, NamedTuple

import numpy as np

from whygrad.engines.loading import engine
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.conversion import convert
from whygrad.values.errors import (
    LeakedTensorError,
    OpAttributeError,
    OperatorNotAllowedInGraphError,
    OpNotImplementedError,
    OpTypeError,
)
from whygrad.values.recorders import Recorder, is_ours, state
from whygrad.values.tensor import FollowedTensor, Key, PlacedTensor, SymbolicTensor, Tensor, on_device, wrap_placed
from whygrad.values.variable import Variable

Array = Any
Python = Callable[..., Sequence[Tensor]]  # takes tensors one by one, returns a flat sequence of them


# Held by the thread that traces: while it does, the variables that it uses have symbolic values.
one_at_a_time = threading.RLock()


class Capture(NamedTuple):
    """Something from outside that a traced function uses: an input that is not among its arguments."""

    tensor: Tensor  # as it was when the function was traced
    variable: Variable | None  # whose value it was: then the value is read anew for each call
    make: Callable[[], np.ndarray[Any, Any]] | None  # what gives the value of each call, for random numbers
    origin: Tensor  # the tensor that was used, where that is another than the one on the device


class VariableMade(Exception):
    """A variable was made of a value that is only symbolic: the function must run once as plain Python."""


class _Failed(Exception):
    """Leaves JAX's frames behind: the error itself is raised again outside them."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Context(Recorder):
    """What is being traced: a function, or a branch or loop body inside one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.function: str = name if state.context is None else state.context.function  # that is compiled, around all
        self.finished = False
        self.makes_variables = False
        self._captures: dict[int, tuple[Capture, Tensor]] = {}  # by the identity of the outer tensor: and its stand-in
        self._before: dict[Variable, Tensor] = {}  # variables that were read or set here, with the values to give back
        self._given: dict[Variable, Tensor] = {}  # the values that variables begin with here
        self._substitutes: dict[int, Tensor] = {}  # stand-ins that were given: what they stand for is not captured
        self._values_given: list[Tensor] = []  # what `feed` hands out again where a trace is repeated
        self._keeps_updates = True
        self._followed: list[Tensor] = []  # tensors of NumPy's that are inputs here
        self._made: dict[Key, tuple[CodeType, int]] = {}  # what was computed here, and at which place
        self.outside: weakref.WeakSet[Key] = weakref.WeakSet()  # the tensors that it was computed from
        # The tensors of this context that somebody holds, in the order they were made: other processes trace the same.
        self.held: weakref.WeakValueDictionary[int, SymbolicTensor] = weakref.WeakValueDictionary()
        self._count = itertools.count()
        self.tape: GradientTape | None = None  # follows what comes from outside

    # -- what comes from outside --

    @property
    def captures(self) -> list[Capture]:
        """What was used from outside, in the order of first use."""
        return [capture for capture, _ in self._captures.values()]

    def capture(
        self, tensor: Tensor, variable: Variable | None = None, make: Callable[[], Any] | None = None
    ) -> Tensor:
        """The stand-in for a tensor from outside."""
        given = self._substitutes.get(id(tensor))
        if given is not None:
            return given
        known = self._captures.get(id(tensor))
        if known is not None:
            return known[1]
        if type(tensor) is SymbolicTensor and tensor._context.finished:
            raise tensor._context.leaked(tensor)
        placed = on_device(tensor) if type(tensor) in (Tensor, FollowedTensor) else tensor
        stand_in = wrap_placed(engine().lift(placed._array))
        if self.tape is not None and stand_in.dtype.is_differentiable:
            self.tape.watch(stand_in)
        self._captures[id(tensor)] = Capture(placed, variable, make, tensor), stand_in
        return stand_in

    def hold(self, tensor: SymbolicTensor) -> None:
        """Note a tensor that was made here."""
        self.held[next(self._count)] = tensor

    @property
    def stand_ins(self) -> list[Tensor]:
        """What stands for each of the captures."""
        return [stand_in for _, stand_in in self._captures.values()]

    def let_stand(self, tensors: dict[int, Tensor]) -> None:
        """Let tensors stand for those of a trace that is over, given by their identities."""
        self._substitutes.update(tensors)

    def append(self, record: Any, /) -> None:
        """Of what is computed here, note what it is computed from that was there before."""
        _, output, _, _, code, instruction, *inputs = record
        made = self._made
        for key in inputs:
            if key not in made:
                self.outside.add(key)
        for key in output if type(output) is tuple else (output,):
            made[key] = code, instruction

    def variable_read(self, variable: Variable) -> None:
        """From the first read on, the variable's value here is symbolic."""
        variable = variable.handle
        if variable in self._before:
            return
        value = variable._value
        if type(value) is Tensor:
            value = on_device(value, variable._layout)
        self._before[variable] = value
        variable._value = self._given[variable] = self.capture(value, variable)

    def variable_changing(self, variable: Variable) -> None:
        """The value to give back is the one from before the first assignment."""
        self._before.setdefault(variable.handle, variable._value)

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """Variables may be created here, with values that are known."""
        if kind == "created":
            if type(variable._value) is SymbolicTensor:
                raise VariableMade
            self.makes_variables = True

    def feed(self, make: Callable[[], np.ndarray[Any, Any]], like: np.ndarray[Any, Any]) -> Tensor:
        """An input whose value `make` gives at every call of the function; it has the shape and dtype of `like`."""
        if self._values_given:
            return self._values_given.pop(0)
        return self.capture(wrap_placed(engine().put(like)), make=make)

    def hand_out(self, values: Sequence[Tensor]) -> None:
        """Let `feed` give these, in this order."""
        self._values_given += values

    def substitute(self, captures: Sequence[Capture], values: Sequence[Tensor]) -> None:
        """Let `values` stand for what an earlier trace of the same Python captured."""
        for capture, value in zip(captures, values):
            self._substitutes[id(capture.tensor)] = self._substitutes[id(capture.origin)] = value
            if capture.variable is not None:
                self.begin_with(capture.variable, value)
            elif capture.make is not None:
                self._values_given.append(value)
        self.take_as_inputs([capture.origin for capture in captures])

    def take_as_inputs(self, tensors: Sequence[Tensor]) -> None:
        """Let tensors from outside be inputs, though they have values: tapes follow them."""
        for tensor in tensors:
            if type(tensor) is Tensor:
                tensor.__class__ = FollowedTensor
                self._followed.append(tensor)

    def begin_with(self, variable: Variable, value: Tensor) -> None:
        """Let a variable have the value here that is given for it."""
        self._before.setdefault(variable, variable._value)
        variable._value = self._given[variable] = value

    def leave_variables(self) -> None:
        """Nothing that was assigned here counts."""
        self._keeps_updates = False

    @property
    def control(self) -> Any:
        """What `cond`, `while_loop` and their kin do here; loaded by functions that have such."""
        from whygrad.compile import control_flow

        return control_flow

    # -- the end --

    def finish(self) -> dict[Variable, Tensor]:
        """The variables that were assigned, with their new values; all of them have their old ones again."""
        self.finished = True
        for tensor in self._followed:
            tensor.__class__ = Tensor
        changed: dict[Variable, Tensor] = {}
        for variable, before in self._before.items():
            if self._keeps_updates and variable._value is not self._given.get(variable, before):
                changed[variable] = variable._value
            variable._value = before
        return changed

    # -- what symbolic tensors cannot do --

    def has_no_value(self, tensor: SymbolicTensor, wanted: str = "array") -> Exception:
        """The error for Python that asks a symbolic tensor for its value: of TensorFlow's class for what is wanted."""
        if self.finished:
            return self.leaked(tensor)
        here = f"inside `{self.function}`, which is being compiled, it has no value yet"
        what = f"a symbolic tf.Tensor of shape {tensor.shape} and dtype {tensor.dtype.name}"
        if wanted == "bool":
            return OperatorNotAllowedInGraphError(
                f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: {here}."
            )
        if wanted == "numpy":
            return OpAttributeError(f"'SymbolicTensor' object has no attribute 'numpy': {here}.")
        if wanted == "number":
            return OpTypeError(f"Cannot convert {what} to a Python number: {here}.")
        if wanted == "argument":
            return OpTypeError(
                f"The value of {what} is needed to compile `{self.function}`, for sizes, axes and the like must be known then: {here}."
            )
        return OpNotImplementedError(f"Cannot convert {what} to a numpy array: {here}.")

    def value_wanted(self, op_name: str | None = None) -> Exception:
        """The error for an op that would have to know a value."""
        return OpTypeError(
            f"A value is needed{f' by {op_name}' if op_name else ''} that is not known yet: inside `{self.function}`, which is "
            "being compiled, tensors have shapes and dtypes and no values. What decides a shape, an axis or a number of "
            "steps must be a Python number, or be computed outside of the function and passed to it as one."
        )

    def leaked(self, tensor: SymbolicTensor) -> Exception:
        """The error for the use of a symbolic tensor after its function was compiled."""
        return LeakedTensorError(
            f"A tensor of shape {tensor.shape} is out of scope: it was made inside `{self.function}` while that was being "
            "compiled, and has no value outside.",
            tensor,
        )

    def made_at(self, key: Key | None) -> tuple[CodeType, int] | None:
        """The user's place that computed something here; None for an argument, or the value of a variable."""
        return None if key is None else self._made.get(key)


class Followed:
    """What a tape saw of a trace, with the tensors that a backward pass can ask for: they are outputs, after all others."""

    def __init__(self, tape: GradientTape) -> None:
        self.tape = tape
        self.inputs: list[Tensor] = []
        self.stand_ins: list[Tensor] = []  # for the captures
        self.results: list[Tensor] = []
        self.kept: list[Tensor] = []


class Traced:
    """What a piece of Python computes for inputs of given shapes and dtypes."""

    def __init__(
        self,
        name: str,
        python: Python,
        inputs: Sequence[Any],
        jaxpr: Any,
        context: Context,
        updates: list[Variable],
        followed: Followed | None = None,
    ) -> None:
        self.name = name
        self.followed = followed
        self.python = python
        self.inputs = inputs  # of which only shapes and dtypes matter
        self.captures = context.captures
        self.updates = updates  # variables that are assigned; their new values are outputs after the results
        self.results = len(jaxpr.jaxpr.outvars) - len(updates) - (0 if followed is None else len(followed.kept))
        self.makes_variables = context.makes_variables
        self.outside = context.outside
        self.jaxpr = jaxpr.jaxpr
        # Each constant of the jaxpr is one of the captures' values, or a constant indeed.
        places = {id(capture.tensor._array): i for i, capture in enumerate(self.captures)}
        self._constants = [places.get(id(constant), constant) for constant in jaxpr.consts]

    @property
    def followed_outside(self) -> list[Tensor]:
        """Tensors that it took for constants, but that a tape follows now."""
        keys = {key for key in self.outside for recorder in state.recorders if recorder.follows(key)}
        return [each for key in keys for each in gc.get_referrers(key) if type(each) is Tensor and each._key is key]

    @property
    def constants_known(self) -> list[Array | None]:
        """The constants of the jaxpr; None for those that are captured."""
        return [None if type(each) is int else each for each in self._constants]

    def run(self, *arrays: Array) -> list[Array]:
        """The results for arrays: first those of the inputs, then those of the captures."""
        captured = arrays[len(self.inputs) :]
        constants = [captured[each] if type(each) is int else each for each in self._constants]
        return engine().evaluate(self.jaxpr, constants, arrays[: len(self.inputs)])


def _as_far_as_ours(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames beyond the last one that is whygrad's own: those of JAX."""
    frames = []
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    while frames and not is_ours(frames[-1].tb_frame.f_code.co_filename):
        frames.pop()
    short = None
    for each in reversed(frames):
        short = TracebackType(short, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return short


def trace(
    name: str,
    python: Python,
    inputs: Sequence[Any],
    followed: Sequence[Tensor] = (),
    tape: GradientTape | None = None,
    carried: int = 0,
) -> Traced:
    """Run `python` once on symbolic tensors that have the shapes and dtypes of `inputs`.

    The tensors `followed`, which it uses from outside, are inputs as well, and not constants. A `tape` is to follow everything; the
    first `carried` inputs are not at hand any more when its backward pass runs.
    """
    with one_at_a_time:
        return _trace(name, python, inputs, followed, tape, carried)


def _trace(
    name: str,
    python: Python,
    inputs: Sequence[Any],
    followed: Sequence[Tensor],
    tape: GradientTape | None,
    carried: int,
) -> Traced:
    context = Context(name)
    context.take_as_inputs(followed)
    seen = None if tape is None else Followed(tape)
    before = state.recorders, state.context
    updates: dict[Variable, Tensor] = {}

    def on_arrays(*arrays: Array) -> list[Array]:
        try:
            tensors = [wrap_placed(array) for array in arrays]
            results = [convert(result, None) for result in (python if seen is None else _under(seen, python))(*tensors)]
            updates.update(context.finish())
            outputs = [*results, *updates.values()]
            if seen is not None:
                # What is still held now, by the tape or by a custom gradient, is what a backward pass can ask for.
                seen.results, seen.stand_ins = results, context.stand_ins
                at_hand = {*map(id, seen.stand_ins), *map(id, tensors[carried:])}
                seen.kept = [tensor for tensor in context.held.values() if id(tensor) not in at_hand]
                outputs += seen.kept
            return [tensor._array for tensor in outputs]
        except engine().has_no_value as error:
            raise _Failed(context.value_wanted().with_traceback(_as_far_as_ours(error.__traceback__))) from None
        except Exception as error:
            raise _Failed(error) from None

    state.recorders, state.context = (context,), context
    try:
        jaxpr = engine().trace(on_arrays, inputs)
    except _Failed as failed:
        raise failed.error from None
    finally:
        if not context.finished:
            context.finish()
        state.recorders, state.context = before
    return Traced(name, python, inputs, jaxpr, context, list(updates), seen)


def _under(seen: Followed, python: Python) -> Python:
    """Python that a tape follows, with all that comes from outside."""

    def run(*tensors: Tensor) -> Sequence[Tensor]:
        state.context.tape = seen.tape
        seen.inputs = list(tensors)
        with seen.tape:
            seen.tape.watch([tensor for tensor in tensors if tensor.dtype.is_differentiable])
            return python(*tensors)

    return run
