"""`tf.dtypes`: dtypes and casts."""

from whygrad import _public

_public.fill(__name__)
