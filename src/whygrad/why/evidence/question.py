"""A question: one source of one call of `gradient` that got None, and all that is known around it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import is_ours
from whygrad.tape.gradient_tape import GradientCall, GradientTape
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.source import syntax
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import Site, argument_node, call_at, node_at, site, site_of
from whygrad.why.source.syntax import Flow
from whygrad.why.source.wording import described, quoted

Place = tuple[CodeType, int]


class Question:
    """Why source number `position` of a call got None."""

    def __init__(self, call: GradientCall, position: int, trace: Any = None) -> None:
        self.call = call
        self.tape: GradientTape = call.tape
        self.trace = trace
        self.source = call.sources[position]
        targets, sources = names_of(call)
        self.target_name = targets[0] if len(targets) == 1 else "the target"
        self.name = sources[position]
        self.asked = site(call.code, call.instruction, "asked here")
        self.history = trace.history() if trace is not None else History(self.tape.records, self.tape.events)
        self.target_keys = [key for target in call.targets for key in self._keys_of(target)[-1:]]
        self.towards = self.history.towards(self.target_keys)
        self.keys = self._keys_of(self.source)

    def _keys_of(self, value: Any) -> list[Key]:
        if isinstance(value, Variable):
            found = list(self.tape._versions.get(value, ()))
            if self.trace is not None:
                found += [key for key in self.trace.values_of(value) if key not in found]
            if value._value._key is not None and value._value._key not in found:
                found.append(value._value._key)
            return found
        return [value._key] if value._key is not None else []

    # -- what the tape knows --

    @functools.cached_property
    def recorded(self) -> dict[Key, int]:
        """What was made by ops that the tape recorded, with the number of the op."""
        return {key: i for i, record in enumerate(self.tape.records) for key in outputs_of(record)}

    @functools.cached_property
    def descendants(self) -> set[Key]:
        """Everything that was computed from the source, and it itself."""
        return self.history.descendants(self.keys)

    @property
    def was_read(self) -> bool:
        """Whether an op that the tape recorded used the source."""
        return any(key in self.tape.live for key in self.keys) and any(
            isinstance(user, Record) for key in self.keys for user in self.history.used_by.get(key, ())
        )

    # -- what the program says --

    @functools.cached_property
    def flow(self) -> Flow:
        """The files in which the target was computed, read."""
        files = {self.call.code.co_filename: None}
        for record in self.tape.records:
            files.setdefault(record.code.co_filename)
        for event in self.history.events:
            if event.kind == "left":
                files.setdefault(event.code.co_filename)
        return Flow(file for file in files if not is_ours(file))

    @functools.cached_property
    def scope(self) -> Any:
        """The function or module in which the gradient was asked for; None where there is no source."""
        return syntax.scope_at(self.call.code, self.call.instruction)

    def assignment_of(self, text: str) -> tuple[ast.stmt, ast.expr] | None:
        """The assignment that gave a name its value last before the gradient was asked for, in the function that asked."""
        asked = node_at(self.call.code, self.call.instruction)
        if asked is None or self.scope is None:
            return None
        found = syntax.assignment_before(self.scope, text, self.asked.line)
        if found is None or syntax.runs_later(found[0], asked):
            return None
        others = [statement for statement, _ in syntax.assignments(self.scope, text) if statement is not found[0]]
        return None if any(_excludes(other, found[0]) for other in others) else found

    def assigned_at(self, text: str, role: str) -> Site | None:
        """Where, in the function that asked, a name got its value last."""
        found = self.assignment_of(text)
        return None if found is None else site_of(found[1], self.call.code.co_filename, role)

    @property
    def tape_name(self) -> str:
        """What the program calls the tape."""
        node = call_at(self.call.code, self.call.instruction)
        plain = node is not None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        return ast.unparse(node.func.value) if plain else "tape"  # type: ignore[union-attr]

    def tape_made_at(self, role: str = "tape made here") -> Site | None:
        """Where the tape was made."""
        return tape_site(self.call.code, self.call.instruction, role)

    # -- places --

    def site_of_key(self, key: Key, place: Place, role: str, note: str = "") -> Site:
        """The place of something that made a value: in a function that only hands it on, the place of the call."""
        stack = self.trace.stack_of(key) if self.trace is not None else ()
        return site(*(kept_at(stack) or place), role, note)

    def made_at(self, key: Key | None, role: str = "made here") -> Site | None:
        """Where a value was made, as far as that was recorded."""
        maker = self.history.made_by.get(key) if key is not None else None
        if key is not None and isinstance(maker, Record):
            return self.site_of_key(key, (maker.code, maker.instruction), role, described(key))
        place = self.trace.made_at(key) if self.trace is not None and key is not None else None
        return None if key is None or place is None else self.site_of_key(key, place, role, described(key))

    @functools.cached_property
    def defined_at(self) -> Site | None:
        """Where the source was first given a value."""
        first = self.keys[0] if self.keys else None
        if isinstance(self.source, Variable) and self.trace is not None:
            first = next(iter(self.trace.values_of(self.source)), first)
        return self.made_at(first)

    @functools.cached_property
    def made_in(self) -> tuple[Place, ...]:
        """The user's calls in which the source was made, innermost first, as far as that was noted."""
        if self.trace is None or not self.keys:
            return ()
        first = self.keys[0]
        if isinstance(self.source, Variable):
            first = next(iter(self.trace.values_of(self.source)), first)
        found: tuple[Place, ...] = self.trace.stack_of(first)
        return found

    # -- causes --

    def cause(self, kind: str, sentence: str, sites: Iterable[Site | None], help: str, likely: bool = False) -> Cause:
        """A cause of this None; the place where the gradient was asked for comes last."""
        places: list[Site] = []
        for each in sites:
            if each is not None and all((each.file, each.line, each.text) != (p.file, p.line, p.text) for p in places):
                places.append(each)
        return Cause(
            kind, "none", sentence, (*places, self.asked), help, {self.name: described(self.source)}, likely
        )  # fmt: skip

    @property
    def opening(self) -> str:
        """How every sentence begins."""
        outcome = "is None" if self.call.filled is None else "is zero, in place of None"
        return f"the gradient of {quoted(self.target_name)} with respect to {quoted(self.name)} {outcome}"


def kept_at(stack: Sequence[Place]) -> Place | None:
    """Of the calls in which a value was made, the innermost that keeps it: functions that return it hand it on."""
    for code, instruction in stack:
        node = node_at(code, instruction)
        if node is None or not handed_on(node):
            return code, instruction
    return stack[-1] if stack else None


def handed_on(node: Any) -> bool:
    """Whether the function that an expression is written in returns its value."""
    scope = syntax.scope_of(node)
    if isinstance(scope, ast.Lambda):
        return True
    statement = syntax.statement_of(node)
    if any(isinstance(each, ast.Call) and syntax.called_name(each) == "gradient" for each in syntax.around(node)):
        return False  # asked for there and then: what the statement keeps or returns is the gradient
    above = syntax.parent(node)
    if isinstance(above, ast.Dict) and any(
        isinstance(k, ast.Constant) for k, v in zip(above.keys, above.values) if v is node
    ):
        return False  # kept under its key, whoever keeps the dict
    if isinstance(statement, ast.Return):
        return True
    names = {ast.unparse(target) for target, _ in syntax.bindings(statement)}
    return isinstance(scope, ast.FunctionDef) and any(
        isinstance(each, ast.Return)
        and any(isinstance(part, ast.Name) and part.id in names for part in _returned(each.value))
        for each in ast.walk(scope)
    )


def _returned(value: ast.expr | None) -> Iterator[ast.expr]:
    """What a return hands on as it is, alone or in a collection: not what it computes with."""
    if isinstance(value, ast.Tuple | ast.List):
        for each in value.elts:
            yield from _returned(each)
    elif isinstance(value, ast.Dict):
        for each in value.values:
            yield from _returned(each)
    elif value is not None:
        yield value


def _excludes(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two statements stand in two branches of one `if`: which of them ran, the source does not tell."""
    return any(
        isinstance(choice, ast.If)
        and any(one is each for each in ast.walk(choice))
        and any(one is each for part in choice.body for each in ast.walk(part))
        != any(other is each for part in choice.body for each in ast.walk(part))
        for choice in syntax.around(other)
    )


def tape_site(code: CodeType, instruction: int, role: str) -> Site | None:
    """Where the tape whose `gradient` is called at a place was made, if the program says so plainly."""
    node = node_at(code, instruction)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    tape, scope = ast.unparse(node.func.value), syntax.scope_of(node)
    made = [
        v
        for _, v in syntax.assignments(scope, tape)
        if isinstance(v, ast.Call) and syntax.called_name(v) == "GradientTape"
    ]
    if not made:
        return _tape_from_elsewhere(code.co_filename, node.func.value, role)
    before = [value for value in made if value.lineno <= node.lineno]
    return site_of((before or made)[-1], code.co_filename, role)


def _tape_from_elsewhere(file: str, tape: ast.expr, role: str) -> Site | None:
    """The same where another function of the file made the tape and handed it on, if there is but one that did."""
    program = Flow([file])
    made = [
        node
        for tree in program.trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and syntax.called_name(node) == "GradientTape"
        and tape in program.reached_from(node)
    ]
    return site_of(made[0], file, role) if len(made) == 1 else None


def target_node(call: Any) -> Any:
    """The expression given as the target of a call of gradient."""
    return argument_node(call.code, call.instruction, 0, "target")
