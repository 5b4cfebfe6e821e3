"""Strategies of one replica, to which everything is local: the default one, and TensorFlow's strategies where there is one device.

Several devices share a batch in `DataParallel` (`strategies.py`).
"""

from __future__ import annotations

import contextlib
import enum
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from whygrad._public import export
from whygrad.engines.devices import list_logical_devices
from whygrad.modules.strategy_options import TFConfigClusterResolver, tf_config
from whygrad.ops.reductions import reduce_mean, reduce_sum
from whygrad.ops.scopes import device
from whygrad.values import nest
from whygrad.values.errors import OpValueError


@export("distribute.ReduceOp")
class ReduceOp(enum.Enum):
    """How the values of all replicas become one.

    >>> import whygrad as tf
    >>> tf.distribute.get_replica_context().all_reduce(tf.distribute.ReduceOp.SUM, 3.0)
    3.0
    """

    SUM = "SUM"
    MEAN = "MEAN"


@export("distribute.Strategy")
class Strategy:
    """The default strategy: one replica.

    >>> import whygrad as tf
    >>> strategy = tf.distribute.get_strategy()
    >>> strategy.num_replicas_in_sync, strategy.run(lambda x: x + 1, args=(2,))
    (1, 3)
    """

    num_replicas_in_sync = 1
    cluster_resolver: Any = None  # the cluster of a strategy of several workers
    _device: Any = None  # where it computes; None for the device that is current

    @property
    def extended(self) -> StrategyExtended:
        """What optimizers use of a strategy."""
        return _extended

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Make this the current strategy in a `with` block. Variables are created as usual."""
        with self._current(between=self is not _strategy):
            yield self

    @contextlib.contextmanager
    def _current(self, between: bool) -> Iterator[None]:
        before = _here.strategy, _here.between
        _here.strategy, _here.between = self, between
        try:
            with contextlib.nullcontext() if self._device is None else device(self._device):
                yield
        finally:
            _here.strategy, _here.between = before

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """Call a function in each replica: once."""
        with self._current(between=False):
            return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: int | None = None) -> Any:
        """The sum or mean over all replicas, and along `axis` of the value."""
        op = _reduce_op(reduce_op)
        if axis is None:
            return value
        return nest.map_structure(lambda each: (reduce_sum if op is ReduceOp.SUM else reduce_mean)(each, axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """The values of all replicas, joined along `axis`."""
        return value

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """The values of all replicas here."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """The dataset of each replica: the whole."""
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Callable[[Any], Any], options: Any = None) -> Any:
        """The dataset that a function of the `InputContext` makes."""
        return dataset_fn(InputContext())

    def experimental_distribute_values_from_function(self, value_fn: Callable[[Any], Any]) -> Any:
        """The value of each replica, which a function of its `ValueContext` gives."""
        return value_fn(ValueContext())


class StrategyExtended:
    """What optimizers use of a strategy."""

    worker_devices = parameter_devices = ("/job:localhost/replica:0/task:0/device:CPU:0",)

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable: Any) -> Iterator[None]:
        """Create variables where this one is: as usual."""
        yield

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        group: bool = True,
    ) -> Any:
        """Update a variable where it is."""
        return fn(var, *args, **(kwargs or {}))

    def variable_created_in_scope(self, v: Any) -> bool:
        """Whether a variable was created in the scope of this strategy."""
        return True

    def _in_multi_worker_mode(self) -> bool:
        return False


@export("distribute.InputContext")
class InputContext:
    """Which part of the input a process reads.

    >>> import whygrad as tf
    >>> tf.distribute.InputContext().get_per_replica_batch_size(32)
    32
    """

    def __init__(self, num_input_pipelines: int = 1, input_pipeline_id: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """The size of the part of a batch that each replica gets."""
        if global_batch_size % self.num_replicas_in_sync:
            raise OpValueError(
                f"The `global_batch_size` {global_batch_size} is not divisible by `num_replicas_in_sync` {self.num_replicas_in_sync}."
            )
        return global_batch_size // self.num_replicas_in_sync


@export("distribute.experimental.ValueContext")
class ValueContext:
    """The replica for which `experimental_distribute_values_from_function` asks for a value.

    >>> import whygrad as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> strategy.experimental_distribute_values_from_function(lambda context: context.replica_id_in_sync_group)
    0
    """

    def __init__(self, replica_id_in_sync_group: int = 0, num_replicas_in_sync: int = 1) -> None:
        self.replica_id_in_sync_group = replica_id_in_sync_group
        self.num_replicas_in_sync = num_replicas_in_sync


@export("distribute.ReplicaContext")
class ReplicaContext:
    """What a function that runs in a replica knows of it.

    >>> import whygrad as tf
    >>> tf.distribute.get_replica_context().num_replicas_in_sync
    1
    """

    num_replicas_in_sync = 1
    replica_id_in_sync_group = 0

    @property
    def strategy(self) -> Strategy:
        """The strategy."""
        return get_strategy()

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """The sum or mean over all replicas."""
        _reduce_op(reduce_op)
        return value

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """The values of all replicas, joined along `axis`."""
        return value

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Call a function on the values of all replicas."""
        strategy = get_strategy()
        with strategy._current(between=True):
            return merge_fn(strategy, *args, **(kwargs or {}))


def _reduce_op(given: Any) -> ReduceOp:
    try:
        return given if isinstance(given, ReduceOp) else ReduceOp(str(given).upper())
    except ValueError:
        raise OpValueError(f"{given!r} is no way to reduce: it is tf.distribute.ReduceOp.SUM or MEAN") from None


class _Here(threading.local):
    """The strategy that is current in this thread."""

    strategy: Strategy | None = None
    between = False  # whether the program is between replicas, rather than in one


_here = _Here()
_strategy = Strategy()
_extended = StrategyExtended()
_context = ReplicaContext()


@export("distribute.get_strategy")
def get_strategy() -> Strategy:
    """The current strategy.

    >>> import whygrad as tf
    >>> tf.distribute.get_strategy().num_replicas_in_sync
    1
    """
    return _here.strategy or _strategy


@export("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether the program has set a strategy other than the default.

    >>> import whygrad as tf
    >>> tf.distribute.has_strategy()
    False
    """
    return get_strategy() is not _strategy


@export("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext | None:
    """The context of the replica that runs this; None in the `scope` of a strategy, outside of `run`.

    >>> import whygrad as tf
    >>> tf.distribute.get_replica_context().replica_id_in_sync_group
    0
    """
    return None if _here.between else _context


@export("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the program is between replicas, rather than in one.

    >>> import whygrad as tf
    >>> tf.distribute.in_cross_replica_context()
    False
    """
    return _here.between


# -- TensorFlow's strategies, where they have one replica --


def _one_device(devices: Sequence[Any] | None, name: str) -> Any:
    """The device that is given, or the one there is; several are refused."""
    if not devices:
        devices = [each.name for each in list_logical_devices("GPU")] or ["/cpu:0"]
    devices = [devices] if isinstance(devices, str) else list(devices)
    if len(devices) > 1:
        raise OpValueError(
            f"{name} has one replica in whygrad, and {len(devices)} devices are given ({', '.join(map(str, devices))}): pass one of them, "
            "or use tf.distribute.DataParallel, which divides each batch among all of them (docs/distribute.md)"
        )
    return devices[0]


@export("distribute.OneDeviceStrategy")
class OneDeviceStrategy(Strategy):
    """One replica on one device: everything runs where it would run without a strategy.

    >>> import whygrad as tf
    >>> strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    >>> with strategy.scope():
    ...     w = tf.Variable(2.0)
    ...     print(tf.distribute.get_strategy() is strategy, tf.distribute.in_cross_replica_context())
    True True
    >>> strategy.run(lambda x: x * w, args=(3.0,)).numpy()
    np.float32(6.0)
    """

    def __init__(self, device: Any) -> None:
        self._device = device


@export("distribute.MirroredStrategy")
class MirroredStrategy(Strategy):
    """A replica on each device, of which there may be one: on a machine with several GPUs, pass the one to use.

    `tf.distribute.DataParallel` trains on several devices.

    >>> import whygrad as tf
    >>> strategy = tf.distribute.MirroredStrategy()
    >>> strategy.num_replicas_in_sync
    1
    """

    def __init__(self, devices: Sequence[Any] | None = None, cross_device_ops: Any = None) -> None:
        self._device = _one_device(devices, "MirroredStrategy")


@export("distribute.MultiWorkerMirroredStrategy")
class MultiWorkerMirroredStrategy(Strategy):
    """A replica on each worker, of which there may be one. `tf.distribute.initialize` and `DataParallel` train on several.

    >>> import whygrad as tf
    >>> tf.distribute.MultiWorkerMirroredStrategy().num_replicas_in_sync
    1
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None) -> None:
        self._resolver = cluster_resolver or TFConfigClusterResolver()
        workers = _workers()
        if workers > 1:
            raise OpValueError(
                f"MultiWorkerMirroredStrategy has one worker in whygrad, and TF_CONFIG names {workers}: call tf.distribute.initialize() in "
                "each, which reads TF_CONFIG too, and use tf.distribute.DataParallel (docs/distribute.md)"
            )

    @property
    def cluster_resolver(self) -> Any:
        """The cluster, and the place of this process in it."""
        return self._resolver


def _workers() -> int:
    """The number of workers that TF_CONFIG names; 1 without it."""
    cluster = tf_config().get("cluster", {})
    return max(1, sum(len(cluster.get(each, ())) for each in ("chief", "worker")))


@export("distribute.experimental.CentralStorageStrategy")
class CentralStorageStrategy(Strategy):
    """Variables on one device and a replica on each, of which there may be one.

    >>> import whygrad as tf
    >>> tf.distribute.experimental.CentralStorageStrategy(["/cpu:0"]).num_replicas_in_sync
    1
    """

    def __init__(self, compute_devices: Sequence[Any] | None = None, parameter_device: Any = None) -> None:
        self._device = _one_device(compute_devices, "CentralStorageStrategy")
