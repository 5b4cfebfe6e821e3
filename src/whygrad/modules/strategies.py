"""Training on several devices and hosts: the batch is divided among them, and they run one program together.

A compiled function sees the whole batch, as on one device: its means and gradients are those of the whole batch, and XLA adds
the communication between devices. A program changes in two places: where it creates its variables, and where it gets its
batches.
"""

from __future__ import annotations

import contextlib
import fnmatch
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.compiled_call import recompile_all
from whygrad.engines.loading import engine
from whygrad.engines.processes import team
from whygrad.ops.scopes import kind_and_number
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.recorders import state
from whygrad.values.tensor import DeviceTensor, Tensor, on_device, value_of, whole_value, wrap
from whygrad.values.variable import Variable

Rule = Callable[[str, tuple[int, ...]], int | None]  # from a variable's name and shape to the axis to divide, or None


@export("distribute.DataParallel")
class DataParallel:
    """Data parallelism over all devices of all processes, or over the given `devices` of one process.

    Variables created in its `scope` have a copy on every device, or are divided along the axis that `variable_rule` gives: a
    function of name and shape, or a mapping from patterns of names (`"*/embedding"`) to axes; None means a copy on each device.
    `shard` divides batches. DataParallel needs JAX; `docs/distribute.md` has example programs.

    >>> import whygrad as tf
    >>> try:
    ...     tf.distribute.DataParallel([])
    ... except ValueError as error:
    ...     print(error)
    DataParallel needs at least one device
    """

    def __init__(
        self, devices: Sequence[Any] | None = None, variable_rule: Rule | Mapping[str, int | None] | None = None
    ) -> None:
        if devices is not None and team.count > 1:
            raise OpValueError(
                f"DataParallel uses all devices of all {team.count} processes; choose the devices of a process with "
                "distribute.initialize(local_device_ids=...)"
            )
        if devices is not None and not devices:
            raise OpValueError("DataParallel needs at least one device")
        was_spread = engine().is_spread
        self._mesh = engine().mesh(None if devices is None else [_device(each) for each in devices])
        if not was_spread:
            recompile_all()
        self._rule = _rule(variable_rule)
        self._local = self.num_replicas_in_sync // team.count

    @property
    def num_replicas_in_sync(self) -> int:
        """The number of devices that share a batch."""
        return int(self._mesh.size)

    @contextlib.contextmanager
    def scope(self) -> Iterator[None]:
        """Create variables on all devices, as copies or divided, with the initial values of process 0."""
        before = state.layout
        state.layout = self._lay_out
        try:
            yield
        finally:
            state.layout = before

    def _lay_out(self, variable: Variable) -> None:
        name = variable.name.removesuffix(":0")
        shape = tuple(variable._value._array.shape)
        axis = self._rule(name, shape)
        if axis is not None:
            if not -len(shape) <= axis < len(shape):
                raise OpValueError(
                    f"variable_rule divides `{name}` along axis {axis}, but its shape {shape} has no such axis"
                )
            axis %= len(shape)
            if shape[axis] % self.num_replicas_in_sync:
                raise OpValueError(
                    f"variable_rule divides `{name}` of shape {shape} along axis {axis}, but {shape[axis]} is not a multiple of the "
                    f"{self.num_replicas_in_sync} devices: choose another axis, or None for a copy on each"
                )
        variable._layout = engine().layout(self._mesh, axis)
        value = value_of(variable._value)
        if team.count > 1:
            value = engine().fetch(engine().broadcast_from_first(value))
        variable._value = on_device(wrap(value), variable._layout)

    def shard(self, batch: Any, check: bool = True) -> Any:
        """Divide a batch, an array or a structure of arrays, among the devices along the first axis of each array.

        With several processes, each process passes its own part of the batch; the parts have equal sizes and are joined in the
        order of the processes. Each call compares the sizes among the processes, which waits for pending computations;
        `check=False` skips that.
        """
        arrays = [_array(each) for each in nest.flatten(batch)]
        for array in arrays:
            if not array.shape:
                raise OpValueError("a batch is divided along its first axis, but a scalar has no axes")
            if array.shape[0] % self._local:
                of = f"the {self._local} devices" + (" of this process" if team.count > 1 else "")
                raise OpValueError(
                    f"a batch of shape {array.shape} cannot be divided among {of}: {array.shape[0]} is not a multiple "
                    f"of {self._local}. Drop the last {array.shape[0] % self._local}, or choose another batch size."
                )
        if check and team.count > 1:
            for size in dict.fromkeys(array.shape[0] for array in arrays):
                _check_equal(size)
        return nest.pack_sequence_as(batch, [wrap(engine().join(array, self._mesh)) for array in arrays])

    def gather(self, value: Any) -> Tensor:
        """The whole value of a tensor or variable, in the memory of this process. All processes must call it."""
        tensor = value.value_here if isinstance(value, Variable) else value
        return wrap(whole_value(tensor)) if type(tensor) is DeviceTensor else convert(value, None)


def _check_equal(size: int) -> None:
    """Raise unless the parts of a batch have the same size in all processes."""
    found = team.gather(size, "strategy.shard", timeout=300)
    if set(found) != {size}:
        raise OpValueError(
            f"the processes pass parts of a batch with different sizes: {', '.join(map(str, found))} (processes 0 to "
            f"{team.count - 1}). All parts must have the same size."
        )


def _array(value: Any) -> np.ndarray[Any, Any]:
    tensor = convert(value, None)
    if tensor._array.dtype.kind == "O":
        raise OpTypeError("a batch of strings cannot be divided: devices hold only numbers")
    return np.asarray(tensor._array)


def _device(name: Any) -> Any:
    """The device with a name such as "GPU:0", or the device for an entry of `tf.config.list_physical_devices`."""
    kind, number = kind_and_number(name)
    devices = [device for each, device in engine().devices() if each.lower() == kind]
    if number >= len(devices):
        raise OpValueError(f"this process has no device {name}: it has {len(devices)} of kind {kind.upper()}")
    return devices[number]


def _rule(given: Rule | Mapping[str, int | None] | None) -> Rule:
    if given is None:
        return lambda name, shape: None
    if callable(given):
        return given
    if not isinstance(given, Mapping):
        raise OpTypeError(
            f"variable_rule must be a function of a name and a shape, or a mapping from patterns of names to axes, not {given!r}"
        )
    patterns = dict(given)
    return lambda name, shape: next(
        (axis for pattern, axis in patterns.items() if fnmatch.fnmatchcase(name, pattern)), None
    )


# -- processes --


@export("distribute.initialize")
def initialize(
    coordinator_address: str | None = None,
    num_processes: int | None = None,
    process_id: int | None = None,
    local_device_ids: Sequence[int] | int | None = None,
    initialization_timeout: int = 300,
    heartbeat_timeout: int = 30,
) -> None:
    """Join the processes that compute together. All of them call it, before anything else uses devices.

    `coordinator_address` is a host and port on the machine of process 0 ("10.0.0.1:1234"). Missing arguments are taken from
    JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID, from TF_CONFIG, or from a cluster that JAX recognizes (Slurm,
    Open MPI, Kubernetes, TPUs). A process that sends no heartbeat for `heartbeat_timeout` seconds counts as lost, and computing
    with it raises a `ProcessLostError` in the others.

    >>> import whygrad as tf
    >>> try:
    ...     tf.distribute.initialize("localhost:1234", num_processes=2, process_id=5)
    ... except ValueError as error:
    ...     print(error)
    process_id must be one of 0 to 1 for num_processes=2, not 5
    """
    team.start(
        coordinator_address, num_processes, process_id, local_device_ids, initialization_timeout, heartbeat_timeout
    )


@export("distribute.shutdown")
def shutdown(timeout: float = 300.0) -> None:
    """Leave the other processes when the work is done, after waiting for them. Does nothing in a single process.

    >>> import whygrad as tf
    >>> tf.distribute.shutdown()
    """
    team.stop(timeout)


@export("distribute.barrier")
def barrier(name: str = "distribute.barrier", timeout: float = 300.0) -> None:
    """Wait until all processes have called this; raise DeadlineExceededError after `timeout` seconds.

    >>> import whygrad as tf
    >>> tf.distribute.barrier()
    """
    team.barrier(name, timeout)


@export("distribute.process_index")
def process_index() -> int:
    """The number of this process, from 0.

    >>> import whygrad as tf
    >>> tf.distribute.process_index()
    0
    """
    return team.index


@export("distribute.process_count")
def process_count() -> int:
    """The number of processes that compute together.

    >>> import whygrad as tf
    >>> tf.distribute.process_count()
    1
    """
    return team.count
