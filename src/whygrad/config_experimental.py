"""`tf.config.experimental`: devices and memory, as older programs ask for them."""

from whygrad import _public

_public.fill(__name__)
