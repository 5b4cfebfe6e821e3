"""Nested parameters as one vector, as optimizers that know only vectors want them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.functional.arguments import is_ours, left
from whygrad.numpy import shaping
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.values import nest
from whygrad.values.errors import OpTypeError, OpValueError


@export("ravel_nested")
def ravel_nested(structure: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The numbers of a nested structure as one vector, and a function that gives a vector of that length the structure again.

    Both directions are differentiable. Arrays and Python numbers give an array, tensors a tensor; dicts are in the order of their keys.

    >>> import numpy as np, whygrad
    >>> vector, restore = whygrad.ravel_nested({"w": np.ones((2, 2)), "b": 0.5})
    >>> vector
    array([0.5, 1. , 1. , 1. , 1. ])
    >>> restore(vector * 2)
    {'w': array([[2., 2.],
           [2., 2.]]), 'b': np.float64(1.0)}
    """
    leaves = nest.flatten(structure)
    if any(each is None for each in leaves):
        raise OpTypeError("ravel_nested takes numbers and arrays, but the structure holds None")
    tensors = [as_numpy_does(each) for each in leaves]
    shapes = [tuple(each.shape) for each in tensors]
    sizes = [math.prod(shape) for shape in shapes]
    gives_tensors = any(map(is_ours, leaves))
    total = sum(sizes)
    vector = shaping.concatenate([shaping.ravel(each) for each in tensors]) if tensors else as_numpy_does(np.zeros(0))

    def restore(flat: Any) -> Any:
        """The structure with the numbers of a vector."""
        given = as_numpy_does(flat)
        if tuple(given.shape) != (total,):
            raise OpValueError(f"the structure has {total} numbers, but the vector has shape {given.shape}")
        found, start = [], 0
        for shape, size in zip(shapes, sizes):
            found.append(shaping.reshape(given[start : start + size], shape))
            start += size
        return nest.pack_sequence_as(structure, found if is_ours(flat) else list(map(left, found)))

    return (vector if gives_tensors else left(vector)), restore
