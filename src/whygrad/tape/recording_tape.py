"""RecordingTape: what a tape watches, records and remembers, until it is asked for a gradient."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any, Self

from whygrad.ops.primitive import RawRecord, Record, outputs_in, record_of
from whygrad.runtime.call_sites import users_site
from whygrad.runtime.interrupts import SafelyLeft, safe_exit
from whygrad.tape.gradient_calls import Derivative, PastCall
from whygrad.tape.untaken import Untaken
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import ActsAsTensor
from whygrad.values.errors import OpRuntimeError, OpValueError
from whygrad.values.faults import NotWatchable, TapeNotRecording, TapeRecording
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import Event, Mark, Recorder, private_values, state
from whygrad.values.tensor import Key, Tensor, key_of
from whygrad.values.variable import Variable

_WATCH_DEPTH = 3  # the least number of frames between the user's line and `_watch`
numbers = itertools.count()  # tapes in order of construction


class RecordingTape(SafelyLeft, Recorder):
    """The half of `GradientTape` that joins the recorders of its thread, and remembers what ran."""

    # Read by every op: a slot is quick to read, an instance attribute that shadows a method is not.
    __slots__ = ("append",)

    differentiates = True

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self.number = next(numbers)
        self._persistent = persistent
        self._watch_accessed_variables = watch_accessed_variables
        self._recording = False
        self._entered = 0  # how many times
        self._spent = False  # whether its one set of gradients was given
        self.first_use: tuple[CodeType, int] | None = None  # the call site of that
        self._forget()

    def _forget(self) -> None:
        """Start with an empty record."""
        self._last_call: PastCall | None = None  # the last call of `gradient`
        self._records: list[RawRecord] = []
        self._views: list[Record] = []
        self.append = self._records.append  # type: ignore[method-assign]  # called for every op: the list's own method, with no frame between
        self.mark = Mark(self)
        self.unmarked = set()
        self._live: set[Key] = set()  # what `live` gives for the first `_live_through` records
        self._live_through = 0
        self.roots: set[Key] = set()  # the tensors that the tape watches
        self._watched_results = False  # whether some of them may have been made by recorded ops
        self.events: list[Event] = []  # where a watched value left the recorded ops: for NumPy, or into a variable
        self.created: set[Key] = set()  # first values of variables that were made while the tape was recording
        self._derivatives: list[tuple[Any, ...]] = []  # the fields of `derivatives`
        self._untaken: list[Untaken] = []  # the code of traced functions that did not run
        # Variables that were read but are not watched, with the call site.
        self.unwatched: dict[Variable, tuple[CodeType, int]] = {}
        # For each root, how many ops had been recorded when the tape first met it, and the call site. For a variable that an op
        # read there is only the number: that op's record has the call site.
        self._watches: dict[Key, int | tuple[int, CodeType, int]] = {}
        self.stopped_at: tuple[CodeType, int] | None = None  # where recording was last stopped for a block
        self.reset_at: tuple[CodeType, int] | None = None  # where `reset` was called
        self._versions: dict[Variable, list[Key]] = {}  # the watched variables, and every value of theirs that was read

    @property
    def records(self) -> list[Record]:
        """The records, in order, with named fields: for explanations."""
        self._views += map(record_of, self._records[len(self._views) :])
        return self._views

    @property
    def derivatives(self) -> list[Derivative]:
        """The gradients that other tapes gave while this one was recording."""
        return [Derivative(*fields) for fields in self._derivatives]

    @property
    def live(self) -> set[Key]:
        """The watched tensors: the roots, and all tensors computed from them."""
        self._live.update(self.roots)
        for raw in self._records[self._live_through :]:
            if raw[0].watches:
                self._live.update([key for key in outputs_in(raw) if key.dtype.kind in "fcV"])
        self._live_through = len(self._records)
        return self._live

    def watched_from(self, key: Key) -> int | None:
        """How many ops had been recorded when the tape began to watch a root; None for any other tensor."""
        watch = self._watches.get(key)
        return watch[0] if isinstance(watch, tuple) else watch

    def watched_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where the tape began to watch a root: where it was watched, or the first op that used it; None if there is neither."""
        watch = self._watches.get(key)
        if isinstance(watch, tuple):
            return watch[1:]
        after = [] if watch is None else self.records[watch:]
        return next(((record.code, record.instruction) for record in after if key in record.inputs), None)

    def replace_record(self, position: int, first: int) -> None:
        """Put the records from number `first` on in the place of the one at `position`: they say in detail what it says as a whole."""
        details = self._records[first:]
        del self._records[first:]
        self._records[position : position + 1] = details
        self._views = []
        self._live_through = 0

    @property
    def length(self) -> int:
        """The number of recorded ops."""
        return len(self._records)

    @property
    def is_growing(self) -> bool:
        """Whether the tape keeps recording while it computes gradients."""
        return self._persistent and self._recording

    def __enter__(self) -> Self:
        if self._recording:
            raise OpValueError(TapeRecording())
        if self._spent:
            self._forget()
            self._spent = False
        if state.context is not None:
            state.context.entered.add(self)
            self._note("__enter__")
        self._entered += 1
        try:
            state.recorders = (*state.recorders, self)
            self._recording = True
            return self
        except BaseException:  # Ctrl-C: `with` does not call `__exit__` then
            self._remove()
            raise

    @safe_exit
    def __exit__(self, *exception: object) -> None:
        try:
            if state.context is not None and self._recording:
                self._note("_stop")
            self._remove()
        except BaseException:  # Ctrl-C: otherwise the tape would record for ever
            self._remove()
            raise
        self._exit = None

    def _note(self, method: str, *args: Any) -> None:
        """Note a call of one of this tape's methods in the function that is being traced, if it will run op by op."""
        context = state.context
        if context is not None and context.replays:
            context.on_tape(self, method, *args)

    def _start(self) -> None:
        state.recorders = (*state.recorders, self)
        self._recording = True

    def _stop(self) -> None:
        if not self._recording:
            raise OpValueError(TapeNotRecording())
        self._remove()

    def _remove(self) -> None:
        """Stop recording; also where an interrupt left the tape half started or half stopped."""
        recorders = state.recorders
        if recorders and recorders[-1] is self:  # most likely: blocks are left from the innermost outwards
            state.recorders = recorders[:-1]
        else:
            state.recorders = tuple([recorder for recorder in recorders if recorder is not self])
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Watch a tensor or variable, or each one in a nested structure.

        >>> import whygrad as tf
        >>> x = tf.constant(3.0)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.gradient(y, x).numpy()
        np.float32(6.0)
        """
        if state.context is not None:
            here = state.context.tape_here(self)
            if here is not self:
                here.watch(tensor)
                return
            self._note("watch", tensor)
        for item in (tensor,) if type(tensor) is Tensor else nest.flatten(tensor):
            if isinstance(item, ActsAsTensor):
                item = item.handle
            if isinstance(item, Variable):
                key = key_of(item.value_here)
                versions = self._versions.setdefault(item, [])
                if key not in versions:
                    versions.append(key)
                if key.dtype.kind in "fcV":
                    self._watch(key)
            elif isinstance(item, Tensor):
                key = key_of(item)
                if key.dtype.kind in "fcV":
                    self._watch(key)
                else:
                    import logging  # slow to load, for a rare mistake

                    logging.getLogger("whygrad").warning(
                        "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r", item.dtype
                    )
            elif isinstance(item, IndexedSlices):
                self._watch(key_of(item.values))
            elif isinstance(item, TensorLikeComposite):
                self.watch(item._held())
            else:
                raise OpValueError(NotWatchable(value=item))

    def variable_read(self, variable: Variable) -> None:
        """A variable is about to be used in this thread."""
        key = key_of(variable.value_here if private_values else variable._value)
        if key.mark is self.mark or key in self.unmarked:
            return
        versions = self._versions.get(variable)
        if versions is None and self._watch_accessed_variables and variable._trainable:
            versions = self._versions[variable] = []
        if versions is not None:
            if key not in versions:
                versions.append(key)
            if key.dtype.kind in "fcV":
                if key not in self._watches:
                    self._watches[key] = len(self._records)
                self._add_root(key)
        elif variable not in self.unwatched:
            self.unwatched[variable] = users_site()

    def may_depend(self, outputs: Sequence[Key], inputs: Sequence[Key | Variable]) -> None:
        """A traced function used these inputs only in code that did not run: gradients for them are 0, as in TensorFlow."""
        self._untaken.append(Untaken(len(self._records), outputs, inputs, users_site()))

    def paused(self, site: tuple[CodeType, int]) -> None:
        """Ops in the block that was opened at this call site are not recorded."""
        self.stopped_at = site

    def left_for_numpy(self, tensor: Tensor) -> None:
        """A value was taken out as a NumPy array or number: results computed from it are not watched."""
        if self.watches(tensor._key):
            self.events.append(Event("left", tensor._key, None, len(self._records), *users_site()))

    def variable_set(self, kind: str, variable: Variable, origin: Tensor | None) -> None:
        """A variable took a value: results computed from the variable do not lead back to it."""
        if kind == "created":
            self.created.add(key_of(variable.value_here))
        if origin is not None and self.watches(origin._key):
            self.events.append(Event(kind, origin._key, key_of(variable.value_here), variable, *users_site()))

    def differentiated(
        self, tape: Any, targets: list[Any], sources: list[Any], gradients: list[Any], code: CodeType, instruction: int
    ) -> None:
        """Another tape computed gradients while this one was recording."""
        if tape is self:
            return
        keys = [_key_here(each) for each in targets]
        for source, gradient in zip(sources, gradients):
            if isinstance(gradient, Tensor):
                self._derivatives.append((keys, _key_here(source), key_of(gradient), code, instruction, tape.named))

    def _watch(self, key: Key) -> None:
        recorded = len(self._records)
        if recorded:
            self._watched_results = True
        if key not in self._watches:
            self._watches[key] = (recorded, *users_site(_WATCH_DEPTH))
        self._add_root(key)

    def _add_root(self, key: Key) -> None:
        if key.mark is None:
            key.mark = self.mark
        else:
            self.mark_watched(key)
        self.roots.add(key)

    def stop_recording(self) -> contextlib.AbstractContextManager[None]:
        """Stop recording inside this block: what is computed there is a constant for the tape.

        >>> import whygrad as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         size = tf.abs(y)
        ...     z = y / size
        >>> tape.gradient(z, x).numpy()  # 2 x / size
        np.float32(0.6666667)
        """
        return self.while_stopped(users_site())

    @contextlib.contextmanager
    def while_stopped(self, call_site: tuple[CodeType, int]) -> Iterator[None]:
        """Stop recording inside this block, which was opened at this call site."""
        if self._spent or not self._entered:
            wording = "Trying to stop recording a tape which is not recording."
            raise OpRuntimeError(TapeNotRecording(wording=wording))
        self._note("_stop")
        self._stop()
        self.stopped_at = call_site
        try:
            yield
        finally:
            self._note("_start")
            self._start()

    def reset(self) -> None:
        """Forget everything recorded and watched, and continue recording.

        >>> import whygrad as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     tape.reset()
        ...     z = x * x * x
        >>> tape.gradient(z, x).numpy()
        np.float32(27.0)
        """
        if not self._recording:
            raise OpValueError(TapeNotRecording())
        self._note("reset")
        self._forget()
        self.reset_at = users_site()

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables watched so far, in order of construction.

        >>> import whygrad as tf
        >>> w, b = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="b")
        >>> with tf.GradientTape() as tape:
        ...     y = b * w
        >>> [variable.name for variable in tape.watched_variables()]
        ['w:0', 'b:0']
        """
        return tuple(sorted(self._versions, key=lambda variable: variable._number))


def _key_here(value: Any) -> Key:
    """The identity of a tensor, or of the value that a variable has for this thread."""
    return key_of(value if type(value) is Tensor or not isinstance(value, Variable) else value.value_here)
