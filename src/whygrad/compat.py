"""`tf.compat`: text and bytes."""

from whygrad import _public

_public.fill(__name__)
