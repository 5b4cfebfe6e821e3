"""`tf.math.special`."""

from whygrad import _public

_public.fill(__name__)
