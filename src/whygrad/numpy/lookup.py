"""Looking up elements by their indices, with a gradient that is a Tensor as NumPy's users expect."""

from __future__ import annotations

from typing import Any

from whygrad.ops import indexing, shaping
from whygrad.values.tensor import Tensor


def lookup(x: Tensor, indices: Any, axis: int = 0, batch_dims: int = 0) -> Tensor:
    """The slices of `x` at `indices` along `axis`, none of which counts from the end."""
    if axis == 0 and batch_dims == 0:
        # `gather` leaves IndexedSlices for what it looks in, which is for embeddings: between them, a tensor of its own.
        x = shaping.identity(x)
    return indexing.gather(x, indices, axis=axis or None, batch_dims=batch_dims)
