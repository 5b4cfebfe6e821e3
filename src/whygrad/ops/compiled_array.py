"""TensorArray inside a function that is being compiled.

While all indices are known, it is a list of tensors, as in eager mode. From the first symbolic index on, and when a loop or a branch
returns it, it is one tensor with an axis for the elements: its size and their shape must then be known.
"""

from __future__ import annotations

import copy
from typing import Any

from whygrad.ops.creation import zeros
from whygrad.ops.indexing import gather, tensor_scatter_nd_update
from whygrad.ops.shaping import expand_dims, reshape, unstack
from whygrad.ops.tensor_array import TensorArray, known_index, unreadable, unwritable
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.faults import Uncompilable, literal
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import SymbolicTensor, Tensor


class CompiledTensorArray(TensorArray):
    """A TensorArray whose indices may be symbolic.

    A branch or a loop body that writes to an array from outside gets a copy, and must return it: it is traced several times, and may
    not run. As in TensorFlow's functions, elements can be read more than once.
    """

    _buffer: Tensor | None  # all elements, instead of `_tensors`
    _context: Any  # the function, branch or loop body that it belongs to

    def _begin(self, size: Any) -> None:
        if size is not None and type(convert(size, None)) is SymbolicTensor:
            raise _uncompilable(
                "TensorArray: its size is not known while the function is compiled. XLA compiles for given sizes: give an int, "
                "such as x.shape[0] or the largest number of elements there can be"
            )
        self._buffer = None
        self._context = state.context

    # -- form for loops and branches --

    @property
    def buffer(self) -> Tensor | None:
        """All elements as one tensor, zeros where nothing was written; None while their shape is unknown."""
        if self._buffer is None and self._element_shape.is_fully_defined():
            if any(each is not None for each in self._tensors):
                self._buffer = super().stack()
            else:
                self._buffer = zeros((len(self._tensors), *self._element_shape.as_list()), self._dtype)
        return self._buffer

    @property
    def elements(self) -> list[Tensor | None]:
        """The elements, None for unwritten ones."""
        return self._tensors if self._buffer is None else list(unstack(self._buffer))

    def with_elements_of(self, shape: TensorShape) -> CompiledTensorArray:
        """A copy that knows the shape of its elements."""
        new = self._copy()
        new._element_shape = shape
        return new

    def _copy(self) -> CompiledTensorArray:
        new = copy.copy(self)
        new._tensors = list(self._tensors)
        new._context = state.context
        return new

    def _to_write_to(self) -> CompiledTensorArray:
        """The array to write to: this one, or a copy if it belongs to an outer function."""
        return self if self._context is state.context else self._copy()

    def _indexed(self) -> Tensor:
        """The buffer, for a symbolic index; raises if the shape of the elements is unknown."""
        if self.buffer is None:
            raise _uncompilable(
                "TensorArray: the shape of its elements is not known where a symbolic index is met: give element_shape= where "
                "it is made"
            )
        return self.buffer

    # -- one element --

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`."""
        if _is_symbolic(index):
            return self._indexed()[convert(index, None)]
        if self._buffer is None:
            return super().read(index)
        at = known_index(index)
        if not 0 <= at < len(self._tensors):
            raise unreadable(at, len(self._tensors))
        return self._buffer[at]

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`."""
        here = self._to_write_to()
        if not _is_symbolic(index):
            if here._buffer is None or here._dynamic_size:
                here._to_list()
                return super(CompiledTensorArray, here).write(index, value)
            at = known_index(index)
            if not 0 <= at < len(here._tensors):
                raise unwritable(at, len(here._tensors))
        return here._put(reshape(convert(index, None), (1,)), expand_dims(here._to_write(value), 0))

    def _to_list(self) -> None:
        """Convert the buffer back to a list, which can grow."""
        if self._buffer is not None:
            self._tensors = list(unstack(self._buffer))
            self._buffer = None

    def _put(self, indices: Tensor, values: Tensor) -> CompiledTensorArray:
        """Write to the buffer."""
        if self._dynamic_size:
            raise _uncompilable(
                "TensorArray: with dynamic_size=True it would grow as far as a symbolic index says, but XLA compiles for given "
                "sizes. Leave dynamic_size out, and give size= the largest number of elements there can be"
            )
        # infer_shape=False leaves the shape open, but here all elements have one shape.
        if not self._element_shape.is_fully_defined():
            self._element_shape = TensorShape(values.shape[1:])
        self._buffer = tensor_scatter_nd_update(self._indexed(), expand_dims(indices, 1), values)
        return self

    # -- several elements --

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as one tensor, along a new first axis."""
        return super().stack() if self._buffer is None else convert(self._buffer, None)

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` as one tensor, along a new first axis."""
        if self._buffer is None and not _is_symbolic(indices):
            return super().gather(indices)
        return gather(self._indexed(), reshape(convert(indices, None), (-1,)))

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenate all elements, of rank at least 1, along their first axis."""
        if self._buffer is None:
            return super().concat()
        count, *shape = self._buffer.shape
        if not shape:
            raise invalid("Concat saw a scalar shape at index 0 but requires at least vectors.")
        return reshape(self._buffer, (count * shape[0], *shape[1:]))

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the tensors along the first axis of `value` as its elements."""
        tensor = self._converted(value)
        if not tensor.ndim or (len(tensor) > len(self._tensors) and not self._dynamic_size):
            return super().unstack(value)  # raises
        here = self._to_write_to()
        here._tensors = [None] * len(tensor)
        here._buffer = tensor
        here._element_shape = TensorShape(tensor.shape[1:])
        return here

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the tensors along the first axis of `value` at `indices`."""
        here = self._to_write_to()
        if not _is_symbolic(indices):
            return super(CompiledTensorArray, here).scatter(indices, value)
        values = convert_to_tensor(value, dtype_hint=self._dtype)
        if len(values):
            here._to_write(values[0])
        return here._put(reshape(convert(indices, None), (-1,)), values)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with pieces of these lengths along the first axis of `value` as its elements."""
        return super(CompiledTensorArray, self._to_write_to()).split(value, lengths)

    def _replace(self, elements: list[Tensor]) -> TensorArray:
        self._buffer = None
        return super()._replace(elements)


def _uncompilable(wording: str) -> OpValueError:
    return OpValueError(Uncompilable(wording=literal(wording)))


def _is_symbolic(index: Any) -> bool:
    return not isinstance(index, int) and type(convert(index, None)) is SymbolicTensor
