"""Compares gradients with finite differences, element by element, and describes where they differ."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor, wrap

Array = Any
Function = Callable[..., Any]

# -- jacobians as real matrices: a complex number counts as two real ones, one after the other --


def _as_real(array: Array) -> Array:
    """The elements as one vector of real numbers."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _unit(array: Array, i: int, amount: Any) -> Array:
    """Zeros in the form of `array`, with `amount` as real number `i`."""
    unit = np.zeros(array.shape, array.dtype)
    flat = unit.reshape(-1)
    (flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat)[i] = amount
    return unit


def _result(function: Function, arguments: Sequence[Array]) -> Array:
    return convert(function(*[wrap(a) for a in arguments]), None)._array


def _rows_by_tape(function: Function, arguments: Sequence[Array], rows: Sequence[int]) -> list[Array]:
    """These rows of the jacobian for each argument, by the tape; a row belongs to one real number of the result."""
    tensors = [wrap(a) for a in arguments]
    with GradientTape(persistent=True) as tape:
        tape.watch(tensors)
        y = convert(function(*tensors), None)
    found = []
    for i in rows:
        gradients = tape.gradient(y, tensors, wrap(_unit(y._array, i, 1)), UnconnectedGradients.ZERO)
        found.append([_as_real(convert(gradient, None)._array) for gradient in gradients])
    return [
        np.stack([row[k] for row in found]) if found else np.zeros((0, _as_real(a).size), _as_real(a).dtype)
        for k, a in enumerate(arguments)
    ]


def _column_by_differences(function: Function, arguments: Sequence[Array], k: int, i: int, step: Any) -> Array:
    """Column `i` of the jacobian for argument `k`, by a central difference."""
    ends, places = [], []
    for by in (step, -step):
        moved = arguments[k] + _unit(arguments[k], i, by)
        ends.append(_as_real(_result(function, [*arguments[:k], moved, *arguments[k + 1 :]])))
        places.append(_as_real(moved)[i])
    # Divide by the actual distance, because x + step is rounded; in a narrow dtype the step may vanish altogether.
    distance = places[0] - places[1]
    return (ends[0] - ends[1]) / (distance if distance else 2 * step)


@export("test.compute_gradient")
def compute_gradient(f: Function, x: Any, delta: float | None = None) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """The jacobians of `f` at the arguments `x`: by the tape, and by central differences of `delta` (1/1024 if not given).

    Both are lists with one matrix for each argument: a row for each element of the result, a column for each element of the
    argument. A complex number takes two rows or columns, for its real and its imaginary part.

    >>> import whygrad as tf
    >>> theoretical, numerical = tf.test.compute_gradient(lambda x: x * x, [tf.constant([1.0, 2.0])])
    >>> theoretical[0]
    array([[2., 0.],
           [0., 4.]], dtype=float32)
    """
    if not isinstance(x, list | tuple):
        raise OpValueError(
            f"`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), not a {type(x)}"
        )
    arguments = [convert(each, None)._array for each in x]
    y = _result(f, arguments)
    for array, what in [(a, f"argument {k}") for k, a in enumerate(arguments)] + [(y, "y")]:
        if array.dtype.kind not in "fcV":
            raise AssertionError(f"Cannot compute gradient for unsupported type {array.dtype} of {what}")
    numerical = []
    for k, a in enumerate(arguments):
        dtype = _as_real(a).dtype
        step = dtype.type(1.0 / 1024 if delta is None else delta)
        columns = [_column_by_differences(f, arguments, k, i, step) for i in range(_as_real(a).size)]
        numerical.append(np.stack(columns, axis=1) if columns else np.zeros((_as_real(y).size, 0), dtype))
    return tuple(_rows_by_tape(f, arguments, range(_as_real(y).size))), tuple(numerical)


# -- a check for users --


@export("testing.GradientMismatch")
class GradientMismatch(AssertionError):
    """The gradient of a function differs from finite differences.

    >>> import whygrad as tf
    >>> issubclass(tf.testing.GradientMismatch, AssertionError)
    True
    """


GradientMismatch.__module__ = "whygrad.testing"  # the public name, which tracebacks show

# The tolerance by the dtype of the arguments, relative to the largest element of the jacobian. Central differences with the best
# step have about two thirds of the digits right.
_TOLERANCE = {"float64": 1e-6, "float32": 1e-2, "float16": 1e-1, "bfloat16": 3e-1}


@export("testing.check_gradients", "extend.check_gradients")
def check_gradients(
    function: Function,
    arguments: Sequence[Any],
    *,
    order: int = 1,
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    most: int = 256,
    seed: int = 0,
) -> None:
    """Raise `GradientMismatch` unless the gradients of `function` at `arguments` agree with finite differences.

    Pass float64 arguments if possible: in float32, finite differences reveal only large errors. `order=2` also checks the
    gradients of the gradients. At most `most` elements of each argument and result are checked, chosen at random.

    >>> import whygrad as tf
    >>> @tf.custom_gradient
    ... def square(x):
    ...     return x * x, lambda upstream: upstream * x
    >>> tf.testing.check_gradients(square, [tf.constant([1.0, 3.0], tf.float64)])
    Traceback (most recent call last):
    ...
    whygrad.testing.GradientMismatch: the gradient of `square` for its argument `x` differs from finite differences
      worst of 4 elements: the derivative of result[1] for x[1], where x[1] = 3.0
        the gradient says       3.0
        finite differences say  6.0
      2 of 4 elements are off by more than 7e-06
      help: everywhere the gradient is 0.5 times the finite difference: a factor is missing, or there is one too many
    """
    if not isinstance(arguments, list | tuple):
        raise OpTypeError(f"arguments must be a list or tuple of the arguments of the function, not {type(arguments)}")
    arrays = [convert(each, None)._array for each in arguments]
    for k, array in enumerate(arrays):
        if array.dtype.kind not in "fcV":
            raise OpTypeError(
                f"argument {k} has dtype {array.dtype}, which has no gradient: close over it, as in "
                "check_gradients(lambda x: f(x, indices), [x])"
            )
    names = _names(function, len(arrays))
    checked = _Check(step, rtol, atol, most, np.random.default_rng(seed))
    name = getattr(function, "__name__", type(function).__name__)
    checked.check(function, arrays, names, f"the gradient of `{name}`")
    ordinals = {2: "second", 3: "third"}
    for n in range(2, order + 1):
        function = _gradient_function(function, arrays, checked.random)
        checked.check(function, arrays, names, f"the {ordinals.get(n, f'{n}th')} derivative of `{name}`")


def _names(function: Function, count: int) -> list[str]:
    """The names of the function's parameters, as far as they are known."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return [named[k] if k < len(named) else f"argument {k}" for k in range(count)]


def _differentiable(returned: Any) -> list[Tensor]:
    tensors = [convert(each, None) for each in nest.flatten(returned) if each is not None]
    found = [tensor for tensor in tensors if tensor.dtype.is_differentiable]
    if not found:
        raise OpTypeError("the function returns no floating point tensor: there is nothing to differentiate")
    return found


def _gradient_function(function: Function, arrays: list[Array], random: np.random.Generator) -> Function:
    """The gradients of the function's results, with random weights, as a function of the same arguments."""
    results = _differentiable(function(*[wrap(a) for a in arrays]))
    weights = [wrap(random.normal(size=y._array.shape).astype(y._array.dtype)) for y in results]

    def gradients(*tensors: Tensor) -> list[Tensor]:
        with GradientTape() as tape:
            tape.watch(list(tensors))
            ys = _differentiable(function(*tensors))
        found = tape.gradient(ys, list(tensors), weights, UnconnectedGradients.ZERO)
        return [convert(gradient, None) for gradient in found]

    return gradients


class _Element(NamedTuple):
    """The element at which the gradient and the finite difference differ most."""

    row: int
    column: int
    gradient: float
    measured: float


class _Check:
    """A comparison with its steps and tolerances."""

    def __init__(
        self, step: float | None, rtol: float | None, atol: float | None, most: int, random: np.random.Generator
    ) -> None:
        self.step, self.rtol, self.atol, self.most, self.random = step, rtol, atol, most, random

    def check(self, function: Function, arrays: list[Array], names: list[str], what: str) -> None:
        """Compare all results with all arguments."""
        count = len(_differentiable(function(*[wrap(a) for a in arrays])))
        for n in range(count):

            def one(*tensors: Tensor, n: int = n) -> Tensor:
                return _differentiable(function(*tensors))[n]

            self._check_result(one, arrays, names, what, "result" if count == 1 else f"results[{n}]")

    def _check_result(self, function: Function, arrays: list[Array], names: list[str], what: str, of: str) -> None:
        y = _result(function, arrays)
        rows = self._drawn(_as_real(y).size)
        jacobians = _rows_by_tape(function, arrays, rows)
        for k, (array, name) in enumerate(zip(arrays, names)):
            real = _as_real(array)
            columns = self._drawn(real.size)
            measured = np.zeros((len(rows), len(columns)))
            for at, i in enumerate(columns):
                step = self._step(real, i)
                measured[:, at] = _column_by_differences(function, arrays, k, i, step)[rows]
            gradient = jacobians[k][:, columns].astype(np.float64)
            if not measured.size:
                continue
            allowed = self._allowed(measured, y, real)
            off = ~(np.abs(gradient - measured) <= allowed)  # nan is off
            off &= ~(np.isnan(gradient) & np.isnan(measured))
            if off.any():
                distance = np.where(off, np.abs(gradient - measured), -1.0)
                distance[np.isnan(distance)] = np.inf
                row, column = np.unravel_index(np.argmax(distance), distance.shape)
                worst = _Element(rows[row], columns[column], float(gradient[row, column]), float(measured[row, column]))
                raise GradientMismatch(
                    f"{what} for its argument `{name}` differs from finite differences\n"
                    f"  worst of {off.size} elements: the derivative of {of}{_place(y, worst.row)} for "
                    f"{name}{_place(array, worst.column)}, where {name}{_place(array, worst.column)} = "
                    f"{float(real[worst.column]):.6}\n"
                    f"    the gradient says       {worst.gradient:.6}\n"
                    f"    finite differences say  {worst.measured:.6}\n"
                    f"  {int(off.sum())} of {off.size} elements are off by more than {allowed:.1g}{_help(gradient, measured, allowed)}"
                )

    def _drawn(self, count: int) -> list[int]:
        if count <= self.most:
            return list(range(count))
        return sorted(self.random.choice(count, self.most, replace=False).tolist())

    def _step(self, real: Array, i: int) -> Any:
        """The step that balances the rounding error and the truncation error."""
        step = self.step or float(np.finfo(real.dtype).eps if real.dtype.kind == "f" else 2.0**-8) ** (1 / 3)
        return real.dtype.type(step * (1.0 if self.step else max(1.0, abs(float(real[i])))))

    def _allowed(self, measured: Array, y: Array, real: Array) -> float:
        rtol = _TOLERANCE[real.dtype.name] if self.rtol is None else self.rtol
        finite = np.abs(measured[np.isfinite(measured)])
        atol = self.atol
        if atol is None:  # the rounding error of the results
            atol = rtol * min(1.0, float(np.max(np.abs(y), initial=0.0)))
        return float(atol + rtol * np.max(finite, initial=0.0))


def _place(array: Array, i: int) -> str:
    """The index of real number `i`, such as `[2, 0]`, with `.real` or `.imag` for complex numbers."""
    part = ""
    if array.dtype.kind == "c":
        i, imaginary = divmod(i, 2)
        part = ".imag" if imaginary else ".real"
    index = ", ".join(str(each) for each in np.unravel_index(i, array.shape))
    return (f"[{index}]" if array.ndim else "") + part


def _help(gradient: Array, measured: Array, allowed: float) -> str:
    """The mistake that the pattern of the differences suggests."""
    if not np.isfinite(gradient).all():
        return "\n  help: the gradient is not finite: look for a division by zero, or a log or root at zero"
    if not gradient.any():
        return (
            "\n  help: the gradient is zero everywhere: the path from the argument is cut, by NumPy inside the function, by "
            "stop_gradient, or by a gradient function that returns zeros"
        )
    counts = np.abs(measured) > 10 * allowed
    if counts.any():
        ratios = gradient[counts] / measured[counts]
        if (
            np.ptp(ratios) < 1e-3 * max(1.0, abs(float(ratios.mean())))
            and np.abs(gradient[~counts]).max(initial=0) < 10 * allowed
        ):
            ratio = float(ratios.mean())
            reason = "its sign is wrong" if abs(ratio + 1) < 1e-3 else "a factor is missing, or there is one too many"
            return f"\n  help: everywhere the gradient is {ratio:.6g} times the finite difference: {reason}"
    if gradient.shape == gradient.T.shape and np.abs(gradient - measured.T).max() <= allowed:
        return "\n  help: the gradient is the transpose of the finite differences"
    return ""
