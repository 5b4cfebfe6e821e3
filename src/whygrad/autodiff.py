"""`tf.autodiff`."""

from whygrad.tape.forward import ForwardAccumulator
