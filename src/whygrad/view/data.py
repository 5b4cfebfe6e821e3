"""Findings as a JSON document (docs/run.md describes it)."""

from __future__ import annotations

import contextlib
import json
import os
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


def write(path: str, findings: Sequence[Cause]) -> None:
    """Write the document atomically: a reader never sees half of it."""
    text = json.dumps(document(findings), indent=2) + "\n"
    path = os.path.realpath(path)  # a link stays a link
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe or /dev/stdout cannot be replaced
        with open(path, "w", encoding="utf-8") as device:
            device.write(text)
        return
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(beside)
