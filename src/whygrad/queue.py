"""`tf.queue`: queues of tensors that threads share."""

from whygrad import _public

_public.fill(__name__)
