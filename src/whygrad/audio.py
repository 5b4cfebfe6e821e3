"""`whygrad.audio`: WAV files, decoded and encoded."""

from whygrad import _public

_public.fill(__name__)
