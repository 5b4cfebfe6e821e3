"""The recording engine: it notes what is done with arrays, so that the same can be done again with others.

It takes the place of the XLA engine while a function is traced to be run op by op (`whygrad.compile.replay`), and needs no JAX. A
`SymbolicArray` carries example values, from which the NumPy engine finds shapes and dtypes. Whatever Python does with it is handed to
`state.context.computed_by` as a call that can be repeated.
"""

from __future__ import annotations

import contextlib
import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad.engines import philox
from whygrad.engines.numpy import engine as numpy_engine
from whygrad.engines.philox import Stream
from whygrad.runtime.call_sites import pinned
from whygrad.runtime.error_state import restore, silence
from whygrad.values.recorders import state
from whygrad.values.tensor import as_array, placement

Array = Any
Described = tuple[tuple[int, ...], Any]  # a shape and a dtype

# What NumPy computes in a shape that depends on values.
_SHAPE_FROM_VALUES = {
    *("argwhere", "bincount", "compress", "extract", "flatnonzero", "intersect1d", "nonzero", "setdiff1d", "setxor1d"),
    *(
        "trim_zeros",
        "union1d",
        "unique",
        "unique_all",
        "unique_counts",
        "unique_in_order",
        "unique_inverse",
        "unique_values",
    ),
}


class NoValue(TypeError):
    """Python needs the value of a symbolic array."""


class SymbolicArray:
    """An array in a function that is being traced: a shape, a dtype, and example values until the trace ends."""

    __slots__ = ("dtype", "example", "shape")

    __array_ufunc__ = None  # NumPy's arrays and scalars leave their operators to ours
    __array_priority__ = 1000

    def __init__(self, example: np.ndarray[Any, Any]) -> None:
        self.example: Any = example
        self.shape = example.shape
        self.dtype = example.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for each in self.shape:
            size *= each
        return int(size)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self.size * self.dtype.itemsize)

    @property
    def T(self) -> Any:
        """With the axes in reverse order."""
        return call(_transposed, self)

    @property
    def real(self) -> Any:
        """The real part."""
        return call(np.real, self)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return call(np.imag, self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        for each in index if isinstance(index, tuple) else (index,):
            if isinstance(each, SymbolicArray) and each.dtype.kind == "b":
                raise NoValue("a boolean index selects as many elements as are true")
        return call(operator.getitem, self, index)

    def __getattr__(self, name: str) -> Any:
        method = None if name.startswith("_") else getattr(np.ndarray, name, None)
        if not callable(method):
            raise AttributeError(f"a symbolic array has no {name!r}")

        def record(*args: Any, **kwargs: Any) -> Any:
            return call(Method(name), self, *args, **kwargs)

        return record

    def _no_value(self, *args: Any, **kwargs: Any) -> Any:
        raise NoValue("a symbolic array has no value")

    __array__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = __setitem__ = tolist = item = _no_value
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<symbolic {self.dtype.name} {self.shape}>"


class Method:
    """A method of arrays, by name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, array: Array, *args: Any, **kwargs: Any) -> Any:
        return getattr(array, self.name)(*args, **kwargs)


def _transposed(array: Array) -> Array:
    return array.T


def _operator(function: Callable[..., Any], reflected: bool) -> Callable[..., Any]:
    if reflected:
        return lambda self, other: call(function, other, self)
    return lambda self, other: call(function, self, other)


for _name in [
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
]:
    _function = getattr(operator, f"__{_name}__")
    setattr(SymbolicArray, f"__{_name}__", _operator(_function, reflected=False))
    setattr(SymbolicArray, f"__r{_name}__", _operator(_function, reflected=True))
for _name in ["lt", "le", "gt", "ge", "eq", "ne"]:
    setattr(SymbolicArray, f"__{_name}__", _operator(getattr(operator, _name), reflected=False))
for _name in ["neg", "pos", "abs", "invert"]:
    _function = getattr(operator, _name)
    setattr(SymbolicArray, f"__{_name}__", lambda self, function=_function: call(function, self))


# -- calls that can be repeated --


def fill(value: Any, of_array: Callable[[SymbolicArray], Array]) -> Any:
    """Return a structure of arguments with arrays for its symbolic arrays, and streams for its symbolic streams."""
    if type(value) is SymbolicArray:
        return of_array(value)
    if type(value) is SymbolicStream:
        return philox.stream_of_words(fill(value.state_array, of_array))
    if type(value) in (list, tuple):
        return type(value)([fill(each, of_array) for each in value])
    if type(value) is dict:
        return {name: fill(each, of_array) for name, each in value.items()}
    if type(value) is slice:
        return slice(*[fill(each, of_array) for each in (value.start, value.stop, value.step)])
    return value


def call(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function of arrays on example values, and note the call; its results are symbolic."""
    if getattr(function, "__name__", None) in _SHAPE_FROM_VALUES:
        raise NoValue("the shape of the result depends on values")
    token = silence()
    try:
        made = function(*fill(args, _example_of), **fill(kwargs, _example_of))
    finally:
        restore(token)
    result = symbolic(made)
    state.context.computed_by(function, args, kwargs, result)
    return result


def symbolic(value: Any) -> Any:
    """Return arrays in a result as symbolic arrays."""
    if type(value) in (list, tuple):
        return type(value)([symbolic(each) for each in value])
    # NumPy gives the only element of an array of strings as bytes.
    return SymbolicArray(as_array(value)) if isinstance(value, np.ndarray | np.generic | bytes) else value


def _example_of(array: SymbolicArray) -> Array:
    return blank(array.shape, array.dtype) if array.example is None else array.example


def blank(shape: tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """An array of zeros, or of empty strings."""
    return np.full(shape, b"", dtype) if np.dtype(dtype).kind == "O" else np.zeros(shape, dtype)


class Kernel:
    """A primitive's forward function, or a kernel by name, on the engine that its arrays belong to."""

    def __init__(self, forward: Callable[..., Any] | str) -> None:
        self.forward = forward
        self.__name__ = forward if isinstance(forward, str) else ""

    def on_numpy(self) -> Callable[..., Any]:
        """Return what it calls for NumPy's arrays."""
        if isinstance(self.forward, str):
            found: Callable[..., Any] = _FUNCTIONAL.get(self.forward) or getattr(numpy_engine, self.forward)
            return found
        return functools.partial(self.forward, numpy_engine)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        xp: Any = numpy_engine if state.context is None else _fixed_shapes
        loaded = placement.loaded
        if loaded is not None:
            for each in args:
                if type(each) is not np.ndarray and loaded.owns(each):
                    return loaded.compute(self.forward, args, kwargs)
        if isinstance(self.forward, str):
            function = _FUNCTIONAL.get(self.forward) or getattr(xp, self.forward)
            return function(*args, **kwargs)
        return self.forward(xp, *args, **kwargs)


class _FixedShapes:
    """The NumPy engine for example values, without what gives a shape that depends on them."""

    def __getattr__(self, name: str) -> Any:
        if name in _SHAPE_FROM_VALUES:
            raise NoValue("the shape of the result depends on values")
        return getattr(numpy_engine, name)


_fixed_shapes = _FixedShapes()


class _ShapeOnly:
    """Shape and dtype of an array, for forward functions that need no more."""

    def __init__(self, array: Array) -> None:
        self.shape, self.dtype, self.ndim, self.size = array.shape, array.dtype, array.ndim, array.size

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NoValue("only the shape is known")


# -- kernels that NumPy has in place only --


def _put_slot(x: Array, values: Array, *, index: Any) -> Array:
    out = np.array(x)
    out[index] = values
    return out


def _add_at(x: Array, values: Array, *, index: Any) -> Array:
    out = np.array(x)
    out[index] += values
    return out


def _scattered(x: Array, indices: Array, updates: Array, *, how: str) -> Array:
    out = np.array(x)
    at = tuple([indices[..., i] for i in range(indices.shape[-1])])
    if how == "update":
        out[at] = updates
    elif how == "div" and out.dtype.kind in "iu":  # rounds towards zero
        divisors = np.ones_like(out)
        np.multiply.at(divisors, at, updates)
        out = (np.sign(out) * np.sign(divisors) * (abs(out) // abs(divisors))).astype(out.dtype)
    else:
        names = {"sub": "subtract", "mul": "multiply", "div": "divide", "max": "maximum", "min": "minimum"}
        getattr(np, names.get(how, how)).at(out, at, updates)
    return out


_FUNCTIONAL: dict[str, Callable[..., Any]] = {"put_slot": _put_slot, "add_at": _add_at, "scattered": _scattered}


# -- random numbers --


class SymbolicStream:
    """A stream of random numbers whose state is symbolic, with the methods of a `Stream`."""

    def __init__(self, state_array: Array) -> None:
        self.state_array = state_array

    def state(self) -> Array:
        """Position, low before high, and key: uint64 of shape (3,)."""
        return self.state_array

    def skip(self, blocks: Any) -> SymbolicStream:
        """The same stream, advanced by `blocks`."""
        return SymbolicStream(call(skipped, self, blocks))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(Stream, name):
            raise AttributeError(name)

        def draw(*args: Any) -> Any:
            return call(drawn, self, name, *args)

        return draw


NESTED = (list, tuple, dict, slice, SymbolicStream)  # classes of arguments in which `fill` looks for symbolic arrays


def skipped(stream: Stream, blocks: Any) -> Array:
    """The state of a stream, advanced by `blocks`."""
    return stream.skip(int(blocks)).state()


def drawn(stream: Stream, method: str, *args: Any) -> Array:
    """The numbers that a method of a stream gives."""
    plain = [int(each) if isinstance(each, np.ndarray) and not each.ndim else each for each in args]
    return getattr(stream, method)(*plain)


def state_of_pair(pair: Array) -> Array:
    """The state of the stream of a pair of seeds."""
    return philox.stream_of_pair(*np.asarray(pair).tolist()).state()


# -- the engine --


class _Functions:
    """NumPy's functions in a namespace, each of which notes its calls."""

    def __init__(self, namespace: Any) -> None:
        self._namespace = namespace

    def __getattr__(self, name: str) -> Any:
        function = _FUNCTIONAL.get(name) or getattr(self._namespace, name)
        if not callable(function) or isinstance(function, type):
            return function
        if self._namespace is numpy_engine:
            function = Kernel(name)

        def record(*args: Any, **kwargs: Any) -> Any:
            return call(function, *args, **kwargs)

        return record


class RecordingEngine(_Functions):
    """What forward functions and rules receive as `xp` while a function is traced to be run op by op."""

    has_no_value: tuple[type[Exception], ...] = (NoValue,)

    def __init__(self) -> None:
        super().__init__(numpy_engine)
        self.linalg = _Functions(np.linalg)
        self.fft = _Functions(np.fft)

    def owns(self, array: Any) -> bool:
        """Return whether the array is symbolic, or belongs to the engine of another device."""
        return isinstance(array, SymbolicArray) or (placement.loaded is not None and placement.loaded.owns(array))

    def is_symbolic(self, array: Any) -> bool:
        """Return whether the array is symbolic."""
        return isinstance(array, SymbolicArray)

    def exactly(self) -> contextlib.AbstractContextManager[Any]:
        """NumPy computes with 64-bit numbers as they are."""
        return contextlib.nullcontext()

    def compute(self, forward: Callable[..., Any] | str, arrays: Sequence[Array], attributes: dict[str, Any]) -> Any:
        """Run a primitive's forward function, or a kernel by name. What it takes from shapes alone is known."""
        if callable(forward) and not any(isinstance(each, SymbolicStream) for each in attributes.values()):
            with contextlib.suppress(Exception):  # it needs values
                made = forward(_fixed_shapes, *[_ShapeOnly(each) for each in arrays], **attributes)
                parts = made if type(made) in (list, tuple) else [made]
                if all(isinstance(each, np.ndarray | np.generic) and each.dtype.kind != "O" for each in parts):
                    return made
        return call(Kernel(forward), *arrays, **attributes)

    def put(self, array: Any, layout: Any = None) -> Any:
        """Return the array: it is in main memory."""
        return array

    def lift(self, array: Any) -> Any:
        """Make a known array symbolic."""
        return call(np.asarray, array)

    def fetch(self, array: Any) -> Any:
        """Return the values of an array that is known."""
        return np.asarray(array)

    def is_whole(self, array: Any) -> bool:
        """Return whether the values can be read here: those of a symbolic array cannot."""
        return not isinstance(array, SymbolicArray)

    def stream(self, stream: Any) -> SymbolicStream:
        """Convert a stream to a symbolic one."""
        return stream if isinstance(stream, SymbolicStream) else SymbolicStream(stream.state())

    def stream_of_state(self, words: Array) -> SymbolicStream:
        """The stream of a state: position and key, three 64-bit numbers."""
        return SymbolicStream(words)

    def stream_of_pair(self, pair: Array) -> SymbolicStream:
        """The stream of a pair of seeds."""
        return SymbolicStream(call(state_of_pair, pair))

    def call_python(
        self, function: Callable[..., Sequence[Array]], of: Sequence[Described], *arrays: Array
    ) -> list[Array]:
        """Call `function` with NumPy arrays each time the function runs; its results have these shapes and dtypes."""
        results = [SymbolicArray(np.zeros(shape, dtype)) for shape, dtype in of]
        state.context.computed_by(InPython(function), arrays, {}, results)
        return results


class InPython:
    """A user's function on arrays, which tapes do not record."""

    def __init__(self, function: Callable[..., Sequence[Array]]) -> None:
        self._function = function

    def __call__(self, *arrays: Array) -> list[Array]:
        before = state.recorders, pinned.place
        state.recorders, pinned.place = (), None
        try:
            return [np.asarray(each) for each in self._function(*[np.array(array) for array in arrays])]
        finally:
            state.recorders, pinned.place = before
