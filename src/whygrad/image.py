"""`tf.image`: images: resizing, cropping, flipping, colours, measures of quality."""

from whygrad import _public

_public.fill(__name__)
