"""TensorArray: a list of tensors to write to and read from in a loop, which tapes watch like any other tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.creation import zeros
from whygrad.ops.elementwise import cast
from whygrad.ops.shaping import concat, stack, unstack
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import OpNotImplementedError, OpValueError, OutOfRangeError, invalid
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape, as_shape
from whygrad.values.tensor import Tensor, value_of, wrap


@export("TensorArray")
class TensorArray:
    """A list of `size` tensors of one dtype and, unless `infer_shape=False`, one shape.

    Writing returns the array to continue with. An element that was never written reads as zeros; reading clears an element
    unless `clear_after_read=False`.

    >>> import whygrad as tf
    >>> squares = tf.TensorArray(tf.float32, size=3)
    >>> for i in range(3):
    ...     squares = squares.write(i, float(i * i))
    >>> squares.stack().numpy()
    array([0., 1., 4.], dtype=float32)
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if handle is not None:
            raise OpValueError("TensorArray handles are not supported when eager execution is enabled.")
        if state.context is not None:
            self._compile(size)
        if size is None:
            raise OpValueError("Size must be declared for TensorArrays when eager execution is enabled.")
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic_size = bool(dynamic_size)
        self._clear_after_read = clear_after_read is not False and state.context is None  # as in TensorFlow
        self._infer_shape = infer_shape
        self._element_shape = as_shape(element_shape)
        self._tensors: list[Tensor | None] = [None] * known_index(size)
        self._cleared: set[int] = set()  # read, and so cleared

    def _compile(self, size: Any) -> None:
        """Inside a function that is being compiled, become an array that accepts symbolic indices."""
        from whygrad.ops.compiled_array import CompiledTensorArray

        self.__class__ = CompiledTensorArray
        self._begin(size)

    def _begin(self, size: Any) -> None:
        raise NotImplementedError

    # -- attributes --

    @property
    def dtype(self) -> dtypes.DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The shape of the elements, as far as known."""
        return self._element_shape

    @property
    def dynamic_size(self) -> bool:
        """Whether writing past the end extends the array."""
        return self._dynamic_size

    @property
    def flow(self) -> Tensor:
        """A dummy tensor: eager code runs in program order."""
        return wrap(np.array(0, np.int32))

    @property
    def handle(self) -> None:
        """None: there is no separate resource."""
        return

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        return wrap(np.array(len(self._tensors), np.int32))

    # -- for compiled functions --

    @property
    def count(self) -> int:
        """The number of elements, as a Python int."""
        return len(self._tensors)

    @property
    def elements(self) -> list[Tensor | None]:
        """The elements, None for unwritten ones."""
        return self._tensors

    @property
    def buffer(self) -> Tensor | None:
        """All elements as one tensor, if they are stored as one."""
        return None

    def of(self, elements: list[Tensor | None]) -> TensorArray:
        """An array of the same kind with other elements."""
        new = TensorArray(
            self._dtype,
            len(elements),
            self._dynamic_size,
            self._clear_after_read,
            infer_shape=self._infer_shape,
            element_shape=self._element_shape,
        )
        new._tensors = list(elements)
        return new

    # -- one element --

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`."""
        at = known_index(index)
        if not 0 <= at < len(self._tensors):
            raise unreadable(at, len(self._tensors))
        if at in self._cleared:
            raise invalid(
                f"Could not read index {at} twice because it was cleared after a previous read (perhaps try setting "
                "clear_after_read = false?)"
            )
        element = self._element(at)
        if self._clear_after_read:
            self._tensors[at] = None
            self._cleared.add(at)
        return element

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write `value` at `index`; returns the array to continue with."""
        at = known_index(index)
        if at < 0 or (at >= len(self._tensors) and not self._dynamic_size):
            raise unwritable(at, len(self._tensors))
        tensor = self._to_write(value)
        self._tensors.extend([None] * (at + 1 - len(self._tensors)))
        self._tensors[at] = tensor
        self._cleared.discard(at)
        return self

    def _to_write(self, value: Any) -> Tensor:
        """Convert a value to an element, or raise."""
        tensor = convert_to_tensor(value, dtype_hint=self._dtype)
        if tensor.dtype is not self._dtype:
            raise invalid(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype {tensor.dtype.name}"
            )
        if not self._element_shape.is_compatible_with(tensor.shape):
            raise OpValueError(f"Incompatible shape for value ({tensor.shape}), expected ({self._element_shape})")
        if self._infer_shape:
            self._element_shape = self._element_shape.merge_with(tensor.shape)
        return tensor

    def _element(self, at: int) -> Tensor:
        """The element, zeros if it was never written."""
        tensor = self._tensors[at]
        return zeros(self._known_shape(), self._dtype) if tensor is None else tensor

    def _known_shape(self) -> TensorShape:
        if not self._element_shape.is_fully_defined():
            raise OpValueError(
                f"Cannot convert a partially known TensorShape {self._element_shape} to a Tensor.\n  an element of this "
                "TensorArray was never written, or was read before, and its shape is not known: write it, or give "
                "element_shape= (or clear_after_read=False)"
            )
        return self._element_shape

    # -- several elements --

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor, along a new first axis."""
        return self._stacked(list(range(len(self._tensors))))

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` as one tensor, along a new first axis."""
        wanted = _indices(indices)
        for at in wanted:
            if not -len(self._tensors) <= at < len(self._tensors):
                raise _out_of_range(f"Tried to read from index {at} but array size is: {len(self._tensors)}")
        return self._stacked(wanted)

    def _stacked(self, indices: list[int]) -> Tensor:
        if not indices:
            shape = self._element_shape
            return zeros((0, *shape.as_list()) if shape.is_fully_defined() else (0,), self._dtype)
        return stack([self._element(at) for at in indices])

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenate all elements, of rank at least 1, along their first axis."""
        elements = [self._element(at) for at in range(len(self._tensors))]
        for at, element in enumerate(elements):
            if not element.ndim:
                raise invalid(f"Concat saw a scalar shape at index {at} but requires at least vectors.")
        return concat(elements, 0) if elements else self._stacked([])

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Take the tensors along the first axis of `value` as the elements."""
        elements = unstack(self._converted(value))
        if len(elements) > len(self._tensors) and not self._dynamic_size:
            raise OpValueError(
                f"Cannot unstack {len(elements)} tensors into a TensorArray of static size {len(self._tensors)}"
            )
        return self._replace(elements)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Write the tensors along the first axis of `value` at `indices`."""
        for at, element in zip(_indices(indices), unstack(convert_to_tensor(value, dtype_hint=self._dtype))):
            self.write(at, element)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Take pieces of these lengths along the first axis of `value` as the elements."""
        tensor = self._converted(value)
        sizes = value_of(convert(lengths, None))
        if sizes.ndim != 1:
            raise invalid(f"Expected lengths to be a vector, received shape: {list(sizes.shape)}")
        if not tensor.ndim:
            raise invalid("Expected value to be at least a vector, but received shape: []")
        if int(sizes.sum()) != tensor._array.shape[0]:
            raise invalid(
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{int(sizes.sum())} and value's shape is: {list(tensor._array.shape)}"
            )
        if len(sizes) != len(self._tensors) and not self._dynamic_size:
            raise invalid(
                "TensorArray's size is not equal to the size of lengths "
                f"({len(self._tensors)} vs. {len(sizes)}), and the TensorArray is not marked as dynamically resizeable."
            )
        ends = np.cumsum(sizes).tolist()
        return self._replace([tensor[start:end] for start, end in zip([0, *ends], ends)])

    def _converted(self, value: Any) -> Tensor:
        """Convert a value to a tensor of the array's dtype, from which elements are taken."""
        tensor = convert_to_tensor(value, dtype_hint=self._dtype)
        return tensor if tensor.dtype is self._dtype else cast(tensor, self._dtype)

    def _replace(self, elements: list[Tensor]) -> TensorArray:
        self._tensors = list(elements)
        self._cleared.clear()
        return self

    def identity(self) -> TensorArray:
        """The array itself."""
        return self

    def grad(self, source: Any, flow: Any = None, name: str | None = None) -> Any:
        """Not available: take gradients with a tape, which watches the elements."""
        raise OpNotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient implementation does not use/need "
            "this function to compute gradients of operations that use TensorArrays."
        )

    def close(self, name: str | None = None) -> None:
        """Release the elements."""
        self._tensors = []


def known_index(value: Any) -> int:
    """Convert an index to a Python int."""
    return int(value_of(convert(value, None))) if not isinstance(value, int) else value


def _indices(value: Any) -> list[int]:
    return [int(at) for at in value_of(convert(value, None)).ravel()]


def unreadable(at: int, count: int) -> OutOfRangeError:
    """The error for reading at an index out of range."""
    if at < 0:
        return _out_of_range(f"Reading from negative indices (index {at}) is not allowed.")
    return _out_of_range(f"Tried to read from index {at} but array size is: {count}")


def unwritable(at: int, count: int) -> OutOfRangeError:
    """The error for writing at an index out of range."""
    if at < 0:
        return _out_of_range(f"Writing to negative indices (index {at}) is not allowed.")
    return _out_of_range(f"Tried to write to index {at} but array is not resizeable and size is: {count}")


def _out_of_range(message: str) -> OutOfRangeError:
    return OutOfRangeError(None, None, message)
