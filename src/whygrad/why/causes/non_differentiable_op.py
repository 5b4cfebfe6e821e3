"""non-differentiable-op: an op without a gradient cuts the path from the source to the target."""

from __future__ import annotations

import ast
from collections import deque
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Logits, Selects
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none, or_zeros_if_meant
from whygrad.why.evidence.broken_path import input_without_rule
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, filled, replaced, straight_through, unparsed
from whygrad.why.source.sites import Site, node_at, operand_names, operand_nodes, site
from whygrad.why.source.wording import described, spoken, unwritten


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at an op without a gradient."""
    record: Any = step.through
    cut = cut_site(step)
    if record.traits.is_unbounded_loop:
        return cause_of_none(
            q,
            "non-differentiable-op",
            "tf.while_loop cuts the path, as the number of its iterations is only known when it runs",
            [cut],
            "give it maximum_iterations: the number of iterations must be known, to allocate memory for the backward pass",
        )
    because = f"{spoken(record)} cuts the path ({_reason(record, step)})"
    following = _next_cut(q, step)
    users = q.evidence.history.used_by.get(step.end, ())
    casts = [user for user in users if isinstance(user, Record) and user.traits.casts]
    becomes_integer = any(outputs_of(cast)[0].dtype.kind in "iu" for cast in casts)
    if (
        record.traits.compares and following in casts and not any(is_index(q, _step(cast)) for cast in casts)
    ):  # counted: a sigmoid is, too
        following, becomes_integer = None, False
    can_pass = not becomes_integer and following is None and record.traits.piecewise_constant
    passing = straight_through(record.code, record.instruction) if can_pass else None
    if passing is not None:
        return cause_of_none(
            q,
            "non-differentiable-op",
            because,
            [cut],
            Repair(
                f"to round and let the gradient pass as if it were not rounded, write {passing.text}{or_zeros_if_meant(q)}",
                passing.edits,
            ),
        )
    smooth = None if becomes_integer else _smooth_code(q, record, following)
    if smooth is not None:
        return cause_of_none(q, "non-differentiable-op", because, [cut], smooth)
    instead = "in its place"
    if following is not None and (following.code, following.instruction) != (record.code, record.instruction):
        instead = f"in place of it and of {spoken(following)} after it,"
    return cause_of_none(
        q,
        "non-differentiable-op",
        because,
        [cut],
        f"{instead} use {_smooth_form([record, following], becomes_integer)}{or_zeros_if_meant(q)}",
    )


def _reason(record: Record, step: Step) -> str:
    """Why an op has no gradient, or why one that has gradients has none here: for this input, or of this result."""
    primitive, name = record.plan.primitive, unwritten(record)
    if primitive.no_gradient:
        own = f"{primitive.name} "
        return (
            "it " + primitive.no_gradient.removeprefix(own)
            if primitive.no_gradient.startswith(own)
            else primitive.no_gradient
        )
    ignored = input_without_rule(record, step.start)
    return (
        f"its {step.end.dtype.name} output does not change under a small step"
        if ignored is None
        else f"{name} has no gradient for its input `{ignored}`"
    )


def _smooth_code(q: SourceQuestion, record: Record, following: Record | None) -> Repair | None:
    """Code with a gradient that takes the place of a cut; None where the program does not write all that it needs."""
    node = node_at(record.code, record.instruction)
    template, operands = record.traits.smooth_code, operand_nodes(node)
    if not template or len(operands) < len(record.inputs):
        return None
    if following is None and not record.traits.finds_extreme:
        return Repair(f"in its place use {record.traits.smooth_form}, {unparsed(filled(template, *operands[:2]))}")
    if following is None or following.traits.selects is not Selects.PLACES:
        return None
    marking, shares = node_at(following.code, following.instruction), record.inputs[0]
    if (
        not isinstance(marking, ast.Call)
        or marking.args[:1] != [node]
        or shares.shape != outputs_of(following)[0].shape
    ):
        return None
    file, maker = record.code.co_filename, q.evidence.history.made_by.get(shares)
    if isinstance(maker, Record) and maker.traits.takes_logits is Logits.SOFTMAX:
        text = unparsed(filled("{0} + tf.stop_gradient({1} - {0})", operands[0], marking))
        return Repair(
            f"to choose one, and let the gradient pass to the softmax, write {text}", (replaced(file, marking, text),)
        )
    text = unparsed(filled(template, operands[0])).removesuffix(")") + f"{_axis(node)})"
    return Repair(
        f"in place of {ast.unparse(marking.func)}({ast.unparse(node.func)}(...)) use {record.traits.smooth_form}: {text}",
        (replaced(file, marking, text),),
    )


def _axis(call: ast.Call) -> str:
    """The argument for the axis of a softmax in place of a call of argmax."""
    given = [each.value for each in call.keywords if each.arg == "axis"] or call.args[1:2]
    return f", axis={ast.unparse(given[0])}" if given else ""


def _smooth_form(cuts: list[Record | None], becomes_integer: bool) -> str:
    if becomes_integer:
        return "the number itself; for an index into a table, weight the elements beside it by how near they are (interpolation)"
    known = (each.traits.smooth_form for each in reversed(cuts) if each is not None)  # the last one says what is wanted
    return next(filter(None, known), "ops that have a gradient")


def is_index(q: SourceQuestion, step: Step) -> bool:
    """Whether a number that an op without a gradient made says which elements of a table are taken."""
    users = q.evidence.history.used_by.get(step.end, ())
    if any(isinstance(user, Record) and user.inputs[0] is not step.end and user.traits.selects for user in users):
        return True
    made = node_at(step.through.code, step.through.instruction)  # NumPy's own arrays take it without a record
    is_recorded = any(
        isinstance(user, Record) and not q.evidence.towards.keys().isdisjoint(outputs_of(user)) for user in users
    )
    reached = set() if made is None or is_recorded else q.flow.reached_from(made)
    return any(_says_which(node, syntax.parent(node)) for node in reached)


def _says_which(node: ast.AST, above: ast.AST | None) -> bool:
    if isinstance(above, ast.Call):
        return syntax.called_name(above) in ("take", "take_along_axis") and node in above.args
    return isinstance(above, ast.Subscript) and node is above.slice


def _next_cut(q: SourceQuestion, step: Step) -> Record | None:
    """The next op without a gradient, where every way on to the target goes through one: replacing the first would not help."""
    history, towards = q.evidence.history, q.evidence.towards
    pending, seen = deque([step.end]), {step.end}
    following = None
    while pending:
        key = pending.popleft()
        if key in q.evidence.target_keys:
            return None
        for user in history.used_by.get(key, ()):
            if not isinstance(user, Record) or not any(each in towards for each in outputs_of(user)):
                continue
            if (
                user.plan.primitive.no_gradient is not None and user.traits.arithmetic is None
            ):  # that of integers passes floats
                following = following or user
                continue
            pending += [each for each in outputs_of(user) if each in towards and each not in seen]
            seen.update(outputs_of(user))
    return following


def _step(record: Record) -> Step:
    return Step(record.inputs[0], record, outputs_of(record)[0])


def cut_site(step: Step) -> Site:
    """The place of an op without a gradient, with what it was given and made."""
    before, after = described(step.start), described(step.end)
    becomes = f"{before} becomes {after}" if before != after else before
    return site(step.through.code, step.through.instruction, "cut here", becomes)


def operand_of(record: Record) -> str:
    """The first operand of an op, as the program writes it."""
    return next(iter(operand_names(record.code, record.instruction)), "the input")
