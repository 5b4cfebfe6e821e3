"""`tf.nn`."""

from whygrad.ops.reductions import log_softmax, softmax
