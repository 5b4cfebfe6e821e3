"""`tf.compat.v1`: the names that TensorFlow 2 has too, and the switches and logging of eager programs; no graphs and sessions."""

from whygrad import _public
from whygrad._public.version_1 import find as _find

_public.fill(__name__, others=_find)
