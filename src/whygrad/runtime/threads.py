"""Whether other threads live: while there are none, nothing needs a lock.

Only a running thread can start another one, so a thread that finds itself alone stays alone until it runs other Python. The
interpreter's own count takes a tenth of the time of `threading.active_count`, and every update of a variable asks for it.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable


def _counted_by_threading() -> int:
    return threading.active_count() - 1


# The number of threads that Python started and that still run.
_count: Callable[[], int] = getattr(_thread, "_count", _counted_by_threading)


class _Own:
    """The threads that whygrad itself started to share out large computations: they run no Python of the program."""

    started = 0


own = _Own()


def other_threads() -> bool:
    """Whether threads of the program, besides this one, may run."""
    return _count() > own.started
