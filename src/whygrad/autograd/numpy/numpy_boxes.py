"""What arrays are inside of a function that is differentiated."""

from whygrad.values.tensor import Tensor as ArrayBox

__all__ = ["ArrayBox"]
