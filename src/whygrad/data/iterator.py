"""Iterators over datasets, and the state that one iteration has."""

from __future__ import annotations

import collections
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

from whygrad._public import export
from whygrad.data.optional import Optional
from whygrad.ops.random import StreamsOfFunction, streams_of_function
from whygrad.values.errors import OutOfRangeError
from whygrad.values.recorders import left_function

if TYPE_CHECKING:
    from whygrad.data.dataset import Dataset


class Run:
    """One iteration over a dataset: what the datasets that it is made of keep from element to element.

    TensorFlow traces the function of `map` and its kin: its random ops have numbers in that function, and each continues its own
    numbers from call to call. A new iterator begins anew.
    """

    def __init__(self) -> None:
        self._streams: dict[int, StreamsOfFunction] = collections.defaultdict(StreamsOfFunction)

    def calling(self, owner: Dataset, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function of a dataset, as this iteration calls it."""
        streams = self._streams[id(owner)]

        def call(*args: Any) -> Any:
            with streams_of_function(streams):
                return function(*args)

        return call


@export("data.Iterator")
class Iterator:
    """An iterator over a dataset, in Python's way or by `get_next`.

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
        self._elements: Generator[Any, None, None] = dataset._elements(Run())

    @property
    def element_spec(self) -> Any:
        """The specs of the elements."""
        return self._dataset.element_spec

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        with left_function():
            return next(self._elements)

    def get_next(self) -> Any:
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
