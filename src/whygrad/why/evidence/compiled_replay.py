"""A call of a compiled function, run again op by op: where its inf or nan was born, which compiled code cannot tell.

The Python function runs on the same inputs, with the values that variables had before the call and the random numbers that
the call drew. What it assigns is undone. Only what Python itself does beside (printing, a list that grows) happens once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from whygrad.ops.random import streams_again
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import ProgramObserver, observers, state, users_site
from whygrad.values.tensor import Tensor, key_of, value_of, wrap
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.numeric_checks import QuestionOfOp
from whygrad.why.evidence.numerics import Birth, Numerics, is_finite
from whygrad.why.evidence.trace import tracing
from whygrad.why.source.sites import site
from whygrad.why.source.wording import quoted


class CompiledCall:
    """A call of a compiled function: what was traced, and the values of its arguments and of what it uses from outside."""

    def __init__(self, traced: Any, given: Sequence[Tensor]) -> None:
        self.traced = traced
        self.inputs = [wrap(value_of(tensor)) for tensor in given[: len(traced.inputs)]]
        self._captured = [
            value_of(tensor) for tensor in given[len(traced.inputs) : len(traced.inputs) + len(traced.captures)]
        ]

    @property
    def name(self) -> str:
        """What the function is called, in a sentence."""
        return quoted(self.traced.name)

    @contextlib.contextmanager
    def as_it_was(self, without: ProgramObserver) -> Iterator[None]:
        """Variables and random numbers as they were for the call; who checks, and tapes, do not see what happens."""
        variables = {capture.variable for capture in self.traced.captures if capture.variable is not None}
        now = {variable: variable._value for variable in {*variables, *self.traced.updates}}
        recorders = state.recorders
        observers.remove(without)
        state.recorders = ()
        drawn = []
        for capture, value in zip(self.traced.captures, self._captured):
            if capture.variable is not None:
                capture.variable._value = wrap(value)
            elif capture.make is not None:
                drawn.append(value)
        try:
            with streams_again(drawn):
                yield
        finally:
            state.recorders = recorders
            observers.append(without)
            for variable, value in now.items():
                variable._value = value

    def updated(self) -> list[Tensor]:
        """What the variables hold that the function assigns."""
        return [variable._value for variable in self.traced.updates]


def birth_in(call: CompiledCall, check: ProgramObserver) -> Cause:
    """Why a compiled call gave inf or nan, in its results or in the variables that it assigns."""
    try:
        return _born(call, check)
    except Exception as error:
        return _not_run(call, error)


def _born(call: CompiledCall, check: ProgramObserver) -> Cause:
    with call.as_it_was(check), tracing() as trace:
        results = [*call.traced.python(*call.inputs), *call.updated()]
    born = [birth for each in results if (birth := trace.numerics.births.get(key_of(each))) is not None]
    of_ops = [birth for birth in born if birth.where == "forward"]
    if of_ops:
        return _called(_question(trace.numerics, of_ops[0], call).forward(of_ops[0]))
    found = next((cause for cause in trace.findings if cause.symptom == "nonfinite"), None)
    if found is not None:
        return _called(replace(found, symptom="exception"))
    if born:
        return _called(_question(trace.numerics, born[0], call).forward(born[0]))
    return _clean(call, all(is_finite(each._array) for each in results))


def birth_in_gradient(call: CompiledCall, upstream: Sequence[Any], check: ProgramObserver) -> Cause:
    """Why the gradient of a compiled call is inf or nan, though the upstream gradients of its results were finite."""
    try:
        return _born_in_gradient(call, upstream, check)
    except Exception as error:
        return _not_run(call, error)


def _born_in_gradient(call: CompiledCall, upstream: Sequence[Any], check: ProgramObserver) -> Cause:
    watching = _Watching()
    with call.as_it_was(check):
        observers.append(watching)
        try:
            with GradientTape() as tape:
                tape.watch(call.inputs)
                results = call.traced.python(*call.inputs)
            sources: list[Tensor | Variable] = [*call.inputs, *_variables(call)]
            pairs = [(y, wrap(np.asarray(g))) for y, g in zip(results, upstream) if y.dtype.is_differentiable]
            tape.gradient(
                [y for y, _ in pairs],
                [each for each in sources if each.dtype.is_differentiable],
                output_gradients=[g for _, g in pairs],
                unconnected_gradients="zero",
            )
        finally:
            observers.remove(watching)
    births = watching.numerics.backward
    if not births:
        return _clean(call, True, of="the gradient of ")
    question = _question(watching.numerics, births[0], call)
    question.opening = f"the gradient of {call.name} is inf or nan"
    return _called(question.backward(births[0]), "asked here, and run again op by op")


def _variables(call: CompiledCall) -> list[Variable]:
    return [capture.variable for capture in call.traced.captures if capture.variable is not None]


class _Watching:
    """Looks at every value, in functions within as well, and raises nothing."""

    looks_inside_functions = True

    def __init__(self) -> None:
        self.numerics = Numerics()
        self.computed = self.numerics.computed
        self.pulled = self.numerics.pulled

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Functions run as Python here."""


def _question(numerics: Numerics, birth: Birth, call: CompiledCall) -> QuestionOfOp:
    question = QuestionOfOp(numerics, birth.record)
    question.opening = f"{call.name} gives inf or nan"
    return question


def _called(cause: Cause, role: str = "called here, and run again op by op") -> Cause:
    """A cause with the place of the call, where the replay began."""
    return replace(cause, sites=(*cause.sites, site(*users_site(), role)))


def _not_run(call: CompiledCall, error: Exception) -> Cause:
    return Cause(
        "not-finite-here",
        "exception",
        f"{call.name} gives inf or nan; run again op by op, to find where, it raises {type(error).__name__}: {error}",
        (site(*users_site(), "called here"),),
        "tf.config.run_functions_eagerly(True) runs functions op by op",
    )


def _clean(call: CompiledCall, finite: bool, of: str = "") -> Cause:
    """The replay did not show where it comes from."""
    here = site(*users_site(), "called here")
    if not finite:
        return Cause(
            "not-finite-here",
            "exception",
            f"{of}{call.name} gives inf or nan, and so it does when it is run again op by op; which op makes it is not known",
            (here,),
            "tf.config.run_functions_eagerly(True) runs functions op by op, so that each op can be looked at",
        )
    return Cause(
        "not-finite-when-compiled",
        "exception",
        f"{of}{call.name} is inf or nan as it was compiled, but the same call run again op by op is finite: the replay is clean",
        (here,),
        "XLA combines operations and takes numbers below the smallest normal one (1e-38 in float32) for 0: look for products and "
        "squares of very small or very large numbers, keep them away from the ends of their range, or compute that part in float64",
    )
