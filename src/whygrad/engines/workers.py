"""All cores for large arrays: the parts of one computation at the same time, in this thread and in some that wait for work.

NumPy lets other threads run while it computes, so that plain threads are enough. They start with the first large computation,
never in a process forked from this one, whose threads are gone, and as many as `limit` says.
"""

from __future__ import annotations

import _thread
import os
from collections.abc import Callable, Sequence
from typing import Any

from whygrad._public import export
from whygrad.runtime import threads
from whygrad.runtime.error_state import silence
from whygrad.runtime.malloc import keep_freed_memory

Part = Callable[[], Any]


class _Team:
    """What the threads of this process share."""

    asked = 0  # how many threads were asked for; 0: as many as there are cores
    started = 0
    forked = False
    jobs: Any = None  # a queue; made with the first thread


_team = _Team()
_VARIABLES = ("WHYGRAD_NUM_THREADS", "OMP_NUM_THREADS")  # the second is what BLAS and others go by
_MOST = 16  # memory is what large arrays wait for; more threads than this do not get it any faster


def limit() -> int:
    """How many threads may work on one computation: what was asked for, else the environment's number, else all cores."""
    return _allowed if _allowed else _find_limit()


@export("config.threading.get_intra_op_parallelism_threads")
def asked() -> int:
    """The number of threads that `set_limit` asked for; 0 before.

    >>> import whygrad as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return _team.asked


@export("config.threading.set_intra_op_parallelism_threads")
def set_limit(count: int) -> None:
    """Ask for this many threads; 0 leaves the number to the environment and the machine.

    >>> import whygrad as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(2)
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    """
    global _allowed
    _team.asked = count
    _allowed = 0


_allowed = 0  # what `limit` found; 0 before it looked


def _find_limit() -> int:
    global _allowed
    wanted = _team.asked
    for name in _VARIABLES:
        text = os.environ.get(name, "").split(",")[0].strip()
        if not wanted and text.isdecimal():
            wanted = int(text)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    _allowed = 1 if _team.forked else max(1, min(wanted or cores, _MOST))
    return _allowed


def run(parts: Sequence[Part]) -> None:
    """Call all parts, which write to different places, and return when all are done. What one raises is raised here.

    A thread that is free takes the next part: if the other cores are busy with something else, this thread does it all.
    """
    used = min(limit(), len(parts))
    if used < 2:
        for part in parts:
            part()
        return
    if _team.started < used - 1:
        _start(used - 1)
    waiting = list(reversed(parts))
    done: Any = _new_queue()
    for _ in range(used - 1):
        _team.jobs.put((waiting, done))
    mine = 0
    while waiting:
        try:
            part = waiting.pop()
        except IndexError:  # another thread was faster
            break
        mine += 1
        try:
            part()
        except BaseException:
            waiting.clear()
            raise
    for _ in range(len(parts) - mine):
        error = done.get()
        if error is not None:
            raise error


def _new_queue() -> Any:
    global _new_queue
    from queue import SimpleQueue

    _new_queue = SimpleQueue
    return SimpleQueue()


def _start(count: int) -> None:
    keep_freed_memory()  # what is shared out is large
    if _team.jobs is None:
        _team.jobs = _new_queue()
    while _team.started < count:
        _team.started += 1
        threads.own.started += 1
        # Not `threading.Thread`: these are not threads of the program, which `threading.active_count()` counts, and the
        # interpreter does not wait for them.
        _thread.start_new_thread(_work, (_team.jobs,))


def _work(jobs: Any) -> None:
    silence()  # for good: this thread's own floating point state
    while True:
        waiting, done = jobs.get()
        while waiting:
            try:
                part = waiting.pop()
            except IndexError:
                break
            error = None
            try:
                part()
            except BaseException as raised:
                error = raised
            del part  # before the other thread goes on: it may count the references to an array
            done.put(error)
            del error


def _after_fork() -> None:
    global _allowed
    _team.forked = True
    _team.started = threads.own.started = 0
    _team.jobs = None
    _allowed = 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
