"""`tf.autograph.experimental`."""

from whygrad.compile.autograph import do_not_convert

__all__ = [
    "do_not_convert",
]
