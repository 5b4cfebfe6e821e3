"""This thread's recorders: who is told of ops, of reads of variables and of values that leave for NumPy.

Tapes put themselves here while they record. Values and ops only know this protocol, nothing of tapes.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from whygrad.values.tensor import Key, Tensor
    from whygrad.values.variable import Variable


class Recorder(Protocol):
    """What a recorder is told, and the set of tensors (by key) that it follows."""

    live: set[Key]

    def append(self, record: Any, /) -> None:
        """An op ran in this thread."""

    def variable_read(self, variable: Variable) -> None:
        """A variable's current value is about to be used."""

    def left_for_numpy(self, tensor: Tensor) -> None:
        """A tensor's value was taken out as a NumPy array or Python number."""


class ThreadState(threading.local):
    """The recorders of the running thread, innermost last. Replaced as a whole, never changed in place."""

    recorders: tuple[Recorder, ...] = ()


state = ThreadState()
