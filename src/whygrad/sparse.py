"""`tf.sparse`: reductions of rows that are looked up by index."""

from whygrad import _public

_public.fill(__name__)
