"""What TensorFlow offers for graphs only, and refuses in eager mode: here everything is eager."""

from __future__ import annotations

from typing import Any, NoReturn

from whygrad.tape.gradient_tape import UnconnectedGradients
from whygrad.values.errors import OpRuntimeError


class AggregationMethod:
    """The ways in which `tf.gradients` adds up gradients; a tape has one of its own.

    >>> import whygrad as tf
    >>> tf.AggregationMethod.DEFAULT
    0
    """

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


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
    """Not available: there is no graph to differentiate. A `GradientTape` records what is to be differentiated.

    >>> import whygrad as tf
    >>> try:
    ...     tf.gradients(tf.constant(1.0), tf.constant(2.0))
    ... except RuntimeError as error:
    ...     print(error)
    tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.
    """
    raise OpRuntimeError("tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.")


def hessians(
    ys: Any, xs: Any, gate_gradients: bool = False, aggregation_method: Any = None, name: str = "hessians"
) -> NoReturn:
    """Not available, as `gradients`: a tape's `jacobian` of a tape's `gradient` is the Hessian.

    >>> import whygrad as tf
    >>> try:
    ...     tf.hessians(tf.constant(1.0), tf.constant(2.0))
    ... except RuntimeError as error:
    ...     print(error)
    tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape instead.
    """
    gradients(ys, xs)
