"""`tf.profiler`: Python's own profiler under TensorFlow's names."""

from whygrad import _public

_public.fill(__name__)
