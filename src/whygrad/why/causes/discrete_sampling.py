"""discrete-sampling: the path from the source to the target goes through a discrete random sample."""

from __future__ import annotations

import ast
import re
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Draws
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.causes.non_differentiable_op import cut_site
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, operand_names, site, site_of
from whygrad.why.source.tensor_functions import DISCRETE_DRAWS, SCORE_FUNCTION, chooses_among

KIND = "discrete-sampling"
_HELP = f"{SCORE_FUNCTION}, or use a relaxation such as Gumbel-softmax"


def explain(q: SourceQuestion, step: Step) -> Cause | None:
    """The cause, if the path ends at an op that draws a discrete sample, or that decides by a random number."""
    record: Any = step.through
    if record.traits.draws is not Draws.DISCRETE and not _decides_by_noise(q, record, step):
        return None
    return cause_of_none(q, KIND, "the path goes through a discrete random sample", [cut_site(step)], _HELP)


_ADDS = (Arithmetic.SUM, Arithmetic.DIFFERENCE)


def _decides_by_noise(q: SourceQuestion, record: Record, step: Step) -> bool:
    """Whether an op decides by a random number: `uniform < p`, or the argmax of logits and noise."""
    if record.traits.finds_extreme:
        maker = q.evidence.history.made_by.get(step.start)
        if not isinstance(maker, Record) or maker.traits.arithmetic not in _ADDS:
            return False
        record, others = maker, maker.inputs
    elif record.traits.compares:
        others = tuple(key for key in record.inputs if key is not step.start)
    else:
        return False
    return any(key not in q.descendants and _is_noise(q, record, key) for key in others)


_RANDOM = re.compile(r"\brandom\b|\brng\b|_rng\b")


def _is_noise(q: SourceQuestion, record: Record, key: Key) -> bool:
    """Whether a value is random: the program says so where the value is made, or where it is named."""
    for _ in range(4):
        maker = q.evidence.history.made_by.get(key)
        if not isinstance(maker, Record):
            break
        if _RANDOM.search(site(maker.code, maker.instruction).text):
            return not _is_data(node_at(maker.code, maker.instruction))
        if maker.traits.is_product and len(maker.inputs) > 1 and not all(not each.shape for each in maker.inputs[1:]):
            return False  # of drawn data, perhaps, and weights: not a number that is drawn to decide
        key = maker.inputs[0] if maker.inputs else key
    node = node_at(record.code, record.instruction)
    scope = syntax.scope_of(node) if node is not None else None
    for text in operand_names(record.code, record.instruction):
        if _RANDOM.search(text):
            return True
        found = syntax.assignments(scope, text)
        if found and _RANDOM.search(ast.unparse(found[-1][1])):
            return not _is_data(found[-1][1])
    return False


_NOISE = {
    "u", "noise", "eps", "epsilon", "gumbel", "rand", "random", "draw", "draws", "coin", "coins", "dice", "sample", "samples",
}  # fmt: skip


def _is_data(drawn: Any) -> bool:
    """Whether random numbers are data that a program makes up at its top, once, unless their name speaks of noise."""
    if drawn is None or not isinstance(syntax.parent(syntax.statement_of(drawn)), ast.Module):
        return False
    return not any(syntax.words_of(name) & _NOISE for name in syntax.names_given(drawn) if name)


# -- drawn by NumPy or Python --

_RANDOM_CALL = re.compile(r"\b(rand|random|uniform|random_sample)\(")


def explain_exit(q: SourceQuestion, drawn: ast.expr, left: Site, likely: bool) -> Cause:
    """The cause, where NumPy or Python drew a sample with a value that left the tape."""
    return cause_of_none(
        q,
        KIND,
        "the path goes through a discrete random sample, drawn by NumPy",
        [site_of(drawn, q.flow.file_of(drawn), "drawn here"), left],
        _HELP,
        likely,
    )


def drawn_with(q: SourceQuestion, event: Event) -> ast.expr | None:
    """Where NumPy or Python drew a random number with the value that left: `rng.choice(n, p=p)`, `rng.random() < p`."""
    start = node_at(event.code, event.instruction)
    for node in q.flow.reached_from(start) if start is not None else ():
        above = syntax.parent(node)
        is_draw = isinstance(node, ast.Call) and syntax.called_name(node) in DISCRETE_DRAWS
        if isinstance(node, ast.Call) and is_draw and (node is not start or not chooses_among(ast.unparse(node))):
            return node
        if isinstance(above, ast.Compare) and _RANDOM_CALL.search(ast.unparse(above)):
            return above
    return None
