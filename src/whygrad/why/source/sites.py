"""From a code object and an instruction to the user's source: file, line, columns, text, and the names written there."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import linecache
import sys
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

import numpy as np

from whygrad.runtime.call_sites import Scope, scope_of
from whygrad.runtime.syntax_trees import parse
from whygrad.why.source import bytecode


@dataclass(frozen=True)
class Site:
    """A place in the user's program, with its role in a cause ("made here", "cut here", "asked here")."""

    file: str
    line: int
    column: int  # from 0, in characters; 0 where Python does not know
    end_line: int
    end_column: int
    text: str  # the expression, as written; "" where there is no source
    role: str = ""
    note: str = ""  # dtypes and shapes at this place
    scope: Scope | None = None  # the library's object that computed on behalf of this place

    def as_role(self, role: str, note: str = "") -> Site:
        """The same place with another role."""
        return replace(self, role=role, note=note)


def site(code: CodeType, instruction: int, role: str = "", note: str = "") -> Site:
    """The place of an instruction. Text that is not what ran (edited since, not Python) is left out."""
    return replace(_site(code, instruction, role, note), scope=scope_of(code))


def _site(code: CodeType, instruction: int, role: str, note: str) -> Site:
    line, end_line, start, end = _positions(code, instruction)
    lines = _lines(code)
    if line is None:
        line = code.co_firstlineno
    if start is None or end is None or end_line is None or not lines:
        whole = lines[line - 1].strip() if 0 < line <= len(lines) and tree_of(code.co_filename) is not None else ""
        return Site(code.co_filename, line, 0, line, 0, whole, role, note)
    column = _characters(lines, line, start)
    end_column = _characters(lines, end_line, end)
    text = _text(lines, line, column, end_line, end_column)
    if written_at(code, instruction) is None and not _is_written(code, text):
        return Site(code.co_filename, line, 0, line, 0, "", role, note)
    return Site(code.co_filename, line, column, end_line, end_column, text, role, note)


def _positions(code: CodeType, instruction: int) -> tuple[int | None, int | None, int | None, int | None]:
    """Line, last line and byte columns of the expression that an instruction belongs to."""
    found = next(itertools.islice(code.co_positions(), instruction // 2, None), None)
    if found is None:
        return None, None, None, None
    node = _parsed(code.co_filename)[1].get(found)  # type: ignore[arg-type]
    statement = getattr(node, "parent", None)
    if isinstance(statement, _TESTING) and _place(statement) == found:
        return _place(node)  # the condition or the iterable; Python gives the place of the whole statement
    return found


def _lines(code: CodeType) -> list[str]:
    return lines_of(code.co_filename)


def lines_of(filename: str) -> list[str]:
    """The lines of a file, or of a module that its loader holds elsewhere, as in a zip archive."""
    lines = linecache.getlines(filename)
    if not lines and filename == "<string>" and (given := _given_to_python()) is not None:
        return remember_lines(filename, given)
    if lines or filename.startswith("<"):
        return lines
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == filename and linecache.lazycache(filename, vars(module)):
            return linecache.getlines(filename)
    return []


def remember_lines(filename: str, text: str) -> list[str]:
    """Let Python find the lines of code that is in no file, for as long as the process lives."""
    lines = [line + "\n" for line in text.splitlines()]
    linecache.cache[filename] = (len(text), None, lines, filename)
    return lines


def _given_to_python() -> str | None:
    """The code of `python -c CODE`. Other code that calls itself `<string>` has other names in it, and is not taken for this."""
    given = iter(getattr(sys, "orig_argv", ())[1:])
    for option in given:
        if not option.startswith("-") or option == "-":
            return None
        if not option.startswith("--") and option.endswith("c"):
            return next(given, None)
        if option in ("-W", "-X", "--check-hash-based-pycs"):
            next(given, None)
    return None


def _characters(lines: list[str], line: int, byte_column: int) -> int:
    """A byte column, as Python counts, as a column in characters."""
    if not 0 < line <= len(lines):
        return byte_column
    return len(lines[line - 1].encode()[:byte_column].decode(errors="replace"))


def _text(lines: list[str], line: int, column: int, end_line: int, end_column: int) -> str:
    if end_line > len(lines):
        return ""
    if line == end_line:
        return lines[line - 1][column:end_column]
    middle = [each.strip() for each in lines[line : end_line - 1]]
    return " ".join([lines[line - 1][column:].strip(), *middle, lines[end_line - 1][:end_column].strip()])


# -- the names written at a place --


Place = tuple[int, int, int, int]
_TESTING = (ast.If, ast.While, ast.Assert, ast.For)  # statements that test or iterate over a value
# By file: the lines it was parsed from, their tree, and the expressions found in it.
_read: dict[str, tuple[list[str], ast.Module | None, dict[Place, Any]]] = {}


def _parsed(filename: str) -> tuple[ast.Module | None, dict[Place, Any]]:
    """A file's syntax tree, in which each node has its `parent`, and its expressions (and `x += y`) by their places."""
    lines = lines_of(filename)
    known = _read.get(filename)
    if known is None or known[0] is not lines:
        tree: ast.Module | None = None
        places: dict[Place, Any] = {}
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            tree = parse("".join(lines)) if lines else None
        for node in ast.walk(tree) if tree is not None else ():
            for child in ast.iter_child_nodes(node):
                child.parent = node  # type: ignore[attr-defined]
            if isinstance(node, _TESTING):
                places.setdefault(_place(node), node.iter if isinstance(node, ast.For) else node.test)
            if isinstance(node, ast.expr | ast.AugAssign):
                place = _place(node)
                places.setdefault(place, node)
                method = node.func if isinstance(node, ast.Call) else None
                if isinstance(method, ast.Attribute) and method.end_lineno != node.lineno:
                    # Where a chain of methods goes over several lines, Python counts a call from the method's name.
                    end = method.end_col_offset or 0
                    named = (method.end_lineno or 0, place[1], end - len(method.attr.encode()), place[3])
                    places.setdefault(named, node)
        _read[filename] = known = (lines, tree, places)
    return known[1], known[2]


def _place(node: Any) -> Place:
    return node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0


def tree_of(filename: str) -> ast.Module | None:
    """The file's syntax tree, in which each node has its `parent`; None where there is no source."""
    return _parsed(filename)[0]


def node_at(code: CodeType, instruction: int) -> Any:
    """The expression (or the `x += y`) that an instruction computes; None where the source is not available.

    Of an op in a scope, the user's line is not the source: `model.fit(x, y)` does not say what a layer's product has as its operands.
    """
    return None if scope_of(code) is not None else written_at(code, instruction)


def written_at(code: CodeType, instruction: int) -> Any:
    """The expression at a place, whether it computes an op itself or is a call of a library, in which the op ran."""
    node = _parsed(code.co_filename)[1].get(_positions(code, instruction))  # type: ignore[arg-type]
    return node if node is not None and _names_in(node) <= _names_of(code) else None


def _names_in(node: ast.AST) -> set[str]:
    """The names that a piece of source uses."""
    found: set[str | None] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
    return {name for name in found if name is not None and not name.startswith("__")}  # those are rewritten in classes


def _names_of(code: CodeType) -> set[str]:
    """The names that a piece of running code uses. Source that uses others was edited since, and is not what runs."""
    known = _known_names.get(code)
    if known is None:
        known = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                known |= _names_of(constant)
        _known_names[code] = known
    return known


_known_names: dict[CodeType, set[str]] = {}


def _is_written(code: CodeType, text: str) -> bool:
    """Whether a text may be what an instruction was compiled from, though no single expression stands at its place."""
    if tree_of(code.co_filename) is None:
        return False
    try:
        return _names_in(parse(text.strip().lstrip("."))) <= _names_of(code)
    except (SyntaxError, ValueError):
        return False


def operand_names(code: CodeType, instruction: int) -> list[str]:
    """The operands of an op as the user wrote them, in order: `["x", "w"]` for `tf.matmul(x, w)` or `x @ w`."""
    node = node_at(code, instruction) or _call_in_bytecode(code, instruction)
    return [ast.unparse(each) for each in operand_nodes(node)]


def operand_nodes(node: Any) -> list[ast.expr]:
    """The operands of an operator or call, in the order in which they are written."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Subscript):
        return [node.value]
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not (node.args or node.keywords):
            return [node.func.value]
        operands: list[ast.expr] = []
        if isinstance(node.func, ast.Attribute) and _is_method_of_array(node.func):
            operands.append(node.func.value)
        for argument in written_arguments(node):
            operands += argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
        return operands
    return []


def _is_method_of_array(function: ast.Attribute) -> bool:
    """Whether a function is a method of an array, as in `x.astype(int)`, and not one of a module, as in `np.sum`."""
    if not hasattr(np.ndarray, function.attr):
        return False
    root: Any = function.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name):
        return True
    top: Any = root
    while (above := getattr(top, "parent", None)) is not None:
        top = above
    return isinstance(top, ast.Module) and root.id in _names_of_values(top)


@functools.lru_cache(maxsize=64)
def _names_of_values(module: ast.Module) -> set[str]:
    """The names that a program binds, but for those of its imports: modules and functions."""
    nodes = [*ast.walk(module)]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    imported = {(each.asname or each.name).partition(".")[0] for node in imports for each in node.names}
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return (bound | {node.arg for node in nodes if isinstance(node, ast.arg)}) - imported


def written_arguments(node: ast.Call) -> list[ast.expr]:
    """The arguments that a call writes one by one: after `*args` the positions of others are not known."""
    before = itertools.takewhile(lambda each: not isinstance(each, ast.Starred), node.args)
    return [*before, *[each.value for each in node.keywords if each.arg is not None]]


def unpacks_arguments(node: Any) -> bool:
    """Whether a node is a call with `*args` or `**options`, whose arguments are not all written."""
    return isinstance(node, ast.Call) and (
        any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords)
    )


def call_at(code: CodeType, instruction: int) -> ast.Call | None:
    """The call at a place: as it is written, or else as far as it can be read off its bytecode."""
    node = node_at(code, instruction)
    if node is None:
        return _call_in_bytecode(code, instruction)
    return node if isinstance(node, ast.Call) else None


def _call_in_bytecode(code: CodeType, instruction: int) -> ast.Call | None:
    return None if scope_of(code) is not None else bytecode.call_at(code, instruction)


def argument_node(code: CodeType, instruction: int, position: int, name: str) -> ast.expr | None:
    """The expression given for a parameter in the call at a place."""
    node = call_at(code, instruction)
    if node is None:
        return None
    for keyword in node.keywords:
        if keyword.arg == name:
            return keyword.value
    if position < len(node.args) and not any(isinstance(each, ast.Starred) for each in node.args[: position + 1]):
        return node.args[position]
    return None


def expression_at(place: Site) -> Any:
    """The expression that a site is; None where there is none, or no source."""
    lines = lines_of(place.file)
    if not 0 < place.line <= len(lines) or place.end_line > len(lines):
        return None
    start = len(lines[place.line - 1][: place.column].encode())
    end = len(lines[place.end_line - 1][: place.end_column].encode())
    return _parsed(place.file)[1].get((place.line, place.end_line, start, end))


def site_of(node: ast.expr | ast.stmt, filename: str, role: str = "", note: str = "") -> Site:
    """The place of a node."""
    lines = lines_of(filename)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    column, end_column = _characters(lines, node.lineno, node.col_offset), _characters(lines, end_line, end)
    text = _text(lines, node.lineno, column, end_line, end_column)
    return Site(filename, node.lineno, column, end_line, end_column, text, role, note)


def expression_of(place: Site) -> ast.expr | None:
    """The expression that a place was made of by `site_of`."""
    tree = tree_of(place.file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.expr) and node.lineno == place.line and site_of(node, place.file).text == place.text:
            return node
    return None


def element_names(node: ast.expr | None, count: int, fallback: str) -> list[str]:
    """How the user would write each of the `count` elements of a structure that `node` stands for."""
    if node is None:
        return [fallback] * count
    literal = _leaves(node)
    if literal is not None and len(literal) == count:
        return [ast.unparse(each) for each in literal]
    text = ast.unparse(node)
    if count == 1:
        return [text]
    single = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.List | ast.ListComp)
    return [f"{text if single else f'({text})'}[{i}]" for i in range(count)]


def _leaves(node: ast.expr) -> list[ast.expr] | None:
    """The elements of a literal list, tuple or dict, flattened as `tf.nest` does; None if some part is not a literal."""
    if isinstance(node, ast.List | ast.Tuple):
        found: list[ast.expr] = []
        for each in node.elts:
            inner = None if isinstance(each, ast.Starred) else _leaves(each)
            if inner is None:
                return None
            found += inner
        return found
    if isinstance(node, ast.Dict):
        if not all(isinstance(key, ast.Constant) for key in node.keys):
            return None
        in_order = sorted(zip(node.keys, node.values), key=lambda item: item[0].value)  # type: ignore[union-attr]
        return [leaf for _, value in in_order for leaf in (_leaves(value) or [value])]
    if isinstance(node, ast.BinOp | ast.ListComp | ast.GeneratorExp | ast.Call):
        return None
    return [node]
