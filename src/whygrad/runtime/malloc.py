"""glibc's malloc: freed memory is kept for the next array instead of being returned to the system page by page.

A step of training makes and drops arrays of the same sizes again and again. glibc gives the top of its heap back as soon as
a few arrays' worth of it is free, and the system clears every page of it again when the next step touches it: on arrays of some
megabytes that takes three times as long as the arithmetic. `keep_freed_memory` lets the process keep `_KEPT` bytes of free memory.

It changes the whole process, and so it is done only when the first large array appears: one that is converted, becomes a
variable, or is shared out among threads. It is not done where the environment says how malloc should behave, with WHYGRAD_MALLOC=0,
or where malloc is not glibc's.
"""

from __future__ import annotations

import os
from typing import Any

from whygrad.runtime.switches import is_on

LARGE = 1 << 17  # bytes: glibc's own threshold, below which memory is used again anyway
_KEPT = 1 << 28
_LARGEST_FROM_HEAP = 1 << 25  # glibc allows no more; larger arrays have their own pages
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h


class _Done:
    """Whether malloc was set, or it was decided to leave it."""

    done = False


def keep_freed_memory() -> None:
    """Let malloc keep what is free, from the first call on."""
    if _Done.done:
        return
    _Done.done = True
    mallopt = _mallopt() if _is_allowed(os.environ) else None
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_FROM_HEAP)


def _is_allowed(environment: Any) -> bool:
    return is_on("WHYGRAD_MALLOC") and not (
        "MALLOC_TRIM_THRESHOLD_" in environment
        or "MALLOC_MMAP_THRESHOLD_" in environment
        or "glibc.malloc" in environment.get("GLIBC_TUNABLES", "")
    )


def _mallopt() -> Any:
    """glibc's function, or None."""
    if os.name != "posix":
        return None
    import ctypes  # NumPy has loaded it

    try:
        return ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return None
