"""`whygrad.testing`: checks for your own functions and custom gradients."""

from whygrad.testing.gradient_checking import GradientMismatch, check_gradients

__all__ = [
    "GradientMismatch",
    "check_gradients",
]
