"""Elements of datasets: nested tuples, dicts and named tuples of tensors. A list in them is a value, which becomes one tensor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

Element = Any  # a nested structure of tensors, and None


def children_of(structure: Any) -> list[Any] | None:
    """The parts of a tuple or dict, a dict's in the order of its keys; None for anything else."""
    if isinstance(structure, tuple) and not isinstance(structure, TensorShape):
        return list(structure)
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted(structure)]
    return None


def rebuild(structure: Any, parts: Sequence[Any]) -> Any:
    """A tuple or dict like `structure` with other parts."""
    if isinstance(structure, Mapping):
        found = dict(zip(sorted(structure), parts))
        return {key: found[key] for key in structure}
    return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)


def map_structure(function: Callable[..., Any], structure: Any, *others: Any) -> Any:
    """The structure with `function` applied to its leaves, and to those of `others` of the same form."""
    parts = children_of(structure)
    if parts is None:
        return function(structure, *others)
    rest = [children_of(each) or [] for each in others]
    return rebuild(structure, [map_structure(function, *each) for each in zip(parts, *rest)])


def flatten(structure: Any) -> list[Any]:
    """The leaves."""
    parts = children_of(structure)
    if parts is None:
        return [structure]
    return [leaf for part in parts for leaf in flatten(part)]


def as_element(structure: Any) -> Element:
    """A structure of values as an element: its leaves become tensors."""
    return map_structure(_as_component, structure)


def _as_component(value: Any) -> Any:
    if value is None or isinstance(value, IndexedSlices) or hasattr(value, "element_spec"):
        return value
    return convert(value, None)


def spec_of(element: Element) -> Any:
    """The structure with the spec of each tensor."""
    return map_structure(_spec_of, element)


def _spec_of(value: Any) -> Any:
    return TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value


def with_batch_axis(spec: Any, size: int | None) -> Any:
    """The specs of a batch of elements of these specs."""
    return map_structure(
        lambda each: (
            TensorSpec(as_shape([size]).concatenate(each.shape), each.dtype) if isinstance(each, TensorSpec) else each
        ),
        spec,
    )


def without_batch_axis(spec: Any) -> Any:
    """The specs of one element of a batch."""
    return map_structure(
        lambda each: TensorSpec(each.shape[1:], each.dtype) if isinstance(each, TensorSpec) else each, spec
    )


def array_of(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The value of a tensor."""
    return value_of(tensor)


def row(tensor: Tensor, index: int) -> Tensor:
    """One row of a tensor, without a copy: tensors never change."""
    return wrap(value_of(tensor)[index])


def rows_in(element: Element) -> int:
    """The number of rows of the tensors in an element, which must agree."""
    sizes = []
    for each in flatten(element):
        if isinstance(each, Tensor):
            if not each.ndim:
                raise OpValueError("Unbatching a tensor is only supported for rank >= 1")
            sizes.append(len(each))
    if not sizes:
        raise OpValueError("Invalid `tensors`. `tensors` is empty.")
    if len(set(sizes)) > 1:
        raise OpValueError(f"Dimensions {sizes[0]} and {next(s for s in sizes if s != sizes[0])} are not compatible")
    return sizes[0]


def stacked(elements: Sequence[Element]) -> Element:
    """A batch of elements."""

    def stack(*values: Any) -> Any:
        if not isinstance(values[0], Tensor):
            return values[0]
        arrays = [value_of(each) for each in values]
        shapes = {array.shape for array in arrays}
        if len(shapes) > 1:
            from whygrad.values.errors import invalid

            first, other = arrays[0].shape, next(array.shape for array in arrays if array.shape != arrays[0].shape)
            raise invalid(
                f"Cannot batch tensors with different shapes in component 0. First element had shape {list(first)} and element "
                f"{[array.shape for array in arrays].index(other)} had shape {list(other)}."
            )
        return wrap(np.stack(arrays))

    return map_structure(stack, *elements)


def as_specs(specs: Any) -> Any:
    """An `output_signature` as a structure of specs, checked."""

    def check(spec: Any) -> Any:
        if not isinstance(spec, TensorSpec):
            raise OpTypeError(
                f"`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found {spec!r}"
            )
        return spec

    return map_structure(check, specs)
