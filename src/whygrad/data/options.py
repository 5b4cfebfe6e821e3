"""Options of datasets. They are accepted as TensorFlow has them; none changes the elements."""

from __future__ import annotations

import enum
from typing import Any

from whygrad._public import export

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


class _Group:
    """A group of options, such as `options.threading`: each is None until it is set."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None


@export("data.Options")
class Options:
    """Options for `Dataset.with_options`. The elements do not depend on them.

    >>> import whygrad as tf
    >>> options = tf.data.Options()
    >>> options.deterministic = False
    >>> len(list(tf.data.Dataset.range(3).with_options(options)))
    3
    """

    def __init__(self) -> None:
        self.autotune = _Group()
        self.deterministic: bool | None = None
        self.experimental_deterministic: bool | None = None
        self.experimental_distribute = _Group()
        self.experimental_external_state_policy: ExternalStatePolicy | None = None
        self.experimental_optimization = _Group()
        self.experimental_slack: bool | None = None
        self.experimental_threading = self.threading = _Group()

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
