"""Leave a `with` block even if Ctrl-C arrives just as `__exit__` begins.

CPython delivers a signal at the first instruction of a Python function, before any `try` in it: then `__exit__` does nothing, and what it
should have ended goes on for ever. The `with` statement holds the bound `__exit__` until the block is left, whatever happens. So a weak
reference to the bound `__exit__` leaves the block when that is freed, unless it was called. It is a `functools.partial`, which is called
without a frame: the traceback of the interrupt does not keep it alive.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any, TypeVar

_partial, _reference = functools.partial, weakref.ref
_F = TypeVar("_F", bound=Callable[..., Any])


class SafelyLeft:
    """The base of objects with an `__exit__` that is marked `@safe_exit`.

    They count their entries in `_entered`, and `_remove()` ends the last one. `__exit__` ends with `self._exit = None`, which notes that
    it did its work: without the weak reference nothing happens when its target is freed, and no finalizer runs in which another Ctrl-C
    would be ignored.
    """

    _entered: int
    # The bound `__exit__` that a `with` statement looked up last and has not called yet.
    _exit: weakref.ref[Any] | None = None
    _exit_of = 0  # the number of the entry that it will end

    def _remove(self) -> None:
        raise NotImplementedError

    def _exit_freed(self, _: Any) -> None:
        """Leave the block whose `__exit__` was not called, or was interrupted; one that was only looked up belongs to no entry yet."""
        self._exit = None
        if self._entered == self._exit_of:
            self._remove()


def safe_exit(leave: _F) -> _F:
    """Make the `__exit__` method of a `SafelyLeft` object safe. The method takes any arguments."""
    return _SafeExit(leave)  # type: ignore[return-value]


class _SafeExit:
    def __init__(self, leave: Callable[..., Any]) -> None:
        self._leave = leave
        self.__doc__ = leave.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self._leave
        bound = _partial(self._leave, instance)
        if instance._exit is None:
            # `with` looks up `__exit__` before it calls `__enter__`: this belongs to the next entry.
            instance._exit_of = instance._entered + 1
            instance._exit = _reference(bound, instance._exit_freed)
        return bound
