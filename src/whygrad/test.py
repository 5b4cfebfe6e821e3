"""`tf.test`."""

from whygrad.tape.checking import compute_gradient
