"""`tf.config.experimental`."""

from whygrad import _public

_public.fill(__name__)
