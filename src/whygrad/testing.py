"""`whygrad.testing`: checks for your own functions and custom gradients."""

from whygrad.tape.checking import GradientMismatch, check_gradients

__all__ = [
    "GradientMismatch",
    "check_gradients",
]
