"""`tf.autograph`: what users say about the conversion of their functions (`whygrad.compile.conversion`)."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.compile import conversion
from whygrad.values.errors import OpValueError


@export("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Optional features of AutoGraph, for `tf.function(experimental_autograph_options=...)`.

    `EQUALITY_OPERATORS` and `ASSERT_STATEMENTS` are always on; the others have no effect.

    >>> import whygrad as tf
    >>> tf.autograph.experimental.Feature.ALL.name
    'ALL'
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """Return all features but `ALL`."""
        return tuple([each for each in cls if each is not cls.ALL])

    @classmethod
    def all_but(cls, exclude: Any) -> tuple[Feature, ...]:
        """Return all features but those in `exclude`."""
        excluded = exclude if isinstance(exclude, list | tuple | set) else (exclude,)
        return tuple([each for each in cls.all() if each not in excluded])


@export("autograph.experimental.do_not_convert")
def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Mark a function: AutoGraph leaves it as it is. Returns the function itself.

    >>> import whygrad as tf
    >>> tf.autograph.experimental.do_not_convert(abs)(-2)
    2
    """
    if func is None:
        return do_not_convert
    conversion.leave_unconverted(func)
    return func


@export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Log functions that could not be converted (1), and the code of those that were (2); also to the standard output.

    >>> import whygrad as tf
    >>> tf.autograph.set_verbosity(0)
    """
    conversion.verbosity.level = level
    conversion.verbosity.to_stdout = alsologtostdout


@export("autograph.trace")
def trace(*args: Any) -> None:
    """Print values while a function is traced, once for each trace.

    >>> import whygrad as tf
    >>> tf.autograph.trace("tracing")
    tracing
    """
    print(*args)


@export("autograph.to_code")
def to_code(entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """Return the source of a function as AutoGraph converts it. Needs `pip install 'whygrad[scripts]'`.

    >>> import whygrad as tf
    >>> tf.autograph.to_code.__name__
    'to_code'
    """
    try:
        return conversion.source_of(_python_function(entity), features_of(experimental_optional_features))
    except conversion.Unconvertible as error:
        raise OpValueError(f"AutoGraph cannot convert {entity!r}: {error}") from None


@export("autograph.to_graph")
def to_graph(entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None) -> Any:
    """Return a function as AutoGraph converts it. Needs `pip install 'whygrad[scripts]'`.

    >>> import whygrad as tf
    >>> tf.autograph.to_graph.__name__
    'to_graph'
    """
    try:
        return conversion.converted(_python_function(entity), features_of(experimental_optional_features))
    except conversion.Unconvertible as error:
        raise OpValueError(f"AutoGraph cannot convert {entity!r}: {error}") from None


def _python_function(entity: Any) -> Any:
    conversion.require()
    if not hasattr(entity, "__code__"):
        raise OpValueError(
            "Cannot apply autograph to a function that doesn't expose a __code__ object. If this is a @tf.function, try passing "
            "f.python_function instead."
        )
    return entity


def features_of(options: Any) -> tuple[str, ...]:
    """Return optional features by name, from one, several or None; those that rewriting knows."""
    given = options if isinstance(options, list | tuple | set) else () if options is None else (options,)
    names = {each.name for each in given}
    return ("EQUALITY_OPERATORS",) if names & {"ALL", "EQUALITY_OPERATORS"} else ()
