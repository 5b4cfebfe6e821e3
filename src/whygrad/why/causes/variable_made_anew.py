"""`variable-made-anew`: a variable that is made again in every step, so that training begins again each time."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

from whygrad.runtime.call_sites import objects_in_scopes
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.optimizers import Optimizer, optimizers
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.kept_values import kept_at
from whygrad.why.source.sites import Site, site, written_at
from whygrad.why.source.wording import described, more_sources, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

_PASSES = 3  # in a row, before a cause is given


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """The causes: of sources that are made again each time, and of variables that no call could ask for, as they last for one step."""
    yield from _of_sources(question, trace)
    yield from _of_unasked(question, trace)


def _of_unasked(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if the target depends on a variable that is made anew inside the tape, and nothing trains it."""
    evidence, sources = question.evidence, {id(each) for each in question.call.sources}
    for variable, read in evidence.watched_variables.items():
        values = trace.values_of(variable)
        if id(variable) in sources or len(values) != 1 or not values[0].shape or trace.was_given(variable):
            continue  # a single number is often a constant
        if not evidence.was_made_while_recording(values[0]) or not any(key in evidence.towards for key in read):
            continue
        event = evidence.history.made_by.get(values[0])
        made = trace.stack_of(values[0])
        if not made or getattr(event, "source", None) in evidence.watched or trace.made_anew(made, variable) != _PASSES:
            continue
        target = quoted(question.target_name)
        yield Cause(
            "variable-made-anew",
            "wrong_value",
            f"{target} depends on a variable that is a new one each time, and not among the sources: it is never trained",
            (site(*(kept_at(made) or made[0]), "made anew here", described(variable)), question.call_site.site),
            "make the variable once, before the loop or where the model is made, and keep it as an attribute",
            {"here": described(variable)},
            likely=True,
        )


def _of_sources(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if the source is a new variable each time, and what the last one was changed to is never read."""
    lost: list[tuple[str, Any, Site, Site]] = []  # with where each was made and changed
    for position, (*before, source) in enumerate(zip(*trace.last_sources(question.call, _PASSES))):
        passes = itertools.pairwise((*before, source))
        if len(before) + 1 < _PASSES or not all(_is_lost(old, new, trace) for old, new in passes):
            continue
        changed = trace.last_change_of(before[-1])
        made = trace.stack_of(trace.values_of(source)[0])
        if changed is None or not made:
            continue
        place = site(*(kept_at(made) or made[0]), "made anew here", described(source))
        lost.append(
            (question.source_names[position], source, place, site(changed.code, changed.instruction, "changed here"))
        )
    if not lost:
        return
    name, source, place, change = lost[0]
    more = more_sources([other for other, *_ in lost[1:]])
    yield Cause(
        "variable-made-anew",
        "wrong_value",
        f"{quoted(name)} is a new variable each time: the value of the last one is lost, and training starts over{more}",
        (place, change, question.call_site.site),
        "make the variable once, before the loop",
        {name: described(source)},
        likely=True,
    )


def _is_lost(old: Any, new: Any, trace: Trace) -> bool:
    """Whether a variable was changed for nothing: no op read it since, and one made at the same place is used instead."""
    if old is new or not (isinstance(old, Variable) and isinstance(new, Variable)):
        return False
    values, others = trace.values_of(old), trace.values_of(new)
    if len(values) < 2 or not others:
        return False
    made = trace.stack_of(values[0])
    if not made or made != trace.stack_of(others[0]) or trace.history().used_by.get(values[-1]):
        return False
    # Layers made side by side, each with a call of its own, take their places one after the other too.
    return _was_made_after_a_change(new, old, trace)


def _was_made_after_a_change(new: Variable, old: Variable, trace: Trace) -> bool:
    """Whether a variable was made when another had been changed already."""
    for event in reversed(trace.events):
        if event.kind == "created" and event.subject is new:
            return True
        if event.kind == "assigned" and event.subject is old:
            return False
    return False


def optimizers_made_anew(trace: Trace) -> Iterator[Cause]:
    """The causes, at the end of the program: of optimizers that make one step each, with the same variables, and remember it for nothing."""
    by_place: dict[Place, list[Optimizer]] = {}
    for each in optimizers(trace):
        by_place.setdefault(each.place, []).append(each)
    for place, several in by_place.items():
        if len(several) < _PASSES or any(each.steps != 1 or not each.remembers for each in several):
            continue
        if _train_on(several[-_PASSES:], trace):
            yield Cause(
                "variable-made-anew",
                "wrong_value",
                f"the program makes {len(several)} optimizers here, and each makes one step: what it remembers of the gradients, such as a "
                "momentum, and its count of steps begin anew each time",
                (site(*place, "made anew here"),),
                "make the optimizer once, before the loop or where the model is made",
                likely=True,
            )


def _train_on(several: list[Optimizer], trace: Trace) -> bool:
    """Whether optimizers that were made one after the other update the same variables, which nothing else sets in between."""
    counters = {each.counter._number: i for i, each in enumerate(several)}
    updated: list[set[int]] = [set() for _ in several]
    current: int | None = None
    for event in trace.events:
        variable = event.subject if event.kind in ("created", "assigned") else None
        if variable is None:
            continue
        number = variable._number
        current = counters.get(number, current) if event.kind == "created" else current
        if current is None or event.kind == "created" or not trace.is_trained(number):
            continue
        if event.source is None or number not in trace.updates.behind(event.source):
            return False
        updated[current].add(number)
    return bool(set.intersection(*updated))


def refused(error: BaseException, frame: TracebackType) -> Cause | None:
    """The cause, if a layer of a library makes a variable or another layer when it is called, and the library refuses it."""
    layer = frame.tb_frame.f_locals.get("self")
    known = objects_in_scopes.get(id(layer))
    is_complete = getattr(
        getattr(layer, "_tracker", None), "locked", False
    )  # Keras's layers take no more once they are built
    if known is None or not is_complete or not isinstance(error, ValueError):
        return None
    code = frame.tb_frame.f_code
    node = written_at(code, frame.tb_lasti)
    if not _makes(node):
        return None
    name, made = known[1].what, known[1].made
    makes = site(code, frame.tb_lasti, "made anew here")
    new = "a variable" if isinstance(node, ast.Call) else quoted(makes.text)
    return Cause(
        "variable-made-anew",
        "exception",
        f"{name} makes {new} in `{code.co_name}`, which runs at each step: a layer that is built takes no new variables or layers",
        (makes,) if made is None else (makes, site(*made, "made here", name)),
        "make it in `__init__` or `build`, keep it as an attribute, and use that here",
    )


def _makes(node: Any) -> bool:
    """Whether a line makes a variable of a layer, or gives it an attribute."""
    if isinstance(node, ast.Call) and syntax.called_name(node) == "add_weight":
        return True
    targets = [target for target, _ in syntax.bindings(syntax.statement_of(node))] if node is not None else []
    return any(isinstance(each, ast.Attribute) for each in targets)
