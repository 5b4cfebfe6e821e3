"""One call of a compiled function: what it was given, and how it is repeated op by op."""

from __future__ import annotations

import collections
import contextlib
import inspect
import io
import random
import weakref
from collections.abc import Iterator
from types import MethodType
from typing import Any

import numpy as np

from whygrad.compile import trace_listeners
from whygrad.compile.captured import ABSENT, same, values_read
from whygrad.compile.signature import describe
from whygrad.compile.specialized import RECENT_CALLS, TRACES_TOO_MANY
from whygrad.on_tensorflow import python_state
from whygrad.on_tensorflow.internals import Internals
from whygrad.on_tensorflow.shadows import structure, variable_of
from whygrad.runtime.call_sites import is_ours

_CALLS_BETWEEN = 16  # calls of a library's function between those before which the values of its variables are taken
_CLOSE_LOOKS = 3  # calls of a function after which its variables are no longer compared


class Known:
    """What is known of a function from its calls so far."""

    def __init__(self, function: Any, args: tuple[Any, ...]) -> None:
        self.calls = 0
        self.repeated: set[str] = set()  # why calls of it were repeated: once for each reason
        self.told = False  # whether listeners were notified of its second call
        self.traces = 0
        self.taken_at = 0  # the number of the call before which the values of its variables were taken
        self.values: dict[Any, Any] = {}
        self.variables: list[Any] = []  # that it uses, as far as it is traced
        self.python = _python_of(function)
        self.is_users = not is_ours(getattr(_inner(self.python), "__code__", _NO_CODE).co_filename)
        self.reads = values_read(self.python, args) if self.is_users else []  # the Python values that it reads
        self.first_values: dict[int, Any] = {}  # of these, by the number of traces
        self.recent: collections.deque[bool] = collections.deque(maxlen=RECENT_CALLS)  # whether each call traced it
        # Handles of variables that hold the batch which the last call took from its iterator: one for each of its tensors, with the dtype.
        self.batch: list[tuple[Any, Any]] = []
        self.kinds: collections.deque[dict[str, Any]] = collections.deque(
            maxlen=TRACES_TOO_MANY
        )  # of the recent traces


class _NO_CODE:
    co_filename = __file__


graphs: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()  # the Python function of each traced graph
_known: weakref.WeakKeyDictionary[Any, Known] = weakref.WeakKeyDictionary()


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
        self.name = getattr(function.python_function, "__name__", "function")
        known = _known.get(function)
        self._known = _known.setdefault(function, Known(function, args)) if known is None else known
        self._known.calls += 1
        # After inf or nan, all that follows is likely to be inf or nan.
        self.behind = 0  # how many calls ago the values of variables were taken that it would be repeated with
        self._before = {} if "not finite" in self._known.repeated else self._values_before()

    def variables(self) -> list[Any]:
        """The variables that the function is known to use: none before it is first traced."""
        return self._known.variables

    def _values(self) -> dict[Any, Any]:
        """The variables that the function is known to use, by their references, with their values."""
        return {each.ref(): (each, self._found.read_variable(each.handle, each.dtype)) for each in self.variables()}

    def _values_before(self) -> dict[Any, Any]:
        """The values of variables now, or, in the many calls of a library's step of training, those of a few calls ago.

        TensorFlow updates a variable in place unless its value is held: that costs a copy of the model.
        """
        known = self._known
        if known.is_users or known.calls <= _CLOSE_LOOKS or known.calls % _CALLS_BETWEEN == 0:
            known.taken_at, known.values = known.calls, self._values()
        self.behind = known.calls - known.taken_at
        return dict(known.values)

    def made(self, result: Any) -> None:
        """Note that the call is over. Variables that it was not known to use have their shadows' values from before."""
        if type(result).__name__ == "_OptionalImpl":  # what Keras's functions give
            result = result.get_value() if result.has_value() else None
        self.results = self._tensors_in(result)
        traces = self._function.experimental_get_tracing_count()
        is_new = traces > self._known.traces
        self._known.traces = traces
        if is_new:
            self._know_versions()
        self._tell_listeners(traces, is_new)
        for each in self.variables() if is_new else ():
            shadow = variable_of(each)
            if each.ref() not in self._before and shadow is not None:
                self._before[each.ref()] = (each, self._found.tensorflow.constant(shadow._value._array))

    def _know_versions(self) -> None:
        """Note the variables that the function uses, and whose graphs these are: a tensor that leaks from one knows its graph alone."""
        cache = getattr(getattr(self._function, "_variable_creation_config", None), "function_cache", None)
        versions = list(cache.values()) if cache else []
        for each in versions:
            graphs.setdefault(each.graph, self._known.python)
        self._known.variables = list({each.ref(): each for one in versions for each in one.variables}.values())

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
        self._tell_of_traces(is_new)
        values = {each: value for each in known.reads if (value := each.value(self._args)) is not ABSENT}
        first = known.first_values.setdefault(traces, values)
        if first is values:
            return
        for listener in () if known.told else trace_listeners.repeated_call_listeners:
            listener(trace_listeners.RepeatedCall(self.name, _inner(known.python), self._all_args))
        known.told = True
        for each, value in values.items():
            if each in first and not same(first[each], value):
                for tell in trace_listeners.changed_value_listeners:
                    tell(trace_listeners.ChangedValue(each.text, first[each], value, each.place))

    @property
    def _all_args(self) -> tuple[Any, ...]:
        """The arguments as the Python function takes them, with the object of a method."""
        python = self._known.python
        return (python.__self__, *self._args) if isinstance(python, MethodType) else self._args

    def _tell_of_traces(self, is_new: bool) -> None:
        known = self._known
        known.recent.append(is_new)
        if not is_new:
            return
        with contextlib.suppress(Exception):  # of arguments that whygrad does not know: they are not described
            function = _inner(known.python)
            arguments = inspect.signature(function).bind(*self._all_args, **self._kwargs).arguments
            known.kinds.append({name: describe(structure(each), [], [])[0] for name, each in arguments.items()})
            kinds = list(known.kinds) if sum(known.recent) >= TRACES_TOO_MANY else []
            for tell in trace_listeners.listeners:
                tell(trace_listeners.NewTrace(self.name, function, arguments, kinds, False))

    # -- repeating it --

    def suspect(self, none_traced: bool) -> bool:
        """Whether the call should be looked into.

        The first call of one of the program's functions is: a mistake need not show in the results. Later ones are if inf or nan came out,
        a gradient inside was None, or nothing was learned.
        """
        known = self._known
        reasons = {
            "None": none_traced,
            "not finite": any(map(_is_not_finite, self.results)),
            "not trained": known.calls <= _CLOSE_LOOKS and self._some_variable_stayed(),
        }
        self.is_odd = any(reasons.values())
        reasons["first"] = known.is_users and known.calls == 1
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
        """The function is traced, and takes a batch from an iterator: each call puts it into variables, for the case that it is repeated.

        A variable takes over a tensor without a copy.
        """
        with self._found.tensorflow.init_scope():
            self._known.batch = [(self._found.make_variable(each.dtype), each.dtype) for each in batch]
        for (handle, _), each in zip(self._known.batch, batch):
            self._found.assign_variable(handle, each)

    def can_be_repeated(self) -> bool:
        """Whether what the function takes is the same when it is taken again. What it takes from one iterator is known."""
        iterators = list(filter(_is_iterator, self._found.tensorflow.nest.flatten([self._args, self._kwargs])))
        if iterators:
            flat = self._found.tensorflow.nest.flatten(getattr(iterators[0], "element_spec", None))
            return len(iterators) == 1 and 0 < len(self._known.batch) == len(flat)
        return not (self._known.is_users and python_state.iterators_in(self._known.python))

    def _argument(self, value: Any) -> Any:
        """An argument for the repetition: in place of an iterator, what gives the batch that it gave to the call."""
        if not _is_iterator(value):
            return value
        tensorflow = self._found.tensorflow
        held = [self._found.read_variable(handle, dtype) for handle, dtype in self._known.batch]
        return _SameBatch(tensorflow.nest.pack_sequence_as(value.element_spec, held), tensorflow)

    @contextlib.contextmanager
    def restored(self) -> Iterator[list[Any]]:
        """Variables, whose handles are given, have the values from before the call inside the block, and afterwards the ones that they have now.

        So have Python's objects around the function, and random numbers.
        """
        after = self._values()
        with (
            python_state.restored(self._known.python, (self._args, self._kwargs)),
            self._other_random_numbers(),
            self._silence(),
        ):
            try:
                for each, value in self._before.values():
                    each.assign(value)
                self._again = self._found.tensorflow.nest.map_structure(self._argument, (self._args, self._kwargs))
                yield [each.handle for each, _ in self._before.values()]
            finally:
                for each, value in after.values():
                    each.assign(value)

    @contextlib.contextmanager
    def _other_random_numbers(self) -> Iterator[None]:
        """Let ops draw with seeds that the program does not use: a kernel that drew once would give the program its second numbers."""
        context = self._found.context.context()
        rng = context._rng if hasattr(context, "_rng") else None
        get_seed = self._found.random_seed.get_seed
        seeds = random.Random(self._known.calls)
        if rng is not None:
            context._rng = seeds
        self._found.random_seed.get_seed = lambda op_seed: (seeds.randint(1, 2**31 - 1), seeds.randint(1, 2**31 - 1))
        try:
            yield
        finally:
            self._found.random_seed.get_seed = get_seed
            if rng is not None:
                context._rng = rng

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


class _SameBatch:
    """An iterator that always gives one batch."""

    def __init__(self, batch: Any, tensorflow: Any) -> None:
        self._batch = batch
        self._optional = tensorflow.experimental.Optional

    def __iter__(self) -> _SameBatch:
        return self

    def __next__(self) -> Any:
        return self._batch

    get_next = __next__

    def get_next_as_optional(self) -> Any:
        """The batch in TensorFlow's wrapper for what may be missing."""
        return self._optional.from_value(self._batch)


def _is_iterator(value: Any) -> bool:
    return hasattr(type(value), "__next__")


def _is_not_finite(tensor: Any) -> bool:
    return bool(tensor.dtype.is_floating and not np.isfinite(np.asarray(tensor._numpy(), np.float64)).all())
