"""`tf.function`: the decorator. Functions run as Python, op by op, like the rest of the program.

TensorFlow runs the Python of a function once for each kind of arguments and keeps what it recorded; numbers that the Python
read on the way (an attribute, a global) are kept with it. Programs that change such a number later get the old one there.
Here they get the new one; recorders are told of the difference, since the program will not do the same on TensorFlow.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from whygrad.tape.captured import ABSENT, Read, same, values_read
from whygrad.values import nest
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

PythonNumber = bool | int | float | complex | str


class Function:
    """A function under `tf.function`: called like the Python function it is made of."""

    def __init__(
        self, python_function: Callable[..., Any], input_signature: Any = None, name: str | None = None
    ) -> None:
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self.input_signature = input_signature
        self._read: list[Read] | None = None  # the Python values that it reads, once its source was looked at
        self._frozen: dict[Any, dict[Read, Any]] = {}  # by kind of arguments: what those values were at the first call

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else functools.partial(self.__call__, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        if not state.recorders or not observers:  # nobody asks
            return self.python_function(*args, **kwargs)
        kind = _kind_of(args, kwargs)
        if kind in self._frozen:
            self._compare_with_first_call(self._frozen[kind], args)
            return self.python_function(*args, **kwargs)
        result = self.python_function(*args, **kwargs)
        # Looked at after the call: what the function itself sets at its first, such as that it is built, is no change.
        self._frozen[kind] = self._values_now(args)
        return result

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Function:
        """The function itself: it is not specialised for its arguments."""
        return self

    def _values_now(self, args: tuple[Any, ...]) -> dict[Read, Any]:
        """The Python values that the function reads, as they are now."""
        if self._read is None:
            self._read = values_read(self.python_function, args)
        return {read: value for read in self._read if (value := read.value(args)) is not ABSENT}

    def _compare_with_first_call(self, first: dict[Read, Any], args: tuple[Any, ...]) -> None:
        """Tell recorders of Python values that have changed since the function was first called with such arguments."""
        for read, value in self._values_now(args).items():
            if read in first and not same(first[read], value):
                for recorder in state.recorders:
                    recorder.python_value_changed(read.text, first[read], value, read.place)


def _kind_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What TensorFlow would record the function anew for: dtypes and shapes of tensors, values of Python arguments."""

    def kind(value: Any) -> Any:
        if isinstance(value, Tensor | Variable | IndexedSlices):
            return type(value).__name__, value.dtype.name, tuple(value.shape)
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            return "array", str(value.dtype), tuple(value.shape)
        return value if isinstance(value, PythonNumber) else id(value)

    return tuple(kind(value) for value in nest.flatten((args, tuple(sorted(kwargs.items())))))


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Decorate a function, as TensorFlow programs do. It runs as Python; a tape around or inside it sees every op.

    >>> import whygrad as tf
    >>> @tf.function
    ... def square(x):
    ...     return x * x
    >>> square(tf.constant(3.0)).numpy()
    np.float32(9.0)
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)
    return Function(func, input_signature)
