"""Leave a `with` block even if Ctrl-C arrives just as `__exit__` begins.

CPython delivers a signal at the first instruction of a Python function, before any `try` in it: then `__exit__` does nothing, and what it
should have ended goes on for ever. The `with` statement holds the bound `__exit__` until the block is left, whatever happens. So the
bound `__exit__` is an object that leaves the block when it is freed, unless it was called. It is a `functools.partial`, which is called
without a frame: the traceback of the interrupt does not keep it alive.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

_reference = weakref.ref
_F = TypeVar("_F", bound=Callable[..., Any])


def safe_exit(leave: _F) -> _F:
    """Make an `__exit__` method safe. The object counts its entries in `_entered`, and `_remove()` ends the last one.

    The method takes any arguments, since the number of the entry comes before the exception, and ends with `left(self)`.
    """
    return _SafeExit(leave)  # type: ignore[return-value]


def left(instance: Any) -> None:
    """Note that `__exit__` did its work."""
    pending = getattr(instance, "_exit", _no_exit)()
    if pending is not None:
        pending.__class__ = _Done  # it has no `__del__`, where another Ctrl-C would be ignored


def _no_exit() -> None:
    """For an `__exit__` that was taken from the class, as `contextlib.ExitStack` does."""


class _SafeExit:
    def __init__(self, leave: Callable[..., Any]) -> None:
        self._leave = leave
        self.__doc__ = leave.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self._leave
        # `with` looks up `__exit__` before it calls `__enter__`: this belongs to the next entry.
        pending = _Pending(self._leave, instance, instance._entered + 1)
        instance._exit = _reference(pending)
        return pending


class _Done(functools.partial[Any]):
    """A bound `__exit__` that was called."""

    __slots__ = ()


class _Pending(functools.partial[Any]):
    """A bound `__exit__` that was not called yet."""

    __slots__ = ()

    def __del__(self) -> None:
        instance, entry = self.args
        if instance._entered == entry:
            instance._remove()
