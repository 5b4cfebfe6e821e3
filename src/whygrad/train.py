"""`tf.train`: checkpoints and protocol buffers of examples."""

from whygrad import _public

_public.fill(__name__)
