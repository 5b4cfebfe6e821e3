"""Upstream gradients (`output_gradients`) that do not fit their targets."""

from __future__ import annotations

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_calls import FailedCall
from whygrad.values.faults import UpstreamDtype, UpstreamMismatch, UpstreamShape
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History
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
    if isinstance(fault, UpstreamDtype):
        return Cause(
            "dtype-mismatch", "exception",
            f"the upstream gradient for {quoted(name)} is {fault.dtype.name}, but {quoted(name)} is {target.dtype.name}",
            tuple(sites), f"give output_gradients the dtype of its target: tf.cast(..., {name}.dtype)", shapes,
        )  # fmt: skip
    return Cause(
        "output-gradients-mismatch", "exception",
        f"the upstream gradient for {quoted(name)} has shape {fault.shape}, but {quoted(name)} has shape {tuple(target.shape)}",
        tuple(sites),
        f"output_gradients must have the target's shape. Leave it out to differentiate the sum of {name}, or pass "
        f"tf.ones_like({name}) and scale it.", shapes,
    )  # fmt: skip
