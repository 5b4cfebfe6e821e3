"""Tables of expressions with what TensorFlow gives for them: texts in which a line is an expression and the next one its result.

A result is the repr, with `\\n` for a line break, or `!` and the class of the exception. Blank lines and lines that begin with `#` are
for the reader. The mirroring folders compare whygrad with the table; `tests/conformance` compares the table with TensorFlow itself.
"""

from __future__ import annotations

import pathlib
import warnings
from typing import Any, NamedTuple

import numpy as np


class Row(NamedTuple):
    """An expression and its result."""

    expression: str
    result: str


def read(path: pathlib.Path) -> list[Row]:
    """The rows of a table."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert len(lines) % 2 == 0, f"{path.name}: a line is missing"
    rows = [Row(expression, result.removeprefix("    ")) for expression, result in zip(lines[::2], lines[1::2])]
    assert all(line.startswith("    ") for line in lines[1::2]), f"{path.name}: a result is indented"
    return rows


def result_of(tf: Any, expression: str) -> str:
    """What an expression gives with this module as `tf`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shown = repr(eval(expression, {"tf": tf, "np": np}))
    except Exception as error:
        return "!" + type(error).__name__
    return shown.replace("\\", "\\\\").replace("\n", "\\n")


def differences(tf: Any, rows: list[Row]) -> list[str]:
    """The rows whose results differ, each with both."""
    found = [(row, result_of(tf, row.expression)) for row in rows]
    return [f"{row.expression}\n  table: {row.result}\n  here:  {got}" for row, got in found if got != row.result]
