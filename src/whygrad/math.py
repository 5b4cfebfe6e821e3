"""`tf.math`."""

from whygrad.ops.elementwise import add, cos, exp, log, multiply, negative, sin, square, subtract, tanh
from whygrad.ops.reductions import reduce_sum
