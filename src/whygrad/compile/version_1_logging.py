"""`tf.compat.v1.logging`: the logger of `tf.get_logger` under the names of TensorFlow 1."""

from __future__ import annotations

import logging
from typing import Any

from whygrad._public import export
from whygrad.ops.scopes import get_logger

DEBUG = export("compat.v1.logging.DEBUG")(logging.DEBUG)
INFO = export("compat.v1.logging.INFO")(logging.INFO)
WARN = export("compat.v1.logging.WARN")(logging.WARNING)
ERROR = export("compat.v1.logging.ERROR")(logging.ERROR)
FATAL = export("compat.v1.logging.FATAL")(logging.CRITICAL)


@export("compat.v1.logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Show messages of this level and above.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    >>> tf.compat.v1.logging.get_verbosity()
    40
    >>> tf.compat.v1.logging.set_verbosity(0)
    """
    get_logger().setLevel(v)


@export("compat.v1.logging.get_verbosity")
def get_verbosity() -> int:
    """The level from which messages are shown.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.get_verbosity() >= 0
    True
    """
    return get_logger().getEffectiveLevel()


@export("compat.v1.logging.log")
def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a message at a level.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.log(tf.compat.v1.logging.DEBUG, "step %d", 3)
    """
    get_logger().log(level, msg, *args, **kwargs)


@export("compat.v1.logging.debug")
def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a message for debugging.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.debug("step %d", 3)
    """
    get_logger().debug(msg, *args, **kwargs)


@export("compat.v1.logging.info")
def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log what a program does.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.info("step %d", 3)
    """
    get_logger().info(msg, *args, **kwargs)


@export("compat.v1.logging.warning", "compat.v1.logging.warn")
def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a warning.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
    >>> tf.compat.v1.logging.warning("the loss grows")
    >>> tf.compat.v1.logging.set_verbosity(0)
    """
    get_logger().warning(msg, *args, **kwargs)


@export("compat.v1.logging.error")
def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log an error.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.FATAL)
    >>> tf.compat.v1.logging.error("no file")
    >>> tf.compat.v1.logging.set_verbosity(0)
    """
    get_logger().error(msg, *args, **kwargs)


@export("compat.v1.logging.fatal")
def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log an error that ends the program, which the caller ends.

    >>> import whygrad as tf
    >>> tf.compat.v1.logging.set_verbosity(100)
    >>> tf.compat.v1.logging.fatal("no memory")
    >>> tf.compat.v1.logging.set_verbosity(0)
    """
    get_logger().critical(msg, *args, **kwargs)
