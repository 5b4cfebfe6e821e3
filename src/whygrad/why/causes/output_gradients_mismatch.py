"""Upstream gradients (`output_gradients`) that do not fit their targets."""

from __future__ import annotations

import ast
import math

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_calls import FailedCall
from whygrad.values.faults import UpstreamDtype, UpstreamMismatch, UpstreamShape
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History
from whygrad.why.source.edits import replaced
from whygrad.why.source.names import gradient_names
from whygrad.why.source.sites import Site, argument_node, site, site_of
from whygrad.why.source.wording import described, quoted


def explain(call: FailedCall, fault: UpstreamMismatch, asked: Site) -> Cause:
    """The upstream gradient does not fit its target: both places, both shapes."""
    if not isinstance(fault, UpstreamDtype | UpstreamShape):
        return Cause(
            "output-gradients-mismatch", "exception", str(fault), (asked,), "give one upstream gradient for each target"
        )
    position, seed = fault.position, f"{fault.dtype.name} {fault.shape}"
    names, _ = gradient_names(call.code, call.instruction, len(call.targets), 1)
    name, target = names[position], call.targets[position]
    node = argument_node(call.code, call.instruction, 2, "output_gradients")
    given = asked if node is None else site_of(node, call.code.co_filename, "upstream gradient")
    sites = [given.as_role(given.role, seed)]
    made = History(call.tape.records, ()).made_by.get(call.tape._keys(target)[-1]) if call.tape._keys(target) else None
    if isinstance(made, Record):
        sites.append(site(made.code, made.instruction, "target", f"{name}: {described(target)}"))
    shapes = {name: described(target), "output_gradients": seed}
    written = None if len(call.targets) > 1 or node is None else ast.unparse(node)
    if isinstance(fault, UpstreamDtype):
        cast = f"tf.cast({written or '...'}, {name}.dtype)"
        return Cause(
            "dtype-mismatch", "exception",
            f"the upstream gradient for {quoted(name)} is {fault.dtype.name}, but {quoted(name)} is {target.dtype.name}",
            tuple(sites), f"give output_gradients the dtype of its target: {cast}", shapes,
            edits=(replaced(call.code.co_filename, node, cast),) if written else (),
        )  # fmt: skip
    repeated = f"tf.broadcast_to({written}, {name}.shape)"
    fits = written is not None and fault.shape != () and _broadcasts(fault.shape, tuple(target.shape))
    return Cause(
        "output-gradients-mismatch", "exception",
        f"the upstream gradient for {quoted(name)} has shape {fault.shape}, but {quoted(name)} has shape {tuple(target.shape)}",
        tuple(sites),
        "output_gradients must have the target's shape: "
        + (f"write {repeated}, or leave it out" if fits else "leave it out")
        + f" to differentiate the sum of {quoted(name)}"
        + ("" if fits else f", or pass tf.ones_like({name}) and scale it"),
        shapes,
        edits=(replaced(call.code.co_filename, node, repeated),) if fits else (),
    )  # fmt: skip


def _broadcasts(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether a tensor of this shape can be repeated to another shape, of more than one element in all."""
    return (
        len(shape) <= len(wanted)
        and all(a in (1, b) for a, b in zip(reversed(shape), reversed(wanted)))
        and math.prod(shape) > 1
    )
