"""`tf.strings`: ops on tensors of strings, which are bytes."""

from whygrad import _public

_public.fill(__name__)
