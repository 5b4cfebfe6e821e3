"""The NumPy engine: NumPy's namespace, and kernels that NumPy lacks.

Forward functions and rules receive the engine as `xp` and use NumPy's names (`xp.sin`, `xp.linalg.inv`) on it. Kernels that NumPy
lacks (special functions, scatter) are methods here, under the name of the primitive that they compute.
"""

from __future__ import annotations

import importlib
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad._public.table import KERNELS
from whygrad.engines.numpy_elementwise import ElementwiseKernels
from whygrad.engines.numpy_linalg import LinalgKernels
from whygrad.engines.numpy_lookups import LookupKernels
from whygrad.engines.numpy_reductions import ReductionKernels
from whygrad.engines.numpy_shaping import ShapingKernels

Array = Any


class NumpyEngine(ElementwiseKernels, LinalgKernels, LookupKernels, ReductionKernels, ShapingKernels):
    """NumPy's functions by name, and the kernels: these families from the start, the others when one of theirs is first used."""

    def __init__(self) -> None:
        kernels = set(dir(type(self)))  # a kernel with one of NumPy's names (matmul) takes precedence
        # vars(np), not getattr: NumPy loads some of its submodules (such as testing) lazily.
        self.__dict__.update({k: v for k, v in vars(np).items() if not k.startswith("_") and k not in kernels})
        self.linalg = np.linalg

    @cached_property
    def fft(self) -> Any:  # NumPy loads it lazily, so it is not in __init__
        return np.fft

    # For type checkers only: a real `__getattr__` would double the time of every attribute read.
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class _LaterKernel:
    """A kernel of a family that is not loaded: reading it puts the family's kernels in the place of these."""

    def __init__(self, family: str, name: str) -> None:
        self.family, self.name = family, name

    def __get__(self, engine: NumpyEngine | None, owner: type[NumpyEngine]) -> Any:
        module, _, kernels = self.family.partition(":")
        for name, value in vars(getattr(importlib.import_module(module), kernels)).items():
            if not name.startswith("__"):
                setattr(owner, name, value)
        return getattr(owner if engine is None else engine, self.name)


def _declare_later_kernels() -> None:
    loaded = {f"{base.__module__}:{base.__name__}" for base in NumpyEngine.__bases__}
    for family, names in KERNELS.items():
        if family not in loaded:
            for name in names.split():
                setattr(NumpyEngine, name, _LaterKernel(family, name))


_declare_later_kernels()
engine = NumpyEngine()
