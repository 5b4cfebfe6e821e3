"""Options of TensorFlow's strategies for inputs, communication and the cluster. With one replica they change no result."""

from __future__ import annotations

import enum
import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from whygrad._public import export
from whygrad.values.errors import OpTypeError, OpValueError

# -- inputs --


@export("distribute.InputReplicationMode")
class InputReplicationMode(enum.Enum):
    """Whether each worker or each replica has a dataset of its own.

    >>> import whygrad as tf
    >>> tf.distribute.InputReplicationMode.PER_WORKER.value
    'PER_WORKER'
    """

    PER_WORKER = "PER_WORKER"
    PER_REPLICA = "PER_REPLICA"


class _InputOptions(NamedTuple):
    experimental_fetch_to_device: bool
    experimental_replication_mode: InputReplicationMode
    experimental_place_dataset_on_device: bool
    experimental_per_replica_buffer_size: int


@export("distribute.InputOptions")
class InputOptions(_InputOptions):
    """Where the batches of a distributed dataset are kept.

    >>> import whygrad as tf
    >>> tf.distribute.InputOptions(experimental_per_replica_buffer_size=2).experimental_per_replica_buffer_size
    2
    """

    def __new__(
        cls,
        experimental_fetch_to_device: bool | None = None,
        experimental_replication_mode: InputReplicationMode = InputReplicationMode.PER_WORKER,
        experimental_place_dataset_on_device: bool = False,
        experimental_per_replica_buffer_size: int = 1,
    ) -> InputOptions:
        """Fetch to the device unless the options say otherwise."""
        return super().__new__(
            cls,
            experimental_fetch_to_device is None or experimental_fetch_to_device,
            experimental_replication_mode,
            experimental_place_dataset_on_device,
            experimental_per_replica_buffer_size,
        )


@export("distribute.RunOptions")
class RunOptions(NamedTuple):
    """How `Strategy.run` compiles for other devices than these.

    >>> import whygrad as tf
    >>> tf.distribute.RunOptions().experimental_enable_dynamic_batch_size
    True
    """

    experimental_enable_dynamic_batch_size: bool = True
    experimental_bucketizing_dynamic_shape: bool = False
    experimental_xla_options: Any = None


# -- communication --


@export("distribute.CrossDeviceOps")
class CrossDeviceOps:
    """How the values of several devices become one.

    >>> import whygrad as tf
    >>> isinstance(tf.distribute.NcclAllReduce(), tf.distribute.CrossDeviceOps)
    True
    """

    def __init__(self) -> None:
        """Take no options."""


class _AllReduce(CrossDeviceOps):
    def __init__(self, num_packs: int = 1) -> None:
        if num_packs < 0:
            raise OpValueError(f"{type(self).__name__} needs num_packs >= 0, but {num_packs} is provided.")
        super().__init__()


@export("distribute.HierarchicalCopyAllReduce")
class HierarchicalCopyAllReduce(_AllReduce):
    """Sums that go from device to device.

    >>> import whygrad as tf
    >>> ops = tf.distribute.HierarchicalCopyAllReduce()
    >>> tf.distribute.MirroredStrategy(["/cpu:0"], cross_device_ops=ops).num_replicas_in_sync
    1
    """


@export("distribute.NcclAllReduce")
class NcclAllReduce(_AllReduce):
    """Sums that NCCL computes.

    >>> import whygrad as tf
    >>> tf.distribute.MirroredStrategy(["/cpu:0"], cross_device_ops=tf.distribute.NcclAllReduce()).num_replicas_in_sync
    1
    """


@export("distribute.ReductionToOneDevice")
class ReductionToOneDevice(CrossDeviceOps):
    """Sums that one device computes for all.

    >>> import whygrad as tf
    >>> tf.distribute.ReductionToOneDevice(reduce_to_device="/cpu:0").reduce_to_device
    '/cpu:0'
    """

    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.reduce_to_device = reduce_to_device
        self.accumulation_fn = accumulation_fn


@export("distribute.experimental.CommunicationImplementation", "distribute.experimental.CollectiveCommunication")
class CommunicationImplementation(enum.Enum):
    """What workers communicate through.

    >>> import whygrad as tf
    >>> tf.distribute.experimental.CommunicationImplementation.AUTO.value
    'AUTO'
    """

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


@export("distribute.experimental.CommunicationOptions")
class CommunicationOptions:
    """How workers communicate.

    >>> import whygrad as tf
    >>> tf.distribute.experimental.CommunicationOptions(bytes_per_pack=1024).bytes_per_pack
    1024
    """

    def __init__(
        self,
        bytes_per_pack: int = 0,
        timeout_seconds: float | None = None,
        implementation: CommunicationImplementation | str = CommunicationImplementation.AUTO,
    ) -> None:
        if bytes_per_pack < 0:
            raise OpValueError(f"Argument `bytes_per_pack` must be >=0, Received {bytes_per_pack}.")
        if isinstance(implementation, str):
            implementation = CommunicationImplementation(implementation.upper())
        if not isinstance(implementation, CommunicationImplementation):
            raise OpValueError(
                "implementation should be an instance of `tf.distribute.experimental.CommunicationImplementation`"
            )
        self.bytes_per_pack = bytes_per_pack
        self.timeout_seconds = timeout_seconds
        self.implementation = implementation


# -- the cluster --


@export("train.ClusterSpec")
class ClusterSpec:
    """The addresses of the tasks of a cluster, by the name of their job.

    >>> import whygrad as tf
    >>> cluster = tf.train.ClusterSpec({"worker": ["localhost:1234", "localhost:1235"]})
    >>> cluster.num_tasks("worker"), cluster.task_address("worker", 1)
    (2, 'localhost:1235')
    """

    def __init__(self, cluster: ClusterSpec | Mapping[str, Sequence[str] | Mapping[int, str]]) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster._jobs
        if not isinstance(cluster, Mapping):
            raise OpTypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists of network addresses"
            )
        self._jobs: dict[str, dict[int, str]] = {
            job: dict(tasks) if isinstance(tasks, Mapping) else dict(enumerate(tasks)) for job, tasks in cluster.items()
        }

    def as_dict(self) -> dict[str, list[str] | dict[int, str]]:
        """The addresses as lists, or as dicts where tasks are missing."""
        return {
            job: list(tasks.values()) if list(tasks) == list(range(len(tasks))) else tasks
            for job, tasks in self._jobs.items()
        }

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._jobs)

    def num_tasks(self, job_name: str) -> int:
        """The number of tasks of a job."""
        return len(self._tasks(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of the tasks of a job."""
        return sorted(self._tasks(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of one task."""
        try:
            return self._tasks(job_name)[task_index]
        except KeyError:
            raise OpValueError(f"No task with index {task_index} in job {job_name!r}") from None

    def job_tasks(self, job_name: str) -> list[str | None]:
        """The addresses of the tasks of a job, None for missing ones."""
        tasks = self._tasks(job_name)
        return [tasks.get(each) for each in range(max(tasks, default=-1) + 1)]

    def _tasks(self, job_name: str) -> dict[int, str]:
        if job_name not in self._jobs:
            raise OpValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ClusterSpec({dict(sorted(self.as_dict().items()))})"


@export("distribute.cluster_resolver.TFConfigClusterResolver")
class TFConfigClusterResolver:
    """The cluster that the environment variable TF_CONFIG describes, and the place of this process in it.

    >>> import whygrad as tf
    >>> tf.distribute.cluster_resolver.TFConfigClusterResolver(task_type="worker", task_id=0).task_type
    'worker'
    """

    def __init__(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        self._given = task_type, task_id
        self.rpc_layer = rpc_layer
        self.environment = environment or ""

    @property
    def task_type(self) -> str | None:
        """The job of this process."""
        given: str | None = self._given[0]
        return tf_config().get("task", {}).get("type") if given is None else given

    @property
    def task_id(self) -> int | None:
        """The number of this process in its job."""
        found = tf_config().get("task", {}).get("index") if self._given[1] is None else self._given[1]
        return None if found is None else int(found)

    def cluster_spec(self) -> ClusterSpec:
        """The cluster; an empty one without TF_CONFIG."""
        return ClusterSpec(tf_config().get("cluster", {}))


def tf_config() -> dict[str, Any]:
    """What TF_CONFIG says; an empty dict without it."""
    text = os.environ.get("TF_CONFIG")
    if not text:
        return {}
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(found.get(each, {}), dict) for each in ("cluster", "task")):
        raise OpValueError(f"TF_CONFIG is not a JSON object with a cluster: {text!r}")
    return found
