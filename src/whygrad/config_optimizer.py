"""`tf.config.optimizer`."""

from whygrad.compile.configuration import get_experimental_options, get_jit, set_experimental_options, set_jit

__all__ = [
    "get_experimental_options",
    "get_jit",
    "set_experimental_options",
    "set_jit",
]
