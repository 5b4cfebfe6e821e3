"""`tf.nest`: nested lists, tuples and dicts."""

from whygrad import _public

_public.fill(__name__)
