"""`whygrad.distribute`: training on several devices and hosts, on JAX's runtime."""

from whygrad import _public

_public.fill(__name__)
