"""Load the XLA engine on first use: JAX takes a second to import, and need not be installed."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING

from whygrad.runtime.call_sites import register_package
from whygrad.values.tensor import placement

if TYPE_CHECKING:
    from whygrad.engines.xla import XlaEngine

_MISSING = (
    "whygrad.function compiles with XLA through JAX, which is not installed: pip install 'whygrad[xla]' (or call "
    "whygrad.config.run_functions_eagerly(True) to run functions as plain Python)"
)

OLDEST_JAX = (0, 10, 1)  # as in pyproject.toml, which pip heeds only where JAX is installed through `whygrad[xla]`


def is_installed() -> bool:
    """Return whether JAX can be imported."""
    return importlib.util.find_spec("jax") is not None


def require() -> None:
    """Raise ImportError, with what to install, unless JAX can be imported."""
    if not is_installed():
        raise ImportError(_MISSING, name="jax")


def _require_recent() -> None:
    import jax

    if jax.__version_info__ < OLDEST_JAX:
        oldest = ".".join(map(str, OLDEST_JAX))
        raise ImportError(
            f"whygrad compiles with JAX {oldest} or newer, and {jax.__version__} is installed: "
            "pip install -U 'whygrad[xla]'",
            name="jax",
        )


def engine() -> XlaEngine:
    """Return the XLA engine."""
    if placement.loaded is None:
        require()
        _require_recent()
        from whygrad.engines.xla import XlaEngine

        # JAX calls the functions that it traces: where the user's line called them lies beyond its frames.
        register_package(os.path.dirname(sys.modules["jax"].__file__ or ""))
        placement.loaded = XlaEngine()
    return placement.loaded  # type: ignore[no-any-return]
