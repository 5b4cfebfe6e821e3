"""`tf.autograph`."""

from whygrad import autograph_experimental as experimental
from whygrad.compile.autograph import set_verbosity

__all__ = [
    "experimental",
    "set_verbosity",
]
