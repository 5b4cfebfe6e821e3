"""Findings as a JSON document (docs/run.md describes it), and the files that reports are written to."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Sequence
from typing import Any

from whygrad.why.cause import Cause

SCHEMA = 1  # raised when a key changes its meaning or is removed; adding a key does not raise it


def document(findings: Sequence[Cause]) -> list[dict[str, Any]]:
    """The findings as plain data, in the given order.

    >>> document([])
    []
    """
    return [{"schema": SCHEMA, **cause.as_data()} for cause in findings]


def as_text(findings: Sequence[Cause]) -> str:
    """The findings as JSON."""
    return json.dumps(document(findings), indent=2) + "\n"


class Destination:
    """Where a document goes: a regular file, which is replaced, or what can only be written into.

    That is a descriptor of this process (`/dev/stdout`, `/dev/fd/3`), whatever it is connected to, a pipe, or a device. A
    descriptor is duplicated at once, because the program that runs until `write` may close it.
    """

    def __init__(self, path: str) -> None:
        self.path = os.path.abspath(path)  # the program may change the working directory
        number = _descriptor(self.path)
        self._duplicate = None if number is None else os.dup(number)

    @property
    def _is_replaced(self) -> bool:
        return self._duplicate is None and (os.path.isfile(self.path) or not os.path.exists(self.path))

    def clear(self) -> None:
        """Remove the document of an earlier run, so that it is not mistaken for this run's if this run is killed."""
        if self._is_replaced:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.realpath(self.path))  # a link stays a link

    def write(self, text: str) -> None:
        """Write the document; a regular file is replaced atomically: a reader never sees half of it."""
        if self._is_replaced:
            _replace(os.path.realpath(self.path), text)
        else:
            with open(self.path if self._duplicate is None else self._duplicate, "w", encoding="utf-8") as stream:
                self._duplicate = None  # it is closed with the stream
                stream.write(text)


def write(path: str, findings: Sequence[Cause]) -> None:
    """Write the findings to a path."""
    Destination(path).write(as_text(findings))


def _replace(path: str, text: str) -> None:
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)


def _descriptor(path: str) -> int | None:
    """The descriptor of this process that a path stands for, directly or through links: 1 for /dev/stdout.

    The link of a descriptor must not be followed: it leads to the file that the shell has opened, or to the name of a pipe.
    """
    for _ in range(40):  # the links of Linux's own limit
        match = _DESCRIPTOR.fullmatch(path)
        if match is not None and match["process"] in (None, "self", "thread-self", str(os.getpid())):
            return int(match["number"])
        if not os.path.islink(path):
            return None
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))
    return None


_DESCRIPTOR = re.compile(r"(/dev|/proc/(?P<process>self|thread-self|\d+))/fd/(?P<number>\d+)")
