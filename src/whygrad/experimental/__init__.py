"""`tf.experimental`: `numpy` is `whygrad.numpy`."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["numpy"]


def __getattr__(name: str) -> Any:
    if name == "numpy":  # loaded when first used: it needs all of whygrad, which may still be loading
        return importlib.import_module("whygrad.experimental.numpy")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
