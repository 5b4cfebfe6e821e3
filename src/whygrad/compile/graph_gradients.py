"""`tf.gradients` and `tf.hessians`: gradients of what a traced function has computed so far. In eager code they raise."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.tape.gradient_tape import UnconnectedGradients, unconnected_gradients_of
from whygrad.tape.trace_tapes import GraphTape, TapeWanted
from whygrad.values.conversion import convert
from whygrad.values.errors import OpRuntimeError, OpValueError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor


@export("AggregationMethod")
class AggregationMethod:
    """The ways in which `tf.gradients` adds up gradients; a tape always accumulates in the same way.

    >>> import whygrad as tf
    >>> tf.AggregationMethod.DEFAULT
    0
    """

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


@export("gradients")
def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of the sum of `ys` with respect to each of `xs`, inside a `tf.function`; elsewhere use a `GradientTape`.

    `grad_ys` are the upstream gradients of `ys`. The tensors in `stop_gradients` count as constants.

    >>> import whygrad as tf
    >>> @tf.function
    ... def slope(x):
    ...     return tf.gradients(x**3, x)[0]
    >>> slope(tf.constant(2.0)).numpy()
    np.float32(12.0)
    >>> try:
    ...     tf.gradients(tf.constant(1.0), tf.constant(2.0))
    ... except RuntimeError as error:
    ...     print(error)
    tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.
    """
    graph = _graph()
    unconnected = unconnected_gradients_of(unconnected_gradients)
    upstream = None if grad_ys is None else _listed(grad_ys)
    found: list[Any] = graph.gradients(_listed(ys), _listed(xs), upstream, unconnected, _listed(stop_gradients))
    return found


@export("hessians")
def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None, name: str = "hessians"
) -> list[Tensor]:
    """The second derivatives of the sum of `ys` with respect to each of `xs`, inside a `tf.function`.

    Elsewhere use a `GradientTape`: its `jacobian` of another tape's `gradient`.

    >>> import whygrad as tf
    >>> @tf.function
    ... def curvature(x):
    ...     return tf.hessians(tf.reduce_sum(x**3), x)[0]
    >>> curvature(tf.constant([1.0, 2.0])).numpy()
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)
    """
    graph = _graph()
    found = []
    for x in _listed(xs):
        (gradient,) = gradients(ys, x)
        if gradient is None:
            raise OpValueError(
                "None values not supported: tf.hessians differentiates the gradient of `ys`, which do not depend on one of `xs`."
            )
        found.append(graph.jacobian(convert(gradient, None), x, UnconnectedGradients.ZERO))
    return found


def _graph() -> GraphTape:
    """The tape that has recorded the trace so far; without one, the trace is repeated."""
    if state.context is None:
        raise OpRuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead."
        )
    graph = state.context.tapes.get(None)
    if not isinstance(graph, GraphTape):
        raise TapeWanted(None)
    return graph


def _listed(values: Any) -> list[Any]:
    """The values as a list; tensors from outside as those that stand for them in the trace."""
    given = [] if values is None else list(values) if isinstance(values, list | tuple) else [values]
    return [convert(each, None) if isinstance(each, Tensor) else each for each in given]
