"""Iterators over datasets."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad._public import export
from whygrad.data.encoding import decode, encode
from whygrad.data.optional import Optional
from whygrad.data.stage import Run
from whygrad.data.structure import map_structure
from whygrad.modules.tracking import Saved
from whygrad.ragged.tensor import RaggedTensor
from whygrad.sparse.construction import to_dense
from whygrad.sparse.tensor import SparseTensor
from whygrad.values.errors import OpRuntimeError, OutOfRangeError
from whygrad.values.faults import Uncompilable
from whygrad.values.recorders import left_function, state
from whygrad.values.tensor import Tensor

if TYPE_CHECKING:
    from whygrad.data.dataset import Dataset


@export("data.Iterator")
class Iterator(Saved):
    """An iterator over a dataset, in Python's way or by `get_next`. A checkpoint saves its position.

    >>> import whygrad as tf
    >>> iterator = iter(tf.data.Dataset.from_tensor_slices([1.0, 2.0]))
    >>> next(iterator).numpy(), iterator.get_next().numpy()
    (np.float32(1.0), np.float32(2.0))
    >>> try:
    ...     iterator.get_next()
    ... except tf.errors.OutOfRangeError as error:
    ...     print(error)
    End of sequence
    """

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset  # a dataset that only its iterator holds lives as long
        self._stage = dataset._stage
        self._lock = threading.Lock()  # threads may share an iterator
        self._pack: Any = None
        self._cursor = self._begin()

    def _begin(self) -> Any:
        with left_function():
            return self._stage.cursor(Run())

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._dataset.element_spec

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        if state.context is not None:
            raise OpRuntimeError(Uncompilable(wording="an iterator returns another element at each call"))
        with self._lock:
            if state.recorders:
                with left_function():
                    flat = next(self._cursor)
            else:
                flat = next(self._cursor)
            if self._pack is None:
                self._pack = self._stage.layout.pack
            return self._pack(flat)

    def get_next(self, name: str | None = None) -> Any:
        """The next element; raises OutOfRangeError at the end."""
        try:
            return next(self)
        except StopIteration:
            raise OutOfRangeError(None, None, "End of sequence") from None

    def get_next_as_optional(self) -> Optional:
        """The next element as an `Optional`, which has no value at the end."""
        try:
            return Optional(next(self), True, self.element_spec)
        except StopIteration:
            return Optional.empty(self.element_spec)

    # -- checkpoints --

    def _saved_array(self) -> np.ndarray[Any, Any]:
        """The position, for a checkpoint."""
        with self._lock, left_function():
            return np.frombuffer(encode(self._cursor.save()), np.uint8)

    def _restore_array(self, array: np.ndarray[Any, Any]) -> None:
        """Take the position that a checkpoint has."""
        with self._lock, left_function():
            self._cursor = self._stage.cursor(Run())
            self._cursor.restore(decode(array.tobytes()))


class NumpyIterator:
    """An iterator over the elements of a dataset as NumPy arrays."""

    def __init__(self, iterator: Iterator) -> None:
        self._iterator = iterator

    def __iter__(self) -> NumpyIterator:
        return self

    def __next__(self) -> Any:
        return map_structure(_as_numpy, next(self._iterator))

    def __repr__(self) -> str:
        return f"NumpyIterator(iterator={self._iterator!r})"


def _as_numpy(value: Any) -> Any:
    if isinstance(value, Tensor | RaggedTensor):
        return value.numpy()
    if isinstance(value, SparseTensor):
        return to_dense(value).numpy()
    return value.as_numpy_iterator() if hasattr(value, "as_numpy_iterator") else value
