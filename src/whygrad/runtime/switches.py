"""Switches: environment variables, each read once, that turn off what whygrad does for speed.

docs/performance.md lists them. All are on unless the variable is set to 0, off, false or no.
"""

from __future__ import annotations

import os


def is_on(name: str) -> bool:
    """Whether an environment variable leaves its switch on."""
    return os.environ.get(name, "").strip().lower() not in ("0", "off", "false", "no")


class Switches:
    """The switches that are asked while the program runs."""

    # The fast forms of ops and of the sweep, and NumPy's private error state; `whygrad.ops.fast_ops.use_fast_forms` sets it.
    fast = is_on("WHYGRAD_FAST")
    busy_wait = is_on("WHYGRAD_BUSY_WAIT")
    sine = is_on("WHYGRAD_SINE")  # our own sine and cosine of large float64 arrays, in place of NumPy's


switches = Switches()
