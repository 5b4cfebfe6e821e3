"""`tf.autograph`: Python's `if`, `for` and `while` in compiled functions."""

from whygrad import _public

_public.fill(__name__)
