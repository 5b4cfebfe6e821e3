"""Reading the program: where a name was given its value, and where an expression's value flows to.

Records say what happened to tensors. What happened to Python numbers, NumPy arrays, lists and tapes is only written in the
source; this reads it there, by names, without regard to the order in which things ran. So it finds what may flow, and the
records decide what did.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from whygrad.why.source.sites import node_at, tree_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

# Calls that only show or test their argument: nothing of it comes back into the computation.
_ONLY_SHOW = {
    "print", "format", "len", "isinstance", "type", "id", "repr", "str", "info", "debug", "warning", "error",
    "isnan", "isfinite", "isinf", "assert_allclose", "scalar", "set_postfix", "set_description",
}  # fmt: skip
# Calls that do so where their result is not used: `logger.log(loss)` and `file.write(text)`, but not `np.log(x)` or `array.write(i, x)`.
_ONLY_SHOW_IF_UNUSED = {"log", "write"}
_ADDS_TO_ITS_OBJECT = {
    "append",
    "extend",
    "add",
    "insert",
    "update",
    "appendleft",
    "assign",
    "assign_add",
    "assign_sub",
}


def parent(node: Any) -> Any:
    """The node around a node."""
    return getattr(node, "parent", None)


def around(node: Any) -> Iterator[Any]:
    """The nodes around a node, from the inside outwards."""
    node = parent(node)
    while node is not None:
        yield node
        node = parent(node)


def statement_of(node: Any) -> ast.stmt | None:
    """The statement that a node is part of."""
    return next((each for each in (node, *around(node)) if isinstance(each, ast.stmt)), None)


def scope_of(node: Any) -> Any:
    """The function that a node is written in, or the module."""
    return next((each for each in around(node) if isinstance(each, Function | ast.Module)), None)


def last_name(node: Any) -> str | None:
    """The last part of a name, attribute or item: `w` for `w`, `self.w` and `params["w"]`."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return node.slice.value
    return None


def called_name(node: ast.Call) -> str | None:
    """The last part of the name of the function that is called."""
    return last_name(node.func)


def shows(node: Any) -> bool:
    """Whether an expression only shows what it is given: an f-string, or a call that prints or logs."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and called_name(node) in _SHOWN_BY)


_SHOWN_BY = ("print", "format", "info", "debug", "warning", "write")


# What programs call the part that is to stay fixed.
FIXED = re.compile(r"target|label|teacher|old|next|goal|baseline|true|expected|anchor", re.IGNORECASE)

# What programs call weights that no step changes.
FROZEN = re.compile(r"fix|frozen|freeze|pretrain|random|vgg|feature|basis", re.IGNORECASE)

_MATRICES = {"jac", "jacobian", "jacobians", "hess", "hessian", "hessians"}


def names_a_matrix(name: str) -> bool:
    """Whether a name says that it is a jacobian or a hessian: not what is made of one, such as `hessian_diagonal`."""
    parts = [each for each in re.split(r"[\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)) if each]
    while len(parts) > 1 and (len(parts[-1]) <= 2 or parts[-1] == "matrix"):  # `jac_y_x`, `hessian_of`
        parts.pop()
    return bool(parts) and (parts[-1] in ("J", "H") or parts[-1].lower() in _MATRICES)


def words_of(name: str) -> set[str]:
    """The words and numbers that a name is made of."""
    return set(re.findall(r"[a-z]+|[0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))


def cache_of(function: Any) -> str | None:
    """The decorator of Python's that keeps what a function returned, if it has one."""
    for decorator in getattr(function, "decorator_list", ()):
        name = last_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name in ("lru_cache", "cache", "cached_property"):
            return name
    return None


def differentiates(node: Any) -> bool:
    """Whether an expression is a call that takes derivatives."""
    return isinstance(node, ast.Call) and called_name(node) in ("gradient", "jacobian", "batch_jacobian")


def written_targets(target: Any) -> Iterator[Any]:
    """The single targets of an assignment."""
    if isinstance(target, ast.Tuple | ast.List):
        for each in target.elts:
            yield from written_targets(each)
    elif isinstance(target, ast.Starred):
        yield from written_targets(target.value)
    else:
        yield target


def bindings(statement: Any) -> Iterator[tuple[Any, ast.expr]]:
    """Each target of a statement, with the expression it gets its value from."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            pairs = [(target, statement.value)]
            same = isinstance(target, ast.Tuple | ast.List) and isinstance(statement.value, ast.Tuple | ast.List)
            if same and len(target.elts) == len(statement.value.elts):  # type: ignore[attr-defined]
                pairs = list(zip(target.elts, statement.value.elts))  # type: ignore[attr-defined]
            for each, value in pairs:
                for one in written_targets(each):
                    yield one, value
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and statement.value is not None:
        yield statement.target, statement.value
    elif isinstance(statement, ast.For | ast.AsyncFor):
        for one in written_targets(statement.target):
            yield one, statement.iter
    elif isinstance(statement, ast.With | ast.AsyncWith):
        for item in statement.items:
            if item.optional_vars is not None:
                for one in written_targets(item.optional_vars):
                    yield one, item.context_expr


def names_given(node: Any) -> set[str | None]:
    """The name or key under which the statement around an expression keeps its value."""
    if node is None:
        return set()
    for each in (node, *around(node)):
        above = parent(each)
        if isinstance(above, ast.Dict) and each in above.values:
            key = above.keys[above.values.index(each)]
            return {key.value} if isinstance(key, ast.Constant) and isinstance(key.value, str) else set()
        if isinstance(above, ast.keyword):
            return {above.arg} if isinstance(each, ast.Call) and called_name(each) == "Variable" else set()
        if isinstance(each, ast.stmt | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.Starred | ast.ListComp):
            # In `a, b = f(), g()` the parts of the tuple have names; other collections have one for all.
            return {last_name(target) for target, value in bindings(statement_of(each)) if value is node}
    return set()


def scope_at(code: CodeType, instruction: int) -> Any:
    """The function or module that a place is in."""
    node = node_at(code, instruction)
    return None if node is None else scope_of(node)


def assignments(scope: Any, text: str) -> list[tuple[ast.stmt, ast.expr]]:
    """The statements that give `text` (a name, `self.name`, an item) its value, in the order of the source.

    Names are looked for in their scope and, if it has none, in those around it; attributes in the whole file.
    """
    while scope is not None:
        found = [
            (statement, value)
            for statement in ast.walk(scope)
            if isinstance(statement, ast.stmt)
            for target, value in bindings(statement)
            if ast.unparse(target) == text and (scope_of(statement) is scope or "." in text)
        ]
        if found:
            return sorted(found, key=lambda each: each[0].lineno)
        scope = scope_of(scope)
    return []


def parameters_of(scope: Any) -> set[str]:
    """The names of a function's parameters; none for a module."""
    return (
        {each.arg for each in ast.walk(scope.args) if isinstance(each, ast.arg)}
        if isinstance(scope, Function)
        else set()
    )


def assignment_before(scope: Any, text: str, line: int) -> tuple[ast.stmt, ast.expr] | None:
    """The assignment to `text` that comes last before a line; the last of all where none does (in a loop)."""
    found = assignments(scope, text)
    before = [each for each in found if each[0].lineno < line]
    return (before or found)[-1] if found else None


def runs_later(statement: ast.stmt, node: Any) -> bool:
    """Whether a statement runs only after a node of the same function did: it stands below, and no loop is around both."""
    if scope_of(statement) is not scope_of(node) or statement.lineno <= (node.end_lineno or node.lineno):
        return False
    loops = {each for each in around(node) if isinstance(each, ast.For | ast.AsyncFor | ast.While)}
    return loops.isdisjoint(around(statement))


def functions_named(tree: Any, name: str) -> list[Any]:
    """The functions with a name in a file."""
    return [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef) and f.name == name]


def function_of(code: CodeType) -> Any:
    """The function or lambda that a code object was compiled from; None where the source is not available."""
    tree = tree_of(code.co_filename)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            first = min([node.lineno, *[each.lineno for each in getattr(node, "decorator_list", ())]])
            named = first == code.co_firstlineno and getattr(node, "name", "<lambda>") == code.co_name
            if named and (not isinstance(node, ast.Lambda) or _is_compiled_from(code, node)):
                return node
    return None


def returned_by(function: Any) -> list[Any]:
    """The expressions that a function or lambda returns."""
    if isinstance(function, ast.Lambda):
        return [function.body]
    returns = [each for each in ast.walk(function) if isinstance(each, ast.Return) and scope_of(each) is function]
    return [each.value for each in returns if each.value is not None]


def _is_loss_of_a_model(node: ast.AST) -> bool:
    """Whether a call is given an expression, alone or among others or called, as the loss of a model."""
    inside = node
    for above in around(node):
        if isinstance(above, ast.keyword):
            return above.arg == "loss"
        if isinstance(above, ast.Call) and inside is not above.func:
            return called_name(above) == "compile" and inside in above.args[1:2]
        if not isinstance(above, ast.List | ast.Tuple | ast.Dict | ast.Call):
            return False
        inside = above
    return False


def _is_compiled_from(code: CodeType, function: ast.Lambda) -> bool:
    """Whether a code object is that of a lambda, and not of another one on the same line."""
    columns = {place[2] for place in code.co_positions() if place[0] == function.body.lineno}
    return function.body.col_offset in columns or not columns


LAYERS_METHOD = "call"  # which Keras runs where a layer or model is called
_RUN_BY_CALLING = ("__call__", LAYERS_METHOD)


def only_shows(call: ast.Call) -> bool:
    """Whether a call prints, logs or describes what it is given, and no more."""
    name = called_name(call)
    return name in _ONLY_SHOW or (name in _ONLY_SHOW_IF_UNUSED and isinstance(parent(call), ast.Expr))


class Flow:
    """Which expressions the value of another may flow to, in some files, followed by names."""

    def __init__(self, files: Iterable[str]) -> None:
        self._files = {tree: file for file in dict.fromkeys(files) if (tree := tree_of(file)) is not None}
        self.trees = list(self._files)

    def file_of(self, node: ast.AST) -> str:
        """The file that a node was read from."""
        return self._files[next(each for each in around(node) if isinstance(each, ast.Module))]

    @functools.cached_property
    def _nodes(self) -> list[ast.AST]:
        return [node for tree in self.trees for node in ast.walk(tree)]

    @functools.cached_property
    def _reads(self) -> dict[str, list[ast.expr]]:
        """Where each name is read, as a name or as an attribute."""
        found: dict[str, list[ast.expr]] = {}
        for node in self._nodes:
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                found.setdefault(last_name(node) or "", []).append(node)
        return found

    @functools.cached_property
    def _functions(self) -> dict[str, list[Any]]:
        found: dict[str, list[Any]] = {}
        for node in self._nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                found.setdefault(node.name, []).append(node)
        return found

    def calls_of(self, function: Any) -> Iterator[ast.expr]:
        """The expressions that may hold what a function returns: its calls; reads, for a property."""
        if isinstance(function, ast.Lambda):
            given = parent(function)
            if isinstance(given, ast.Assign):
                for target in given.targets:
                    yield from self._calls_by_name(last_name(target))
            elif isinstance(given, ast.Call):
                yield given
            return
        owner = parent(function)
        if function.name in _RUN_BY_CALLING and isinstance(owner, ast.ClassDef):
            for node in self._nodes:
                for target, value in bindings(node):
                    if isinstance(value, ast.Call) and called_name(value) == owner.name:
                        yield from self._calls_by_name(last_name(target))
            yield from (
                node
                for node in self._nodes
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Call)
                and called_name(node.func) == owner.name
            )
            return
        if any(last_name(each) in ("property", "cached_property") for each in function.decorator_list):
            yield from (node for node in self._reads.get(function.name, ()) if isinstance(node, ast.Attribute))
            return
        yield from self._calls_by_name(function.name)

    def _calls_by_name(self, name: str | None) -> Iterator[ast.Call]:
        for node in self._reads.get(name or "", ()):
            above = parent(node)
            if isinstance(above, ast.Call):  # called, or passed on to be called there: tf.map_fn(f, xs)
                yield above

    def is_returned_to_library(self, node: ast.AST) -> bool:
        """Whether a function returns an expression that only a library calls: `call` of a layer in a Sequential model, or a loss."""
        function = scope_of(node) if isinstance(parent(node), ast.Return) else None
        if not isinstance(function, ast.FunctionDef):
            return False
        if isinstance(parent(function), ast.ClassDef):
            return function.name == LAYERS_METHOD and not any(self.calls_of(function))
        return self._is_given_as_loss(function)

    def _is_given_as_loss(self, function: ast.FunctionDef) -> bool:
        """Whether a library is given a function as a loss, `compile(loss=f)`, or what another function returns: `loss=make_f(0.5)`."""
        for read in self._reads.get(function.name, ()):
            if _is_loss_of_a_model(read):
                return True
            maker = scope_of(read) if isinstance(parent(read), ast.Return) else None
            if maker is scope_of(function) and isinstance(maker, ast.FunctionDef):
                return any(map(_is_loss_of_a_model, self._reads.get(maker.name, ())))
        return False

    def reached_from(self, start: ast.expr, without: Iterable[ast.AST] = ()) -> set[ast.AST]:
        """The expressions that may hold something computed from `start`, and `start` itself; not through those of `without`."""
        found: set[ast.AST] = set(without)
        pending: deque[ast.AST] = deque([start])
        while pending:
            node = pending.popleft()
            if node in found:
                continue
            found.add(node)
            pending.extend(each for each in self._next(node) if each not in found)
        return found.difference(without)

    def _next(self, node: Any) -> Iterator[ast.AST]:
        above = parent(node)
        if isinstance(above, ast.Tuple | ast.List):
            for target, value in bindings(parent(above)):
                if value is node:  # one of several: `model, optimizer = Net(), Adam()`
                    yield from self._reads_of(target)
        if isinstance(above, ast.expr | ast.keyword | ast.FormattedValue | ast.JoinedStr):
            yield from self._through_expression(node, above)
        elif isinstance(above, ast.comprehension):
            if node is above.iter:
                for target in written_targets(above.target):
                    yield from self._reads_of(target)
        elif isinstance(above, ast.withitem):
            for target in written_targets(above.optional_vars):
                yield from self._reads_of(target)
        elif isinstance(above, ast.Return):
            yield from self.calls_of(scope_of(above))
        elif isinstance(above, ast.stmt):
            for target, value in bindings(above):
                if value is node:
                    yield from self._reads_of(target)

    def _through_expression(self, node: Any, above: Any) -> Iterator[ast.AST]:
        if isinstance(above, ast.FormattedValue | ast.JoinedStr):
            return
        if isinstance(above, ast.IfExp) and above.test is node:
            return
        if isinstance(above, ast.Yield | ast.YieldFrom | ast.Lambda):
            yield from self.calls_of(scope_of(node))
            return
        if isinstance(above, ast.NamedExpr):
            yield from self._reads_of(above.target)
        call = parent(above) if isinstance(above, ast.keyword) else above
        if isinstance(call, ast.Call) and node is not call.func:
            name = called_name(call)
            if only_shows(call):
                return
            if name in _ADDS_TO_ITS_OBJECT and isinstance(call.func, ast.Attribute):
                yield from self._reads_of(call.func.value)
            yield from self._parameters(call, node, above)
        yield call

    def _parameters(self, call: ast.Call, node: Any, above: Any) -> Iterator[ast.AST]:
        """Where the functions that a call may mean read the parameter that an argument is given for."""
        name = called_name(call) or ""
        functions = list(self._functions.get(name, ()))
        if not functions:  # an object that is called: of some class here with __call__
            methods = [each for run in _RUN_BY_CALLING for each in self._functions.get(run, ())]
            functions = [each for each in methods if name and name not in dir(__builtins__)]
        for function in functions:
            names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            if isinstance(parent(function), ast.ClassDef) and names:
                names = names[1:]
            if isinstance(above, ast.keyword):
                wanted = above.arg
            else:
                position = call.args.index(node) if node in call.args else len(names)
                wanted = names[position] if position < len(names) else None
                if wanted is None and function.args.vararg is not None:
                    wanted = function.args.vararg.arg
            for each in ast.walk(function):
                if isinstance(each, ast.Name) and each.id == wanted and isinstance(each.ctx, ast.Load):
                    yield each

    def _reads_of(self, target: Any) -> Iterator[ast.AST]:
        """Where a target of an assignment is read."""
        if isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute):
            for node in self._reads.get(target.attr, ()):
                if isinstance(node, ast.Attribute):
                    yield node
        elif isinstance(target, ast.Name):
            scope = scope_of(target)
            for node in self._reads.get(target.id, ()):
                if isinstance(node, ast.Name) and (scope is scope_of(node) or scope in around(node)):
                    yield node
