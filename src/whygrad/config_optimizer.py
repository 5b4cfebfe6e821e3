"""`tf.config.optimizer`: the compiler's switches, which are accepted."""

from whygrad import _public

_public.fill(__name__)
