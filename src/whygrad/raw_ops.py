"""`tf.raw_ops`: the few ops that have no other public name."""

from whygrad import _public

_public.fill(__name__)
