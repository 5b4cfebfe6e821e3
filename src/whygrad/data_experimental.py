"""`tf.data.experimental`: options and the special values of `cardinality`."""

from whygrad import _public

_public.fill(__name__)
