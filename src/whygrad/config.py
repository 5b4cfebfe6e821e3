"""`tf.config`: devices, threads and switches of the process."""

from whygrad import _public

_public.fill(__name__)
