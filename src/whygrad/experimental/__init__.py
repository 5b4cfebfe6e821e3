"""`tf.experimental`: `numpy` is `whygrad.numpy`."""

from whygrad import _public

_public.fill(__name__)
