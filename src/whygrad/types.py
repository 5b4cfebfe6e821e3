"""`tf.types`: types for annotations."""

from whygrad import _public

_public.fill(__name__)
