"""What a thread prints, dropped for a while: where its Python runs once more than the user should see."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

_lock = threading.Lock()
_silent: dict[int, int] = {}  # how often each thread has entered `without_prints`


class _Stdout:
    """`sys.stdout` while some threads are silent."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write what a thread prints, unless it is silent."""
        return len(text) if threading.get_ident() in _silent else self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextlib.contextmanager
def without_prints() -> Iterator[None]:
    """Drop what this thread prints in the block. Other threads print as usual."""
    me = threading.get_ident()
    with _lock:
        _silent[me] = _silent.get(me, 0) + 1
        if not isinstance(sys.stdout, _Stdout):
            sys.stdout = _Stdout(sys.stdout)
    try:
        yield
    finally:
        with _lock:
            _silent[me] -= 1
            if not _silent[me]:
                del _silent[me]
            if not _silent and isinstance(sys.stdout, _Stdout):
                sys.stdout = sys.stdout.stream


def real_stream(stream: Any) -> Any:
    """The stream that was meant by one that a program took from `sys.stdout` meanwhile."""
    return stream.stream if isinstance(stream, _Stdout) else stream
