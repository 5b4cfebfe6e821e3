"""A sparse gradient, `tf.IndexedSlices`, used as a dense tensor."""

from __future__ import annotations

import ast
from types import TracebackType

from whygrad.values.errors import Explained
from whygrad.values.faults import SparseAsDense
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import failed_op
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.stand_ins import resolved
from whygrad.why.source.wording import described, quoted


def is_of_sparse_gradient(error: BaseException) -> bool:
    """Whether an exception is a refusal to use an IndexedSlices as a dense tensor, by its class or by Python itself."""
    if isinstance(error, Explained):
        return isinstance(error.fault, SparseAsDense)
    # Python refuses `abs(g)` or `float(g)` before any code of ours runs, and says the class in its message alone. So it refuses all
    # uses of TensorFlow's own IndexedSlices.
    return isinstance(error, TypeError | AttributeError) and "'IndexedSlices'" in str(error)


def explain(frame: TracebackType) -> Cause:
    """The cause, from the user's frame in which the sparse gradient was used."""
    code, instruction = frame.tb_frame.f_code, frame.tb_lasti
    names = {each.id for each in ast.walk(node_at(code, instruction) or ast.Pass()) if isinstance(each, ast.Name)}
    held = {
        name: described(resolved(value))
        for name, value in frame.tb_frame.f_locals.items()
        if name in names and isinstance(resolved(value), IndexedSlices)
    }
    op = failed_op(frame)
    given = [each for each in op.arrays if isinstance(each.value, IndexedSlices)] if op is not None else []
    shapes = {each.text: described(each.value) for each in given if each.node is not None} or held
    name = next(iter(shapes), "")
    dense = f"tf.convert_to_tensor({name or 'gradient'})"
    primary = next((each.primary for each in given if each.text == name), name) or "gradient"
    return Cause(
        "sparse-gradient-arithmetic",
        "exception",
        f"{quoted(name) if name else 'an operand'} is a tf.IndexedSlices, a sparse gradient, not a dense tensor",
        (site(code, instruction, "used as a dense tensor here", next(iter(shapes.values()), "")),),
        f"make it dense first, {dense}, or work with {primary}.values and {primary}.indices",
        shapes,
        edits=op.with_operand(given[0], "tf.convert_to_tensor({0})") if op is not None and given else (),
    )
