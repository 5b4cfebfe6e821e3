"""`whygrad.numpy` under the name TensorFlow has for it: the very same module."""

import sys

import whygrad.numpy

sys.modules[__name__] = whygrad.numpy
