"""Give functions a second implementation, in place.

Ops on dense tensors know nothing of ragged ones, and `tf.concat` must take both. A check in each op would be paid by every program, and
another function under the same name would not reach code that holds the first one. So the room of ragged tensors, when it is loaded,
replaces the code of these functions: the function object stays the one that everybody holds, and calls its old code first.

`function.__code__` can be assigned in every CPython that is supported. A function that is not written in Python is refused.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, TypeVar

from whygrad.runtime.call_sites import GENERATED

F = TypeVar("F", bound=Callable[..., Any])


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
    if not hasattr(function, _OWN_CODE):  # it may get several other implementations
        setattr(function, _OWN_CODE, function.__code__)
    function.__code__ = _forwarding(function, call)
    function.__defaults__ = None
    function.__kwdefaults__ = None


class Installation:
    """Overloads that are installed when they are first needed: programs without these tensors pay nothing."""

    def __init__(self, install: Callable[[], None]) -> None:
        self._install, self._lock = install, threading.Lock()
        self.is_done = False

    def ensure(self) -> None:
        """Install them, once."""
        with self._lock:
            if not self.is_done:
                self._install()
                self.is_done = True


def own_code(function: Any) -> CodeType | None:
    """The code that a function was written with, also after it got a second implementation; None for other callables."""
    found: CodeType | None = getattr(function, _OWN_CODE, None) or getattr(function, "__code__", None)
    return found


def is_forwarding(code: CodeType) -> bool:
    """Whether this is code that hands its arguments on to the code of the function that was called."""
    return code.co_filename in (_FILE, __file__) or code in _marked


def forwarding(function: F) -> F:
    """Mark a function that hands its arguments on, as one that NumPy calls in place of its own functions does."""
    _marked.add(function.__code__)
    return function


_marked: set[CodeType] = set()
_OWN_CODE = "_own_code"
_FILE = GENERATED + "composites>"


def _forwarding(function: FunctionType, call: Callable[..., Any]) -> CodeType:
    """The code of a function that hands all of its arguments to `call`, which is one of its constants."""
    own = function.__code__
    template = _template(own.co_freevars)
    constants = tuple([call if constant == "CALL" else constant for constant in template.co_consts])
    code = template.replace(co_consts=constants, co_name=own.co_name, co_qualname=own.co_qualname)
    assert code.co_freevars == own.co_freevars, "the closure stays as it is"
    return code


@functools.cache
def _template(free: tuple[str, ...]) -> CodeType:
    """Code that calls its constant "CALL"; a name would be looked up among the globals of the function's module.

    It mentions the names that the function takes from around it, so that its frames hold the function's cells as Python expects.
    """
    mentioned = f"        {', '.join(free)},\n" if free else "        pass\n"
    source = (
        f"def around({', '.join(free)}):\n"
        "  def forward(*args, **kwargs):\n"
        f"    if False:\n{mentioned}"
        "    call = 'CALL'\n"
        "    return call(args, kwargs)\n"
        "  return forward\n"
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, _FILE, "exec"), {}, namespace)
    code: CodeType = namespace["around"](*free).__code__
    return code
