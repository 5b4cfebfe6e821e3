"""The switches of `tf.compat.v1` that programs for TensorFlow 2 still call: what they switch on is always on here."""

from __future__ import annotations

from typing import Any

from whygrad._public import export


@export("compat.v1.enable_eager_execution")
def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Ops are always computed at once: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_eager_execution()
    """


@export("compat.v1.enable_v2_behavior")
def enable_v2_behavior() -> None:
    """whygrad always behaves as TensorFlow 2: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_v2_behavior()
    """


@export("compat.v1.enable_v2_tensorshape")
def enable_v2_tensorshape() -> None:
    """The sizes in a shape are always Python's integers: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_v2_tensorshape()
    """


@export("compat.v1.enable_tensor_equality")
def enable_tensor_equality() -> None:
    """`==` always compares elements: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_tensor_equality()
    """


@export("compat.v1.enable_resource_variables")
def enable_resource_variables() -> None:
    """Variables always are what TensorFlow calls resource variables: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_resource_variables()
    """


@export("compat.v1.enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """`tf.cond` and `tf.while_loop` are always those of TensorFlow 2: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.enable_control_flow_v2()
    """


@export("compat.v1.resource_variables_enabled", "compat.v1.control_flow_v2_enabled")
def always_enabled() -> bool:
    """True: whygrad has only this form of TensorFlow 2's.

    >>> import whygrad as tf
    >>> tf.compat.v1.resource_variables_enabled(), tf.compat.v1.control_flow_v2_enabled()
    (True, True)
    """
    return True


@export("compat.v1.executing_eagerly_outside_functions")
def executing_eagerly_outside_functions() -> bool:
    """True: outside of functions, ops are always computed at once.

    >>> import whygrad as tf
    >>> tf.compat.v1.executing_eagerly_outside_functions()
    True
    """
    return True


@export("compat.v1.reset_default_graph")
def reset_default_graph() -> None:
    """Programs have no graph: it has no effect.

    >>> import whygrad as tf
    >>> tf.compat.v1.reset_default_graph()
    """
