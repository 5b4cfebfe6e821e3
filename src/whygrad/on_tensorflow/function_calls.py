"""One call of a compiled function: what it was given, and how it is repeated op by op."""

from __future__ import annotations

import collections
import contextlib
import inspect
import io
import itertools
import random
import weakref
from collections.abc import Iterator
from types import MethodType
from typing import Any

import numpy as np

from whygrad.compile import trace_listeners
from whygrad.compile.captured import ABSENT, same, values_read
from whygrad.compile.signature import describe
from whygrad.on_tensorflow import python_state
from whygrad.on_tensorflow.internals import INITIALIZE, Internals
from whygrad.on_tensorflow.repeatable_batches import MOST_BATCHES, RepeatableBatches
from whygrad.on_tensorflow.shadows import array_of, structure, variable_of
from whygrad.runtime.call_sites import is_ours, spoken_name
from whygrad.why.evidence.numerics import is_finite

_MOST_BYTES = 64 * 2**20  # of the batches of the calls that are kept, so that they can be repeated
_CLOSE_LOOKS = 3  # calls of a function after which its variables are no longer compared


class Known:
    """What is known of a function from its calls so far."""

    def __init__(self, function: Any, args: tuple[Any, ...]) -> None:
        self.calls = 0
        self.repeated: set[str] = set()  # why calls of it were repeated: once for each reason
        self.notified = False  # whether listeners were notified of its second call
        self.traces = 0
        # The values that its variables had when they were last taken, and the arguments of the calls since then. A call is repeated
        # after those before it.
        self.values: dict[Any, Any] = {}
        self.since: list[tuple[Any, Any]] = []
        self.most_since = MOST_BATCHES
        self.assigned = False  # whether the program itself assigned one of its variables since
        self.variables: list[Any] = []  # that it uses, as far as it is traced
        self.handles: set[int] = set()  # and the numbers of their handles
        # Neither the function nor the object of a method is kept alive.
        self._function = weakref.ref(function)
        self.is_users = not is_ours(getattr(_inner(self.python), "__code__", _NO_CODE).co_filename)
        self.reads = values_read(lambda: self.python, args) if self.is_users else []  # the Python values that it reads
        self.first_values: dict[int, Any] = {}  # of these, by the number of traces
        # Whether each call traced it.
        self.recent: collections.deque[bool] = collections.deque(maxlen=trace_listeners.RECENT_CALLS)
        self.batches: RepeatableBatches | None = None  # that its calls took from their iterator
        self.taken = 0  # how many a call takes
        # The kinds of arguments of the recent traces.
        self.kinds: collections.deque[dict[str, Any]] = collections.deque(maxlen=trace_listeners.TRACES_TOO_MANY)

    @property
    def python(self) -> Any:
        """The Python function that the user wrote."""
        return _python_of(self._function())

    def begin_anew(self) -> None:
        """Forget which calls were looked at, and hold nothing: the witness has stopped."""
        self.calls, self.notified = 0, False
        self.repeated.clear()
        self.let_go()

    def let_go(self) -> None:
        """Hold nothing any more."""
        self.since, self.values = [], {}
        if self.batches is not None:
            self.batches.allow(0)
            self.batches.clear()


class _NO_CODE:
    co_filename = __file__


def assigned(handle: Any) -> None:
    """The program itself assigned a variable: what a function did before cannot be repeated from values taken before."""
    for known in list(_known.values()):
        if id(handle) in known.handles:
            known.assigned = True


def begin_anew() -> None:
    """Forget all functions: the witness has stopped, and the next one sees them for the first time."""
    for known in list(_known.values()):
        known.begin_anew()


_functions: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()  # of each traced graph, held weakly
_known: weakref.WeakKeyDictionary[Any, Known] = weakref.WeakKeyDictionary()


def python_function_of(graph: Any) -> Any:
    """The Python function that a graph was traced from; None if that is not known."""
    function = _functions[graph]() if graph in _functions else None
    return None if function is None else _python_of(function)


def _inner(function: Any) -> Any:
    return getattr(function, "__func__", function)


def _python_of(function: Any) -> Any:
    """The Python function that the user wrote; TensorFlow wraps a method so that it holds its object weakly."""
    python = function.python_function
    while hasattr(python, "__wrapped__"):
        python = python.__wrapped__
    target = getattr(getattr(python, "__self__", None), "target", None)
    return python if target is None else MethodType(python.__func__, target)


class FunctionCall:
    """A call that is about to be made."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], found: Internals) -> None:
        self._function = function
        self._args = args
        self._kwargs = kwargs
        self._found = found
        self.is_odd = False  # whether something about its results calls for a look inside
        # Functions whose first trace failed, each with what initializes the variables that it made.
        self.without_values: list[tuple[Any, list[Any]]] = []
        self.none_traced = False  # whether a gradient was None while it was traced
        self.name = spoken_name(_inner(function.python_function))
        known = _known.get(function)
        self._known = _known.setdefault(function, Known(function, args)) if known is None else known
        self._known.calls += 1
        flat = found.tensorflow.nest.flatten([args, kwargs])
        self._given = [each for each in flat if isinstance(each, found.ResourceVariable)]
        self._taken = 0  # how many batches it takes, if it is traced now
        # After inf or nan, all that follows is likely to be inf or nan.
        is_over = "not finite" in self._known.repeated
        if is_over and self._known.since:
            self._known.let_go()
        self._before = {} if is_over else self._values_before()
        self.is_repeated_itself = True  # and not an earlier call, which gave the variables inf or nan
        self._since = self._known.since  # the calls before it from there, and itself
        self._number = len(self._since) - 1

    @property
    def is_users(self) -> bool:
        """Whether the program wrote the function, and not a library."""
        return self._known.is_users

    def variables(self) -> list[Any]:
        """The variables that the call is known to use: those among its arguments, and, once the function is traced, those around it."""
        if self._given:
            return list({each.ref(): each for each in (*self._known.variables, *self._given)}.values())
        return self._known.variables

    def _values(self) -> dict[Any, Any]:
        """The variables that the function is known to use, by their references, with their values."""
        return self._values_of(self.variables())

    def _values_of(self, variables: list[Any]) -> dict[Any, Any]:
        return {each.ref(): (each, self._found.read_variable(each.handle, each.dtype)) for each in variables}

    def _values_before(self) -> dict[Any, Any]:
        """The values of variables now, or, in the many calls of a library's step of training, those of a few calls ago.

        TensorFlow updates a variable in place unless its value is held: that costs a copy of the model.
        """
        known = self._known
        is_due = not known.since or known.assigned or len(known.since) >= known.most_since
        if known.is_users or known.calls <= _CLOSE_LOOKS or is_due:
            values = self._values()
            # A call since then gave the variables inf or nan: this one shows it in its results, and that one is to be repeated.
            if known.assigned or not known.since or not _became_bad(known.values, values):
                known.assigned, known.values, known.since = False, values, []
                if known.batches is not None:
                    known.batches.allow((known.most_since + 1) * known.taken)
                    known.batches.clear()
        kwargs = {name: _without_iterator(each) for name, each in self._kwargs.items()}
        known.since.append((tuple(map(_without_iterator, self._args)), kwargs))
        return known.values

    def begins_with(self, variables: list[Any]) -> None:
        """Note the values of variables that did not exist before the call."""
        self._before.update(self._values_of(variables))

    def made(self, result: Any) -> None:
        """Note that the call is over. Variables that it was not known to use have their shadows' values from before."""
        self.results = self._tensors_in(result)
        traces = self._function.experimental_get_tracing_count()
        is_new = traces > self._known.traces
        self._known.traces = traces
        if is_new:
            self._know_versions()
            self._know_size()
        self._tell_listeners(traces, is_new)
        for each in self.variables() if is_new else ():
            shadow = variable_of(each)
            if each.ref() not in self._before and shadow is not None:
                self._before[each.ref()] = (each, self._found.tensorflow.constant(shadow._value._array))

    def _know_versions(self) -> None:
        """Note the variables that the function uses, and whose graphs these are: a tensor that leaks from one knows its graph alone."""
        versions = self._found.versions_of(self._function)
        for each in versions:
            _functions.setdefault(each.graph, weakref.ref(self._function))
        self._known.variables = list({each.ref(): each for one in versions for each in one.variables}.values())
        self._known.handles = {id(each.handle) for each in self._known.variables}

    def _know_size(self) -> None:
        """Decide how many calls can be kept, by what one of them takes."""
        known = self._known
        taken = self.tensors + (known.batches[0] if known.batches is not None and len(known.batches) else [])
        size = sum([each.shape.num_elements() * each.dtype.size for each in taken])
        known.most_since = max(1, min(MOST_BATCHES, _MOST_BYTES // max(size, 1)))

    def _tensors_in(self, structure: Any) -> list[Any]:
        return [each for each in self._found.tensorflow.nest.flatten(structure) if hasattr(each, "_numpy")]

    @property
    def tensors(self) -> list[Any]:
        """The tensors among the arguments."""
        return self._tensors_in([self._args, self._kwargs])

    # -- what only compiling does --

    def _tell_listeners(self, traces: int, is_new: bool) -> None:
        """Notify listeners of what Python does only while a function is traced, and of a function that is traced too often."""
        known = self._known
        if not known.is_users:
            return
        self._notify_of_trace(is_new)
        values = {each: value for each in known.reads if (value := each.value(self._args)) is not ABSENT}
        first = known.first_values.setdefault(traces, values)
        if first is values:
            return
        for listener in () if known.notified else trace_listeners.repeated_call_listeners:
            listener(trace_listeners.RepeatedCall(self.name, _inner(known.python), self._all_args))
        known.notified = True
        for each, value in values.items():
            if each in first and not same(first[each], value):
                changed = trace_listeners.ChangedValue(each.text, first[each], value, each.place)
                for notify in trace_listeners.changed_value_listeners:
                    notify(changed)

    @property
    def _all_args(self) -> tuple[Any, ...]:
        """The arguments as the Python function takes them, with the object of a method."""
        python = self._known.python
        return (python.__self__, *self._args) if isinstance(python, MethodType) else self._args

    def _notify_of_trace(self, is_new: bool) -> None:
        known = self._known
        known.recent.append(is_new)
        if not is_new:
            return
        with contextlib.suppress(Exception):  # of arguments that whygrad does not know: they are not described
            function = _inner(known.python)
            arguments = inspect.signature(function).bind(*self._all_args, **self._kwargs).arguments
            known.kinds.append({name: describe(structure(each), [], [])[0] for name, each in arguments.items()})
            kinds = list(known.kinds) if sum(known.recent) >= trace_listeners.TRACES_TOO_MANY else []
            for listener in trace_listeners.listeners:
                listener(trace_listeners.NewTrace(self.name, function, arguments, kinds, False))

    # -- repeating it --

    def suspect(self) -> bool:
        """Whether the call should be looked into.

        The first call of a function is: a mistake need not show in the results. Later ones are if inf or nan came out, a gradient inside
        was None, or nothing was learned.
        """
        known = self._known
        reasons = {
            "None": self.none_traced,
            "not finite": any(map(_is_not_finite, self.results)),
            "not trained": known.calls <= _CLOSE_LOOKS and self._some_variable_stayed(),
        }
        self.is_odd = any(reasons.values())
        reasons["first"] = known.calls == 1
        new = {reason for reason, holds in reasons.items() if holds} - known.repeated
        known.repeated |= new
        return bool(new)

    def _some_variable_stayed(self) -> bool:
        """Whether the call changed some trainable variables and left others as they were, or changed none that it could."""
        trainable = [(each, value) for each, value in self._before.values() if each.trainable]
        stayed = [
            bool(np.array_equal(value._numpy(), self._found.read_variable(each.handle, each.dtype)._numpy()))
            for each, value in trainable
        ]
        return any(stayed) and self._takes_gradients()

    def _takes_gradients(self) -> bool:
        """Whether the function takes gradients itself, by the names that its code uses."""
        code = getattr(_inner(self._known.python), "__code__", None)
        return code is not None and ("gradient" in code.co_names or "GradientTape" in code.co_names)

    @property
    def takes_from_iterator(self) -> bool:
        """Whether an argument is an iterator."""
        return any(map(_is_iterator, self._found.tensorflow.nest.flatten([self._args, self._kwargs])))

    def hold_batch(self, batch: Any) -> None:
        """The function is traced, and takes a batch from an iterator: from now on its calls hold it, for the case that they are repeated."""
        known = self._known
        if known.batches is None or not known.batches.fits(batch):
            known.batches = RepeatableBatches(batch, self._found)
        self._taken += 1
        known.taken = self._taken
        known.batches.hold(batch)

    def give_first_values(self) -> None:
        """Give values to the variables that a trace has made before it failed."""
        for function, initializers in self.without_values:
            getattr(function, INITIALIZE)(initializers)
            self.begins_with([variable for variable, _ in initializers])

    def take_missing_batches(self) -> None:
        """A library's function, such as Keras's step, failed before it took its batches: take them in its place."""
        known = self._known
        flat = self._found.tensorflow.nest.flatten([self._args, self._kwargs])
        iterator = next(filter(_is_iterator, flat), None)
        if iterator is None or known.is_users or known.batches is None:
            return
        for _ in range(known.taken * len(known.since) - len(known.batches)):
            batch = next(iterator, None)
            if batch is None:
                return
            known.batches.put(self._found.tensorflow.nest.flatten(batch))

    def can_be_repeated(self) -> bool:
        """Whether what the function takes is the same when it is taken again. What it takes from one iterator is known."""
        known = self._known
        iterators = list(filter(_is_iterator, self._found.tensorflow.nest.flatten([self._args, self._kwargs])))
        if not iterators:
            return not (known.is_users and python_state.iterators_in(known.python))
        specs = self._found.tensorflow.nest.flatten(getattr(iterators[0], "element_spec", None))
        return (
            len(iterators) == 1
            and all(isinstance(each, self._found.tensorflow.TensorSpec) for each in specs)
            and known.batches is not None
            and known.taken > 0
            and known.since is self._since
            and len(known.batches) == known.taken * len(known.since)
        )

    def _arguments(self, number: int) -> Any:
        """The arguments of a call since the values of variables were taken: in place of an iterator, what gives the same batches."""
        tensorflow, known = self._found.tensorflow, self._known

        def argument(value: Any) -> Any:
            if not isinstance(value, _TakenFrom) or known.batches is None:
                return value
            held = [known.batches[i] for i in range(known.taken * number, known.taken * (number + 1))]
            return _SameBatches(
                [tensorflow.nest.pack_sequence_as(value.element_spec, each) for each in held], tensorflow
            )

        return tensorflow.nest.map_structure(argument, self._since[number])

    @contextlib.contextmanager
    def restored(self) -> Iterator[list[Any]]:
        """Variables, whose handles are given, have the values from before the call inside the block, and afterwards the ones that they have now.

        So have Python's objects around the function, and random numbers. Where an earlier call, from the values that were kept, gave
        variables inf or nan, what is repeated is that call.
        """
        after = self._values()
        with (
            python_state.restored(self._known.python, (self._args, self._kwargs)),
            # A kernel that drew once would give the program its second numbers.
            self._found.seeds_from(random.Random(self._known.calls)),
            self._silence(),
        ):
            try:
                for each, value in self._before.values():
                    each.assign(value)
                self._again = self._args, self._kwargs
                for number in range(self._number + 1):
                    self._again = self._arguments(number)
                    if number < self._number and self._leaves_bad_values():
                        self.is_repeated_itself = False
                        break
                yield [each.handle for each, _ in self._before.values()]
            finally:
                for each, value in after.values():
                    each.assign(value)

    def _leaves_bad_values(self) -> bool:
        """Repeat a call, so that the variables change as they did; if that gives them inf or nan, undo it and return True."""
        before = self._values()
        self.repeat()
        is_bad = _became_bad(before, self._values())
        for each, value in before.values() if is_bad else ():
            each.assign(value)
        return is_bad

    @contextlib.contextmanager
    def _silence(self) -> Iterator[None]:
        """Print and log nothing: the first call did."""
        logging = self._found.logging
        print_v2 = logging.print_v2
        logging.print_v2 = lambda *args, **kwargs: None
        try:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
                self._found.tensorflow.summary.record_if(False),
            ):
                yield
        finally:
            logging.print_v2 = print_v2

    def repeat(self) -> list[Any]:
        """Run the function's Python, with the same arguments, and return the tensors that it gives."""
        config = self._found.tensorflow.config
        eagerly = config.functions_run_eagerly()
        config.run_functions_eagerly(True)
        try:
            args, kwargs = self._again
            return self._tensors_in(self._function.python_function(*args, **kwargs))
        finally:
            config.run_functions_eagerly(eagerly)


class _TakenFrom:
    """What stands for an iterator that a call took from. The iterator itself lives as long as without whygrad."""

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec


def _without_iterator(argument: Any) -> Any:
    return _TakenFrom(getattr(argument, "element_spec", None)) if _is_iterator(argument) else argument


class _SameBatches:
    """An iterator that gives the batches of one call, and then the first again."""

    def __init__(self, batches: list[Any], tensorflow: Any) -> None:
        self._batches = itertools.cycle(batches)
        self._optional = tensorflow.experimental.Optional

    def __iter__(self) -> _SameBatches:
        return self

    def __next__(self) -> Any:
        return next(self._batches)

    get_next = __next__

    def get_next_as_optional(self) -> Any:
        """A batch in TensorFlow's wrapper for what may be missing."""
        return self._optional.from_value(next(self))


def _is_iterator(value: Any) -> bool:
    return hasattr(type(value), "__next__")


def _became_bad(before: dict[Any, Any], after: dict[Any, Any]) -> bool:
    """Whether variables have inf or nan that they did not have before."""
    return any(
        _is_not_finite(value) and reference in before and not _is_not_finite(before[reference][1])
        for reference, (_, value) in after.items()
    )


def _is_not_finite(tensor: Any) -> bool:
    array = array_of(tensor)
    return array is not None and not is_finite(array)
