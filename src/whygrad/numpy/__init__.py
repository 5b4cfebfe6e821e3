"""Differentiable NumPy: NumPy's names and meaning on Tensors, recorded by tapes.

>>> import whygrad as tf, whygrad.numpy as wnp
>>> x = tf.Variable([0.0, 1.0])
>>> with tf.GradientTape() as tape:
...     y = wnp.sum(wnp.sin(x))
>>> tape.gradient(y, x).numpy()
array([1.        , 0.54030234], dtype=float32)
"""

from __future__ import annotations

from typing import Any

from whygrad.ops import elementwise, reductions, shaping
from whygrad.values.tensor import Tensor

sin = elementwise.sin
cos = elementwise.cos
exp = elementwise.exp
log = elementwise.log
reshape = shaping.reshape


def sum(a: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over `axis`."""
    return reductions.reduce_sum(a, axis, keepdims)


def broadcast_to(array: Any, shape: tuple[int, ...]) -> Tensor:
    """`array` in a larger shape."""
    from whygrad.ops.creation import ones

    return elementwise.multiply(array, ones(shape, array.dtype))
