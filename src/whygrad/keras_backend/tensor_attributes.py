"""Attributes that Keras sets on tensors, and one that it reads of shapes.

Tensors have no room for attributes of their own: it would take time for each op.
"""

from __future__ import annotations

import weakref
from typing import Any

from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor


class _Attribute:
    """An attribute whose values are kept beside the tensors, as long as those live."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._values: dict[int, tuple[weakref.ref[Tensor], Any]] = {}  # by identity, since == compares elements

    def __get__(self, tensor: Tensor | None, owner: type) -> Any:
        if tensor is None:
            return self
        found = self._values.get(id(tensor))
        if found is None:
            raise AttributeError(f"{type(tensor).__name__!r} object has no attribute {self._name!r}")
        return found[1]

    def __set__(self, tensor: Tensor, value: Any) -> None:
        identity = id(tensor)
        self._values[identity] = weakref.ref(tensor, lambda _: self._values.pop(identity, None)), value

    def __delete__(self, tensor: Tensor) -> None:
        self.__get__(tensor, type(tensor))
        del self._values[id(tensor)]


def allow() -> None:
    """Let Keras set its attributes on tensors, and serialize shapes, whose private `_dims` in TensorFlow it reads."""
    TensorShape._dims = property(lambda shape: shape._sizes)  # type: ignore[attr-defined]
    for name in ("_keras_logits", "_keras_mask", "trainable"):
        if name not in vars(Tensor):
            setattr(Tensor, name, _Attribute(name))
