"""Whether a Python function has visible effects beyond what it returns.

TensorFlow traces the functions of datasets: Python runs once, and what it prints, counts or draws with `random` happens once. A function
without such effects gives the same elements whether its Python runs once or for each element.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable
from typing import Any

from whygrad.runtime.call_sites import is_ours

_STORES = frozenset({"STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR"})
_NAMES = frozenset({"print", "open", "next", "input", "random", "time", "perf_counter", "randint", "choice", "now"})
_METHODS = frozenset(
    {"append", "extend", "insert", "add", "update", "pop", "popleft", "appendleft", "clear", "remove", "setdefault"}
    | {"write", "info", "debug", "warning", "error", "put", "put_nowait", "set", "random", "rand", "randn", "randint"}
    | {"uniform", "normal", "shuffle", "sample", "choice", "time", "perf_counter", "monotonic", "now", "integers"}
)
_DEPTH = 4  # levels of the user's functions that are followed


def has_effects(function: Callable[..., Any]) -> bool:
    """Whether the Python of a function may do something visible: it prints, writes to what it did not make, or draws numbers."""
    return _has_effects(function, _DEPTH, set())


def _has_effects(function: Any, depth: int, seen: set[types.CodeType]) -> bool:
    if isinstance(function, functools.partial):
        return _has_effects(function.func, depth, seen)
    if isinstance(function, types.MethodType):
        function = function.__func__
    if not isinstance(function, types.FunctionType | type):
        # An object is called by the method that its class defines. Those of base classes are a library's, such as Keras's layers.
        function = vars(type(function)).get("__call__")
    if not isinstance(function, types.FunctionType) or is_ours(function.__code__.co_filename):
        return False
    if function.__code__ in seen:
        return False
    seen.add(function.__code__)
    return _code_has_effects(function.__code__, function.__globals__, depth, seen)


def _code_has_effects(code: types.CodeType, names: dict[str, Any], depth: int, seen: set[types.CodeType]) -> bool:
    for instruction in dis.get_instructions(code):
        name, kind = instruction.argval, instruction.opname
        if kind in _STORES or (kind == "STORE_DEREF" and name in code.co_freevars):
            return True
        if kind in ("LOAD_GLOBAL", "LOAD_NAME"):
            if name in _NAMES and not is_module_of_ours(names.get(name)):
                return True
            if depth and _has_effects(names.get(name), depth - 1, seen):
                return True
        if kind in ("LOAD_METHOD", "LOAD_ATTR") and name in _METHODS and not _is_of_whygrad(code, instruction, names):
            return True
    return any(
        _code_has_effects(each, names, depth, seen) for each in code.co_consts if isinstance(each, types.CodeType)
    )


def is_module_of_ours(value: Any) -> bool:
    """Whether a global is one of whygrad's modules or functions."""
    name = getattr(value, "__module__", None) or getattr(value, "__name__", "")
    return isinstance(name, str) and name.split(".")[0] in ("whygrad", "tensorflow")


def _is_of_whygrad(code: types.CodeType, attribute: dis.Instruction, names: dict[str, Any]) -> bool:
    """Whether an attribute is reached from whygrad's own module, as in `tf.random.uniform`."""
    root = None
    for instruction in dis.get_instructions(code):
        if instruction.offset == attribute.offset:
            return root is not None and is_module_of_ours(names.get(root))
        if instruction.opname == "LOAD_GLOBAL":
            root = instruction.argval
        elif instruction.opname not in ("LOAD_ATTR", "LOAD_METHOD", "PUSH_NULL", "CACHE", "EXTENDED_ARG"):
            root = None
    return False
