"""Options of datasets. They are accepted as TensorFlow has them; none changes the elements."""

from __future__ import annotations

import enum
from typing import Any, ClassVar

from whygrad._public import export
from whygrad.values.errors import OpAttributeError, OpTypeError

AUTOTUNE = export("data.AUTOTUNE", "data.experimental.AUTOTUNE")(-1)
INFINITE_CARDINALITY = export("data.INFINITE_CARDINALITY", "data.experimental.INFINITE_CARDINALITY")(-1)
UNKNOWN_CARDINALITY = export("data.UNKNOWN_CARDINALITY", "data.experimental.UNKNOWN_CARDINALITY")(-2)


@export("data.experimental.AutoShardPolicy")
class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among processes.

    >>> import whygrad as tf
    >>> tf.data.experimental.AutoShardPolicy.DATA.name
    'DATA'
    """

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


@export("data.experimental.ExternalStatePolicy")
class ExternalStatePolicy(enum.Enum):
    """What to do when a dataset that depends on state outside of it is saved.

    >>> import whygrad as tf
    >>> tf.data.experimental.ExternalStatePolicy.IGNORE.name
    'IGNORE'
    """

    WARN = 0
    IGNORE = 1
    FAIL = 2


@export("data.experimental.AutotuneAlgorithm")
class AutotuneAlgorithm(enum.Enum):
    """How numbers of threads and sizes of buffers are chosen. It changes nothing.

    >>> import whygrad as tf
    >>> tf.data.experimental.AutotuneAlgorithm.HILL_CLIMB.name
    'HILL_CLIMB'
    """

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


class _Group:
    """Options of declared names and types; each is None until it is set."""

    _TYPES: ClassVar[dict[str, type]] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in self._TYPES:
            raise AttributeError(
                f"{type(self).__name__} has no option {name!r}; it has {', '.join(sorted(self._TYPES))}"
            )
        return None

    def __setattr__(self, name: str, value: Any) -> None:
        kind = self._TYPES.get(name)
        if kind is None:
            raise OpAttributeError(
                f"Cannot set the property {name} on {type(self).__name__}. It has the options {', '.join(sorted(self._TYPES))}."
            )
        if type(value) is not kind and not (isinstance(value, kind) and kind is not int):
            raise OpTypeError(f'Property "{name}" must be of type {kind}, got: {value!r} (type: {type(value)}).')
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._TYPES})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    __hash__ = None  # type: ignore[assignment]


@export("data.experimental.AutotuneOptions")
class AutotuneOptions(_Group):
    """Options of `options.autotune`. They change nothing.

    >>> import whygrad as tf
    >>> tf.data.Options().autotune.enabled is None
    True
    """

    _TYPES = {
        "autotune_algorithm": AutotuneAlgorithm,
        "cpu_budget": int,
        "enabled": bool,
        "initial_parallelism": int,
        "min_parallelism": int,
        "ram_budget": int,
    }


@export("data.experimental.DistributeOptions")
class DistributeOptions(_Group):
    """Options of `options.experimental_distribute`. They change nothing.

    >>> import whygrad as tf
    >>> tf.data.Options().experimental_distribute.auto_shard_policy.name
    'AUTO'
    """

    _TYPES = {"auto_shard_policy": AutoShardPolicy, "num_devices": int}

    def __getattr__(self, name: str) -> Any:
        return AutoShardPolicy.AUTO if name == "auto_shard_policy" else super().__getattr__(name)


@export("data.experimental.OptimizationOptions")
class OptimizationOptions(_Group):
    """Options of `options.experimental_optimization`. They change nothing.

    >>> import whygrad as tf
    >>> tf.data.Options().experimental_optimization.map_fusion is None
    True
    """

    _TYPES = dict.fromkeys(
        [
            "apply_default_optimizations", "filter_fusion", "filter_parallelization", "inject_prefetch", "map_and_batch_fusion",
            "map_and_filter_fusion", "map_fusion", "map_parallelization", "noop_elimination", "parallel_batch",
            "seq_interleave_prefetch", "shuffle_and_repeat_fusion",
        ],
        bool,
    )  # fmt: skip


@export("data.ThreadingOptions", "data.experimental.ThreadingOptions")
class ThreadingOptions(_Group):
    """Options of `options.threading`. They change nothing.

    >>> import whygrad as tf
    >>> tf.data.Options().threading.private_threadpool_size is None
    True
    """

    _TYPES = {"max_intra_op_parallelism": int, "private_threadpool_size": int}


@export("data.Options")
class Options(_Group):
    """Options for `Dataset.with_options`. The elements do not depend on them.

    >>> import whygrad as tf
    >>> options = tf.data.Options()
    >>> options.deterministic = False
    >>> len(list(tf.data.Dataset.range(3).with_options(options)))
    3
    """

    _TYPES = {
        "autotune": AutotuneOptions,
        "dataset_name": str,
        "deterministic": bool,
        "experimental_deterministic": bool,
        "experimental_distribute": DistributeOptions,
        "experimental_external_state_policy": ExternalStatePolicy,
        "experimental_optimization": OptimizationOptions,
        "experimental_slack": bool,
        "experimental_symbolic_checkpoint": bool,
        "experimental_threading": ThreadingOptions,
        "experimental_warm_start": bool,
        "framework_type": list,
        "threading": ThreadingOptions,
    }

    def __init__(self) -> None:
        self.autotune = AutotuneOptions()
        self.experimental_distribute = DistributeOptions()
        self.experimental_optimization = OptimizationOptions()
        self.experimental_threading = self.threading = ThreadingOptions()

    def merge(self, options: Options) -> Options:
        """These options with those that the other sets."""
        merged = Options()
        for each in (self, options):
            for name, value in vars(each).items():
                if isinstance(value, _Group):
                    vars(getattr(merged, name)).update(vars(value))
                elif value is not None:
                    setattr(merged, name, value)
        return merged
