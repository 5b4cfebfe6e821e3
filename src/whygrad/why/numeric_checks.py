"""Checking every op: an exception at the first inf or nan, with its birthplace."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.primitive import RawRecord, record_of
from whygrad.values.errors import OpError, invalid
from whygrad.values.recorders import ObservingRecorder, observers, state
from whygrad.values.tensor import Key, Tensor, value_of
from whygrad.why.cause import Cause
from whygrad.why.causes import nonfinite_gradient
from whygrad.why.causes.op_not_finite import QuestionOfOp
from whygrad.why.diagnosis import attempt
from whygrad.why.evidence.numerics import Numerics, is_finite
from whygrad.why.source.wording import spoken


@export("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """From now on an op or a gradient that makes inf or nan is an InvalidArgumentError, in this thread.

    The error says which op and which line made it, and why; the limits, which cut TensorFlow's long stacks, change nothing.
    Of a compiled function, what a call returns and assigns is looked at; if that is not finite the call is run again op by op, to
    find the place, and what it assigns is not kept.

    >>> import whygrad as tf
    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     y = tf.math.log([1.0, 0.0])
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(error.causes[0].kind)
    ... finally:
    ...     tf.debugging.disable_check_numerics()
    log-of-zero
    """
    if not any(isinstance(recorder, _Check) for recorder in state.recorders):
        check = _Check()
        state.recorders = (check, *state.recorders)
        observers.append(check)


@export("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Undo `enable_check_numerics` in this thread; nothing happens where it was not called.

    >>> import whygrad as tf
    >>> tf.debugging.disable_check_numerics()
    """
    mine = [recorder for recorder in state.recorders if isinstance(recorder, _Check)]
    state.recorders = tuple(recorder for recorder in state.recorders if recorder not in mine)
    for check in mine:
        observers.remove(check)


class _Check(ObservingRecorder):
    """Looks at every value of its thread, and raises. Of a compiled function it sees what a call gives and assigns."""

    looks_inside_functions = False

    def __init__(self) -> None:
        super().__init__()
        self._thread = threading.get_ident()
        self._numerics = Numerics()

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Raise if an op made inf or nan."""
        if threading.get_ident() != self._thread or state.context is not None:
            return
        self._numerics.computed(raw, inputs, outputs)
        if not self._numerics.births:
            return
        record = record_of(raw)
        made = outputs if type(outputs) is tuple else (outputs,)
        for i, output in enumerate(made):
            if output._key in self._numerics.births and not record.traits.passes_numeric_checks:
                question = QuestionOfOp(self._numerics, record)
                causes = attempt(nonfinite_gradient.forward, question, self._numerics.births[output._key])
                what = (
                    f'output {i} of eagerly-executing op "{record.plan.primitive.op_name}" (# of outputs: {len(made)})'
                )
                raise _error(what, output._array, causes)

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Raise if a rule made inf or nan."""
        if threading.get_ident() != self._thread or state.context is not None:
            return
        self._numerics.pulled(raw, key, g, gx)
        born = list(self._numerics.backward)
        self._numerics.end_call()
        record = record_of(raw)
        compiled = getattr(record.plan.primitive, "compiled", None)
        if born and compiled is not None and record.kept:
            from whygrad.why.causes.not_finite_when_compiled import explain_gradient
            from whygrad.why.evidence.compiled_replay import CompiledCall

            call = CompiledCall(compiled, record.kept[0])
            upstream = g if isinstance(g, tuple) else (g,)
            raise _error(
                f"the gradient of function {compiled.name!r}",
                born[0].made,
                attempt(explain_gradient, call, upstream, self),
            )
        for birth in born:
            question = QuestionOfOp(self._numerics, record)
            question.opening = f"the gradient of {spoken(record)} is inf or nan"
            causes = attempt(nonfinite_gradient.backward, question, birth)
            what = f'output 0 of eagerly-executing op "{record.plan.primitive.op_name}Grad" (# of outputs: 1)'
            raise _error(what, birth.made, causes)

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Raise if a compiled function gave, or is about to assign, inf or nan: with what a replay op by op finds."""
        if threading.get_ident() != self._thread:
            return
        results = len(outputs) - len(traced.updates)
        for i, output in enumerate(outputs):
            array = value_of(output)
            if not is_finite(array):
                from whygrad.why.causes.not_finite_when_compiled import explain_results
                from whygrad.why.evidence.compiled_replay import CompiledCall

                what = f"output {i} of function" if i < results else "a variable assigned by function"
                causes = attempt(explain_results, CompiledCall(traced, given), self)
                raise _error(f"{what} {traced.name!r}", array, causes)


def _error(what: str, array: Any, causes: list[Cause]) -> OpError:
    """TensorFlow's sentence, and the causes."""
    parts = [
        ("-Inf", "-Inf", int(np.isneginf(array).sum()) if array.dtype.kind != "c" else 0),
        ("+Inf", "+Inf", int(np.isposinf(array).sum()) if array.dtype.kind != "c" else int(np.isinf(array).sum())),
        ("+NaN", "NaN", int(np.isnan(array).sum())),
    ]
    found = [part for part in parts if part[2]]
    numbers = "".join(f"\n  # of {label} elements: {number}" for label, _, number in found)
    values = [value for _, value, _ in found]
    had = values[0] if len(values) == 1 else ", ".join(values[:-1]) + " and " + values[-1]
    error = invalid(
        f"!!! Detected Infinity or NaN in {what} !!!\n"
        f"  dtype: {array.dtype.name}\n  shape: {array.shape}{numbers}\n : Tensor had {had} values"
    )
    error.__dict__["causes"] = causes
    return error
