"""`tf.compat.v1.logging`: messages to the logger of `tf.get_logger`."""

from whygrad import _public

_public.fill(__name__)
