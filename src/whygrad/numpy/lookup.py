"""Look up elements by index, with a dense gradient, as NumPy users expect."""

from __future__ import annotations

from typing import Any

from whygrad.ops import indexing, shaping
from whygrad.values.tensor import Tensor


def lookup(x: Tensor, indices: Any, axis: int = 0, batch_dims: int = 0) -> Tensor:
    """The slices of `x` at `indices` along `axis`; indices are non-negative."""
    if axis == 0 and batch_dims == 0:
        # The gradient of `gather` is an IndexedSlices, meant for embeddings: a reshape in between makes it dense.
        x = shaping.reshape(x, x._array.shape)
    return indexing.gather(x, indices, axis=axis or None, batch_dims=batch_dims)
