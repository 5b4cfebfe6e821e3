"""Why the gradient of a gradient is None: the first derivative does not depend on the source, as that of a linear function."""

from __future__ import annotations

from whygrad.tape.gradient_tape import Derivative
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History
from whygrad.why.evidence.question import Question
from whygrad.why.source.sites import Site, argument_node, element_names, site
from whygrad.why.source.wording import described, quoted


def explain(q: Question) -> Cause | None:
    """The cause, if the target was computed from a gradient that this tape recorded, and that nothing leads to."""
    recorded = History(q.tape.records, ())
    computed_from = recorded.towards(q.target_keys)
    if any(key in computed_from for key in q.keys):
        return None
    reached = recorded.descendants(q.keys)
    found = [
        each
        for each in q.tape.derivatives
        if each.gradient in computed_from
        and not reached.isdisjoint(each.targets)
        and not set(q.keys) & set(each.targets)
    ]
    if not found:
        return None
    derivative = next((each for each in found if each.source in q.keys), found[0])
    names = element_names(argument_node(derivative.code, derivative.instruction, 0, "target"), 1, "the inner target")
    inner = names[0]
    says = (
        f"{quoted(inner)} is linear in {quoted(q.name)}: its first derivative is constant"
        if derivative.source in q.keys
        else f"the derivative of {quoted(inner)} that it was computed from does not depend on {quoted(q.name)}"
    )
    return q.cause(
        "constant-derivative",
        f"{q.opening}: {says}",
        [q.made_at(derivative.targets[0], "linear") if derivative.source in q.keys else None, _taken(derivative)],
        'pass unconnected_gradients="zero" to get the zeros that this derivative is; if it should not be zero, look for what '
        f"is missing in {quoted(inner)}",
    )


def _taken(derivative: Derivative) -> Site:
    return site(derivative.code, derivative.instruction, "differentiated here", described(derivative.gradient))
