"""Traced functions that run op by op: where ops are to be seen one by one, and where JAX is not installed.

A function is traced as for XLA: Python runs once, on symbolic tensors. What it did is noted as a list of steps: arrays computed, ops
recorded, variables read and assigned, tapes entered and asked for gradients. A call repeats the steps with its own arguments. Each op is
recorded with the user's call site from the trace, so tapes differentiate through it, and explanations show its line, as in eager code.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad.compile.compiled_call import Turn, locks_for_turn
from whygrad.compile.graph_nodes import Computation, Computed
from whygrad.compile.straight_line import Call, Differs, NotStraight, Writer
from whygrad.compile.tracing import Context, VariableMade, with_tapes
from whygrad.engines.recording import (
    NESTED,
    InPython,
    Kernel,
    NoValue,
    RecordingEngine,
    SymbolicArray,
    SymbolicStream,
    blank,
    call,
)
from whygrad.engines.recording import fill as fill_arrays
from whygrad.ops.primitive import (
    ATTRIBUTES,
    KEPT,
    OUTPUT,
    REFUSALS,
    Primitive,
    RawRecord,
    record,
    refused,
    tell_recorders,
)
from whygrad.ops.shaping import identity
from whygrad.runtime.call_sites import Place, frame_at, last, pinned, users_calls_traced, users_site
from whygrad.runtime.error_state import restore, silence
from whygrad.runtime.threads import other_threads
from whygrad.tape.gradient_calls import GradientCall, TracedFunction, listeners
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import observers, private_values, state
from whygrad.values.tensor import Key, SymbolicTensor, Tensor, key_of, wrap
from whygrad.values.variable import Variable

Array = Any
Python = Callable[..., Sequence[Any]]
_engine = RecordingEngine()
_CALLS_BEFORE_STRAIGHT = 2  # to write and compile the function takes as long as some twenty calls


class ShapeVaries(Exception):
    """An op gave another shape than it had in the trace: the shape depends on values."""


# -- a call --


class Values:
    """The tensors, tapes and variables of one call, in place of those of the trace."""

    def __init__(self, variables: dict[Variable, Variable] | None = None) -> None:
        # By the identity of a symbolic array or of a tensor's key. The program holds both, so identities stay theirs.
        self.tensors: dict[int, Tensor] = {}
        self.tapes: dict[int, Any] = {}
        self.variables = variables or {}  # by those of the trace

    def copy(self) -> Values:
        """Return the values as they are now, for what runs later."""
        new = Values(self.variables)
        new.tensors.update(self.tensors)
        new.tapes.update(self.tapes)
        return new

    def of(self, tensor: Tensor) -> Tensor:
        """Return what a tensor of the trace is in this call."""
        found = None if tensor._key is None else self.tensors.get(id(tensor._key))
        if found is None and type(tensor) is SymbolicTensor:
            found = self.tensors.get(id(tensor._array))
        return tensor if found is None else found

    def array_of(self, array: SymbolicArray) -> Array:
        """Return what a symbolic array is in this call."""
        found = self.tensors.get(id(array))
        return array if found is None else found._array

    def filled(self, structure: Any) -> Any:
        """Return a structure of arguments with the tensors of this call."""
        return nest.map_structure(self._of_any, structure)

    def _of_any(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self.of(value)
        if isinstance(value, IndexedSlices):
            return IndexedSlices(self.of(value.values), self.of(value.indices), value._dense_shape)
        return self.variables.get(value, value) if type(value) is Variable else value

    def bind(self, symbolic: Any, made: Any) -> None:
        """Set what symbolic arrays, alone or in a structure, are in this call."""
        if type(symbolic) is SymbolicArray:
            tensor = wrap(made)
            if tensor._array.shape != symbolic.shape:
                raise ShapeVaries
            self.tensors[id(symbolic)] = tensor
        elif type(symbolic) in (list, tuple):
            for each, part in zip(symbolic, made):
                self.bind(each, part)


# -- steps --


class Step:
    """Something that a traced function does at each call."""

    def __init__(self) -> None:
        self.place = Place(*users_site(2))
        self.around = users_calls_traced()

    def run(self, values: Values) -> None:
        """Do it."""
        raise NotImplementedError

    def write(self, writer: Writer) -> None:
        """Write its Python for calls that no recorder sees."""
        raise NotStraight

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        """Replace its results, among the needed values, by what they are computed from, if the op has a derivative."""


class Compute(Step):
    """A function of arrays."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], result: Any):
        super().__init__()
        self.function, self.args, self.kwargs, self.result = function, args, kwargs, result
        self.op: tuple[Primitive, tuple[Tensor, ...]] | None = None  # if an op computed it: the op and its inputs
        # Whether symbolic arrays are found by a look at each argument, as they nearly always are.
        self._is_flat = not any(type(each) in NESTED for each in (*args, *kwargs.values()))

    def run(self, values: Values) -> None:
        args: Sequence[Any]
        if self._is_flat:
            tensors = values.tensors
            args = [each if (found := tensors.get(id(each))) is None else found._array for each in self.args]
            kwargs = {
                name: each if (found := tensors.get(id(each))) is None else found._array
                for name, each in self.kwargs.items()
            }
        else:
            args, kwargs = fill_arrays(self.args, values.array_of), fill_arrays(self.kwargs, values.array_of)
        if state.context is not None:  # part of another trace
            _rebind(values, self.result, call(self.function, *args, **kwargs))
            return
        token = silence()
        try:
            made = self.function(*args, **kwargs)
        except REFUSALS as error:
            if self.op is None or not isinstance(self.function, Kernel):  # an error of the user's own function
                raise
            primitive, inputs = self.op
            raise refused(primitive, [values.of(tensor) for tensor in inputs], error) from None
        finally:
            restore(token)
        values.bind(self.result, made)

    def write(self, writer: Writer) -> None:
        writer.compute(self.function, self.args, self.kwargs, self.result)


def _rebind(values: Values, symbolic: Any, made: Any) -> None:
    if type(symbolic) is SymbolicArray:
        values.tensors[id(symbolic)] = wrap(made)
    elif type(symbolic) in (list, tuple):
        for each, part in zip(symbolic, made):
            _rebind(values, each, part)


class RecordOp(Step):
    """An op as recorders see it."""

    def __init__(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        self.place = Place(raw[4], raw[5])
        self.around = users_calls_traced()
        self.primitive: Primitive = raw[0].primitive
        self.attributes: dict[str, Any] = raw[ATTRIBUTES]
        self.inputs = inputs
        self.several = type(outputs) is tuple
        self.outputs: tuple[Tensor, ...] = outputs if self.several else (outputs,)
        keys = raw[OUTPUT]
        self.keys: tuple[Key, ...] = keys if self.several else (keys,)

    def run(self, values: Values) -> None:
        if not state.recorders:
            return
        inputs = tuple([values.of(tensor) for tensor in self.inputs])
        made = []
        for output, key in zip(self.outputs, self.keys):
            found = values.tensors.get(id(output._array)) if type(output) is SymbolicTensor else output
            if found is None or found is output or found._key is not None:
                found = wrap((output if found is None else found)._array)
            values.tensors[id(key)] = found
            made.append(found)
        outputs: Any = tuple(made) if self.several else made[0]
        keys = tuple([key_of(tensor) for tensor in inputs])
        of_outputs: Any = tuple([key_of(each) for each in made]) if self.several else key_of(made[0])
        traced_rule = getattr(self.primitive.joint, "traced", None)
        primitive = self.primitive if traced_rule is None else traced_rule.primitive_for(self.primitive.name, values)
        tell_recorders(
            primitive, state.recorders, inputs, keys, outputs, of_outputs, self.attributes, self.place[0], self.place[1]
        )

    def write(self, writer: Writer) -> None:
        pass  # for recorders

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        if _taken_out(needed, (*self.outputs, *self.keys)) and self.primitive.no_gradient is None:
            needed.update(_by_identity(self.inputs))


class Read(Step):
    """A variable is read."""

    def __init__(self, variable: Variable, value: Tensor) -> None:
        super().__init__()
        self.variable, self.value = variable, value

    def run(self, values: Values) -> None:
        found = values.variables.get(self.variable, self.variable).read()
        if type(self.value) is SymbolicTensor:
            values.tensors[id(self.value._array)] = found
        else:
            values.tensors[id(key_of(self.value))] = found

    def write(self, writer: Writer) -> None:
        writer.read(self.variable, self.value)

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        if _taken_out(needed, self.value):
            needed[id(self.variable)] = self.variable


class Assign(Step):
    """A variable takes a new value."""

    def __init__(self, variable: Variable, value: Tensor, origin: Tensor | None) -> None:
        super().__init__()
        self.variable, self.origin = variable, origin
        self.array = value._array

    def run(self, values: Values) -> None:
        array = values.array_of(self.array) if isinstance(self.array, SymbolicArray) else self.array
        variable = values.variables.get(self.variable, self.variable)
        variable.rebind(array, False, None if self.origin is None else values.of(self.origin))

    def write(self, writer: Writer) -> None:
        writer.assign(self.variable, self.array)


class Feed(Step):
    """A value that each call makes again, for random numbers."""

    def __init__(self, make: Callable[[], Array], array: SymbolicArray) -> None:
        super().__init__()
        self.make, self.array = make, array

    def run(self, values: Values) -> None:
        values.bind(self.array, self.make())


class Outside(Step):
    """A known tensor that is used as a symbolic one."""

    def __init__(self, tensor: Tensor, array: SymbolicArray) -> None:
        super().__init__()
        self.tensor, self.array = tensor, array

    def run(self, values: Values) -> None:
        values.tensors[id(self.array)] = values.of(self.tensor)

    def write(self, writer: Writer) -> None:
        writer.use(self.tensor, self.array)

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        if _taken_out(needed, self.array):
            needed.update(_by_identity([self.tensor]))


class Notice(Step):
    """A constant was made of a Python value, or a known value was read: recorders are notified of it at each call."""

    def __init__(self, event: str, tensor: Tensor, *rest: Any) -> None:
        super().__init__()
        self.event, self.tensor, self.rest = event, tensor, rest

    def run(self, values: Values) -> None:
        for recorder in state.recorders:
            getattr(recorder, self.event)(values.of(self.tensor), *self.rest)

    def write(self, writer: Writer) -> None:
        pass  # for recorders


class OnTape(Step):
    """A method of a tape or of a ForwardAccumulator. Each call has its own, if the function made it."""

    def __init__(self, tape: Any, is_new: bool, method: str, args: tuple[Any, ...], result: Any = None) -> None:
        super().__init__()
        self.tape, self.is_new, self.method, self.args = tape, is_new, method, args
        self.results = nest.flatten(result)

    def run(self, values: Values) -> None:
        tape = self.tape
        if self.is_new:
            tape = values.tapes.get(id(self.tape))
            if tape is None:
                tape = values.tapes[id(self.tape)] = self.tape.unused_copy()
        found = getattr(tape, self.method)(*[values.filled(arg) for arg in self.args])
        for symbolic, made in zip(self.results, nest.flatten(found)):
            _bind_gradient(values, symbolic, made)


def _bind_gradient(values: Values, symbolic: Any, made: Any) -> None:
    if isinstance(symbolic, IndexedSlices):
        parts = made if isinstance(made, IndexedSlices) else None
        if parts is None:
            raise ShapeVaries
        _bind_gradient(values, symbolic.values, parts.values)
        _bind_gradient(values, symbolic.indices, parts.indices)
    elif isinstance(symbolic, Tensor):
        if made is None:  # a loop or a branch that this call did not take: its contribution is zero
            made = wrap(np.zeros(symbolic._array.shape, symbolic._array.dtype))
        made = convert(made, None)
        values.tensors[id(key_of(symbolic))] = made
        if type(symbolic) is SymbolicTensor:
            values.tensors[id(symbolic._array)] = made


class CallOp(Step):
    """A public whygrad function that runs as a whole at each call, such as `py_function`."""

    def __init__(self, function: Callable[..., Sequence[Tensor]], inputs: Sequence[Tensor], outputs: Sequence[Tensor]):
        super().__init__()
        self.function, self.inputs, self.outputs = function, inputs, outputs

    def run(self, values: Values) -> None:
        made = self.function(*[values.of(tensor) for tensor in self.inputs])
        for output, tensor in zip(self.outputs, made):
            if tensor._array.shape != output._array.shape:
                raise ShapeVaries
            values.tensors[id(output._array)] = tensor

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        if _taken_out(needed, self.outputs):
            needed.update(_by_identity(self.inputs))


def _by_identity(tensors: Sequence[Tensor]) -> dict[int, Tensor | Variable]:
    return {each: tensor for tensor in tensors if tensor.dtype.is_differentiable for each in _identities(tensor)}


def _taken_out(needed: dict[int, Tensor | Variable], made: Any) -> bool:
    """Remove values from the needed ones; return whether any was needed."""
    found = [needed.pop(each, None) for each in _identities(made)]  # all of them, not only up to the first
    return any(each is not None for each in found)


def trace_back_bodies(
    needed: dict[int, Tensor | Variable], outputs: Sequence[Tensor], bodies: Sequence[Body], given: Sequence[Tensor]
) -> None:
    """`Step.trace_back` for control flow that runs `bodies` on the values `given`."""
    if _taken_out(needed, outputs):
        needed.update(_by_identity(given))
        for body in bodies:
            needed.update(body.sources)


def run_steps(steps: Sequence[Step], values: Values, unused_after: Sequence[Sequence[int]] = ()) -> None:
    """Do what a traced function does, with the call sites of the trace; let go of values that no later step uses."""
    before = pinned.place, pinned.around
    tensors = values.tensors
    try:
        for i, step in enumerate(steps):
            pinned.place, pinned.around = step.place, step.around
            last.code = None  # ops look for their call site
            step.run(values)
            if unused_after:
                for each in unused_after[i]:
                    tensors.pop(each, None)
    finally:
        pinned.place, pinned.around = before


def _unused_after(body: Body) -> list[list[int]]:
    """Return for each step the identities of the values that neither a later step nor the result uses."""
    last_use: dict[int, int] = {}
    for i, step in enumerate(body.steps):
        for each in _identities(step):
            last_use[each] = i
    for each in _identities(body.results):
        last_use.pop(each, None)
    unused: list[list[int]] = [[] for _ in body.steps]
    for each, i in last_use.items():
        unused[i].append(each)
    return unused


def _identities(value: Any) -> Iterator[int]:
    """Yield the identities of all symbolic arrays and keys in a step, a body or a structure of arguments."""
    if isinstance(value, Tensor):
        if value._key is not None:
            yield id(value._key)
        if type(value) is SymbolicTensor:
            yield id(value._array)
    elif isinstance(value, SymbolicArray | Key):
        yield id(value)
    elif isinstance(value, IndexedSlices):
        yield from _identities((value._values, value._indices))
    elif isinstance(value, Step | Body | SymbolicStream):
        for each in vars(value).values():
            yield from _identities(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _identities(each)
    elif isinstance(value, dict):
        yield from _identities(list(value.values()))
    elif isinstance(value, slice):
        yield from _identities((value.start, value.stop, value.step))


# -- bodies --


class Body:
    """A traced piece of Python: inputs, steps and results."""

    def __init__(self, inputs: list[Tensor], steps: list[Step], results: list[Any], assigned: list[Variable]) -> None:
        self.inputs = inputs
        self.steps = steps
        self.results = results
        self.assigned = assigned  # the variables that it assigns

    @functools.cached_property
    def sources(self) -> dict[int, Tensor | Variable]:
        """The values from outside that its results are computed from by ops with a derivative, by their identities."""
        needed = _by_identity([each for each in self.results if isinstance(each, Tensor)])
        for step in reversed(self.steps):
            step.trace_back(needed)
        _taken_out(needed, self.inputs)
        return needed

    def did_not_run(self, values: Values, outputs: Sequence[Tensor]) -> None:
        """Notify recorders that this body did not run: `outputs` would have been computed by it."""
        recorders = [each for each in state.recorders if each.differentiates]
        if not recorders or state.context is not None:
            return
        sources: dict[Key | Variable, None] = {}
        for each in self.sources.values():
            if isinstance(each, Variable):
                sources[values.variables.get(each, each)] = None
            elif type(value := values.of(each)) is not SymbolicTensor:
                sources[key_of(value)] = None
        made = [key_of(each) for each in outputs if each.dtype.is_differentiable]
        for recorder in recorders if made and sources else ():
            recorder.may_depend(made, list(sources))

    def run(self, values: Values, inputs: Sequence[Tensor], unused_after: Sequence[Sequence[int]] = ()) -> list[Any]:
        """Return the results for these inputs."""
        for symbolic, tensor in zip(self.inputs, inputs):
            values.tensors[id(symbolic._array)] = tensor
        run_steps(self.steps, values, unused_after)
        return [None if each is None else values.of(each) for each in self.results]


class TracedRule:
    """The rule of a custom gradient: its Python is traced when it is first needed, and runs op by op afterwards."""

    def __init__(self, context: ReplayContext, rule: Callable[..., Any], outputs: Sequence[Tensor]) -> None:
        self._context = context
        self._rule = rule
        self._outputs = outputs
        self._body: Body | None = None

    def pull(self, values: Values, xp: Any, g: Sequence[Tensor]) -> list[Any]:
        """Return the gradients for the inputs."""
        return self.body(xp).run(values.copy(), g)

    def body(self, xp: Any = None) -> Body:
        """Return what its Python does, traced now if it was not yet."""
        if self._body is None:
            examples = [np.zeros(each._array.shape, each._array.dtype) for each in self._outputs]
            self._body = trace_body(self._context, lambda *given: self._rule(xp, given), examples, watched=False)
        return self._body

    def primitive_for(self, name: str, values: Values) -> Primitive:
        """Return the primitive for one call, whose rule uses the values of that call."""
        at_call = values.copy()

        def rule(xp: Any, g: tuple[Tensor, ...]) -> list[Any]:
            return self.pull(at_call, xp, g)

        rule.__wrapped__ = self._rule  # type: ignore[attr-defined]  # explanations show the program's own function
        return Primitive(name, _no_forward, joint=rule, inputs=["x"], takes_tensors=True, register=False)


def _no_forward(xp: Any, *x: Any) -> Any:
    raise NotImplementedError("the forward pass of a custom gradient is the user's function")


# -- tracing --


class ReplayContext(Context):
    """A trace in progress: of a function, or of a branch, loop body or rule inside one (then it has a `parent`)."""

    replays = True
    engine = _engine

    def __init__(self, name: str, parent: ReplayContext | None = None) -> None:
        super().__init__(name)
        self.parent = parent
        self.steps: list[Step] = []
        self.assigned: dict[Variable, None] = {}
        self._suspended = False
        if parent is None:
            self.read: dict[Variable, None] = {}  # all variables that are used
            self.outer = state.recorders
            self.arrays: list[SymbolicArray] = []
            self.wanting: list[GradientCall] = []  # calls of `gradient` that gave None, or had no sources
            self.known = TracedFunction([], {})  # explains a None if the trace fails
        else:
            self.function = parent.function
            self.read, self.first_tape = parent.read, parent.first_tape
            self.outer, self.arrays = parent.outer, parent.arrays

    calls_python = False
    has_rules = False

    def release(self) -> None:
        """Let go of all tensors and steps; the `Body` has the steps."""
        super().release()
        self.steps = []
        self.private.values = {}

    def append(self, record: RawRecord, /) -> None:
        """Note an op."""
        super().append(record)
        self.root.known.ops.append((*record[:KEPT], record[KEPT] and [], *record[KEPT + 1 :]))

    @property
    def root(self) -> ReplayContext:
        """The trace of the whole function."""
        return self if self.parent is None else self.parent.root

    # -- steps --

    def add(self, step: Step) -> None:
        """Note a step."""
        if not self._suspended:
            self.steps.append(step)

    @contextlib.contextmanager
    def suspended(self) -> Iterator[None]:
        """Note no steps inside this block."""
        before, self._suspended = self._suspended, True
        try:
            yield
        finally:
            self._suspended = before

    def computed_by(
        self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
    ) -> None:
        """Arrays were computed."""
        if isinstance(function, InPython):
            self.root.calls_python = True
        self.arrays += [each for each in nest.flatten(result) if type(each) is SymbolicArray]
        self.add(Compute(function, args, kwargs, result))

    def ran(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """An op was recorded."""
        if self._suspended:
            return
        step = RecordOp(raw, inputs, outputs)
        computed = self.steps[-1] if self.steps else None
        if (
            isinstance(computed, Compute)
            and step.outputs
            and any(step.outputs[0]._array is each for each in _flat(computed.result))
        ):
            computed.op = step.primitive, inputs
        self.steps.append(step)

    def hold(self, tensor: SymbolicTensor) -> None:
        """Note a tensor that was created here."""
        self.arrays.append(tensor._array)

    # -- values from outside --

    def capture(self, tensor: Tensor, variable: Variable | None = None, make: Any = None) -> Tensor:
        """Return an outside tensor as it is; each call uses it."""
        if isinstance(tensor, SymbolicTensor):
            if self._suspended and getattr(tensor._context, "read", None) is self.read:
                return tensor  # a sweep passes through the bodies of branches and loops
            context: Any = self
            while context is not None:
                if context is tensor._context:
                    return tensor
                context = context.parent
            raise tensor._context.leaked(tensor)
        before, state.context = state.context, None
        try:
            return convert(tensor, None)
        finally:
            state.context = before

    def feed(self, make: Callable[[], Array], like: Array) -> Tensor:
        """Return an input that `make` computes at every call of the function; it has the shape and dtype of `like`."""
        array = SymbolicArray(np.asarray(like))
        self.add(Feed(make, array))
        return wrap(array)

    def as_symbolic(self, tensor: Tensor) -> Tensor:
        """Return a known tensor as a symbolic one; for tapes it is the same."""
        array = SymbolicArray(np.asarray(tensor._array))
        self.add(Outside(tensor, array))
        symbolic = wrap(array)
        symbolic._key = key_of(tensor)
        return symbolic

    def at_each_call(
        self, function: Callable[..., Sequence[Tensor]], inputs: Sequence[Tensor], of: Sequence[Any]
    ) -> list[Tensor]:
        """Return symbolic results, with these shapes and dtypes, of a function of tensors that runs at each call."""
        outputs = [wrap(SymbolicArray(blank(shape, dtype))) for shape, dtype in of]
        self.root.calls_python = True
        self.add(CallOp(function, inputs, outputs))
        depends(outputs, inputs)
        return outputs

    def rule_of(self, rule: Callable[..., Any], outputs: Sequence[Tensor]) -> Callable[..., Any]:
        """Return the rule of a custom gradient that is traced once."""
        self.root.has_rules = True
        traced = TracedRule(self, rule, outputs)

        def traced_rule(xp: Any, g: tuple[Tensor, ...]) -> Any:
            return traced.pull(Values(), xp, [convert(each, None) for each in g])

        traced_rule.traced = traced  # type: ignore[attr-defined]
        return traced_rule

    # -- variables --

    def variable_read(self, variable: Variable) -> None:
        """Make the variable's value symbolic here, from its first read on."""
        variable = variable.handle
        self.read.setdefault(variable)
        if variable not in self.private.values:
            self._make_symbolic(variable)
        value = self.private.values[variable]
        last_step = self.steps[-1] if self.steps else None
        if not (isinstance(last_step, Read) and last_step.variable is variable and last_step.value is value):
            self.add(Read(variable, value))

    def _make_symbolic(self, variable: Variable) -> None:
        """Give a variable a symbolic value here: it is known only when the function runs."""
        value = self.private.of(variable)
        array = value._array
        value = self.private.values[variable] = wrap(SymbolicArray(_example(array)))
        self.root.known.values.setdefault(variable, []).append(key_of(value))

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """Note an assignment. Variables may be created here, from known values."""
        variable = variable.handle
        if kind == "created":
            if type(variable._value) is SymbolicTensor:
                raise VariableMade
            self.root.makes_variables = users_site()
            for recorder in self.outer:
                recorder.variable_set(kind, variable, origin)
        else:
            self.read.setdefault(variable)
            self.assigned.setdefault(variable)
            self.add(Assign(variable, self.private.values[variable], origin))

    # -- events --

    def converted(self, tensor: Tensor, value: Any) -> None:
        """Note a constant that Python made."""
        self.add(Notice("converted", tensor, value))

    def left_for_numpy(self, tensor: Tensor) -> None:
        """Note a known value that Python took."""
        self.add(Notice("left_for_numpy", tensor))

    # -- tapes --

    def on_tape(self, tape: Any, method: str, *args: Any) -> None:
        """Note the call of a tape's method."""
        self.add(OnTape(tape, tape.number > self.first_tape, method, args))

    def differentiate(self, tape: Any, method: str, args: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """Differentiate with a tape: once here, for shapes, and at each call with the call's own tape."""
        with self.suspended():
            result = compute()
        if not self._suspended:
            self.steps.append(OnTape(tape, tape.number > self.first_tape, method, args, result))
        return result

    @property
    def control(self) -> Any:
        """The control flow ops for functions that run op by op; loaded on first use."""
        from whygrad.compile import replay_control

        return replay_control

    def assigned_in(self, bodies: Sequence[Body]) -> None:
        """Note that bodies assign variables: their values are known only when the function runs."""
        for body in bodies:
            for variable in body.assigned:
                self.assigned.setdefault(variable)
                self._make_symbolic(variable)


def _flat(result: Any) -> list[Any]:
    return list(result) if type(result) in (list, tuple) else [result]


class _Spy:
    """Hands the ops of this thread's trace to its context, with their tensors."""

    looks_inside_functions = False

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        context = state.context
        if context is not None and context.replays and threading.get_ident() == self.thread:
            context.ran(raw, inputs, outputs)

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Not needed: each call takes its gradients itself."""

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """No compiled function is called here."""


def depends(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
    """Record for the tapes of the trace that `outputs` are computed from `inputs`, in steps that they do not see."""
    if not inputs or not outputs:
        return
    kinds = [(each._array.shape, each._array.dtype) if each.dtype.is_differentiable else None for each in inputs]

    def rule(xp: Any, g: Any) -> list[Tensor | None]:  # while tracing, only shapes matter, and what depends on what
        found = [None if kind is None else wrap(SymbolicArray(blank(*kind))) for kind in kinds]
        if any(recorder.differentiates for recorder in state.recorders):
            depends([each for each in found if each is not None], [*[each for each in g if each is not None], *inputs])
        return found

    primitive = Primitive(
        "depends", _no_forward, joint=rule, inputs=["x"], takes_tensors=True, takes_none=True, register=False
    )
    with state.context.suspended():
        record(primitive, tuple(inputs), tuple(outputs), {})


def trace_body(
    parent: ReplayContext, python: Python, examples: Sequence[Any], watched: bool = True, name: str = ""
) -> Body:
    """Trace Python that is part of a traced function: a branch, a loop body, a rule.

    If `watched`, the tapes of the trace see what it computes.
    """

    def traced(python: Python) -> Body:
        context = ReplayContext(name or parent.name, parent)
        recorders: tuple[Any, ...] = (context,)
        if watched:
            recorders = tuple([context if each is state.context else each for each in state.recorders])
        return _traced(context, python, examples, recorders)

    return with_tapes(traced, python)


def _traced(context: ReplayContext, python: Python, examples: Sequence[Any], recorders: tuple[Any, ...]) -> Body:
    before = state.context, state.recorders, pinned.place, pinned.traced_in
    spy = _Spy()
    failed = False
    is_outermost = not any(isinstance(each, _Spy) and each.thread == spy.thread for each in observers)
    if is_outermost:
        observers.append(spy)
    state.context, state.recorders, pinned.place = context, recorders, None
    if context.parent is None:
        pinned.traced_in = frame_at(0)
    try:
        with context.private:
            inputs = [wrap(SymbolicArray(_example(each))) for each in examples]
            results = [None if each is None else convert(each, None) for each in python(*inputs)]
        return Body(inputs, context.steps, results, list(context.assigned))
    except NoValue as error:
        raise context.value_wanted().with_traceback(error.__traceback__) from None
    except Exception:
        failed = context.parent is None
        raise
    finally:
        context.finished = True
        context.release()
        state.context, state.recorders, pinned.place, pinned.traced_in = before
        if is_outermost:
            observers.remove(spy)
        if failed:  # perhaps because of a None: no call of the function will report it
            for wanting in context.wanting:
                for listener in listeners:
                    listener(wanting)


def _example(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, SymbolicArray):
        return blank(value.shape, value.dtype) if value.example is None else value.example
    return np.asarray(value)


def _arrays_of(tensors: Sequence[Tensor]) -> list[int]:
    """The identities of the arrays of tensors."""
    return [id(each._array) for each in tensors]


class Program:
    """A traced function."""

    def __init__(self, name: str, python: Python, inputs: Sequence[Array]) -> None:
        root, self.body = with_tapes(lambda python: self._trace(name, python, inputs), python)
        self.makes_variables = root.makes_variables
        # The user's, which may wait for other threads that use the same variables.
        self.calls_python = root.calls_python
        self.variables = list(root.read)
        used = {
            i
            for step in self.body.steps
            if isinstance(step, RecordOp)
            for each in step.inputs
            for i in _identities(each)
        }
        self._inner_results = [
            i
            for i, each in enumerate(self.body.results)
            if type(each) is SymbolicTensor and not used.isdisjoint(_identities(each))
        ]
        # What the rule of a custom gradient uses is known only when it is needed.
        self._unused_after = [] if root.has_rules else _unused_after(self.body)
        self._straight: Call | None = None
        self._calls_before_straight = _CALLS_BEFORE_STRAIGHT  # -1: it was tried

    def _trace(self, name: str, python: Python, inputs: Sequence[Array]) -> tuple[ReplayContext, Body]:
        root = ReplayContext(name)
        try:
            return root, _traced(root, python, inputs, (root,))
        finally:
            for array in root.arrays:
                array.example = None

    @property
    def computation(self) -> Computation:
        """The ops that were traced."""
        ops = [
            Computed(step.primitive.op_name or step.primitive.name, _arrays_of(step.inputs), _arrays_of(step.outputs))
            for step in self.body.steps
            if isinstance(step, RecordOp)
        ]
        return Computation(_arrays_of(self.body.inputs), ops, _arrays_of(self.body.results))

    def run(self, inputs: Sequence[Tensor], variables: dict[Variable, Variable]) -> list[Tensor]:
        """Call the function, with `variables` in place of some of the trace."""
        # Like a compiled call, it sees its variables at one moment.
        if (self.body.assigned or len(self.variables) > 1) and other_threads() and not self.calls_python:
            used = [variables.get(each, each) for each in self.variables]
            with Turn(locks_for_turn(used, used, calls_python=False)):
                return self._run(inputs, variables)
        return self._run(inputs, variables)

    def _run(self, inputs: Sequence[Tensor], variables: dict[Variable, Variable]) -> list[Tensor]:
        recorders = state.recorders
        before = [
            (variable, variable._value) for variable in [variables.get(each, each) for each in self.body.assigned]
        ]
        try:
            if not (recorders or observers or private_values or variables) and self._is_straight(inputs):
                assert self._straight is not None
                token = silence()
                try:
                    return self._straight(inputs)
                except (Differs, *REFUSALS):  # the steps compute it, or say what is wrong
                    _take_back(before)
                finally:
                    restore(token)
            results = self.body.run(Values(variables), inputs, self._unused_after)
            if self._inner_results and any(each.differentiates for each in state.recorders):
                # A compiled call is one op for the tapes around it: no result is computed from another one.
                for i in self._inner_results:
                    results[i] = identity(results[i])
            return results
        except BaseException:
            state.recorders = recorders
            _take_back(before)
            raise

    def _is_straight(self, inputs: Sequence[Tensor]) -> bool:
        """Whether there is a function that does what the steps do: it is written once the program was called often enough."""
        if self._calls_before_straight >= 0:
            self._calls_before_straight -= 1
            if self._calls_before_straight < 0:
                self._straight = self._written(inputs)
        return self._straight is not None

    def _written(self, inputs: Sequence[Tensor]) -> Call | None:
        try:
            writer = Writer(self.body.inputs, inputs)
            for step in self.body.steps:
                step.write(writer)
            return writer.function(self.body.results)
        except NotStraight:
            return None


def _take_back(assigned: Sequence[tuple[Variable, Tensor]]) -> None:
    for variable, value in assigned:
        variable._value = value
