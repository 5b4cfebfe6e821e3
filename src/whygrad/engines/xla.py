"""The XLA engine: JAX's NumPy, kernels of XLA's own, and what it takes to compile.

Forward functions and rules receive it as `xp`, as they do the NumPy engine, while a function is being compiled and for
arrays that live on an accelerator. JAX is imported when the engine is first asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from whygrad.engines.xla_attention import AttentionKernels
from whygrad.engines.xla_callbacks import CallbackKernels
from whygrad.engines.xla_convolution import ConvolutionKernels
from whygrad.engines.xla_elementwise import ElementwiseKernels
from whygrad.engines.xla_images import ImageKernels
from whygrad.engines.xla_linalg import LinalgKernels
from whygrad.engines.xla_lookups import LookupKernels
from whygrad.engines.xla_losses import LossKernels
from whygrad.engines.xla_networks import NetworkKernels
from whygrad.engines.xla_random import RandomKernels
from whygrad.engines.xla_reductions import ReductionKernels
from whygrad.engines.xla_segments import SegmentKernels
from whygrad.engines.xla_shaping import ShapingKernels
from whygrad.engines.xla_signals import SignalKernels
from whygrad.engines.xla_special import SpecialKernels
from whygrad.engines.xla_spread import SpreadKernels, SpreadProgram
from whygrad.values.recorders import state
from whygrad.values.tensor import placement

Array = Any


class XlaEngine(
    AttentionKernels,
    CallbackKernels,
    ConvolutionKernels,
    ElementwiseKernels,
    ImageKernels,
    LinalgKernels,
    LookupKernels,
    LossKernels,
    NetworkKernels,
    RandomKernels,
    ReductionKernels,
    SegmentKernels,
    ShapingKernels,
    SignalKernels,
    SpecialKernels,
    SpreadKernels,
):
    """JAX's functions under NumPy's names, and the kernels below."""

    def __init__(self) -> None:
        super().__init__()
        self.jax = jax
        self.jnp = jax.numpy
        self.lax = jax.lax
        self.linalg = jax.numpy.linalg
        self.fft = jax.numpy.fft
        self._tracer = jax.core.Tracer
        self._array = jax.Array
        errors = jax.errors
        # What JAX raises where Python asks an array for its value that has none yet.
        self.has_no_value: tuple[type[Exception], ...] = (
            errors.ConcretizationTypeError,
            errors.TracerArrayConversionError,
            errors.TracerIntegerConversionError,
            errors.NonConcreteBooleanIndexError,
        )

    def __getattr__(self, name: str) -> Any:
        function = getattr(self.jnp, name, None)
        if function is None or name.startswith("_"):
            raise AttributeError(f"the XLA engine has no {name!r}")
        setattr(self, name, function)
        return function

    # -- whose arrays are whose --

    def owns(self, array: Any) -> bool:
        """Whether the array is one of this engine's, with a value or without."""
        return isinstance(array, self._array)

    def is_symbolic(self, array: Any) -> bool:
        """Whether the array stands for a value in a function that is being compiled."""
        return isinstance(array, self._tracer)

    def is_on_host(self, array: Any) -> bool:
        """Whether the value is in this machine's own memory, where NumPy sees it without a copy."""
        return bool(array.is_fully_addressable and all(device.platform == "cpu" for device in array.devices()))

    def device_name(self, array: Any) -> str:
        """The place of an array in TensorFlow's notation."""
        device = min(array.devices(), key=lambda each: each.id)
        return f"/job:localhost/replica:0/task:{device.process_index}/device:{device.platform.upper()}:{device.local_hardware_id or 0}"

    def host_is_default(self) -> bool:
        """Whether computing happens on the CPU unless told otherwise."""
        return bool(self.jax.default_backend() == "cpu")

    def platform(self) -> str:
        """The kind of device that is compiled for: "cpu", "gpu", ..."""
        device = state.device or placement.device
        return str(self.jax.default_backend() if device is None else device.platform)

    def devices(self) -> list[tuple[str, Any]]:
        """All devices of this process with their kinds in TensorFlow's words, CPUs first."""
        found = [("CPU", device) for device in self.jax.local_devices(backend="cpu")]
        others = [device for device in self.jax.local_devices() if device.platform != "cpu"]
        return found + [(device.platform.upper(), device) for device in others]

    # -- computing --

    def exactly(self) -> contextlib.AbstractContextManager[Any]:
        """A context in which 64-bit numbers stay 64-bit numbers, whatever JAX's own setting is."""
        return self.jax.enable_x64(True)  # type: ignore[no-any-return]

    def compute(self, forward: Callable[..., Any] | str, arrays: Sequence[Array], attributes: dict[str, Any]) -> Any:
        """A primitive's forward function on arrays of this engine and of NumPy's."""
        with self.exactly():
            if isinstance(forward, str):
                return getattr(self, forward)(*arrays, **attributes)
            return forward(self, *arrays, **attributes)

    def put(self, array: Any, layout: Any = None) -> Any:
        """A NumPy array as one of this engine's, on the device that is current; with its value, also inside a trace.

        With a `layout` it is spread over several devices.
        """
        if layout is not None:
            return self.spread(array, layout)
        with self.exactly(), self.jax.ensure_compile_time_eval():
            return self.jax.device_put(array, state.device or placement.device)

    def lift(self, array: Any) -> Any:
        """An array with a value, or one of an outer function, as an input of the function that is being compiled."""
        return self.jnp.array(array, copy=True)

    # -- compiling --

    def trace(self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any]) -> Any:
        """What `function` does with arrays of the shapes and dtypes of `inputs`, as a closed jaxpr."""
        with self.exactly():
            return self.jax.make_jaxpr(function)(*[self.shaped(each) for each in inputs])

    def shaped(self, array: Any) -> Any:
        """Shape and dtype of an array, and no value."""
        return self.jax.ShapeDtypeStruct(array.shape, array.dtype)

    def evaluate(self, jaxpr: Any, consts: Sequence[Array], arrays: Sequence[Array]) -> list[Array]:
        """The results of a jaxpr."""
        return self.jax.core.eval_jaxpr(jaxpr, consts, *arrays)  # type: ignore[no-any-return]

    def compile(
        self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any], outputs: Sequence[Any] | None = None
    ) -> Any:
        """An executable of `function`, which takes and gives flat sequences of arrays.

        Where values may be spread over several devices, `outputs` says how the results are to lie (see `SpreadProgram`).
        """
        if self.is_spread:
            return SpreadProgram(self, function, inputs, outputs)
        return self.compile_for(function, inputs)

    def compile_for(self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any], **options: Any) -> Any:
        """An executable for inputs where they lie, or else for the device that is current."""
        with self.exactly(), self.jax.default_device(state.device or placement.device):
            traced = self.jax.jit(function, **options).trace(*inputs)
            run = traced.lower().compile()
        if traced.jaxpr.effects:
            return self.calling_python(run)
        if all(each.dtype.itemsize < 8 for each in inputs):
            return run

        def run_exactly(*arrays: Array) -> Any:
            with self.exactly():  # else JAX would take NumPy's 64-bit numbers for 32-bit ones
                return run(*arrays)

        return run_exactly

    def split(self, jaxpr: Any, late: Sequence[int], outputs: Sequence[int]) -> tuple[Any, Any, list[Any]]:
        """A jaxpr as two, one after the other: what can be computed before its inputs at the places `late` are known, and what cannot.

        The results of the first are those `outputs` of the jaxpr, and then what the second needs of it, whose variables are
        returned as well: these are the last constants of the second, and its results the outputs that are left. Both take all
        inputs, of which the first does not look at the late ones.
        """
        unknown = {jaxpr.invars[i] for i in late}
        early, later = [], []
        for step in jaxpr.eqns:
            if any(_is_variable(each) and each in unknown for each in step.invars):
                unknown.update(step.outvars)
                later.append(step)
            else:
                early.append(step)
        rest = [variable for i, variable in enumerate(jaxpr.outvars) if i not in outputs]
        used = [each for step in later for each in step.invars] + rest
        there = {*unknown, *jaxpr.invars, *jaxpr.constvars}
        between = list(dict.fromkeys(each for each in used if _is_variable(each) and each not in there))
        first = jaxpr.replace(eqns=early, outvars=[*[jaxpr.outvars[i] for i in outputs], *between])
        second = jaxpr.replace(eqns=later, constvars=[*jaxpr.constvars, *between], outvars=rest)
        return first, second, between

    def turns(self, condition: Any, body: Any, begin: Sequence[Array | None]) -> int | None:
        """How many turns a loop takes; None where its condition depends on something not known (None) when it begins.

        `condition` and `body` are jaxprs with their constants. The loop is run on what the condition depends on, and no more.
        """
        (test, of_test), (turn, of_turn) = condition, body
        counters, constants, test_steps = _depends(test, [test.outvars[0]])
        if not counters or any(of_test[i] is None for i in constants):
            return None
        while True:
            order = sorted(counters)
            if any(begin[i] is None for i in order):
                return None
            places, constants, turn_steps = _depends(turn, [turn.outvars[i] for i in order])
            if any(of_turn[i] is None for i in constants):
                return None
            if places <= counters:
                break
            counters |= places

        test = test.replace(eqns=test_steps)
        turn = turn.replace(eqns=turn_steps, outvars=[turn.outvars[i] for i in order])

        def inputs(counted: tuple[Array, ...]) -> list[Array | None]:
            known = dict(zip(order, counted))
            return [known.get(i) for i in range(len(begin))]  # what is None is not looked at

        def goes_on(state: Any) -> Array:
            return self.evaluate(test, of_test, inputs(state[1]))[0]

        def next_turn(state: Any) -> Any:
            return state[0] + 1, tuple(self.evaluate(turn, of_turn, inputs(state[1])))

        with self.exactly(), self.jax.ensure_compile_time_eval():
            start = (np.int64(0), tuple([self.jnp.asarray(begin[i]) for i in order]))
            return int(self.lax.while_loop(goes_on, next_turn, start)[0])


def _is_variable(each: Any) -> bool:
    """Whether it is a variable of a jaxpr, and not a number written out."""
    return not hasattr(each, "val")


def _depends(jaxpr: Any, wanted: Sequence[Any]) -> tuple[set[int], set[int], list[Any]]:
    """What the wanted variables of a jaxpr depend on: inputs and constants by their places, and the steps on the way."""
    needed = {variable for variable in wanted if _is_variable(variable)}
    steps = []
    for step in reversed(jaxpr.eqns):
        if not needed.isdisjoint(step.outvars):
            steps.append(step)
            needed.update(variable for variable in step.invars if _is_variable(variable))
    inputs = {i for i, variable in enumerate(jaxpr.invars) if variable in needed}
    constants = {i for i, variable in enumerate(jaxpr.constvars) if variable in needed}
    return inputs, constants, steps[::-1]
