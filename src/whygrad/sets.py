"""`tf.sets`: the values along the last axis as sets."""

from whygrad import _public

_public.fill(__name__)
