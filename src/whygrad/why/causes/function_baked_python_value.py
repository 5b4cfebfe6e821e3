"""`function-baked-python-value`: a Python value that tf.function keeps has changed since the function was traced."""

from __future__ import annotations

import reprlib
from typing import Any

import numpy as np

from whygrad.compile.trace_listeners import ChangedValue
from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site, lines_of
from whygrad.why.source.wording import quoted


def explain(changed: ChangedValue) -> Cause:
    """A Python value that a function under tf.function read has changed since its first call."""
    name, first, now = changed.name, changed.first, changed.now
    file, line, column, end = changed.place
    lines = lines_of(file)
    written = lines[line - 1][column:end] if line <= len(lines) else name  # with the program's own quotation marks
    return Cause(
        "function-baked-python-value",
        "wrong_value",
        f"the compiled function still computes with {_short(first)}, the value that {quoted(name)} had when it was traced; it is "
        f"{_short(now)} now",
        (Site(file, line, column, line, end, written, "read here"),),
        f"pass {quoted(name)} as an argument (as a tensor, so that the function is not traced again each time), or keep it in "
        "a tf.Variable with trainable=False",
    )


def _short(value: Any) -> str:
    """A value as it would be written, on one line, without the middle of a long one."""
    if isinstance(value, np.ndarray):
        return " ".join(np.array2string(value, threshold=8, edgeitems=2, precision=4).split())
    return f"{value:.6g}" if type(value) is float and abs(value) < 1e6 and value % 1 else reprlib.repr(value)
