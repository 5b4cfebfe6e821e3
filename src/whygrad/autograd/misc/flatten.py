"""Nested structures as vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad.functional.flat import ravel_nested

flatten = ravel_nested


def flatten_func(func: Callable[..., Any], example: Any) -> tuple[Callable[..., Any], Callable[[Any], Any], Any]:
    """A function of vectors from one of structures such as `example`; how vectors are given the structure; `example` as a vector."""
    vector, restore = flatten(example)
    return (lambda x, *args: flatten(func(restore(x), *args))[0]), restore, vector
