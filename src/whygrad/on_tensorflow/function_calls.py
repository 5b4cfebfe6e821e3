"""One call of a compiled function: what it was given, and how it is repeated op by op."""

from __future__ import annotations

import contextlib
import io
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.compile import trace_listeners
from whygrad.compile.captured import ABSENT, same, values_read
from whygrad.on_tensorflow.internals import Internals
from whygrad.on_tensorflow.shadows import variable_of
from whygrad.runtime.call_sites import is_ours

_CLOSE_LOOKS = 3  # calls of a function after which its variables are no longer compared
_calls: weakref.WeakKeyDictionary[Any, int] = (
    weakref.WeakKeyDictionary()
)  # of each function, as far as they are compared
_first_values: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()  # by the number of traces
_reads: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()  # the Python values that a function reads
_told: weakref.WeakSet[Any] = weakref.WeakSet()  # functions of whose second call listeners were notified
_repeated: weakref.WeakSet[Any] = weakref.WeakSet()  # functions of which a call was repeated


class FunctionCall:
    """A call that is about to be made."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], found: Internals) -> None:
        self._function = function
        self._args = args
        self._kwargs = kwargs
        self._found = found
        self.name = getattr(function.python_function, "__name__", "function")
        self._number = _calls[function] = _calls.get(function, 0) + 1
        self._before = {} if function in _repeated else self._values()

    def variables(self) -> list[Any]:
        """The variables that the function is known to use: none before it is first traced."""
        known = getattr(getattr(self._function, "_variable_creation_config", None), "function_cache", None)
        found = {each.ref(): each for one in (known.values() if known else ()) for each in one.variables}
        return list(found.values())

    def _values(self) -> dict[Any, Any]:
        """The variables that the function is known to use, by their references, with their values."""
        return {each.ref(): (each, self._found.read_variable(each.handle, each.dtype)) for each in self.variables()}

    def made(self, result: Any) -> None:
        """The call is over. Variables that it was not known to use have their shadows' values from before."""
        self.results = self._tensors_in(result)
        self._tell_listeners()
        for each in self.variables():
            shadow = variable_of(each)
            if each.ref() not in self._before and shadow is not None:
                self._before[each.ref()] = (each, self._found.tensorflow.constant(shadow._value._array))

    def _tensors_in(self, structure: Any) -> list[Any]:
        return [each for each in self._found.tensorflow.nest.flatten(structure) if hasattr(each, "_numpy")]

    @property
    def tensors(self) -> list[Any]:
        """The tensors among the arguments."""
        return self._tensors_in([self._args, self._kwargs])

    def _tell_listeners(self) -> None:
        """Notify listeners of what Python does only while a function is traced, once it is called again."""
        python = self._function.python_function
        if is_ours(getattr(getattr(python, "__code__", None), "co_filename", __file__)):
            return
        if self._function not in _reads:
            _reads[self._function] = values_read(python, self._args)
        key = self._function.experimental_get_tracing_count()
        first = _first_values.setdefault(self._function, {})
        read = _reads[self._function]
        values = {each: value for each in read if (value := each.value(self._args)) is not ABSENT}
        if key not in first:
            first[key] = values
            return
        for listener in trace_listeners.repeated_call_listeners if self._function not in _told else ():
            listener(trace_listeners.RepeatedCall(self.name, python, self._args))
        _told.add(self._function)
        for each, value in values.items():
            if each in first[key] and not same(first[key][each], value):
                for tell in trace_listeners.changed_value_listeners:
                    tell(trace_listeners.ChangedValue(each.text, first[key][each], value, each.place))

    def suspect(self, none_traced: bool) -> bool:
        """Whether the call should be looked into: inf or nan came out, a gradient inside was None, or nothing was learned."""
        if self._function in _repeated:
            return False
        if none_traced:
            return True
        for each in self.results:
            if each.dtype.is_floating and not np.isfinite(np.asarray(each._numpy(), np.float64)).all():
                return True
        return self._number <= _CLOSE_LOOKS and self._some_variable_stayed()

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
        code = getattr(self._function.python_function, "__code__", None)
        return code is not None and ("gradient" in code.co_names or "GradientTape" in code.co_names)

    def can_be_repeated(self) -> bool:
        """Whether the arguments are the same when they are used again: iterators are not."""
        flat = self._found.tensorflow.nest.flatten([self._args, self._kwargs])
        return not any(hasattr(each, "__next__") for each in flat)

    @contextlib.contextmanager
    def restored(self) -> Iterator[list[Any]]:
        """Variables, whose handles are given, have the values from before the call inside the block, and afterwards the ones that they have now."""
        after = self._values()
        try:
            for each, value in self._before.values():
                each.assign(value)
            yield [each.handle for each, _ in self._before.values()]
        finally:
            for each, value in after.values():
                each.assign(value)

    def repeat(self) -> list[Any]:
        """Run the function's Python, with the same arguments, and return the tensors that it gives.

        What it prints was printed when it was traced.
        """
        _repeated.add(self._function)
        config = self._found.tensorflow.config
        eagerly = config.functions_run_eagerly()
        config.run_functions_eagerly(True)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                return self._tensors_in(self._function.python_function(*self._args, **self._kwargs))
        finally:
            config.run_functions_eagerly(eagerly)
