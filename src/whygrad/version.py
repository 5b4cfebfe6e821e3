"""`tf.version`: the TensorFlow whose API and numbers these are. whygrad's own version is `whygrad.__version__`."""

from whygrad import _public

_public.fill(__name__)
