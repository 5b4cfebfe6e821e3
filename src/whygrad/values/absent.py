"""Attributes that values do not have, and what to write in their place.

Tracebacks leave out the frames of this module (`view/tracebacks.py`).
"""

from __future__ import annotations

from typing import Any


class Absent:
    """An attribute that tensors do not have, and the message of the error that reading it raises.

    Each is set on the class: a `__getattr__` on Tensor would slow down every attribute of every tensor.
    """

    __slots__ = ("_message", "_name")

    def __init__(self, name: str, message: str) -> None:
        self._name = name
        self._message = message

    def error(self) -> AttributeError:
        # With `obj` given, Python does not append a suggestion of its own to the message.
        return AttributeError(self._message.format(self._name), name=self._name, obj=None)

    def __get__(self, tensor: object, owner: type) -> Any:
        raise self.error()


# What programs write that come from PyTorch, JAX or NumPy, and what to write here.
HABITS = {
    "at": "tf.tensor_scatter_nd_update makes a tensor with other elements",
    "backward": "compute the loss in `with tf.GradientTape() as tape:`, and call tape.gradient(loss, variables)",
    "clone": "tensors never change: use it as it is, or tf.identity",
    "cuda": "tf.device chooses the device",
    "detach": "tf.stop_gradient keeps the value and stops the gradient",
    "grad": "a tape gives gradients: tape.gradient(loss, variables)",
    "item": "float() or .numpy() gives the number",
    "requires_grad": "a tape watches each tf.Variable by itself, and another tensor after tape.watch",
    "requires_grad_": "a tape watches each tf.Variable by itself, and another tensor after tape.watch",
    "to": "tf.device chooses the device, and tf.cast the dtype",
}
# Methods that are functions in TensorFlow.
FUNCTIONS = {
    "abs": "tf.abs", "all": "tf.reduce_all", "any": "tf.reduce_any", "argmax": "tf.argmax", "argmin": "tf.argmin", "cos": "tf.cos",
    "dot": "tf.tensordot", "exp": "tf.exp", "flatten": "tf.reshape", "float": "tf.cast", "int": "tf.cast", "log": "tf.math.log",
    "matmul": "tf.matmul", "max": "tf.reduce_max", "mean": "tf.reduce_mean", "min": "tf.reduce_min", "norm": "tf.norm",
    "permute": "tf.transpose", "pow": "tf.pow", "prod": "tf.reduce_prod", "sin": "tf.sin", "sqrt": "tf.sqrt", "squeeze": "tf.squeeze",
    "std": "tf.math.reduce_std", "sum": "tf.reduce_sum", "tanh": "tf.tanh", "unsqueeze": "tf.expand_dims",
    "var": "tf.math.reduce_variance", "view": "tf.reshape",
}  # fmt: skip


def explain_habits(kind: type) -> None:
    """Let a class of values say what to write in place of attributes that other libraries have."""
    hints = HABITS | {name: f"{function}(x) computes it" for name, function in FUNCTIONS.items()}
    for name, hint in hints.items():
        if not hasattr(kind, name):
            setattr(kind, name, Absent(name, f"'{kind.__name__}' object has no attribute '{{}}': {hint}"))
