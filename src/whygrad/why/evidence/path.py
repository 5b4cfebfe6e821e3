"""Where a gradient comes from: the ops between a target and a source, with shapes and norms."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.norms import Norms, norm
from whygrad.values.tensor import Key, key_of
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import all_zero, array_of, is_finite
from whygrad.why.evidence.steps import Step
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import Site, operand_names, site
from whygrad.why.source.wording import listed, quoted, spoken


@dataclass(frozen=True)
class Hop:
    """One op on the way from the target back to the source, and one of its inputs."""

    op: str
    site: Site
    into: Key  # the input of the op on this path
    made: Key
    norm: float | None  # of the gradient that the op returned for `into`; None if it was not noted
    operand: str = ""  # as written, if several operands of the op are on the path


@dataclass(frozen=True)
class Answer:
    """Why a gradient is what it is: its causes if something is wrong, and the paths that it took.

    `view/ask.py` shows it.
    """

    sentence: str
    causes: tuple[Cause, ...]
    path: tuple[Hop, ...]  # every op on the paths, in the order in which the gradient passed them
    norm: float | None
    ways: int = 0  # how many paths there are from the target to the source
    hint: str = ""  # what is not known, and how to find out
    step: Step | None = field(default=None, compare=False)  # the ops of the call as a graph


def describe(
    call: GradientCall, position: int, causes: tuple[Cause, ...], norms: Norms | None, values_seen: bool = False
) -> Answer:
    """The answer for one source of a call of gradient, with the norms that were noted in the sweep.

    `values_seen` says that all values were available when the causes were looked for.
    """
    targets, sources = names_of(call)
    gradient = call.gradients[position]
    of = listed(targets) if len(targets) <= 3 else "the targets"
    kind = "gradient" if gradient is None or _is_gradient(call, position) else "jacobian"
    what = f"the {kind} of {of} with respect to {quoted(sources[position])}"
    if gradient is None:
        return Answer(f"{what} is None", causes, (), None)
    size = norm(getattr(gradient, "values", gradient))
    what += f" has norm {size:.6g}, shape {tuple(gradient.shape)}" if size is not None else " has no numbers yet"
    if position in call.without_path:
        reason = 'zeros for None, as unconnected_gradients="zero" asks for'
        if call.tape.named is not None:
            reason = "zeros, because the result does not depend on it"
        elif call.filled is None:
            reason = "zeros, because only code that did not run uses it"
        return Answer(f"{what}: {reason}", causes, (), size)
    source = call.sources[position]
    if isinstance(source, Variable) and key_of(source.value_here) is not call.key_of(source):
        what += f", at the value that {quoted(sources[position])} had when it was read: it has been changed since"
    edges = list(_edges(call, position, norms))
    place, names = functools.cache(site), functools.cache(operand_names)
    hops = []
    branching = Counter(record.output for record, _, _ in edges)
    for record, number, given in edges:
        at = (record.code, record.instruction)
        several = branching[record.output] > 1 and len(names(*at)) == len(record.inputs)
        operand = names(*at)[number] if several else ""
        name, into, made = record.plan.primitive.name, record.inputs[number], outputs_of(record)[0]
        hops.append(Hop(name, place(*at), into, made, given, operand))
    hint = "" if causes else _unexplained(call, position, edges, norms is not None, values_seen)
    return Answer(what, causes, tuple(hops), size, _ways(call, position, edges), hint)


def _is_gradient(call: GradientCall, position: int) -> bool:
    """Whether what was given has the source's shape; a jacobian has the target's before it."""
    return tuple(call.gradients[position].shape) == tuple(call.sources[position].shape)


# An op, which of its inputs, and the norm of the gradient that it returned for that input.
Edge = tuple[Record, int, float | None]


def _edges(call: GradientCall, source: int, norms: Norms | None) -> Iterator[Edge]:
    """Each op between target and source, with each input through which the source is reached, from the target on."""
    records = call.tape.records
    dependents = set(call.tape._keys(call.sources[source]))
    for record in records:
        if record.kept is not None and not dependents.isdisjoint(record.inputs):
            dependents.update(outputs_of(record))
    reached = {key for key in map(call.key_of, call.targets) if key is not None}
    for record in reversed(records):
        if record.kept is None or reached.isdisjoint(outputs_of(record)):
            continue
        met: dict[Key, int] = {}
        for position in _pulled(record):
            key = record.inputs[position]
            if key not in dependents:
                continue
            given = None if norms is None else norms.given.get((record.output, key), [])
            number = met[key] = met.get(key, -1) + 1
            if given is None or number < len(given):  # a custom gradient may return nothing
                reached.add(key)
                yield record, position, None if given is None else given[number]


def _pulled(record: Record) -> list[int]:
    """The inputs that a record's rules give a gradient for."""
    plan = record.plan
    if plan.joint is not None:
        return [i for i, key in enumerate(record.inputs) if key.dtype.kind in "fcV"]
    return [pull.input for pull in plan.pulls]


def _ways(call: GradientCall, position: int, edges: list[Edge]) -> int:
    """The number of paths through the ops."""
    count: dict[Key, int] = {}
    for key in map(call.key_of, call.targets):
        if key is not None:
            count[key] = 1
    for record, number, _ in edges:
        key = record.inputs[number]
        count[key] = count.get(key, 0) + sum(count.get(output, 0) for output in outputs_of(record))
    return sum(count.get(key, 0) for key in call.tape._keys(call.sources[position]))


# -- hints about inf, nan and zeros where no values are left --


def _unexplained(call: GradientCall, position: int, edges: list[Edge], noted: bool, values_seen: bool) -> str:
    """What is not known about a gradient, and how to find out."""
    array = array_of(call.gradients[position])
    targets, sources = names_of(call)
    target = targets[0] if len(targets) == 1 else "the target"
    instead = [f"ask tape.why({target}, {sources[position]}) in place of tape.gradient", "make the tape persistent"]
    if call.tape.named is not None:  # the program has no tape
        instead = []
    is_gradient = _is_gradient(call, position)
    hints: list[str] = []
    if not is_finite(array) or all_zero(array):
        hints.append(_end(edges) if is_finite(array) else _birth(call, edges, target))
        if not values_seen:
            tracing = "run inside whygrad.tracing() or under `whygrad run`"
            hints.append("to see why, " + ", or ".join([*(instead if is_gradient else []), tracing]))
    elif not noted and edges and is_gradient:
        hints.append(
            "for the norms on the path, "
            + ", or ".join([*instead, "ask why() again after the next gradient that is taken here"])
        )
    return "; ".join(each for each in hints if each)


def _birth(call: GradientCall, edges: list[Edge], target: str) -> str:
    if not all(is_finite(array_of(each)) for each in call.targets):
        return f"{quoted(target)} itself is not finite"
    bad: set[Key] = set()
    for record, number, given in edges:
        if given is not None and not math.isfinite(given):
            if bad.isdisjoint(outputs_of(record)):
                return f"{_named(record)}, turned a finite gradient into inf or nan"
            bad.add(record.inputs[number])
    return ""


def _end(edges: list[Edge]) -> str:
    """The op at which the last of the paths came to zero."""
    alive: set[Key] = set()
    last: Record | None = None
    for record, number, given in edges:
        if given is None:
            return ""
        if given != 0.0:
            alive.add(record.inputs[number])
        elif last is None or not alive.isdisjoint(outputs_of(record)):
            last = record
    return "" if last is None else f"{_named(last)}, turned it into zeros"


def _named(record: Record) -> str:
    return f"{spoken(record)}, line {site(record.code, record.instruction).line}"
