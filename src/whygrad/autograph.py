"""`tf.autograph`: functions are compiled as they are written, so there is nothing to convert and nothing to switch off."""

from __future__ import annotations

import types as _types
from collections.abc import Callable as _Callable
from typing import Any as _Any
from typing import NoReturn as _NoReturn


def _do_not_convert(func: _Callable[..., _Any] | None = None) -> _Any:
    """The function itself: none is converted.

    >>> import whygrad as tf
    >>> tf.autograph.experimental.do_not_convert(abs)(-2)
    2
    """
    return (lambda function: function) if func is None else func


experimental = _types.SimpleNamespace(do_not_convert=_do_not_convert)


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accepted: there is no conversion that could be told of.

    >>> import whygrad as tf
    >>> tf.autograph.set_verbosity(0)
    """


def __getattr__(name: str) -> _NoReturn:
    said = f"tf.autograph.{name} does not exist in whygrad"
    if name in ("to_graph", "to_code"):
        said += ": Python is compiled as it is written. Write tf.cond and tf.while_loop where a tensor decides"
    raise AttributeError(said, name=name)


__all__ = ["experimental", "set_verbosity"]
