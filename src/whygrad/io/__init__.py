"""`tf.io`."""

from whygrad import _public

_public.fill(__name__)
