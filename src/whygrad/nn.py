"""`tf.nn`: layers as functions: activations, convolutions, pooling, normalization, losses."""

from whygrad import _public

_public.fill(__name__)
