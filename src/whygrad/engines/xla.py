"""The XLA engine: JAX's NumPy, our own kernels, and compilation.

Forward functions and rules receive it as `xp`, like the NumPy engine, while a function is being compiled and for arrays on an
accelerator. JAX is imported when the engine is first used.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from whygrad.engines.kernels import for_xla
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
from whygrad.values.errors import OpRuntimeError
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
        self._process: int | None = None  # the process that first used XLA
        self._tracer = jax.core.Tracer
        self._array = jax.Array
        errors = jax.errors
        # The errors that JAX raises when Python needs the value of a symbolic array.
        self.has_no_value: tuple[type[Exception], ...] = (
            errors.ConcretizationTypeError,
            errors.TracerArrayConversionError,
            errors.TracerIntegerConversionError,
            errors.NonConcreteBooleanIndexError,
        )

    def __getattr__(self, name: str) -> Any:
        function = for_xla.get(name) or getattr(self.jnp, name, None)
        if function is None or name.startswith("_"):
            raise AttributeError(f"the XLA engine has no {name!r}; whygrad.extend.xla_kernel adds a kernel to it")
        setattr(self, name, function)
        return function

    # -- arrays and devices --

    def owns(self, array: Any) -> bool:
        """Return whether the array belongs to this engine, concrete or symbolic."""
        return isinstance(array, self._array)

    def is_symbolic(self, array: Any) -> bool:
        """Return whether the array is symbolic: part of a function that is being compiled."""
        return isinstance(array, self._tracer)

    def is_on_host(self, array: Any) -> bool:
        """Return whether the value is in main memory, where NumPy can read it without a copy."""
        return bool(array.is_fully_addressable and all(device.platform == "cpu" for device in array.devices()))

    def device_name(self, array: Any) -> str:
        """The device of an array in TensorFlow's notation."""
        device = min(array.devices(), key=lambda each: each.id)
        return f"/job:localhost/replica:0/task:{device.process_index}/device:{device.platform.upper()}:{device.local_hardware_id or 0}"

    def host_is_default(self) -> bool:
        """Return whether the CPU is the default device."""
        return bool(self.jax.default_backend() == "cpu")

    def platform(self) -> str:
        """The kind of device that is compiled for: "cpu", "gpu", ..."""
        device = state.device or placement.device
        return str(self.jax.default_backend() if device is None else device.platform)

    def have_nan(self, arrays: Sequence[Any]) -> list[bool]:
        """Return for each array whether it has a nan.

        An accelerator looks at its own arrays, all at once: to copy the parameters of a network from there takes longer than ten steps.
        """
        with self.exactly():
            found = [
                self._has_nan(array)
                if self.owns(array) and not self.is_on_host(array)
                else np.isnan(np.asarray(array)).any()
                for array in arrays
            ]
            return [bool(each) for each in found]

    @functools.cached_property
    def _has_nan(self) -> Callable[[Array], Array]:
        return self.jax.jit(lambda array: self.jnp.isnan(array).any())  # type: ignore[no-any-return]

    def devices(self) -> list[tuple[str, Any]]:
        """All devices of this process with TensorFlow's names for their kinds, CPUs first."""
        found = [("CPU", device) for device in self.jax.local_devices(backend="cpu")]
        others = [device for device in self.jax.local_devices() if device.platform != "cpu"]
        return found + [(device.platform.upper(), device) for device in others]

    # -- computing --

    def exactly(self) -> contextlib.AbstractContextManager[Any]:
        """A context in which 64-bit numbers stay 64-bit numbers, whatever JAX's own setting is."""
        return self.jax.enable_x64(True)  # type: ignore[no-any-return]

    def compute(self, forward: Callable[..., Any] | str, arrays: Sequence[Array], attributes: dict[str, Any]) -> Any:
        """Run a primitive's forward function on arrays of this engine and of NumPy."""
        with self.exactly():
            if isinstance(forward, str):
                return getattr(self, forward)(*arrays, **attributes)
            return forward(self, *arrays, **attributes)

    def put(self, array: Any, layout: Any = None) -> Any:
        """Move a NumPy array to this engine, on the current device; it stays concrete even inside a trace.

        With a `layout` it is spread over several devices.
        """
        self.check_process()
        if layout is not None:
            return self.spread(array, layout)
        with self.exactly(), self.jax.ensure_compile_time_eval():
            return self.jax.device_put(array, state.device or placement.device)

    def lift(self, array: Any) -> Any:
        """Make a concrete array, or one of an outer function, an input of the function that is being compiled."""
        return self.jnp.array(array, copy=True)

    # -- compiling --

    def check_process(self) -> None:
        """Raise in a child of a process that used XLA: its threads do not exist here, and waiting for them would never end."""
        if self._process is None:
            self._process = os.getpid()
        elif self._process != os.getpid():
            raise OpRuntimeError(
                "This process was forked from one that had used XLA, whose threads do not exist here: a compiled function would wait "
                'for them for ever. Start the process with multiprocessing.get_context("spawn"), fork before the first compiled '
                "call, or call tf.config.run_functions_eagerly(True) here."
            )

    def trace(self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any]) -> Any:
        """Trace `function` on arrays with the shapes and dtypes of `inputs`; returns a closed jaxpr."""
        self.check_process()
        with self.exactly():
            return self.jax.make_jaxpr(function)(*[self.shaped(each) for each in inputs])

    def shaped(self, array: Any) -> Any:
        """The shape and dtype of an array, without its value."""
        return self.jax.ShapeDtypeStruct(array.shape, array.dtype)

    def evaluate(self, jaxpr: Any, consts: Sequence[Array], arrays: Sequence[Array]) -> list[Array]:
        """Evaluate a jaxpr."""
        return self.jax.core.eval_jaxpr(jaxpr, consts, *arrays)  # type: ignore[no-any-return]

    def compile(
        self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any], outputs: Sequence[Any] | None = None
    ) -> Any:
        """Compile `function`, which takes and returns flat sequences of arrays.

        If values may be spread over several devices, `outputs` gives the layout of the results (see `SpreadProgram`).
        """
        if self.is_spread:
            return SpreadProgram(self, function, inputs, outputs)
        return self.compile_for(function, inputs)

    def compile_for(self, function: Callable[..., Sequence[Array]], inputs: Sequence[Any], **options: Any) -> Any:
        """Compile for the devices of the inputs, or for the current device."""
        self.check_process()
        with self.exactly(), self.jax.default_device(state.device or placement.device):
            traced = self.jax.jit(function, **options).trace(*inputs)
            run = traced.lower().compile()
        if traced.jaxpr.effects:
            return self.calling_python(run)
        if all(each.dtype.itemsize < 8 for each in inputs):
            return run

        def run_exactly(*arrays: Array) -> Any:
            with self.exactly():  # otherwise JAX would convert NumPy's 64-bit numbers to 32-bit ones
                return run(*arrays)

        return run_exactly

    @staticmethod
    def called_often(run: Any) -> Any:
        """Return the function in C++ that JAX's compiled object calls after its first call, or what was given: it saves a frame."""
        return getattr(run, "_call", None) or run

    def compares_arguments(self, run: Any) -> bool:
        """Return whether it is such a function, which compares the arguments with those that it was compiled for, and calls no Python."""
        return type(run) is type(self.jax.jit(len)) and not self.is_spread

    def split(self, jaxpr: Any, late: Sequence[int], outputs: Sequence[int]) -> tuple[Any, Any, list[Any]]:
        """Split a jaxpr in two: what can be computed before its inputs at the positions `late` are known, and the rest.

        The first returns the given `outputs` of the jaxpr, followed by the values that the second needs from it, whose variables are
        returned as well: they are the last constants of the second. The second returns the remaining outputs. Both take all inputs; the
        first ignores the late ones.
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

    def count_iterations(self, condition: Any, body: Any, begin: Sequence[Array | None]) -> int | None:
        """Return the number of iterations of a loop; None if its condition depends on an unknown initial value (None).

        `condition` and `body` are closed jaxprs. Only the part of the loop that the condition depends on is run.
        """
        (test, of_test), (step, of_step) = condition, body
        counters, constants, test_steps = _depends(test, [test.outvars[0]])
        if not counters or any(of_test[i] is None for i in constants):
            return None
        while True:
            order = sorted(counters)
            if any(begin[i] is None for i in order):
                return None
            places, constants, step_equations = _depends(step, [step.outvars[i] for i in order])
            if any(of_step[i] is None for i in constants):
                return None
            if places <= counters:
                break
            counters |= places

        test = test.replace(eqns=test_steps)
        step = step.replace(eqns=step_equations, outvars=[step.outvars[i] for i in order])

        def inputs(counted: tuple[Array, ...]) -> list[Array | None]:
            known = dict(zip(order, counted))
            return [known.get(i) for i in range(len(begin))]  # None values are not read

        def goes_on(state: Any) -> Array:
            return self.evaluate(test, of_test, inputs(state[1]))[0]

        def next_state(state: Any) -> Any:
            return state[0] + 1, tuple(self.evaluate(step, of_step, inputs(state[1])))

        with self.exactly(), self.jax.ensure_compile_time_eval():
            start = (np.int64(0), tuple([self.jnp.asarray(begin[i]) for i in order]))
            return int(self.lax.while_loop(goes_on, next_state, start)[0])


def _is_variable(each: Any) -> bool:
    """Return whether it is a variable of a jaxpr rather than a literal."""
    return not hasattr(each, "val")


def _depends(jaxpr: Any, wanted: Sequence[Any]) -> tuple[set[int], set[int], list[Any]]:
    """Find what the wanted variables of a jaxpr depend on: inputs and constants by position, and the equations between."""
    needed = {variable for variable in wanted if _is_variable(variable)}
    steps = []
    for step in reversed(jaxpr.eqns):
        if not needed.isdisjoint(step.outvars):
            steps.append(step)
            needed.update(variable for variable in step.invars if _is_variable(variable))
    inputs = {i for i, variable in enumerate(jaxpr.invars) if variable in needed}
    constants = {i for i, variable in enumerate(jaxpr.constvars) if variable in needed}
    return inputs, constants, steps[::-1]
