"""`tf.sparse`: tensors that hold only some of their elements, and reductions of rows that are looked up by index."""

from whygrad import _public

_public.fill(__name__)
