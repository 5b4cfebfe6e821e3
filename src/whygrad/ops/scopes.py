"""Scopes and questions that belong to graphs: eager code passes through them, so that programs that use them run."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator
from typing import Any


class _Names(threading.local):
    scope = ""


_names = _Names()


class name_scope(contextlib.ContextDecorator):
    """A prefix for the names of ops: kept and shown by `get_current_name_scope`, otherwise without effect.

    >>> import whygrad as tf
    >>> with tf.name_scope("layer"):
    ...     with tf.name_scope("inner") as scope:
    ...         print(scope, tf.get_current_name_scope())
    layer/inner/ layer/inner
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._outer: list[str] = []

    @property
    def name(self) -> str:
        """The name it was made with."""
        return self._name

    def __enter__(self) -> str:
        outer = _names.scope
        self._outer.append(outer)
        if not self._name:
            _names.scope = ""
        elif self._name.endswith("/"):  # a scope that was entered before, by the name it gave
            _names.scope = self._name
        else:
            _names.scope = f"{outer}{self._name}/"
        return _names.scope

    def __exit__(self, *exception: Any) -> None:
        _names.scope = self._outer.pop()


def get_current_name_scope() -> str:
    """The names of the open `name_scope`s, joined by slashes.

    >>> import whygrad as tf
    >>> tf.get_current_name_scope()
    ''
    """
    return _names.scope.rstrip("/")


@contextlib.contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Accepted; values stay where they are.

    >>> import whygrad as tf
    >>> with tf.device("/CPU:0"):
    ...     x = tf.constant(1.0)
    """
    yield


@contextlib.contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Accepted; ops run in the order of the program. Callables among the inputs are called.

    >>> import whygrad as tf
    >>> with tf.control_dependencies([tf.debugging.assert_positive(1.0)]):
    ...     x = tf.constant(1.0)
    """
    if callable(control_inputs):
        control_inputs()
    else:
        for control_input in control_inputs or ():
            if callable(control_input):
                control_input()
    yield


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Accepted; there is no graph to be lifted out of.

    >>> import whygrad as tf
    >>> with tf.init_scope():
    ...     tf.executing_eagerly()
    True
    """
    yield


def executing_eagerly() -> bool:
    """Whether ops run at once: always.

    >>> import whygrad as tf
    >>> tf.executing_eagerly()
    True
    """
    return True


def inside_function() -> bool:
    """Whether a function is being traced: never.

    >>> import whygrad as tf
    >>> tf.inside_function()
    False
    """
    return False


def no_op(name: str | None = None) -> None:
    """Does nothing.

    >>> import whygrad as tf
    >>> tf.no_op()
    """


def group(*inputs: Any, **kwargs: Any) -> None:
    """Nothing: what is grouped has already run.

    >>> import whygrad as tf
    >>> v = tf.Variable(1.0)
    >>> tf.group(v.assign(2.0), v.assign_add(1.0))
    """
    name = kwargs.pop("name", None)
    if kwargs:
        raise ValueError("Unknown keyword arguments: " + ", ".join(kwargs))
    return no_op(name)


def get_logger() -> logging.Logger:
    """The logger of this library, under TensorFlow's name.

    >>> import whygrad as tf
    >>> tf.get_logger().name
    'tensorflow'
    """
    return logging.getLogger("tensorflow")
