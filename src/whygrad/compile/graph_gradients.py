"""TensorFlow functions that need a graph and raise in eager mode. whygrad has no graphs, so they always raise."""

from __future__ import annotations

from typing import Any, NoReturn

from whygrad._public import export
from whygrad.tape.gradient_tape import UnconnectedGradients
from whygrad.values.errors import OpRuntimeError


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
) -> NoReturn:
    """Not available: there is no graph to differentiate. Record the computation with a `GradientTape` instead.

    >>> import whygrad as tf
    >>> try:
    ...     tf.gradients(tf.constant(1.0), tf.constant(2.0))
    ... except RuntimeError as error:
    ...     print(error)
    tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.
    """
    raise OpRuntimeError("tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.")


@export("hessians")
def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None, name: str = "hessians"
) -> NoReturn:
    """Not available, like `gradients`: compute a Hessian as a tape's `jacobian` of a tape's `gradient`.

    >>> import whygrad as tf
    >>> try:
    ...     tf.hessians(tf.constant(1.0), tf.constant(2.0))
    ... except RuntimeError as error:
    ...     print(error)
    tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.
    """
    gradients(ys, xs)
