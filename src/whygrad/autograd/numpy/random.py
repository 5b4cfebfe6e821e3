"""NumPy's own random numbers: draws are constants."""

import numpy as _numpy

from whygrad.autograd.plain import fill_from as _fill_from

_fill_from(__name__, _numpy.random, _numpy.random)
