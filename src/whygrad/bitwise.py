"""`tf.bitwise`: operations on the bits of integers."""

from whygrad import _public

_public.fill(__name__)
