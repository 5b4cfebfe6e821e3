"""source-is-a-copy: the target was computed from another tensor with the same origin, or the same numbers."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from types import CodeType

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.question import Question, SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import Site, node_at, site
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion) -> Cause | None:
    """The cause, if the source was computed from what the target was computed from, but is not on the path itself."""
    if q.is_of_function:  # the source is made from the argument, and nothing else can be
        return None
    if isinstance(q.source, Variable) or not q.keys:
        return None
    key, evidence, target = q.keys[0], q.evidence, quoted(q.target_name)
    maker = evidence.history.made_by.get(key)
    if not isinstance(maker, Record):
        return _unused_twin(q)
    if not _shares_an_origin(q, maker):
        return _made_again(q, maker)
    made = q.call_site.assigned_at(q.name, "made here") or evidence.made_at(key)
    target_made = q.call_site.assigned_at(q.target_name, "target made here") or _target_made(q)
    copies = maker.traits.moves is not None or maker.traits.casts
    copies = copies and any(key in evidence.towards for key in maker.inputs)
    # A copy made outside the tape was asked for by mistake; one made inside was meant to be used.
    sites = [made, target_made] if copies or key not in evidence.recorded else [target_made, made]
    whole = _of_the_whole(q)
    return cause_of_none(
        q,
        "source-is-a-copy",
        f"each time it is written, {quoted(q.name)} makes a new tensor, and {target} was not computed from this one"
        if whole is not None
        else f"{target} was not computed from {quoted(q.name)}, though both were computed from the same values",
        sites,
        whole
        or f"compute {target} from {quoted(q.name)} itself"
        + (", or differentiate with respect to the tensor that it was copied from" if copies else ""),
    )


def _made_again(q: SourceQuestion, maker: Record) -> Cause | None:
    """The cause, if nothing was computed from the source, and the target was computed from what the same line made another time."""
    if any(isinstance(user, Record) for user in q.evidence.history.used_by.get(q.keys[0], ())):
        return None
    for twin in _twins(q):
        other = q.evidence.history.made_by.get(twin)
        if isinstance(other, Record) and (other.code, other.instruction) == (maker.code, maker.instruction):
            return cause_of_none(
                q,
                "source-is-a-copy",
                f"nothing was computed from this tensor; {quoted(q.target_name)} was computed from another that the same line made",
                [
                    q.call_site.assigned_at(q.target_name, "target made here") or _target_made(q),
                    q.evidence.site_of_key(twin, (other.code, other.instruction), "another made here", described(twin)),
                    q.call_site.assigned_at(q.name, "made here"),
                ],
                f"compute {quoted(q.target_name)} from {quoted(q.name)} itself, in place of making it again",
            )
    return None


def _of_the_whole(q: SourceQuestion) -> Repair | None:
    """The gradient of the whole tensor, of which that part is taken that the program asks for by an index."""
    asked = q.call_site.node
    if not isinstance(asked, ast.Call) or len(asked.args) != 2 or asked.keywords:
        return None
    part = asked.args[1]
    if not isinstance(part, ast.Subscript) or q.call_site.derivative != "gradient":
        return None
    func, target, whole, index = (ast.unparse(each) for each in (asked.func, asked.args[0], part.value, part.slice))
    text = f"{func}({target}, {whole})[{index.strip('()') if isinstance(part.slice, ast.Tuple) else index}]"
    return Repair(
        f"ask for the whole tensor, and take that part of its gradient: {text}",
        (replaced(q.call_site.file, asked, text),),
    )


def _shares_an_origin(q: SourceQuestion, maker: Record) -> bool:
    """Whether one of the source's ancestors is also one of the target's: a value that was watched or used, no literal."""
    pending, seen = deque(maker.inputs), set(maker.inputs)
    while pending and len(seen) < 10_000:
        key = pending.popleft()
        if key in q.evidence.towards and _is_no_literal(q, key):
            return True
        origin = q.evidence.history.made_by.get(key)
        for each in origin.inputs if isinstance(origin, Record) else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return False


def _is_no_literal(q: SourceQuestion, key: Key) -> bool:
    evidence = q.evidence
    return key in evidence.watched or key in evidence.recorded or len(evidence.history.used_by.get(key, ())) > 1


def _target_made(q: SourceQuestion) -> Site | None:
    makers = [q.evidence.history.made_by.get(key) for key in q.evidence.target_keys]
    made = next((each for each in makers if isinstance(each, Record)), None)
    return None if made is None else site(made.code, made.instruction, "target made here")


# -- a second tensor of the same data --


def _unused_twin(q: SourceQuestion) -> Cause | None:
    """The cause, if nothing was computed from the source, and the target was computed from a tensor like it."""
    if q.evidence.history.used_by.get(q.keys[0]):
        return None
    watched, same_data = _watched_twin(q), _twin_of_the_same_data(q)
    if watched is None and same_data is None:
        return None
    return cause_of_none(
        q,
        "source-is-a-copy",
        f"nothing was computed from this tensor; {quoted(q.target_name)} was computed from another"
        + (" with the same numbers" if same_data is not None else " of its shape"),
        [same_data, q.defined_at, watched],
        f"make one tensor before the tape, x = {q.name}, and use `x` in tape.watch, for {quoted(q.target_name)} and as the source"
        if q.name.endswith(")")
        else f"compute {quoted(q.target_name)} from {quoted(q.name)} itself",
        likely=same_data is None,
    )


def _twins(q: SourceQuestion) -> Iterator[Key]:
    """Tensors of the source's shape and dtype that the target was computed from, and that no variable held."""
    key = q.keys[0]
    of_variables = {value for values in q.evidence.watched_variables.values() for value in values}
    for other in q.evidence.towards:
        if other is not key and other not in of_variables and (other.shape, other.dtype) == (key.shape, key.dtype):
            yield other


def _watched_twin(q: SourceQuestion) -> Site | None:
    """Where the tape began to watch a tensor like the source that the target was computed from."""
    for twin in _twins(q):
        watched = q.evidence.watched_at(twin)
        if watched is not None:
            return site(*watched, role="watched here", note=described(twin))
    return None


def _twin_of_the_same_data(q: SourceQuestion) -> Site | None:
    """Where the target was made, if it was computed from a second tensor made from the same array or list."""
    place = q.evidence.converted_at(q.keys[0])
    node = node_at(*place) if place is not None else None
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Name):
        return None
    found = syntax.assignment_before(syntax.scope_of(node), node.args[0].id, node.lineno)
    if found is None:
        return None
    reached = q.flow.reached_from(found[1])
    for twin in _twins(q):
        made = q.evidence.converted_at(twin)
        if made is None:
            continue
        converted = node_at(*made)
        if converted is not None and converted is not node and any(part in reached for part in ast.walk(converted)):
            target = q.call_site.assigned_at(q.target_name, "target made here")
            return target or site(made[0], made[1], "another made here", described(twin))
    return None


# -- a name that was bound again --


def rebound(question: Question) -> Iterator[Cause]:
    """The sources whose name was bound to another tensor after the tape had begun to watch the one that had it."""
    evidence = question.evidence
    asked = {key for source in question.call.sources for key in evidence.read_values_of(source)}
    for q in map(question.about, range(len(question.call.sources))):
        # The arguments of a differentiated function are watched, and asked for, as they are.
        if q.is_of_function or isinstance(q.source, Variable) or question.call.gradients[q.position] is None:
            continue
        if any(evidence.watched_at(key) is not None for key in q.keys):
            continue
        for root in evidence.tape_history.towards(q.keys):
            watched = None if root in asked else evidence.watched_at(root)
            if watched is not None and q.name in _watched_names(*watched):
                yield _of_name_bound_again(q, site(*watched, "watched here", described(root)))
                return


def _watched_names(code: CodeType, instruction: int) -> list[str]:
    """What is written as the argument of a call of `watch`: one name, or those of a list."""
    call = node_at(code, instruction)
    given = call.args[:1] if isinstance(call, ast.Call) else []
    parts = [part for each in given for part in (each.elts if isinstance(each, ast.List | ast.Tuple) else [each])]
    return [ast.unparse(each) for each in parts]


def _of_name_bound_again(q: SourceQuestion, watched: Site) -> Cause:
    made, name = q.call_site.assigned_at(q.name, "bound again here"), quoted(q.name)
    return Cause(
        "source-is-a-copy",
        "wrong_value",
        f"the {q.derivative} is that for what {name} became, not for the tensor that the tape was told to watch: {name} was bound again in "
        "between",
        (*(() if made is None else (made,)), watched, q.call_site.site),
        f"if you mean the tensor that is watched, give it a name of its own, such as {q.name}_0 = {q.name} before the tape, and ask for the "
        f"{q.derivative} of {quoted(q.target_name)} with respect to {q.name}_0",
        {q.name: described(q.source)},
        likely=True,
    )
