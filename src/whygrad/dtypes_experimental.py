"""`tf.dtypes.experimental`: 8-bit floating point dtypes."""

from whygrad import _public

_public.fill(__name__)
