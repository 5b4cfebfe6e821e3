"""Differentiable SciPy: `special`, `stats` (densities), `linalg` and `optimize`, with SciPy's names, signatures and numbers.

Like `whygrad.numpy`, the functions take arrays, numbers and tensors, promote dtypes as NumPy does, and give tensors that tapes record.

>>> import numpy as np, whygrad
>>> from whygrad.scipy.stats import norm
>>> whygrad.grad(lambda x: norm.logpdf(x, 1.0, 2.0))(0.0)
np.float64(0.25)
"""

import importlib
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    """A module that is used for the first time: SciPy loads its own in this way too."""
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


__all__ = ["linalg", "optimize", "special", "stats"]
