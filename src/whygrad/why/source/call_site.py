"""CallSite: what the program's text says around a call of `gradient`."""

from __future__ import annotations

import ast
import functools
from types import CodeType
from typing import Any

from whygrad.why.source import syntax
from whygrad.why.source.edits import Edit, Repair, inserted_before, replaced, with_part
from whygrad.why.source.sites import Site, argument_node, call_at, node_at, site, site_of


class CallSite:
    """The place of a call of `gradient` in the program."""

    def __init__(self, code: CodeType, instruction: int) -> None:
        self.code, self.instruction = code, instruction

    @functools.cached_property
    def site(self) -> Site:
        """The place of the call, as the last site of a cause."""
        return site(self.code, self.instruction, "asked here")

    @property
    def file(self) -> str:
        """The file that the call is written in."""
        return self.code.co_filename

    @functools.cached_property
    def node(self) -> Any:
        """The expression of the call; None where there is no source."""
        return node_at(self.code, self.instruction)

    @functools.cached_property
    def derivative(self) -> str:
        """What the call asks for: a gradient, a jacobian or a batch jacobian."""
        node = call_at(self.code, self.instruction)
        name = None if node is None else syntax.called_name(node)
        return {"jacobian": "jacobian", "batch_jacobian": "batch jacobian"}.get(name or "", "gradient")

    @functools.cached_property
    def scope(self) -> Any:
        """The function or module that the call is written in; None where there is no source."""
        return None if self.node is None else syntax.scope_of(self.node)

    def assignment_of(self, text: str) -> tuple[ast.stmt, ast.expr] | None:
        """The last assignment to a name before the call, in the same function."""
        if self.node is None or self.scope is None:
            return None
        found = syntax.assignment_before(self.scope, text, self.site.line)
        if found is None or syntax.runs_later(found[0], self.node):
            return None
        others = [statement for statement, _ in syntax.assignments(self.scope, text) if statement is not found[0]]
        return None if any(_excludes(other, found[0]) for other in others) else found

    def assigned_at(self, text: str, role: str) -> Site | None:
        """Where a name got its value last before the call, in the same function."""
        found = self.assignment_of(text)
        return None if found is None else site_of(found[1], self.file, role)

    @property
    def tape_name(self) -> str:
        """The name of the tape in the program."""
        node = call_at(self.code, self.instruction)
        plain = node is not None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
        return ast.unparse(node.func.value) if plain else "tape"  # type: ignore[union-attr]

    def with_method(self, name: str) -> tuple[Edit, ...]:
        """The edit that calls another method of the tape."""
        node = self.node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return ()
        method = ast.Attribute(node.func.value, name, ast.Load())
        return with_part(self.file, node, node.func, method).edits

    def with_trainable_sources(self) -> Repair | None:
        """What to write for sources that are `model.variables` or `model.weights`; None for others."""
        sources = argument_node(self.code, self.instruction, 1, "sources")
        if not isinstance(sources, ast.Attribute) or sources.attr not in ("variables", "weights"):
            return None
        if any(_gives(each, sources.attr) for each in ast.walk(syntax.Flow([self.file]).trees[0])):
            return None  # a list of the program's own
        trained = f"{ast.unparse(sources.value)}.trainable_{sources.attr}"
        return Repair(
            f"ask for {trained}: {ast.unparse(sources)} also holds what no gradient trains, such as moving averages",
            (replaced(self.file, sources, trained),),
        )

    def tape_call(self) -> ast.Call | None:
        """The call that made the tape, if the function that asks contains it."""
        node = self.node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        made = [
            value
            for _, value in syntax.assignments(self.scope, ast.unparse(node.func.value))
            if isinstance(value, ast.Call) and syntax.called_name(value) == "GradientTape"
        ]
        before = [value for value in made if value.lineno <= node.lineno]
        return (before or made)[-1] if made else None

    def tape_made_at(self, role: str = "tape made here") -> Site | None:
        """Where the tape was made, if the program says so plainly."""
        made = self.tape_call()
        if made is not None:
            return site_of(made, self.file, role)
        node = self.node
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        return _tape_from_another_function(self.file, node.func.value, role)

    def first_in_tape(self, statement: str, name: str) -> tuple[Edit, ...]:
        """The edit that makes a statement the first of the tape's block; none where `name` has no value there yet."""
        root = name.split(".")[0].split("[")[0]
        for block in self.tape_blocks()[:1]:
            given = [each.lineno for each, _ in syntax.assignments(self.scope, root)]
            names = [each for each in ast.walk(self.scope) if isinstance(each, ast.Name) and each.id == root]
            used = any(syntax.scope_of(each) is self.scope for each in names)
            if used and (not given or min(given) < block.lineno):  # not given here: by the caller, or from outside
                return (inserted_before(self.file, block.body[0], statement),)
        return ()

    def is_in_tape(self, place: Site) -> bool:
        """Whether a line is written in the tape's own with block."""
        return place.file == self.file and any(
            block.lineno <= place.line <= (block.end_lineno or 0) for block in self.tape_blocks()
        )

    def tape_blocks(self) -> list[ast.With]:
        """The with statements that open the tape."""
        made = self.tape_made_at()
        if made is None:
            return []
        return [
            block
            for block in ast.walk(self.scope)
            if isinstance(block, ast.With) and block.lineno <= made.line <= block.body[0].lineno
        ]


def _gives(node: ast.AST, name: str) -> bool:
    """Whether a node defines an attribute of this name: as a property or method, or by assigning to it."""
    if isinstance(node, ast.FunctionDef):
        return node.name == name
    return isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)


def _excludes(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether two statements stand in two branches of one `if`: the text does not tell which of them ran."""
    return any(
        isinstance(choice, ast.If)
        and any(one is each for each in ast.walk(choice))
        and any(one is each for part in choice.body for each in ast.walk(part))
        != any(other is each for part in choice.body for each in ast.walk(part))
        for choice in syntax.around(other)
    )


def _tape_from_another_function(file: str, tape: ast.expr, role: str) -> Site | None:
    """Where another function of the file made the tape and passed it on, if exactly one expression may have."""
    program = syntax.Flow([file])
    made = [
        node
        for tree in program.trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and syntax.called_name(node) == "GradientTape"
        and tape in program.reached_from(node)
    ]
    return site_of(made[0], file, role) if len(made) == 1 else None
