"""Kernels from outside: functions of arrays that users add to the engines (`whygrad.extend`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from whygrad._public import export
from whygrad.engines.numpy import engine
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import placement

_Kernel = TypeVar("_Kernel", bound=Callable[..., Any])

_numpy: dict[str, Callable[..., Any]] = {}
for_xla: dict[str, Callable[..., Any]] = {}  # found by the XLA engine when it is first asked for them


@export("extend.numpy_kernel")
def numpy_kernel(function: _Kernel) -> _Kernel:
    """Add a function of NumPy arrays to the NumPy engine: forward functions and rules call it as `xp.<its name>`.

    >>> import numpy as np
    >>> from whygrad import extend
    >>> @extend.numpy_kernel
    ... def half_step(x):
    ...     return np.heaviside(x, 0.5)
    >>> op = extend.unary("half_step", "half_step", no_gradient="a step is flat on both sides", doc="A step at 0.")
    >>> op([-1.0, 0.0, 1.0]).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    name = function.__name__
    if hasattr(engine, name) and name not in _numpy:
        raise OpValueError(f"the NumPy engine has a function {name!r} already: choose another name")
    _numpy[name] = function
    setattr(engine, name, function)
    return function


@export("extend.xla_kernel")
def xla_kernel(function: _Kernel) -> _Kernel:
    """Add a function of JAX arrays to the XLA engine, under the name of its counterpart for NumPy: compiled code calls it.

    JAX is loaded when something is compiled. Import it inside the function, so that the op can be used without it.

    >>> from whygrad import extend
    >>> @extend.xla_kernel
    ... def half_step(x):
    ...     import jax.numpy as jnp
    ...     return jnp.heaviside(x, 0.5)
    """
    for_xla[function.__name__] = function
    if placement.loaded is not None:
        vars(placement.loaded).pop(function.__name__, None)  # found under this name before, perhaps JAX's own
    return function
