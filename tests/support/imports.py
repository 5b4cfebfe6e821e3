"""The imports between the modules of a package, read off its source: nothing is executed."""

from __future__ import annotations

import ast
import functools
import pathlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Import(NamedTuple):
    """One module of the package imports another.

    late      inside a function: it runs when the function is called
    typing    under `if TYPE_CHECKING:`: it never runs
    implied   Python runs the package that a module is in before the module itself
    """

    importer: str
    imported: str
    line: int
    late: bool = False
    typing: bool = False
    implied: bool = False


@functools.cache  # one pass over the package takes a second
def imports_of(package: pathlib.Path) -> list[Import]:
    """Every import of the package's own modules in the package."""
    modules = {_module_name(path, package): path for path in package.rglob("*.py")}
    found = []
    for name, path in modules.items():
        reader = _Reader(name, path.name == "__init__.py", modules)
        reader.visit(ast.parse(path.read_text(encoding="utf-8")))
        found += reader.found
    return found


def cycles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The groups of nodes of which each leads to all others (Tarjan's strongly connected components), sorted."""
    graph: dict[str, list[str]] = {}
    for start, end in edges:
        graph.setdefault(start, []).append(end)
        graph.setdefault(end, [])
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_nodes: list[str] = []
    found = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        open_nodes.append(node)
        for successor in graph[node]:
            if successor not in index:
                visit(successor)
            if successor in open_nodes:
                low[node] = min(low[node], low[successor])
        if low[node] == index[node]:
            place = open_nodes.index(node)
            group = open_nodes[place:]
            del open_nodes[place:]
            if len(group) > 1 or node in graph[node]:
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


def _module_name(path: pathlib.Path, package: pathlib.Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _packages_around(module: str) -> Iterator[str]:
    while "." in module:
        module = module.rpartition(".")[0]
        yield module


class _Reader(ast.NodeVisitor):
    """Collects the imports of one module."""

    def __init__(self, name: str, is_package: bool, modules: Iterable[str]) -> None:
        self.name = name
        self.package = name if is_package else name.rpartition(".")[0]
        self.modules = modules
        self.found: list[Import] = []
        self.late = self.typing = False

    def add(self, module: str, line: int) -> None:
        if module not in self.modules:
            return
        self.found.append(Import(self.name, module, line, self.late, self.typing))
        # The packages around the importer are being loaded already, and run nothing again.
        for package in set(_packages_around(module)) - {self.name, *_packages_around(self.name)}:
            self.found.append(Import(self.name, package, line, self.late, self.typing, implied=True))

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            self.add(each.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = node.module or ""
        if node.level:
            above = self.package.split(".")[: len(self.package.split(".")) - node.level + 1]
            base = ".".join([*above, *([node.module] if node.module else [])])
        for each in node.names:
            below = f"{base}.{each.name}"
            self.add(below if below in self.modules else base, node.lineno)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called.lstrip("_") == "import_module" and node.args and isinstance(node.args[0], ast.Constant):
            self.add(str(node.args[0].value), node.lineno)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        test = node.test.attr if isinstance(node.test, ast.Attribute) else getattr(node.test, "id", "")
        outer = self.typing
        self.typing = outer or test == "TYPE_CHECKING"
        for each in node.body:
            self.visit(each)
        self.typing = outer
        for each in [node.test, *node.orelse]:
            self.visit(each)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer = self.late
        self.late = True
        self.generic_visit(node)
        self.late = outer

    visit_AsyncFunctionDef = visit_FunctionDef
    visit_Lambda = visit_FunctionDef  # type: ignore[assignment]
