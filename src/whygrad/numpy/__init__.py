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

from math import e, inf, nan, pi

from numpy import (
    bool_,
    cdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    errstate,
    euler_gamma,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    inexact,
    int8,
    int16,
    int32,
    int64,
    int_,
    integer,
    intp,
    number,
    signedinteger,
    single,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    unsignedinteger,
)
from numpy import bool_ as bool

from whygrad.numpy import fft, linalg
from whygrad.numpy.behavior import experimental_enable_numpy_behavior
from whygrad.numpy.creation import *  # noqa: F403
from whygrad.numpy.dispatch import *  # noqa: F403
from whygrad.numpy.elementwise import *  # noqa: F403
from whygrad.numpy.indexing import *  # noqa: F403
from whygrad.numpy.namespace import __array_api_version__, __array_namespace_info__
from whygrad.numpy.products import *  # noqa: F403
from whygrad.numpy.reductions import *  # noqa: F403
from whygrad.numpy.shaping import *  # noqa: F403
from whygrad.numpy.statistics import *  # noqa: F403
from whygrad.values.dtypes import bfloat16
from whygrad.values.tensor import Tensor as ndarray

newaxis = None
