"""Where a path from a source to a target is cut: by an op without a gradient, by a variable, by what was not recorded."""

from __future__ import annotations

import ast
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Draws
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.gradient_functions import returned_at
from whygrad.why.source.sites import Site, node_at, operand_names, site, site_of
from whygrad.why.source.wording import described, grouped, quoted

_RANDOM = re.compile(r"\brandom\b|\brng\b|_rng\b")
_MOST = 20_000  # values looked at on the way
BEFORE = 2.5  # the rank of a copy made before the tape, which is often meant: a network that follows another


class Cut(NamedTuple):
    """A step at which a path ends, and how unlikely it is to be the one that was not meant."""

    rank: float
    step: Step
    explanation: Callable[[Question, Step], Cause | None]


def explain(q: Question, cut: Cut) -> Cause | None:
    """The cause that a cut is."""
    return cut.explanation(q, cut.step)


def cuts(q: Question) -> list[Cut]:
    """The places at which the ways from the source to the target end, nearest to the source first."""
    found: list[Cut] = []
    pending, seen = deque(q.keys), set(q.keys)
    while pending and len(seen) < _MOST:
        key = pending.popleft()
        for step in _steps(q, key):
            cut = _cut_at(q, step)
            if cut is not None:
                found.append(cut)
            elif step.end not in seen:
                seen.add(step.end)
                pending.append(step.end)
    return [_in_context(q, each, found) for each in found]


def _steps(q: Question, key: Key) -> Iterator[Step]:
    """The steps from a value that lead on to the target."""
    for user in q.history.used_by.get(key, ()):
        for end in outputs_of(user) if isinstance(user, Record) else (user.result,):
            if end is not None and end in q.towards:
                yield Step(key, user, end)


def _cut_at(q: Question, step: Step) -> Cut | None:
    if isinstance(step.through, Event):
        return _cut_by_event(q, step, step.through)
    record = step.through
    primitive = record.plan.primitive
    if primitive.no_gradient is not None:
        if primitive.traits.only_shape:  # nothing depends on the source through it
            return None if step.end in q.recorded else Cut(9, step, _no_gradient)
        return Cut(_rank_without_gradient(q, step, record), step, _no_gradient)
    number = q.recorded.get(step.end)
    if number is None:
        return Cut(0.5, step, _not_recorded)
    followed_from = q.tape.followed_from(step.start)
    if step.start not in q.tape.live or (followed_from is not None and number < followed_from):
        return Cut(0, step, _not_followed)
    if step.end not in q.tape.live and step.end.dtype.kind not in "fcV":
        return Cut(_rank_without_gradient(q, step, record), step, _no_gradient)
    if primitive.takes_tensors:
        return Cut(3, step, _compiled_gave_none if hasattr(primitive, "compiled") else _custom_gradient_gave_none)
    return None


def _rank_without_gradient(q: Question, step: Step, record: Record) -> float:
    if record.traits.stops_gradient:
        return 1
    users = [
        user
        for user in q.history.used_by.get(step.end, ())
        if isinstance(user, Record) and any(key in q.towards for key in outputs_of(user))
    ]
    selects = step.end.dtype.kind not in "fcV" and users and all(user.traits.selects is not None for user in users)
    return 2 if selects else 0


def _in_context(q: Question, cut: Cut, all_cuts: list[Cut]) -> Cut:
    """A stop_gradient around something computed from a rounded value stands for rounding's slope: it comes first."""
    record = cut.step.through
    if not isinstance(record, Record) or not record.traits.stops_gradient:
        return cut
    origin = q.history.made_by.get(record.inputs[0])
    given = set(origin.inputs) if isinstance(origin, Record) else set()
    if any(other.rank == 0 and other.step.end in given for other in all_cuts):
        return cut._replace(rank=-1)
    return cut


# -- ops without a gradient --


def _no_gradient(q: Question, step: Step) -> Cause | None:
    record: Any = step.through
    primitive = record.plan.primitive
    name, traits = primitive.name, primitive.traits
    if traits.only_shape:
        return None
    operands = operand_names(record.code, record.instruction)
    operand = operands[0] if operands else "its input"
    before, after = described(step.start), described(step.end)
    becomes = f"{before} becomes {after}" if before != after else before
    cut = site(record.code, record.instruction, "cut here", becomes)
    if traits.stops_gradient:
        return q.cause(
            "stop-gradient-misplaced",
            f"{q.opening}: tf.stop_gradient cuts the path",
            [cut],
            f"leave out tf.stop_gradient around {quoted(operand)}, or put it on the part that is to stay fixed",
        )
    if traits.calls_python and primitive.no_gradient is not None:
        return q.cause(
            "python-callback-opaque",
            f"{q.opening}: tf.numpy_function computes in NumPy, where no tape can follow",
            [cut],
            "write the function with tf.* ops and call it directly, or give it a gradient with tf.custom_gradient",
        )
    if traits.draws is Draws.DISCRETE or _compares_with_chance(q, record, step):
        return q.cause(
            "discrete-sampling",
            f"{q.opening}: the path goes through a discrete random sample",
            [cut],
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
        )
    if traits.casts and step.end.dtype.kind in "iu":
        return q.cause(
            "integer-dtype",
            f"{q.opening}: a cast to {step.end.dtype.name} cuts the path, as integers carry no gradient",
            [cut],
            f"keep {quoted(operand)} in {step.start.dtype.name}",
        )
    if traits.is_unbounded_loop:
        return q.cause(
            "non-differentiable-op",
            f"{q.opening}: tf.while_loop cuts the path, as how many turns it takes is only known when it runs",
            [cut],
            "give it maximum_iterations: what the turns leave for the backward pass needs room that is known",
        )
    reason = primitive.no_gradient or f"{name} gives {step.end.dtype.name}"
    if traits.piecewise_constant and operands and cut.text:
        x = grouped(operand)
        return q.cause(
            "non-differentiable-op",
            f"{q.opening}: {name} cuts the path ({reason})",
            [cut],
            f"to round and let the gradient pass as if it were not rounded, write {x} + tf.stop_gradient({cut.text} - {x}); or pass "
            'unconnected_gradients="zero" if zero is what you mean',
        )
    written = node_at(step.through.code, step.through.instruction)
    called = syntax.called_name(written) if isinstance(written, ast.Call) else None
    return q.cause(
        "non-differentiable-op",
        f"{q.opening}: {called or name} cuts the path ({reason})",
        [cut],
        "replace it by something with a slope (a sigmoid for a comparison, a softmax for an argmax), or pass "
        'unconnected_gradients="zero" if zero is what you mean',
    )


def _compares_with_chance(q: Question, record: Record, step: Step) -> bool:
    """Whether an op decides by a random number: `uniform < p`, or the argmax of logits and noise."""
    if record.traits.finds_extreme:
        maker = q.history.made_by.get(step.start)
        if not isinstance(maker, Record) or maker.traits.arithmetic not in _ADDS:
            return False
        record, others = maker, maker.inputs
    elif record.traits.compares:
        others = tuple(key for key in record.inputs if key is not step.start)
    else:
        return False
    return any(key not in q.descendants and _is_noise(q, record, key) for key in others)


_ADDS = (Arithmetic.SUM, Arithmetic.DIFFERENCE)


def _is_noise(q: Question, record: Record, key: Key) -> bool:
    """Whether the program draws a value by chance: it says so where the value is made, or where it got its name."""
    for _ in range(4):
        maker = q.history.made_by.get(key)
        if not isinstance(maker, Record):
            break
        if _RANDOM.search(site(maker.code, maker.instruction).text):
            return True
        key = maker.inputs[0] if maker.inputs else key
    node = node_at(record.code, record.instruction)
    scope = syntax.scope_of(node) if node is not None else None
    for text in operand_names(record.code, record.instruction):
        if _RANDOM.search(text):
            return True
        found = syntax.assignments(scope, text)
        if found and _RANDOM.search(ast.unparse(found[-1][1])):
            return True
    return False


# -- what passes through variables, and through gradients --


def _cut_by_event(q: Question, step: Step, event: Event) -> Cut | None:
    if event.kind in ("created", "assigned"):
        inside = any(each.result is event.result for each in q.tape.events)
        return Cut(0 if inside else BEFORE, step, _wrapped_again if event.kind == "created" else _assigned)
    if event.kind == "differentiated":
        if any(ref() is q.tape for ref in event.subject or ()):
            return Cut(8, step, lambda q, step: None)  # recorded: what depends on the source there is an op
        return Cut(0, step, _derivative_not_recorded)
    return None


def _wrapped_again(q: Question, step: Step) -> Cause:
    event: Any = step.through
    return q.cause(
        "variable-rewrap",
        f"{q.opening}: tf.Variable(...) copies the value it is given, and the path ends there",
        [site(event.code, event.instruction, "cut here", described(step.start))],
        "use the computed tensor itself; make variables once, before the tape",
    )


def _assigned(q: Question, step: Step) -> Cause:
    event: Any = step.through
    return q.cause(
        "variable-assigned-in-tape",
        f"{q.opening}: the value went through a variable, and assigning cuts the path",
        [site(event.code, event.instruction, "cut here", described(step.start))],
        "compute the loss from the tensor that was assigned, not from the variable afterwards",
    )


def _derivative_not_recorded(q: Question, step: Step) -> Cause:
    event: Any = step.through
    return q.cause(
        "derivative-not-recorded",
        f"{q.opening}: it goes through a gradient that was taken while this tape was not recording, a constant for it",
        [q.site_of_key(step.end, (event.code, event.instruction), "differentiated here")],
        "take the inner gradient inside the with block of the outer tape, so that it is recorded too",
    )


# -- what the tape did not record --


def _not_followed(q: Question, step: Step) -> Cause:
    """The source is used on the way to the target, but the tape did not follow it there."""
    record: Any = step.through
    if isinstance(q.source, Variable):
        return _not_recorded(q, step)
    used = _used_at(q, record)
    watched = _watched_at(q, step.start)
    if watched is not None:
        return q.cause(
            "source-not-watched",
            f"{q.opening}: the tape was told to watch it only after it had been used",
            [watched, used],
            f"call {q.tape_name}.watch({q.name}) first in the with block",
        )
    copies = [record for record in q.tape.records if step.start in record.inputs]
    made, watched = next(
        ((copy, at) for copy in copies if (at := _watched_at(q, outputs_of(copy)[0])) is not None), (None, None)
    )
    if made is not None:
        return q.cause(
            "source-not-watched",
            f"{q.opening}: what the tape was told to watch is another tensor, made from it, and not it itself",
            [watched, _made_elsewhere(made, watched)],
            f"watch the very tensor that is asked for: {q.tape_name}.watch({q.name})",
        )
    overwritten = _was_a_variable(q, step.start)
    if overwritten is not None:
        return overwritten
    return q.cause(
        "source-not-watched",
        f"{q.opening}: it is a plain tensor, and the tape was not told to watch it",
        [used, q.tape_made_at()],
        f"call {q.tape_name}.watch({q.name}) at the start of the with block, or make it a tf.Variable",
    )


def _watched_at(q: Question, key: Key) -> Site | None:
    """Where the tape was told to watch a tensor."""
    at = q.tape.watched_at(key)
    return None if at is None else site(*at, "watched here")


def _made_elsewhere(record: Record, watched: Site | None) -> Site | None:
    """Where a watched tensor was made, if that is not where it was watched."""
    made = site(record.code, record.instruction, "made here", described(outputs_of(record)[0]))
    return None if watched is not None and made.line == watched.line else made


def _used_at(q: Question, record: Record) -> Site:
    """Where the source is first used: in the function that has the tape, even if the op is in one that it calls."""
    record = next((each for each in q.tape.records if any(key in q.keys for key in each.inputs)), record)
    place = site(record.code, record.instruction, "used here")
    if record.code is q.call.code or q.scope is None:
        return place
    return _first_mention(q) or q.tape_made_at() or place


def _blocks_of_the_tape(q: Question) -> Iterator[ast.With]:
    """The with statements that open the tape, as the program writes them."""
    made = q.tape_made_at()
    if made is None:
        return
    for block in ast.walk(q.scope):
        if isinstance(block, ast.With) and block.lineno <= made.line <= block.body[0].lineno:
            yield block


def _first_mention(q: Question) -> Site | None:
    """The first expression in the tape's block that mentions the source by the name it was asked for with."""
    name = q.name.split("[")[0]
    for block in _blocks_of_the_tape(q):
        for statement in block.body:
            for node in ast.walk(statement):
                if not isinstance(node, ast.Call) or syntax.called_name(node) == "watch":
                    continue
                if any(
                    isinstance(part, ast.Name | ast.Attribute) and ast.unparse(part) == name
                    for argument in (*node.args, *[k.value for k in node.keywords])
                    for part in ast.walk(argument)
                ):
                    return site_of(node, q.call.code.co_filename, "used here")
    return None


def _was_a_variable(q: Question, key: Key) -> Cause | None:
    """The source is a tensor that took a variable's place: an update that rebound the name."""
    if q.trace is None:
        return _rebound_in_the_program(q)
    maker = q.history.made_by.get(key)
    if not isinstance(maker, Record) or key in q.recorded:
        return None
    variable, updated = _variable_before(q, maker)
    if variable is None or not (updated or _same_name(q, variable, maker)):
        return None
    rebound = site(maker.code, maker.instruction, "rebound here", described(key))
    return _overwritten(q, rebound, node_at(maker.code, maker.instruction))


def _rebound_in_the_program(q: Question) -> Cause | None:
    """The same read off the program: the name was given a tf.Variable first, and then something computed from itself."""
    given = [value for _, value in syntax.assignments(q.scope, q.name)] if q.scope is not None else []
    if "." in q.name:  # an attribute, which the class gives its variable under a name of its own: self.kernel
        given = [*_given_to_the_attribute(q, q.name.rpartition(".")[2]), *given]
    if not given or not (isinstance(given[0], ast.Call) and syntax.called_name(given[0]) == "Variable"):
        return None
    for value in given[1:]:
        if isinstance(value, ast.BinOp) and ast.unparse(value.left) == q.name:
            return _overwritten(q, site_of(value, q.call.code.co_filename, "rebound here"), value)
    return None


def _given_to_the_attribute(q: Question, attribute: str) -> Iterator[ast.expr]:
    """What the methods of classes give an attribute of `self`."""
    for tree in q.flow.trees:
        for node in ast.walk(tree):
            for target, value in syntax.bindings(node) if isinstance(node, ast.Assign | ast.AnnAssign) else ():
                if ast.unparse(target) == f"self.{attribute}" and value is not None:
                    yield value


def _overwritten(q: Question, rebound: Site, update: ast.AST | None) -> Cause:
    return q.cause(
        "variable-overwritten-by-tensor",
        f"{q.opening}: it is no Variable any more, but a tensor computed from one, which the tape does not watch",
        [rebound],
        f"keep the Variable and change its value: {_as_assignment(update)}",
    )


def _as_assignment(node: Any) -> str:
    """The update as an assignment to the variable, in the user's words where they are plain."""
    assigns = {ast.Sub: "assign_sub", ast.Add: "assign_add"}
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in assigns:
        changed, change = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
        if isinstance(changed, ast.Name | ast.Attribute | ast.Subscript):
            return f"{ast.unparse(changed)}.{assigns[type(node.op)]}({ast.unparse(change)})"
    return "variable.assign(...)"


def _variable_before(q: Question, maker: Record) -> tuple[Variable | None, bool]:
    """A variable of the same shape from which a tensor was computed, and whether a gradient went into it as well."""
    variable: Variable | None = None
    shape, updated = outputs_of(maker)[0].shape, False
    pending, seen = deque(maker.inputs), set(maker.inputs)
    while pending and len(seen) < 64:
        key = pending.popleft()
        if variable is None and key.shape == shape:
            variable = q.trace.variable_of(key)
        origin = q.history.made_by.get(key)
        if isinstance(origin, Event):
            updated = updated or origin.kind == "differentiated"
            continue
        for each in origin.inputs if origin is not None else ():
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return variable, updated


def _same_name(q: Question, variable: Variable, maker: Record) -> bool:
    """Whether the tensor was given the name under which the variable was made."""
    first = next(iter(q.trace.values_of(variable)), None)
    stack = q.trace.stack_of(first) if first is not None else ()
    made = [set(_names(*place)) for place in stack]
    return bool(set(_names(maker.code, maker.instruction)) & set().union(*made)) if made else False


def _names(code: Any, instruction: int) -> Iterator[str]:
    """The names that the statement at a place gives its value to."""
    node = node_at(code, instruction)
    for target, _ in syntax.bindings(syntax.statement_of(node)) if node is not None else ():
        yield syntax.last_name(target) or ast.unparse(target)


def _in_the_block(q: Question, place: Site) -> bool:
    """Whether a line is written in the tape's own with block, and still was not recorded."""
    return place.file == q.call.code.co_filename and any(
        block.lineno <= place.line <= (block.end_lineno or 0) for block in _blocks_of_the_tape(q)
    )


def _not_recorded(q: Question, step: Step) -> Cause:
    """An op on the way ran while the tape was not recording."""
    record: Any = step.through
    for later in q.history.path(step.end, q.towards):
        if isinstance(later.through, Event) and later.through.kind == "differentiated":
            return _derivative_not_recorded(q, later)
    computed = _given_back_to(q, step.end)
    if computed is None:
        computed = q.site_of_key(step.end, (record.code, record.instruction), "computed here", described(step.end))
    inner = site(record.code, record.instruction, "computed by this")
    said, because, help = _why_not_recorded(q, step.end, computed)
    return q.cause(
        "computed-outside-tape",
        f"{q.opening}: part of the way was computed {said}",
        [computed, inner if inner.line != computed.line else None, because],
        help,
    )


def _why_not_recorded(q: Question, key: Key, computed: Site) -> tuple[str, Site | None, str]:
    """How it came that the tape did not record an op: in words, where that was decided, and what to change."""
    trace, tape = q.trace, q.tape
    if trace is not None and trace.thread_of(key) not in (None, threading.get_ident()):
        return (
            "in another thread, which the tape does not record",
            None,
            "compute this in the thread that opened the tape, or open a tape in the thread that computes",
        )
    places = [computed, *[site(*place) for place in (trace.stack_of(key) if trace is not None else ())]]
    if tape.stopped_at is not None and any(_lies_in(_block_opened_at(tape.stopped_at), each) for each in places):
        return (
            "while the tape's recording was stopped",
            site(*tape.stopped_at, "stopped here"),
            f"move this out of the block of {q.tape_name}.stop_recording()",
        )
    if not any(_in_the_block(q, each) for each in places):
        return "while the tape was not recording", None, "move this line into the with block"
    if tape.reset_at is not None:
        return (
            "before the tape was reset, which forgets what was recorded",
            site(*tape.reset_at, "forgotten here"),
            f"leave out {q.tape_name}.reset(), or compute this again after it",
        )
    return (
        "while the tape was not recording",
        None,
        "a tape records only the thread that opened it, and not while its recording is stopped: compute this in that thread",
    )


def _block_opened_at(place: tuple[CodeType, int]) -> tuple[str, ast.With] | None:
    """The with statement whose context manager is made at a place, and its file."""
    node = node_at(*place)
    block = syntax.parent(syntax.parent(node)) if node is not None else None
    return (place[0].co_filename, block) if isinstance(block, ast.With) else None


def _lies_in(block: tuple[str, ast.With] | None, place: Site) -> bool:
    if block is None or place.file != block[0]:
        return False
    return block[1].body[0].lineno <= place.line <= (block[1].end_lineno or 0)


def _given_back_to(q: Question, key: Key) -> Site | None:
    """The call, in the function that asked, of one that computed a value and gave back what it computed from it."""
    stack: list[tuple[CodeType, int]] = [] if q.trace is None else list(q.trace.stack_of(key))
    for depth, (code, instruction) in enumerate(stack):
        node = node_at(code, instruction)
        scope = None if node is None else syntax.scope_of(node)
        if scope is q.scope:
            return site(code, instruction, "computed here", described(key)) if depth else None
        if not isinstance(scope, ast.FunctionDef) or not _gives_back(q, scope, node):
            return None
    return None


def _gives_back(q: Question, function: ast.FunctionDef, node: ast.AST) -> bool:
    """Whether what a function returns is computed from a value in it, which it does not keep elsewhere."""
    keeps = any(
        isinstance(target, ast.Attribute | ast.Subscript) for target, _ in syntax.bindings(syntax.statement_of(node))
    )
    return not keeps and any(
        isinstance(syntax.parent(each), ast.Return) and syntax.scope_of(each) is function
        for each in q.flow.reached_from(node)  # type: ignore[arg-type]
    )


def _compiled_gave_none(q: Question, step: Step) -> Cause | None:
    from whygrad.why.causes import compiled_call  # which loads what compiles

    return compiled_call.explain(q, step)


def _custom_gradient_gave_none(q: Question, step: Step) -> Cause:
    record: Any = step.through
    name = record.plan.primitive.name
    return q.cause(
        "custom-gradient-wrong-count",
        f"{q.opening}: the gradient function of {quoted(name)} returned None for it",
        [returned_at(record, "returned here") or site(record.code, record.instruction, "called here")],
        "return a gradient for every argument from the gradient function: upstream times the slope",
    )
