"""Edits: the changes of the program's text that a help describes, so that an editor, or a test, can make them."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple

from whygrad.runtime.syntax_trees import parse
from whygrad.why.source import syntax
from whygrad.why.source.sites import lines_of, node_at, operand_nodes, site_of, unpacks_arguments


@dataclass(frozen=True)
class Edit:
    """A change of the program's text: `text` replaces what stands from one place to the other."""

    file: str
    line: int
    column: int  # from 0, in characters
    end_line: int
    end_column: int
    text: str


class Repair(NamedTuple):
    """What to change, in words, and the edits that change it; without edits where the change takes thought."""

    help: str
    edits: tuple[Edit, ...] = ()


class Code(NamedTuple):
    """Code that takes the place of what the program says, and the edit that puts it there, where the place is known."""

    text: str
    edits: tuple[Edit, ...] = ()


def replaced(file: str, node: Any, text: str) -> Edit:
    """The edit that writes `text` in place of an expression or statement."""
    place = site_of(node, file)
    return Edit(file, place.line, place.column, place.end_line, place.end_column, text)


def inserted_before(file: str, statement: ast.stmt, text: str) -> Edit:
    """The edit that writes a statement on a line of its own before another, or before a `;` where several share a line."""
    place = site_of(statement, file)
    lines = lines_of(file)
    shares_line = bool(lines) and bool(lines[place.line - 1][: place.column].strip())
    after = "; " if shares_line else "\n" + " " * place.column
    return Edit(file, place.line, place.column, place.line, place.column, text + after)


def inserted_after(file: str, statement: ast.stmt, text: str) -> Edit:
    """The edit that writes a statement on a line of its own after another, or after a `;` where several share a line."""
    place = site_of(statement, file)
    lines = lines_of(file)
    shares_line = bool(lines) and bool(
        lines[place.line - 1][: place.column].strip()
        or lines[place.end_line - 1][place.end_column :].partition("#")[0].strip()
    )
    if shares_line:
        return Edit(file, place.end_line, place.end_column, place.end_line, place.end_column, f"; {text}")
    end = len(lines[place.end_line - 1].rstrip("\n")) if lines else place.end_column
    return Edit(file, place.end_line, end, place.end_line, end, f"\n{' ' * place.column}{text}")


def filled(template: str, *parts: ast.expr) -> ast.expr:
    """The expression of a template such as "tf.square({0})", with expressions for its numbers."""
    names = [f"part_{i}" for i in range(len(parts))]
    tree: Any = parse(template.format(*names), mode="eval").body
    by_name = dict(zip(names, parts))
    return _substituted(tree, lambda node: by_name.get(node.id) if isinstance(node, ast.Name) else None)  # type: ignore[no-any-return]


def rewritten(code: CodeType, instruction: int, template: str, *positions: int) -> Code | None:
    """The op at a place as a whole new expression: in the template, operands stand for their `positions`.

    None where the operands are not written there.
    """
    node = node_at(code, instruction)
    operands = operand_nodes(node)
    if node is None or any(position >= len(operands) for position in positions):
        return None
    text = unparsed(filled(template, *[operands[position] for position in positions]))
    return Code(text, in_place(code, instruction, text))


def in_place(code: CodeType, instruction: int, text: str) -> tuple[Edit, ...]:
    """The edit that writes an expression in place of the op at a place; none for a call that does not write its arguments."""
    node = node_at(code, instruction)
    if node is None or unpacks_arguments(node):
        return ()
    if isinstance(node, ast.AugAssign):
        return (replaced(code.co_filename, node, f"{ast.unparse(node.target)} = {text}"),)
    return (replaced(code.co_filename, node, _grouped(node, text, code.co_filename)),)


def straight_through(code: CodeType, instruction: int) -> Code | None:
    """The op at a place with its value, and with the gradient of its first operand."""
    node = node_at(code, instruction)
    operands = operand_nodes(node)
    if not isinstance(node, ast.Call) or not operands:
        return None
    text = unparsed(filled("{0} + tf.stop_gradient({1} - {0})", operands[0], node))
    return Code(text, in_place(code, instruction, text))


def with_operand(code: CodeType, instruction: int, position: int, template: str) -> Code | None:
    """The op at a place with one operand put into a template: "{0} + 1e-12". Everything else stays as it is written."""
    node = node_at(code, instruction)
    operands = operand_nodes(node)
    if node is None or position >= len(operands):
        return None
    operand = operands[position]
    return with_part(code.co_filename, node, operand, filled(template, operand))


def with_part(file: str, node: Any, part: Any, instead: ast.expr) -> Code:
    """An expression or statement with another expression for one of its parts."""
    text = unparsed(_substituted(node, lambda each: instead if each is part else None))
    return Code(text, (replaced(file, node, _grouped(node, text, file)),))


def operand_alone(code: CodeType, instruction: int) -> tuple[Edit, ...]:
    """The edit that writes the first operand of a call in place of the call."""
    found = rewritten(code, instruction, "{0}", 0)
    return () if found is None else found.edits


def with_keyword(file: str, node: ast.Call, name: str, value: str, position: int | None = None) -> Code:
    """A call with another value for a parameter, by keyword unless the program gives it at `position`."""
    instead = parse(value, mode="eval").body
    given = next((each.value for each in node.keywords if each.arg == name), None)
    if given is None and position is not None and position < len(node.args):
        given = node.args[position]
    if given is not None:
        return with_part(file, node, given, instead)
    made = copy.copy(node)
    made.keywords = [*node.keywords, ast.keyword(name, instead)]
    text = unparsed(made)
    return Code(text, (replaced(file, node, text),))


def along_axis(
    code: CodeType, instruction: int, axis: int, keepdims: bool = False, position: int = 1
) -> tuple[Edit, ...]:
    """The edit that gives a reduction or a softmax another axis, which it keeps if `keepdims`; `position` is that of the axis."""
    node = node_at(code, instruction)
    if not isinstance(node, ast.Call):
        return ()
    if keepdims:
        node = copy.copy(node)
        others = [each for each in node.keywords if each.arg != "keepdims"]
        node.keywords = [*others, ast.keyword("keepdims", ast.Constant(True))]
    return with_keyword(code.co_filename, node, "axis", str(axis), position).edits


def edited(source: str, edits: Iterable[Edit]) -> str:
    """The text of a file after its edits, of which no two overlap."""
    lines = source.splitlines(keepends=True)
    for edit in sorted(set(edits), key=lambda each: (each.line, each.column), reverse=True):
        before = lines[edit.line - 1][: edit.column]
        after = lines[edit.end_line - 1][edit.end_column :]
        lines[edit.line - 1 : edit.end_line] = [before + edit.text + after]
    return "".join(lines)


def together(several: Iterable[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """The edits of several repairs of one program, without those of a repair that would change what another one changes."""
    made: list[Edit] = []
    for edits in several:
        new = [edit for edit in edits if edit not in made]
        if not any(_overlap(edit, other) for edit in new for other in made):
            made += new
    return tuple(made)


def _overlap(one: Edit, other: Edit) -> bool:
    start, end = (one.line, one.column), (one.end_line, one.end_column)
    return one.file == other.file and start < (other.end_line, other.end_column) and (other.line, other.column) < end


def _grouped(node: Any, text: str, file: str) -> str:
    """Code for the place of a node, in parentheses where its neighbours would bind more tightly, and it has none there."""
    stands_alone = not isinstance(node, ast.expr) or isinstance(
        syntax.parent(node), ast.stmt | ast.Call | ast.keyword | ast.List | ast.Tuple | ast.Dict | ast.withitem
    )
    primary = isinstance(parse(text).body[0], ast.Expr) and isinstance(
        parse(text, mode="eval").body, ast.Call | ast.Name | ast.Attribute | ast.Subscript | ast.Constant
    )
    return text if stands_alone or primary or _stands_in_parentheses(node, file) else f"({text})"


def _stands_in_parentheses(node: Any, file: str) -> bool:
    """Whether a node is written in parentheses, which are no part of it: with nothing else in them, on its line."""
    place, lines = site_of(node, file), lines_of(file)
    before = lines[place.line - 1][: place.column].rstrip() if lines else ""
    after = lines[place.end_line - 1][place.end_column :].lstrip() if lines else ""
    return before.endswith("(") and after.startswith(")")


def _substituted(tree: Any, instead: Callable[[Any], ast.expr | None]) -> Any:
    """A copy of a syntax tree with other expressions for the nodes that `instead` gives one for."""
    found = instead(tree)
    if found is not None:
        return found
    made = copy.copy(tree)  # which shares its `parent` with the tree: a deep copy would copy the whole file
    for field, value in ast.iter_fields(tree):
        if isinstance(value, ast.AST):
            setattr(made, field, _substituted(value, instead))
        elif isinstance(value, list):
            parts = [_substituted(each, instead) if isinstance(each, ast.AST) else each for each in value]
            setattr(made, field, parts)
    return made


def unparsed(tree: ast.AST) -> str:
    """The code of a syntax tree, with small numbers as people write them: 1e-6, not 1e-06."""
    return re.sub(r"(?<=\de-)0(?=\d\b)", "", ast.unparse(tree))
