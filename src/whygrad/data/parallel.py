"""Work in background threads: prefetch, map and interleave with `num_parallel_calls`.

NumPy, files and codecs release Python's lock while they work, so threads gain where elements take long. Each worker belongs to one
cursor and holds none: when the cursor is gone, its threads end. What waits to be taken is bounded.
"""

from __future__ import annotations

import atexit
import collections
import os
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from whygrad.data.merging import InterleaveCursor, Interleaved
from whygrad.data.stage import Cursor, Of, Run, Stage, State, saved_elements
from whygrad.data.structure import Flat, flat_of
from whygrad.data.transforms import Mapped, restore_streams, saved_streams
from whygrad.values.errors import invalid

_MOST_AHEAD = 64  # elements that an automatic buffer holds at most
_GROWN_TASK = 0.002  # seconds: elements that take less are handed to a thread several at a time
_LARGEST_TASK = 64  # elements
_WORTH_A_THREAD = 0.0002  # seconds: with AUTOTUNE, threads begin where calls take longer
_JOIN = 10.0  # seconds to wait for the element that a thread is computing when its cursor goes

_workers: weakref.WeakSet[Any] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for each in list(_workers):
        each.stop()


class _End:
    """The end of the elements, or the error in the place of one."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def processors() -> int:
    """How many threads can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Trial:
    """With AUTOTUNE: the calls that the caller's thread makes, until they turn out to be worth other threads.

    A thread that computes little costs more than it gains, because all threads share Python's lock. One slow call tells nothing: it may
    prepare something that the next ones use, or wait for another process.
    """

    def __init__(self) -> None:
        self._slow = 0  # calls, less those that were quick

    def __call__(self, compute: Callable[[], Flat]) -> Flat:
        started = time.perf_counter()
        found = compute()
        is_slow = time.perf_counter() - started > _WORTH_A_THREAD
        self._slow = max(0, self._slow + (1 if is_slow else -1))
        return found

    @property
    def is_over(self) -> bool:
        """Whether threads are worth their while."""
        return self._slow == 3


# -- prefetch --


class Prefetched(Of):
    """The same elements, computed by a thread before they are asked for."""

    name = "_PrefetchDataset"

    def __init__(self, source: Stage, buffer: int) -> None:
        super().__init__(source)
        if buffer < -1:
            raise invalid("buffer_size must be >= 0 or set buffer_size to be -1 for auto-tuning [Op:PrefetchDataset]")
        self.buffer = buffer

    def cursor(self, run: Run) -> Cursor:
        """An iteration with a thread."""
        source = self.source.cursor(run)
        return source if self.buffer == 0 else PrefetchCursor(source, self.buffer)


class PrefetchCursor(Cursor):
    """A cursor whose elements a thread computes ahead: at most `buffer` of them, -1 for as many as are needed."""

    def __init__(self, source: Cursor, buffer: int) -> None:
        self._source: Cursor | None = source  # until the thread begins
        self._buffer = buffer
        self._trial = _Trial() if buffer < 0 else None
        self._worker: _Prefetcher | None = None

    def __next__(self) -> Flat:
        worker = self._worker
        if worker is None:
            assert self._source is not None
            if self._trial is not None and not self._trial.is_over:
                return self._trial(self._source.__next__)
            worker = self._worker = _Prefetcher(self._source, self._buffer)
            weakref.finalize(self, worker.stop)
        return worker.take()

    def save(self) -> State:
        if self._worker is None:
            assert self._source is not None
            return {"source": self._source.save(), "waiting": []}
        return self._worker.save()

    def restore(self, state: State) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._source, self._worker = self._worker.source, None
        assert self._source is not None
        self._source.restore(state["source"])
        if state["waiting"]:
            self._worker = _Prefetcher(self._source, self._buffer, [tuple(each) for each in state["waiting"]])
            weakref.finalize(self, self._worker.stop)


class _Prefetcher:
    """The thread of a `PrefetchCursor` and what it has computed."""

    def __init__(self, source: Cursor, buffer: int, waiting: list[Flat] | None = None) -> None:
        self.source = source
        self._grows = buffer < 0
        self._limit = 2 if self._grows else buffer
        self._ready: collections.deque[Any] = collections.deque(waiting or ())
        self._changed = threading.Condition()
        self._computing = threading.Lock()  # held while the source is asked for an element
        self._is_stopped = False
        self._thread = threading.Thread(target=self._work, name="whygrad-prefetch", daemon=True)
        _workers.add(self)
        self._thread.start()

    def _work(self) -> None:
        while True:
            with self._changed:
                while len(self._ready) >= self._limit and not self._is_stopped:
                    self._changed.wait()
                if self._is_stopped:
                    return
            with self._computing:
                if self._is_stopped:
                    return
                item: Any = _next_or_end(self.source)
                with self._changed:
                    self._ready.append(item)
                    self._changed.notify_all()
            if type(item) is _End and (item.error is None or not isinstance(item.error, Exception)):
                return
            del item  # an element that was taken is not kept here

    def take(self) -> Flat:
        with self._changed:
            if not self._ready:
                if self._grows:
                    self._limit = min(2 * self._limit, _MOST_AHEAD)
                    self._changed.notify_all()
                while not self._ready:
                    if not self._thread.is_alive():
                        raise StopIteration
                    self._changed.wait(1.0)
            item = self._ready.popleft()
            self._changed.notify_all()
        return _value_of(item)

    def save(self) -> State:
        with self._computing, self._changed:
            waiting = [each for each in self._ready if type(each) is not _End]
            return {"source": self.source.save(), "waiting": saved_elements(waiting)}

    def stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(_JOIN)


def _next_or_end(source: Cursor) -> Any:
    try:
        return next(source)
    except StopIteration:
        return _End(None)
    except BaseException as error:
        return _End(error)


def _has_end(items: list[Any]) -> bool:
    return any(type(each) is _End for each in items)


def _value_of(item: Any) -> Flat:
    if type(item) is _End:
        if item.error is None:
            raise StopIteration
        raise item.error
    return item  # type: ignore[no-any-return]


# -- map --


class ParallelMapped(Mapped):
    """What a function returns for each element, called by several threads."""

    name = "_ParallelMapDataset"

    def __init__(self, source: Stage, function: Callable[..., Any], threads: int, ordered: bool | None) -> None:
        super().__init__(source, function)
        if threads < 1 and threads != -1:
            raise invalid("num_parallel_calls must be greater than zero.")
        self.threads = threads
        self._ordered = ordered

    def cursor(self, run: Run) -> Cursor:
        """An iteration with threads."""
        deterministic = self.options.deterministic if self._ordered is None else self._ordered
        threads = processors() if self.threads == -1 else self.threads
        return _ParallelMapCursor(self, run, threads, deterministic is not False)


class _ParallelMapCursor(Cursor):
    def __init__(self, stage: ParallelMapped, run: Run, threads: int, ordered: bool) -> None:
        self._source = stage.source.cursor(run)
        self._trial = _Trial() if stage.threads == -1 else None
        call = stage.function.caller(run)
        self._streams = run.streams(stage.function)

        def compute(flat: Flat) -> Flat:
            return flat_of(call(flat))

        self._compute = compute
        self._threads, self._ordered = threads, ordered
        self._worker: _Pool | None = None

    def __next__(self) -> Flat:
        worker = self._worker
        if worker is None:
            if self._trial is not None and not self._trial.is_over:
                flat = next(self._source)
                return self._trial(lambda: self._compute(flat))
            worker = self._begin([])
        return worker.take()

    def block(self, count: int) -> tuple[Flat, int]:
        if self._worker is None and self._trial is None:
            self._begin([])
        if self._worker is not None:
            self._worker.wait_for(count)
        return super().block(count)

    def _begin(self, ready: list[Flat]) -> _Pool:
        self._worker = _Pool(self._source, self._compute, self._threads, self._ordered, ready)
        weakref.finalize(self, self._worker.stop)
        return self._worker

    def save(self) -> State:
        waiting = [] if self._worker is None else self._worker.finished()
        state = {
            "source": self._source.save(),
            "waiting": saved_elements(waiting),
            "streams": saved_streams(self._streams),
        }
        if self._worker is not None:
            self._begin(waiting)
        return state

    def restore(self, state: State) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None
        self._source.restore(state["source"])
        restore_streams(self._streams, state["streams"])
        if state["waiting"]:
            self._begin([tuple(each) for each in state["waiting"]])


class _Pool:
    """Threads that take elements from one source, a few at a time, and keep the results for the cursor.

    While calls are quick, a thread takes more elements at once: handing over one element costs more than a small function does.
    """

    def __init__(
        self, source: Cursor, compute: Callable[[Flat], Flat], threads: int, ordered: bool, ready: list[Flat]
    ) -> None:
        self._source, self._compute, self._ordered = source, compute, ordered
        self._reading = threading.Lock()  # held while the source is asked for elements
        lock = threading.RLock()
        self._has_room = threading.Condition(lock)  # for more tasks, or to end: threads wait for it
        self._is_filled = threading.Condition(lock)  # with the elements that are wanted: the cursor waits for it
        self._task = 1  # elements that a thread takes at a time
        self._ahead = 2 * threads  # tasks that are computed or wait
        self._begun = self._given = 0  # numbers of tasks
        self._done: dict[int, list[Any]] = {}
        self._ready = 0  # elements in these
        self._wanted = 1  # elements that the cursor waits for
        self._current: collections.deque[Any] = collections.deque(ready)
        self._is_over = self._is_stopped = False
        self._threads = [
            threading.Thread(target=self._work, name=f"whygrad-map-{i}", daemon=True) for i in range(threads)
        ]
        _workers.add(self)
        for each in self._threads:
            each.start()

    def _work(self) -> None:
        while True:
            with self._reading:
                with self._has_room:
                    while self._is_full() and not (self._is_stopped or self._is_over):
                        self._has_room.wait()
                    if self._is_over or self._is_stopped:
                        return
                taken: list[Any] = []
                for _ in range(self._task):
                    taken.append(_next_or_end(self._source))
                    if type(taken[-1]) is _End:
                        self._is_over = taken[-1].error is None
                        break
                number, self._begun = self._begun, self._begun + 1
            started = time.perf_counter()
            results = [self._called(each) for each in taken]
            spent = time.perf_counter() - started
            with self._is_filled:
                self._done[number] = results
                self._ready += len(results)
                if spent * 2 < _GROWN_TASK and len(taken) == self._task:
                    self._task = min(2 * self._task, _LARGEST_TASK)
                elif spent > 2 * _GROWN_TASK:
                    self._task = max(1, self._task // 2)
                if _has_end(results):
                    self._wanted = 0  # an error is not kept waiting
                if self._ready >= self._wanted:
                    self._is_filled.notify_all()
                if self._is_over:
                    self._has_room.notify_all()
            del taken, results

    def _is_full(self) -> bool:
        return self._begun - self._given >= self._ahead and self._ready >= self._wanted

    def _called(self, item: Any) -> Any:
        if type(item) is _End or self._is_stopped:
            return item
        try:
            return self._compute(item)
        except BaseException as error:
            return _End(error)

    def take(self) -> Flat:
        while not self._current:
            with self._is_filled:
                number = self._next_done()
                while number is None:
                    if not any(each.is_alive() for each in self._threads):
                        number = self._next_done()
                        if number is None:
                            raise StopIteration
                        break
                    self._is_filled.wait(1.0)
                    number = self._next_done()
                results = self._done.pop(number)
                self._ready -= len(results)
                self._current.extend(results)
                self._given += 1
                self._has_room.notify_all()
        return self._take_current()

    def wait_for(self, count: int) -> None:
        """Wait until this many elements are computed, or the end or an error: one wait costs less than one for each element."""
        with self._is_filled:
            ends = self._is_over or any(map(_has_end, self._done.values()))
            self._wanted = 0 if ends else count - len(self._current)
            self._has_room.notify_all()
            while self._ready < self._wanted and any(each.is_alive() for each in self._threads):
                self._is_filled.wait(1.0)
            self._wanted = 1

    def _take_current(self) -> Flat:
        item = self._current.popleft()
        if type(item) is _End and item.error is None:
            if not self._ordered and (self._done or self._begun > self._given):  # others are still being computed
                return self.take()
            self._current.append(item)
        return _value_of(item)

    def _next_done(self) -> int | None:
        if self._ordered:
            return self._given if self._given in self._done else None
        return next(iter(self._done), None)

    def finished(self) -> list[Flat]:
        """Stop, and return the results of all elements that were taken from the source."""
        with self._has_room:
            self._is_over = True
            self._has_room.notify_all()
        for each in self._threads:
            each.join()
        found = [*self._current]
        for number in sorted(self._done):
            found += self._done[number]
        return [each for each in found if type(each) is not _End]

    def stop(self) -> None:
        with self._has_room:
            self._is_stopped = True
            self._has_room.notify_all()
        for each in self._threads:
            if each is not threading.current_thread():
                each.join(_JOIN)


# -- interleave --


class ParallelInterleaved(Interleaved):
    """The elements of several datasets in turn, each computed ahead by a thread."""

    name = "_ParallelInterleaveDataset"

    def __init__(self, *args: Any, threads: int, **named: Any) -> None:
        super().__init__(*args, **named)
        self.name = "_ParallelInterleaveDataset"  # type: ignore[misc]
        if threads > self.cycle:
            raise invalid(
                "If `cycle_length` is set to a fixed value, `num_parallel_calls` must be either `tf.data.AUTOTUNE` or a value less "
                f"than or equal to `cycle_length`. However, `num_parallel_calls` is {threads} and `cycle_length` is {self.cycle}"
            )

    def cursor(self, run: Run) -> Cursor:
        """An iteration with threads."""
        return ParallelInterleaveCursor(self, run)


class ParallelInterleaveCursor(InterleaveCursor):
    def _open(self, flat: Flat) -> Cursor:
        return PrefetchCursor(super()._open(flat), max(2, self._stage.length))
