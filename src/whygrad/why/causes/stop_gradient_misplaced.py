"""stop-gradient-misplaced: `tf.stop_gradient` cuts the path from the source to the target."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none, names_of_others
from whygrad.why.causes.non_differentiable_op import cut_site, operand_of
from whygrad.why.evidence.broken_path import Ending, cuts
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, in_place, operand_alone, replaced
from whygrad.why.source.sites import node_at
from whygrad.why.source.wording import quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at a stop_gradient.

    Of several, the one that leaves nothing of its term to be differentiated, and that the program does not call a target or the like.
    """
    steps = [cut.step for cut in cuts(q) if cut.ending is Ending.STOP_GRADIENT]
    if step in steps:
        step = min(
            steps,
            key=lambda each: (
                not _is_turned_around(q, each), not _is_alone(q, each), _is_fixed(each), -_number_cut(q, each),
            ),
        )  # fmt: skip
    record: Any = step.through
    others = [each for each in steps if each is not step and each.through is not record]
    trained = names_of_others(q, without=q.call.sources)
    return cause_of_none(
        q,
        "stop-gradient-misplaced",
        "tf.stop_gradient cuts the path" if not others else "tf.stop_gradient cuts every path",
        [cut_site(step), *[cut_site(each) for each in others[:2]]],
        _straight_through(record)
        or _the_other_way_round(q, step)
        or Repair(
            f"leave out tf.stop_gradient around {quoted(operand_of(record))}, or put it on the part that is to stay fixed"
            + (f"; if that is intended, ask for what {quoted(q.target_name)} trains: {trained}" if trained else ""),
            operand_alone(record.code, record.instruction),
        ),
    )


def _straight_through(record: Any) -> Repair | None:
    """For `stop_gradient(x + (q - x))`: the form that lets the gradient pass as if `q` were `x`."""
    node = node_at(record.code, record.instruction)
    whole = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
    if not isinstance(whole, ast.BinOp) or not isinstance(whole.op, ast.Add) or not isinstance(whole.right, ast.BinOp):
        return None
    change = whole.right
    if not isinstance(change.op, ast.Sub) or ast.dump(change.right) != ast.dump(whole.left):
        return None
    text = f"{ast.unparse(whole.left)} + {ast.unparse(node.func)}({ast.unparse(change)})"
    return Repair(
        f"stop the gradient of the difference alone, so that it passes through {quoted(ast.unparse(whole.left))}: {text}",
        in_place(record.code, record.instruction, text),
    )


def _is_turned_around(q: SourceQuestion, step: Step) -> bool:
    """Whether it is `q + stop_gradient(x - q)`, which passes the gradient on to `q` alone."""
    difference = q.evidence.history.made_by.get(step.start)
    if not isinstance(difference, Record) or difference.traits.arithmetic is not Arithmetic.DIFFERENCE:
        return False
    users = q.evidence.history.used_by.get(step.end, ())
    return any(
        isinstance(user, Record) and user.traits.arithmetic is Arithmetic.SUM and difference.inputs[1] in user.inputs
        for user in users
    )


def _the_other_way_round(q: SourceQuestion, step: Step) -> Repair | None:
    """For `q + stop_gradient(x - q)`: the form that passes the gradient on to `x`."""
    record: Any = step.through
    node = node_at(record.code, record.instruction)
    change = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
    whole = None if node is None else syntax.parent(node)
    if not _is_turned_around(q, step) or not isinstance(whole, ast.BinOp) or not isinstance(change, ast.BinOp):
        return None
    text = f"{ast.unparse(change.left)} + {ast.unparse(node.func)}({ast.unparse(change.right)} - {ast.unparse(change.left)})"
    return Repair(
        f"to keep the value and pass the gradient on to {quoted(ast.unparse(change.left))}, write {text}",
        (replaced(record.code.co_filename, whole, text),),
    )


def _is_alone(q: SourceQuestion, step: Step) -> bool:
    """Whether what a stop_gradient gives meets nothing that is differentiated, until the terms of the target are added up."""
    evidence = q.evidence
    pending, seen = [step.end], {step.end}
    while pending:
        for user in evidence.history.used_by.get(pending.pop(), ()):
            for end in outputs_of(user) if isinstance(user, Record) else ():
                if end in seen or end not in evidence.towards:
                    continue
                if end in evidence.watched and end.shape:
                    return False
                seen.add(end)
                if end not in evidence.watched:
                    pending.append(end)
    return True


def _number_cut(q: SourceQuestion, step: Step) -> int:
    """How many of the sources that got None a stop_gradient keeps from the target."""
    inside = q.evidence.history.towards([step.start])
    missing = [source for source, found in zip(q.call.sources, q.call.gradients) if found is None]
    return sum(any(key in inside for key in q.evidence.read_values_of(source)) for source in missing)


def _is_fixed(step: Step) -> bool:
    """Whether the statement, or the keyword, that is given the result has a name for something fixed."""
    node = node_at(step.through.code, step.through.instruction)
    if node is None:
        return False
    names = [syntax.last_name(target) for target, _ in syntax.bindings(syntax.statement_of(node))]
    names += [each.arg for each in syntax.around(node) if isinstance(each, ast.keyword)]
    return any(syntax.FIXED.search(name) for name in names if name)
