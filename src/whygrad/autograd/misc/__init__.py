"""`flatten`, optimizers, fixed points, and graphs of what a function computes."""

from whygrad.autograd.misc.flatten import flatten
from whygrad.autograd.misc.tracers import const_graph

__all__ = ["const_graph", "flatten"]
