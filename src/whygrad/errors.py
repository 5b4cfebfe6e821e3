"""`tf.errors`: the exceptions that ops raise."""

from whygrad import _public

_public.fill(__name__)
