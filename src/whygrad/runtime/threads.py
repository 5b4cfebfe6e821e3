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


# Returns the number of threads that Python started and that still run; 0 means that only the main thread does.
other_threads: Callable[[], int] = getattr(_thread, "_count", _counted_by_threading)
