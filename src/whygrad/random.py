"""`tf.random`: random numbers, TensorFlow's for the same seed."""

from whygrad import _public

_public.fill(__name__)
