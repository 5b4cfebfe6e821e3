"""CompositeTensor: the base of objects that are made of tensors, and that control flow hands on as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whygrad.values.errors import CompositeGiven


class CompositeTensor:
    """An object made of tensors, such as an `Optional` or a ragged tensor."""

    __slots__ = ()


class TensorLikeComposite(CompositeTensor):
    """A composite that stands for one tensor of numbers or strings: a ragged or a sparse tensor.

    `tf.nest` expands it to `_components`; a tape differentiates with respect to the one tensor that holds its values.
    """

    __slots__ = ()

    shape: Any  # a TensorShape
    dtype: Any  # a DType
    made_dense: str  # what to write for the dense tensor, for messages
    refusal: type[CompositeGiven]  # the error where a dense tensor is wanted

    def _components(self) -> Sequence[Any]:
        """The tensors that it consists of."""
        raise NotImplementedError

    def _with_components(self, components: Sequence[Any]) -> Any:
        """The same kind of object with other tensors."""
        raise NotImplementedError

    def _spec(self) -> Any:
        """Its shape, dtype and kind, without a value."""
        raise NotImplementedError

    def _mapped(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """A function of each element, of operands of which this is one; NotImplemented where it takes dense tensors only."""
        raise NotImplementedError

    def _text(self, summarize: int) -> str:
        """The value as `tf.print` shows it, with `summarize` elements at both ends of each axis (-1: all)."""
        raise NotImplementedError

    def _held(self) -> Any:
        """The tensor that holds the values: what a tape watches, and what its gradient is taken for."""
        raise NotImplementedError

    def _with_held(self, values: Any) -> Any:
        """The same object with other values."""
        raise NotImplementedError


def on_composites(function: Callable[..., Any], operands: Sequence[Any], error: Exception) -> Any:
    """A function of each element where an operand is a composite; raises the error where none takes it."""
    for operand in operands:
        if isinstance(operand, TensorLikeComposite):
            found = operand._mapped(function, operands)
            if found is not NotImplemented:
                return found
    raise error
