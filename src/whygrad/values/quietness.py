"""Quiet floating point: inf and nan arise without a word from NumPy."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np


def quietly(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with floating point errors ignored; a RuntimeError if another call is under way, as in another thread."""
    token = quiet()
    try:
        return function(*arguments)
    finally:
        loud(token)


# An op that overflows or divides by zero gives inf or nan without a word, as in TensorFlow. NumPy would warn, at our line:
# every call runs with NumPy's error state set to "ignore". `numpy.errstate` costs more than a small op does; it sets this
# context variable, which is set directly here.
try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj
except ImportError:  # a NumPy that has moved it: the public way

    def quiet() -> Any:
        """Ignore floating point errors until `loud` is called with what this returns."""
        stack = contextlib.ExitStack()
        stack.enter_context(np.errstate(all="ignore"))
        return stack

    def loud(token: Any) -> None:
        """Undo `quiet`."""
        token.close()

else:
    # Ignore floating point errors until `loud` is called with what this returns. (A partial: no Python frame of its own.)
    quiet: Callable[[], Any] = functools.partial(_extobj_contextvar.set, _make_extobj(all="ignore"))  # type: ignore[no-redef]

    loud: Callable[[Any], None] = _extobj_contextvar.reset  # type: ignore[no-redef]

    # A context in which they are ignored: to run a function there takes a sixth of the time that setting and restoring takes.
    # It holds one call at a time; without the interpreter's lock, not even asking whether it is free would be safe.
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        _context = contextvars.Context()
        _context.run(quiet)
        quietly: Callable[..., Any] = _context.run  # type: ignore[no-redef]
