"""Differentiable NumPy: NumPy's names, signatures and meaning on Tensors, recorded by tapes.

Promotion and defaults are NumPy's (NEP 50: float32 with float64 gives float64, integers become float64 in `sin`, Python numbers
are weak). Functions that would write to a Tensor (`out=`, `put`, `add.at`) raise a TypeError.

>>> import whygrad as tf, whygrad.numpy as wnp
>>> x = tf.Variable([0.0, 1.0])
>>> with tf.GradientTape() as tape:
...     y = wnp.sum(wnp.sin(x))
>>> tape.gradient(y, x).numpy()
array([1.       , 0.5403023], dtype=float32)

After `enable_dispatch()`, NumPy's own functions do the same:

>>> import numpy as np
>>> with wnp.enable_dispatch(), tf.GradientTape() as tape:
...     y = np.sum(np.sin(x))
>>> tape.gradient(y, x).numpy()
array([1.       , 0.5403023], dtype=float32)
"""

from __future__ import annotations

from whygrad import _public
from whygrad._public import export
from whygrad.numpy import behavior as _behavior
from whygrad.numpy import creation as _creation
from whygrad.numpy import dispatch as _dispatch
from whygrad.numpy import elementwise as _elementwise
from whygrad.numpy import fft, linalg, random
from whygrad.numpy import indexing as _indexing
from whygrad.numpy import products as _products
from whygrad.numpy import reductions as _reductions
from whygrad.numpy import scalars as _scalars
from whygrad.numpy import shaping as _shaping
from whygrad.numpy import statistics as _statistics
from whygrad.numpy.namespace import __array_api_version__, __array_namespace_info__

export("numpy.fft")(fft)
export("numpy.linalg")(linalg)
export("numpy.random")(random)
del export  # not a NumPy name
_public.fill(__name__)
