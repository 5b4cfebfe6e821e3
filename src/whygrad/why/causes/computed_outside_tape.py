"""computed-outside-tape: part of the path was computed while the tape was not recording, or was reset away."""

from __future__ import annotations

import ast
import threading
from dataclasses import replace
from types import CodeType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import Scope
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes import derivative_not_recorded
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.sites import Site, expression_of, node_at, site, site_of, written_at
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion, step: Step) -> Cause:
    """The cause of a path that ends at an op that ran while the tape was not recording."""
    record: Any = step.through
    for later in q.evidence.history.path(step.end, q.evidence.towards):
        if isinstance(later.through, Event) and later.through.kind == "differentiated":
            return derivative_not_recorded.explain(q, later)
    place = (record.code, record.instruction)
    node = node_at(*place)
    if isinstance(node, ast.Call) and syntax.differentiates(node):  # an op of the sweep, which another tape recorded
        return derivative_not_recorded.explain(q, step)
    computed = (
        _call_in_the_stopped_block(q, step.end)
        or _call_that_returned(q, step.end)
        or _call_before_the_block(q, step.end, written_at(*place))
        or q.evidence.site_of_key(step.end, place, "computed here", described(step.end))
    )
    if computed.scope is not None:  # the mistake is where the layer is called, not where it was made
        computed = replace(computed, scope=Scope(computed.scope.what, None))
    inner = site(*place, "computed by this")
    when, because, help = _why_not_recorded(q, step.end, computed)
    if step.start in q.evidence.recorded and _has_parts_of_other_tapes(q):
        help = f"other parts of {quoted(q.target_name)} were computed before this tape: {ONE_TAPE}"
    return cause_of_none(
        q,
        "computed-outside-tape",
        f"part of the path was computed {when}",
        [computed, inner if inner.line != computed.line else None, because],
        help,
    )


def _has_parts_of_other_tapes(q: SourceQuestion) -> bool:
    """Whether the source reaches the target through ops too that ran before this tape, as those of the turn of a loop before."""
    users = (each for key in q.keys for each in q.evidence.history.used_by.get(key, ()) if isinstance(each, Record))
    outputs = (outputs_of(each)[0] for each in users)
    return any(key in q.evidence.towards and key not in q.evidence.recorded for key in outputs)


def _why_not_recorded(q: SourceQuestion, key: Key, computed: Site) -> tuple[str, Site | None, str]:
    """Why the tape did not record an op: in words, where that was decided, and what to change."""
    evidence, tape = q.evidence, q.call_site.tape_name
    if evidence.thread_of(key) not in (None, threading.get_ident()):
        return (
            "in another thread, which the tape does not record",
            None,
            "compute this in the thread that opened the tape, or open a tape in the thread that computes",
        )
    places = [computed, *[site(*place) for place in evidence.stack_of(key)]]
    if evidence.stopped_at is not None and any(_lies_in(_block_opened_at(evidence.stopped_at), p) for p in places):
        return (
            "while the tape's recording was stopped",
            site(*evidence.stopped_at, "stopped here"),
            f"move this out of the block of {_stopping(evidence.stopped_at, tape)}",
        )
    if not any(q.call_site.is_in_tape(each) for each in places):
        again = _bound_again(q, places)
        if again is not None:
            return (
                f"under another tape, which was {quoted(tape)} then",
                again,
                f"give each tape a name of its own, and ask the one that recorded {quoted(q.target_name)}",
            )
        node = expression_of(computed)
        help = (
            _written_in_the_call(q, node)
            or _kept_by_python(node)
            or kept_elsewhere(q.call_site, node)
            or _made_of_the_source(q, key, node)
            or _into_another_function(q)
            or _MOVE
        )
        return "while the tape was not recording", None, help
    if evidence.reset_at is not None:
        return (
            f"before {tape}.reset(), which discards what was recorded",
            site(*evidence.reset_at, "reset here"),
            f"leave out {tape}.reset(), or compute this again after it",
        )
    return (
        "while the tape was not recording",
        None,
        "a tape records only the thread that opened it, and not while its recording is stopped: compute this in that thread",
    )


def _bound_again(q: SourceQuestion, places: list[Site]) -> Site | None:
    """Where the tape's name was given to a new tape, after the block of another one in which a value was computed."""
    now, named = q.call_site.tape_call(), syntax.assignments(q.call_site.scope, q.call_site.tape_name)
    for statement, _ in named:
        block = (q.call_site.file, statement) if isinstance(statement, ast.With) else None
        if now is not None and any(_lies_in(block, each) for each in places) and statement.lineno < now.lineno:
            return site_of(now, q.call_site.file, f"{q.call_site.tape_name} is a new tape here")
    return None


ONE_TAPE = "open one tape around everything that is added up, or take the gradient of each part from its own tape and add the gradients"
_MOVE = "move this line into the with block"


def _into_another_function(q: SourceQuestion) -> str | None:
    """What to do where a function that has ended opened the tape, and returned it: no line can be moved into its block."""
    made = q.call_site.tape_made_at()
    block = None if made is None else expression_of(made)
    function = None if block is None else syntax.scope_of(block)
    if not isinstance(function, ast.FunctionDef) or function is q.call_site.scope:
        return None
    tape = q.call_site.tape_name
    return f"compute this in {quoted(function.name)}, inside its with block, or open the tape again around this line: with {tape}:"


def _written_in_the_call(q: SourceQuestion, node: ast.expr | None) -> str | None:
    """What to do about a target that is computed in the call of `gradient` itself: the call stays outside of the block."""
    if node is None or node is not _written_target(q):
        return None
    return f"compute {quoted(ast.unparse(node))} inside the with block, and pass the result"


def _kept_by_python(node: Any) -> str | None:
    """What to do about a value that Python computes once: the default of a parameter, or the result of a function with a cache."""
    for each in () if node is None else syntax.around(node):
        if isinstance(each, ast.arguments):
            return "compute this in the function where it is used: Python computes a default once, when it defines the function"
        if (cache := syntax.cache_of(each)) is not None:
            return (
                f"leave out @{cache}: after the first time {quoted(each.name)} gives what was computed then, of the values and under the tape "
                "of that time"
            )
    return None


def _made_of_the_source(q: SourceQuestion, key: Key, node: Any) -> str | None:
    """What to do about a tensor like the source that was computed from it, as a picture with noise is: each of them may be meant."""
    if isinstance(q.source, Variable) or node is None or syntax.scope_of(node) is not q.call_site.scope:
        return None
    names = [ast.unparse(target) for target, value in syntax.bindings(syntax.statement_of(node)) if value is node]
    if len(names) != 1 or names[0] == q.name or all(key.shape != each.shape for each in q.keys):
        return None
    name = quoted(names[0])
    return (
        f"watch {name} in the with block, and take the gradient with respect to it; if {quoted(q.name)} is meant, compute {name} from it "
        "inside the with block"
    )


def kept_elsewhere(call_site: CallSite, node: Any) -> str | None:
    """What to do about a value that another function, such as a constructor, computed and kept: its line cannot just be moved."""
    function = None if node is None else syntax.scope_of(node)
    kept = [target for target, _ in syntax.bindings(syntax.statement_of(node))] if node is not None else []
    if isinstance(function, ast.FunctionDef) and function is not call_site.scope and len(kept) == 1:
        name = quoted(ast.unparse(kept[0]))
        return (
            f"compute this where {name} is used, inside the with block, so that it is recorded: {name} keeps the value that it had when "
            f"{quoted(function.name)} ran"
        )
    return None


def _stopping(place: tuple[CodeType, int], tape: str) -> str:
    """The call that opened the block in which recording is stopped, as it is written."""
    return site(*place).text or f"{tape}.stop_recording()"


def _block_opened_at(place: tuple[CodeType, int]) -> tuple[str, ast.With] | None:
    """The with statement whose context manager is made at a place, and its file."""
    node = node_at(*place)
    block = syntax.parent(syntax.parent(node)) if node is not None else None
    return (place[0].co_filename, block) if isinstance(block, ast.With) else None


def _lies_in(block: tuple[str, ast.With] | None, place: Site) -> bool:
    if block is None or place.file != block[0]:
        return False
    return block[1].body[0].lineno <= place.line <= (block[1].end_lineno or 0)


def _call_in_the_stopped_block(q: SourceQuestion, key: Key) -> Site | None:
    """The call, in the block in which recording was stopped, that computed a value."""
    block = None if q.evidence.stopped_at is None else _block_opened_at(q.evidence.stopped_at)
    places = [site(*each, "computed here", described(key)) for each in q.evidence.stack_of(key)]
    return next((each for each in places if _lies_in(block, each)), None)


def _call_that_returned(q: SourceQuestion, key: Key) -> Site | None:
    """The call, in the function that asks, of a function that computed a value and returned what it computed from it.

    Or the call whose result was kept in an attribute meanwhile.
    """
    for depth, (code, instruction) in enumerate(q.evidence.stack_of(key)):
        node = written_at(code, instruction)
        scope = None if node is None else syntax.scope_of(node)
        if scope is q.call_site.scope:
            return site(code, instruction, "computed here", described(key)) if depth else None
        if not isinstance(scope, ast.FunctionDef) or not _is_returned(q, scope, node):
            return site(code, instruction, "computed here", described(key)) if depth and _is_kept(node) else None
    return None


def _call_before_the_block(q: SourceQuestion, key: Key, node: Any) -> Site | None:
    """The call, in the function that asks, that led to an op of another function, by the text: where the calls around were not noted."""
    asked, scope = q.call_site.node, q.call_site.scope
    if q.evidence.stack_of(key) or node is None or syntax.scope_of(node) is scope or scope is None:
        return None
    if not isinstance(asked, ast.Call) or not asked.args:
        return None
    inside = {each for block in q.call_site.tape_blocks() for each in ast.walk(block)}
    calls = {
        each: q.flow.reached_from(each)
        for each in ast.walk(scope)
        if isinstance(each, ast.Call) and each not in inside and syntax.scope_of(each) is scope
    }
    before = {each: reached for each, reached in calls.items() if asked.args[0] in reached and each is not asked}
    function = syntax.scope_of(node)
    is_plain = isinstance(function, ast.FunctionDef)
    entering = [each for each in q.flow.calls_of(function) if each in before] if is_plain else []
    if len(entering) == 1:
        return site_of(entering[0], q.call_site.file, "computed here", described(key))
    last = [
        each for each, reached in before.items() if not any(other in reached for other in before if other is not each)
    ]
    return site_of(last[0], q.call_site.file, "computed here", described(key)) if len(last) == 1 else None


def _is_kept(node: ast.AST | None) -> bool:
    """Whether the value of an expression is kept in an attribute, as a constructor does."""
    kept = [*syntax.bindings(syntax.statement_of(node))]
    return len(kept) == 1 and isinstance(kept[0][0], ast.Attribute) and kept[0][1] is node


def _is_returned(q: SourceQuestion, function: ast.FunctionDef, node: ast.AST) -> bool:
    """Whether a function returns something computed from a value in it, and does not keep that value elsewhere."""
    keeps = syntax.cache_of(function) is not None or any(
        isinstance(target, ast.Attribute | ast.Subscript) for target, _ in syntax.bindings(syntax.statement_of(node))
    )
    return not keeps and any(
        isinstance(syntax.parent(each), ast.Return) and syntax.scope_of(each) is function
        for each in q.flow.reached_from(node)  # type: ignore[arg-type]
    )


# -- in a pipeline of data, which stores what its functions gave --


def explain_in_pipeline(q: SourceQuestion) -> Cause | None:
    """The cause, if only a function that a dataset calls on its elements uses the source: the elements that it makes are plain data."""
    for key in q.keys:
        for record in q.evidence.history.used_by.get(key, ()):
            if not isinstance(record, Record) or any(each in q.evidence.recorded for each in outputs_of(record)):
                continue
            call = _call_by_dataset(q, record)
            if call is not None:
                place = (record.code, record.instruction)
                return cause_of_none(
                    q,
                    "computed-outside-tape",
                    f"a function that a dataset calls on its elements uses it: for the tape {quoted(q.target_name)} was computed from data",
                    [site(*place, "computed here"), site_of(call, place[0].co_filename, "called by the dataset")],
                    "let the dataset pass its elements on as they are, and compute this from them inside the with block",
                )
    return None


def _call_by_dataset(q: SourceQuestion, record: Record) -> ast.Call | None:
    """The call that gives a dataset the function in which an op ran."""
    node = written_at(record.code, record.instruction)
    scope = None if node is None else syntax.scope_of(node)
    if not isinstance(scope, syntax.Function) or scope is q.call_site.scope:
        return None
    for call in syntax.Flow([record.code.co_filename]).calls_of(scope):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        names = {getattr(scope, "name", None)}
        if call.func.attr in _CALLED_BY_DATASETS and any(
            each is scope or syntax.last_name(each) in names for each in call.args
        ):
            return call
    return None


_CALLED_BY_DATASETS = ("map", "flat_map", "interleave", "filter", "from_generator")


# -- without a trace, where ops outside the tape are not known --


def explain_unseen_target(q: SourceQuestion) -> Cause | None:
    """The cause, if the tape did not record how the target was computed."""
    evidence = q.evidence
    if evidence.is_traced or evidence.target_is_known or q.is_of_function:  # a function is recorded whole
        return None
    value = _value_of_target(q)
    if value is None or any(isinstance(each, ast.With) for each in syntax.around(value)):
        return None
    made = site_of(value, q.call_site.file, "computed outside")
    if syntax.differentiates(value):
        return derivative_not_recorded.explain_target(q, made)
    return cause_of_none(
        q,
        "computed-outside-tape",
        f"{quoted(q.target_name)} was computed while the tape was not recording",
        [made],
        _written_in_the_call(q, value) or _MOVE,
    )


def _value_of_target(q: SourceQuestion) -> ast.expr | None:
    """The expression of the target: the last one assigned to its name, or the one written in the call itself."""
    found = q.call_site.assignment_of(q.target_name)
    if found is not None:
        return found[1]
    written = _written_target(q)
    return written if isinstance(written, ast.BinOp | ast.UnaryOp | ast.Call | ast.Subscript) else None


def _written_target(q: SourceQuestion) -> ast.expr | None:
    """The target as it is written in the call of `gradient`."""
    asked = q.call_site.node
    return asked.args[0] if isinstance(asked, ast.Call) and asked.args else None


def explain_interruption(q: SourceQuestion) -> Cause | None:
    """The cause, if the tape was reset, or its recording was stopped for a while, and it recorded no use of the source."""
    evidence, tape = q.evidence, q.call_site.tape_name
    target, source = quoted(q.target_name), quoted(q.name)
    if evidence.is_traced or any(key in evidence.history.used_by for key in q.keys):
        return None
    if evidence.reset_at is not None and not evidence.target_is_known:
        return cause_of_none(
            q,
            "computed-outside-tape",
            f"{target} was computed before {tape}.reset()",
            [site(*evidence.reset_at, "reset here")],
            f"leave out {tape}.reset(), or compute {target} after it",
        )
    if evidence.stopped_at is None:
        return None
    return cause_of_none(
        q,
        "computed-outside-tape",
        f"nothing that the tape recorded leads from it to {target}, and its recording was stopped for a while",
        [site(*evidence.stopped_at, "stopped here")],
        f"what is computed in the block of {_stopping(evidence.stopped_at, tape)} is a constant for the tape: move what leads from "
        f"{source} to {target} out of it",
        likely=True,
    )
