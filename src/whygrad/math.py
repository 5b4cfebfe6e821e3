"""`tf.math`."""

from whygrad.ops.cumulative import cumsum
from whygrad.ops.elementwise import add, cos, exp, log, multiply, negative, sin, square, subtract, tanh
from whygrad.ops.reductions import (
    argmax,
    argmin,
    log_softmax,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    softmax,
)
