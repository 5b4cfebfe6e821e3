"""`tf.profiler.experimental`: start and stop Python's own profiler."""

from whygrad import _public

_public.fill(__name__)
