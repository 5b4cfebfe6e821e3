"""`whygrad.extend`: add an op of your own, with its gradient, kernels and explanations (docs/extend.md)."""

from whygrad import _public

_public.fill(__name__)
