"""`vmap`: a function of one example as a function of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.functional.arguments import is_ours, left, mode_for, spoken_name
from whygrad.functional.gradients import named_after
from whygrad.numpy import shaping
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.ops.control import vectorized_map
from whygrad.values import nest
from whygrad.values.errors import OpTypeError, OpValueError


@export("vmap")
def vmap(fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that calls `fun` for each element along an axis of its arguments, and stacks the results: `vectorized_map` with JAX's axes.

    `in_axes` is the axis for all arguments, or a tuple with one for each; None hands an argument to every call as it is. For a nested
    argument it may be a structure of axes. Keyword arguments are mapped along their first axis. `out_axes` says where the results are
    stacked.

    >>> import numpy as np, whygrad
    >>> slopes = whygrad.vmap(whygrad.grad(lambda w, x: np.tanh(w * x)), in_axes=(None, 0))
    >>> slopes(0.0, np.array([1.0, 2.0, 3.0]))
    array([1., 2., 3.])
    """
    if not callable(fun):
        raise OpTypeError(f"vmap takes a function, but it received {fun!r}")
    name = spoken_name(fun)

    def mapped(*args: Any, **kwargs: Any) -> Any:
        given = [*args, kwargs] if kwargs else list(args)
        if isinstance(in_axes, tuple | list):
            if len(in_axes) != len(args):
                raise OpValueError(f"vmap({name}): in_axes has {len(in_axes)} axes for {len(args)} arguments")
            axes = [*in_axes, 0] if kwargs else list(in_axes)
        else:
            axes = [in_axes] * len(args) + ([0] if kwargs else [])
        leaves = nest.flatten(given)
        along = [axis for value, each in zip(given, axes) for axis in _spread(each, value, "in_axes")]
        positions = [i for i, axis in enumerate(along) if axis is not None and leaves[i] is not None]
        if not positions:
            raise OpValueError(f"vmap({name}) has nothing to map over: every axis in in_axes is None")
        elements = [_first(leaves[i], along[i], name) for i in positions]
        lengths = {each._array.shape[0] for each in elements}
        if len(lengths) > 1:
            raise OpValueError(
                f"vmap({name}) maps over axes of different lengths: {sorted(lengths)}. in_axes says which axis of each argument is mapped; "
                "None leaves an argument as it is: in_axes=(None, 0)"
            )

        def one(parts: list[Any]) -> Any:
            for position, part in zip(positions, parts):
                leaves[position] = part
            now = nest.pack_sequence_as(given, leaves)
            return fun(*now[: len(args)], **(now[-1] if kwargs else {}))

        keeps_tensors = any(is_ours(leaves[i]) for i in positions)
        with mode_for([leaves[i] for i in positions]):
            found = vectorized_map(one, elements)
            places = _spread(out_axes, found, "out_axes")
            moved = [_moved(each, axis, name) for each, axis in zip(nest.flatten(found), places)]
        return nest.pack_sequence_as(found, moved if keeps_tensors else list(map(left, moved)))

    return named_after(fun, mapped, "vmap")


def _spread(axes: Any, structure: Any, parameter: str) -> list[Any]:
    """An axis for each element of a structure, from one for all or a structure of them that ends earlier."""
    if not nest.is_nested(axes):
        if axes is not None and (not hasattr(axes, "__index__") or isinstance(axes, bool)):
            raise OpTypeError(f"vmap: {parameter} must hold integers and None, not {axes!r}")
        return [axes] * len(nest.flatten(structure))
    inner = nest.children_of(axes)
    parts = nest.children_of(structure) if nest.is_nested(structure) else []
    if len(inner) != len(parts):
        raise OpValueError(f"vmap: {parameter} must have the structure of the values, or end earlier: {axes!r}")
    return [axis for each, part in zip(inner, parts) for axis in _spread(each, part, parameter)]


def _first(leaf: Any, axis: int, name: str) -> Any:
    """A mapped value with its axis in front."""
    value = as_numpy_does(leaf)
    if not -value.ndim <= axis < value.ndim:
        raise OpValueError(f"vmap({name}) maps over axis {axis} of an argument of shape {value.shape}")
    return shaping.moveaxis(value, axis, 0) if axis else value


def _moved(value: Any, axis: Any, name: str) -> Any:
    if axis is None:
        raise OpValueError(f"vmap({name}): out_axes cannot be None, for each call gives a result of its own")
    return shaping.moveaxis(value, 0, axis) if axis and value is not None else value
