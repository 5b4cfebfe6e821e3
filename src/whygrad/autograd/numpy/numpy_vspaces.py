"""The vector spaces of arrays."""

from whygrad.autograd.core import ArrayVSpace, ComplexArrayVSpace

__all__ = ["ArrayVSpace", "ComplexArrayVSpace"]
