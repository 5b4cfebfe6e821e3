"""`numpy.fft`, whose functions are whygrad's where they are handed a tensor."""

import numpy as _numpy

from whygrad.autograd.plain import fill_from as _fill_from
from whygrad.numpy import fft as _ours

_fill_from(__name__, _numpy.fft, _ours)
