"""`tf.data`: datasets, whose elements are computed when an iterator asks for them."""

from whygrad import _public

_public.fill(__name__)
