"""The targets and sources of a call of `gradient`, and their upstream gradients: checked on the way in, added up on the way out."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.primitive import engine_of
from whygrad.ops.recorded import recorded
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.faults import NotATarget, NotATensor, UpstreamDtype, UpstreamShape
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor, placement, wrap
from whygrad.values.variable import Variable

SINGLE = frozenset({Tensor, Variable})  # the commonest types of sources and targets, alone or in a list


def flat(structure: Any, fault: type[NotATensor]) -> list[Any]:
    """The leaves of a structure, none of which may be None."""
    items = nest.flatten(structure)
    if structure is None or [item for item in items if item is None]:
        wording = (
            "Argument `{argument}` should be a list or nested structure of Tensors, Variables or CompositeTensors to be "
            f"differentiated{'' if fault is NotATarget else ' against'}, but received None."
        )
        raise OpTypeError(fault(value=None, wording=wording))
    return items


def values_in(structure: Any, fault: type[NotATensor]) -> list[Any]:
    """The tensors and variables in a structure."""
    kind = type(structure)
    if kind in SINGLE:
        return [structure]
    if kind is list and SINGLE.issuperset(map(type, structure)):
        return list(structure)
    return [checked(item, fault) for item in flat(structure, fault)]


def checked(item: Any, fault: type[NotATensor]) -> Any:
    """The tensor or variable that one target or source is, or holds."""
    if isinstance(item, (Tensor, Variable)):  # `Tensor | Variable` would take five times as long
        return item
    if isinstance(item, IndexedSlices):
        return item.values
    if isinstance(item, TensorLikeComposite):
        return item._held()
    if isinstance(item, ActsAsTensor):
        return item.handle
    raise OpTypeError(fault(value=item))


def paths_in(structure: Any, values: list[Any]) -> list[tuple[Any, ...]] | None:
    """The path to each value in a nested structure; None for a plain list or tuple of values."""
    is_plain = type(structure) in (list, tuple) and len(structure) == len(values)
    return None if is_plain else nest.paths(structure)


def in_form_of(sources: Any, gradients: list[Any]) -> Any:
    """Gradients in the structure of their sources; the gradient for a composite is one like it, with its rows."""
    if type(sources) is list and SINGLE.issuperset(map(type, sources)):
        return gradients
    flattened = nest.flatten(sources)
    if any(isinstance(each, TensorLikeComposite) for each in flattened):
        gradients = [_like_composite(*each) for each in zip(gradients, flattened)]
    return nest.pack_sequence_as(sources, gradients)


def _like_composite(gradient: Any, source: Any) -> Any:
    if gradient is None or not isinstance(source, TensorLikeComposite):
        return gradient
    return source._with_held(convert(gradient, None))


def upstream_for(g: Any, target: Any, position: int) -> Tensor:
    """The upstream gradient for a target, which must have its shape and dtype."""
    if isinstance(g, TensorLikeComposite):
        g = g._held()
    if isinstance(g, Tensor | Variable | IndexedSlices):
        seed = convert(g, None)
        if seed.dtype is not target.dtype:
            shape = tuple(seed.shape)
            raise invalid(UpstreamDtype(position=position, shape=shape, dtype=seed.dtype, wanted=target.dtype))
    else:
        seed = convert(g, target.dtype)
    given, wanted = tuple(seed.shape), tuple(target.shape)
    if given != wanted:
        raise invalid(UpstreamShape(position=position, shape=given, dtype=seed.dtype, wanted=wanted))
    return placed_as(seed, target)


def placed_as(seed: Tensor, target: Any) -> Tensor:
    """A tensor on the engine of another one, because rules must not mix the engines."""
    if type(seed) is Tensor and _is_placed(target):
        return wrap(placement.engine.compute("asarray", [seed._array], {}))
    return seed


def _is_placed(value: Any) -> bool:
    """Whether a value is an array of the other engine."""
    tensor = value.value_here if isinstance(value, Variable) else value
    return type(tensor) is not Tensor and engine_of([convert(tensor, None)]) is not engine


def ones_for(value: Any) -> Tensor:
    """The upstream gradient of a target for which none was passed."""
    tensor = value.value_here if type(value) is not Tensor and isinstance(value, Variable) else value
    array = tensor._array
    if type(tensor) is not Tensor and _is_placed(tensor):
        return wrap(placement.engine.compute("ones", [array.shape, array.dtype], {}))
    if array.size <= _FEW:
        return wrap(_few_ones(array.shape, array.dtype))
    return wrap(_ones(array.shape, array.dtype))


_FEW = 1024  # elements of arrays of ones that are kept


def _ones(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    ones = np.empty(shape, dtype)
    ones.fill(1)
    return ones


@functools.lru_cache(64)
def _few_ones(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """As `_ones`, always the same array: tensors may share it, because nothing writes to what a sweep does not own."""
    ones = _ones(shape, dtype)
    ones.flags.writeable = False
    return ones


def _zeros_for(source: Any, before: tuple[int, ...]) -> Tensor:
    """Zeros with a source's shape, preceded by the axes `before`."""
    array = (source.value_here if isinstance(source, Variable) else source)._array
    return wrap(engine.zeros(before + array.shape, array.dtype))


def fill_with_zeros(
    gradients: list[Any], sources: list[Any], before: tuple[int, ...], positions: Collection[int] | None = None
) -> set[int]:
    """Put zeros at these positions, or in the place of each None; return the positions."""
    found = {i for i, each in enumerate(gradients) if each is None} if positions is None else set(positions)
    for i in found:
        gradients[i] = _zeros_for(sources[i], before)
    return found


def total_of(parts: list[Any]) -> Any:
    """The sum of the cotangents of one source's values."""
    arrived = [part for part in parts if part is not None]
    if not arrived:
        return None
    if len(arrived) == 1:
        return arrived[0]
    if all(isinstance(part, IndexedSlices) for part in arrived):
        return IndexedSlices(
            recorded.concatenate([part.values for part in arrived], axis=0),
            recorded.concatenate([part.indices for part in arrived], axis=0),
            arrived[0]._dense_shape,
        )
    total = convert(arrived[0], None)
    for part in arrived[1:]:
        total = total + convert(part, None)
    return total
