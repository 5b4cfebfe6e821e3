"""`tf.io.gfile`: files and folders."""

from whygrad import _public

_public.fill(__name__)
