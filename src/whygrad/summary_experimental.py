"""`tf.summary.experimental`: the default step, and summaries of a program's own."""

from whygrad import _public

_public.fill(__name__)
