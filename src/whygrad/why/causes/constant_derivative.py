"""constant-derivative: the gradient of a gradient is None where the first derivative does not depend on the source."""

from __future__ import annotations

from whygrad.tape.gradient_calls import Derivative
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source.sites import Site, argument_node, element_names, site
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the target was computed from a gradient that this tape recorded and that does not depend on the source."""
    evidence = q.evidence
    if not evidence.derivatives:
        return None
    recorded = evidence.tape_history
    computed_from = recorded.towards(evidence.target_keys)
    if any(key in computed_from for key in q.keys):
        return None
    # A gradient is computed from what its own target was computed from, which no op in the tape says of a higher derivative.
    pending = list(evidence.derivatives)
    while new := [each for each in pending if each.gradient in computed_from]:
        pending = [each for each in pending if each not in new]
        for each in new:
            computed_from |= recorded.towards(each.targets)
    reached = recorded.descendants(q.keys)
    found = [
        each
        for each in evidence.derivatives
        if each.gradient in computed_from
        and each.gradient not in reached
        and not reached.isdisjoint(each.targets)
        and not set(q.keys) & set(each.targets)
    ]
    if not found:
        return None
    derivative = next((each for each in found if each.source in q.keys), found[0])
    inner = _inner_target(derivative)
    says = (
        f"{quoted(inner)} is linear in {quoted(q.name)}, so its first derivative is constant"
        if derivative.source in q.keys
        else f"the derivative of {quoted(inner)} that it was computed from does not depend on {quoted(q.name)}"
    )
    return cause_of_none(
        q,
        "constant-derivative",
        says,
        [
            evidence.made_at(derivative.targets[0], "linear") if derivative.source in q.keys else None,
            _taken_at(derivative),
        ],
        ("" if q.is_of_function else 'pass unconnected_gradients="zero" to get the zeros that this derivative is; ')
        + f"if it should not be zero, look for what is missing in {quoted(inner)}",
    )


def _inner_target(derivative: Derivative) -> str:
    """What was differentiated, as the program calls it."""
    if derivative.named is not None:
        return str(derivative.named.target)
    return element_names(argument_node(derivative.code, derivative.instruction, 0, "target"), 1, "the inner target")[0]


def _taken_at(derivative: Derivative) -> Site:
    return site(derivative.code, derivative.instruction, "differentiated here", described(derivative.gradient))
