"""Compiled calls: traced Python as one executable of XLA's, which tapes differentiate as one op, compiled too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from whygrad.engines.loading import engine
from whygrad.ops.primitive import Primitive, record
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.tape.tracing import Capture, Traced, trace
from whygrad.values.errors import OpNotImplementedError
from whygrad.values.recorders import state
from whygrad.values.tensor import DeviceTensor, Tensor, on_device, wrap
from whygrad.values.variable import Variable

Array = Any


class Executable:
    """Traced Python, compiled."""

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self._results = len(traced.jaxpr.outvars) - len(traced.updates)
        values = [*traced.inputs, *[capture.tensor._array for capture in traced.captures]]
        self._run = engine().compile(traced.run, [engine().shaped(each) for each in values])
        self._pullback: Executable | None = None
        self.primitive = Primitive(
            traced.name, _no_forward, joint=_rule_of(self), conjugates=False, takes_tensors=True, register=False
        )

    def __call__(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Run it: the results; variables that it assigns have their new values then."""
        captured = [_current(capture) for capture in self.traced.captures]
        recorders = state.recorders
        if recorders:
            for capture in self.traced.captures:
                if capture.variable is not None:
                    capture.variable.read()
        arrays = self._run(*[tensor._array for tensor in inputs], *[tensor._array for tensor in captured])
        outputs = [_wrap(array) for array in arrays]
        results = tuple(outputs[: self._results])
        if recorders:
            record(self.primitive, (*inputs, *captured), results, {})
        for variable, value in zip(self.traced.updates, outputs[self._results :]):
            if recorders:
                variable.rebind(value._array, read_value=False)
            else:
                variable._value = value
        return results

    def pull_back(self, tensors: Sequence[Tensor], g: Sequence[Tensor]) -> list[Tensor | None]:
        """The cotangents of what went in, given those of the results."""
        if self._pullback is None:
            self._pullback = Executable(pullback(self.traced, len(g)))
        found = iter(self._pullback([*tensors, *g]))
        return [next(found) if tensor.dtype.is_differentiable else None for tensor in tensors]


def _rule_of(executable: Executable) -> Any:
    def rule(xp: Any, g: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        return executable.pull_back(tensors, g)

    return rule


def _no_forward(xp: Any, *tensors: Any) -> Any:
    raise OpNotImplementedError("a compiled function is called, not applied")


def _current(capture: Capture) -> Tensor:
    """The value of a capture for the next call."""
    if capture.variable is not None:
        value = capture.variable._value
        if type(value) is Tensor:
            value = capture.variable._value = on_device(value)
        return value
    if capture.make is not None:
        return wrap(capture.make())
    return capture.tensor


def _wrap(array: Array) -> DeviceTensor:
    tensor = DeviceTensor.__new__(DeviceTensor)
    tensor._array = array
    tensor._key = None
    tensor._host = None
    return tensor


def pullback(traced: Traced, outputs: int) -> Traced:
    """From inputs, captured values and the cotangents of the results to the cotangents of what is differentiable among them."""
    count, captured = len(traced.inputs), len(traced.captures)

    def pull(*tensors: Tensor) -> list[Tensor]:
        inputs, values = tensors[:count], tensors[count : count + captured]
        state.context.substitute(traced.captures, values)
        sources = [tensor for tensor in (*inputs, *values) if tensor.dtype.is_differentiable]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            results = traced.python(*inputs)
        return tape.gradient(  # type: ignore[no-any-return]
            list(results), sources, list(tensors[count + captured :]), unconnected_gradients=UnconnectedGradients.ZERO
        )

    results = [variable.aval for variable in traced.jaxpr.outvars[:outputs]]
    values = [capture.tensor._array for capture in traced.captures]
    return trace(f"gradient of {traced.name}", pull, [*traced.inputs, *values, *results])
