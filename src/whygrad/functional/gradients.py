"""Derivatives of functions: `grad`, `value_and_grad`, `jacobian`, `hessian`, `vjp`, `jvp` and `hvp`.

Each records its function on a tape of its own, so rules, explanations and functions that are compiled are those of tapes.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.functional.arguments import Arguments, Named, like, quoted_name, spoken_name
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.ops.primitive import KEPT, RawRecord, outputs_in, record_of
from whygrad.runtime.call_sites import InScope, Scope, is_ours
from whygrad.tape.cotangents import dense
from whygrad.tape.forward import ForwardAccumulator
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.tape.sweep import sweep
from whygrad.values import nest
from whygrad.values.arguments import flag
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.faults import NotADifferentiableResult, NotAScalarResult
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, key_of, wrap
from whygrad.values.variable import Variable

_ZERO = UnconnectedGradients.ZERO


class FunctionTape(GradientTape):
    """The tape of a function that is differentiated by its arguments."""

    explains_zeros = True
    explains_zero_tangents = (
        True  # not where the function takes derivatives: a second one that is zero is most often right
    )

    def __init__(self, named: Named, persistent: bool = False) -> None:
        super().__init__(persistent, watch_accessed_variables=False)
        self.named = named

    def unused_copy(self) -> FunctionTape:
        """A new tape with the same options."""
        copy = FunctionTape(self.named, self._persistent)
        copy.explains_zeros = self.explains_zeros
        return copy

    def differentiated(self, tape: Any, *call: Any) -> None:
        """Another tape computed gradients while this one was recording."""
        super().differentiated(tape, *call)
        if tape is not self:
            self.explains_zero_tangents = False

    def abandon(self) -> None:
        """Stop recording for good, and let go of everything."""
        self._remove()
        self._forget()


class _Last(threading.local):
    """The last tape of a function in this thread, and its sources, for `whygrad.why()`: the program holds neither."""

    tape: FunctionTape | None = None
    sources: tuple[Any, ...] = ()


_last = _Last()
_SMALL = 1 << 14  # bytes of a source that is kept for it


def _remember(tape: FunctionTape, sources: Sequence[Any]) -> None:
    if all(isinstance(each, Tensor) and each._array.nbytes <= _SMALL for each in sources):
        _last.tape, _last.sources = tape, tuple(sources)


class _Recorded:
    """A function that was called with some arguments, and the tape that recorded it."""

    def __init__(
        self,
        arguments: Arguments,
        kwargs: dict[str, Any],
        has_aux: bool,
        persistent: bool = False,
        of: str = "",
        derivative: str = "gradient",
    ) -> None:
        self.arguments = arguments
        function = arguments.named.function
        self.tape = FunctionTape(self.arguments.named._replace(of=of, derivative=derivative), persistent)
        self.tape.explains_zeros = not of  # a second derivative that is zero is most often right
        with self.tape:
            self.tape.watch(self.arguments.sources)
            found = _called(function, self.arguments.args, kwargs)
            self.value: Any = found
            self.aux: Any = None
            if has_aux:
                self.value, self.aux = _with_aux(function, found)
            # While the tape records, so that it knows where a result that is not a tensor left it.
            self.value = nest.map_structure(_as_tensor, self.value)

    def tensors(self) -> list[Any]:
        """The parts of the value, each as a tensor that can be differentiated."""
        return [self._differentiable(each) for each in nest.flatten(self.value)]

    def scalar(self, derivative: str) -> Any:
        """The value as a tensor of one element."""
        if nest.is_nested(self.value):
            raise self._not_differentiable(self.value, f"a {type(self.value).__name__}")
        value = self._differentiable(self.value)
        if value.dtype.is_complex:
            raise self._not_differentiable(value, "complex numbers")
        if np.prod(tuple(value.shape), dtype=int) != 1:
            shape = tuple(value.shape)
            raise OpTypeError(NotAScalarResult(shape=shape, derivative=derivative, **self._whence(value)))
        return value

    def _differentiable(self, value: Any) -> Any:
        if not isinstance(value, Tensor | Variable):
            kind = "None" if value is None else f"a {type(value).__name__}"
            raise self._not_differentiable(value, kind)
        if not value.dtype.is_differentiable:
            raise self._not_differentiable(value, f"a tensor of dtype {value.dtype.name}")
        return value

    def _not_differentiable(self, value: Any, kind: str) -> OpTypeError:
        return OpTypeError(NotADifferentiableResult(value=value, kind=kind, **self._whence(value)))

    def _whence(self, value: Any) -> dict[str, Any]:
        """Where a result was computed, for a fault."""
        function = self.arguments.named.function
        found = None
        if isinstance(value, Tensor):
            key = key_of(value)
            raw = next(
                (raw for raw in reversed(self.tape._records) if any(key is each for each in outputs_in(raw))), None
            )
            if raw is not None:
                record = record_of(raw)
                found = (record.code, record.instruction)
        code = getattr(function, "__code__", None)
        return {"function": quoted_name(function), "made_at": found, "defined_at": code}

    def gradient(self, targets: Any, upstream: Any = None) -> list[Any]:
        """The gradient for each differentiated argument, in its structure."""
        sources = self.arguments.sources
        found = self.tape.gradient(targets, sources, upstream, _ZERO) if sources else []
        _remember(self.tape, sources)
        return self.arguments.packed(found)

    def connected(self, targets: Sequence[Any]) -> set[int]:
        """The positions of the sources to which a gradient comes from at least one target."""
        reached = {key_of(each) for each in targets}
        for raw in reversed(self.tape._records):
            if raw[KEPT] is not None and not reached.isdisjoint(outputs_in(raw)):
                reached.update(record_of(raw).inputs)
        return {i for i, source in enumerate(self.arguments.sources) if not reached.isdisjoint(self.tape._keys(source))}

    def jacobian(self, target: Any) -> list[Any]:
        """The jacobian of one part of the value for each differentiated argument, in its structure."""
        sources = self.arguments.sources
        found = self.tape.jacobian(target, sources, _ZERO) if sources else []
        _remember(self.tape, sources)
        return self.arguments.packed(found)


_MOST_HELD = 1 << 26  # bytes of results whose tape is held beside a forward pass, for its explanation
_RECORD = 1 << 10  # bytes, about, of a record of a small op


class _BesideTape(ForwardAccumulator):
    """An accumulator whose ops are recorded on a tape too, to explain its tangents, as long as they are few and small.

    Forward mode frees each value after its last use, and a tape keeps it: a long loop of large arrays is not recorded to its end.
    """

    explains = False  # `_Forward` does, which knows the function

    def __init__(self, primals: Any, tangents: Any, tape: FunctionTape | None) -> None:
        super().__init__(primals, tangents)
        self.tape = tape  # None: nothing is explained
        self._held = 0  # bytes

    def append(self, raw: RawRecord, /) -> None:
        ForwardAccumulator.append(self, raw)  # called for every op: `super()` takes longer
        if raw[KEPT] is None or self.tape is None:
            return
        held = self._held + _RECORD
        for key in outputs_in(raw):
            held += math.prod(key.shape) * key.dtype.itemsize
        self._held = held
        if held > _MOST_HELD:
            self.tape.abandon()
            self.tape = None


class _Forward:
    """A forward pass of a function, and the tape that explains its tangents where they are inf, nan or zero."""

    def __init__(self, arguments: Arguments, directions: list[Tensor]) -> None:
        self._arguments = arguments
        self._directions = directions
        # A function that is being compiled has no values to look at.
        tape = None if state.context is not None else FunctionTape(arguments.named, persistent=True)
        self.accumulator = _BesideTape(arguments.sources, directions, tape)

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """Follow the ops in this block."""
        for recorder in state.recorders:
            if isinstance(recorder, FunctionTape):
                recorder.explains_zero_tangents = False
        tape = self.accumulator.tape
        # The tape inside: it does not record how tangents are computed.
        with self.accumulator, contextlib.nullcontext() if tape is None else tape:
            if tape is not None:
                tape.watch(self._arguments.sources)
            yield

    def explain(self, values: list[Any], tangents: list[Any]) -> None:
        """Warn of tangents with inf or nan at a finite point, and of those that are all zero in a direction that is not, with the cause.

        The cause is that of the gradient: the tape's, with respect to the arguments that have the same fault.
        """
        tape = self.accumulator.tape
        parts = [
            (value, tangent._array)
            for value, tangent in zip(values, tangents)
            if isinstance(value, Tensor | Variable) and isinstance(tangent, Tensor) and value.dtype.is_differentiable
        ]
        if tape is None or not parts or any(type(array) is not np.ndarray for _, array in parts):
            return
        is_finite = all(np.isfinite(array).all() for _, array in parts)
        if is_finite and any(array.any() for _, array in parts):
            return
        if is_finite and not (tape.explains_zero_tangents and any(array.size for _, array in parts)):
            return
        if not self._is_at_finite_point():
            return
        targets = [value for value, _ in parts]
        # Elements that cancel in a sum, as those of a softmax do, must not look flat.
        upstream = [_uneven(each) for each in targets] if is_finite else None
        recorders, state.recorders = state.recorders, ()  # an outer derivative has nothing to do with the explanation
        try:
            self._explain_by(tape, targets, upstream, is_finite)
        finally:
            state.recorders = recorders

    def _explain_by(self, tape: FunctionTape, targets: list[Any], upstream: Any, is_finite: bool) -> None:
        sources = self._arguments.sources
        cotangents = sweep(
            tape._records,
            tape._seeds(targets, upstream),
            [key for s in sources for key in tape._keys(s)],
            tape.roots,
            True,
            (),
        )
        at_fault = []
        for i, (source, direction) in enumerate(zip(sources, self._directions)):
            found = [dense(cotangents, key) for key in tape._keys(source)]
            arrays = [each._array for each in found if each is not None]
            if not is_finite:
                if not all(np.isfinite(array).all() for array in arrays):
                    at_fault.append(i)
            elif direction._array.any():
                if any(array.any() for array in arrays):
                    return  # the function moves, if not in this direction
                at_fault.append(i)
        if at_fault:
            tape.named = tape.named._replace(paths=tuple(tape.named.paths[i] for i in at_fault))
            asked = [sources[i] for i in at_fault]
            tape.gradient(targets, asked, upstream, _ZERO)
            _remember(tape, asked)

    def _is_at_finite_point(self) -> bool:
        """Whether the arguments and their directions are arrays without inf and nan."""
        values = [each.value_here if isinstance(each, Variable) else each for each in self._arguments.sources]
        arrays = [getattr(each, "_array", None) for each in (*values, *self._directions)]
        return all(type(array) is np.ndarray and np.isfinite(array).all() for array in arrays)


def _uneven(value: Any) -> Tensor:
    """A cotangent whose elements all differ."""
    shape, dtype = tuple(value.shape), value.dtype.numpy_dtype
    return wrap(np.cos(np.arange(1, 1 + math.prod(shape))).reshape(shape).astype(dtype))


@functools.lru_cache(maxsize=256)
def _scope_of_function(name: str) -> Scope:
    """Of `grad(np.sqrt)(x)`: the line of the program calls the gradient, and does not write the op."""
    scope = Scope("", None)
    scope.function = name
    return scope


def _called(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The result of a function, whose ops have the program's line as their call site only if a line of the program computes them."""
    code = getattr(function, "__code__", None)
    # A gradient of this module, as in a hessian, calls the function that it is of in the same way.
    if code is not None and (code.co_filename == __file__ or not is_ours(code.co_filename)):
        return function(*args, **kwargs)
    with InScope(_scope_of_function(spoken_name(function))):
        return function(*args, **kwargs)


def _as_tensor(value: Any) -> Any:
    """A number or array of a result as a tensor."""
    return as_numpy_does(value) if isinstance(value, bool | int | float | complex | np.ndarray | np.generic) else value


def _with_aux(function: Callable[..., Any], found: Any) -> tuple[Any, Any]:
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise OpTypeError(
            f"with has_aux=True, {quoted_name(function)} must return a pair of the value to differentiate and what else it "
            f"computes, but it returns {type(found).__name__}"
        )
    value, aux = found
    return value, aux


class Numbers:
    """`argnums`: the numbers of the arguments to differentiate by, and whether they were given as one."""

    def __init__(self, argnums: Any, function: Any, derivative: str) -> None:
        if not callable(function):
            raise OpTypeError(f"{derivative} takes a function, but it received {function!r}")
        self._derivative, self._function = derivative, function
        self.is_single = isinstance(argnums, int | np.integer) and not isinstance(argnums, bool)
        given = (argnums,) if self.is_single else argnums
        if not isinstance(given, tuple | list) or not all(
            isinstance(each, int | np.integer) and not isinstance(each, bool) for each in given
        ):
            raise OpTypeError(f"{derivative}: argnums must be an integer or a tuple of integers, not {argnums!r}")
        self._numbers = tuple(map(int, given))

    def among(self, args: Sequence[Any]) -> tuple[int, ...]:
        """The numbers, counted from the first of these arguments."""
        found = []
        for number in self._numbers:
            if not -len(args) <= number < len(args):
                raise OpTypeError(
                    f"{self._derivative} differentiates {quoted_name(self._function)} with respect to argument {number}, but it "
                    f"is called with {len(args)} positional argument{'' if len(args) == 1 else 's'}"
                )
            found.append(number % len(args))
        if len(set(found)) != len(found):
            raise OpValueError(f"{self._derivative}: argnums names an argument twice: {self._numbers}")
        return tuple(found)

    def result(self, found: list[Any]) -> Any:
        """What was found for each argument: alone, if one number was given, or as a tuple."""
        return found[0] if self.is_single else tuple(found)


def named_after(function: Callable[..., Any], derived: Callable[..., Any], what: str) -> Callable[..., Any]:
    """A function that was derived from another, under a name that says so."""
    name = spoken_name(function).removeprefix("the ")
    derived.__name__ = derived.__qualname__ = f"{what}({name})"
    derived.__doc__ = f"The {what} of `{name}`.\n\n{getattr(function, '__doc__', None) or ''}".rstrip()
    derived.__signature__ = _signature(function)  # type: ignore[attr-defined]
    return derived


@export("grad")
def grad(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that computes the gradient of `fun`, which returns one number, with respect to the arguments at `argnums`.

    It takes the arguments of `fun`. Those that are differentiated may be nested structures, and the gradient has their structure: arrays
    for arrays and Python floats, tensors for tensors and variables; for several `argnums`, a tuple. With `has_aux`, `fun` returns a pair,
    and the result is the gradient of the first with the second as it is. An argument that the result does not depend on has a gradient
    of zeros, with a warning that says why.

    >>> import numpy as np, whygrad
    >>> def loss(params, x):
    ...     return np.sum((params["w"] * x + params["b"]) ** 2)
    >>> whygrad.grad(loss)({"w": np.array([1.0, 2.0]), "b": 0.5}, np.array([1.0, -1.0]))
    {'w': array([3., 3.]), 'b': np.float64(0.0)}
    >>> whygrad.grad(whygrad.grad(lambda x: x**3))(2.0)
    np.float64(12.0)
    """
    has_aux = flag(has_aux, "has_aux")
    both = value_and_grad(fun, argnums, has_aux, _derivative="grad")

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = both(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return named_after(fun, gradient, "gradient")


@export("value_and_grad")
def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    *,
    _derivative: str = "value_and_grad",
) -> Callable[..., Any]:
    """A function that computes the value of `fun` and its gradient, as a pair: `scipy.optimize.minimize(..., jac=True)` takes it as it is.

    The arguments are those of `grad`. With `has_aux` the result is `((value, aux), gradient)`.

    >>> import whygrad
    >>> whygrad.value_and_grad(lambda x: x**2)(3.0)
    (np.float64(9.0), np.float64(6.0))
    """
    has_aux = flag(has_aux, "has_aux")
    numbers = Numbers(argnums, fun, _derivative)

    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        arguments = Arguments(fun, args, numbers.among(args))
        with arguments.mode():
            recorded = _Recorded(arguments, kwargs, has_aux)
            found = recorded.gradient(recorded.scalar(_derivative))
        value = recorded.arguments.result(recorded.value)
        return ((value, recorded.arguments.result(recorded.aux)) if has_aux else value), numbers.result(found)

    return named_after(fun, value_and_gradient, "value and gradient")


@export("jacobian")
def jacobian(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that computes the jacobian of `fun`: the derivative of each element of its result by each element of an argument.

    A jacobian has the result's shape, followed by the argument's. If `fun` returns a nested structure, each of its parts is replaced by
    the structure of the arguments.

    >>> import numpy as np, whygrad
    >>> whygrad.jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    has_aux = flag(has_aux, "has_aux")
    return _jacobian(fun, Numbers(argnums, fun, "jacobian"), has_aux)


def _jacobian(fun: Callable[..., Any], numbers: Numbers, has_aux: bool, of: str = "") -> Callable[..., Any]:
    def jacobian_of(*args: Any, **kwargs: Any) -> Any:
        arguments = Arguments(fun, args, numbers.among(args))
        with arguments.mode():
            recorded = _Recorded(arguments, kwargs, has_aux, persistent=True, of=of, derivative="jacobian")
            parts = recorded.tensors()
            if len(parts) > 1:  # that one part does not depend on an argument is no finding if another one does
                recorded.tape.spared = recorded.connected(parts)
            found = [numbers.result(recorded.jacobian(each)) for each in parts]
        packed = _packed_as(recorded.value, found)
        return (packed, recorded.arguments.result(recorded.aux)) if has_aux else packed

    return named_after(fun, jacobian_of, "jacobian")


def _packed_as(structure: Any, found: list[Any]) -> Any:
    """Structures in the places of the elements of another one."""
    return nest.pack_sequence_as(structure, found) if nest.is_nested(structure) else found[0]


@export("hessian")
def hessian(fun: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that computes the hessian of `fun`, which returns one number: the jacobian of its gradient.

    For nested arguments it is a structure of structures: `hessian["w"]["b"]` is the derivative by `w` and then by `b`.

    >>> import numpy as np, whygrad
    >>> whygrad.hessian(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    numbers = Numbers(argnums, fun, "hessian")
    has_aux = flag(has_aux, "has_aux")
    first = value_and_grad(fun, argnums, has_aux, _derivative="hessian")

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, found = first(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return named_after(fun, _jacobian(_standing_for(gradient, fun), numbers, has_aux, "gradient"), "hessian")


def _standing_for(derived: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A derivative that explanations call by the name and parameters of its function."""
    derived.__name__ = spoken_name(function)
    derived.__signature__ = _signature(function)  # type: ignore[attr-defined]
    return derived


def _signature(function: Callable[..., Any]) -> Any:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # a builtin
        return None


@export("vjp")
def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """The value of `fun(*primals)`, and a function from a cotangent of the value to those of `primals`, as a tuple.

    The function may be called any number of times: the tape is kept as long as it. With `has_aux` the result is
    `(value, function, aux)`.

    >>> import numpy as np, whygrad
    >>> value, pull_back = whygrad.vjp(lambda x, y: x * y, np.array([1.0, 2.0]), 3.0)
    >>> value
    array([3., 6.])
    >>> pull_back(np.array([1.0, 10.0]))
    (array([ 3., 30.]), np.float64(21.0))
    """
    has_aux = flag(has_aux, "has_aux")
    numbers = Numbers(tuple(range(len(primals))), fun, "vjp")
    arguments = Arguments(fun, primals, numbers.among(primals))
    with arguments.mode():
        recorded = _Recorded(arguments, {}, has_aux, persistent=True)
    targets = recorded.tensors()

    def pull_back(cotangent: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments for one of the value."""
        upstream = like(recorded.value, cotangent, targets, "the cotangent", "the value")
        with arguments.mode():
            return tuple(recorded.gradient(targets, upstream))

    value = arguments.result(recorded.value)
    return (value, pull_back, arguments.result(recorded.aux)) if has_aux else (value, pull_back)


@export("jvp")
def jvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """The value of `fun(*primals)`, and how it moves when `primals` move by `tangents`: forward mode, in one pass.

    With `has_aux` the result is `(value, tangent, aux)`.

    >>> import numpy as np, whygrad
    >>> whygrad.jvp(lambda x: x**2, (np.array([1.0, 2.0]),), (np.array([1.0, 0.5]),))
    (array([1., 4.]), array([2., 2.]))
    """
    has_aux = flag(has_aux, "has_aux")
    _check_pairs("jvp", primals, tangents)
    numbers = Numbers(tuple(range(len(primals))), fun, "jvp")
    arguments = Arguments(fun, primals, numbers.among(primals))
    forward = _Forward(arguments, arguments.directions(tangents))
    with arguments.mode(), forward.recording():
        value = _called(fun, arguments.args, {})
        aux = None
        if has_aux:
            value, aux = _with_aux(fun, value)
        value = nest.map_structure(_as_tensor, value)
    tangent = forward.accumulator.jvp(value, _ZERO)
    forward.explain(nest.flatten(value), nest.flatten(tangent))
    found = arguments.result(value), arguments.result(tangent)
    return (*found, arguments.result(aux)) if has_aux else found


@export("hvp")
def hvp(fun: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """The hessian of `fun` at `primals`, times `tangents`, without the hessian: for each primal, in its structure.

    >>> import numpy as np, whygrad
    >>> whygrad.hvp(lambda x: np.sum(x**3), (np.array([1.0, 2.0]),), (np.array([1.0, 1.0]),))
    (array([ 6., 12.]),)
    """
    _check_pairs("hvp", primals, tangents)
    numbers = Numbers(tuple(range(len(primals))), fun, "hvp")
    first = value_and_grad(fun, tuple(range(len(primals))), _derivative="hvp")
    slope = _standing_for(lambda *args: first(*args)[1], fun)
    arguments = Arguments(slope, primals, numbers.among(primals))
    directions = arguments.directions(tangents)
    with arguments.mode():
        recorded = _Recorded(arguments, {}, False, of="gradient")
        targets = [each for each in nest.flatten(recorded.value) if each is not None]
        return tuple(recorded.gradient(targets, directions))


def _check_pairs(derivative: str, primals: Any, tangents: Any) -> None:
    if not isinstance(primals, tuple | list) or not isinstance(tangents, tuple | list):
        raise OpTypeError(
            f"{derivative} takes primals and tangents as tuples, with one element for each argument of the function; they are "
            f"{type(primals).__name__} and {type(tangents).__name__}"
        )
    if len(primals) != len(tangents):
        raise OpTypeError(f"{derivative} takes a tangent for each primal: there are {len(primals)} and {len(tangents)}")
