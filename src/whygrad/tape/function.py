"""`tf.function`: the decorator. A function is traced once for each kind of arguments, and compiled by XLA.

Where explanations are wanted (`whygrad run`, `whygrad.tracing()`), and where `config.run_functions_eagerly` says so, a function
runs as Python, op by op, like the rest of the program. Numbers that the Python reads on the way (an attribute, a global) are
frozen when it is compiled; there recorders are told of such numbers that change, since that is rarely what was meant.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import TracebackType
from typing import Any

from whygrad.engines import loading as xla
from whygrad.tape.captured import ABSENT, Read, same, values_read
from whygrad.values import nest
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import is_ours, observers, state
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

PythonNumber = bool | int | float | complex | str


class _Settings:
    run_eagerly = False  # set by `config.run_functions_eagerly`


settings = _Settings()


class Function:
    """A function under `tf.function`: called like the Python function it is made of."""

    def __init__(
        self, python_function: Callable[..., Any], input_signature: Any = None, name: str | None = None
    ) -> None:
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self.input_signature = input_signature
        self._compiled: Any = None  # what compiles it and calls it, from the first call on
        self._read: list[Read] | None = None  # the Python values that it reads, once its source was looked at
        self._frozen: dict[Any, dict[Read, Any]] = {}  # by kind of arguments: what those values were at the first call

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else functools.partial(self.__call__, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        if (not observers and not settings.run_eagerly) or not _as_python():
            try:
                return self._specializations(*args, **kwargs)
            except Exception as error:
                raise error.with_traceback(_from_the_users_on(error.__traceback__)) from error.__cause__
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

    @property
    def _specializations(self) -> Any:
        if self._compiled is None:
            from whygrad.tape.specialized import Specializations  # loads JAX, which nobody should wait for in vain

            self._compiled = Specializations(self.python_function, self.input_signature)
        return self._compiled

    def experimental_get_tracing_count(self) -> int:
        """How many times the function was traced: once for each kind of arguments."""
        return 0 if self._compiled is None else self._compiled.traced

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """The function compiled for arguments of the given shapes, dtypes (`TensorSpec`s will do) and Python values."""
        return self if _as_python() else self._specializations.concrete(*args, **kwargs)

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


def _as_python() -> bool:
    """Whether functions run as Python now, op by op."""
    return settings.run_eagerly or any(observer.looks_inside_functions for observer in observers)


def _from_the_users_on(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of ours that stand before the first one of the Python function that is traced."""
    inside = trace
    while inside is not None and is_ours(inside.tb_frame.f_code.co_filename):
        inside = inside.tb_next
    return trace if inside is None else inside


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
    """Compile a function with XLA: its forward pass, tapes inside it and updates of variables become one executable.

    It is traced when it is first called with arguments of some shapes and dtypes, and of some Python values.

    >>> import whygrad as tf
    >>> tf.config.run_functions_eagerly(True)  # as plain Python: without this line it takes `pip install 'whygrad[xla]'`
    >>> @tf.function
    ... def square(x):
    ...     return x * x
    >>> square(tf.constant(3.0)).numpy()
    np.float32(9.0)
    >>> tf.config.run_functions_eagerly(False)
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)
    if not _as_python():
        xla.require()
    return Function(func, input_signature)
