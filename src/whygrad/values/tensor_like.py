"""What users may hand to an op: the types that become tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from whygrad._public import export
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

# The elements of a sequence are TensorLike themselves, to any depth. An int or a float is a `complex` to type checkers.
TensorLike: TypeAlias = (
    Tensor | Variable | IndexedSlices | np.ndarray[Any, Any] | np.generic | complex | str | bytes | Sequence[Any]
)
export("TensorLike", "types.experimental.TensorLike")(TensorLike)
