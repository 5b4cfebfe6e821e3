"""numpy-conversion: a value left the tape for NumPy or Python, and came back as a constant."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key, Tensor
from whygrad.why.cause import Cause
from whygrad.why.causes import discrete_sampling
from whygrad.why.causes.cause_of_none import cause_of_none
from whygrad.why.evidence.history import Step
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.decisions import is_noted, only_decides
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import Site, node_at, site, written_at
from whygrad.why.source.tensor_functions import as_numpys, as_tensors, called_in, numpys_take_tensors, scipys_name
from whygrad.why.source.wording import described, quoted


def explain(
    q: SourceQuestion,
    in_tape: bool,
    before_tape: bool,
    without_source: bool,
    explain_op: Callable[[SourceQuestion, Step], Cause | None],
) -> Cause | None:
    """The cause, if something computed from the source left, and what the target was computed from came from there.

    `in_tape` and `before_tape` say which exits are looked at; `without_source` allows a likely cause where the program's text
    is not available. `explain_op` explains an op without a gradient: where its result left, the op is the cause.
    """
    exits = [event for event in q.evidence.history.events if event.kind == "left" and event.source in q.descendants]
    inside = {event.source for event in q.evidence.tape_events if event.kind == "left"}
    # An integer comes last: it only chooses, and carries no gradient anyhow. What left in the tape's block comes first: weights that were
    # copied before it into another network left as well.
    exits.sort(
        key=lambda event: (event.source is None or event.source.dtype.kind not in "fcV", event.source not in inside)
    )
    drawn: Cause | None = None
    for event in exits:
        if (in_tape if event.source in inside else before_tape) and _comes_back(q, event):
            cause = _cause(q, event, likely=False)
            if cause.kind != discrete_sampling.KIND:
                cut = None if event.source is None else step_without_gradient(q, event.source)
                return (explain_op(q, cut) if cut is not None else None) or cause
            drawn = drawn or cause  # a policy draws its action as well where its log-probability left
    if drawn is not None:
        return drawn
    if not exits or not without_source or q.flow.trees:
        return None
    return _cause(q, exits[0], likely=True) if _something_came_back(q, exits[0]) else None


def step_without_gradient(q: SourceQuestion, made: Key) -> Step | None:
    """The op without a gradient that made an index or a truth value of something computed from the source, or what that was made of."""
    while made.dtype.kind in "iub":
        maker = q.evidence.history.made_by.get(made)
        if not isinstance(maker, Record) or maker.traits.only_shape:
            return None
        given = [key for key in maker.inputs if key in q.descendants]
        start = next((key for key in given if key.dtype.kind in "fc"), None)
        if start is not None:
            return None if maker.plan.primitive.no_gradient is None else Step(start, maker, made)
        if not given:
            return None
        made = given[0]  # as in `np.searchsorted(edges, x) - 1`
    return None


def leads_to_target(q: SourceQuestion, record: Record) -> bool:
    """Whether, by the program's text, the result of an op flows into the target."""
    node = node_at(record.code, record.instruction)
    return node is not None and _leads_to_target(q, q.flow.reached_from(node))


def _cause(q: SourceQuestion, event: Event, likely: bool) -> Cause:
    left = site(event.code, event.instruction, "left here", described(event.source))
    drawn = discrete_sampling.drawn_with(q, event)
    if drawn is not None and (likely or not _comes_back(q, event, without=[drawn])):
        return discrete_sampling.explain_exit(q, drawn, left, likely)
    functions = _called_on_the_way(q, event)
    return cause_of_none(
        q,
        "numpy-conversion",
        f"the value left the tape {how(left)}, and came back as a constant",
        [left],
        called_for_arrays(event)
        or kept_in_array(event.code, event.instruction)
        or changed_as_array(event, left)
        or (
            as_numpys_here(event.code, event.instruction, functions)
            if numpys_take_tensors()
            else _computed_by_scipy(q, event) or f"stay with tensors: {as_tensors(left.text, functions)}"
        ),
        likely,
    )


def called_for_arrays(event: Event) -> Repair | None:
    """What to call in place of a model's method that gives arrays; None where none was called."""
    call = written_at(event.code, event.instruction)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    model = ast.unparse(call.func.value)
    if call.func.attr == "get_weights":
        return Repair(
            f"weights that are copied into another model are constants for the tape: call {quoted(model)} itself, or, to differentiate "
            f"through steps, compute with tensors in place of its variables, {model}.stateless_call(new_weights, ...)"
        )
    if call.func.attr not in ("predict", "predict_on_batch") or not call.args:
        return None
    written = f"{model}({ast.unparse(call.args[0])})"
    return Repair(
        f"call the model itself, {written}: {model}.{call.func.attr} gives arrays of NumPy",
        (replaced(event.code.co_filename, call, written),),
    )


def kept_in_array(code: CodeType, instruction: int) -> str:
    """What to do in place of writing tensors into an array, element by element; "" where that was not done."""
    target = written_at(code, instruction)
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return ""
    if numpys_take_tensors() and isinstance(target.slice, ast.Tuple):
        return f"build {quoted(ast.unparse(target.value))} with np.stack: of its rows, each an np.stack of its elements"
    return f"collect the values in a list in place of {quoted(ast.unparse(target.value))}, and join them with tf.stack"


def changed_as_array(event: Event, left: Site) -> str:
    """What to do in place of writing into the array that a tensor was made into; "" where that was not done."""
    made = written_at(event.code, event.instruction)
    statement = syntax.statement_of(made) if isinstance(made, ast.Call) else None
    if not isinstance(statement, ast.Assign) or statement.value is not made or len(statement.targets) != 1:
        return ""
    name = ast.unparse(statement.targets[0])
    writes = [
        each
        for each in ast.walk(syntax.scope_of(made))
        if isinstance(each, ast.Subscript)
        and isinstance(each.ctx, ast.Store)
        and ast.unparse(each.value) == name
        and each.lineno > statement.lineno
    ]
    if not writes:
        return ""
    conversion = re.match(r"(np|numpy)\.\w+(?=\()", left.text)
    out = conversion[0] if conversion else ".numpy()" if left.text.endswith(".numpy()") else "the conversion"
    how = (
        "np.where or np.concatenate" if numpys_take_tensors() else "tf.where, tf.concat or tf.tensor_scatter_nd_update"
    )
    return f"leave out {out}, and where elements of {quoted(name)} are written make a new tensor, with {how}"


def _computed_by_scipy(q: SourceQuestion, event: Event) -> str:
    """What to do where a function of SciPy computes with the value: there is none for tensors to write in its place."""
    start = _left_at(event)
    for call in q.flow.reached_from(start) if start is not None else ():
        name = _scipys_name(call, q.flow.file_of(call)) if isinstance(call, ast.Call) else ""
        if name:
            return (
                f"{name} computes with plain numbers: write this step with tensors, or give it a gradient of its own with "
                "tf.custom_gradient"
            )
    return ""


def as_numpys_here(code: CodeType, instruction: int, functions: Iterable[str] = ()) -> str:
    """What to write where NumPy's functions work on tensors, and a value leaves the tape here all the same."""
    left, node = site(code, instruction), node_at(code, instruction)
    maker = _maker_by_scipy(node, left.file) if isinstance(node, ast.Call) else ""
    if maker:
        return (
            f"what {maker} makes computes with plain numbers: write this step with NumPy's functions, or give it a gradient of its own "
            "with tf.custom_gradient"
        )
    return as_numpys(left.text, left.file, functions)


def _scipys_name(call: ast.Call, file: str) -> str:
    """The name in SciPy of a function that is called, or of what made it: `interp1d(x, y)` makes a function; "" of any other."""
    return scipys_name(call, file) or _maker_by_scipy(call, file)


def _maker_by_scipy(call: ast.Call, file: str) -> str:
    """The name in SciPy of what made the function that is called; "" if SciPy did not make it."""
    name, scope = ast.unparse(call.func), syntax.scope_of(call)
    made = syntax.assignment_before(scope, name, call.lineno)
    while made is None and isinstance(scope, syntax.Function):  # a global, or of a function around
        scope = syntax.scope_of(scope)
        made = next(reversed([*syntax.assignments(scope, name)]), None)
    maker = None if made is None else made[1]
    return scipys_name(maker, file) if isinstance(maker, ast.Call) else ""


def how(left: Site) -> str:
    """By which conversion."""
    methods = [each for each in (".numpy()", ".item()", ".tolist()") if left.text.endswith(each)]
    calls = [f"{each})" for each in ("float(", "int(") if left.text.startswith(each)]
    if methods or calls:
        return f"through {(methods or calls)[0]}"
    called = re.match(r"(np|numpy|math)\.[\w.]+", left.text)
    return f"through {called[0]}" if called else "for NumPy"


def _comes_back(q: SourceQuestion, event: Event, without: Iterable[ast.AST] = ()) -> bool:
    """Whether, by the program's text, what left here flows into an op that the target was computed with, but for some expressions."""
    start = _left_at(event)
    return start is not None and _leads_to_target(q, q.flow.reached_from(start, without))


def _left_at(event: Event) -> Any:
    """The expression at which a value left."""
    start: Any = written_at(event.code, event.instruction)
    if isinstance(start, ast.Subscript) and isinstance(start.ctx, ast.Store):  # `array[i] = tensor`: the tensor left
        statement = syntax.statement_of(start)
        start = statement.value if isinstance(statement, ast.Assign | ast.AugAssign) else start
    return start


def _called_on_the_way(q: SourceQuestion, event: Event) -> tuple[str, ...]:
    """The functions of NumPy and Python that are called with a value, from where it left until it came back."""
    start = _left_at(event)
    if start is None:
        return ()
    reached = q.flow.reached_from(start)
    calls = [each for each in reached if isinstance(each, ast.Call) and each is not start and called_in([each])]
    later = [each for each in calls[:_MOST_CALLS] if _leads_to_target(q, q.flow.reached_from(each))]
    return called_in([start, *later])


_MOST_CALLS = 50  # that are followed


def _leads_to_target(q: SourceQuestion, reached: set[ast.AST]) -> bool:
    """Whether one of some expressions belongs to the target, or to an op that it was computed with."""
    if any(node in reached for node in _target_nodes(q)) or any(map(q.flow.is_returned_to_library, reached)):
        return True
    seen = set()
    for key in q.evidence.towards:
        maker = q.evidence.history.made_by.get(key)
        is_op = isinstance(maker, Record) or (maker is not None and maker.kind == "converted")
        if maker is None or not is_op or (maker.code, maker.instruction) in seen:
            continue
        seen.add((maker.code, maker.instruction))
        node = node_at(maker.code, maker.instruction)
        if node is not None and any(each in reached for each in ast.walk(node)):
            return True
    return False


def _target_nodes(q: SourceQuestion) -> list[Any]:
    if q.is_of_function:
        return [node for each in q.returned for node in ast.walk(each)]
    node = q.call_site.node
    return list(ast.walk(node.args[0])) if isinstance(node, ast.Call) and node.args else []


def _something_came_back(q: SourceQuestion, left: Event) -> bool:
    """Whether the target was computed from something that came from NumPy or Python after the exit."""
    evidence = q.evidence
    if not evidence.is_traced:
        return True  # conversions are noted only while tracing
    order = evidence.order_of(left)
    return any(
        key in evidence.towards and evidence.order_of(event) > order
        for event in evidence.history.events
        if event.kind == "converted" and (key := event.result) is not None
    )


# -- while NumPy's own functions are redirected --


def line_of_exit(code: CodeType, instruction: int) -> int | None:
    """The line where the program first writes into the array that takes a value here; None where none does."""
    target = written_at(code, instruction)
    if not isinstance(target, ast.Subscript) or not isinstance(target.ctx, ast.Store):
        return None
    name = ast.unparse(target.value)
    writes = [each for each in ast.walk(syntax.scope_of(target)) if isinstance(each, ast.Subscript)]
    return min(w.lineno for w in writes if isinstance(w.ctx, ast.Store) and ast.unparse(w.value) == name)


def left_under_dispatch(tensor: Tensor, place: tuple[CodeType, int]) -> Cause | None:
    """The cause for a watched tensor that NumPy or Python took as plain numbers where NumPy's functions take tensors.

    None where it is shown.
    """
    node = node_at(*place)
    here = site(*place, "left here", described(tensor))
    if node is not None and any(map(syntax.shows, (node, *syntax.around(node)))):
        return None
    if isinstance(node, ast.expr) and (is_noted(node) or only_decides(node, here.file)):
        return None
    instead = kept_in_array(*place) or as_numpys_here(*place, called_in(syntax.around(node)))
    return Cause(
        "numpy-conversion",
        "none",
        f"{quoted(here.text) if here.text else 'this line'} takes a watched tensor as plain numbers: it leaves the tape, and no gradient "
        "comes back through it",
        (here,),
        f"{instead}; if it is meant to be a constant, say so with tf.stop_gradient",
        {"here": described(tensor)},
    )
