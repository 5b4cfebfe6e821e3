"""Code objects: parameter names read off them, and functions made from one template given names of their own.

- `parameters` reads names off the code object. `inspect.signature` on hundreds of functions would show in the time of
  `import whygrad`. It is the fallback for callables without a code object.
- `rename` gives a function, and the code object that tracebacks and profiles show, a name. CPython alone lets code be replaced:
  elsewhere the function keeps its template's code, and only `__name__`, `__qualname__` and `__signature__` say what it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], str | None]:
    """The names of a function's positional parameters, and the name of its `*args`."""
    code = getattr(function, "__code__", None)
    if code is None:
        return _parameters_of_signature(function)
    names = code.co_varnames
    variadic = names[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & inspect.CO_VARARGS else None
    return names[: code.co_argcount], variadic


def _parameters_of_signature(function: Callable[..., Any]) -> tuple[tuple[str, ...], str | None]:
    given = inspect.signature(function).parameters.values()
    names = [each.name for each in given if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    variadic = [each.name for each in given if each.kind is each.VAR_POSITIONAL]
    return tuple(names), variadic[0] if variadic else None


def rename(function: Any, name: str, qualname: str | None = None, arguments: tuple[str, ...] = ()) -> None:
    """Give a function its name, in its code object too, and its first parameters the names in `arguments`."""
    qualname = qualname or name
    function.__name__, function.__qualname__ = name, qualname
    code = function.__code__
    old = code.co_varnames[: len(arguments)]
    if old != arguments:
        annotations = function.__annotations__
        function.__annotations__ = {arguments[old.index(k)] if k in old else k: v for k, v in annotations.items()}
    try:
        variables = arguments + code.co_varnames[len(arguments) :]
        function.__code__ = code.replace(co_name=name, co_qualname=qualname, co_varnames=variables)
    except (AttributeError, TypeError):  # not CPython
        signature = inspect.signature(function)
        renamed = [
            each.replace(name=arguments[i] if i < len(arguments) else each.name)
            for i, each in enumerate(signature.parameters.values())
        ]
        function.__signature__ = signature.replace(parameters=renamed)
