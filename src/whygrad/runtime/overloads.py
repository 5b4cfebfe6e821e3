"""Give functions a second implementation, in place.

Ops on dense tensors know nothing of ragged ones, and `tf.concat` must take both. A check in each op would be paid by every program, and
another function under the same name would not reach code that holds the first one. So the room of ragged tensors, when it is loaded,
replaces the code of these functions: the function object stays the one that everybody holds, and calls its old code first.

`function.__code__` can be assigned in every CPython that is supported. A function that is not written in Python is refused.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from whygrad.runtime.call_sites import GENERATED


def overload(
    function: Any, other: Callable[..., Any], refused: type[Exception], applies: Callable[..., bool] | None = None
) -> None:
    """Let a function call `other` with its arguments where its own code raises `refused`, or at once where `applies`.

    `other` returns NotImplemented for arguments that it does not take: then the function's own error is raised.
    """
    if not isinstance(function, FunctionType):
        raise TypeError(f"{function!r} is not a function written in Python")
    own = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    own.__kwdefaults__ = function.__kwdefaults__
    own.__qualname__ = function.__qualname__

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if applies is not None and applies(*args, **kwargs):
            return other(*args, **kwargs)
        try:
            return own(*args, **kwargs)
        except refused:
            found = other(*args, **kwargs)
            if found is NotImplemented:
                raise
            return found

    function.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    function.__code__ = _forwarding(function, call)
    function.__defaults__ = None
    function.__kwdefaults__ = None


def _forwarding(function: FunctionType, call: Callable[..., Any]) -> CodeType:
    """The code of a function that hands all of its arguments to `call`, which is one of its constants."""
    template = _template()
    constants = tuple([call if constant == "CALL" else constant for constant in template.co_consts])
    return template.replace(
        co_consts=constants,
        co_name=function.__code__.co_name,
        co_qualname=function.__code__.co_qualname,
        co_freevars=function.__code__.co_freevars,  # the closure stays as it is
    )


@functools.cache
def _template() -> CodeType:
    """Code that calls its constant "CALL"; a name would be looked up among the globals of the function's module."""
    source = "def forward(*args, **kwargs):\n    call = 'CALL'\n    return call(args, kwargs)\n"
    namespace: dict[str, Any] = {}
    exec(compile(source, GENERATED + "composites>", "exec"), {}, namespace)
    code: CodeType = namespace["forward"].__code__
    return code
