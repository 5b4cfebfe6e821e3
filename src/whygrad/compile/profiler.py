"""`tf.profiler.experimental`: Python's own profiler, started and stopped as TensorFlow's is.

Ops carry their names in Python's profiles (docs/performance.md), and functions that XLA compiled count as one call. The profile is
written to `logdir/plugins/profile/<time>/<host>.pstats`, where TensorFlow writes its own, and is read with `python -m pstats`.
"""

from __future__ import annotations

import cProfile
import os
import platform
import time
from typing import Any, NamedTuple

from whygrad._public import export
from whygrad.values.errors import AlreadyExistsError, UnavailableError


@export("profiler.experimental.ProfilerOptions")
class ProfilerOptions(NamedTuple):
    """Options for `start`, accepted as TensorFlow has them; none changes the profile.

    >>> import whygrad as tf
    >>> tf.profiler.experimental.ProfilerOptions().host_tracer_level
    2
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


class _Running:
    """The profile that is being taken, if any."""

    profile: cProfile.Profile | None = None
    logdir = ""


_running = _Running()


@export("profiler.experimental.start")
def start(logdir: Any, options: ProfilerOptions | None = None) -> None:
    """Begin to profile the calls of this thread; `stop` writes the profile below `logdir`.

    >>> import tempfile
    >>> import whygrad as tf
    >>> tf.profiler.experimental.start(tempfile.mkdtemp())
    >>> y = tf.sin(1.0)
    >>> tf.profiler.experimental.stop()
    """
    if _running.profile is not None:
        raise AlreadyExistsError(None, None, "Another profiler is running.")
    profile = cProfile.Profile()
    try:
        profile.enable()
    except ValueError as error:  # Python's own, from 3.12 on: a debugger or a coverage tool
        raise AlreadyExistsError(None, None, f"Another profiler is running: {error}") from None
    _running.profile = profile
    _running.logdir = os.fsdecode(logdir)


@export("profiler.experimental.stop")
def stop(save: bool = True) -> None:
    """End the profile that `start` began, and write it unless `save` is False.

    >>> import tempfile
    >>> import whygrad as tf
    >>> tf.profiler.experimental.start(tempfile.mkdtemp())
    >>> tf.profiler.experimental.stop(save=False)
    """
    profile, _running.profile = _running.profile, None
    if profile is None:
        raise UnavailableError(None, None, "Cannot export profiling results. No profiler is running.")
    profile.disable()
    if save:
        folder = os.path.join(_running.logdir, "plugins", "profile", time.strftime("%Y_%m_%d_%H_%M_%S"))
        os.makedirs(folder, exist_ok=True)
        profile.dump_stats(os.path.join(folder, f"{platform.node()}.pstats"))


@export("profiler.experimental.Profile")
class Profile:
    """Profile the calls inside the block.

    >>> import tempfile
    >>> import whygrad as tf
    >>> with tf.profiler.experimental.Profile(tempfile.mkdtemp()):
    ...     y = tf.sin(1.0)
    """

    def __init__(self, logdir: Any, options: ProfilerOptions | None = None) -> None:
        self._logdir = logdir
        self._options = options

    def __enter__(self) -> None:
        start(self._logdir, self._options)

    def __exit__(self, *exception: Any) -> None:
        stop()


@export("profiler.experimental.Trace")
class Trace:
    """A name for the calls inside the block, such as a step of training; it has no effect: Python's profiles have no such names.

    >>> import whygrad as tf
    >>> with tf.profiler.experimental.Trace("train", step_num=1, _r=1):
    ...     y = tf.sin(1.0)
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name = name
        self._metadata = kwargs

    def __enter__(self) -> Trace:
        return self

    def set_metadata(self, **kwargs: Any) -> None:
        """Add metadata, which is kept and not shown."""
        self._metadata |= kwargs

    def __exit__(self, *exception: Any) -> None:
        return None
