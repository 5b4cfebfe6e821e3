"""CompositeTensor: the base of objects that are made of tensors, and that control flow hands on as they are."""

from __future__ import annotations


class CompositeTensor:
    """An object made of tensors, such as an `Optional`."""

    __slots__ = ()
