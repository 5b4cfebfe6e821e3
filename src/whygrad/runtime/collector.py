"""Python's garbage collector while a program is traced.

A trace keeps what the last ops made, in many small objects, and the collector would visit each several times: that took half the
time of a traced op. So it runs less often meanwhile, unless the program has chosen its own thresholds, and not with
WHYGRAD_COLLECT_LESS_OFTEN=0.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from whygrad.runtime.switches import is_on

_USUAL = gc.get_threshold()  # when whygrad is imported: Python's own, or the program's
_RARER = (20_000, 20, 50)


def collect_less_often() -> Callable[[], None]:
    """Let the collector run less often. Returns the undoing."""
    before = gc.get_threshold()
    if before != _USUAL or not 0 < before[0] < _RARER[0] or not is_on("WHYGRAD_COLLECT_LESS_OFTEN"):
        return lambda: None
    gc.set_threshold(*_RARER)

    def undo() -> None:
        if gc.get_threshold() == _RARER:  # not the program's
            gc.set_threshold(*before)

    return undo
