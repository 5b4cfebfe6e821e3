"""Several elements as one, and one as several: batch, padded_batch, ragged_batch, unbatch, rebatch and window."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.data.options import UNKNOWN_CARDINALITY
from whygrad.data.sources import Elements
from whygrad.data.stage import Cursor, CursorOf, Of, Run, Stage, State, cached, known_spec, saved_elements
from whygrad.data.structure import (
    Flat,
    children_of,
    flatten,
    map_structure,
    row_of,
    stacked_as,
    with_batch_axis,
    without_batch_axis,
)
from whygrad.data.transforms import joined
from whygrad.ragged.spec import RaggedTensorSpec
from whygrad.sparse.spec import SparseTensorSpec
from whygrad.sparse.tensor import from_arrays
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import DataLossError, OpNotImplementedError, OpTypeError, OpValueError, invalid
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap


class Batched(Of):
    """Batches of elements of equal shapes."""

    name = "_BatchDataset"

    def __init__(self, source: Stage, rows: int, drops: bool) -> None:
        super().__init__(source)
        if rows < 1:
            raise invalid("Batch size must be greater than zero. [Op:BatchDatasetV2]")
        self.rows = rows
        self.drops = drops

    def cursor(self, run: Run) -> Cursor:
        """An iteration that takes `rows` elements at a time."""
        return _BatchCursor(_rows_of(self.source, run), self.rows, self.drops)

    @cached
    def spec(self) -> Any:
        """The specs with a batch axis."""
        return with_batch_axis(self.source.spec, self.rows if self.drops else None)

    @property
    def size(self) -> int:
        """The number of batches."""
        size = self.source.size
        return size if size < 0 else size // self.rows if self.drops else -(-size // self.rows)


class _BatchCursor(CursorOf):
    def __init__(self, source: Cursor, rows: int, drops: bool) -> None:
        super().__init__(source)
        self._rows = rows
        self._drops = drops

    def __next__(self) -> Flat:
        found, count = self.source.block(self._rows)
        if not count or (self._drops and count < self._rows):
            raise StopIteration
        return found


class _RaggedRows(CursorOf):
    """Elements that become rows of ragged tensors where the specs say so."""

    def __init__(self, source: Cursor, specs: list[Any]) -> None:
        super().__init__(source)
        self._specs = specs

    def __next__(self) -> Flat:
        return next(self.source)

    def block(self, count: int) -> tuple[Flat, int]:
        elements = list(itertools.islice(self.source, count))
        return (stacked_as(self._specs, elements) if elements else ()), len(elements)


def _rows_of(stage: Stage, run: Run) -> Cursor:
    """An iteration over the elements of a stage, which are to be stacked."""
    specs = flatten(known_spec(stage))
    cursor = stage.cursor(run)
    return _RaggedRows(cursor, specs) if any(isinstance(each, RaggedTensorSpec) for each in specs) else cursor


class PaddedBatched(Batched):
    """Batches of elements that are padded to one shape."""

    name = "_PaddedBatchDataset"

    def __init__(self, source: Stage, rows: int, drops: bool, shapes: Any, values: Any) -> None:
        super().__init__(source, rows, drops)
        self._shapes = self._padded_shapes(shapes)
        self._values = self._padding_values(values)

    def _padded_shapes(self, shapes: Any) -> list[TensorShape]:
        specs = flatten(self.source.spec)
        if not all(isinstance(each, TensorSpec) for each in specs):
            raise OpTypeError("padded_batch takes tensors only: ragged and sparse tensors have no padding")
        if shapes is None:
            for number, spec in enumerate(specs):
                if spec.shape.rank is None:
                    raise OpValueError(
                        f"You must provide `padded_shapes` argument because component {number} has unknown rank."
                    )
            return [each.shape for each in specs]
        if len(specs) == 1 and children_of(self.source.spec) is None:
            given = [shapes]
        else:
            given = _flat_shapes(self.source.spec, shapes)
        found = []
        for number, (spec, shape) in enumerate(zip(specs, given)):
            padded = _as_padded_shape(shape)
            if spec.shape.rank is not None and padded.rank not in (None, spec.shape.rank):
                raise OpValueError(
                    f"The padded shape {padded} is not compatible with the shape {spec.shape} of the corresponding input component."
                )
            if spec.shape.rank is not None and padded.rank is not None:
                for wanted, size in zip(padded.as_list(), spec.shape.as_list()):
                    if wanted is not None and size is not None and wanted < size:
                        raise OpValueError(
                            f"The padded shape {padded} is not compatible with the shape {spec.shape} of the corresponding "
                            f"input component (component {number})."
                        )
            found.append(padded)
        return found

    def _padding_values(self, values: Any) -> list[Any]:
        specs = flatten(self.source.spec)
        if values is None:
            given: list[Any] = [None] * len(specs)
        elif children_of(values) is None:
            given = [values] * len(specs)
        else:
            given = flatten(map_structure(lambda spec, value: (value,), self.source.spec, values))
        found = []
        for spec, value in zip(specs, given):
            if value is None:
                found.append(b"" if spec.dtype is dtypes.string else np.zeros((), spec.dtype.numpy_dtype)[()])
                continue
            as_is = isinstance(value, Tensor | np.ndarray | np.generic)
            tensor = convert(value, None)
            if tensor.dtype is not spec.dtype and (as_is or not _is_plain(tensor, spec)):
                raise OpTypeError(
                    f"Invalid `padding_values`. `padding_values` values type {tensor.dtype!r} does not match type {spec.dtype!r} "
                    "of the corresponding input component."
                )
            if tensor.ndim:
                raise OpValueError(
                    f"Invalid `padding_values`. `padding_values` values should be scalars, but got {tensor.shape}."
                )
            found.append(value_of(tensor)[()])
        return found

    def cursor(self, run: Run) -> Cursor:
        """An iteration that pads."""
        return _PaddedCursor(self.source.cursor(run), self.rows, self.drops, self._shapes, self._values)

    @cached
    def spec(self) -> Any:
        """The specs with a batch axis, and unknown sizes where elements are padded to the largest."""
        rest = iter(self._shapes)
        padded = map_structure(lambda each: TensorSpec(next(rest), each.dtype), self.source.spec)
        return with_batch_axis(padded, self.rows if self.drops else None)


def _is_plain(tensor: Tensor, spec: TensorSpec) -> bool:
    return tensor.dtype is spec.dtype


def _flat_shapes(spec: Any, shapes: Any) -> list[Any]:
    """The shapes in a structure like that of the specs; a shape may be a tuple or list itself."""
    parts = children_of(spec)
    if parts is None:
        return [shapes]
    given = children_of(shapes)
    if isinstance(shapes, list):
        given = list(shapes)
    if given is None or len(given) != len(parts):
        raise OpValueError(f"`padded_shapes` {shapes} has another structure than the elements {spec}.")
    return [leaf for each in zip(parts, given) for leaf in _flat_shapes(*each)]


def _as_padded_shape(shape: Any) -> TensorShape:
    if isinstance(shape, Tensor):
        shape = value_of(shape).tolist()
    if isinstance(shape, TensorShape):
        return shape
    sizes = [shape] if isinstance(shape, int) else [int(each) if each is not None else None for each in shape]
    return as_shape([None if each is None or each < 0 else each for each in sizes])


class _PaddedCursor(CursorOf):
    def __init__(self, source: Cursor, rows: int, drops: bool, shapes: list[TensorShape], values: list[Any]) -> None:
        super().__init__(source)
        self._rows, self._drops, self._shapes, self._values = rows, drops, shapes, values

    def __next__(self) -> Flat:
        batch = list(itertools.islice(self.source, self._rows))
        if not batch or (self._drops and len(batch) < self._rows):
            raise StopIteration
        return tuple([_padded(*each) for each in zip(zip(*batch), self._shapes, self._values)])


def _padded(column: Sequence[Any], shape: TensorShape, value: Any) -> Any:
    rank = column[0].ndim
    if shape.rank is not None and any(each.ndim != shape.rank for each in column):
        raise invalid(
            f"All elements in a batch must have the same rank as the padded shape for component: expected rank {shape.rank} but "
            f"got element with rank {next(each.ndim for each in column if each.ndim != shape.rank)}"
        )
    wanted = shape.as_list() if shape.rank is not None else [None] * rank
    sizes = [max(each.shape[i] for each in column) if size is None else size for i, size in enumerate(wanted)]
    made = np.full((len(column), *sizes), value, column[0].dtype)
    for i, each in enumerate(column):
        if any(size < actual for size, actual in zip(sizes, each.shape)):
            raise DataLossError(
                None,
                None,
                f"Attempted to pad to a smaller size than the input element: shape {list(each.shape)} does not fit into {sizes}.",
            )
        place: tuple[Any, ...] = (i, *[slice(size) for size in each.shape])
        made[place] = each
    return made


class RaggedBatched(Batched):
    """Batches in which rows of different lengths become ragged tensors."""

    def __init__(self, source: Stage, rows: int, drops: bool, splits_dtype: Any) -> None:
        super().__init__(source, rows, drops)
        self._rows_specs = map_structure(lambda each: _row_spec(each, splits_dtype), source.spec)

    def cursor(self, run: Run) -> Cursor:
        """An iteration over ragged batches."""
        rows = _RaggedRows(self.source.cursor(run), flatten(self._rows_specs))
        return _BatchCursor(rows, self.rows, self.drops)

    @cached
    def spec(self) -> Any:
        """The specs with a batch axis."""
        return with_batch_axis(self._rows_specs, self.rows if self.drops else None)


def _row_spec(spec: Any, splits_dtype: Any) -> Any:
    """The spec of rows that a batch holds: a ragged one where their lengths are not known."""
    if not isinstance(spec, TensorSpec) or spec.shape.is_fully_defined():
        return spec
    if spec.shape.rank is None or not spec.shape[1:].is_fully_defined():
        raise OpNotImplementedError(
            f"ragged_batch takes elements of which only the first size is unknown, not {spec}: pad the others with padded_batch"
        )
    return RaggedTensorSpec(spec.shape, spec.dtype, 0, splits_dtype)


class SparseBatched(Batched):
    """Batches of tensors of different sizes as sparse tensors, which hold all of their elements."""

    name = "_DenseToSparseBatchDataset"

    def __init__(self, source: Stage, rows: int, row_shape: TensorShape) -> None:
        super().__init__(source, rows, False)
        if not isinstance(source.spec, TensorSpec):
            raise OpTypeError(f"`dense_to_sparse_batch` requires elements of one tensor, not {source.spec}")
        self._row_shape = row_shape

    def cursor(self, run: Run) -> Cursor:
        """An iteration over sparse batches."""
        return _SparseCursor(self.source.cursor(run), self.rows, self._row_shape)

    @cached
    def spec(self) -> Any:
        """The spec with a batch axis."""
        return SparseTensorSpec(as_shape([None]).concatenate(self._row_shape), self.source.spec.dtype)


class _SparseCursor(_BatchCursor):
    def __init__(self, source: Cursor, rows: int, row_shape: TensorShape) -> None:
        super().__init__(source, rows, False)
        self._row_shape = row_shape

    def __next__(self) -> Flat:
        batch = [flat[0] for flat in itertools.islice(self.source, self._rows)]
        if not batch:
            raise StopIteration
        given = self._row_shape.as_list()
        for each in batch:
            if each.ndim != len(given):
                raise invalid(f"the elements have rank {each.ndim}, and row_shape has {len(given)} sizes")
            if any(limit is not None and size > limit for size, limit in zip(each.shape, given)):
                raise DataLossError(None, None, f"an element of shape {list(each.shape)} exceeds row_shape {given}")
        largest = np.max([each.shape for each in batch], axis=0)
        sizes = [int(found) if limit is None else limit for found, limit in zip(largest, given)]
        positions = [
            np.column_stack([np.full(each.size, i), np.indices(each.shape).reshape(each.ndim, each.size).T])
            for i, each in enumerate(batch)
        ]
        values = wrap(np.concatenate([each.reshape(-1) for each in batch]))
        return (from_arrays(np.concatenate(positions), values, [len(batch), *sizes]),)


class Unbatched(Of):
    """The rows of each element."""

    name = "_UnbatchDataset"

    def __init__(self, source: Stage) -> None:
        super().__init__(source)
        if any(isinstance(each, TensorSpec) and each.shape.rank == 0 for each in flatten(source.spec)):
            raise OpValueError("Cannot unbatch an input with scalar components.")

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the rows."""
        return _UnbatchCursor(self.source.cursor(run))

    @cached
    def spec(self) -> Any:
        """The specs of a row."""
        return without_batch_axis(self.source.spec)

    @property
    def size(self) -> int:
        """Known where the batches have a known size."""
        sizes = [each.shape for each in flatten(self.source.spec) if isinstance(each, TensorSpec)]
        size = self.source.size
        rows = next((shape[0] for shape in sizes if shape.rank and shape[0] is not None), None)
        if size < 0:
            return size
        return UNKNOWN_CARDINALITY if rows is None else size * rows


class _UnbatchCursor(CursorOf):
    def __init__(self, source: Cursor) -> None:
        super().__init__(source)
        self._batch: Flat = ()
        self._at = self._rows = 0

    def _fill(self) -> None:
        while self._at == self._rows:
            batch = next(self.source)
            sizes = {
                len(each) if isinstance(each, np.ndarray) else int(each.shape[0]) for each in batch if each is not None
            }
            if len(sizes) > 1:
                raise invalid(
                    f"Input element must have the same batch size in each component. Components have {sorted(sizes)} rows."
                )
            self._batch, self._at, self._rows = batch, 0, sizes.pop() if sizes else 0

    def __next__(self) -> Flat:
        self._fill()
        at = self._at
        self._at = at + 1
        return tuple([None if each is None else row_of(each, at) for each in self._batch])

    def block(self, count: int) -> tuple[Flat, int]:
        parts: list[Flat] = []
        found = 0
        while found < count:
            try:
                self._fill()
            except StopIteration:
                break
            if not all(isinstance(each, np.ndarray) for each in self._batch):
                return super().block(count)
            end = min(self._at + count - found, self._rows)
            parts.append(tuple([each[self._at : end] for each in self._batch]))
            found += end - self._at
            self._at = end
        return (joined(parts) if parts else ()), found

    def save(self) -> State:
        return {"source": self.source.save(), "batch": list(self._batch), "at": self._at, "rows": self._rows}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._batch, self._at, self._rows = tuple(state["batch"]), state["at"], state["rows"]


class Rebatched(Of):
    """Batches of other sizes."""

    name = "_RebatchDataset"

    def __init__(self, source: Stage, sizes: list[int], drops: bool) -> None:
        super().__init__(source)
        self._rows = Unbatched(source)
        self._sizes = sizes
        self._drops = drops

    def cursor(self, run: Run) -> Cursor:
        """An iteration over batches of these sizes in turn."""
        return _RebatchCursor(_rows_of(self._rows, run), self._sizes, self._drops)

    @cached
    def spec(self) -> Any:
        """The specs with the new batch size, where it is always the same."""
        known = self._drops and len(set(self._sizes)) == 1
        return with_batch_axis(self._rows.spec, self._sizes[0] if known else None)

    @property
    def size(self) -> int:
        """Not known."""
        return UNKNOWN_CARDINALITY


class _RebatchCursor(CursorOf):
    def __init__(self, source: Cursor, sizes: list[int], drops: bool) -> None:
        super().__init__(source)
        self._sizes = sizes
        self._drops = drops
        self._turn = 0

    def __next__(self) -> Flat:
        wanted = self._sizes[self._turn % len(self._sizes)]
        found, count = self.source.block(wanted)
        if not count or (self._drops and count < wanted):
            raise StopIteration
        self._turn += 1
        return found

    def save(self) -> State:
        return {"source": self.source.save(), "turn": self._turn}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._turn = state["turn"]


class Windows(Of):
    """Elements that are datasets of elements that follow each other."""

    name = "_WindowDataset"

    def __init__(
        self,
        source: Stage,
        size: int,
        shift: int,
        stride: int,
        drops: bool,
        as_dataset: Callable[[Stage], Any],
        as_spec: Callable[[Any], Any],
    ) -> None:
        super().__init__(source)
        for value, what in ((size, "size"), (shift, "shift"), (stride, "stride")):
            if value < 1:
                raise invalid(f"Window {what} must be greater than zero. [Op:WindowDataset]")
        self._window, self.shift, self.stride, self.drops = size, shift, stride, drops
        self._as_dataset, self._as_spec = as_dataset, as_spec

    def cursor(self, run: Run) -> Cursor:
        """An iteration over the windows."""
        return _WindowCursor(self, self.source.cursor(run))

    @property
    def window(self) -> int:
        """The number of elements of a window."""
        return self._window

    def element(self, elements: list[Flat]) -> Flat:
        """The structure of datasets for the elements of one window."""
        leaves = flatten(self.source.spec)
        return tuple(
            [self._as_dataset(Elements([(each[i],) for each in elements], spec)) for i, spec in enumerate(leaves)]
        )

    @cached
    def spec(self) -> Any:
        """A dataset in the place of each tensor."""
        return map_structure(self._as_spec, self.source.spec)

    @property
    def size(self) -> int:
        """The number of windows."""
        size = self.source.size
        if size < 0:
            return size
        if self.drops:
            reach = (self._window - 1) * self.stride + 1
            return max(0, (size - reach) // self.shift + 1) if size >= reach else 0
        return -(-size // self.shift)


class _WindowCursor(CursorOf):
    def __init__(self, stage: Windows, source: Cursor) -> None:
        super().__init__(source)
        self._stage = stage
        self._buffer: collections.deque[Flat] = collections.deque()
        self._is_over = False
        self._skip = 0

    def __next__(self) -> Flat:
        stage = self._stage
        reach = (stage.window - 1) * stage.stride + 1
        if self._skip and not self._is_over:
            self._is_over = self.source.skip(self._skip) < self._skip
            self._skip = 0
        while len(self._buffer) < reach and not self._is_over:
            try:
                self._buffer.append(next(self.source))
            except StopIteration:
                self._is_over = True
        if not self._buffer or (stage.drops and len(self._buffer) < reach):
            raise StopIteration
        window = list(itertools.islice(self._buffer, 0, reach, stage.stride))
        for _ in range(min(stage.shift, len(self._buffer))):
            self._buffer.popleft()
        self._skip = max(0, stage.shift - reach)
        return stage.element(window)

    def save(self) -> State:
        kept = saved_elements(self._buffer)
        return {"source": self.source.save(), "buffer": kept, "over": self._is_over, "skip": self._skip}

    def restore(self, state: State) -> None:
        self.source.restore(state["source"])
        self._buffer = collections.deque(tuple(each) for each in state["buffer"])
        self._is_over, self._skip = state["over"], state["skip"]
