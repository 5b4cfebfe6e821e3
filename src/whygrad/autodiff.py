"""`tf.autodiff`."""

from whygrad.tape.forward import ForwardAccumulator

__all__ = [
    "ForwardAccumulator",
]
