"""Differentiable NumPy: NumPy's names and meaning on Tensors, recorded by tapes.

>>> import whygrad as tf, whygrad.numpy as wnp
>>> x = tf.Variable([0.0, 1.0])
>>> with tf.GradientTape() as tape:
...     y = wnp.sum(wnp.sin(x))
>>> tape.gradient(y, x).numpy()
array([1.        , 0.54030234], dtype=float32)
"""

from __future__ import annotations

from whygrad.numpy.creation import *  # noqa: F403
from whygrad.numpy.elementwise import *  # noqa: F403
from whygrad.numpy.indexing import *  # noqa: F403
from whygrad.numpy.products import *  # noqa: F403
from whygrad.numpy.reductions import *  # noqa: F403
from whygrad.numpy.shaping import *  # noqa: F403
