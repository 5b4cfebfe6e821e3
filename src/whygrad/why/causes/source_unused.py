"""source-unused: the target does not depend on the source."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import objects_in_scopes, scope_of
from whygrad.runtime.syntax_trees import parse
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.cause_of_none import cause_of_none, names_of_others
from whygrad.why.evidence.broken_path import Ending, cuts
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.kept_values import is_returned
from whygrad.why.source.names import value_of
from whygrad.why.source.sites import Site, node_at, site, site_of
from whygrad.why.source.wording import described, quoted


def explain(q: SourceQuestion) -> Cause:
    """The cause, where no other was found: what depends on the source is not on the path to the target."""
    evidence, target, depends = q.evidence, quoted(q.target_name), names_of_others(q)
    shape = next((cut.step for cut in cuts(q) if cut.ending is Ending.ONLY_SHAPE), None)
    if shape is not None:
        return cause_of_none(
            q,
            "source-unused",
            f"{target} depends on its shape alone, and that does not change under a small step"
            + (f"; {target} depends on {depends}" if depends else ""),
            [site(shape.through.code, shape.through.instruction, "only its shape is used here"), q.defined_at],
            f"use the values of {quoted(q.name)} in the computation of {target}, or leave it out of the sources",
        )
    if q.derivative == "tangent" and not evidence.is_traced:
        return cause_of_none(
            q,
            "source-unused",
            f"nothing that the tape followed leads from it to {target}",
            [],
            f"compute {target} from {quoted(q.name)} inside the with block, with ops that have a derivative, and without NumPy or float() "
            "on the way; `whygrad run` names the line at which the way ends",
        )
    last = next((r for r in reversed(evidence.records) if any(key in q.descendants for key in outputs_of(r))), None)
    if last is not None and _is_prediction_ignored(q, last):
        return _of_ignored_prediction(q, last)
    kept_up = _kept_up_at(q)
    if kept_up is not None:
        return cause_of_none(
            q,
            "source-unused",
            f"the program itself assigns it, as a moving average, and {target} does not depend on it",
            [q.defined_at, site(*kept_up, "assigned here")],
            f"make {quoted(q.name)} with trainable=False: no gradient is meant to train it",
        )
    late = _reads_late(q) if last is None else None
    if late is not None:
        function, element = late
        return cause_of_none(
            q,
            "source-unused",
            f"{target} does not depend on it: a function that is made in a loop reads {quoted(element)} when it is called, which is the last "
            "element then",
            [site_of(function, q.flow.file_of(function), f"{element} is read late"), q.defined_at],
            f"keep the element of each turn as a default of the function: write {element}={element} among its parameters",
        )
    mistaken = _mistaken_for(q) if last is None else None
    if mistaken is not None:
        used, instead = mistaken
        return cause_of_none(
            q,
            "source-unused",
            f"{target} does not depend on it, and {quoted(used.text)} is used where the name of the result suggests it",
            [used, q.defined_at],
            instead,
            likely=True,
        )
    read = _read_instead(q) if last is None else None
    if read is not None:
        file, parameter = q.flow.file_of(read), quoted(q.name.partition("[")[0])
        return cause_of_none(
            q,
            "source-unused",
            f"{target} reads {quoted(read.id)} from outside, and not its parameter {parameter}",
            [site_of(read, file, "read here")],
            f"use {parameter} in the place of {quoted(read.id)}",
        )
    sites = [q.defined_at] if last is None else [_lost_at(q, last), _dead_end(last), q.defined_at]
    # Without a trace, the ops of other threads and other blocks are not known: say no more than the tape knows.
    because = (
        f"{target} does not depend on it"
        if evidence.is_traced or q.is_of_function
        else f"nothing that the tape recorded leads from it to {target}"
    )
    elsewhere = (
        " inside the with block (what was computed before it, or in another thread, is a constant for the tape)"
        if not evidence.is_traced and last is None and not q.is_of_function
        else ""
    )
    return cause_of_none(
        q,
        "source-unused",
        because
        + (", though it was used for something else" if last is not None else "")
        + (f"; {target} depends on {depends}" if depends else ""),
        sites,
        f"{target} is replaced in each iteration of the loop: add the terms up, or collect them in a list for tf.add_n"
        if last is not None and _is_replaced(q)
        else f"{_how_to_use(q)} in the computation of {target}{elsewhere}, or leave it out of the "
        + ("arguments that are differentiated" if q.is_of_function else "sources"),
    )


def _kept_up_at(q: SourceQuestion) -> tuple[Any, int] | None:
    """Where the tape's block gives a source a new value that was computed from the one it had."""
    for event in q.evidence.tape_events:
        if event.kind == "assigned" and event.subject is q.source and event.source in q.descendants:
            return event.code, event.instruction
    return None


def _reads_late(q: SourceQuestion) -> tuple[ast.expr, str] | None:
    """A function that a loop over the source's list makes and does not call, if it reads the loop's element, and the element's name."""
    container = q.name.partition("[")[0]
    loops = (
        each for tree in q.flow.trees for each in ast.walk(tree) if isinstance(each, ast.For | syntax.Comprehension)
    )
    for loop in loops:
        parts = [loop] if isinstance(loop, ast.For) else loop.generators
        for part in parts:
            if container not in {syntax.last_name(each) for each in ast.walk(part.iter)}:
                continue
            given = {each.id for each in syntax.written_targets(part.target) if isinstance(each, ast.Name)}
            for function in ast.walk(loop):
                if not isinstance(function, ast.Lambda) or _is_called_at_once(function):
                    continue
                own = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
                read = {each.id for each in ast.walk(function.body) if isinstance(each, ast.Name)}
                if late := sorted((given & read) - own):
                    return function, late[0]
    return None


def _is_called_at_once(function: ast.Lambda) -> bool:
    """Whether a function is called where it is written, or handed to what may call it at once: not kept in a list or under a name."""
    above = syntax.parent(function)
    appended = isinstance(above, ast.Call) and syntax.called_name(above) == "append"
    return not appended and not isinstance(above, ast.List | ast.Dict | ast.Assign | ast.ListComp)


def _read_instead(q: SourceQuestion) -> ast.Name | None:
    """Where a function that is differentiated reads the name from outside that it is given as an argument, and not its parameter."""
    asked = q.call_site.node
    if not q.returned or not isinstance(asked, ast.Call):
        return None
    function = syntax.scope_of(q.returned[0])
    names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
    own = {each.id for each in names if isinstance(each.ctx, ast.Store)} | {
        a.arg for a in ast.walk(function) if isinstance(a, ast.arg)
    }
    given = {each.id for each in asked.args if isinstance(each, ast.Name)} - own
    if any(each.id == q.name.partition("[")[0] for each in names):
        return None
    return next((each for each in names if each.id in given), None)


def _mistaken_for(q: SourceQuestion) -> tuple[Site, Repair] | None:
    """Another source of a similar name, used where the result is named after the source: `logvar = apply(params["mean"], h)`."""
    names = [_parts(each) for each in q.question.source_names]
    own = _parts(q.name)
    for place, part in enumerate(own):
        siblings = {each[place] for each in names if len(each) == len(own) and each[:place] == own[:place]} - {part}
        for sibling in sorted(siblings):
            told_by = syntax.words_of(part) - syntax.words_of(sibling)
            for statement in (each for tree in q.flow.trees for each in ast.walk(tree)):
                used = _reads_of(statement.value, sibling) if isinstance(statement, ast.Assign) else []
                given = [syntax.last_name(target) or "" for target, _ in syntax.bindings(statement)] if used else []
                named = any(told_by & syntax.words_of(each) - syntax.words_of(sibling) for each in given)
                if not named or _reads_of(statement.value, part):  # type: ignore[attr-defined]
                    continue
                file = q.flow.file_of(statement)
                text = ast.unparse(used[0])
                instead = text[: text.rindex(sibling)] + part + text[text.rindex(sibling) + len(sibling) :]
                help = f"use {quoted(instead)} here, if that is meant, or leave {quoted(q.name)} out of the sources"
                return site_of(used[0], file, "used here"), Repair(help, (replaced(file, used[0], instead),))
    return None


def _parts(name: str) -> list[str]:
    """The names, attributes and keys that an expression such as `params["mean"].w` is made of."""
    node: Any = parse(name, mode="eval").body if name.isascii() and _is_path(name) else None
    found: list[str] = []
    while node is not None:
        if isinstance(node, ast.Name):
            return [node.id, *found]
        if isinstance(node, ast.Attribute):
            found.insert(0, node.attr)
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            found.insert(0, str(node.slice.value))
        else:
            break
        node = node.value
    return []


def _is_path(name: str) -> bool:
    """Whether a name is an expression that can be parsed: a library's own names need not be."""
    try:
        parse(name, mode="eval")
    except SyntaxError:
        return False
    return True


def _reads_of(value: ast.expr, part: str) -> list[Any]:
    """The places in an expression that read a name, an attribute or a key."""
    return [
        each
        for each in ast.walk(value)
        if (isinstance(each, ast.Name) and each.id == part)
        or (isinstance(each, ast.Attribute) and each.attr == part)
        or (isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant) and each.slice.value == part)
    ]


def _is_replaced(q: SourceQuestion) -> bool:
    """Whether the line that made the target also made something of the source, in another turn of a loop."""
    makers = [q.evidence.history.made_by.get(key) for key in q.evidence.target_keys]
    places = {(each.code, each.instruction) for each in makers if isinstance(each, Record)}
    return any(
        (each.code, each.instruction) in places and not q.descendants.isdisjoint(outputs_of(each))
        for each in q.evidence.records
    )


def _how_to_use(q: SourceQuestion) -> str:
    """What to do with a source that is not used: of a layer's variable, to call the layer."""
    scope = q.source._scope if isinstance(q.source, Variable) else None
    return f"use {quoted(q.name)}" if scope is None or q.was_used else f"call {scope.what}"


# -- a loss that a library computes without the prediction --


def _is_prediction_ignored(q: SourceQuestion, last: Record) -> bool:
    """Whether all variables of a library's model are used, and none for the target."""
    variables = [each for each in q.call.sources if isinstance(each, Variable)]
    return (
        len(variables) == len(q.call.sources)
        and all(each._path is not None for each in variables)
        and not any(key in q.evidence.towards for each in variables for key in q.evidence.read_values_of(each))
    )


def _of_ignored_prediction(q: SourceQuestion, last: Record) -> Cause:
    target = quoted(q.target_name)
    computed = [_computed_at(q)]
    return cause_of_none(
        q,
        "source-unused",
        f"{target} is computed without the prediction, so that no variable of the model changes it",
        [*computed, _dead_end(last)],
        f"use the prediction in the computation of {target}",
    )


def _computed_at(q: SourceQuestion) -> Site | None:
    """The last line of the program itself that computed something for the target: in the loss that it calls, if that is of its own class."""
    evidence = q.evidence
    makers = ((key, evidence.history.made_by.get(key)) for key in evidence.towards)  # the target first
    own = [(key, each) for key, each in makers if isinstance(each, Record) and scope_of(each.code) is None]
    if not own:
        return q.call_site.assigned_at(q.target_name, "target made here")
    inside = _code_called_at(own[0][1])
    key, maker = next((each for each in own if each[1].code is inside), own[0])
    return site(maker.code, maker.instruction, "computed here", described(key))


def _code_called_at(record: Record) -> CodeType | None:
    """The code of the method that a library's object, which the program calls at a place, calls in turn."""
    node = node_at(record.code, record.instruction)
    called = value_of(node.func, record.code) if isinstance(node, ast.Call) else None
    method = getattr(type(called), "call", None) if id(called) in objects_in_scopes else None
    return getattr(method, "__code__", None)


def _dead_end(last: Record) -> Site:
    """The last op on something computed from the source, from which the target was not computed."""
    return site(last.code, last.instruction, "not used further", described(outputs_of(last)[0]))


def _lost_at(q: SourceQuestion, last: Record) -> Site | None:
    """Where what was computed from the source was overwritten or left out, or else where the target was made without it."""
    node, asked = node_at(last.code, last.instruction), q.call_site.node
    statement = syntax.statement_of(node) if node is not None else None
    for target, _ in syntax.bindings(statement):
        for again, value in syntax.assignments(syntax.scope_of(statement), ast.unparse(target)):
            later = asked is not None and syntax.runs_later(again, asked)
            if again.lineno > _last_line(statement) and not later and not _reads(value, ast.unparse(target)):
                return site_of(value, last.code.co_filename, "overwritten here")
    dropped = _dropped_result(q)
    if dropped is not None:
        return dropped
    scope = syntax.scope_of(node) if node is not None else None
    if isinstance(scope, ast.FunctionDef) and scope is not q.call_site.scope and not is_returned(node):
        returned = [each.value for each in ast.walk(scope) if isinstance(each, ast.Return) and each.value is not None]
        if returned:
            return site_of(returned[-1], last.code.co_filename, "left out here")
    return q.call_site.assigned_at(q.target_name, "target made here")


def _dropped_result(q: SourceQuestion) -> Site | None:
    """The call of the object that holds the source, if the program does not use its result."""
    holders = {name for place in q.made_in[1:4] for name in syntax.names_given(node_at(*place))} - {None}
    for tree in q.flow.trees:
        for statement in ast.walk(tree):
            value = getattr(statement, "value", None)
            if not isinstance(statement, ast.Assign | ast.Expr) or not isinstance(value, ast.Call):
                continue
            called: Any = value.func
            while isinstance(called, ast.Attribute) and syntax.last_name(called) not in holders:
                called = called.value
            kept = {ast.unparse(target) for target, _ in syntax.bindings(statement)}
            if syntax.last_name(called) in holders and not any(
                _reads(syntax.scope_of(statement), text) for text in kept
            ):
                return site_of(value, q.flow.file_of(statement), "not used further")
    return None


def _last_line(statement: ast.stmt | None) -> int:
    """The last line of a statement."""
    return 0 if statement is None else statement.end_lineno or statement.lineno


def _reads(value: ast.AST, text: str) -> bool:
    return any(
        ast.unparse(part) == text
        for part in ast.walk(value)
        if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)
    )
