"""`tf.summary`: scalars, histograms, images, text and audio in the event files that TensorBoard reads."""

from whygrad import _public

_public.fill(__name__)
