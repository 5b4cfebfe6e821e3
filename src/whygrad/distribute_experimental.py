"""`tf.distribute.experimental`: what functions of strategies are told."""

from whygrad import _public

_public.fill(__name__)
