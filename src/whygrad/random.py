"""`tf.random`."""

from whygrad.ops.random import normal, set_seed, truncated_normal, uniform
