"""`tf.distribute.experimental`: what functions know about the replica that they run in."""

from whygrad import _public

_public.fill(__name__)
