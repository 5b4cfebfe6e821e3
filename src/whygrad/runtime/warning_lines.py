"""What Python's own formatter makes of a warning: it prints the source line below the message, which a code frame already shows.

`warnings` formats a message with an f-string and then looks up the source line, unless the `WarningMessage` has one. A message that is
being formatted finds that object in the formatter's frame, which is its caller, and gives it an empty line. Where no such object is
there, as under another formatter, nothing happens, and the line is printed twice.
"""

from __future__ import annotations

import sys
import warnings
from types import FrameType

_FORMATTERS = ("warnings", "_py_warnings")  # the modules that format warnings, up to Python 3.13 and from 3.14 on


def formatter_of(message: Warning, frame: FrameType | None) -> warnings.WarningMessage | None:
    """The object with which Python's formatter, in its frame, shows a message; None for any other caller."""
    if frame is None or frame.f_globals.get("__name__") not in _FORMATTERS:
        return None
    shown = frame.f_locals.get("msg")
    return shown if isinstance(shown, warnings.WarningMessage) and shown.message is message else None


def is_shown_on_stderr(shown: warnings.WarningMessage) -> bool:
    """Whether Python's own function shows this warning, and on the standard error stream."""
    original = getattr(warnings, "_showwarning_orig", None)
    return warnings.showwarning is original and shown.file in (None, sys.stderr)
