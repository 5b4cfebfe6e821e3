"""TensorFlow's autograph, which whygrad does not need: it compiles functions as written, and converts nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad._public import export


@export("autograph.experimental.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Return the function itself: no function is converted.

    >>> import whygrad as tf
    >>> tf.autograph.experimental.do_not_convert(abs)(-2)
    2
    """
    return (lambda function: function) if func is None else func


@export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Accepted and ignored: there is no conversion to log.

    >>> import whygrad as tf
    >>> tf.autograph.set_verbosity(0)
    """
