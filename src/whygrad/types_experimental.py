"""`tf.types.experimental`: types for annotations that TensorFlow may change."""

from whygrad import _public

_public.fill(__name__)
