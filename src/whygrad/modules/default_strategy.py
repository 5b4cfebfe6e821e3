"""The strategy that is there where a program sets none: one replica, on this device, to which everything is local."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from whygrad._public import export
from whygrad.ops.reductions import reduce_mean, reduce_sum
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

    @property
    def extended(self) -> StrategyExtended:
        """What optimizers use of a strategy."""
        return _extended

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Create variables in this strategy: as usual."""
        yield self

    def run(
        self,
        fn: Callable[..., Any],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:
        """Call a function in each replica: once."""
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
        return _strategy

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
        return merge_fn(_strategy, *args, **(kwargs or {}))


def _reduce_op(given: Any) -> ReduceOp:
    try:
        return given if isinstance(given, ReduceOp) else ReduceOp(str(given).upper())
    except ValueError:
        raise OpValueError(f"{given!r} is no way to reduce: it is tf.distribute.ReduceOp.SUM or MEAN") from None


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
    return _strategy


@export("distribute.has_strategy")
def has_strategy() -> bool:
    """Whether the program has set a strategy other than the default.

    >>> import whygrad as tf
    >>> tf.distribute.has_strategy()
    False
    """
    return False


@export("distribute.get_replica_context")
def get_replica_context() -> ReplicaContext:
    """The context of the replica that runs this.

    >>> import whygrad as tf
    >>> tf.distribute.get_replica_context().replica_id_in_sync_group
    0
    """
    return _context


@export("distribute.in_cross_replica_context")
def in_cross_replica_context() -> bool:
    """Whether the program is between replicas, rather than in one.

    >>> import whygrad as tf
    >>> tf.distribute.in_cross_replica_context()
    False
    """
    return False
