"""`tf.nn.experimental`: dropout with a generator of the program's own."""

from whygrad import _public

_public.fill(__name__)
