"""`tf.lookup`: tables from keys to values."""

from whygrad import _public

_public.fill(__name__)
