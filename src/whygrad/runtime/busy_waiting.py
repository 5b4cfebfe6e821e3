"""Waiting awake for the result of a compiled call: to be put to sleep and woken takes longer than a small step does.

It pays only where the wait is short, and takes a core meanwhile. So it is done for a millisecond at most, and only while waits turn
out to be short: after one that was not, one call goes without, then 3, then 7, and at most 63 before it is tried again. With
WHYGRAD_BUSY_WAIT=0 it is never done; the caller then sleeps in NumPy's or JAX's own wait.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable

from whygrad.runtime.switches import switches

_SHORT = 1e-3  # seconds
_MOST_CALLS_WITHOUT = 63
_let_others_run = getattr(os, "sched_yield", None) or functools.partial(time.sleep, 0)


class BusyWait:
    """Waits awake for what is likely to be ready soon."""

    def __init__(self) -> None:
        self.without = 0  # how many calls do not wait awake, because the last wait was long
        self.calls = 0  # how many of these there were so far

    def __call__(self, is_ready: Callable[[], bool]) -> None:
        """Wait until it is ready, if that is soon; return in any case."""
        if is_ready() or not switches.busy_wait:
            return
        if self.calls < self.without:
            self.calls += 1
            return
        end = time.perf_counter() + _SHORT
        while not is_ready():
            if time.perf_counter() >= end:
                self.calls, self.without = 0, min(2 * self.without + 1, _MOST_CALLS_WITHOUT)
                return
            _let_others_run()
        self.calls = self.without = 0


wait_awake = BusyWait()
