"""`tf.ragged`: tensors whose rows have lengths of their own."""

from whygrad import _public

_public.fill(__name__)
