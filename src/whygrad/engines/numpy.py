"""The NumPy engine: NumPy's namespace, and kernels that NumPy lacks.

Forward functions and rules receive the engine as `xp` and use NumPy's names (`xp.sin`, `xp.linalg.inv`) on it. Kernels that NumPy
lacks (special functions, scatter) are methods here, under the name of the primitive that they compute.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.engines.numpy_attention import AttentionKernels
from whygrad.engines.numpy_checks import CheckKernels
from whygrad.engines.numpy_convolution import ConvolutionKernels
from whygrad.engines.numpy_elementwise import ElementwiseKernels
from whygrad.engines.numpy_images import ImageKernels
from whygrad.engines.numpy_linalg import LinalgKernels
from whygrad.engines.numpy_lookups import LookupKernels
from whygrad.engines.numpy_losses import LossKernels
from whygrad.engines.numpy_networks import NetworkKernels
from whygrad.engines.numpy_random import RandomKernels
from whygrad.engines.numpy_reductions import ReductionKernels
from whygrad.engines.numpy_shaping import ShapingKernels
from whygrad.engines.numpy_signals import SignalKernels
from whygrad.engines.numpy_special import SpecialKernels

Array = Any


class NumpyEngine(
    AttentionKernels,
    CheckKernels,
    ConvolutionKernels,
    ElementwiseKernels,
    ImageKernels,
    LinalgKernels,
    LookupKernels,
    LossKernels,
    NetworkKernels,
    RandomKernels,
    ReductionKernels,
    ShapingKernels,
    SignalKernels,
    SpecialKernels,
):
    """NumPy's functions by name, and the kernels below."""

    def __init__(self) -> None:
        kernels = dir(type(self))  # a kernel with one of NumPy's names (matmul) takes precedence
        # vars(np), not getattr: NumPy loads some of its submodules (such as testing) lazily.
        self.__dict__.update({k: v for k, v in vars(np).items() if not k.startswith("_") and k not in kernels})
        self.linalg = np.linalg

    @cached_property
    def fft(self) -> Any:  # NumPy loads it lazily, so it is not in __init__
        return np.fft

    # For type checkers only: a real `__getattr__` would double the time of every attribute read.
    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


engine = NumpyEngine()
