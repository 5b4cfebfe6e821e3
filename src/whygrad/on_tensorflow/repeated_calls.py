"""Calls of compiled functions: each runs as it is, and is repeated op by op if something seems to be wrong inside."""

from __future__ import annotations

import weakref
from typing import Any

from whygrad.on_tensorflow.failures import as_if_called, is_same_failure, is_same_failure_of_library
from whygrad.on_tensorflow.function_calls import FunctionCall
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.repeated_ops import MOST_REPEATED_OPS, RepeatedOps, TooManyOps
from whygrad.on_tensorflow.shadows import SHADOW, shadow_of, structure, variable_of
from whygrad.ops.primitive import record
from whygrad.ops.shaping import identity_primitive
from whygrad.runtime.call_sites import frame_at, users_frame
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor
from whygrad.why.cause import Cause
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.failed_op import users_frame as users_call
from whygrad.why.evidence.trace import current


class RepeatedCalls:
    """Follows calls of compiled functions."""

    def __init__(self, observer: Observer, ops: RepeatedOps, eager: bool) -> None:
        self._observer = observer
        self._ops = ops
        self._eager = eager  # whether functions run op by op from the start
        # The calls that a tape recorded: each with its results, and its place among the records.
        self.recorded_on: weakref.WeakKeyDictionary[GradientTape, list[Any]] = weakref.WeakKeyDictionary()
        self.none_traced = False  # whether a gradient was None while a function was traced
        self.followed = False  # whether ops inside a compiled function stand for a call of it
        # Names of functions whose calls were repeated, and whether that found anything.
        self.replays: dict[str, bool] = {}
        # The result of one of Keras's functions whose value was not read yet, with the call.
        self._awaited: tuple[Any, FunctionCall] | None = None

    def called(self, original: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        """A `tf.function` is called: it runs as it is, and again op by op if something seems to be wrong inside."""
        if not self._observer.idle() or self._eager or self._observer.busy.ops_left is not None or current() is None:
            return original(function, *args, **kwargs)
        with self._observer.inside_tensorflow():
            call = FunctionCall(function, args, kwargs, self._observer.found)
        self.none_traced = False
        self._ops.traced = call
        try:
            result = original(function, *args, **kwargs)
        except Exception as error:
            self._explain_failed_call(call, error)
            raise
        finally:
            self._ops.traced = None
        call.none_traced = self.none_traced
        if type(result) is self._observer.found.Optional:
            self._awaited = result, call
        else:
            self._look_at(call, result)
        return result

    def variables_initialized(self, original: Any, function: Any, initializers: list[tuple[Any, Any]]) -> None:
        """The variables that a function makes in its first call have got their first values: the call is repeated from these."""
        original(function, initializers)
        if self._ops.traced is not None:
            # One function may be traced inside of another.
            with self._observer.observing("tf.Variable"), self._observer.found.tensorflow.init_scope():
                made = [variable for variable, _ in initializers]
                for each in made:
                    self._observer.variables.known(each.handle)
                    self._observer.variables.describe(each)
                self._ops.traced.begins_with(made)

    def traced_first(
        self, original: Any, function: Any, args: Any, kwargs: Any, add_initializers_to: Any = None
    ) -> None:
        """A function is traced for the first time. If that fails, the variables that it has made are left without values."""
        try:
            original(function, args, kwargs, add_initializers_to)
        except Exception:
            if self._ops.traced is not None and add_initializers_to:
                self._ops.traced.without_values.append((function, add_initializers_to))
            raise

    def _explain_failed_call(self, call: FunctionCall, error: Exception) -> None:
        """A compiled function failed: op by op it fails at the line that is wrong, with values."""
        if error.__dict__.get("causes") is not None or isinstance(
            error, StopIteration | self._observer.found.tensorflow.errors.OutOfRangeError
        ):
            return
        with self._observer.observing("tf.function"):
            call.take_missing_batches()
            call.give_first_values()
            if not call.can_be_repeated():
                return
            causes: list[Cause] = []
            call.results = []
            inputs = [*call.tensors, *call.variables()]
            tape = GradientTape()
            before = state.recorders
            try:
                with tape:
                    tape.watch([each for each in structure(inputs) if each.dtype.is_differentiable])
                    results = self._repeat(call, (), [])
                if isinstance(error, LookupError):  # under a tape TensorFlow compiles the gradient too
                    tape.gradient(results, structure(inputs))
            except Exception as again:
                state.recorders = before
                is_same = is_same_failure if call.is_users else is_same_failure_of_library
                if is_same(again, error):
                    if users_call(again.__traceback__) is None or isinstance(again, LookupError):
                        again = as_if_called(again, users_frame(frame_at(0)))
                    self._observer.explain(again)
                    causes = causes_of(again)
            if causes:
                error.causes = causes  # type: ignore[attr-defined]
                self.replays[call.name] = True

    def value_taken(self, original: Any, optional: Any, *args: Any, **kwargs: Any) -> Any:
        """The value of what a function of Keras's gave: the call is looked at when Keras takes it, which costs no further op."""
        value = original(optional, *args, **kwargs)
        if self._awaited is not None and self._awaited[0] is optional and self._observer.idle():
            call, self._awaited = self._awaited[1], None
            self._look_at(call, value)
        return value

    def _look_at(self, call: FunctionCall, result: Any) -> None:
        with self._observer.observing("tf.function"):
            call.made(result)
            self._record(call)
            if call.suspect():
                self._replay(call)

    def _record(self, call: FunctionCall) -> None:
        """Record a call as one op, which tapes can have followed inside when they need it."""
        if not any(each.differentiates for each in state.recorders):
            return
        outputs = [each for each in call.results if getattr(each, SHADOW, None) is None]
        inputs = [shadow for each in call.tensors if (shadow := self._observer.variables.shadow(each)) is not None]
        inputs += [variable.read() for each in call.variables() if (variable := variable_of(each)) is not None]
        before = state.recorders
        # A trace sees what is inside, if anything.
        state.recorders = tuple([each for each in before if each.differentiates])
        try:
            made = self._ops.opaque(call.name, inputs, outputs)
            for tape in state.recorders:
                if made and inputs and isinstance(tape, GradientTape):
                    self.recorded_on.setdefault(tape, []).append((call, made, tape.length - 1))
        finally:
            state.recorders = before

    def follow(self, tape: GradientTape) -> None:
        """Replace what a tape recorded of calls of compiled functions by the ops inside them, which are repeated one by one."""
        for call, made, position in reversed(self.recorded_on.pop(tape, [])):
            if call.can_be_repeated():
                call.is_odd = True
                before = state.recorders
                state.recorders = (*[each for each in before if not each.differentiates], tape)
                try:
                    self._repeat(call, made, [(tape, position)])
                finally:
                    state.recorders = before

    def _replay(self, call: FunctionCall) -> None:
        """Repeat a call op by op, for the trace and for the tapes that recorded it last."""
        if not call.can_be_repeated():
            if call.is_odd:
                self._observer.unseen.setdefault(
                    call.name, "it takes from an iterator, so that its call cannot be repeated op by op"
                )
            return
        made: tuple[Tensor, ...] = ()
        recorded = []
        for tape in [each for each in state.recorders if isinstance(each, GradientTape)]:
            calls = self.recorded_on.get(tape, [])
            if calls and calls[-1][0] is call:
                _, made, position = calls.pop()
                recorded.append((tape, position))
        self._repeat(call, made, recorded)

    def _repeat(
        self, call: FunctionCall, made: tuple[Tensor, ...], recorded: list[tuple[GradientTape, int]]
    ) -> list[Tensor]:
        """Repeat a call op by op, from the values that variables had before it, in place of what tapes recorded of it.

        What the call gave, `made`, are then the results of the ops, which are returned.
        """
        results: list[Tensor] = []
        trace = current()
        findings = 0 if trace is None else len(trace.findings)
        ends = [tape.length for tape, _ in recorded]
        handles: list[Any] = []
        try:
            with call.restored() as handles:
                self._observer.variables.changed(handles)
                for each in call.variables():  # which may have been made while something was traced
                    self._observer.variables.known(each.handle)
                    self._observer.variables.describe(each)
                with self._observer.watched_again(), self._ops.limited():
                    results = [shadow for each in call.repeat() if (shadow := shadow_of(each)) is not None]
                for new, old in zip(results, made) if call.is_repeated_itself else ():
                    record(identity_primitive, (new,), old, {})
            for (tape, position), end in zip(recorded, ends):
                tape.replace_record(position, end)
            self.followed = True
        except TooManyOps:
            self._observer.unseen.setdefault(
                call.name, f"its call takes more than {MOST_REPEATED_OPS} ops, and was repeated up to there"
            )
        finally:
            self._observer.variables.changed(handles)
        found = trace is not None and len(trace.findings) > findings
        if found or call.is_odd:
            self.replays[call.name] = self.replays.get(call.name, False) or found
        return results
