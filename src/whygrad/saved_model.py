"""`whygrad.saved_model`: modules and their functions, saved and loaded."""

from whygrad import _public

_public.fill(__name__)
