"""Why a gradient is None: the path from source to target, and the first place at which it is cut."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall, GradientTape
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.history import History, Step
from whygrad.why.source import Site, node_at, operand_names, site
from whygrad.why.words import described, gradient_names, listed, quoted


class Question:
    """One source of one call of `gradient` that got None, and all that is known around it."""

    def __init__(self, call: GradientCall, position: int, trace: Any = None) -> None:
        self.call = call
        self.tape: GradientTape = call.tape
        self.trace = trace
        self.source = call.sources[position]
        targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
        self.target_name = targets[0] if len(targets) == 1 else "the target"
        self.name = sources[position]
        self.source_names = sources
        self.asked = site(call.code, call.instruction, "asked here")
        self.history = trace.history() if trace is not None else History(self.tape.records, self.tape.events)
        self.target_keys = [key for key in (call.key_of(t) for t in call.targets) if key is not None]
        self.towards = self.history.towards(self.target_keys)
        self.keys = self._keys_of(self.source)

    def _keys_of(self, value: Any) -> list[Key]:
        if isinstance(value, Variable):
            found = list(self.tape._versions.get(value, ()))
            if value._value._key is not None and value._value._key not in found:
                found.append(value._value._key)
            if self.trace is not None:
                found += [key for key in self.trace.values_of(value) if key not in found]
            return found
        return [value._key] if value._key is not None else []

    def cause(
        self, kind: str, sentence: str, sites: Sequence[Site], help: str, likely: bool = False, **shapes: Any
    ) -> Cause:
        """A cause of this None; the place where the gradient was asked for comes last."""
        shown = {self.name: described(self.source), **{name: described(value) for name, value in shapes.items()}}
        return Cause(kind, "none", sentence, (*sites, self.asked), help, shown, likely)

    @property
    def opening(self) -> str:
        """How every sentence begins."""
        return f"the gradient of {quoted(self.target_name)} with respect to {quoted(self.name)} is None"

    def made_at(self, key: Key | None, role: str = "made here") -> Site | None:
        """Where a value was made, as far as that was recorded."""
        maker = self.history.made_by.get(key) if key is not None else None
        if isinstance(maker, Record):
            return site(maker.code, maker.instruction, role, described(key))
        place = self.trace.made_at(key) if self.trace is not None and key is not None else None
        return None if place is None else site(place[0], place[1], role, described(key))


def explain(call: GradientCall, position: int, trace: Any = None) -> Cause:
    """The cause of the None that source number `position` got."""
    question = Question(call, position, trace)
    for explanation in (_integer_source, _switched_off, _cut_on_the_way, _left_for_numpy, _another_object, _unused):
        found = explanation(question)
        if found is not None:
            return found
    return question.cause("source-unused", question.opening, [], "")


# -- the source itself --


def _integer_source(q: Question) -> Cause | None:
    if q.source.dtype.is_differentiable:
        return None
    made = q.made_at(q.keys[0] if q.keys else None)
    users = [user for key in q.keys for user in q.history.used_by.get(key, ()) if isinstance(user, Record)]
    sites = [made] if made else []
    sites += [site(user.code, user.instruction, "used here") for user in users[:1]]
    return q.cause(
        "integer-dtype",
        f"{q.opening}: it is {q.source.dtype.name}, and integers carry no gradient",
        sites,
        f"make {quoted(q.name)} a float, for instance with dtype=tf.float32 or by writing 1.0 for 1",
    )


def _switched_off(q: Question) -> Cause | None:
    source, tape = q.source, q.tape
    if not isinstance(source, Variable) or source not in tape.unwatched:
        return None
    made = q.made_at(source._value._key)
    used = site(*tape.unwatched[source], "read here")
    if not source.trainable:
        return q.cause(
            "recording-switched-off",
            f"{q.opening}: the variable was made with trainable=False, so the tape does not watch it",
            [made] if made else [q.asked.as_role("asked here")],
            f"make it trainable, or call tape.watch({q.name}) before it is used",
        )
    return q.cause(
        "recording-switched-off",
        f"{q.opening}: the tape has watch_accessed_variables=False and was not told to watch it",
        [used],
        f"call tape.watch({q.name}) at the start of the with block, or leave out watch_accessed_variables=False",
    )


# -- the path --


def _cut_on_the_way(q: Question) -> Cause | None:
    """There is a way from the source to the target: say where it is first cut."""
    for key in q.keys:
        for step in q.history.path(key, q.towards):
            found = _cut_at(q, step)
            if found is not None:
                return found
    return None


def _cut_at(q: Question, step: Step) -> Cause | None:
    if isinstance(step.through, Event):
        return _through_a_variable(q, step.start, step.through)
    record = step.through
    live = q.tape.live
    primitive = record.plan.primitive
    if primitive.no_gradient is not None:
        return _no_gradient(q, step, record, primitive.no_gradient)
    watched = q.tape.watches.get(step.start)
    if step.start not in live or (watched is not None and _recorded_before(q, record, watched[0])):
        return _not_followed(q, step, record)
    if step.end not in live:
        if step.end.dtype.kind not in "fcV":
            return _no_gradient(q, step, record, f"{primitive.name} gives {step.end.dtype.name}")
        return _not_recorded(q, record)
    if primitive.takes_tensors:
        return q.cause(
            "custom-gradient-wrong-count",
            f"{q.opening}: the gradient function of {quoted(primitive.name)} returned None for it",
            [_gradient_function_site(record) or site(record.code, record.instruction, "called here")],
            "return a gradient for every argument from the gradient function: upstream times the slope",
        )
    return None


def _recorded_before(q: Question, record: Record, count: int) -> bool:
    """Whether the op is among the first `count` that the tape recorded."""
    output = record.output
    return any(earlier.output is output or earlier.output == output for earlier in q.tape.records[:count])


def _gradient_function_site(record: Record) -> Site | None:
    """Where the gradient function of a custom gradient was written."""
    rule = record.plan.primitive.joint
    grad_fn = (
        next((c.cell_contents for c in rule.__closure__ or () if callable(c.cell_contents)), None) if rule else None
    )
    code = getattr(grad_fn, "__code__", None)
    if code is None:
        return None
    last = max((i for i, place in enumerate(code.co_positions()) if place[0] is not None), default=0)
    return site(code, last * 2, "gradient function")


def _no_gradient(q: Question, step: Step, record: Record, reason: str) -> Cause:
    name = record.plan.primitive.name
    operands = operand_names(record.code, record.instruction)
    operand = operands[0] if operands else "its input"
    becomes = f"{described(step.start)} becomes {described(step.end)}"
    cut = site(record.code, record.instruction, "cut here", becomes)
    if name == "stop_gradient":
        return q.cause(
            "stop-gradient-misplaced",
            f"{q.opening}: tf.stop_gradient cuts the path",
            [cut],
            f"leave out tf.stop_gradient around {quoted(operand)}, or put it on the part that is to stay fixed",
        )
    if name in ("categorical_sample", "random_poisson", "random_binomial"):
        return q.cause(
            "discrete-sampling",
            f"{q.opening}: the path goes through a discrete random sample",
            [cut],
            "weight the log-probability of the sample with its reward (score function), or use a relaxation such as "
            "Gumbel-softmax",
        )
    if name in ("cast", "cast_to_discrete") and step.end.dtype.kind in "iu":
        return q.cause(
            "integer-dtype",
            f"{q.opening}: a cast to {step.end.dtype.name} cuts the path",
            [cut],
            f"keep {quoted(operand)} in {step.start.dtype.name}",
        )
    return q.cause(
        "non-differentiable-op",
        f"{q.opening}: {name} cuts the path ({reason})",
        [cut],
        "replace it by something with a slope (a sigmoid for a comparison, a softmax for an argmax), or pass "
        'unconnected_gradients="zero" if zero is what you mean',
    )


def _through_a_variable(q: Question, start: Key, event: Event) -> Cause:
    cut = site(event.code, event.instruction, "cut here", described(start))
    if event.kind == "created":
        return q.cause(
            "variable-rewrap",
            f"{q.opening}: tf.Variable(...) copies the value it is given, and the path ends there",
            [cut],
            "use the computed tensor itself; make variables once, before the tape",
        )
    return q.cause(
        "variable-assigned-in-tape",
        f"{q.opening}: the value went through the variable {event.subject.name!r}, and assigning cuts the path",
        [cut],
        "compute the loss from the tensor that was assigned, not from the variable afterwards",
    )


def _not_followed(q: Question, step: Step, record: Record) -> Cause:
    """The source is used on the way to the target, but the tape did not follow it there."""
    used = site(record.code, record.instruction, "used here")
    watch = q.tape.watches.get(step.start)
    if isinstance(q.source, Variable):
        return _not_recorded(q, record)
    if watch is not None:
        return q.cause(
            "source-not-watched",
            f"{q.opening}: the tape was told to watch it only after it had been used",
            [site(*watch[1:], "watched here"), used],
            f"call tape.watch({q.name}) first in the with block",
        )
    overwritten = _was_a_variable(q, step.start)
    if overwritten is not None:
        return overwritten
    return q.cause(
        "source-not-watched",
        f"{q.opening}: it is a plain tensor, and the tape was not told to watch it",
        [used],
        f"call tape.watch({q.name}) at the start of the with block, or make it a tf.Variable",
    )


def _was_a_variable(q: Question, key: Key) -> Cause | None:
    """The source is a tensor that was computed from a variable of its shape: an update that rebound the name."""
    maker = q.history.made_by.get(key)
    if not isinstance(maker, Record) or maker in q.tape.records or q.trace is None:
        return None
    variable = next(
        (q.trace.variable_of(i) for i in maker.inputs if i.shape == key.shape and q.trace.variable_of(i)), None
    )
    if variable is None:
        return None
    return q.cause(
        "variable-overwritten-by-tensor",
        f"{q.opening}: it is no Variable any more, but a tensor computed from one, which the tape does not watch",
        [site(maker.code, maker.instruction, "rebound here", described(key))],
        "keep the Variable and change its value: variable.assign_sub(learning_rate * gradient)",
    )


def _not_recorded(q: Question, record: Record) -> Cause:
    """An op on the way ran while the tape was not recording."""
    return q.cause(
        "computed-outside-tape",
        f"{q.opening}: part of the way was computed while the tape was not recording",
        [site(record.code, record.instruction, "computed here")],
        "move this line into the with block",
    )


# -- no path --


def _left_for_numpy(q: Question) -> Cause | None:
    reached = q.history.descendants(q.keys)
    exits = [e for e in q.history.events if e.kind == "left" and e.source in reached]
    if not exits or not _returns_from_numpy(q, exits[0]):
        return None
    left = exits[0]
    return q.cause(
        "numpy-conversion",
        f"{q.opening}: the value left the tape for NumPy, and came back as a constant",
        [site(left.code, left.instruction, "left here", described(left.source))],
        "stay with tensors: use tf.* in place of np.*, and leave out .numpy(), float() and int()",
        likely=True,
    )


def _returns_from_numpy(q: Question, left: Event) -> bool:
    """Whether the target was computed from something that came from NumPy or Python after the exit."""
    if q.trace is None:
        return True  # conversions are noted only while tracing
    order = q.trace.order_of(left)
    return any(
        key in q.towards and q.trace.order_of(event) > order
        for event in q.history.events
        if event.kind == "converted" and (key := event.result) is not None
    )


def _another_object(q: Question) -> Cause | None:
    """The source was computed from what the target was computed from, but it is not on the way itself."""
    if isinstance(q.source, Variable) or not q.keys:
        return None
    maker = q.history.made_by.get(q.keys[0])
    if not isinstance(maker, Record):
        return None
    if not any(key in q.towards for key in maker.inputs):
        return None
    place = site(maker.code, maker.instruction, "made here", described(q.keys[0]))
    used = next(
        (q.history.made_by[key] for key in q.target_keys if isinstance(q.history.made_by.get(key), Record)), None
    )
    sites = [place]
    if isinstance(used, Record):
        sites.insert(0, site(used.code, used.instruction, "target made here"))
    return q.cause(
        "source-is-a-copy",
        f"{q.opening}: {quoted(q.target_name)} was not computed from this tensor, but from another one with the same origin",
        sites,
        f"compute {quoted(q.target_name)} from the very tensor that is asked for",
    )


def _unused(q: Question) -> Cause | None:
    others = [v for v in q.tape._versions if any(key in q.towards for key in q.tape._versions[v]) and v is not q.source]
    none_reached = all(g is None for g in q.call.gradients)
    wanted_variables = all(isinstance(s, Variable) for s in q.call.sources)
    if none_reached and wanted_variables and others and not any(v in q.tape._versions for v in q.call.sources):
        return q.cause(
            "wrong-variable-list",
            f"{q.opening}: {quoted(q.target_name)} depends on other variables than those asked for",
            [q.asked],
            "ask for the variables of the model that computed the target: "
            + listed([v.name.removesuffix(":0") for v in others][:4]),
        )
    branch = _branch_not_taken(q)
    if branch is not None:
        return branch
    depends = [v.name.removesuffix(":0") for v in others if not v.name.startswith("Variable:")]
    made = q.made_at(q.keys[0]) if q.keys else None
    return q.cause(
        "source-unused",
        f"{q.opening}: {quoted(q.target_name)} does not depend on it"
        + (f"; it depends on {listed(depends)}" if depends else ""),
        [made] if made else [],
        f"use {quoted(q.name)} in the computation, or leave it out of the sources",
    )


def _branch_not_taken(q: Question) -> Cause | None:
    """The source is written in a branch of a function that ran, and that branch did not run."""
    name = q.name.split("[")[0]
    ran = {(r.code.co_filename, line) for r in q.tape.records if (line := site(r.code, r.instruction).line)}
    for record in q.tape.records:
        node: Any = node_at(record.code, record.instruction)
        while node is not None:
            if isinstance(node, ast.If):
                found = _untaken(node, name, record.code.co_filename, ran)
                if found is not None:
                    place = Site(
                        record.code.co_filename, node.lineno, node.col_offset, node.lineno, 0, ast.unparse(node.test)
                    )
                    return q.cause(
                        "branch-not-taken",
                        f"{q.opening}: it is used only in a branch that was not taken",
                        [place.as_role("decided here")],
                        "nothing is wrong if the branch is meant; otherwise look at the condition, or use tf.where",
                    )
            node = getattr(node, "parent", None)
    return None


def _untaken(node: ast.If, name: str, filename: str, ran: set[tuple[str, int]]) -> bool | None:
    for branch in (node.body, node.orelse):
        lines = {n.lineno for statement in branch for n in ast.walk(statement) if hasattr(n, "lineno")}
        mentions = any(
            ast.unparse(n) == name
            for statement in branch
            for n in ast.walk(statement)
            if isinstance(n, ast.Name | ast.Attribute)
        )
        if mentions and not any((filename, line) in ran for line in lines):
            return True
    return None
