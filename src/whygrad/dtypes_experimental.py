"""`tf.dtypes.experimental`."""

from whygrad import _public

_public.fill(__name__)
