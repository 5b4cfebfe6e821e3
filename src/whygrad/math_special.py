"""`tf.math.special`: Bessel functions and other special functions."""

from whygrad import _public

_public.fill(__name__)
