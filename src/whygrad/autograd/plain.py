"""NumPy's functions for arrays and whygrad's for tensors, under one name: autograd's modules are made of these."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from whygrad.autograd.tracing import numpy_functions, traced_call
from whygrad.functional.arguments import left
from whygrad.values import nest
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable


def holds_tensor(value: Any) -> bool:
    """Whether a tensor is among the arguments, or in a list, tuple or dict of them."""
    if isinstance(value, Tensor | Variable):
        return True
    if isinstance(value, dict):
        return any(map(holds_tensor, value.values()))
    return isinstance(value, list | tuple) and any(map(holds_tensor, value))


def either(plain: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is NumPy's on arrays, and whygrad's on tensors."""

    @functools.wraps(plain)
    def function(*args: Any, **kwargs: Any) -> Any:
        if holds_tensor(kwargs):
            return ours(*args, **kwargs)
        return traced_call(function, ours, args, kwargs) if holds_tensor(args) else plain(*args, **kwargs)

    return function


def giving_arrays(ours: Callable[..., Any]) -> Callable[..., Any]:
    """A whygrad function that gives arrays where it is handed no tensor."""

    @functools.wraps(ours)
    def function(*args: Any, **kwargs: Any) -> Any:
        found = ours(*args, **kwargs)
        return found if holds_tensor(args) or holds_tensor(kwargs) else nest.map_structure(left, found)

    return function


def fill_from(name: str, plain: ModuleType, ours: ModuleType) -> None:
    """Give a module the names of a NumPy module, with whygrad's functions for tensors where it has them."""
    values = vars(sys.modules[name])
    for each in dir(plain):
        value = getattr(plain, each)
        mine = getattr(ours, each, None)
        if each.startswith("_") or isinstance(value, ModuleType):
            continue
        both = callable(value) and callable(mine) and not isinstance(value, type)
        values.setdefault(each, either(value, mine) if both else value)  # type: ignore[arg-type]
        if isinstance(value, np.ufunc):
            numpy_functions[each] = values[each]


def submodule(name: str, ours: ModuleType) -> ModuleType:
    """A new module of this name with whygrad's functions, which give arrays for arrays."""
    module = ModuleType(name, ours.__doc__)
    for each in ours.__all__:
        value = getattr(ours, each)
        setattr(module, each, giving_arrays(value) if callable(value) else value)
    sys.modules[name] = module
    return module
