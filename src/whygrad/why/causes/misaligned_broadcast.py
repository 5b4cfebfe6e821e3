"""`silent-broadcast` of one operand: a reduction without keepdims meets another axis, or a lookup takes every column for every row."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Selects
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, with_keyword
from whygrad.why.source.sites import node_at, operand_names, site, unpacks_arguments
from whygrad.why.source.wording import described, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_COMBINES = (
    Arithmetic.SUM,
    Arithmetic.DIFFERENCE,
    Arithmetic.PRODUCT,
    Arithmetic.QUOTIENT,
    Arithmetic.SQUARED_DIFFERENCE,
)


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The ops on the way to the target in which one operand lies along an axis that it does not belong to."""
    history = question.evidence.tape_history
    towards = history.towards(question.evidence.differentiated_targets)
    for record in question.evidence.records:
        if record.kept is None or outputs_of(record)[0] not in towards:
            continue
        if record.traits.arithmetic in _COMBINES and len(record.inputs) == 2:
            yield from _reduced(question, history, record)
        elif record.traits.selects is Selects.VALUES and "batch_dims" in record.attributes:
            yield from _looked_up(question, history, trace, record)


# -- x - reduce(x, axis), without keepdims --


def _reduced(question: Question, history: History, record: Record) -> Iterator[Cause]:
    """The cause, if an operand is a reduction of the other one and is repeated along an axis that was left."""
    for number, small in enumerate(record.inputs):
        whole = record.inputs[1 - number]
        if len(small.shape) >= len(whole.shape) or not small.shape:
            continue
        reduction = _reduction_behind(history, small)
        if reduction is None or reduction.attributes.get("keepdims") or not _is_of(history, reduction.inputs[0], whole):
            continue
        axes = reduction.attributes.get("axis")
        rank = len(whole.shape)
        if not isinstance(axes, tuple):
            continue
        left = [axis for axis in range(rank) if axis not in axes]
        met = list(range(rank - len(left), rank))
        if all(belongs == lies or whole.shape[belongs] == 1 for belongs, lies in zip(left, met)):
            continue
        names = operand_names(record.code, record.instruction)
        names = names if len(names) == 2 else ["the first operand", "the second operand"]
        along, belongs = next((lies, axis) for axis, lies in zip(left, met) if axis != lies)
        yield Cause(
            "silent-broadcast",
            "wrong_value",
            f"{quoted(names[number])} has one number for each index of axis {belongs} of {quoted(names[1 - number])}, but shape "
            f"{small.shape} is broadcast along axis {along} of {whole.shape}",
            (
                site(record.code, record.instruction, "broadcast here", f"{described(whole)} with {described(small)}"),
                site(reduction.code, reduction.instruction, "reduced here"),
                question.call_site.site,
            ),
            "pass keepdims=True to the reduction, so that its result lies along the axis that it belongs to",
            {names[number]: described(small), names[1 - number]: described(whole)},
            likely=True,
            edits=_keeping_axes(reduction),
        )


def _keeping_axes(reduction: Record) -> tuple[Edit, ...]:
    """The edit that lets a reduction keep its axes."""
    node = node_at(reduction.code, reduction.instruction)
    takes_axes = isinstance(node, ast.Call) and (syntax.called_name(node) or "").startswith("reduce_")
    if not takes_axes or unpacks_arguments(node):
        return ()
    return with_keyword(reduction.code.co_filename, node, "keepdims", "True").edits


def _reduction_behind(history: History, key: Key) -> Record | None:
    """The reduction that made a value, perhaps with functions of each element after it."""
    for _ in range(8):
        maker = history.made_by.get(key)
        if not isinstance(maker, Record):
            return None
        if maker.traits.reduces is not None:
            return maker
        same = [each for each in maker.inputs if each.shape == key.shape]
        if not maker.traits.elementwise or len(same) != 1:
            return None
        key = same[0]
    return None


def _is_of(history: History, one: Key, other: Key) -> bool:
    """Whether two values of one shape are functions of the same elements."""
    return one.shape == other.shape and not _elements(history, one).isdisjoint(_elements(history, other))


def _elements(history: History, key: Key) -> set[Key]:
    """A value and the values of its shape that it was computed from, element by element."""
    pending, seen = [key], {key}
    while pending and len(seen) < 64:
        maker = history.made_by.get(pending.pop())
        if isinstance(maker, Record) and maker.traits.elementwise:
            new = [each for each in maker.inputs if each.shape == key.shape and each not in seen]
            seen.update(new)
            pending += new
    return seen


# -- gather(x, i, axis=1) without batch_dims --


def _looked_up(question: Question, history: History, trace: Trace, record: Record) -> Iterator[Cause]:
    """The cause, if a lookup of one column for each row gave all these columns for every row."""
    rows, indices = record.inputs[0], record.inputs[-1]
    table = outputs_of(record)[0]
    rank = len(rows.shape)
    if record.attributes["batch_dims"] or record.attributes.get("axis") not in ((1, -1) if rank == 2 else (1,)):
        return
    if rank < 2 or len(indices.shape) != 1 or indices.shape[0] != rows.shape[0] or indices.shape[0] < 2:
        return
    if rank == 2 and (_is_an_order(trace, table) or not _is_used_by_row(history, table)):
        return
    if rank > 2 and not _is_compared_with_rows(question, history, table):
        return
    names = operand_names(record.code, record.instruction)
    names = names if len(names) >= 2 else ["the table", "the indices"]
    size = rows.shape[0]
    yield Cause(
        "silent-broadcast",
        "wrong_value",
        f"{quoted(names[1])} has one index for each row of {quoted(names[0])}, but without batch_dims every row is looked up at all "
        f"{size} indices: shape {table.shape}",
        (
            site(record.code, record.instruction, "looked up here", f"{described(rows)} at {described(indices)}"),
            question.call_site.site,
        ),
        f"take one element of each row: tf.gather({names[0]}, {names[1]}, axis=1, batch_dims=1), of shape "
        f"{table.shape[:1] + table.shape[2:]}",
        {names[0]: described(rows), names[1]: described(indices)},
        likely=True,
        edits=_by_row(record),
    )


def _by_row(record: Record) -> tuple[Edit, ...]:
    """The edit that makes a lookup take one element of each row."""
    node = node_at(record.code, record.instruction)
    if (
        not isinstance(node, ast.Call)
        or syntax.called_name(node) != record.plan.primitive.name
        or unpacks_arguments(node)
    ):
        return ()
    return with_keyword(record.code.co_filename, node, "batch_dims", "1").edits


def _is_compared_with_rows(question: Question, history: History, table: Key) -> bool:
    """Whether what is computed from a table, row by row, is compared with data that have one row for each of its first axis."""
    pending, seen = [table], {table}
    while pending:
        key = pending.pop(0)
        for user in history.used_by.get(key, ()):
            if not isinstance(user, Record):
                continue
            output = outputs_of(user)[0]
            if output.shape[:2] != table.shape[:2]:
                continue
            compares = user.traits.arithmetic in (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE)
            others = [each for each in user.inputs if each is not key]
            if compares and all(
                each not in question.evidence.watched
                and len(each.shape) == len(key.shape) - 1
                and each.shape[0] == table.shape[0]
                for each in others
            ):
                return True
            if output not in seen:
                seen.add(output)
                pending.append(output)
    return False


def _is_an_order(trace: Trace, table: Key) -> bool:
    """Whether the indices are all different: columns that are chosen or put in another order, not a choice for each row."""
    known = trace.numerics.made(table)
    if known is None:
        return False
    chosen = known.inputs[-1]
    return bool(len(set(chosen.ravel().tolist())) == chosen.size)


def _is_used_by_row(history: History, table: Key) -> bool:
    """Whether a table is reduced as a whole, or combined with one number for each row, as a choice for each row would be.

    What is combined with data that have a number for each of its elements is meant as a table.
    """
    pending, seen = [table], {table}
    while pending:
        for user in history.used_by.get(pending.pop(), ()):
            if not isinstance(user, Record):
                continue
            output = outputs_of(user)[0]
            if user.traits.reduces is not None:
                return not output.shape
            others = [key for key in user.inputs if key not in seen]
            if any(key.shape in (table.shape[:1], (table.shape[0], 1)) for key in others):
                return True
            if any(key.shape == table.shape and key not in history.made_by for key in others):
                return False
            if output.shape == table.shape and user.traits.elementwise and output not in seen:
                seen.add(output)
                pending.append(output)
    return False
