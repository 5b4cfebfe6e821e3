"""`tf.math`: functions element by element, reductions, segments and special functions."""

from whygrad import _public

_public.fill(__name__)
