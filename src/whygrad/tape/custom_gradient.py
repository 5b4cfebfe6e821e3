"""User-defined gradients: custom_gradient, recompute_grad, grad_pass_through."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ParamSpec, TypeVar, overload

from whygrad._public import export
from whygrad.ops.primitive import Primitive, record
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import ActsAsTensor, convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.faults import GradientCount, VariableGradientCount, VariablesNotAccepted
from whygrad.values.recorders import Recorder, state
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable

_P = ParamSpec("_P")
_R = TypeVar("_R")


class VariableWatcher(Recorder):
    """A recorder that notes which trainable variables are read."""

    def __init__(self) -> None:
        super().__init__()
        self.variables: dict[Variable, None] = {}

    def variable_read(self, variable: Variable) -> None:
        """Note the variable."""
        if variable.trainable:
            self.variables.setdefault(variable)

    def __enter__(self) -> VariableWatcher:
        state.recorders = (*state.recorders, self)
        return self

    def __exit__(self, *exception: object) -> None:
        state.recorders = tuple(recorder for recorder in state.recorders if recorder is not self)


@contextlib.contextmanager
def tapes_paused() -> Iterator[None]:
    """Stop all tapes of this thread from recording inside the block; other recorders still observe."""
    before = state.recorders
    state.recorders = tuple(recorder for recorder in before if not recorder.differentiates)
    try:
        yield
    finally:
        state.recorders = before


@overload
def custom_gradient(f: Callable[_P, tuple[_R, Any]]) -> Callable[_P, _R]: ...
@overload
def custom_gradient(f: None = None) -> Callable[[Callable[_P, tuple[_R, Any]]], Callable[_P, _R]]: ...
@export("custom_gradient")
def custom_gradient(f: Any = None) -> Any:
    """Decorate a function that returns `(result, grad)`, so that `grad` is used as its gradient.

    `grad` receives the upstream gradient of each result, and returns a gradient for each argument, of the argument's shape
    and dtype (None where there is none). If the function uses variables, `grad` must accept them as the keyword
    `variables` and return `(argument_gradients, variable_gradients)`.

    >>> import whygrad as tf
    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     def grad(upstream):
    ...         return upstream * (1.0 - 1.0 / (1.0 + e))  # finite even where e overflows
    ...     return tf.math.log(1.0 + e), grad
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(1.0)
    """
    return custom_gradient if f is None else _CustomGradient(f)


class _CustomGradient:
    """A function under `custom_gradient`. As a method it is bound first, so that `self` is not one of its arguments."""

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f)
        self._f = f

    @property
    def __signature__(self) -> inspect.Signature:
        """For `inspect`, which takes an object with `__get__` for a builtin."""
        return inspect.signature(self._f)

    def __get__(self, instance: Any, owner: type) -> _CustomGradient:
        return self if instance is None else _CustomGradient(self._f.__get__(instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with VariableWatcher() as watcher:
            returned = self._f(*args, **kwargs)
        try:
            result, grad_fn = returned
        except (TypeError, ValueError):
            name = getattr(self._f, "__name__", self._f)
            raise OpTypeError(
                f"a function under tf.custom_gradient returns (result, grad), but {name} returned {returned!r}"
            ) from None
        return with_gradient(self._f, args, kwargs, result, grad_fn, watcher)


def with_gradient(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    result: Any,
    grad_fn: Callable[..., Any],
    watcher: VariableWatcher,
) -> Any:
    """`result` as new tensors whose gradient is computed by `grad_fn`."""
    flat_args = nest.flatten(args)
    given = {
        id(item.handle if isinstance(item, ActsAsTensor) else item) for item in (*flat_args, *nest.flatten(kwargs))
    }
    variables = [variable for variable in watcher.variables if id(variable) not in given]
    if variables and not _accepts_variables(grad_fn):
        raise OpTypeError(
            VariablesNotAccepted(
                function=getattr(f, "__name__", "the function"),
                variables=[variable.name for variable in variables],
                parameters=tuple(inspect.signature(grad_fn).parameters),
                arguments=len(flat_args),
            )
        )
    inputs = tuple([convert(_held(item), None) for item in (*flat_args, *variables)])
    # A result may be an unchanged argument, or a tensor computed inside: the gradient belongs to a new tensor.
    results = nest.flatten(result)
    outputs = tuple([wrap(convert(_held(item), None)._array) for item in results])
    composites = {i: item for i, item in enumerate(results) if isinstance(item, TensorLikeComposite)}
    if state.recorders:
        rule = _rule(grad_fn, len(flat_args), variables, inputs, composites)
        primitive = Primitive(
            getattr(f, "__name__", "custom_gradient"),
            _no_forward,
            joint=rule if state.context is None else state.context.rule_of(rule, outputs),
            inputs=["x"],
            takes_tensors=True,
            register=False,
            keeps_plans=False,
        )
        record(primitive, inputs, outputs, {})
    return nest.pack_sequence_as(result, _in_composites(outputs, composites))


def _held(value: Any) -> Any:
    """The tensor that holds the values of a ragged or sparse tensor; any other value itself."""
    return value._held() if isinstance(value, TensorLikeComposite) else value


def _in_composites(tensors: Sequence[Tensor], composites: dict[int, TensorLikeComposite]) -> list[Any]:
    """Some tensors, those at the positions of composites as composites like them."""
    return [composites[i]._with_held(each) if i in composites else each for i, each in enumerate(tensors)]


def _no_forward(xp: Any, *x: Any) -> Any:
    raise OpNotImplementedError("the forward pass of a custom gradient is the user's function")


def _rule(
    grad_fn: Callable[..., Any],
    arguments: int,
    variables: list[Variable],
    inputs: tuple[Tensor, ...],
    composites: dict[int, TensorLikeComposite],
) -> Any:
    """The rule that calls the user's gradient function and checks its result."""
    dtypes = [tensor.dtype for tensor in inputs]

    def custom_gradient_rule(xp: Any, g: tuple[Tensor, ...]) -> list[Tensor | None]:
        variable_gradients: list[Any] = []
        upstream = _in_composites(g, composites)
        if variables:
            returned, variable_gradients = grad_fn(*upstream, variables=variables)
            variable_gradients = nest.flatten(variable_gradients)
            if len(variable_gradients) != len(variables):
                raise OpValueError(VariableGradientCount())
        else:
            returned = grad_fn(*upstream)
        gradients = [_held(each) for each in nest.flatten(returned)]
        if len(gradients) != arguments:
            raise OpValueError(GradientCount(arguments=arguments, returned=len(gradients)))
        return [
            None if gradient is None else _as_tensor(gradient, dtype)
            for gradient, dtype in zip((*gradients, *variable_gradients), dtypes)
        ]

    if hasattr(grad_fn, "push_forward"):  # how the result moves with the arguments, for forward mode
        custom_gradient_rule.push_forward = grad_fn.push_forward  # type: ignore[attr-defined]
    return custom_gradient_rule


def _as_tensor(gradient: Any, dtype: Any) -> Tensor:
    """Convert a gradient that the user returned; numbers and arrays take the dtype of its input."""
    return convert(gradient, None if hasattr(gradient, "dtype") else dtype)


def _accepts_variables(grad_fn: Callable[..., Any]) -> bool:
    parameters = inspect.signature(grad_fn).parameters
    return "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


@export("recompute_grad")
def recompute_grad(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """`f`, without keeping anything for the backward pass: it is computed again when gradients are taken.

    >>> import whygrad as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.recompute_grad(lambda x: tf.sin(x) * x)(x)
    >>> tape.gradient(y, x).numpy().round(4)
    array([1.3818, 0.077 ], dtype=float32)
    """

    @custom_gradient
    @functools.wraps(f)
    def recomputed(*args: _P.args, **kwargs: _P.kwargs) -> tuple[_R, Any]:
        with tapes_paused():
            result = f(*args, **kwargs)

        def grad(*upstream: Tensor, variables: list[Variable] | None = None) -> Any:
            variables = variables or []
            with GradientTape() as tape:
                # Fresh tensors: this tape must not see beyond the arguments.
                arguments = nest.map_structure(_own_tensor, args)
                tape.watch(arguments)
                tape.watch(variables)
                again = f(*arguments, **kwargs)
            flat = nest.flatten(arguments)
            gradients = tape.gradient(again, [*flat, *variables], list(upstream), UnconnectedGradients.ZERO)
            found = nest.pack_sequence_as(args, gradients[: len(flat)])
            return (found, gradients[len(flat) :]) if variables else found

        return result, grad

    functools.update_wrapper(recomputed, f)  # not the function above, which `custom_gradient` wraps
    return recomputed


def _own_tensor(value: Any) -> Tensor:
    from whygrad.ops.shaping import identity

    return identity(value)


@export("grad_pass_through")
def grad_pass_through(f: Callable[_P, _R]) -> Callable[_P, _R]:
    """`f` with the gradient of the identity: the upstream gradient passes unchanged.

    >>> import whygrad as tf
    >>> x = tf.constant([0.2, 1.7])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = tf.grad_pass_through(tf.round)(x) * 3.0
    >>> tape.gradient(y, x).numpy()
    array([3., 3.], dtype=float32)
    """

    @custom_gradient
    @functools.wraps(f)
    def passed_through(*args: _P.args, **kwargs: _P.kwargs) -> tuple[_R, Any]:
        def grad(*upstream: Tensor, variables: list[Variable] | None = None) -> Any:
            return (upstream, [None] * len(variables)) if variables else upstream

        return f(*args, **kwargs), grad

    return passed_through
