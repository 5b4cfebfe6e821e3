"""Syntax trees, parsed by one thread at a time.

CPython 3.11 counts the depth of the tree that it builds in one place for all threads, and switches threads meanwhile: two that parse
at the same time end in a SystemError ("AST constructor recursion depth mismatch").
"""

from __future__ import annotations

import ast
import threading
from typing import Any

_parsing = threading.RLock()


def parse(source: str, mode: str = "exec") -> Any:
    """Parse a text, as `ast.parse` does: `mode` is "exec" or "eval"."""
    with _parsing:
        return ast.parse(source, mode=mode)
