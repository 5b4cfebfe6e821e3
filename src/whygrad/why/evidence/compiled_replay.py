"""A call of a compiled function, run again op by op: compiled code cannot tell where its inf or nan was born.

The Python function runs on the same inputs, with the values that variables had before the call and the random numbers that
the call drew. What it assigns is undone. Only Python's own side effects (printing, a list that grows) happen once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from whygrad.compile.function import settings
from whygrad.ops.random_streams import replay_streams
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.recorders import PrivateValues, ProgramObserver, observers, state
from whygrad.values.tensor import Tensor, value_of, wrap
from whygrad.values.variable import Variable
from whygrad.why.evidence.numerics import Numerics
from whygrad.why.evidence.trace import Trace, tracing


class CompiledCall:
    """A call of a compiled function: its trace, and the values of its arguments and captured tensors."""

    def __init__(self, traced: Any, given: Sequence[Tensor]) -> None:
        self.traced = traced
        self.inputs = [wrap(value_of(tensor)) for tensor in given[: len(traced.inputs)]]
        self._captured = [
            value_of(tensor) for tensor in given[len(traced.inputs) : len(traced.inputs) + len(traced.captures)]
        ]

    @contextlib.contextmanager
    def _as_it_was(self, without: ProgramObserver) -> Iterator[None]:
        """Variables and random numbers as they were for the call; neither `without` nor tapes see what runs inside."""
        recorders = state.recorders
        eagerly, settings.run_eagerly = settings.run_eagerly, True
        observers.remove(without)
        state.recorders = ()
        drawn = []
        then = PrivateValues()
        for capture, value in zip(self.traced.captures, self._captured):
            if capture.variable is not None:
                then.values[capture.variable] = wrap(value)
            elif capture.make is not None:
                drawn.append(value)
        try:
            with then, replay_streams(drawn):
                yield
        finally:
            settings.run_eagerly = eagerly
            state.recorders = recorders
            observers.append(without)

    def run_again(self, without: ProgramObserver) -> tuple[list[Tensor], Trace]:
        """The results and the new values of variables, and a trace of the ops that computed them."""
        with self._as_it_was(without), tracing() as trace:
            updates = self.traced.updates
            return [*self.traced.python(*self.inputs), *[variable.value_here for variable in updates]], trace

    def differentiate_again(self, upstream: Sequence[Any], without: ProgramObserver) -> Numerics:
        """The evidence from differentiating the call, run again, with these upstream gradients."""
        watching = _Watching()
        with self._as_it_was(without):
            observers.append(watching)
            try:
                with GradientTape() as tape:
                    tape.watch(self.inputs)
                    results = self.traced.python(*self.inputs)
                sources: list[Tensor | Variable] = [*self.inputs, *self._variables()]
                pairs = [(y, wrap(np.asarray(g))) for y, g in zip(results, upstream) if y.dtype.is_differentiable]
                tape.gradient(
                    [y for y, _ in pairs],
                    [each for each in sources if each.dtype.is_differentiable],
                    output_gradients=[g for _, g in pairs],
                    unconnected_gradients="zero",
                )
            finally:
                observers.remove(watching)
        return watching.numerics

    def _variables(self) -> list[Variable]:
        return [capture.variable for capture in self.traced.captures if capture.variable is not None]


class _Watching:
    """Looks at every value, also inside compiled functions, and raises nothing."""

    looks_inside_functions = True

    def __init__(self) -> None:
        self.numerics = Numerics()
        self.computed = self.numerics.computed
        self.pulled = self.numerics.pulled

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Functions run as Python here."""
