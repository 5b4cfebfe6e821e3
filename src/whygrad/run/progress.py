"""A line at the end of the terminal that counts the ops of a long program.

`rich` writes the line: it knows the terminal's width, its control codes, and the consoles of Windows that have none. Its `Progress` and
`Status` are not used, because they put their own objects in the place of `sys.stdout` and `sys.stderr`, hold back a line until it
ends, which hides the prompts of `input()`, and hide the cursor, which a program that is killed cannot bring back.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from whygrad.view.cells import is_terminal

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE = 1.0  # seconds before the line first appears: short programs never show it, and never load rich
PERIOD = 0.25  # seconds between two drawings


class Progress:
    """The line, drawn by a thread of its own and erased whenever the program itself writes to the terminal.

    The program's streams stay the same objects: only their `write` and `flush` first erase the line. `input()` flushes before it
    waits, which erases the line too; and the line is not drawn again until another op has run.
    """

    def __init__(self, stream: TextIO, ops: Callable[[], int]) -> None:
        self._stream = stream
        self._ops = ops
        self._drawn_ops = 0  # the count when the line was last drawn or erased
        self._shown = False
        self._console: Console | None = None
        self._writing = False  # the line itself is being written, not the program's text
        self._line_open = False  # the program has begun a line and not ended it
        self._lock = threading.RLock()
        self._done = threading.Event()
        self._began = time.monotonic()
        self._guarded: list[TextIO] = []
        self._thread = threading.Thread(target=self._draw_periodically, name="whygrad progress", daemon=True)

    @classmethod
    def on(cls, stream: TextIO, ops: Callable[[], int]) -> Progress | None:
        """A running progress line; None where the stream is no terminal, or one that cannot erase a line."""
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
        """Erase the line and restore the streams."""
        self._done.set()
        self._thread.join(1.0)  # not for ever: a signal may have come while this thread held the lock
        with self._lock:
            self._erase()
        for stream in self._guarded:
            for name in ("write", "flush"):
                vars(stream).pop(name, None)

    def _guard(self, stream: TextIO) -> None:
        """Make a stream erase the line before it writes. Deleting the attributes set here restores its own methods."""
        write, flush = stream.write, stream.flush

        def guarded_write(text: str, /) -> int:
            with self._lock:
                if not self._writing:
                    self._give_way()
                    if text:
                        self._line_open = not text.endswith(("\n", "\r"))
                return write(text)

        def guarded_flush() -> None:
            with self._lock:
                if not self._writing:
                    self._give_way()
                flush()

        try:
            attributes: Any = vars(stream)
        except TypeError:  # a stream that cannot be guarded: an object without attributes of its own
            return
        attributes.update(write=guarded_write, flush=guarded_flush)
        self._guarded.append(stream)

    def _draw_periodically(self) -> None:
        wait = PATIENCE
        while not self._done.wait(wait):
            wait = PERIOD
            try:
                console = self._console or _console(self._stream)  # loading rich must not hold the lock
                with self._lock:
                    self._console = console
                    self._draw()
            except (OSError, ValueError):  # the terminal is gone or the stream closed
                return

    def _draw(self) -> None:
        ops = self._ops()
        if ops != self._drawn_ops and not self._line_open:
            seconds = time.monotonic() - self._began
            self._write(f"whygrad: {ops:,} ops, {seconds:.0f} s")
            self._drawn_ops = ops
            self._shown = True

    def _give_way(self) -> None:
        self._erase()
        self._drawn_ops = self._ops()

    def _erase(self) -> None:
        if self._shown:
            self._shown = False
            self._write("")

    def _write(self, line: str) -> None:
        """Replace the line by another."""
        from rich.control import Control
        from rich.segment import ControlType

        assert self._console is not None
        self._writing = True
        try:
            self._console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
            self._console.print(line, end="", markup=False, highlight=False, no_wrap=True, overflow="ellipsis")
            self._stream.flush()
        finally:
            self._writing = False

    def _forked(self) -> None:
        """In a child process, which has no such thread: the lock may have been held at that moment."""
        self._lock = threading.RLock()
        self._shown = self._writing = False


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, force_terminal=True, force_jupyter=False)
