"""TensorFlow's tapes: each has a whygrad tape beside it, and what is asked of the one is asked of the other."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np

from whygrad.on_tensorflow.custom_gradients import NotFollowed
from whygrad.on_tensorflow.failures import as_if_called
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.repeated_calls import RepeatedCalls
from whygrad.on_tensorflow.repeated_ops import RepeatedOps
from whygrad.on_tensorflow.shadows import SHADOW, array_of, flat_gradients, join, structure
from whygrad.runtime.call_sites import frame_at, users_frame, users_site
from whygrad.tape.gradient_calls import GradientCall, listeners
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values import nest
from whygrad.values.tensor import Tensor
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import current


class Tapes:
    """Follows tapes, and differentiates on both."""

    def __init__(self, observer: Observer, ops: RepeatedOps, calls: RepeatedCalls) -> None:
        self._observer = observer
        self._ops = ops
        self._calls = calls

    def made(self, original: Any, tape: Any, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        """A tape gets a whygrad tape beside it."""
        original(tape, persistent, watch_accessed_variables)
        if self._observer.idle():
            tape._whygrad = GradientTape(persistent, watch_accessed_variables)

    def pushed(self, original: Any, tape: Any) -> Any:
        """A tape begins to record."""
        result = original(tape)
        if self._observer.idle() and (shadow := _shadow_tape(tape)) is not None:
            with self._observer.observing("tf.GradientTape"):
                shadow.__enter__()
        return result

    def popped(self, original: Any, tape: Any) -> Any:
        """A tape ends recording."""
        if self._observer.idle() and (shadow := _shadow_tape(tape)) is not None:
            with self._observer.observing("tf.GradientTape"):
                shadow.__exit__(None, None, None)
        return original(tape)

    def watched(self, original: Any, tape: Any, tensor: Any) -> Any:
        """`GradientTape.watch` watches the shadows too."""
        shadow = _shadow_tape(tape) if self._observer.idle() else None
        try:
            result = original(tape, tensor)
        except Exception as error:
            # A tape that was never entered, of which whygrad says so when it is asked for a gradient.
            if shadow is not None:
                self._explain_failure(shadow, "gradient", ([structure(tensor)] * 2, {}), error)
            raise
        if shadow is not None:
            with self._observer.observing("GradientTape.watch"):
                shadow.watch(structure(tensor))
        return result

    def stopped(self, original: Any, tape: Any) -> contextlib.AbstractContextManager[None]:
        """`GradientTape.stop_recording`, at the line that calls it."""
        return self._while_stopped(original, tape, users_site())

    @contextlib.contextmanager
    def _while_stopped(self, original: Any, tape: Any, call_site: tuple[CodeType, int]) -> Iterator[None]:
        shadow = _shadow_tape(tape) if self._observer.idle() else None
        if shadow is None:
            with original(tape):
                yield
            return
        with shadow.while_stopped(call_site), self._quiet_tape(tape), original(tape):
            yield

    @contextlib.contextmanager
    def _quiet_tape(self, tape: Any) -> Iterator[None]:
        """`stop_recording` pops and pushes the tape itself, which the shadow must not follow."""
        shadow = tape._whygrad
        tape._whygrad = None
        try:
            yield
        finally:
            tape._whygrad = shadow

    def reset(self, original: Any, tape: Any) -> None:
        """`GradientTape.reset`."""
        shadow = _shadow_tape(tape) if self._observer.idle() else None
        if shadow is None:
            original(tape)
            return
        with self._quiet_tape(tape):
            original(tape)
        with self._observer.observing("GradientTape.reset"):
            shadow.reset()

    def differentiated(self, method: str) -> Callable[..., Any]:
        """What runs in the place of a method of tapes that differentiates."""

        def differentiated(original: Any, tape: Any, *args: Any, **kwargs: Any) -> Any:
            shadow = _shadow_tape(tape) if self._observer.idle() else None
            if shadow is None:
                result = original(tape, *args, **kwargs)
                if not self._observer.busy.depth and any(each is None for each in flat_gradients(result)):
                    self._calls.none_traced = True
                return result
            given: Any = None
            with self._observer.observing(f"GradientTape.{method}"):
                for each in nest.flatten([args, kwargs]):
                    if type(each).__name__ == "SymbolicTensor":
                        self._observer.counterpart(each)
                given = [structure(each) for each in args], {name: _option(each) for name, each in kwargs.items()}
            if given is not None and method == "gradient" and _lacks_upstream_gradients(*given[0], **given[1]):
                with self._observer.inside_tensorflow():
                    shadow.gradient(*given[0], **given[1])  # raises, where TensorFlow ends the process
            try:
                with self._ops.unobserved():
                    result = original(tape, *args, **kwargs)
            except Exception as error:
                if given is not None:
                    self._explain_failure(shadow, method, given, error)
                raise
            if given is not None:
                with self._observer.observing(f"GradientTape.{method}"):
                    self._repeat(shadow, method, given, result)
            return result

        return differentiated

    def _repeat(self, shadow: GradientTape, method: str, given: Any, result: Any) -> None:
        """Differentiate on whygrad too, and let explanations look at the call where both agree."""
        agreed: list[bool] = []

        def compare(call: GradientCall) -> None:
            agreed.append(
                len(call.gradients) == len(flat)
                and (method != "gradient" or all(self._agree(*pair) for pair in zip(flat, call.gradients)))
            )
            if agreed[-1]:
                for listener in before:
                    listener(call)

        flat = flat_gradients(result)
        if shadow in self._calls.recorded_on and any(map(_is_odd, flat)):
            self._calls.follow(shadow)
        before = list(listeners)
        listeners[:] = [compare]
        try:
            made = getattr(shadow, method)(*given[0], **given[1])
        except NotFollowed as error:
            if (
                shadow not in self._calls.recorded_on
            ):  # calls of functions are followed when something seems to be wrong inside
                self._observer.unseen.setdefault(str(error), "its gradient was not followed")
            return
        except Exception as error:
            trace = current()
            if trace is None:
                raise
            for cause in causes_of(error):
                trace.found(cause)
            return
        finally:
            listeners[:] = before
        if agreed and not all(agreed):
            self._observer.unseen.setdefault(
                method, "whygrad's gradient differs from TensorFlow's, so this call is not explained"
            )
        for ours, theirs in zip(flat_gradients(made), flat):
            if theirs is not None and getattr(theirs, SHADOW, None) is None:
                join(theirs, ours)

    def _agree(self, theirs: Any, ours: Any) -> bool:
        """Whether the two gradients agree, apart from known deviations of TensorFlow's.

        A compiled TensorFlow function gives zeros for what a branch that was not taken uses, where whygrad gives None. And some of its
        gradients do not have the shape of their source.
        """
        if join(theirs, ours):
            return True
        if theirs is None or hasattr(theirs, "indices"):
            return False
        if ours is None:
            return self._calls.followed and _is_odd(theirs)
        if isinstance(ours, Tensor) and tuple(theirs.shape) != tuple(ours.shape):
            self._observer.unseen.setdefault(
                "a gradient",
                f"TensorFlow gives it the shape {tuple(theirs.shape)}, and its source has {tuple(ours.shape)}",
            )
            return True
        return False

    def _explain_failure(self, shadow: GradientTape, method: str, given: Any, error: Exception) -> None:
        """TensorFlow refused to differentiate: whygrad refuses as well and says why, or gives None and is asked why."""
        try:
            with self._observer.inside_tensorflow():
                self._calls.follow(shadow)
                getattr(shadow, method)(*given[0], **given[1])
        except NotFollowed as ours:
            self._observer.unseen.setdefault(str(ours), "its gradient was not followed")
        except Exception as ours:
            with contextlib.suppress(Exception):
                causes = causes_of(as_if_called(ours, users_frame(frame_at(0))))
                if causes:  # none if it is TensorFlow's error, out of a custom gradient
                    error.causes = causes  # type: ignore[attr-defined]


def _shadow_tape(tape: Any) -> GradientTape | None:
    found: GradientTape | None = getattr(tape, "_whygrad", None)
    return found


def _lacks_upstream_gradients(target: Any, sources: Any, output_gradients: Any = None, *_: Any, **__: Any) -> bool:
    """Whether there are fewer upstream gradients than targets: TensorFlow 2.21 does not count them, and crashes."""
    return output_gradients is not None and len(nest.flatten(output_gradients)) < len(nest.flatten(target))


def _option(value: Any) -> Any:
    """An argument of `gradient`: TensorFlow's enumeration by its word, and structures of shadows."""
    word = getattr(value, "value", None)
    return word if isinstance(word, str) else structure(value)


def _is_odd(gradient: Any) -> bool:
    """Whether a gradient is None, not finite, or zero everywhere."""
    array = None if gradient is None else array_of(getattr(gradient, "values", gradient))
    if array is None or array.dtype.kind not in "fc":
        return array is None
    return not np.isfinite(array).all() or not array.any()
