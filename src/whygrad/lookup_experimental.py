"""`tf.lookup.experimental`: tables that change."""

from whygrad import _public

_public.fill(__name__)
