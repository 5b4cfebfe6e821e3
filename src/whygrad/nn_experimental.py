"""`tf.nn.experimental`."""

from whygrad.ops.normalization import general_dropout, stateless_dropout

__all__ = [
    "general_dropout",
    "stateless_dropout",
]
