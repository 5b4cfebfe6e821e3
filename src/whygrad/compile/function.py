"""`tf.function`: the decorator. A function is traced once for each kind of arguments, and compiled by XLA.

Under `whygrad run` and `whygrad.tracing()`, and where JAX is not installed, a traced function runs op by op instead
(`whygrad.compile.replay`). With `config.run_functions_eagerly` it is not traced: it runs as Python. Tracing freezes the Python numbers
that the function reads (an attribute, a global); while a program is observed, listeners are notified when such a number changes, since
freezing it is rarely intended.
"""

from __future__ import annotations

import copy
import functools
import inspect
import sys
import threading
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from whygrad._public import export
from whygrad.compile import trace_listeners
from whygrad.compile.autograph import features_of
from whygrad.compile.captured import ABSENT, Read, same, values_read
from whygrad.compile.function_type import FunctionType, of_function
from whygrad.engines import loading as xla
from whygrad.runtime.call_sites import is_ours
from whygrad.values import nest
from whygrad.values.errors import OpTypeError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

PythonNumber = bool | int | float | complex | str

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")  # the parameters of a method without `self`
_R = TypeVar("_R")


class _Settings:
    run_eagerly = False  # set by `config.run_functions_eagerly`
    # Classes of arguments that hand over another value at each use, as an iterator does. A function of such an argument runs as Python,
    # and the functions that it calls are compiled.
    stateful: tuple[type, ...] = ()


settings = _Settings()
# Threads that call a function for the first time at the same moment share one set of versions: with one each, a function that creates its
# variable would create several.
_first_call = threading.Lock()


@export("types.experimental.PolymorphicFunction")
class Function(Generic[_P, _R]):
    """A function under `tf.function`: called like the Python function it wraps.

    >>> import whygrad as tf
    >>> isinstance(tf.function(lambda x: x), tf.types.experimental.PolymorphicFunction)
    True
    """

    def __init__(
        self,
        python_function: Callable[_P, _R],
        input_signature: Any = None,
        name: str | None = None,
        jit_compile: bool = False,
        autograph: tuple[str, ...] | None = (),
    ) -> None:
        if not callable(python_function):
            raise OpTypeError(f"{python_function!r} is not a callable object")
        if input_signature is not None:
            _check_signature(input_signature, python_function)
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self.name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._jit_compile = jit_compile  # where it cannot be compiled: an error, rather than a warning
        self._autograph = autograph  # the optional features of AutoGraph; None if the function is never converted
        self._compiled: Any = None  # its `Specializations` for XLA, from the first call on
        self._replayed: Any = None  # and those that run op by op
        self._read: list[Read] | None = None  # the Python values that it reads, once its source is parsed
        self._frozen: dict[Any, dict[Read, Any]] = {}  # by kind of arguments: those values after the first call
        self._repeated = False  # whether listeners know that it was called again

    @overload
    def __get__(self, instance: None, owner: type) -> Function[_P, _R]: ...
    @overload
    def __get__(self: Function[Concatenate[Any, _Q], _R], instance: object, owner: type) -> Method[_Q, _R]: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else Method(self.__call__, instance)

    def __copy__(self) -> Function[_P, _R]:
        return Function(self.python_function, *self._settings)

    @property
    def _settings(self) -> tuple[Any, ...]:
        return self.input_signature, self.name, self._jit_compile, self._autograph

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[_P, _R]:
        """Return a copy that is not compiled yet; a method's copy belongs to the copied object."""
        return Function(copy.deepcopy(self.python_function, memo), *self._settings)

    def __reduce__(self) -> Any:
        """Pickle like a Python function: by its name in its module. Under another name, pickle the Python function."""
        name = str(self.__dict__.get("__qualname__", self.name))
        named: Any = sys.modules.get(self.__dict__.get("__module__", ""))
        for part in name.split("."):
            named = getattr(named, part, None)
        if named is self.python_function:
            return Function, (self.python_function, *self._settings)
        return name

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call the function."""
        compiled = self._compiled
        if (
            compiled is not None
            and (quick := compiled.quick) is not None
            and not (kwargs or observers or settings.run_eagerly or state.recorders)
            and state.context is None
        ):
            try:
                if (result := quick(args)) is not NotImplemented:
                    return result  # type: ignore[no-any-return]
            except Exception as error:
                raise error.with_traceback(_drop_own_frames(error.__traceback__)) from error.__cause__
        if settings.run_eagerly or (settings.stateful and any(isinstance(each, settings.stateful) for each in args)):
            return self.python_function(*args, **kwargs)
        try:
            if observers and state.context is None and _runs_op_by_op():
                return self._observed(args, kwargs)  # type: ignore[no-any-return]
            return (self._compiled or self._specializations)(*args, **kwargs)  # type: ignore[no-any-return]
        except Exception as error:
            raise error.with_traceback(_drop_own_frames(error.__traceback__)) from error.__cause__

    def _observed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function op by op, and notify listeners of Python values that changed since it was traced."""
        if not state.recorders:  # no explanation is wanted in this thread
            return self._op_by_op(*args, **kwargs)
        kind = _kind_of(args, kwargs)
        if kind in self._frozen:
            self._notify_of_repetition(args)
            self._compare_with_first_call(self._frozen[kind], args)
            return self._op_by_op(*args, **kwargs)
        result = self._op_by_op(*args, **kwargs)
        # After the call: values that the function itself sets at its first call, such as a `built` flag, do not count as changes.
        self._frozen[kind] = self._values_now(args)
        return result

    @property
    def _specializations(self) -> Any:
        """The versions that are called when nothing observes the ops: compiled, where JAX is installed."""
        if not xla.is_installed():
            if state.context is None:  # a function inside another one is part of that
                _say_what_xla_gives()
            return self._op_by_op
        if self._compiled is None:
            from whygrad.compile.specialized import Specializations

            xla.engine()
            with _first_call:
                if self._compiled is None:
                    self._compiled = Specializations(
                        self.python_function,
                        self.input_signature,
                        must_compile=self._jit_compile,
                        autograph=self._autograph,
                    )
        return self._compiled

    @property
    def _op_by_op(self) -> Any:
        if self._replayed is None:
            from whygrad.compile.specialized import Replayed, Specializations

            with _first_call:
                if self._replayed is None:
                    self._replayed = Specializations(
                        self.python_function, self.input_signature, Replayed, autograph=self._autograph
                    )
        return self._replayed

    @property
    def _in_use(self) -> list[Any]:
        return [each for each in (self._compiled, self._replayed) if each is not None]

    def experimental_get_tracing_count(self) -> int:
        """Return how many times the function was traced: for each kind of arguments once, or twice where that made variables."""
        return sum(each.traced for each in self._in_use)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """Return the function traced for arguments of the given shapes, dtypes (`TensorSpec`s will do) and Python values."""
        if settings.run_eagerly:
            return self
        from whygrad.compile.concrete import concrete_of

        return concrete_of(self._op_by_op if _runs_op_by_op() else self._specializations, args, kwargs)

    def pretty_printed_concrete_signatures(self) -> str:
        """Return the signatures that the function is traced for so far, as text."""
        from whygrad.compile.concrete import all_of

        return "\n\n".join(concrete.pretty_printed_signature() for each in self._in_use for concrete in all_of(each))

    @property
    def function_type(self) -> FunctionType:
        """The parameters of the function, with the types that `input_signature` gives."""
        return of_function(self.python_function, self.input_signature)

    def _values_now(self, args: tuple[Any, ...]) -> dict[Read, Any]:
        """Return the current Python values that the function reads."""
        if self._read is None:
            python = self.python_function  # not through `self`, which holds what this makes
            self._read = values_read(lambda: python, args)
        return {read: value for read in self._read if (value := read.value(args)) is not ABSENT}

    def _notify_of_repetition(self, args: tuple[Any, ...]) -> None:
        """Notify listeners, once, that a call does not run the Python function."""
        if not self._repeated:
            self._repeated = True
            python: Any = self.python_function
            given = args
            while isinstance(python, functools.partial):
                python, given = python.func, (*python.args, *given)
            for listener in trace_listeners.repeated_call_listeners:
                listener(trace_listeners.RepeatedCall(str(self.name), python, given))

    def _compare_with_first_call(self, first: dict[Read, Any], args: tuple[Any, ...]) -> None:
        """Notify listeners of Python values that changed since the first call with such arguments."""
        for read, value in self._values_now(args).items():
            if read in first and not same(first[read], value):
                for listener in trace_listeners.changed_value_listeners:
                    listener(trace_listeners.ChangedValue(read.text, first[read], value, read.place))


def _check_signature(input_signature: Any, python_function: Callable[..., Any]) -> None:
    """Raise unless the signature describes the function's parameters."""
    if not isinstance(input_signature, list | tuple):
        raise OpTypeError(f"input_signature must be either a tuple or a list, got {type(input_signature)}.")
    for spec in nest.flatten(input_signature):
        if not hasattr(spec, "is_compatible_with"):
            raise OpTypeError(
                f"input_signature must be a possibly nested sequence of TensorSpec objects, got {spec!r} in {input_signature}"
            )
    parameters = list(inspect.signature(python_function).parameters.values())
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    extra = len(input_signature) - len(positional)
    if extra > 0 and not any(each.kind is each.VAR_POSITIONAL for each in parameters):
        raise OpTypeError(f"input_signature contains {extra} extra type constraints.")
    for missing in positional[len(input_signature) :]:
        if missing.default is missing.empty:
            raise OpTypeError(f"input_signature missing type constraint for {missing.name}")


class Method(functools.partial[_R], Generic[_Q, _R]):
    """A `Function` bound to an object as its method."""

    if TYPE_CHECKING:

        def __call__(self, *args: _Q.args, **kwargs: _Q.kwargs) -> _R: ...

    @property
    def _function(self) -> Any:
        return self.func.__self__  # type: ignore[attr-defined]

    @property
    def input_signature(self) -> Any:
        """The signature that it was declared with, or None."""
        return self._function.input_signature

    @property
    def python_function(self) -> Any:
        """The Python method that it wraps."""
        return self._function.python_function.__get__(self.args[0])

    def experimental_get_tracing_count(self) -> int:
        """Return how many times it was traced for this object."""
        return sum(each.traced_for(self.args[0]) for each in self._function._in_use)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """Return the function compiled for this object and the given arguments."""
        if settings.run_eagerly:
            return self
        if not args and not kwargs:
            args = tuple(self._function.input_signature or ())
        return self._function.get_concrete_function(*self.args, *args, **kwargs)

    def pretty_printed_concrete_signatures(self) -> str:
        """Return the signatures for all objects, as text."""
        return str(self._function.pretty_printed_concrete_signatures())

    @property
    def function_type(self) -> FunctionType:
        """The parameters of the method."""
        return of_function(self._function.python_function, self._function.input_signature)


def _runs_op_by_op() -> bool:
    """Return whether something observes the ops inside functions."""
    return any(observer.looks_inside_functions for observer in observers)


class _Said:
    without_xla = False


_said = _Said()


def _say_what_xla_gives() -> None:
    """Warn once that functions run op by op because JAX is missing."""
    if not _said.without_xla:
        _said.without_xla = True
        text = (
            "JAX is not installed: tf.function traces the function and then runs it op by op with NumPy. "
            "pip install 'whygrad[xla]' compiles it with XLA"
        )
        warnings.warn(text, UserWarning, stacklevel=4)


def _drop_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Drop our own frames before the first frame of the traced Python function."""
    inside = trace
    while inside is not None and is_ours(inside.tb_frame.f_code.co_filename):
        inside = inside.tb_next
    return trace if inside is None else inside


def _kind_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return what TensorFlow retraces for: dtypes and shapes of tensors, values of Python arguments."""

    def kind(value: Any) -> Any:
        if isinstance(value, Tensor | Variable | IndexedSlices):
            return type(value).__name__, value.dtype.name, tuple(value.shape)
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            return "array", str(value.dtype), tuple(value.shape)
        return value if isinstance(value, PythonNumber) else id(value)

    return tuple(kind(value) for value in nest.flatten((args, tuple(sorted(kwargs.items())))))


@overload
def function(
    func: Callable[_P, _R],
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
) -> Function[_P, _R]: ...
@overload
def function(
    func: None = None,
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
) -> Callable[[Callable[_P, _R]], Function[_P, _R]]: ...
@export("function")
def function(
    func: Any = None,
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

    It is traced at the first call with each combination of shapes, dtypes and Python values of its arguments.

    >>> import whygrad as tf
    >>> @tf.function
    ... def square(x):
    ...     return x * x
    >>> square(tf.constant(3.0)).numpy()
    np.float32(9.0)

    Python's `if`, `while`, `for`, `and`, ... that a tensor decides become part of it (AutoGraph, which needs
    `pip install 'whygrad[scripts]'`), unless `autograph=False`.

    A function that XLA cannot compile, because a shape depends on values, runs as Python, with a warning that names the line. With
    `jit_compile=True` it is an error.
    """
    must_compile = bool(jit_compile or experimental_compile)
    if func is None:
        return functools.partial(
            function,
            input_signature=input_signature,
            autograph=autograph,
            jit_compile=must_compile,
            experimental_autograph_options=experimental_autograph_options,
        )
    features = features_of(experimental_autograph_options) if autograph else None
    return Function(func, input_signature, jit_compile=must_compile, autograph=features)
