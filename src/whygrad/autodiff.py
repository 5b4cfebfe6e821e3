"""`tf.autodiff`: forward-mode derivatives."""

from whygrad import _public

_public.fill(__name__)
