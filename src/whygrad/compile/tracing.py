"""Tracing: run Python once on symbolic tensors, to record what it computes.

While a function is traced, `state.context` holds a `Context`. Tensors created inside belong to it. An outside tensor that is used
inside becomes an input of the trace, and so does the value of every variable that is read; a variable that is assigned becomes an
output. These symbolic values of variables are private to the tracing thread (`PrivateValues`): other threads read and assign the
variables meanwhile. A trace that fails leaves nothing behind.
"""

from __future__ import annotations

import collections
import contextlib
import gc
import itertools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, TracebackType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from whygrad.engines.loading import engine
from whygrad.engines.xla_callbacks import CALLS_PYTHON
from whygrad.ops.primitive import tell_recorders
from whygrad.ops.shaping import identity_primitive
from whygrad.runtime.call_sites import is_ours, users_function, users_site
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.trace_tapes import StandIn, TapeWanted, tape_for
from whygrad.values.conversion import convert
from whygrad.values.errors import (
    LeakedTensorError,
    LeakedValueError,
    OpAttributeError,
    OperatorNotAllowedInGraphError,
    OpNotImplementedError,
    OpTypeError,
)
from whygrad.values.faults import (
    StringsComputed,
    SymbolicArgument,
    SymbolicArray,
    SymbolicNumber,
    SymbolicNumpy,
    SymbolicTruth,
    ValueNeededByOp,
)
from whygrad.values.recorders import PrivateValues, Recorder, state
from whygrad.values.tensor import (
    DeviceTensor,
    FollowedTensor,
    Key,
    SymbolicTensor,
    Tensor,
    key_of,
    on_device,
    wrap_placed,
)
from whygrad.values.variable import Variable

Array = Any
Python = Callable[..., Sequence[Tensor]]  # takes tensors as separate arguments, returns a flat sequence of them

_T = TypeVar("_T")


# How many traces, in any thread, have a NumPy tensor as an input; its class is FollowedTensor meanwhile.
_inputs: collections.Counter[int] = collections.Counter()
_inputs_lock = threading.Lock()


class Capture(NamedTuple):
    """An outside value that a traced function uses: an input that is not among its arguments."""

    tensor: Tensor  # its value while tracing
    variable: Variable | None  # the variable whose value it is: then every call reads it again
    make: Callable[[], np.ndarray[Any, Any]] | None  # returns the value for each call, for random numbers
    origin: Tensor  # the tensor that was used, if `tensor` is its copy on the device


class VariableMade(Exception):
    """A variable was created from a symbolic value: the function must first run eagerly once."""


class _Failed(Exception):
    """Unwinds JAX's frames; the error itself is raised again outside them."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class RandomOps:
    """The random ops of a function, branch or loop body, in their order. As in TensorFlow, each has a stream of its own."""

    def __init__(self) -> None:
        self._ops: list[Any] = []
        self._next = 0
        self._unseeded = 0  # how many ops without a seed were traced

    def next_op(self, is_unseeded: bool, make: Callable[[int], _T]) -> _T:
        """Return the next op. `make` makes it, given the number of ops without a seed before it."""
        if self._next == len(self._ops):
            self._ops.append(make(self._unseeded))
        self._next += 1
        self._unseeded += is_unseeded
        found: _T = self._ops[self._next - 1]
        return found

    def begin_again(self) -> None:
        """Begin the next iteration of a loop, which has the same ops."""
        self._next = self._unseeded = 0


class Context(Recorder):
    """A trace in progress: of a function, or of a branch or loop body inside one."""

    replays = False  # whether the function runs op by op, rather than compiled; see `whygrad.compile.replay`
    engine: Any = None  # the engine of this trace, if it is not XLA's
    fusion: Any = None  # on a GPU: what finds attention that is written op by op

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        # The outermost function being compiled.
        self.function: str = name if state.context is None else state.context.function
        self.finished = False
        self.makes_variables: tuple[CodeType, int] | None = None  # where, if it does
        self.random_ops = RandomOps()
        # What is noted in a branch or a loop body is noted for the whole function.
        self.notes: set[str] = set() if state.context is None else state.context.notes
        # Whether each call checks what the program asserts of values. With `jit_compile=True` TensorFlow leaves these checks out.
        self.checks_values = True if state.context is None else state.context.checks_values
        # By the identity of the outside tensor: the capture and its stand-in.
        self._captures: dict[int, tuple[Capture, Tensor]] = {}
        self.named_inputs: list[tuple[Any, str]] = []  # arrays of the function's arguments, with the names of these
        self.private = PrivateValues()  # the current values of variables read or set here
        self._given: dict[Variable, Tensor] = {}  # the initial values of variables here
        self._substitutes: dict[int, Tensor] = {}  # stand-ins given from outside: what they replace is not captured
        self._values_given: list[Tensor] = []  # what `feed` returns when a trace is repeated
        self._keeps_updates = True
        self._followed: list[Tensor] = []  # NumPy tensors that are inputs here
        self._made: dict[Key, tuple[CodeType, int]] = {}  # the values computed here, and their call sites
        self.outside: weakref.WeakSet[Key] = weakref.WeakSet()  # the outside tensors that they were computed from
        # The live tensors of this context, in the order they were created: other processes create them in the same order.
        self.held: weakref.WeakValueDictionary[int, SymbolicTensor] = weakref.WeakValueDictionary()
        self._count = itertools.count()
        self.tape: GradientTape | None = None  # watches everything from outside
        # Tapes that know variables only by their initial values here: `tape`, and those of backward passes.
        self.leading: list[GradientTape] = []
        # The tapes of the trace, by the tapes from outside that they stand for; by None the one for `tf.gradients`.
        self.tapes: dict[GradientTape | None, GradientTape] = {}
        self.entered: set[GradientTape] = set()  # tapes that were entered here
        self.first_tape: int = GradientTape().number if state.context is None else state.context.first_tape

    # -- outside values --

    @property
    def captures(self) -> list[Capture]:
        """Return the captured values, in the order of first use."""
        return [capture for capture, _ in self._captures.values()]

    def capture(
        self, tensor: Tensor, variable: Variable | None = None, make: Callable[[], Any] | None = None
    ) -> Tensor:
        """Return the stand-in for an outside tensor."""
        given = self._substitutes.get(id(tensor))
        if given is not None:
            if self.tapes:
                self._lead_outside(given, tensor)
            return given
        known = self._captures.get(id(tensor))
        if known is not None:
            return known[1]
        if type(tensor) is SymbolicTensor and tensor._context.finished:
            raise tensor._context.leaked(tensor)
        if tensor._array.dtype.kind == "O":
            raise OpTypeError(
                StringsComputed(what="a variable holds one" if variable is not None else "one is an input")
            )
        placed = on_device(tensor) if type(tensor) in (Tensor, FollowedTensor) else tensor
        stand_in = wrap_placed(engine().lift(placed._array))
        if self.tape is not None and stand_in.dtype.is_differentiable:
            self.tape.watch(stand_in)
        self._captures[id(tensor)] = Capture(placed, variable, make, tensor), stand_in
        self._lead_outside(stand_in, tensor)
        return stand_in

    def _lead_outside(self, stand_in: Tensor, tensor: Tensor) -> None:
        """Record that a stand-in is an outside tensor, for tapes that stand for those which recorded that."""
        key = tensor._key
        for tape in self.tapes.values():
            if key is not None and tape.watches(key) and not tape.watches(key_of(stand_in)):
                tell_recorders(
                    identity_primitive, (tape,), (tensor,), (key,), stand_in, key_of(stand_in), {}, *users_site()
                )

    def hold(self, tensor: SymbolicTensor) -> None:
        """Register a tensor that was created here."""
        self.held[next(self._count)] = tensor

    @property
    def stand_ins(self) -> list[Tensor]:
        """Return the stand-ins of the captures."""
        return [stand_in for _, stand_in in self._captures.values()]

    def substitute_by_id(self, tensors: dict[int, Tensor]) -> None:
        """Replace tensors of an earlier trace, given by their identities."""
        self._substitutes.update(tensors)

    def append(self, record: Any, /) -> None:
        """Note which outside tensors an op here depends on."""
        _, output, _, _, code, instruction, *inputs = record
        made = self._made
        for key in inputs:
            if key not in made:
                self.outside.add(key)
        for key in output if type(output) is tuple else (output,):
            made[key] = code, instruction

    def variable_read(self, variable: Variable) -> None:
        """Make the variable's value symbolic here, from its first read on."""
        variable = variable.handle
        assigned = self.private.values.get(variable)
        if assigned is None:
            self.private.values[variable] = self._initial_value(variable)
        elif assigned is not self._given.get(variable) and assigned.dtype.is_differentiable:
            self._lead_to_variable(variable, assigned)

    def _initial_value(self, variable: Variable) -> Tensor:
        """Return the value that a variable has when this trace begins, an input of it."""
        if variable not in self._given:
            outer = self.private.outer
            value = variable._value if outer is None else outer.of(variable)
            if type(value) is Tensor and value._array.dtype.kind != "O":
                value = on_device(value, variable._layout) if value is not variable._value else placed_value(variable)
            self._given[variable] = self.capture(value, variable)
        return self._given[variable]

    def _lead_to_variable(self, variable: Variable, assigned: Tensor) -> None:
        """Let the gradient of a value that was assigned here, and is read now, lead to the variable.

        The gradient of a variable is the sum over all its values that were read. Outside, all that is known of it is its initial value.
        """
        initial, key = self._initial_value(variable), key_of(assigned)
        for tape in self.leading:
            if tape in state.recorders and not tape.watches(key):
                tell_recorders(
                    identity_primitive, (tape,), (initial,), (key_of(initial),), assigned, key, {}, *users_site()
                )

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """Variables may be created here, from known values."""
        if kind == "created":
            if type(variable._value) is SymbolicTensor:
                raise VariableMade
            self.makes_variables = users_site()

    def feed(self, make: Callable[[], np.ndarray[Any, Any]], like: np.ndarray[Any, Any]) -> Tensor:
        """Return an input that `make` computes at every call of the function; it has the shape and dtype of `like`."""
        if self._values_given:
            return self._values_given.pop(0)
        return self.capture(wrap_placed(engine().put(like)), make=make)

    def replay_feeds(self, values: Sequence[Tensor]) -> None:
        """Make `feed` return these values, in this order."""
        self._values_given += values

    def substitute(self, captures: Sequence[Capture], values: Sequence[Tensor]) -> None:
        """Use `values` in place of what an earlier trace of the same Python captured."""
        for capture, value in zip(captures, values):
            self._substitutes[id(capture.tensor)] = self._substitutes[id(capture.origin)] = value
            if capture.variable is not None:
                self.set_initial(capture.variable, value)
            elif capture.make is not None:
                self._values_given.append(value)
        self.make_inputs([capture.origin for capture in captures])

    def make_inputs(self, tensors: Sequence[Tensor]) -> None:
        """Make outside tensors inputs rather than constants: tapes watch them."""
        with _inputs_lock:
            for tensor in tensors:
                if type(tensor) in (Tensor, FollowedTensor):
                    _inputs[id(tensor)] += 1
                    self._followed.append(tensor)
                    tensor.__class__ = FollowedTensor

    def _release_inputs(self) -> None:
        with _inputs_lock:
            for tensor in self._followed:
                _inputs[id(tensor)] -= 1
                if not _inputs[id(tensor)]:  # no trace in another thread follows it
                    del _inputs[id(tensor)]
                    tensor.__class__ = Tensor
            self._followed.clear()

    def set_initial(self, variable: Variable, value: Tensor) -> None:
        """Set a variable's initial value here."""
        self.private.values[variable] = self._given[variable] = value

    def discard_assignments(self) -> None:
        """Discard all assignments made here."""
        self._keeps_updates = False

    def tape_here(self, tape: GradientTape) -> GradientTape:
        """Return the tape to use here for one that the program names: itself, or its stand-in if it was made outside."""
        if tape.number > self.first_tape or tape in self.entered or tape in state.recorders:
            return tape
        if tape not in self.tapes:
            if tape._recording:
                raise TapeWanted(tape)
            self.tapes[tape] = StandIn(tape)
        return self.tapes[tape]

    def check_sources(self, sources: Sequence[Key]) -> None:
        """Notice which tensors a gradient is asked with respect to."""
        if self.fusion is not None:
            self.fusion.check_sources(sources)

    @contextlib.contextmanager
    def own_random_ops(self) -> Iterator[RandomOps]:
        """Count the random ops in this block by themselves: it is a function or a loop."""
        before = self.random_ops
        # The same in each iteration of a loop around it.
        self.random_ops = before.next_op(False, lambda number: RandomOps())
        try:
            yield self.random_ops
        finally:
            self.random_ops = before

    def iterations(self, items: Iterable[_T]) -> Iterator[_T]:
        """Yield what Python iterates over while it traces: for TensorFlow a loop over a tensor is one loop, whose values are known here."""
        with self.own_random_ops() as ops:
            for each in items:
                ops.begin_again()
                yield each

    def has_unbounded_loop(self) -> None:
        """Note that the function must not be compiled where it is differentiated."""
        self.notes.add("unbounded loop")

    def rule_of(self, rule: Callable[..., Any], outputs: Sequence[Tensor]) -> Callable[..., Any]:
        """Return the rule of a custom gradient as it is: a backward pass is traced as a whole."""
        return rule

    @property
    def control(self) -> Any:
        """The control flow ops for compiled functions; loaded on first use."""
        from whygrad.compile import control_flow

        return control_flow

    # -- the end --

    def finish(self) -> dict[Variable, Tensor]:
        """Return the variables that were assigned, with their new values."""
        self.finished = True
        self._release_inputs()
        if self.fusion is not None:
            self.fusion.forget()
        values, self.private.values = self.private.values, {}
        if not self._keeps_updates:
            return {}
        return {variable: value for variable, value in values.items() if value is not self._given.get(variable)}

    def name_of(self, tensor: Tensor) -> str | None:
        """Return the name of the argument that a tensor is, as TensorFlow prints it; None for other tensors."""
        return next((name for array, name in self.named_inputs if array is tensor._array), None)

    def release(self) -> None:
        """Let go of all tensors: symbolic ones refer to their context, and that must not refer to them when the trace is over."""
        self._captures, self._substitutes, self._given, self._values_given = {}, {}, {}, []
        self.tapes, self.entered, self.named_inputs = {}, set(), []

    # -- errors for symbolic tensors --

    def has_no_value(self, tensor: SymbolicTensor, wanted: str = "array") -> Exception:
        """Return the error for Python that needs a symbolic tensor's value, of the class that TensorFlow raises for `wanted`.

        `wanted` is "array", "numpy", "bool", "argument" or what a `SymbolicNumber` says.
        """
        if self.finished:
            return self.leaked(tensor, LeakedValueError if wanted == "numpy" else LeakedTensorError)
        shape, dtype = tuple(tensor.shape), tensor.dtype
        if wanted == "bool":
            return OperatorNotAllowedInGraphError(SymbolicTruth(function=users_function(self.function)))
        if wanted == "numpy":
            return OpAttributeError(SymbolicNumpy(function=users_function(self.function), shape=shape, dtype=dtype))
        if wanted == "argument":
            return OpTypeError(SymbolicArgument(function=users_function(self.function), shape=shape, dtype=dtype))
        if wanted == "array":
            return OpNotImplementedError(
                SymbolicArray(function=users_function(self.function), shape=shape, dtype=dtype)
            )
        return OpTypeError(
            SymbolicNumber(function=users_function(self.function), shape=shape, dtype=dtype, wanted=wanted)
        )

    def value_wanted(self, op_name: str | None = None) -> Exception:
        """Return the error for an op that needs a value at compile time."""
        return OpTypeError(ValueNeededByOp(function=users_function(self.function), needed_by=op_name or ""))

    def leaked(self, tensor: SymbolicTensor, kind: type[LeakedTensorError] = LeakedTensorError) -> Exception:
        """Return the error for using a symbolic tensor after its function was compiled."""
        return kind(
            f"A tensor of shape {tensor.shape} is out of scope: it was made inside `{self.function}` while that was being "
            "compiled, and has no value outside.",
            tensor,
        )

    def made_at(self, key: Key | None) -> tuple[CodeType, int] | None:
        """Return the call site that computed a value here; None for an argument or a variable's value."""
        return None if key is None else self._made.get(key)


class WatchedTrace:
    """What a tape recorded of a trace, with the tensors that a backward pass may need: they are the last outputs."""

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
        followed: WatchedTrace | None = None,
    ) -> None:
        self.name = name
        self.followed = followed
        self.python = python
        self.inputs = inputs  # only their shapes and dtypes matter
        self.captures = context.captures
        self.updates = updates  # variables that are assigned; their new values are outputs after the results
        self.results = len(jaxpr.jaxpr.outvars) - len(updates) - (0 if followed is None else len(followed.kept))
        self.makes_variables = context.makes_variables
        self.is_differentiable = "unbounded loop" not in context.notes
        self.calls_python = CALLS_PYTHON in context.notes  # other than to report a check that failed
        self.outside = context.outside
        self.jaxpr = jaxpr.jaxpr
        # Each constant of the jaxpr is either the value of a capture or a true constant.
        places = {id(capture.tensor._array): i for i, capture in enumerate(self.captures)}
        self._constants = [places.get(id(constant), constant) for constant in jaxpr.consts]

    @property
    def watched_outside(self) -> list[Tensor]:
        """Return the tensors that the trace treated as constants, but that a tape watches now."""
        keys = {key for key in self.outside for recorder in state.recorders if recorder.watches(key)}
        found = [each for key in keys for each in gc.get_referrers(key) if type(each) in (Tensor, FollowedTensor)]
        return [each for each in found if each._key in keys]

    @property
    def constants_known(self) -> list[Array | None]:
        """Return the constants of the jaxpr; None for those that are captured."""
        return [None if type(each) is int else each for each in self._constants]

    def run(self, *arrays: Array) -> list[Array]:
        """Return the results for arrays: first those of the inputs, then those of the captures."""
        if self.calls_python and state.context is not None:
            state.context.notes.add(CALLS_PYTHON)
        captured = arrays[len(self.inputs) :]
        constants = [captured[each] if type(each) is int else each for each in self._constants]
        return engine().evaluate(self.jaxpr, constants, arrays[: len(self.inputs)])


def placed_value(variable: Variable) -> DeviceTensor:
    """Return a variable's NumPy value on its device, and keep it there."""
    value = variable._value
    placed = on_device(value, variable._layout) if type(value) is Tensor else value
    with variable._lock:
        if variable._value is value:  # another thread may have assigned the variable meanwhile
            variable._value = placed
    return placed  # type: ignore[return-value]


def _drop_jax_frames(trace: TracebackType | None) -> TracebackType | None:
    """Cut a traceback after our last frame, which drops JAX's frames."""
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


def with_tapes(traced: Callable[[Python], _T], python: Python) -> _T:
    """Return `traced(python)`, repeated with each tape that the trace turns out to need from its beginning."""
    wanted: list[GradientTape | None] = []

    def recorded(*tensors: Tensor) -> Sequence[Tensor]:
        with contextlib.ExitStack() as stack:
            for outer in wanted:
                state.context.tapes[outer] = stack.enter_context(tape_for(outer))
            return python(*tensors)

    while True:
        try:
            return traced(recorded if wanted else python)
        except TapeWanted as error:
            wanted.append(error.outer)


def trace(
    name: str,
    python: Python,
    inputs: Sequence[Any],
    followed: Sequence[Tensor] = (),
    tape: GradientTape | None = None,
    carried: int = 0,
) -> Traced:
    """Run `python` once on symbolic tensors that have the shapes and dtypes of `inputs`.

    The outside tensors in `followed` become inputs rather than constants. A `tape` watches everything; the first `carried` inputs are
    no longer available when its backward pass runs.
    """

    def traced(fuses: bool) -> Traced:
        return with_tapes(lambda python: _traced(name, python, inputs, followed, tape, carried, fuses), python)

    outer = state.context
    if outer is not None or not engine().may_fuse_attention():
        return traced(fuses=outer is not None and outer.fusion is not None)
    from whygrad.compile.attention import ScoresWanted  # loaded only where there is a GPU

    try:
        return traced(fuses=True)
    except ScoresWanted:
        return traced(fuses=False)


def _traced(
    name: str,
    python: Python,
    inputs: Sequence[Any],
    followed: Sequence[Tensor],
    tape: GradientTape | None,
    carried: int,
    fuses: bool,
) -> Traced:
    context = Context(name)
    if fuses:
        from whygrad.compile.attention import AttentionFusion

        context.fusion = AttentionFusion(None if state.context is None else state.context.fusion)
    context.make_inputs(followed)
    seen = None if tape is None else WatchedTrace(tape)
    before = state.recorders, state.context
    updates: dict[Variable, Tensor] = {}

    def on_arrays(*arrays: Array) -> list[Array]:
        try:
            tensors = [wrap_placed(array) for array in arrays]
            results = [
                convert(result, None) for result in (python if seen is None else _watched_by(seen, python))(*tensors)
            ]
            updates.update(context.finish())
            outputs = [*results, *updates.values()]
            if seen is not None:
                # Whatever is still alive, through the tape or a custom gradient, may be needed by a backward pass.
                seen.results, seen.stand_ins = results, context.stand_ins
                at_hand = {*map(id, seen.stand_ins), *map(id, tensors[carried:])}
                seen.kept = [tensor for tensor in context.held.values() if id(tensor) not in at_hand]
                outputs += seen.kept
            return [tensor._array for tensor in outputs]
        except engine().has_no_value as error:
            raise _Failed(context.value_wanted().with_traceback(_drop_jax_frames(error.__traceback__))) from None
        except Exception as error:
            raise _Failed(error) from None

    failures: list[BaseException] = []
    try:
        with context.private:
            state.recorders, state.context = (context,), context
            jaxpr = engine().trace(on_arrays, inputs)
    except _Failed as failed:
        failures.append(failed.error)
    finally:
        if not context.finished:
            context.finish()
        state.recorders, state.context = before
    if failures:
        raise failures.pop()  # here, where no exception is handled: it keeps its own context
    traced = Traced(name, python, inputs, jaxpr, context, list(updates), seen)
    context.release()
    return traced


def _watched_by(seen: WatchedTrace, python: Python) -> Python:
    """Wrap Python so that a tape watches all its outside values."""

    def run(*tensors: Tensor) -> Sequence[Tensor]:
        state.context.tape = seen.tape
        state.context.leading.append(seen.tape)
        seen.inputs = list(tensors)
        with seen.tape:
            seen.tape.watch([tensor for tensor in tensors if tensor.dtype.is_differentiable])
            return python(*tensors)

    return run
