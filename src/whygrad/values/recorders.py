"""This thread's recorders: the objects that are notified of ops, of reads of variables and of values that leave for NumPy.

Tapes register here while they record. Values and ops know only this protocol, not tapes.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from whygrad.values.tensor import Key, Tensor
    from whygrad.values.variable import Variable


class Event(NamedTuple):
    """Something that happened outside the ops, with the user's line: a value passed out of the reach of tapes."""

    kind: str  # "left" for NumPy, "converted" from NumPy or Python, "created" or "assigned" to a variable
    source: Key | None  # the tensor it happened to, or that the new value came from
    result: Key | None  # the new value
    subject: Any  # the variable, or the value that was converted; of what left, the number of ops recorded so far
    code: CodeType
    instruction: int


class Mark(weakref.ref["Recorder"]):
    """What a recorder puts on the keys of the tensors that it watches. A recorder that is reset takes a new one."""

    __slots__ = ()


class Recorder:
    """What is notified of each op in its thread. A tape differentiates; a trace only observes."""

    differentiates = False  # whether sweeps must be recorded too

    def __init__(self) -> None:
        # The keys of watched tensors bear this mark. Every op checks every input: looking it up in a set of all keys would take
        # several times as long. A key has one mark; where several recorders watch a tensor, the others hold its key in a set.
        self.mark = Mark(self)
        self.unmarked: set[Key] = set()

    def watches(self, key: Key | None) -> bool:
        """Return whether a tensor is watched: the results computed from it are then watched too."""
        return key is not None and (key.mark is self.mark or key in self.unmarked)

    def mark_watched(self, key: Key) -> None:
        """Watch a tensor, and so the results computed from it."""
        while (mark := key.mark) is not None and mark is not self.mark:
            other = mark()
            if other is not None and other.mark is mark:
                other.unmarked.add(key)
            # A tape of another thread may have marked the key meanwhile. Python switches threads at calls and jumps backwards: not
            # between this comparison and the assignment.
            if key.mark is mark:
                break
        key.mark = self.mark

    def append(self, record: Any, /) -> None:
        """An op ran in this thread."""

    def paused(self, site: tuple[CodeType, int]) -> None:
        """Recording stops for the length of a block that was opened at this call site."""

    def may_depend(self, outputs: Sequence[Key], inputs: Sequence[Key | Variable]) -> None:
        """Control flow gave results that are computed from some values only in a branch or loop body that did not run."""

    def variable_read(self, variable: Variable) -> None:
        """A variable's current value is about to be used, most likely one that does not bear this recorder's mark yet."""

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """A variable was "created" or "assigned", with a value computed from the tensor `origin` (None: from no tensor)."""

    def left_for_numpy(self, tensor: Tensor) -> None:
        """A tensor's value was taken out as a NumPy array or Python number."""

    def converted(self, tensor: Tensor, value: Any) -> None:
        """A NumPy or Python value became a tensor."""

    def differentiated(
        self, tape: Any, targets: list[Any], sources: list[Any], gradients: list[Any], code: CodeType, instruction: int
    ) -> None:
        """A tape computed gradients in this thread."""


class ObservingRecorder(Recorder):
    """A recorder that is an observer too, of values."""

    def computed(self, raw: tuple[Any, ...], inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """An op ran, in any thread."""
        raise NotImplementedError

    def noted(self, raw: tuple[Any, ...], frame: Any, inputs: tuple[Tensor, ...], made: Tensor) -> None:
        """`append` and `computed` in one: a fast form of an op ran where this is the only recorder and the only observer.

        `frame` is the user's, or a place that stands for it.
        """
        self.append(raw)
        self.computed(raw, inputs, made)


class Observer(Protocol):
    """What sees values too, in every thread: the inputs and outputs of each op, and of each rule.

    Like recorders, observers get plain tuples, from which `record_of` makes Records.
    """

    def computed(self, raw: tuple[Any, ...], inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """An op ran."""

    def pulled(self, raw: tuple[Any, ...], key: Key, g: Any, gx: Any) -> None:
        """A rule of a record turned the cotangent `g` of its output into `gx`, that of its input `key`."""


class ProgramObserver(Observer, Protocol):
    """An observer of everything a program does, compiled functions included."""

    looks_inside_functions: bool  # whether functions must run eagerly meanwhile

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """A compiled function was called: its trace, its arguments and captured values, its results and the variables' new values.

        The variables still have their old values.
        """


observers: list[ProgramObserver] = []


class PrivateValues:
    """The values that variables have for one thread only, inside its `with` block.

    They are symbolic while the thread traces a function, and those of an earlier time while it repeats a call. Other threads read and
    assign the shared values meanwhile.
    """

    def __init__(self) -> None:
        self.outer = state.private
        self.values: dict[Variable, Tensor] = {}

    def of(self, variable: Variable) -> Tensor:
        """Return a variable's value: the innermost private one, or the shared one."""
        scope: PrivateValues | None = self
        while scope is not None:
            value = scope.values.get(variable)
            if value is not None:
                return value
            scope = scope.outer
        return variable._value

    def __enter__(self) -> PrivateValues:
        private_values.append(self)
        state.private = self
        return self

    def __exit__(self, *exception: object) -> None:
        state.private = self.outer
        private_values.remove(self)


# Those in use in any thread. While there are none, a variable need not look at `state.private`, which would take as long as an update
# takes to find its lock.
private_values: list[PrivateValues] = []

# Called with a watched tensor that NumPy or Python takes as plain numbers while NumPy's functions are redirected to whygrad's.
silent_exit_listeners: list[Callable[[Any], None]] = []


class ThreadState(threading.local):
    """The recorders of the running thread, innermost last. Replaced as a whole, never mutated."""

    recorders: tuple[Recorder, ...] = ()
    context: Any = None  # the function that is being compiled; see `whygrad.compile.tracing`
    private: PrivateValues | None = None  # the values of variables that only this thread sees
    device: Any = None  # where `with whygrad.device(...)` places values: a device of the other engine
    layout: Any = None  # what lays out a new variable on several devices, in the scope of a strategy
    # While a function is traced with examples for unknown sizes: the shapes that it declares for tensors, by the tensors' identities.
    declared: dict[int, tuple[Any, Any]] | None = None


state = ThreadState()


@contextlib.contextmanager
def left_function(paused_at: tuple[CodeType, int] | None = None) -> Iterator[None]:
    """Leave the function that is being compiled, and all tapes: inside the block ops run at once, on values.

    Tapes are notified that they pause at this call site, if there is one.
    """
    before = state.recorders, state.context, state.private
    observing = []
    for recorder in state.recorders:
        if not recorder.differentiates:
            if recorder is not state.context:
                observing.append(recorder)
        elif paused_at is not None:
            recorder.paused(paused_at)
    state.recorders, state.context, state.private = tuple(observing), None, None
    try:
        yield
    finally:
        state.recorders, state.context, state.private = before
