"""autograd's `tracer`: `trace` with nodes of the program's own, `primitive`, and boxes."""

from whygrad.autograd.boxes import Box, getval, isbox
from whygrad.autograd.primitives import notrace_primitive, primitive
from whygrad.autograd.tracing import Node, register_notrace, trace
from whygrad.autograd.util import subvals, toposort

__all__ = [
    "Box", "Node", "getval", "isbox", "notrace_primitive", "primitive", "register_notrace", "subvals", "toposort", "trace",
]  # fmt: skip
