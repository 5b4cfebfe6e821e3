"""`tf.io`: files, records, images, and structures of bytes."""

from whygrad import _public

_public.fill(__name__)
