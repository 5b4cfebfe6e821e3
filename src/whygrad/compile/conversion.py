"""AutoGraph: Python functions rewritten so that their `if`, `while`, `for`, `and`, ... can be decided by tensors.

The package `diastatic-malt` (TensorFlow's AutoGraph as a library) rewrites the syntax tree; `whygrad.compile.statements` has the
functions that the new code calls. The tree is compiled with the places of the user's source, so call sites, tracebacks and
explanations show the user's own lines and names.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import linecache
import logging
import os
import sysconfig
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from whygrad._public import export
from whygrad.runtime.call_sites import is_ours
from whygrad.runtime.syntax_trees import parse
from whygrad.values import nest
from whygrad.values.conversion import convert as convert_to_tensor
from whygrad.values.errors import Explained
from whygrad.values.faults import SymbolicNumber, SymbolicTruth, ValueDecides
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

PACKAGE = "diastatic-malt"
# The file of the functions that converted code calls: its frames stand between the user's and those of the ops.
STATEMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "statements.py")
_FUTURE = 0xFF0000 | 0x1000000  # the flags of `from __future__` imports in a code object
# Packages whose code is left as it is: they handle tensors themselves, or know nothing of them.
_LEFT_ALONE = (
    "whygrad", "malt", "keras", "tensorflow", "tensorflow_probability", "tensorflow_datasets", "numpy", "jax", "scipy",
    "matplotlib", "pandas", "PIL", "absl", "IPython", "ipykernel", "pytest", "_pytest", "hypothesis",
)  # fmt: skip
_STANDARD_LIBRARY = os.path.join(sysconfig.get_paths()["stdlib"], "")
_SITE_PACKAGES = os.path.join(sysconfig.get_paths()["purelib"], "")


def is_installed() -> bool:
    """Return whether the package that rewrites functions is installed."""
    return importlib.util.find_spec("malt") is not None


def require() -> None:
    """Raise, with the name of the package, unless it is installed."""
    if not is_installed():
        raise ModuleNotFoundError(f"AutoGraph needs the package {PACKAGE}: pip install 'whygrad[scripts]'", name="malt")


class _Active(threading.local):
    on = False  # whether this thread runs a converted function


active = _Active()


class _Verbosity:
    level = 0  # set by `autograph.set_verbosity`
    to_stdout = False


verbosity = _Verbosity()


def log(level: int, text: str) -> None:
    """Say something about a conversion, if `autograph.set_verbosity` asked for this much."""
    if verbosity.level >= level:
        if verbosity.to_stdout:
            print(text)
        logging.getLogger("whygrad.autograph").warning(text)


class Unconvertible(Exception):
    """A function has no source, or its source has something that cannot be rewritten."""


# -- what is converted --

_unconverted: weakref.WeakSet[Any] = weakref.WeakSet()


def leave_unconverted(function: Any) -> None:
    """Mark a function: it and the functions that it calls run as written."""
    try:
        _unconverted.add(getattr(function, "__func__", function))
    except TypeError:  # a builtin: there is nothing to convert
        return


def is_convertible(function: Any) -> bool:
    """Return whether a value is a Python function or method that the user wrote."""
    if not isinstance(function, types.FunctionType | types.MethodType):
        return False
    plain = getattr(function, "__func__", function)
    code = getattr(plain, "__code__", None)
    if code is None or plain in _unconverted or hasattr(plain, "autograph_info__"):
        return False
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return False
    filename = code.co_filename
    if is_ours(filename) or filename == "<string>" or filename.startswith("<frozen"):
        return False
    if filename.startswith(_STANDARD_LIBRARY) and not filename.startswith(_SITE_PACKAGES):
        return False
    return (plain.__module__ or "").split(".")[0] not in _LEFT_ALONE


# -- converted functions --


class _Factory:
    """Makes the converted form of functions that share a code object."""

    def __init__(self, function: types.FunctionType, features: tuple[str, ...]) -> None:
        node = _with_origins(_tree_of(function), function)
        self.tree, name = _rewritten(node, function, features)
        self._code = _compiled(self.tree, name, function)

    def make(self, function: types.FunctionType) -> Any:
        """Return the converted form of a function, with its own closure and defaults."""
        from whygrad.compile import statements

        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        closure = tuple([cells[each] for each in self._code.co_freevars])
        made = types.FunctionType(self._code, function.__globals__, closure=closure)(statements)
        made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        made.__name__, made.__qualname__ = function.__name__, function.__qualname__
        made.__module__, made.__doc__ = function.__module__, function.__doc__
        made.autograph_info__ = function
        return made


_factories: weakref.WeakKeyDictionary[types.CodeType, dict[tuple[str, ...], Any]] = weakref.WeakKeyDictionary()
_lock = threading.RLock()


def _factory_of(function: types.FunctionType, features: tuple[str, ...]) -> _Factory:
    with _lock:
        known = _factories.setdefault(function.__code__, {})
        key = (function.__code__.co_filename, *features)  # codes of two files may be equal
        found = known.get(key)
        if found is None:
            try:
                found = _Factory(function, features)
            except RecursionError:
                raise
            except Exception as error:  # whatever the rewriting does not support
                found = Unconvertible(f"{type(error).__name__}: {error}")
            known[key] = found
    if isinstance(found, Unconvertible):
        raise found
    return found


def converted(function: Any, features: tuple[str, ...] = ()) -> Any:
    """Return a function or method in its converted form; raise `Unconvertible` if there is none."""
    if isinstance(function, types.MethodType):
        return types.MethodType(converted(function.__func__, features), function.__self__)
    factory = _factory_of(function, features)
    if verbosity.level >= 2:
        log(2, f"AutoGraph converted {function.__qualname__}:\n\n{ast.unparse(factory.tree)}\n")
    return factory.make(function)


def source_of(function: Any, features: tuple[str, ...] = ()) -> str:
    """Return the source of a function's converted form."""
    plain = getattr(function, "__func__", function)
    try:
        return ast.unparse(_Factory(plain, features).tree) + "\n"
    except Exception as error:
        raise Unconvertible(f"{type(error).__name__}: {error}") from error


def unwrapped(function: Any) -> Any:
    """Return the function that runs when a value is called: of a partial, or of an object with `__call__`."""
    while type(function) is functools.partial:
        function = function.func
    if isinstance(function, types.FunctionType | types.MethodType):
        return function
    return getattr(function, "__call__", None)  # noqa: B004  the bound method


def convert(function: Callable[..., Any], features: tuple[str, ...] = ()) -> Callable[..., Any] | None:
    """Return a function that calls the converted form, and lets the functions called inside know it; None if there is none."""
    if type(function) is functools.partial:
        inner = convert(function.func, features)
        return None if inner is None else functools.partial(inner, *function.args, **function.keywords)
    try:
        form = converted(unwrapped(function), features)
    except (ImportError, Unconvertible) as error:
        log(1, f"AutoGraph could not transform {function!r} and will run it as-is.\nCause: {error}")
        return None

    def call(*args: Any, **kwargs: Any) -> Any:
        before, active.on = active.on, True
        try:
            return form(*args, **kwargs)
        finally:
            active.on = before

    return functools.wraps(unwrapped(function))(call)


def would_help(error: Explained) -> bool:
    """Return whether a trace failed where a converted function would not: Python needed a value to decide, or to count."""
    fault = error.fault
    if isinstance(fault, SymbolicTruth | SymbolicNumber):
        helps = True
    elif isinstance(fault, ValueDecides):
        helps = _is_iterated(error.__traceback__)
    else:
        helps = False
    if helps and not is_installed():
        error.add_note(
            f"AutoGraph would convert this to control flow: pip install 'whygrad[scripts]' (the package {PACKAGE})."
        )
        return False
    return helps


def _is_iterated(trace: types.TracebackType | None) -> bool:
    """Return whether an error was raised by an expression that a `for` iterates over."""
    frame = None
    while trace is not None:
        if not is_ours(trace.tb_frame.f_code.co_filename):
            frame = trace
        trace = trace.tb_next
    if frame is None:
        return False
    positions = list(frame.tb_frame.f_code.co_positions())
    line, _, column, _ = positions[frame.tb_lasti // 2]
    try:
        tree = parse("".join(linecache.getlines(frame.tb_frame.f_code.co_filename)))
    except SyntaxError:
        return False
    return any(
        isinstance(node, ast.For) and (node.iter.lineno, node.iter.col_offset) == (line, column)
        for node in ast.walk(tree)
    )


# -- the source of a function, as a syntax tree with its own places --


def _tree_of(function: types.FunctionType) -> Any:
    code = function.__code__
    if code.co_name == "<lambda>":
        return _lambda_of(code)
    lines, first = _source_of(code)
    source = "".join(lines)
    indented = source[:1].isspace()
    # Indented source is parsed inside of a block, not dedented: the columns and the strings in it stay as they are.
    tree = parse(f"if 1:\n{source}" if indented else source)
    node: Any = tree.body[0]
    if indented:
        node = node.body[0]
    ast.increment_lineno(node, first - 1 - indented)
    if not isinstance(node, ast.FunctionDef):
        raise Unconvertible(f"{type(node).__name__} cannot be converted")
    return node


def _source_of(code: types.CodeType) -> tuple[list[str], int]:
    """The lines of a function and the number of the first; what `inspect` gives, which first looks through all loaded modules."""
    linecache.checkcache(code.co_filename)
    lines, first = linecache.getlines(code.co_filename), code.co_firstlineno
    if first > len(lines):  # no such file: the module may come from an archive
        return inspect.getsourcelines(code)
    return inspect.getblock(lines[first - 1 :]), first


def _lambda_of(code: types.CodeType) -> Any:
    """Find a lambda by its place in its file."""
    tree = parse("".join(linecache.getlines(code.co_filename)))
    places = {(line, column) for line, _, column, _ in code.co_positions() if line is not None and column is not None}
    places.discard((code.co_firstlineno, 0))  # of the instruction that begins every function

    def spans(node: Any, place: tuple[int, int]) -> bool:
        return (node.lineno, node.col_offset) <= place <= (node.end_lineno, node.end_col_offset)

    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda) and all(spans(node.body, place) for place in places)
    ]
    if not found:
        raise Unconvertible("the source of the lambda was not found")
    return min(found, key=_extent)


def _extent(node: Any) -> tuple[int, int]:
    return node.end_lineno - node.lineno, node.end_col_offset - node.col_offset


def _head(node: Any) -> Any:
    """Return the end of what a statement says before its blocks: the condition of an `if`, what a `for` iterates over."""
    return node.test if isinstance(node, ast.If | ast.While) else node.iter if isinstance(node, ast.For) else node


class _Span(NamedTuple):
    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


def _with_origins(tree: Any, function: types.FunctionType) -> Any:
    """Note at each node its place in the user's file, which its copies and replacements keep."""
    from malt.pyct import anno, origin_info

    class Origin(origin_info.OriginInfo):  # type: ignore[misc]
        span: _Span

    name = function.__name__
    node: Any
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            where = origin_info.Location(function.__code__.co_filename, node.lineno, node.col_offset)
            origin = Origin(where, name, "", None)
            end = _head(node)
            origin.span = _Span(node.lineno, node.col_offset, end.end_lineno, end.end_col_offset)
            anno.setanno(node, anno.Basic.ORIGIN, origin)
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return tree


# -- rewriting and compiling --


def _rewritten(node: Any, function: types.FunctionType, features: tuple[str, ...]) -> tuple[Any, str]:
    """Return the rewritten tree, as a statement, and the name that it binds."""
    from malt.core import converter
    from malt.impl.api import PyToPy
    from malt.pyct import inspect_utils, naming, transformer

    options = converter.ConversionOptions(
        recursive=True,
        user_requested=True,
        optional_features=tuple([converter.Feature[each] for each in ("ASSERT_STATEMENTS", *features)]),
    )
    namespace = inspect_utils.getnamespace(function)
    namer = naming.Namer(namespace)
    name = namer.new_symbol(f"tf__{'lam' if isinstance(node, ast.Lambda) else function.__name__}", ())
    info = transformer.EntityInfo(
        name=name, source_code="", source_file=function.__code__.co_filename, future_features=(), namespace=namespace
    )
    context = transformer.Context(info, namer, converter.ProgramContext(options=options))
    _LoopOptions(function).visit(node)
    rewriter = PyToPy()
    tree = rewriter.transform_ast(rewriter._erase_arg_defaults(node), context)
    if isinstance(tree, ast.Lambda):
        tree = ast.Assign([ast.Name(name, ast.Store())], tree)
    else:
        tree.name = name
    _IteratedCalls().visit(tree)
    return tree, name


class _LoopOptions(ast.NodeVisitor):
    """Notes at loops the options that their first statement sets, and takes that away."""

    def __init__(self, function: types.FunctionType) -> None:
        self._function = function

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.For | ast.While):
            first = node.body[0]
            call = first.value if isinstance(first, ast.Expr) else None
            if isinstance(call, ast.Call) and _named(call.func, self._function) is set_loop_options:
                self._note(node, call)
        self.generic_visit(node)

    def _note(self, loop: ast.For | ast.While, call: ast.Call) -> None:
        from malt.lang import directives
        from malt.pyct import anno

        names = list(inspect.signature(set_loop_options).parameters)
        given: dict[Any, ast.expr] = dict(zip(names, call.args))
        given |= {each.arg: each.value for each in call.keywords}
        anno.setanno(loop, anno.Basic.DIRECTIVES, {directives.set_loop_options: given})
        loop.body[0] = ast.copy_location(ast.Pass(), loop.body[0])


@export("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: Any = None,
    swap_memory: Any = None,
    maximum_iterations: Any = None,
    shape_invariants: Any = None,
) -> None:
    """Set options of the loop whose first statement this is: where a tensor decides about the loop, `tf.while_loop` gets them.

    `shape_invariants` is a list of pairs of a loop variable and its shape. With `maximum_iterations` there are gradients through a
    compiled loop that ends by a condition. `parallel_iterations` and `swap_memory` have no effect.

    >>> import whygrad as tf
    >>> for _ in range(2):
    ...     tf.autograph.experimental.set_loop_options(maximum_iterations=10)
    """


def _named(expression: ast.expr, function: types.FunctionType, given: dict[str, Any] | None = None) -> Any:
    """Return what a name, or an attribute of one, is in the scope around a function or among its arguments; None if not known."""
    path = ast.unparse(expression).split(".")
    if given is not None and path[0] in given:
        found = given[path[0]]
    elif path[0] in function.__code__.co_freevars:
        cell = (function.__closure__ or ())[function.__code__.co_freevars.index(path[0])]
        try:
            found = cell.cell_contents
        except ValueError:  # empty still
            return None
    else:
        found = function.__globals__.get(path[0])
    for name in path[1:]:
        found = _attribute(found, name)
    return found


def _attribute(found: Any, name: str) -> Any:
    if isinstance(found, types.ModuleType):
        return getattr(found, name, None)
    value = inspect.getattr_static(found, name, None)  # runs no user code
    is_method = isinstance(value, types.FunctionType) and not isinstance(found, type)
    return types.MethodType(value, found) if is_method else value


class _IteratedCalls(ast.NodeTransformer):
    """Calls whose result a `for` iterates over: `tf.range(n)` need not be computed as a tensor there."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if _is_ours(node, "for_stmt"):
            iterated = node.args[0]
            if isinstance(iterated, ast.Call) and _is_ours(iterated, "converted_call"):
                iterated.func.attr = "iterated_call"  # type: ignore[attr-defined]
        return node


def _is_ours(node: ast.Call, name: str) -> bool:
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr == name
        and isinstance(function.value, ast.Name)
        and function.value.id == "ag__"
    )


def _compiled(tree: Any, name: str, function: types.FunctionType) -> types.CodeType:
    """Compile the rewritten tree, with the user's places, to the code of a factory: given `ag__`, it returns the function."""
    first = _Span(function.__code__.co_firstlineno, 0, function.__code__.co_firstlineno, 0)
    _place(tree, first)
    free = function.__code__.co_freevars
    inner = parse("def inner(ag__):\n    pass\n    return None").body[0]
    assert isinstance(inner, ast.FunctionDef)
    returned: Any = inner.body[1]
    returned.value = ast.Name(name, ast.Load())
    inner.body = [tree, returned]
    outer = parse("def outer():\n    pass\n    return inner").body[0]
    assert isinstance(outer, ast.FunctionDef)
    cells: list[ast.stmt] = [ast.Assign([ast.Name(each, ast.Store())], ast.Constant(None)) for each in free]
    outer.body = [*cells, inner, outer.body[1]]
    module = ast.fix_missing_locations(ast.Module([outer], []))
    code = compile(
        module, function.__code__.co_filename, "exec", flags=function.__code__.co_flags & _FUTURE, dont_inherit=True
    )
    factory = _code_in(_code_in(code, "outer"), "inner")
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not _is_generated(node)}
    own |= {"<lambda>"}
    return _renamed(factory, function.__code__, name, own)


def _is_generated(node: Any) -> bool:
    """Return whether a function is a block of the rewritten one rather than the user's own."""
    return not getattr(node, "decorator_list", None)


def _code_in(code: types.CodeType, name: str) -> types.CodeType:
    return next(each for each in code.co_consts if isinstance(each, types.CodeType) and each.co_name == name)


def _renamed(code: types.CodeType, original: types.CodeType, name: str, own: set[str]) -> types.CodeType:
    """Give the code of the function, and of its blocks, the name of the user's function."""
    constants = tuple(
        [_renamed(each, original, name, own) if isinstance(each, types.CodeType) else each for each in code.co_consts]
    )
    code = code.replace(co_consts=constants)
    if code.co_name in own and code.co_name != name:
        return code
    return code.replace(co_name=original.co_name, co_qualname=original.co_qualname)


def _place(node: Any, inherited: _Span) -> None:
    """Give a rewritten tree its places: a node without one has that of the node around it."""
    from malt.pyct import anno

    origin = anno.getanno(node, anno.Basic.ORIGIN, default=None)
    span = getattr(origin, "span", None)
    if span is None:  # Python places a call that extends over several lines at its end
        span = inherited if inherited.lineno == inherited.end_lineno else _first_line_of(inherited)
    if "lineno" in node._attributes:
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = span
    for child in ast.iter_child_nodes(node):
        _place(child, span)


def _first_line_of(span: _Span) -> _Span:
    return _Span(span.lineno, span.col_offset, span.lineno, span.col_offset + 1)


# -- functions that will need to be converted --

_STATIC = ("shape", "dtype", "ndim", "rank", "name", "device")  # of a tensor: known while tracing


def meets_tensors(function: Any, given: dict[str, Any]) -> bool:
    """Return whether a function clearly decides by tensors: those given, or what ops make.

    Such a function is converted before it is traced, so that its Python runs once. Others are traced as they are first.
    """
    plain = getattr(function, "__func__", function)
    code = getattr(plain, "__code__", None)
    tree = None if code is None or not is_installed() else _known_tree(plain)
    return tree is not None and _Meets(plain, given).found(tree)


_trees: weakref.WeakKeyDictionary[types.CodeType, Any] = weakref.WeakKeyDictionary()


def _known_tree(function: types.FunctionType) -> Any:
    """Return the syntax tree of a function, to be read only; None if there is no source."""
    code = function.__code__
    if code not in _trees:
        try:
            _trees[code] = _tree_of(function)
        except (OSError, TypeError, SyntaxError, ValueError, Unconvertible):
            _trees[code] = None
    return _trees[code]


_ANY_TENSOR = convert_to_tensor(0, None)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor | Variable)


def _is_op(called: Any) -> bool:
    return is_ours(getattr(getattr(called, "__code__", None), "co_filename", ""))


class _Meets(ast.NodeVisitor):
    """Finds conditions that are tensors, going through a function, and those that it calls, in the order of their lines."""

    def __init__(self, function: types.FunctionType, given: dict[str, Any], depth: int = 3) -> None:
        self._function, self._given, self._depth = function, given, depth
        self._tensors = {name for name, value in given.items() if any(map(_is_tensor, nest.flatten(value)))}
        self._conditions = 0

    def found(self, tree: ast.AST) -> bool:
        for _ in range(2):  # what a loop assigns at its end is used at its beginning
            self.visit(tree)
        return self._conditions > 0

    def _asked(self, *tests: ast.expr) -> None:
        self._conditions += any(map(self._is_tensor, tests))

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        if self._is_tensor(node.value):
            stored = [each for target in node.targets for each in ast.walk(target)]
            self._tensors |= {
                each.id for each in stored if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and self._is_tensor(node.value):
            self._tensors.add(node.target.id)

    def visit_If(self, node: ast.If) -> None:
        self._asked(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._asked(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._asked(node.test)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        self._asked(node.test)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._asked(*node.values[:-1])
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        iterated = node.iter
        if isinstance(iterated, ast.Call) and ast.unparse(iterated.func).split(".")[-1] == "range":
            self._asked(*iterated.args)
        if self._is_tensor(iterated) and isinstance(node.target, ast.Name):
            self._tensors.add(node.target.id)
        self.generic_visit(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        if self._function.__code__.co_name == "<lambda>":
            self.generic_visit(node)

    def _is_tensor(self, node: Any) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._tensors or isinstance(_named(node, self._function), Variable)
        if isinstance(node, ast.Attribute):
            is_part = node.attr not in _STATIC and self._is_tensor(node.value)
            return is_part or isinstance(_named(node, self._function, self._given), Variable)
        if isinstance(node, ast.Subscript):
            return self._is_tensor(node.value)
        if isinstance(node, ast.BinOp):
            return self._is_tensor(node.left) or self._is_tensor(node.right)
        if isinstance(node, ast.UnaryOp):
            return self._is_tensor(node.operand)
        if isinstance(node, ast.BoolOp):
            return any(map(self._is_tensor, node.values))
        if isinstance(node, ast.IfExp):
            return self._is_tensor(node.body) or self._is_tensor(node.orelse)
        if isinstance(node, ast.Tuple | ast.List):
            return any(map(self._is_tensor, node.elts))
        if isinstance(node, ast.Compare):
            compares = not any(isinstance(each, ast.Is | ast.IsNot | ast.In | ast.NotIn) for each in node.ops)
            return compares and any(map(self._is_tensor, (node.left, *node.comparators)))
        if isinstance(node, ast.Call):
            called = _named(node.func, self._function, self._given)
            return any(map(self._is_tensor, node.args)) and (is_convertible(called) or _is_op(called))
        return False

    def visit_Call(self, node: ast.Call) -> None:
        """Look into a user's function that is called with tensors."""
        self.generic_visit(node)
        called = _named(node.func, self._function, self._given)
        if self._depth and not self._conditions and is_convertible(called) and any(map(self._is_tensor, node.args)):
            plain = getattr(called, "__func__", called)
            names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
            given = [called.__self__] if isinstance(called, types.MethodType) else []
            given += [_ANY_TENSOR if self._is_tensor(each) else None for each in node.args]
            tree = _known_tree(plain)
            if tree is not None:
                self._conditions += _Meets(plain, dict(zip(names, given)), self._depth - 1).found(tree)
