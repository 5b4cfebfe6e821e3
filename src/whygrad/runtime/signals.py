"""The abort signal while several processes compute together, and the end of a process whose runtime does not end.

JAX's client ends the process with abort() when another process is gone: from a thread of its own, and without a Python function
that could be called instead (it accepts one, and fails to call it). `hold_aborts` stops that thread in a handler of the signal,
so that the program gets an exception from its own next call. The handler is set only while a distributed run of several processes is
on, and not with WHYGRAD_HOLD_ABORTS=0 or outside POSIX systems: there the process ends as JAX wants it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from whygrad.runtime.switches import is_on

_handlers: list[Any] = []  # C calls them: they must stay


def hold_aborts(is_explained: Callable[[], bool]) -> Callable[[], None]:
    """Hold threads other than Python's that abort, where `is_explained` says that the reason is known. Returns the undoing."""
    if os.name != "posix" or not is_on("WHYGRAD_HOLD_ABORTS"):
        return _nothing
    libc = ctypes.CDLL(None)
    libc.signal.restype = ctypes.c_void_p
    libc.signal.argtypes = [ctypes.c_int, ctypes.c_void_p]

    def handle(number: int) -> None:
        is_pythons = any(thread.ident == threading.get_ident() for thread in threading.enumerate())
        if not is_pythons and is_explained():
            threading.Event().wait()

    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(handle)
    _handlers.append(handler)
    before = libc.signal(signal.SIGABRT, ctypes.cast(handler, ctypes.c_void_p))

    def undo() -> None:
        libc.signal(signal.SIGABRT, before)

    return undo


def _nothing() -> None:
    """Undo nothing."""


def end_with_python(client: Any) -> None:
    """End the process, with its status, as soon as Python has ended.

    Python would destroy the runtime's client, and C++ all that is left: both wait for threads of which one never ends.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(client))  # never released
    libc = ctypes.CDLL(None)
    if hasattr(libc, "on_exit"):  # not everywhere
        libc.on_exit(libc._exit, None)
