"""`tf.autograph.experimental`: functions that are not converted, and options of loops."""

from whygrad import _public

_public.fill(__name__)
