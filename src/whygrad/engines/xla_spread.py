"""Values spread over several devices, and programs that run on all of them together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec, SingleDeviceSharding

from whygrad.engines.processes import team
from whygrad.runtime.busy_waiting import wait_awake
from whygrad.values.errors import OpRuntimeError

Array = Any
Layout = Any  # a NamedSharding: the layout of a value on the devices of a mesh

AXIS = "batch"


class SpreadKernels:
    """The multi-device part of the XLA engine."""

    is_spread = False  # whether values may be on several devices from now on

    def mesh(self, devices: Sequence[Any] | None) -> Mesh:
        """A mesh of the given devices, or of all devices of all processes, along one axis."""
        self.is_spread = True
        return Mesh(np.array(jax.devices() if devices is None else list(devices)), (AXIS,))

    def layout(self, mesh: Mesh, axis: int | None) -> Layout:
        """A layout with a whole copy on every device, or with a part along an axis."""
        return NamedSharding(mesh, PartitionSpec(*[None] * (axis or 0), AXIS) if axis is not None else PartitionSpec())

    def spread(self, array: np.ndarray[Any, Any], layout: Layout) -> Array:
        """Lay out an array that every process has; nothing is sent."""
        with jax.enable_x64(True), jax.ensure_compile_time_eval():
            return jax.make_array_from_callback(array.shape, layout, lambda index: array[index])

    def join(self, part: np.ndarray[Any, Any], mesh: Mesh) -> Array:
        """Concatenate the parts of all processes along the first axis."""
        with jax.enable_x64(True):
            return jax.make_array_from_process_local_data(self.layout(mesh, 0), part)

    def whole(self, array: Array) -> Array:
        """Copy the whole value to every device that holds a part of it."""
        if array.is_fully_replicated:
            return array
        with jax.enable_x64(True), team.calling():
            return _compiled(_itself, self.layout(array.sharding.mesh, None))(array)

    def is_whole(self, array: Array) -> bool:
        """Return whether the whole value is in this process."""
        return team.count == 1 or bool(array.is_fully_addressable or array.is_fully_replicated)

    def fetch(self, array: Array) -> np.ndarray[Any, Any]:
        """The value as a NumPy array."""
        if team.count == 1 or array.is_fully_addressable:
            wait_awake(array.is_ready)
            return np.asarray(array)
        if not self.is_whole(array):
            raise OpRuntimeError(
                f"This process has only a part of a tensor of shape {array.shape}: it is spread over the devices of {team.count} "
                "processes. Call strategy.gather(tensor), in all processes, for the whole tensor, or reduce it (a mean, a sum) "
                "in the function that computes it."
            )
        team.wait(array.is_ready)
        with team.calling():
            return np.asarray(array)

    def broadcast_from_first(self, array: np.ndarray[Any, Any]) -> Array:
        """Process 0's array in all processes; each passes an array of that shape."""
        if team.count == 1:
            return array
        with team.calling():
            return self._of_all(array, _first)

    def gather_numbers(self, numbers: Sequence[int]) -> np.ndarray[Any, Any]:
        """The numbers of all processes, one row each; waits for them."""
        found = self._of_all(np.asarray(numbers, np.int64), _itself)
        return np.asarray(found.addressable_data(0))[:: jax.local_device_count()]

    def _of_all(self, array: np.ndarray[Any, Any], function: Callable[[Array], Array]) -> Array:
        """Apply a function to the arrays of all processes, each once per device of its process."""
        mesh = self.mesh(None)
        with jax.enable_x64(True):
            mine = self.join(np.repeat(array[None], jax.local_device_count(), axis=0), mesh)
            return _compiled(function, self.layout(mesh, None))(mine)


class SpreadProgram:
    """A function compiled once for each layout of its inputs.

    Each result has None (XLA chooses), a layout, or the number of the input whose layout it takes: so variables keep their layout.
    """

    def __init__(
        self,
        engine: Any,
        function: Callable[..., Sequence[Array]],
        inputs: Sequence[Any],
        outputs: Sequence[Layout | int | None] | None,
    ) -> None:
        self._engine = engine
        self._function = function
        self._inputs = inputs
        self._outputs = outputs
        self._compiled: dict[tuple[Layout | None, ...], tuple[Any, list[Layout] | None]] = {}

    def __call__(self, *arrays: Array) -> Any:
        key = tuple([_layout(array) for array in arrays])
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = self._compile(key)
        run, layouts = found
        if layouts is None:
            return run(*arrays)
        if None in key:
            laid = zip(arrays, key, layouts)
            arrays = tuple([array if has else self._engine.spread(np.asarray(array), to) for array, has, to in laid])
        with team.calling():
            return run(*arrays)

    def _compile(self, key: tuple[Layout | None, ...]) -> tuple[Any, list[Layout] | None]:
        if not any(key):
            return self._engine.compile_for(self._function, self._inputs), None
        mesh = next(layout.mesh for layout in key if isinstance(layout, NamedSharding))
        everywhere = self._engine.layout(mesh, None)
        layouts = [layout or everywhere for layout in key]
        inputs = [
            jax.ShapeDtypeStruct(each.shape, each.dtype, sharding=layout) for each, layout in zip(self._inputs, layouts)
        ]
        outputs = self._outputs and [layouts[each] if isinstance(each, int) else each for each in self._outputs]
        return self._engine.compile_for(self._function, inputs, out_shardings=outputs), layouts


def _layout(array: Array) -> Layout | None:
    layout = getattr(array, "sharding", None)
    return None if isinstance(layout, SingleDeviceSharding) else layout


@functools.lru_cache
def _compiled(function: Callable[[Array], Array], layout: Layout) -> Any:
    return jax.jit(function, out_shardings=layout)


def _itself(array: Array) -> Array:
    return array


def _first(array: Array) -> Array:
    return array[0]
