"""source-inside-function: the source exists only inside one call of a compiled function, which is one op for the tape around it."""

from __future__ import annotations

import ast

from whygrad.ops.primitive import Record
from whygrad.values.tensor import SymbolicTensor
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.leaked_tensor import made_site
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the source is a tensor of a trace, or a result of the very call that computed the target from it."""
    if type(q.source) is SymbolicTensor:
        return _of_a_trace(q, q.source)
    maker = q.evidence.history.made_by.get(q.keys[0]) if q.keys else None
    if not isinstance(maker, Record) or not _led_to_the_target(q, maker):
        return None
    place = (maker.code, maker.instruction)
    node = node_at(*place)
    if not isinstance(node, ast.Call) or syntax.called_name(node) in _COPIES:
        return None
    function = ast.unparse(node.func)
    return cause_of_none(
        q,
        "source-inside-function",
        f"one call of {quoted(function)}, a compiled function, returned both it and {_what_led_to_the_target(q, maker)}: for the tape that "
        "call is one op, and none of its results depends on another",
        [site(*place, "called here")],
        f"take the gradient inside {quoted(function)}, with a tape there, or compute {quoted(q.target_name)} from {quoted(q.name)} "
        f"outside of it",
    )


def _what_led_to_the_target(q: SourceQuestion, maker: Record) -> str:
    """The target, if the same call returned it, or else what it was computed from."""
    target, returned = quoted(q.target_name), q.call_site.assignment_of(q.target_name)
    is_returned = returned is not None and returned[1] is node_at(maker.code, maker.instruction)
    return target if is_returned else f"what {target} was computed from"


_COPIES = ("identity", "read_value", "value", "convert_to_tensor", "constant")  # calls that the program itself makes


def _led_to_the_target(q: SourceQuestion, maker: Record) -> bool:
    """Whether the target was computed from a result of the function call that returned the source.

    A compiled call is one record. A function that runs op by op returns a copy of a value that other results are computed from.
    """
    if hasattr(maker.plan.primitive, "compiled"):
        return any(key in q.evidence.towards for key in outputs_of(maker))
    return maker.traits.copies and maker.inputs[0] in q.evidence.towards


def _of_a_trace(q: SourceQuestion, tensor: SymbolicTensor) -> Cause:
    function = quoted(tensor._context.function.removeprefix("gradient of "))
    return cause_of_none(
        q,
        "source-inside-function",
        f"it was made while {function} was traced, and stands for a value inside: no call of {function} computes this tensor",
        [made_site(tensor)],
        f"return it from {function} and compute {quoted(q.target_name)} from the result of the call, or take the gradient inside "
        f"{function}, with a tape there",
    )
