"""Compiled calls: traced Python as one XLA executable, which tapes differentiate as one op, compiled too."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from whygrad.compile.trace_listeners import BecameNan, became_nan_listeners
from whygrad.compile.tracing import Capture, Traced, placed_value, trace
from whygrad.engines.loading import engine
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, record
from whygrad.runtime.threads import other_threads
from whygrad.tape.cotangents import dense
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.sweep import sweep
from whygrad.values.dtypes import as_dtype
from whygrad.values.errors import OpNotImplementedError
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import DeviceTensor, SymbolicTensor, Tensor, device_tensor, key_of, wrap
from whygrad.values.variable import Variable

Array = Any


def locks_for_turn(read: Sequence[Variable], updated: Sequence[Variable], calls_python: bool) -> list[tuple[bool, Any]]:
    """The locks of a call's variables, in order of their construction, and whether each is kept until the call is over."""
    variables = sorted({*read, *updated}, key=lambda variable: variable._number)
    # Python that the function calls runs in other threads, which would wait for these locks if it assigned the variables.
    kept = set() if calls_python else set(updated)
    return [(variable in kept, variable._lock) for variable in variables]


class Turn:
    """The locks of a call's variables, so that it runs as if alone among threads that use them.

    All are taken before the first value is read, in order of the variables' construction, which excludes deadlocks. Those of variables
    that are only read are released when all are read: two calls can then run at the same time if neither assigns what the other uses.
    """

    def __init__(self, locks: Sequence[tuple[bool, Any]]) -> None:
        self._locks = locks

    def __enter__(self) -> Turn:
        self._held = []
        for each in self._locks:
            each[1].acquire()
            self._held.append(each)
        return self

    def have_read(self) -> None:
        """Release the variables that are not assigned."""
        for is_kept, lock in self._held:
            if not is_kept:
                lock.release()
        self._held = [each for each in self._held if each[0]]

    def __exit__(self, *exception: object) -> None:
        for _, lock in self._held:
            lock.release()


_M = TypeVar("_M")


class _made_once(Generic[_M]):
    """Like `functools.cached_property`, with a lock for each object.

    In Python 3.11 that has one lock for all objects: a function whose backward pass is traced could not wait for a thread that
    compiles another function.
    """

    def __init__(self, make: Callable[[Any], _M]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __get__(self, instance: Any, owner: type) -> _M:
        made = instance.__dict__
        name = self._make.__name__
        with instance._lock:
            if name not in made:
                made[name] = self._make(instance)  # from now on found before this descriptor
            return made[name]  # type: ignore[no-any-return]


_FIRST_CALLS = 4  # of an executable, after which the variables that it assigns are looked at each time


class Looks:
    """Looks at the trainable variables and the metrics that an executable assigns, and at its loss, ever more seldom, for nan.

    No tape sees what is inside. XLA may leave out the products of zeros with inf, so that a loss is nan and its gradient is not.

    Inf may be meant, as in the smallest loss so far. The program waits for the device at these calls.
    """

    __slots__ = ("calls", "last", "next")

    def __init__(self) -> None:
        self.calls, self.last, self.next = 0, 0, 1

    def look(self, executable: Executable, given: Sequence[Array], results: Sequence[Tensor]) -> None:
        """Look, and notify listeners of the first variable, or else result, that became nan. The call began with the arrays `given`."""
        last, self.last = self.last, self.calls
        self.next = self.calls + (1 if self.calls < _FIRST_CALLS else self.calls // 2)
        if engine().is_spread:  # parts of the values may be on other machines
            return
        telling = _telling(executable._updates)
        for variable, is_nan in zip(telling, engine().have_nan([each._value._array for each in telling])):
            if is_nan:
                self.next = 0  # it stays nan
                if last or not engine().have_nan([_array_before(executable, variable, given)])[0]:
                    for listener in became_nan_listeners:
                        listener(BecameNan(executable.traced.name, self.calls, last, variable))
                return
        # The first number is the loss; a metric of no examples may well be nan.
        loss = [each._array for each in results if each._array.ndim == 0 and each.dtype.is_floating][:1]
        if any(each.trainable for each in telling) and any(engine().have_nan(loss)):
            self.next = 0
            if not any(engine().have_nan([each for each in given if _is_floating(each)])):
                for listener in became_nan_listeners:
                    listener(BecameNan(executable.traced.name, self.calls, last, None))


def _telling(updates: Sequence[Variable]) -> list[Variable]:
    """The variables that should never be nan: those that are trained first, then those of a result, such as a metric's."""
    floating = [each for each in updates if each.dtype.is_floating]
    results = [each for each in floating if each._scope is not None and each._scope.result is not None]
    trained = [each for each in floating if each.trainable]
    return [*trained, *[each for each in results if not each.trainable]]


def _is_floating(array: Array) -> bool:
    return as_dtype(array.dtype).is_floating


def _array_before(executable: Executable, variable: Variable, given: Sequence[Array]) -> Array:
    """The value that a variable had before a call; 0 for one that the call does not read."""
    arrays = given[len(given) - len(executable._captures) :]
    return next((array for capture, array in zip(executable._captures, arrays) if capture.variable is variable), 0.0)


class Executable:
    """Traced Python, compiled at its first call."""

    def __init__(self, traced: Traced) -> None:
        self._lock = threading.RLock()
        self.traced = traced
        self.results = traced.results
        self._use(traced.captures, traced.updates)
        # By position: the last NumPy argument seen there and, once it came a second time, its array on the device.
        self._seen: dict[int, tuple[weakref.ref[Tensor] | None, Array]] = {}
        self._looks = Looks()
        _executables.add(self)

    @_made_once
    def _run(self) -> Any:
        return engine().compile(self.traced.run, _shapes(self.traced), _layouts(self.traced))

    def __call__(self, inputs: Sequence[Tensor], turn: Turn | None = None) -> tuple[Tensor, ...]:
        """Run it and return the results; the variables that it assigns have their new values afterwards.

        The caller has taken the `turn`. Without one it is taken here, if other threads live.
        """
        if turn is None and (self._captures or self._updates) and other_threads():
            return self._in_turn(inputs)
        if state.recorders:
            return self._recorded(inputs, turn)
        given: list[Array] = []  # plain loops: this runs before every executable, and dominates small ones
        for tensor in inputs:
            if type(tensor) is Tensor:
                place = len(given)
                seen, array = self._seen.get(place, NOT_SEEN)
                given.append(array if array is not None and seen() is tensor else self._placed(place, tensor))  # type: ignore[misc]
            else:
                given.append(tensor._array)
        for capture, variable in self._captured:
            value = None if variable is None else variable._value
            given.append((value if type(value) is DeviceTensor else _current(capture))._array)
        if turn is not None:
            turn.have_read()
        outputs = [device_tensor(array) for array in self._run(*given)]
        if not self._updates:
            return tuple(outputs)
        for variable in reversed(self._updates):
            variable._value = outputs.pop()
        looks = self._looks
        looks.calls += 1
        if looks.calls == looks.next:
            looks.look(self, given, outputs)
        return tuple(outputs)

    def _use(self, captures: list[Capture], updates: list[Variable]) -> None:
        """Take these values from outside, and assign these variables."""
        self._captures, self._updates = captures, updates
        # A field of a named tuple takes its time.
        self._captured = [(capture, capture.variable) for capture in captures]
        self._read_variables = [capture.variable for capture in captures if capture.variable is not None]
        self._locks = locks_for_turn(self._read_variables, updates, self.traced.calls_python)

    def for_values(self, pack: Callable[[Sequence[Tensor]], _M]) -> Callable[[Sequence[Tensor]], _M] | None:
        """Return a function that runs it where no recorder is active, and packs its results: `__call__` in one frame.

        None if it uses variables or random streams.
        """
        self.run_often()
        captured = self.captured_values()
        if captured is None:
            return None
        seen_before, placed = self._seen, self._placed

        def run(inputs: Sequence[Tensor]) -> _M:
            given: list[Array] = []
            for tensor in inputs:
                if type(tensor) is DeviceTensor:
                    given.append(tensor._array)
                else:
                    place = len(given)
                    seen, array = seen_before.get(place, NOT_SEEN)
                    given.append(array if array is not None and seen() is tensor else placed(place, tensor))  # type: ignore[misc]
            for tensor in captured:
                given.append(tensor._array)
            return pack([device_tensor(array) for array in self._run(*given)])

        return run

    def run_often(self) -> Any:
        """Return what runs it, once compiled as the function in C++ below JAX's compiled object."""
        if "_run" in self.__dict__:
            self.__dict__["_run"] = engine().called_often(self._run)
        return self._run

    def captured_values(self) -> list[Tensor] | None:
        """Return the values that it takes from outside; None if it uses variables or random streams, which change."""
        if self._updates or any(each.variable is not None or each.make is not None for each in self._captures):
            return None
        return [each.tensor for each in self._captures]

    def _in_turn(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Run it while no other thread changes its variables."""
        # Compiling may run Python that waits for other threads: that comes before the locks.
        if state.recorders and self._is_followed(inputs):
            self.backward  # noqa: B018
        else:
            self._run  # noqa: B018
        with Turn(self._locks) as turn:
            return self(inputs, turn)

    def _is_followed(self, inputs: Sequence[Tensor]) -> bool:
        """Whether a tape watches an argument or a captured value."""
        outside = [capture.tensor for capture in self._captures if capture.variable is None and capture.make is None]
        return _is_followed([*inputs, *outside, *[variable.read() for variable in self._read_variables]])

    def _placed(self, place: int, tensor: Tensor) -> Array:
        """Return the device array of a NumPy argument. An argument that repeats, such as data in a loop, is kept on the device."""
        seen, array = self._seen.get(place, NOT_SEEN)
        if seen is None or seen() is not tensor:
            self._seen[place] = weakref.ref(tensor), None
            return tensor._array
        if array is None:
            array = tensor._array if engine().is_spread else engine().put(tensor._array)
            self._seen[place] = seen, array
        return array

    def _read(self) -> list[Tensor]:
        """Return the captured values; recorders are notified of the variables among them."""
        for capture in self._captures:
            if capture.variable is not None:
                capture.variable.read()
        return [_current(capture) for capture in self._captures]

    def _recorded(self, inputs: Sequence[Tensor], turn: Turn | None) -> tuple[Tensor, ...]:
        """Record the call as one op, of the arguments and of the captured values."""
        given = [*inputs, *self._read()]
        if turn is not None:
            turn.have_read()
        arrays = [tensor._array for tensor in given]
        left: Sequence[Tensor] = ()
        if _is_followed(given):
            count = self.results + len(self._updates)
            outputs = [device_tensor(array) for array in self.backward.forward(*arrays)]
            left = outputs[count:]
            primitive: Primitive = self.primitive
        else:
            outputs = [device_tensor(array) for array in self._run(*arrays)]
            primitive = _unwatched(self.traced.name)
        results = tuple(outputs[: self.results])
        for observer in observers:
            observer.called(self.traced, given, outputs[: self.results + len(self._updates)])
        record(primitive, (*given, *left), results, {})
        for variable, value in zip(self._updates, outputs[self.results :]):
            variable.rebind(value._array, read_value=False)
        return results

    @_made_once
    def backward(self) -> Backward:
        """The call's derivative."""
        return Backward(self)

    @_made_once
    def primitive(self) -> CompiledPrimitive:
        """The call as tapes record it. Its rule refers to `backward`, which must not refer to it: that would be a reference cycle."""
        made = CompiledPrimitive(
            self.traced.name,
            _no_forward,
            joint=self.backward.rule(),
            conjugates=False,
            takes_tensors=True,
            register=False,
        )
        made.compiled = self.traced
        return made

    def __del__(self) -> None:
        # A plan refers to its primitive, which keeps it: without this cycle the arrays of a dropped function are freed at once.
        made = self.__dict__.get("primitive")
        if made is not None:
            made.plans.clear()

    def for_variables(self, variables: dict[Variable, Variable]) -> Executable:
        """The same executable, with other variables in place of some: they are inputs and outputs of what was compiled."""
        return _ForVariables(self, variables)


class _ForVariables(Executable):
    """An executable that reads and assigns other variables than those it was traced with."""

    def __init__(self, compiled: Executable, variables: dict[Variable, Variable]) -> None:
        self._compiled = compiled
        self.traced, self.results, self._seen, self._looks = compiled.traced, compiled.results, {}, Looks()
        captures = [
            capture
            if capture.variable is None
            else capture._replace(variable=variables.get(capture.variable, capture.variable))
            for capture in compiled._captures
        ]
        self._use(captures, [variables.get(variable, variable) for variable in compiled._updates])

    @property
    def _run(self) -> Any:
        return self._compiled._run

    @property
    def backward(self) -> Backward:
        """The call's derivative."""
        return self._compiled.backward

    @property
    def primitive(self) -> CompiledPrimitive:
        """The call as tapes record it."""
        return self._compiled.primitive


NOT_SEEN = (None, None)
_executables: weakref.WeakSet[Executable] = weakref.WeakSet()


def recompile_all() -> None:
    """Compile everything again at its next call: values may be on several devices from now on."""
    for executable in list(_executables):
        for made in ("_run", "backward", "primitive"):
            executable.__dict__.pop(made, None)
        executable._seen.clear()


def _refuse(*arrays: Array) -> Any:
    engine().check_process()


def _refuse_in_child() -> None:
    """In a forked child: what is compiled raises the engine's error instead of waiting for threads that only the parent has."""
    for executable in list(_executables):
        backward = executable.__dict__.get("backward")
        if backward is not None:
            backward.forward = backward._back = _refuse
        if "_run" in executable.__dict__:
            executable.__dict__["_run"] = _refuse


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_refuse_in_child)


class Backward:
    """The derivative of a compiled call: a forward pass that returns the residuals, and the backward pass that reads them."""

    def __init__(self, executable: Executable) -> None:
        traced = executable.traced
        self._lock = threading.RLock()
        self._traced = traced
        self._given = len(traced.inputs) + len(traced.captures)
        self._results = executable.results
        # For each differentiable input, how many arrays its gradient has: 0 where there is none, 2 for rows and their indices.
        self._arrays: list[int] = []
        pulling = _pullback(traced, self._arrays.append, with_results=True)
        whole = trace(f"gradient of {traced.name}", pulling, [*_shapes(traced), *self._shapes_of_results()])
        updates = range(len(whole.jaxpr.outvars) - len(traced.updates), len(whole.jaxpr.outvars))
        late = range(self._given, self._given + self._results)
        first, second, between = engine().split(whole.jaxpr, late, [*range(self._results), *updates])
        constants = whole.constants_known
        later = [None] * self._results
        self.forward: Callable[..., Any] = engine().compile(
            lambda *arrays: engine().evaluate(first, constants, [*arrays, *later]),
            _shapes(traced),
            [*_layouts(traced), *[None] * len(between)],
        )
        left = len(between)
        self._back: Callable[..., Any] = engine().compile(
            lambda *arrays: engine().evaluate(second, [*constants, *arrays[:left]], arrays[left:]),
            [engine().shaped(variable.aval) for variable in (*between, *whole.jaxpr.invars)],
        )

    def _shapes_of_results(self) -> list[Any]:
        return [engine().shaped(variable.aval) for variable in self._traced.jaxpr.outvars[: self._results]]

    def rule(self) -> Callable[..., list[Tensor | Rows | None]]:
        """Return the rule of the call, from the cotangents of its results to those of its inputs."""

        def rule(xp: Any, g: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | Rows | None]:
            given, left = tensors[: self._given], tensors[self._given :]
            found: Iterator[Tensor]
            if any(recorder.differentiates for recorder in state.recorders):
                found = iter(self._differentiable([*given, *g]))
                arrays = iter([min(count, 1) for count in self._arrays])  # it is dense
            else:
                found = map(device_tensor, self._back(*[tensor._array for tensor in (*left, *given, *g)]))
                arrays = iter(self._arrays)
            gradients: list[Tensor | Rows | None] = []
            for tensor in given:
                count = next(arrays) if tensor.dtype.is_differentiable else 0
                parts = [next(found) for _ in range(count)]
                gradients.append(Rows(*parts) if count == 2 else parts[0] if parts else None)
            return gradients + [None] * len(left)

        return rule

    @_made_once
    def _differentiable(self) -> Executable:
        """Return a backward pass that tapes can differentiate: it computes the forward pass once more."""
        pulling = _pullback(self._traced, lambda arrays: None, with_results=False)
        shapes = [*_shapes(self._traced), *self._shapes_of_results()]
        return Executable(trace(f"gradient of {self._traced.name}", pulling, shapes))


class CompiledPrimitive(Primitive):
    """A compiled call as tapes see it; it keeps the trace."""

    __slots__ = ("compiled",)

    compiled: Traced


def _pullback(traced: Traced, tell_arrays: Callable[[int], None], with_results: bool) -> Callable[..., list[Tensor]]:
    """Return Python from inputs, captured values and the results' cotangents to the cotangents of the differentiable inputs.

    It calls `tell_arrays` with the number of tensors that each of them has among those returned. The gradient of a lookup has
    two, its rows and their indices, in the backward pass `with_results` on one device.
    """
    count, captured = len(traced.inputs), len(traced.captures)

    def pull(*tensors: Tensor) -> list[Tensor]:
        inputs, values, g = tensors[:count], tensors[count : count + captured], tensors[count + captured :]
        state.context.substitute(traced.captures, values)
        if not with_results:
            state.context.discard_assignments()
        sources = [tensor for tensor in (*inputs, *values) if tensor.dtype.is_differentiable]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            state.context.leading.append(tape)
            results = list(traced.python(*inputs))
        pairs = [(y, upstream) for y, upstream in zip(results, g) if y.dtype.is_differentiable]
        found = results if with_results else []
        for gradient in gradients_of(tape, pairs, sources, sparse=with_results and not engine().is_spread):
            parts = gradient if isinstance(gradient, Rows) else [] if gradient is None else [gradient]
            tell_arrays(len(parts))
            found = [*found, *parts]
        return found

    return pull


def gradients_of(
    tape: GradientTape, pairs: Sequence[tuple[Tensor, Tensor]], sources: Sequence[Tensor], sparse: bool = False
) -> list[Any]:
    """Return what `tape.gradient` gives for targets with upstream gradients, without notifying listeners of a None.

    The gradients of lookups are dense, unless `sparse`: then they are `Rows`.
    """
    seeds = [(key_of(y), upstream) for y, upstream in pairs if isinstance(y, SymbolicTensor)]
    keys = [key_of(source) for source in sources]
    cotangents = sweep(tape._records, seeds, keys, tape.roots, keep=False)
    return [cotangents.result(key) if sparse else dense(cotangents, key) for key in keys]


def _shapes(traced: Traced) -> list[Any]:
    """Return the shapes and dtypes of a traced function's inputs and captured values."""
    values = [*traced.inputs, *[capture.tensor._array for capture in traced.captures]]
    return [engine().shaped(each) for each in values]


def _layouts(traced: Traced) -> list[Any]:
    """Return the shardings of the results on several devices: variables keep theirs, XLA chooses the others."""
    read = {capture.variable: len(traced.inputs) + i for i, capture in enumerate(traced.captures)}
    return [None] * traced.results + [variable._layout or read.get(variable) for variable in traced.updates]


def _is_followed(tensors: Sequence[Tensor]) -> bool:
    keys = [key_of(tensor) for tensor in tensors]
    return any(recorder.watches(key) for recorder in state.recorders for key in keys)


@functools.lru_cache(maxsize=256)
def _unwatched(name: str) -> Primitive:
    return Primitive(name, _no_forward, joint=_no_rule, takes_tensors=True, register=False)


def _no_rule(xp: Any, g: Any, tensors: Any) -> list[Tensor | None]:
    return [None] * len(tensors)


def _no_forward(xp: Any, *tensors: Any) -> Any:
    raise OpNotImplementedError("a compiled function is called, not applied")


def _current(capture: Capture) -> Tensor:
    """Return the value of a capture for the next call."""
    if capture.variable is not None:
        value = capture.variable._value
        return placed_value(capture.variable) if type(value) is Tensor else value
    if capture.make is not None:
        return wrap(engine().broadcast_from_first(capture.make()))
    return capture.tensor
