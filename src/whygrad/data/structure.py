"""Elements of datasets: nested tuples, dicts and named tuples of tensors. A list in them is a value, which becomes one tensor.

Between the stages of a pipeline an element is flat: a tuple of its *components*, NumPy arrays in place of tensors. A `Layout` takes
elements apart and puts them together.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad.compile.signature import Place, packer
from whygrad.ragged.joining import concat
from whygrad.ragged.spec import RaggedTensorSpec
from whygrad.ragged.tensor import RaggedTensor, from_splits, splits_of
from whygrad.sparse import shaping as sparse
from whygrad.sparse.spec import SparseTensorSpec
from whygrad.sparse.tensor import SparseTensor
from whygrad.sparse.tensor import row_of as sparse_row
from whygrad.values import dtypes
from whygrad.values.composite import CompositeTensor
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError, invalid
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import DeviceTensor, Tensor, value_of, wrap
from whygrad.values.weak_tensor import WeakTensor

Element = Any  # a nested structure of tensors, and None
Component = Any  # an array; or an object that is handed on as it is: None, a dataset, an optional, a ragged tensor
Flat = tuple[Component, ...]
_ARRAYS = (np.ndarray, np.generic)  # a union would be rebuilt at each check


def children_of(structure: Any) -> list[Any] | None:
    """The parts of a tuple or dict, a dict's in the order of its keys; None for anything else."""
    kind = type(structure)
    if kind is Tensor or kind is DeviceTensor:
        return None
    if kind is tuple:
        return list(structure)
    if isinstance(structure, tuple):
        return list(structure)
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted(structure)]
    if dataclasses.is_dataclass(structure) and hasattr(structure, "__tf_flatten__"):
        return list(structure.__tf_flatten__()[1])
    return None


def rebuild(structure: Any, parts: Sequence[Any]) -> Any:
    """A tuple or dict like `structure` with other parts."""
    if isinstance(structure, Mapping):
        found = dict(zip(sorted(structure), parts))
        ordered = {key: found[key] for key in structure}
        return ordered if type(structure) is dict else type(structure)(ordered)  # type: ignore[call-arg]
    if hasattr(structure, "__tf_unflatten__"):
        return structure.__tf_unflatten__(structure.__tf_flatten__()[0], tuple(parts))
    return type(structure)(*parts) if hasattr(structure, "_fields") else tuple(parts)


def map_structure(function: Callable[..., Any], structure: Any, *others: Any) -> Any:
    """The structure with `function` applied to its leaves, and to those of `others` of the same form."""
    if not others:  # tuples and dicts, as most elements are, in less time
        kind = type(structure)
        if kind is tuple:
            return tuple([map_structure(function, each) for each in structure])
        if kind is dict:
            done = {key: map_structure(function, structure[key]) for key in sorted(structure)}
            return {key: done[key] for key in structure}
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


def same_structure(one: Any, other: Any) -> bool:
    """Whether two structures have the same nesting and the same keys."""
    parts, others = children_of(one), children_of(other)
    if parts is None or others is None:
        return parts is None and others is None
    if isinstance(one, Mapping) != isinstance(other, Mapping) or len(parts) != len(others):
        return False
    if isinstance(one, Mapping) and sorted(one) != sorted(other):
        return False
    return all(same_structure(*each) for each in zip(parts, others))


def as_element(structure: Any) -> Element:
    """A structure of values as an element: its leaves become tensors."""
    if holds_tensors(structure):
        return structure
    return map_structure(as_component, structure)


def holds_tensors(structure: Any) -> bool:
    """Whether a structure is a tensor, or a plain tuple of tensors: an element as it stands."""
    kind = type(structure)
    if kind is tuple:
        for each in structure:
            if type(each) is not Tensor:
                return False
        return bool(structure)
    return kind is Tensor


def as_component(value: Any) -> Any:
    """A leaf of an element: a tensor, None, or an object that is handed on as it is."""
    if type(value) is Tensor or value is None or is_composite(value):
        return value
    return convert(value, None)


def is_composite(value: Any) -> bool:
    """Whether a value is handed on as it is: a dataset, an optional, a ragged or sparse tensor."""
    if isinstance(value, WeakTensor):
        return False  # the tensor is the element
    return isinstance(value, IndexedSlices | CompositeTensor) or hasattr(value, "element_spec")


def as_returned(value: Any) -> Element:
    """What a function returned, as an element: a list there is a tuple."""
    return as_element(tuple(value) if type(value) is list else value)


# -- specs --


def spec_of(element: Element) -> Any:
    """The structure with the spec of each tensor."""
    return map_structure(spec_of_value, element)


def spec_of_value(value: Any) -> Any:
    """The spec of one value; None for None."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, RaggedTensor):
        return RaggedTensorSpec.from_value(value)
    if isinstance(value, SparseTensor):
        return SparseTensorSpec(value.shape, value.dtype)
    found = getattr(value, "_type_spec", None)
    return value if found is None else found


def of_unknown_sizes(spec: Any) -> Any:
    """The spec with all sizes unknown."""

    def of_unknown(each: Any) -> Any:
        if not isinstance(each, TensorSpec | SparseTensorSpec | RaggedTensorSpec) or each.shape.rank is None:
            return each
        sizes = [None] * each.shape.rank
        if isinstance(each, RaggedTensorSpec):
            return RaggedTensorSpec(sizes, each.dtype, each.ragged_rank, each.row_splits_dtype)
        return type(each)(sizes, each.dtype)

    return map_structure(of_unknown, spec)


def with_batch_axis(spec: Any, size: int | None) -> Any:
    """The specs of a batch of elements of these specs."""

    def batched(each: Any) -> Any:
        if isinstance(each, TensorSpec | SparseTensorSpec):
            return type(each)(as_shape([size]).concatenate(each.shape), each.dtype)
        if isinstance(each, RaggedTensorSpec):
            shape = as_shape([size]).concatenate(each.shape)
            return RaggedTensorSpec(shape, each.dtype, each.ragged_rank + 1, each.row_splits_dtype)
        return each

    return map_structure(batched, spec)


def without_batch_axis(spec: Any) -> Any:
    """The specs of one element of a batch."""

    def row_of(each: Any) -> Any:
        if isinstance(each, TensorSpec | SparseTensorSpec):
            return type(each)(each.shape if each.shape.rank is None else each.shape[1:], each.dtype)
        if isinstance(each, RaggedTensorSpec):
            return RaggedTensorSpec(each.shape[1:], each.dtype, each.ragged_rank - 1, each.row_splits_dtype)
        return each

    return map_structure(row_of, spec)


def as_dense(spec: Any) -> Any:
    """The specs as functions see the elements: a ragged tensor without a ragged axis is a tensor."""

    def dense(each: Any) -> Any:
        if isinstance(each, RaggedTensorSpec) and not each.ragged_rank:
            return TensorSpec(each.shape, each.dtype)
        return each

    return map_structure(dense, spec)


def common_spec(one: Any, other: Any) -> Any:
    """The narrowest specs that elements of both specs fit; raises TypeError where there is none."""
    if same_structure(one, other):
        try:
            return map_structure(lambda a, b: a if a is None else a.most_specific_compatible_type(b), one, other)
        except (ValueError, AttributeError):
            pass
    raise OpTypeError(f"Incompatible dataset elements:\n  {one} vs.   {other}")


def as_specs(specs: Any) -> Any:
    """An `output_signature` as a structure of specs, checked."""

    def check(spec: Any) -> Any:
        if not hasattr(spec, "is_compatible_with") or isinstance(spec, TensorShape | dtypes.DType):
            raise OpTypeError(
                f"`output_signature` must contain objects that are subclass of `tf.TypeSpec` but found {type(spec)} which is not."
            )
        return spec

    return map_structure(check, specs)


# -- flat elements --


def component_of(value: Any) -> Component:
    """A leaf of an element as a component."""
    return value_of(value) if isinstance(value, Tensor) else value


def value_of_component(component: Component) -> Any:
    """A component as a leaf of an element."""
    return wrap(component) if isinstance(component, _ARRAYS) else component


def flat_of(element: Element) -> Flat:
    """The components of an element."""
    kind = type(element)
    if kind is Tensor:
        return (element._array,)
    if kind is tuple:
        arrays = []
        for each in element:
            if type(each) is not Tensor:
                break
            arrays.append(each._array)
        else:
            return tuple(arrays)
    return tuple([component_of(each) for each in flatten(element)])


class Layout:
    """How the elements of a dataset are taken apart and put together, given the structure of their specs."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.specs = flatten(spec)
        # Whether a function of an element takes its parts as separate arguments.
        self.is_tuple = type(spec) is tuple
        self._is_flat = self.is_tuple and all(children_of(each) is None for each in spec)
        number = itertools.count()
        self._pack = packer(map_structure(lambda _: Place(next(number)), spec))

    def pack(self, flat: Flat) -> Element:
        """The element with these components."""
        return self._pack([value_of_component(each) for each in flat])

    def arguments(self, flat: Flat) -> tuple[Any, ...]:
        """The arguments of a function that is called on the element with these components."""
        if self._is_flat:
            return tuple([value_of_component(each) for each in flat])
        packed = self.pack(flat)
        return packed if self.is_tuple else (packed,)

    def describe(self, flat: Flat) -> str:
        """The dtypes and shapes of an element, for messages."""
        return ", ".join([_described(each) for each in flat])


def _described(component: Component) -> str:
    if isinstance(component, np.ndarray | np.generic):
        return f"{dtypes.of_array(np.asarray(component)).name} {component.shape}"
    return type(component).__name__


def row_of(component: Component, index: int) -> Component:
    """One row of a component, without a copy: tensors never change."""
    if isinstance(component, np.ndarray):
        found = component[index]
        return found if isinstance(found, np.ndarray) else _scalar(found, component.dtype)
    if isinstance(component, SparseTensor):
        return sparse_row(component, index)
    return component_of(component[index])


def _scalar(value: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    if dtype.kind == "O":
        made = np.empty((), object)
        made[()] = value
        return made
    return np.asarray(value)


def rows_in(element: Element) -> int:
    """The number of rows of the tensors in an element, which must agree."""
    sizes = []
    for each in flatten(element):
        if isinstance(each, Tensor):
            if not each.ndim:
                raise OpValueError("Unbatching a tensor is only supported for rank >= 1")
            sizes.append(len(each))
        elif each is not None and hasattr(each, "shape"):
            sizes.append(int(each.shape[0]))
    if not sizes:
        raise OpValueError("Invalid `element`. `element` should not be empty.")
    if len(set(sizes)) > 1:
        raise OpValueError(f"Dimensions {sizes[0]} and {next(s for s in sizes if s != sizes[0])} are not compatible")
    return sizes[0]


def stacked(elements: Sequence[Flat]) -> Flat:
    """A batch of flat elements."""
    return tuple([stack(column, number) for number, column in enumerate(zip(*elements))])


def stack(column: Sequence[Component], number: int = 0) -> Component:
    """A batch of the components in one place, of equal shapes; `number` is the place, for messages."""
    first = column[0]
    if not isinstance(first, np.ndarray):
        if first is None:
            return None
        if isinstance(first, SparseTensor):
            return sparse.stacked(column)
        if isinstance(first, RaggedTensor):
            return _as_rows(column, number, first.row_splits.dtype.numpy_dtype)
        raise OpTypeError(f"elements of class {type(first).__name__} cannot be batched: map them to tensors first")
    shape, dtype = first.shape, first.dtype
    if not shape:
        made = np.empty(len(column), dtype)
        try:
            for i, each in enumerate(column):
                made[i] = each if dtype.kind != "O" else each[()]
        except ValueError:
            raise _different_shapes(column, number) from None
        if any(each.shape for each in column):
            raise _different_shapes(column, number)
        return made
    for each in column:
        if each.shape != shape:
            raise _different_shapes(column, number)
    return np.concatenate([each[np.newaxis] for each in column]) if len(column) > 1 else first[np.newaxis]


def stacked_as(specs: Sequence[Any], elements: Sequence[Flat]) -> Flat:
    """A batch of flat elements, in which rows of different lengths become ragged tensors where the specs say so."""
    columns = []
    for number, (spec, column) in enumerate(zip(specs, zip(*elements))):
        if isinstance(spec, RaggedTensorSpec):
            columns.append(_as_rows(column, number, spec.row_splits_dtype.numpy_dtype))
        else:
            columns.append(stack(column, number))
    return tuple(columns)


def _as_rows(column: Sequence[Component], number: int, splits_dtype: Any) -> RaggedTensor:
    """A ragged tensor whose rows are these arrays or ragged tensors."""
    if all(isinstance(each, RaggedTensor) for each in column):
        values = concat(list(column), 0)
        lengths = [each._count() for each in column]
    else:
        if len({each.shape[1:] for each in column}) > 1:
            raise _different_shapes(column, number)
        values = wrap(np.concatenate(column))
        lengths = [len(each) for each in column]
    return from_splits(values, splits_of(np.array(lengths), splits_dtype))


def _different_shapes(column: Sequence[Component], number: int) -> Exception:
    first = column[0].shape
    place, other = next((i, each.shape) for i, each in enumerate(column) if each.shape != first)
    return invalid(
        f"Cannot batch tensors with different shapes in component {number}. First element had shape {list(first)} and element "
        f"{place} had shape {list(other)}. padded_batch pads the elements of a batch to one shape."
    )
