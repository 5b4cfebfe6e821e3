"""Where a value left for NumPy or Python, and came back as a constant."""

from __future__ import annotations

import ast
import re
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.values.recorders import Event
from whygrad.why.cause import Cause
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import described

# Among the cuts: an exit inside the tape is more likely the cause than what was computed before it or stopped on purpose;
# one before the tape is often meant, as for the frozen weights of a target network.
INSIDE, BEFORE = 0.4, 1.5

_DRAWS = {"choice", "choices", "binomial", "multinomial", "poisson", "geometric", "hypergeometric"}
_CHANCE = re.compile(r"\b(rand|random|uniform|random_sample)\(")


def explain(q: Question, best_cut: float | None) -> Cause | None:
    """The cause, if something computed from the source left and what the target was computed from came from there.

    `best_cut` is the rank of the cut that would be the cause otherwise.
    """
    exits = [event for event in q.history.events if event.kind == "left" and event.source in q.descendants]
    inside = {event.source for event in q.tape.events if event.kind == "left"}
    for event in exits:
        rank = INSIDE if event.source in inside else BEFORE
        if (best_cut is None or rank < best_cut) and _comes_back(q, event):
            return _cause(q, event, likely=False)
    if not exits or best_cut is not None or q.flow.trees:
        return None
    return _cause(q, exits[0], likely=True) if _something_came_back(q, exits[0]) else None


def _cause(q: Question, event: Event, likely: bool) -> Cause:
    where = site(event.code, event.instruction, "left here", described(event.source))
    drawn = _drawn_at(q, event)
    if drawn is not None:
        return q.cause(
            "discrete-sampling",
            f"{q.opening}: the path goes through a discrete random sample, drawn by NumPy",
            [drawn, where],
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
            likely,
        )
    return q.cause(
        "numpy-conversion",
        f"{q.opening}: the value left the tape {_how(where)}, and came back as a constant",
        [where],
        "stay with tensors: use tf.* in place of np.*, and leave out .numpy(), float() and int()",
        likely,
    )


def _how(where: Site) -> str:
    """By which door."""
    for text, words in ((".numpy()", "through .numpy()"), ("float(", "through float()"), ("int(", "through int()")):
        if where.text.startswith(text) or where.text.endswith(text):
            return words
    called = re.match(r"(np|numpy)\.[\w.]+", where.text)
    return f"through {called[0]}" if called else "for NumPy"


def _drawn_at(q: Question, event: Event) -> Site | None:
    """Where NumPy or Python drew a random number with the value that left: `rng.choice(n, p=p)`, `rng.random() < p`."""
    start = node_at(event.code, event.instruction)
    for node in q.flow.reached_from(start) if start is not None else ():
        above = syntax.parent(node)
        if isinstance(node, ast.Call) and syntax.called_name(node) in _DRAWS and node is not start:
            return site_of(node, q.flow.file_of(node), "drawn here")
        if isinstance(above, ast.Compare) and _CHANCE.search(ast.unparse(above)):
            return site_of(above, q.flow.file_of(above), "drawn here")
    return None


def _comes_back(q: Question, event: Event) -> bool:
    """Whether the program lets what left here flow into an op that the target was computed with."""
    start: Any = node_at(event.code, event.instruction)
    if start is None:
        return False
    if isinstance(start, ast.Subscript) and isinstance(start.ctx, ast.Store):  # `array[i] = tensor`: the tensor left
        statement = syntax.statement_of(start)
        start = statement.value if isinstance(statement, ast.Assign | ast.AugAssign) else start
    reached = q.flow.reached_from(start)
    if any(node in reached for node in _target_nodes(q)):
        return True
    seen = set()
    for key in q.towards:
        maker = q.history.made_by.get(key)
        if not isinstance(maker, Record) or (maker.code, maker.instruction) in seen:
            continue
        seen.add((maker.code, maker.instruction))
        node = node_at(maker.code, maker.instruction)
        if node is not None and any(each in reached for each in ast.walk(node)):
            return True
    return False


def _target_nodes(q: Question) -> list[Any]:
    node = node_at(q.call.code, q.call.instruction)
    return list(ast.walk(node.args[0])) if isinstance(node, ast.Call) and node.args else []


def _something_came_back(q: Question, left: Event) -> bool:
    """Whether the target was computed from something that came from NumPy or Python after the exit."""
    if q.trace is None:
        return True  # conversions are noted only while tracing
    order = q.trace.order_of(left)
    return any(
        key in q.towards and q.trace.order_of(event) > order
        for event in q.history.events
        if event.kind == "converted" and (key := event.result) is not None
    )
