"""The witness: follows a running TensorFlow program with whygrad's own tapes and traces, so that explanations can read them.

Each op that TensorFlow executes eagerly is repeated by whygrad on shadows (`shadows.py`), at the user's line, and takes TensorFlow's
values. Each TensorFlow tape has a whygrad tape beside it; a call of `gradient` runs on both. So explanations see the same
records, events and values as under whygrad's own engine, and know nothing of TensorFlow.

What whygrad finds is reported only if the two gradients agree on None and on shapes. TensorFlow's results are never changed.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from whygrad.on_tensorflow import internals
from whygrad.on_tensorflow.exits import ARRAYS, EXITS, Exits
from whygrad.on_tensorflow.function_calls import begin_anew
from whygrad.on_tensorflow.keras_scopes import KerasScopes
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.op_types import COMPOSITES
from whygrad.on_tensorflow.repeated_calls import RepeatedCalls
from whygrad.on_tensorflow.repeated_ops import RepeatedOps
from whygrad.on_tensorflow.tapes import Tapes
from whygrad.on_tensorflow.whole_functions import WholeFunctions
from whygrad.runtime.call_sites import register_package
from whygrad.why.source import stand_ins


class Witness(Observer):
    """Watches TensorFlow in this process between `begin` and `end`."""

    def __init__(self, eager: bool = False) -> None:
        super().__init__()
        self._eager = eager  # whether functions run op by op from the start
        self._ops = RepeatedOps(self)
        self._calls = RepeatedCalls(self, self._ops, eager)
        self._tapes = Tapes(self, self._ops, self._calls)
        self._functions = WholeFunctions(self)
        self._exits = Exits(self)

    @contextlib.contextmanager
    def watching(self) -> Iterator[Witness]:
        """Watch TensorFlow inside the block."""
        self.begin()
        try:
            yield self
        finally:
            self.end()

    def begin(self) -> None:
        """Start watching."""
        for folder in internals.packages(self.found.tensorflow):
            register_package(folder)
        stand_ins.finders.append(self.counterpart)
        self.undo.callback(stand_ins.finders.remove, self.counterpart)
        if self._eager:
            config = self.found.tensorflow.config
            self.undo.callback(config.run_functions_eagerly, config.functions_run_eagerly())
            config.run_functions_eagerly(True)
        callback = self._ops.executed
        self.found.op_callbacks.add_op_callback(callback)
        self.undo.callback(self.found.op_callbacks.remove_op_callback, callback)
        tape, tensor, variable = self.found.GradientTape, self.found.EagerTensor, self.found.ResourceVariable
        wrappers: list[tuple[Any, str, Callable[..., Any]]] = [
            (tape, "__init__", self._tapes.made),
            (tape, "_push_tape", self._tapes.pushed),
            (tape, "_pop_tape", self._tapes.popped),
            (tape, "watch", self._tapes.watched),
            (tape, "stop_recording", self._tapes.stopped),
            (tape, "reset", self._tapes.reset),
            (tape, "gradient", self._tapes.differentiated("gradient")),
            (tape, "jacobian", self._tapes.differentiated("jacobian")),
            (tape, "batch_jacobian", self._tapes.differentiated("batch_jacobian")),
            (variable, "__init__", self._variable_made),
            (self.found.constants, "convert_to_eager_tensor", self._exits.constant_made),
            (self.found.Function, "__call__", self._calls.called),
            (self.found.Function, internals.TRACE_FIRST, self._calls.traced_first),
            (self.found.Function, internals.INITIALIZE, self._calls.variables_initialized),
            (self.found.Optional, "get_value", self._calls.value_taken),
            (self.found.custom_gradient, "_eager_mode_decorator", self._functions.custom_gradient),
            (self.found.tensorflow, "numpy_function", self._functions.numpy_function),
            (self.found.tensorflow, "py_function", self._functions.py_function),
            (threading.Thread, "start", self._thread_started),
            *((np, name, self._exits.array_made) for name in ARRAYS if importlib.util.find_spec("numba") is None),
            *((*self._place(path), self._functions.composite(path)) for path in COMPOSITES),
            *((owner, each, self._exits.left) for owner in (tensor, variable) for each in EXITS if each in vars(owner)),
        ]
        for owner, name, wrapper in wrappers:
            self.wrap(owner, name, wrapper)
        keras = KerasScopes(self)
        keras.begin()
        self.undo.callback(keras.end)
        tensor.__array_function__ = self._exits.in_numpy  # type: ignore[attr-defined]
        self.undo.callback(delattr, tensor, "__array_function__")

    def end(self) -> None:
        """Stop watching: TensorFlow is as before."""
        self.undo.close()
        with self.observing("tf.function"):
            begin_anew()

    def _variable_made(self, original: Any, variable: Any, *args: Any, **kwargs: Any) -> None:
        original(variable, *args, **kwargs)
        if type(variable).__name__ == "_UnreadVariable":  # what an assignment returns
            return
        if self.idle():
            with self.observing("tf.Variable"):
                self.variables.describe(variable)

    def _place(self, path: str) -> tuple[Any, str]:
        """The TensorFlow module that defines a public name, and the name in it."""
        *modules, name = path.split(".")
        return functools.reduce(getattr, modules, self.found.tensorflow), name

    def _thread_started(self, original: Any, thread: threading.Thread) -> None:
        """TensorFlow's callbacks belong to a thread: add ours to a thread of the program before it runs."""
        run = thread.run

        def watched_run() -> None:
            self.found.op_callbacks.add_op_callback(self._ops.executed)
            run()

        thread.run = watched_run  # type: ignore[method-assign]
        original(thread)

    def notes(self) -> list[str]:
        """The report's remarks on how the program was watched."""
        said = []
        for name, found in self._calls.replays.items():
            said.append(
                f"`{name}` is compiled: a call of it was repeated op by op, with the same inputs and variables"
                + ("" if found else ", and the repetition was clean")
            )
        for what, why in self.unseen.items():
            said.append(f"not followed: {what} ({why})")
        return said
