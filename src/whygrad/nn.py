"""`tf.nn`."""

from whygrad.ops.elementwise import relu, sigmoid, softplus, softsign, tanh
from whygrad.ops.reductions import log_softmax, softmax
