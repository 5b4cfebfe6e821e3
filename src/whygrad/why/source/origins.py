"""Origins: which expressions the value of another was computed from, read backwards from it in the order of the text.

`Flow` in `syntax.py` says where a value may go, without regard to order. This goes the other way and follows a name to the
assignments that reach it: the last one before it, those in branches, and those that a loop carries over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from whygrad.why.source import syntax
from whygrad.why.source.syntax import Flow

# Step functions: their derivative is zero, and people detach what they give on purpose (a straight-through estimate).
_ROUNDS = {"int", "round", "rint", "around", "fix", "floor", "ceil", "trunc", "sign", "heaviside"}
# Functions that read an order, a shape or a text off their argument: nothing of a derivative is lost through them.
_READS = {
    "argmax", "argmin", "argsort", "argpartition", "searchsorted", "digitize", "nonzero", "flatnonzero", "count_nonzero", "argwhere",
    "bincount", "unique", "len", "shape", "ndim", "size", "zeros_like", "ones_like", "empty_like", "full_like", "isnan", "isfinite",
    "isinf", "isclose", "allclose", "any", "all", "bool", "range", "print", "format", "str", "repr", "type", "isinstance", "id",
    "stop_gradient",
}  # fmt: skip
_DRAWS = {
    "normal", "uniform", "choice", "standard_normal", "randn", "rand", "random", "multinomial", "binomial", "poisson", "exponential",
    "gumbel", "laplace", "beta", "gamma", "permutation", "randint", "integers", "multivariate_normal", "categorical", "sample",
}  # fmt: skip
_METADATA = {"shape", "dtype", "ndim", "size", "name", "nbytes"}
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_MOST_NODES = 4_000
_DEEPEST = 6  # calls of the program's functions inside each other


def is_step(node: ast.AST) -> bool:
    """Whether an expression calls a step function, as int(x) does: its derivative is zero, so that nothing is lost."""
    return isinstance(node, ast.Call) and syntax.called_name(node) in _ROUNDS


def draws(node: ast.AST) -> bool:
    """Whether an expression calls a function that draws random numbers."""
    return isinstance(node, ast.Call) and (syntax.called_name(node) or "").removeprefix("truncated_") in _DRAWS


Calls = tuple[ast.Call, ...]  # those through which the functions around an expression were entered, the innermost last


class Origins:
    """What an expression's value was computed from, smoothly: expressions of the program, up to those in `ends`."""

    def __init__(self, flow: Flow, start: ast.expr, ends: Iterable[ast.AST] = ()) -> None:
        self._flow, self._ends = flow, set(ends)
        self.nodes: set[ast.AST] = set()
        self._used_by: dict[ast.AST, set[ast.AST]] = {}
        self.is_rounded = False  # a step function was applied to part of it
        self.is_drawn = False  # random numbers are part of it
        self.is_running = False  # what earlier steps left is part of it: a running mean, an iterated estimate
        pending: list[tuple[Any, Calls]] = [(start, ())]
        seen: set[tuple[Any, Calls]] = set()
        while pending and len(seen) < _MOST_NODES:
            here = pending.pop()
            if here in seen:
                continue
            seen.add(here)
            self.nodes.add(here[0])
            if here[0] not in self._ends:
                before = list(self._before(*here))
                pending += before
                for each, _ in before:
                    self._used_by.setdefault(each, set()).add(here[0])

    def since(self, end: ast.AST) -> set[ast.AST]:
        """An expression that the value was computed from, and those through which it went."""
        pending, found = [end], {end}
        while pending:
            new = self._used_by.get(pending.pop(), set()) - found
            found |= new
            pending += new
        return found

    def _before(self, node: Any, calls: Calls) -> Iterator[tuple[Any, Calls]]:
        if isinstance(node, ast.Name):
            yield from self._of_name(node, calls)
        elif isinstance(node, ast.Attribute):
            yield from self._of_attribute(node, calls)
        elif isinstance(node, ast.Call):
            yield from self._of_call(node, calls)
        elif isinstance(node, ast.Subscript):
            yield node.value, calls  # integers and slices choose, and are not part of the value
        elif isinstance(node, ast.IfExp):
            yield from ((each, calls) for each in (node.body, node.orelse))
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            yield node.elt, calls
        elif isinstance(node, ast.DictComp):
            yield node.value, calls
        elif isinstance(node, ast.Dict):
            yield from ((each, calls) for each in node.values)
        elif (isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv)) or isinstance(node, ast.Compare):
            self.is_rounded = True
        elif not isinstance(node, ast.JoinedStr | ast.Lambda | ast.Constant):
            yield from ((each, calls) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr))

    # -- calls --

    def _of_call(self, node: ast.Call, calls: Calls) -> Iterator[tuple[Any, Calls]]:
        name = syntax.called_name(node) or ""
        if name in _DRAWS:
            # What a module draws at its top is data; a function, a loop or a with block draws samples.
            self.is_drawn |= not isinstance(syntax.parent(syntax.statement_of(node)), ast.Module)
            return
        if name in _ROUNDS or name in _READS:
            self.is_rounded |= name in _ROUNDS
            return
        functions = list(self._functions(node, name))
        for function in functions:
            for each in _returned(function):
                yield each, (*calls, node)[-_DEEPEST:]
        if functions:
            return
        yield from ((each, calls) for each in (*node.args, *[k.value for k in node.keywords]))
        if isinstance(node.func, ast.Attribute):
            yield node.func.value, calls
        elif isinstance(node.func, ast.Lambda):
            yield node.func.body, calls

    def _functions(self, node: ast.Call, name: str) -> Iterator[Any]:
        """The program's functions that a call may mean."""
        if isinstance(node.func, ast.Name):
            for _, value in syntax.assignments(syntax.scope_of(node), name):
                if isinstance(value, ast.Lambda):
                    yield value
        for tree in self._flow.trees:
            for each in syntax.functions_named(tree, name):
                is_method = isinstance(syntax.parent(each), ast.ClassDef)
                if is_method == isinstance(node.func, ast.Attribute):
                    yield each

    # -- names --

    def _of_name(self, node: ast.Name, calls: Calls) -> Iterator[tuple[Any, Calls]]:
        for above in syntax.around(node):
            if isinstance(above, syntax.Comprehension):
                for part in above.generators:
                    if any(isinstance(t, ast.Name) and t.id == node.id for t in syntax.written_targets(part.target)):
                        yield part.iter, calls
                        return
        scope = syntax.scope_of(node)
        while scope is not None:
            found = [each for each in _writes(scope) if each[1] == node.id]
            given = node.id in syntax.parameters_of(scope)
            if found or given:
                reaching, is_complete, is_carried = _reaching(found, node)
                self.is_running |= is_carried
                yield from ((value, calls) for value in reaching)
                if given and not is_complete:
                    yield from self._arguments(scope, node.id, calls)
                return
            scope = syntax.scope_of(scope)

    def _arguments(self, function: Any, name: str, calls: Calls) -> Iterator[tuple[Any, Calls]]:
        """What a parameter is given, in the call through which the function was entered or in all its calls."""
        if calls:
            known: list[tuple[Any, Calls]] = [(calls[-1], calls[:-1])]
        else:
            known = [(call, ()) for call in self._flow.calls_of(function) if isinstance(call, ast.Call)]
        for call, outer in known:
            value = _argument(function, name, call)
            if value is not None:
                yield value, outer

    # -- attributes --

    def _of_attribute(self, node: ast.Attribute, calls: Calls) -> Iterator[tuple[Any, Calls]]:
        if node.attr in _METADATA:
            return
        scope = syntax.scope_of(node)
        text = ast.unparse(node)
        here = [each for each in _writes(scope) if each[1] == text]
        reaching, is_complete, is_carried = _reaching(here, node)
        self.is_running |= is_carried or (bool(here) and not reaching)  # read first, and written for the next call
        yield from ((value, calls) for value in reaching)
        if is_complete:
            return
        written = [
            value
            for tree in self._flow.trees
            for statement in ast.walk(tree)
            for target, value in syntax.bindings(statement)
            if isinstance(target, ast.Attribute)
            and target.attr == node.attr
            and syntax.scope_of(statement) is not scope
        ]
        yield from ((value, ()) for value in written)
        if not written and not here:
            yield node.value, calls


def _returned(function: Any) -> Iterator[ast.expr]:
    """The expressions that a function returns or yields."""
    if isinstance(function, ast.Lambda):
        yield function.body
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None and syntax.scope_of(node) is function:
            yield node.value


# The statement, what it writes to, the value, and whether the old one is gone.
Write = tuple[ast.stmt, str, ast.expr, bool]


def _writes(scope: Any) -> list[Write]:
    """What is written to names and attributes in a function, in the order of the text."""
    known: list[Write] | None = getattr(scope, "whygrad_writes", None)
    if known is None:
        known = sorted(_all_writes(scope), key=lambda each: (each[0].lineno, each[0].col_offset))
        scope.whygrad_writes = known
    return known


def _all_writes(scope: Any) -> Iterator[Write]:
    for node in ast.walk(scope):
        if syntax.scope_of(node) is not scope:
            continue
        for target, value in syntax.bindings(node):
            statement = node if isinstance(node, ast.stmt) else syntax.statement_of(node)
            if statement is None:
                continue
            replaces = not isinstance(node, ast.AugAssign) and not isinstance(target, ast.Subscript)
            while isinstance(target, ast.Subscript):
                target = target.value
            yield statement, ast.unparse(target), value, replaces
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ADDS:
            statement = syntax.statement_of(node)
            for value in node.args if statement is not None else ():
                yield statement, ast.unparse(node.func.value), value, False  # type: ignore[misc]


_ADDS = {"append", "extend", "add", "insert", "update", "appendleft"}


def _reaching(writes: list[Write], node: Any) -> tuple[list[ast.expr], bool, bool]:
    """The values that may be read at a node, whether one of them replaces all that was there before, and whether some come from
    the step before: over a loop around the tape's with block."""
    here = syntax.statement_of(node)
    if here is None or not writes:
        return [], False, False
    outside = list(syntax.around(node))
    found: list[ast.expr] = []
    last: ast.stmt | None = None
    is_carried = False
    for statement, name, value, replaces in reversed(writes):
        if (statement in outside and not isinstance(statement, _OPENS)) or not _begins_before(statement, here):
            continue
        if not _is_made_once(statement, name):
            found.append(value)
        if replaces and _always_runs_before(statement, outside):
            last = statement
            break
    # A loop carries over what later statements in its body write, unless the body writes it again before it is read.
    for loop in [each for each in outside if isinstance(each, _LOOPS)]:
        if last is not None and (last is loop or loop in syntax.around(last)):
            break
        later = [each for each in writes if not _begins_before(each[0], here) and loop in syntax.around(each[0])]
        found += [value for _, _, value, _ in later]
        inside = outside[: outside.index(loop)]
        is_carried |= bool(later) and any(isinstance(each, ast.With) for each in inside)
    return found, last is not None, is_carried


_OPENS = (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)  # statements that write before their body runs


def _begins_before(one: ast.stmt, other: ast.stmt) -> bool:
    return (one.lineno, one.col_offset) < (other.lineno, other.col_offset)


def _is_made_once(statement: ast.stmt, name: str) -> bool:
    """Whether a value is computed when there is none yet, and kept: `if first is None: first = ...`."""
    choice = syntax.parent(statement)
    if not isinstance(choice, ast.If) or statement not in choice.body:
        return False
    return any(
        isinstance(each, ast.Compare) and isinstance(each.ops[0], ast.Is) and ast.unparse(each) == f"{name} is None"
        for each in ast.walk(choice.test)
    )


def _always_runs_before(statement: ast.stmt, outside: list[Any]) -> bool:
    """Whether a statement that stands before a node ran whenever the node does."""
    if statement in outside:  # `for x in ...:` and `with ... as x:` around the node
        return True
    above = syntax.parent(statement)
    while isinstance(above, ast.With | ast.AsyncWith):  # what stands in a with block always runs
        if above in outside:
            return True
        above = syntax.parent(above)
    return above in outside and not _in_other_branch(statement, above, outside)


def _in_other_branch(statement: ast.stmt, choice: Any, outside: list[Any]) -> bool:
    """Whether a statement stands in the other branch of an `if` that a node is in."""
    if not isinstance(choice, ast.If):
        return False
    inside = next((each for each in outside if syntax.parent(each) is choice), None)
    return (statement in choice.body) != (inside in choice.body)


def _argument(function: Any, name: str, call: ast.Call) -> ast.expr | None:
    """The expression that a call gives for a parameter."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if isinstance(syntax.parent(function), ast.ClassDef) and isinstance(call.func, ast.Attribute | ast.Call | ast.Name):
        static = any(syntax.last_name(each) == "staticmethod" for each in getattr(function, "decorator_list", ()))
        names = names if static else names[1:]
    if name in names and names.index(name) < len(call.args):
        return call.args[names.index(name)]
    defaults = dict(zip(reversed(names), reversed(function.args.defaults)))
    return defaults.get(name)
