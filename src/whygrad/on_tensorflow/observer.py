"""What the parts of the witness share: TensorFlow's own modules, whose work a thread is doing, and what could not be followed."""

from __future__ import annotations

import contextlib
import functools
import importlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from whygrad.on_tensorflow import internals
from whygrad.on_tensorflow.failures import causes_of_failure, public_function
from whygrad.on_tensorflow.function_calls import python_function_of
from whygrad.on_tensorflow.leaks import stand_in
from whygrad.on_tensorflow.shadows import SHADOW, seen, structure, variable_of
from whygrad.on_tensorflow.variables import Variables
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor


class _Busy(threading.local):
    """How deep this thread is in TensorFlow's own work, whose ops are not the program's."""

    depth = 0
    ops_left: int | None = None  # of a call that is repeated


class Observer:
    """Knows TensorFlow in this process, and whether what it computes is the program's."""

    def __init__(self) -> None:
        self.found = internals.load()
        self.whygrad: Any = importlib.import_module("whygrad")
        self.variables = Variables(self.found, self.whygrad)
        self.busy = _Busy()
        self.undo = contextlib.ExitStack()  # what `wrap` and `replace` have changed
        self.unseen: dict[str, str] = {}  # op types that were met and could not be followed, with the reason
        self.strict = False  # whether a failure of the witness is raised: for tests

    def idle(self) -> bool:
        """Whether the program itself is running, eagerly, in this thread."""
        return not self.busy.depth and bool(self.found.context.executing_eagerly())

    @contextlib.contextmanager
    def inside_tensorflow(self) -> Iterator[None]:
        """Ops inside the block are TensorFlow's own work, which is not followed."""
        self.busy.depth += 1
        try:
            yield
        finally:
            self.busy.depth -= 1

    @contextlib.contextmanager
    def watched_again(self) -> Iterator[None]:
        """Follow ops inside a block of our own."""
        depth, self.busy.depth = self.busy.depth, 0
        try:
            yield
        finally:
            self.busy.depth = depth

    @contextlib.contextmanager
    def observing(self, what: str) -> Iterator[None]:
        """An exception inside the block is a failure of the witness: the program goes on, and the report says what was not seen."""
        try:
            with self.inside_tensorflow():
                yield
        except Warning:
            raise
        except Exception as error:
            self.failed(what, error)

    def failed(self, what: str, error: Exception) -> None:
        """Note what was not seen, and why."""
        if self.strict:
            raise error
        self.unseen.setdefault(what, f"{type(error).__name__}: {error}".splitlines()[0])

    def wrap(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        """Call `wrapper` in the place of a function or method, with the original before its arguments."""
        original = getattr(owner, name)

        @functools.wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return wrapper(original, *args, **kwargs)

        setattr(owner, name, wrapped)
        self.undo.callback(setattr, owner, name, original)

    def replace(self, owner: Any, name: str, by: Any) -> None:
        """Set an attribute until the witness ends."""
        self.undo.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, by)

    def counterpart(self, value: Any) -> Any:
        """What stands for one of the program's values: a shadow, or the whygrad function with the same public name."""
        if callable(value) and not isinstance(value, type):
            found = public_function(value, self.whygrad)
            return value if found is None else found
        if type(value).__name__ == "SymbolicTensor" and (python := python_function_of(value.graph)) is not None:
            return stand_in(value, python)
        return structure(value) if type(value).__name__ == "IndexedSlices" else seen(value)

    def notify_of_exit(self, tensor: Any) -> None:
        """Let traces know that the program has a tensor's value outside of TensorFlow now."""
        variable = variable_of(tensor)
        shadow = getattr(tensor, SHADOW, None) if variable is None else self.variables.known(tensor.handle).read()
        if isinstance(shadow, Tensor):
            for recorder in state.recorders:
                recorder.left_for_numpy(shadow)

    def explain(self, error: BaseException) -> None:
        """Give a TensorFlow exception the causes that whygrad's has for the same op on the same operands."""
        if error.__dict__.get("causes") is None:
            with self.observing("an exception"):
                self._know_leaks(error)
                causes = causes_of_failure(error, self.whygrad)
                if causes:
                    error.causes = causes  # type: ignore[attr-defined]

    def _know_leaks(self, error: BaseException) -> None:
        """Make stand-ins for the symbolic tensors that a failed call was given."""
        traceback = error.__traceback__
        while traceback is not None:
            for value in traceback.tb_frame.f_locals.values():
                for each in value if isinstance(value, list | tuple) else (value,):
                    if type(each).__name__ == "SymbolicTensor":
                        self.counterpart(each)
            traceback = traceback.tb_next
