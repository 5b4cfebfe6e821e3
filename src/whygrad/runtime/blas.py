"""Up to which size OpenBLAS, with which NumPy multiplies matrices, computes a product in the thread that calls it.

Code with threads of its own must stay below: OpenBLAS shares a larger product out among its threads, one product at a time. Callers then
wait for each other, awake, and where other programs use the processors as well a convolution takes ten times as long.

The size depends on the processor, which OpenBLAS looks up when it is loaded: for some it has kernels that neither pack small matrices nor
start threads. Anywhere else it is the size from which OpenBLAS starts threads.
"""

from __future__ import annotations

import sys
from typing import Any

_UNPACKED = 10**6  # rows * columns * inner size up to which those kernels are used
_THREADED = 1 << 18  # and from which OpenBLAS uses threads otherwise
# OpenBLAS's names for processors with AVX-512.
_WITH_SMALL_KERNELS = frozenset({b"SkylakeX", b"Cooperlake", b"SapphireRapids"})
_NAMES = ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename")


def largest_single_threaded_product() -> int:
    """Return rows * columns * inner size of the largest product that one thread computes."""
    core = _core()
    return _UNPACKED if core is None or core in _WITH_SMALL_KERNELS else _THREADED


def _core() -> bytes | None:
    """OpenBLAS's name for the processor; None if NumPy uses another library."""
    import ctypes  # NumPy has loaded it

    loaded = sys.modules.get("numpy._core._multiarray_umath")
    try:
        # Functions of the libraries that a library uses are found in it, too.
        library = None if loaded is None else ctypes.CDLL(loaded.__file__)
    except OSError:
        return None
    for name in _NAMES:
        function: Any = getattr(library, name, None)
        if function is not None:
            function.restype = ctypes.c_char_p
            core: bytes | None = function()
            return core
    return None
