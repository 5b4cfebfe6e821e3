"""The names of a notebook's cells: IPython compiles each as a temporary file, which means nothing to its reader."""

from __future__ import annotations

import re
import sys


def cell_name(file: str) -> str | None:
    """`In [2]` for the file of a cell; None for any other file.

    >>> cell_name("train.py") is None
    True
    """
    notebook = sys.modules.get("IPython")
    shell = None if notebook is None else notebook.get_ipython()
    formatted = getattr(getattr(shell, "compile", None), "format_code_name", lambda name: None)(file)
    found = re.search(r"\bIn ?\[(\d+)\]", str(formatted[-1])) if formatted else None
    return None if found is None else f"In [{found[1]}]"
