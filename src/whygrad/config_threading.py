"""`tf.config.threading`: how many threads ops use."""

from whygrad import _public

_public.fill(__name__)
