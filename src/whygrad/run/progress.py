"""A line that says how far a long program is, while somebody looks at the terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TextIO

from whygrad.view.cells import is_terminal

PATIENCE = 1.0  # seconds before the line first appears: short programs stay as they are
PERIOD = 0.25  # seconds between two drawings

_ERASE = "\r\x1b[K"


class Progress:
    """The line, drawn by a thread of its own and out of the way whenever the program itself writes to the terminal.

    The program's streams stay the objects they are: only their `write` and `flush` first erase the line. `input()` flushes
    before it waits, so it finds the terminal clean too; and as nothing is drawn until another op has run, it stays so.
    """

    def __init__(self, stream: TextIO, ops: Callable[[], int]) -> None:
        self._stream = stream
        self._write = stream.write
        self._flush = stream.flush
        self._ops = ops
        self._drawn_ops = 0  # when the line was last drawn, or had to give way
        self._shown = False
        self._line_open = False  # the program has begun a line and not ended it
        self._lock = threading.RLock()
        self._done = threading.Event()
        self._began = time.monotonic()
        self._guarded: list[TextIO] = []
        self._thread = threading.Thread(target=self._draw_again_and_again, name="whygrad progress", daemon=True)

    @classmethod
    def on(cls, stream: TextIO, ops: Callable[[], int]) -> Progress | None:
        """A running progress line; None where nobody would see it or the terminal could not erase it."""
        if not is_terminal(stream) or os.environ.get("TERM") == "dumb":
            return None
        progress = cls(stream, ops)
        for each in {id(s): s for s in (stream, sys.stdout) if is_terminal(s)}.values():
            progress._guard(each)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=progress._forked)
        progress._thread.start()
        return progress

    def stop(self) -> None:
        """Erase the line for good, and give the streams back."""
        self._done.set()
        self._thread.join()
        with self._lock:
            self._erase()
        for stream in self._guarded:
            for name in ("write", "flush"):
                vars(stream).pop(name, None)

    def _guard(self, stream: TextIO) -> None:
        """Let a stream erase the line before it writes; its own methods come back when these are taken away."""
        write, flush = stream.write, stream.flush

        def guarded_write(text: str, /) -> int:
            with self._lock:
                self._give_way()
                if text:
                    self._line_open = not text.endswith(("\n", "\r"))
                return write(text)

        def guarded_flush() -> None:
            with self._lock:
                self._give_way()
                flush()

        try:
            attributes: Any = vars(stream)
        except TypeError:  # a stream that cannot be guarded: an object without attributes of its own
            return
        attributes.update(write=guarded_write, flush=guarded_flush)
        self._guarded.append(stream)

    def _draw_again_and_again(self) -> None:
        wait = PATIENCE
        while not self._done.wait(wait):
            wait = PERIOD
            try:
                with self._lock:
                    self._draw()
            except (OSError, ValueError):  # the terminal is gone or the stream closed
                return

    def _draw(self) -> None:
        ops = self._ops()
        if ops == self._drawn_ops or self._line_open:
            return
        seconds = time.monotonic() - self._began
        self._write(f"{_ERASE}whygrad: {ops:,} ops, {seconds:.0f} s")
        self._flush()
        self._drawn_ops = ops
        self._shown = True

    def _give_way(self) -> None:
        self._erase()
        self._drawn_ops = self._ops()

    def _erase(self) -> None:
        if self._shown:
            self._shown = False
            self._write(_ERASE)
            self._flush()

    def _forked(self) -> None:
        """In a child process, which has no such thread: the lock may have been held at that moment."""
        self._lock = threading.RLock()
        self._shown = False
