"""`flatten`, optimizers and fixed points."""

from whygrad.autograd.misc.flatten import flatten

__all__ = ["flatten"]
