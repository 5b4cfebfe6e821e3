"""gradient-not-applied: no variable is updated with the gradients, or none with what the program made of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

from whygrad.why.cause import Cause
from whygrad.why.causes import gradient_dropped, gradient_superseded
from whygrad.why.causes.gradient_dropped import Unused
from whygrad.why.evidence.call_evidence import Place
from whygrad.why.evidence.optimizers import optimizers
from whygrad.why.evidence.trace import Trace
from whygrad.why.evidence.updates import Taken
from whygrad.why.source import syntax
from whygrad.why.source.decisions import is_shown
from whygrad.why.source.edits import Edit, Repair, inserted_after
from whygrad.why.source.sites import argument_node, node_at, site
from whygrad.why.source.syntax import Flow
from whygrad.why.source.wording import more_sources, quoted

_STEPS = 3  # calls of gradient at one place, after which variables that are still the same are no accident


def explain(trace: Trace) -> Iterator[Cause]:
    """What the whole program did with its gradients: nothing, or nothing with what it made of them."""
    unused = list(gradient_dropped.unused_in(trace))
    yield from gradient_dropped.explain(unused, trace)
    yield from gradient_superseded.explain(trace)
    yield from _never_applied(unused, trace)


class _Optimizer(NamedTuple):
    """An optimizer that made no step: where it was made, the statement that keeps it, and the expression for it."""

    place: Place
    statement: ast.stmt
    name: str


def _never_applied(unused: list[Unused], trace: Trace) -> Iterator[Cause]:
    idle = list(_idle_optimizers(trace))
    if not idle:
        return
    by_place: dict[Place, dict[int, Taken]] = {}
    for number, taken in trace.updates.all_taken().items():
        by_place.setdefault((taken.code, taken.instruction), {})[number] = taken
    for place, sources in by_place.items():
        times = trace.times_at(place)
        if times < _STEPS or any(trace.updates.is_changed(each) or not trace.is_trained(each) for each in sources):
            continue
        if _are_looked_at(place, sources.keys(), trace) or not _is_followed(place):
            continue
        first, *others = sorted(sources.values(), key=lambda each: each.position)
        repair = _apply(place, len(sources), unused, idle)
        applied = f"{quoted(idle[0].name)} never" if len(idle) == 1 else "no optimizer"
        yield Cause(
            "gradient-not-applied",
            "wrong_value",
            f"{quoted(first.name)} never changes: its gradient was taken {times} times, and {applied} applied it"
            f"{more_sources([each.name for each in others])}",
            (site(*place, "taken here"), *(site(*each.place, "made here") for each in idle[:1])),
            repair.help,
            likely=True,
            edits=repair.edits,
        )


def _are_looked_at(place: Place, numbers: Set[int], trace: Trace) -> bool:
    """Whether the program takes the gradients for their own sake: it prints them or something made of them, or takes them to NumPy."""
    if any(
        e.kind == "left" and e.source is not None and numbers & trace.updates.behind(e.source) for e in trace.events
    ):
        return True
    node = node_at(*place)
    return node is not None and is_shown(node, place[0].co_filename)


def _is_followed(place: Place) -> bool:
    """Whether the program follows the target from call to call, as a loss that should fall: a benchmark or a test takes gradients alone."""
    target = argument_node(*place, 0, "target")
    statement = syntax.statement_of(target)
    if not isinstance(target, ast.Name) or statement is None:
        return False
    loop = next(
        (each for each in syntax.around(target) if isinstance(each, ast.For | ast.While | syntax.Function)), None
    )
    reads = [each for each in ast.walk(loop) if isinstance(each, ast.Name) and each.id == target.id] if loop else []
    return any(isinstance(each.ctx, ast.Load) and _is_result(each, target.id) for each in reads)


def _is_result(read: ast.Name, name: str) -> bool:
    """Whether a name is read for more than to compute it further, or to differentiate it."""
    written = [each for each, _ in syntax.bindings(syntax.statement_of(read))]
    if any(isinstance(each, ast.Name) and each.id == name for each in written):
        return False
    return not any(map(syntax.differentiates, syntax.around(read)))


def _idle_optimizers(trace: Trace) -> Iterator[_Optimizer]:
    """The optimizers that the program keeps under a name, and neither asks for a step nor gives to a model, and whose count never changed."""
    for optimizer in optimizers(trace):
        place = optimizer.place
        node = None if optimizer.steps else node_at(*place)
        statement = None if node is None else syntax.statement_of(node)
        names = [ast.unparse(target) for target, value in syntax.bindings(statement) if value is node]
        if statement is not None and names and not _is_asked_for_steps(node, place[0].co_filename):
            yield _Optimizer(place, statement, names[0])


def _is_asked_for_steps(made: Any, file: str) -> bool:
    """Whether the program calls a method of an optimizer that makes a step, though it may not come to that, or compiles a model with it."""
    for each in Flow([file]).reached_from(made):
        if isinstance(each, ast.Attribute) and each.attr in _STEP:
            return True
        if isinstance(each, ast.Call) and syntax.called_name(each) == "compile":
            return True
    return False


_STEP = ("apply_gradients", "apply", "minimize")


def _apply(place: Place, count: int, unused: list[Unused], idle: list[_Optimizer]) -> Repair:
    """The step that is missing, after the gradients are taken, where the text shows what to write."""
    node = node_at(*place)
    general = Repair("update the variables with the gradients: optimizer.apply_gradients(zip(gradients, variables))")
    statement = None if node is None else syntax.statement_of(node)
    sources = None if node is None else argument_node(*place, 1, "sources")
    if len(idle) != 1 or sources is None or not isinstance(statement, ast.Assign) or statement.value is not node:
        return general
    optimizer = idle[0]
    (target,) = statement.targets[:1]
    gradients = ast.unparse(target)
    made = next((each for each in unused if _is_made_of(each, gradients, statement)), None)
    if made is not None:
        gradients, statement = made.name, made.statement
    elif isinstance(target, ast.Tuple):
        gradients = f"[{', '.join(ast.unparse(each) for each in target.elts)}]"
    variables = ast.unparse(sources)
    is_one = count == 1 and isinstance(sources, ast.Name) and not isinstance(target, ast.Tuple)
    pairs = f"[({gradients}, {variables})]" if is_one else f"zip({gradients}, {variables})"
    written = f"{optimizer.name}.apply_gradients({pairs})"
    is_known = syntax.scope_of(optimizer.statement) in (
        syntax.scope_of(statement),
        syntax.scope_of(syntax.scope_of(statement)),
    )
    edits: tuple[Edit, ...] = (inserted_after(place[0].co_filename, statement, written),) if is_known else ()
    return Repair(f"update the variables with the gradients: {written}", edits)


def _is_made_of(unused: Unused, gradients: str, statement: ast.stmt) -> bool:
    """Whether what is made of gradients, and dropped, is made of those with some name, after a statement that takes them."""
    if (
        syntax.scope_of(unused.statement) is not syntax.scope_of(statement)
        or unused.statement.lineno <= statement.lineno
    ):
        return False
    return any(each.id == gradients for each in gradient_dropped.names_read(unused.statement.value))
