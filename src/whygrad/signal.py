"""`tf.signal`: Fourier transforms, windows and frames."""

from whygrad import _public

_public.fill(__name__)
