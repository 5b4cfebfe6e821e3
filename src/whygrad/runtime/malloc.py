"""Memory that is let go is kept for the next array, rather than given back to the system page by page.

A step of training makes and drops arrays of the same sizes again and again. glibc gives the top of its heap back as soon as
a few arrays' worth of it is free, and the system clears every page of it anew when the next step touches it: on arrays of some
megabytes that takes three times as long as the arithmetic. Here the process may keep `_KEPT` bytes of free memory, which are
used again as they are.
"""

from __future__ import annotations

import os

_KEPT = 1 << 28
_LARGEST_FROM_HEAP = 1 << 25  # glibc allows no more; larger arrays have their own pages
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h


def keep_freed_memory() -> None:
    """Let malloc keep what is free, unless the environment says how it should behave, or it is not glibc's."""
    environment = os.environ
    if (
        "MALLOC_TRIM_THRESHOLD_" in environment
        or "MALLOC_MMAP_THRESHOLD_" in environment
        or "glibc.malloc" in environment.get("GLIBC_TUNABLES", "")
        or os.name != "posix"
    ):
        return
    import ctypes  # NumPy has loaded it

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return
    mallopt(_M_TRIM_THRESHOLD, _KEPT)
    mallopt(_M_MMAP_THRESHOLD, _LARGEST_FROM_HEAP)
