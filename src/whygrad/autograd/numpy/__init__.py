"""NumPy, whose functions are whygrad's where they are handed a tensor; `random` is NumPy's own."""

import numpy as _numpy

import whygrad.numpy as _ours
from whygrad.autograd.numpy import fft as fft
from whygrad.autograd.numpy import linalg as linalg
from whygrad.autograd.numpy import random as random
from whygrad.autograd.plain import fill_from as _fill_from

_fill_from(__name__, _numpy, _ours)
__version__ = _numpy.__version__
