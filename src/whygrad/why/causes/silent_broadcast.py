"""`silent-broadcast`: both operands are repeated along each other's axis: (N, 1) with (N,) is an (N, N) table."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Moves, Reduction, Selects, Traits
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import Repair, filled, unparsed, with_keyword, with_operand
from whygrad.why.source.sites import node_at, operand_names, operand_nodes, site
from whygrad.why.source.wording import described, quoted

# With these words in the expression itself people ask for a table of all pairs.
_ASKS_FOR_AN_AXIS = re.compile(r"None|newaxis|expand_dims|reshape|transpose|keepdims|\.T\b")


def broadcasts(question: Question, history: History, constants: bool = False) -> Iterator[Cause]:
    """The broadcasts of this kind that a gradient went through, and that do not look meant.

    With `constants`, also those that led to a factor or term of the target without a gradient: weights, advantages.
    """
    order = {id(record.output): i for i, record in enumerate(question.evidence.records)}
    watched = [*question.call.broadcasts, *_selections(question)]
    watched.sort(key=lambda record: order.get(id(record.output), len(order)))  # the program's order, not the sweep's
    for record in (*watched, *(_of_constants(question, history) if constants else ())):
        a, b = record.inputs[-2:]
        if _is_where(record) and a.shape == b.shape:
            a = record.inputs[0]  # the condition is what does not fit
        output = outputs_of(record)[0]
        if not _grew_alike(a.shape, b.shape, output.shape) or _is_meant(question, history, record, a, b):
            continue
        names = operand_names(record.code, record.instruction)
        left, right = (names[0], names[1]) if len(names) >= 2 else ("the first operand", "the second")
        repair = _with_axis_kept(history, a, b) or _repair(history, record, a, b)
        yield Cause(
            "silent-broadcast",
            "wrong_value",
            f"{quoted(left)} of shape {a.shape} and {quoted(right)} of shape {b.shape} were both repeated, to a table of shape "
            f"{output.shape}",
            (
                site(record.code, record.instruction, "broadcast here", f"{described(a)} with {described(b)}"),
                question.call_site.site,
            ),
            repair.help,
            {left: described(a), right: described(b)},
            likely=True,
            edits=repair.edits,
        )


def _with_axis_kept(history: History, a: Key, b: Key) -> Repair | None:
    """The reduction with keepdims=True, if one operand is the other one reduced over an axis that was not kept."""
    for whole, part in ((a, b), (b, a)):
        reducer = history.made_by.get(part)
        if not isinstance(reducer, Record) or reducer.traits.reduces is None or reducer.inputs[0] is not whole:
            continue
        node = node_at(reducer.code, reducer.instruction)
        if isinstance(node, ast.Call) and not reducer.attributes.get("keepdims"):
            kept = with_keyword(reducer.code.co_filename, node, "keepdims", "True", 2)
            return Repair(f"keep the axis that is reduced: {kept.text}", kept.edits)
    return None


def _repair(history: History, record: Record, a: Key, b: Key) -> Repair:
    """One operand brought to the shape of the other: mostly, the column that a layer of one output gives to a row.

    Where the result meets another column, the row becomes one too.
    """
    nodes = operand_nodes(node_at(record.code, record.instruction))
    if len(nodes) != 2:
        return Repair("give both operands one shape")
    longer, shorter = (0, 1) if len(a.shape) > len(b.shape) else (1, 0)
    shape = filled("{0}.shape", nodes[longer])
    reshaped = f"tf.reshape({unparsed(nodes[shorter])}, {unparsed(shape)})"
    column = (a, b)[longer].shape
    if column != ((*(a, b)[shorter].shape, 1)) or column in _met_by(history, outputs_of(record)[0]):
        found = with_operand(record.code, record.instruction, shorter, f"tf.reshape({{0}}, {unparsed(shape)})")
        return Repair(f"give both one shape: {reshaped}", () if found is None else found.edits)
    squeezed = with_operand(record.code, record.instruction, longer, "tf.squeeze({0}, -1)")
    text = f"tf.squeeze({unparsed(nodes[longer])}, -1)"
    return Repair(f"give both one shape: {text}, or {reshaped}", () if squeezed is None else squeezed.edits)


def _met_by(history: History, table: Key) -> set[tuple[int, ...]]:
    """The shapes of what a table is combined with next, element by element."""
    users = [
        each for each in history.used_by.get(table, ()) if isinstance(each, Record) and each.plan.primitive.broadcasts
    ]
    return {key.shape for user in users for key in user.inputs if key is not table}


def _selections(question: Question) -> Iterator[Record]:
    """`where` with operands that were all repeated; the sweep notes only ops with two operands."""
    for record in question.evidence.records:
        if record.kept is not None and _is_where(record):
            output = outputs_of(record)[0]
            if all(key.shape != output.shape for key in record.inputs):
                yield record


def _of_constants(question: Question, history: History) -> Iterator[Record]:
    """Arithmetic that repeated both operands and that no gradient went through, on the way to the target."""
    towards = history.towards(question.evidence.differentiated_targets)
    for key in towards:
        record = history.made_by.get(key)
        if (
            not isinstance(record, Record)
            or record.traits.arithmetic not in _ARITHMETIC
            or record in question.call.broadcasts
        ):
            continue
        if all(each.shape != key.shape for each in record.inputs):
            use, given = _use(history, key), any(_was_given_an_axis(history, each) for each in record.inputs)
            if use.how == "as a whole" and use.like_a_loss and not given:
                yield record


_ARITHMETIC = (
    Arithmetic.SUM, Arithmetic.DIFFERENCE, Arithmetic.PRODUCT, Arithmetic.QUOTIENT, Arithmetic.SQUARED_DIFFERENCE,
)  # fmt: skip


def _grew_alike(a: tuple[int, ...], b: tuple[int, ...], out: tuple[int, ...]) -> bool:
    """Whether both operands were repeated the same number of times, along different axes."""

    def grown(shape: tuple[int, ...]) -> dict[int, int]:
        padded = (1,) * (len(out) - len(shape)) + shape
        return {axis: size for axis, (old, size) in enumerate(zip(padded, out)) if old != size}

    in_a, in_b = grown(a), grown(b)
    return bool(in_a and in_b) and bool(set(in_a.values()) & set(in_b.values()))


def _is_meant(question: Question, history: History, record: Record, a: Key, b: Key) -> bool:
    """Whether a table of all pairs was asked for, or is used as one."""
    if any(_ASKS_FOR_AN_AXIS.search(name) for name in operand_names(record.code, record.instruction)):
        return True
    if _is_the_other(history, a, b) or _is_the_other(history, b, a):
        return True  # all pairs of the same things
    if record.traits.arithmetic is Arithmetic.PRODUCT and any(_is_made_as_a_column(question, each) for each in (a, b)):
        return True  # parameters of several curves or models, each for all the data
    use = _use(history, outputs_of(record)[0], question.evidence.watched)
    asked = [key for key in (a, b) if _was_given_an_axis(history, key)]
    if not asked:
        return use.how == "table" or _is_kernel(question, record, use) or (use.how == "by axis" and not use.like_a_loss)
    watched = question.evidence.watched
    if len(asked) == 2 or (a in watched and b in watched):
        return True  # rows and columns, or pairs of what is trained
    return not (use.how == "as a whole" and use.like_a_loss)


def _is_made_as_a_column(question: Question, key: Key) -> bool:
    """Whether a value is a trained variable itself, made with an axis of length one."""
    return 1 in key.shape and any(key in keys for keys in question.evidence.watched_variables.values())


def _is_kernel(question: Question, record: Record, use: _Use) -> bool:
    """Whether distances, or rates times times, become exponentials.

    The exponential of a difference itself is a ratio, as of new probabilities to old ones: where one side is not learned, two columns
    were meant.
    """
    exponentials = [i for i, each in enumerate(use.ops) if _is_exponential(each)]
    if not exponentials or record.traits.arithmetic not in (Arithmetic.DIFFERENCE, Arithmetic.PRODUCT):
        return False
    is_ratio = record.traits.arithmetic is Arithmetic.DIFFERENCE and exponentials[0] == 0
    return not is_ratio or all(key in question.evidence.watched for key in record.inputs)


def _is_the_other(history: History, key: Key, other: Key) -> bool:
    """Whether a value is another in a different form."""
    maker = history.made_by.get(key)
    return isinstance(maker, Record) and maker.traits.moves is Moves.ALL and maker.inputs[0] is other


def _was_given_an_axis(history: History, key: Key) -> bool:
    """Whether an op made this value that people use to make an axis of length one, or to turn one."""
    maker = history.made_by.get(key)
    if not isinstance(maker, Record):
        return False
    if maker.traits.selects is Selects.SLICE:
        return any(item is None for item in maker.attributes.get("index", ()))
    return maker.traits.makes_axis or bool(maker.attributes.get("keepdims"))


class _Use(NamedTuple):
    """What becomes of a table."""

    how: str  # summed "as a whole", summed "by axis", or a "table" that goes on as such
    ops: tuple[Traits, ...]  # what happens to it, element by element, before

    @property
    def like_a_loss(self) -> bool:
        """Whether it is only what a loss does."""
        return all(_is_like_a_loss(each) for each in self.ops)


def _is_like_a_loss(traits: Traits) -> bool:
    """Whether losses do this to an error, element by element, before it is summed up."""
    return (
        traits.penalizes
        or (traits.arithmetic is not None and not _is_exponential(traits) and not traits.is_logarithm)
        or traits.moves is Moves.ALL
        or traits.selects is Selects.VALUES
        or traits.casts
        or traits.compares
        or traits.stops_gradient
    )


def _is_exponential(traits: Traits) -> bool:
    return traits.arithmetic is Arithmetic.EXPONENTIAL


def _is_where(record: Record) -> bool:
    """Whether an op chooses between two operands by a condition."""
    return record.traits.selects is Selects.VALUES and record.plan.primitive.broadcasts


_AVERAGES = (Reduction.SUM, Reduction.MEAN, Reduction.SUM_OF_SQUARES, Reduction.NORM)


def _use(history: History, table: Key, watched: Container[Key] = ()) -> _Use:
    """What becomes of a table. It is meant as one where it meets other values, not watched, with a number for each of its elements."""
    ops: list[Traits] = []
    pending, seen, own = [table], {table}, history.descendants([table])
    while pending:
        for user in history.used_by.get(pending.pop(0), ()):
            if not isinstance(user, Record):
                continue
            output = outputs_of(user)[0]
            if user.traits.reduces is not None:
                whole = not output.shape or all(size == 1 for size in output.shape)
                chooses = user.traits.reduces not in _AVERAGES
                return _Use("as a whole" if whole else "table" if chooses else "by axis", tuple(ops))
            mixes = not user.plan.primitive.broadcasts and len(user.inputs) > 1
            meets_data = any(
                each.shape == table.shape and each not in own and each not in watched for each in user.inputs
            )
            if output.shape != table.shape or mixes or meets_data:
                return _Use("table", tuple(ops))
            ops.append(user.traits)
            if output not in seen:
                seen.add(output)
                pending.append(output)
    return _Use("as a whole", tuple(ops))
