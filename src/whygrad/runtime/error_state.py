"""NumPy's floating point errors, ignored while whygrad computes: inf and nan arise silently, as in TensorFlow.

`numpy.errstate` is the public way to do this, but entering and leaving it takes longer than a small op. NumPy keeps the state
in a context variable, and two shortcuts use that:

- `silence` and `restore` set and reset the variable directly.
- `silently` calls a function in a `contextvars.Context` in which the variable is set for good. That takes a sixth of the time
  of setting and resetting. A context runs one call at a time: `is_busy` recognizes the error of a second call.

The shortcuts are off where NumPy has moved the variable, and with WHYGRAD_FAST=0: then `numpy.errstate` does it. `silently`
also does without its context in a Python without the interpreter lock, where two threads may enter at the same moment.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.runtime.switches import switches


def _silence() -> Any:
    """Ignore floating point errors until `restore` is called with what this returns."""
    stack = contextlib.ExitStack()
    stack.enter_context(np.errstate(all="ignore"))
    return stack


def _restore(token: Any) -> None:
    """Undo `silence`."""
    token.close()


def _silently(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function with floating point errors ignored."""
    token = silence()
    try:
        return function(*arguments)
    finally:
        restore(token)


silence: Callable[[], Any] = _silence
restore: Callable[[Any], None] = _restore
silently: Callable[..., Any] = _silently
_busy: str | None = None  # the message of the error that the context raises while a call is running in it

if switches.fast:
    with contextlib.suppress(ImportError):
        from numpy._core.umath import _extobj_contextvar, _make_extobj

        silence = functools.partial(_extobj_contextvar.set, _make_extobj(all="ignore"))
        restore = _extobj_contextvar.reset
        if getattr(sys, "_is_gil_enabled", lambda: True)():
            _context = contextvars.Context()
            _context.run(silence)
            silently = _context.run
            _busy = f"cannot enter context: {_context!r} is already entered"


def is_busy(error: BaseException) -> bool:
    """Whether `silently` raised this error without calling the function: another call of it is running."""
    return type(error) is RuntimeError and str(error) == _busy
