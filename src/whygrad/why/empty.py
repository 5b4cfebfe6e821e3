"""Why there are no gradients at all: the list of sources is empty."""

from __future__ import annotations

from whygrad.tape.gradient_tape import GradientCall
from whygrad.why.cause import Cause
from whygrad.why.source import site
from whygrad.why.words import gradient_names, quoted


def explain(call: GradientCall) -> Cause:
    """The cause of an empty result."""
    targets, _ = gradient_names(call.code, call.instruction, max(len(call.targets), 1), 0)
    return Cause(
        "variable-not-tracked",
        "empty",
        f"the gradient of {quoted(targets[0])} is empty: there are no sources to differentiate by",
        (site(call.code, call.instruction, "asked here"),),
        "look at where the list of sources comes from: a layer that is not built yet has no variables, and an attribute "
        "that is not tracked is not among them",
        likely=True,
    )
