"""`tf.random.experimental`: generators of random numbers."""

from whygrad import _public

_public.fill(__name__)
