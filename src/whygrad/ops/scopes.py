"""Scopes and queries for graphs, accepted in eager mode so that programs that use them run."""

from __future__ import annotations

import contextlib
import logging
import re
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines import loading as xla
from whygrad.ops.arguments import items
from whygrad.runtime.call_sites import users_site
from whygrad.values.errors import OpValueError, invalid
from whygrad.values.names import scopes
from whygrad.values.recorders import left_function, state
from whygrad.values.tensor import Tensor, placement, wrap
from whygrad.values.variable import Variable


@export("name_scope")
class name_scope(contextlib.ContextDecorator):
    """A prefix for the names of variables created inside it.

    >>> import whygrad as tf
    >>> with tf.name_scope("layer") as scope:
    ...     print(scope, tf.get_current_name_scope(), tf.Variable(1.0, name="weight").name)
    layer/ layer layer/weight:0
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise OpValueError("name for name_scope must be a string.")
        self._name = name
        self._outer: list[str] = []

    @property
    def name(self) -> str:
        """The name it was created with."""
        return self._name

    def __enter__(self) -> str:
        outer = scopes.prefix
        self._outer.append(outer)
        if not self._name or self._name.endswith("/"):  # the outermost scope, or an absolute name
            scopes.prefix = self._name
        else:
            scopes.prefix = f"{outer}{self._name}/"
        return scopes.prefix

    def __exit__(self, *exception: Any) -> None:
        scopes.prefix = self._outer.pop()


@export("get_current_name_scope")
def get_current_name_scope() -> str:
    """The names of the open `name_scope`s, joined by slashes.

    >>> import whygrad as tf
    >>> tf.get_current_name_scope()
    ''
    """
    return scopes.prefix.rstrip("/")


_DEVICE_PARTS = ("job", "replica", "task", "device", "cpu", "gpu", "tpu", "xla_cpu", "xla_gpu")


@export("device")
@contextlib.contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Create constants and variables on this device, and compile functions for it, inside the block.

    Devices other than the CPU are JAX's (`whygrad[xla]`); `tf.config.list_physical_devices` lists them. If the device does not exist,
    values stay where they are, unless `tf.config.set_soft_device_placement(False)` makes that an error.

    >>> import whygrad as tf
    >>> with tf.device("/CPU:0"):
    ...     x = tf.constant(1.0)
    >>> x.device
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """
    if isinstance(device_name, str):
        for part in filter(None, device_name.split("/")):
            if part.split(":")[0].lower() not in _DEVICE_PARTS:
                raise OpValueError(
                    f"Unknown attribute '{part.split(':')[0]}' is encountered while parsing the device spec: "
                    f"'{device_name}'."
                )
    before = state.device
    state.device = before if device_name is None else _device_named(device_name)
    try:
        yield
    finally:
        state.device = before


def kind_and_number(device_name: Any) -> tuple[str, int]:
    """Split a device name: "gpu" and 1 for "/GPU:1"."""
    name = str(getattr(device_name, "name", device_name)).lower()
    found = re.search(r"(cpu|gpu|tpu|cuda)(?::(\d+|\*))?$", name)
    kind = found[1].replace("cuda", "gpu") if found else "cpu"
    return kind, int(found[2]) if found and found[2] not in (None, "*") else 0


def _device_named(device_name: Any) -> Any:
    """The XLA engine's device of that name; None for NumPy."""
    kind, number = kind_and_number(device_name)
    if kind == "cpu" and (placement.loaded is None or (number == 0 and placement.loaded.host_is_default())):
        return None
    devices = (
        [each for each_kind, each in xla.engine().devices() if each_kind.lower() == kind] if xla.is_installed() else []
    )
    if number < len(devices):
        return devices[number]
    if soft_placement.allowed:
        return None
    raise invalid(f"{device_name} is not among the devices: {kind.upper()} number {number} of {len(devices)}")


class SoftPlacement:
    """Whether values stay where they are if the requested device does not exist."""

    allowed = True


soft_placement = SoftPlacement()


@export("config.get_soft_device_placement")
def get_soft_device_placement() -> bool:
    """Return the value set by `set_soft_device_placement`.

    >>> import whygrad as tf
    >>> tf.config.get_soft_device_placement()
    True
    """
    return soft_placement.allowed


@export("config.set_soft_device_placement")
def set_soft_device_placement(enabled: bool) -> None:
    """Set whether values stay where they are if `tf.device` names a device that does not exist; otherwise that is an error.

    >>> import whygrad as tf
    >>> tf.config.set_soft_device_placement(True)
    """
    soft_placement.allowed = bool(enabled)


@export("control_dependencies")
def control_dependencies(control_inputs: Any) -> contextlib.AbstractContextManager[None]:
    """Accepted and ignored: ops run in program order. A callable is called.

    >>> import whygrad as tf
    >>> with tf.control_dependencies([tf.debugging.assert_positive(1.0)]):
    ...     x = tf.constant(1.0)
    """
    if callable(control_inputs):
        control_inputs()
    elif control_inputs is not None:
        for control_input in control_inputs:
            if callable(control_input):
                control_input()
    return contextlib.nullcontext()


@export("init_scope")
def init_scope() -> contextlib.AbstractContextManager[None]:
    """Leave the function that is being compiled, and pause tapes: inside the block ops run at once, on values.

    A variable that is assigned there keeps its value.

    >>> import whygrad as tf
    >>> @tf.function
    ... def f(x):
    ...     with tf.init_scope():
    ...         print(tf.executing_eagerly())
    ...     return x
    >>> y = f(tf.constant(1.0))
    True
    """
    return left_function(users_site())


@export("executing_eagerly", "compat.v1.executing_eagerly")
def executing_eagerly() -> bool:
    """Return whether ops run at once: not while a function is being compiled.

    >>> import whygrad as tf
    >>> tf.executing_eagerly()
    True
    """
    return state.context is None


@export("inside_function")
def inside_function() -> bool:
    """Return whether a function is being compiled.

    >>> import whygrad as tf
    >>> tf.inside_function()
    False
    """
    return state.context is not None


@export("no_op")
def no_op(name: str | None = None) -> None:
    """Do nothing.

    >>> import whygrad as tf
    >>> tf.no_op()
    """


@export("group")
def group(*inputs: Any, **kwargs: Any) -> None:
    """Do nothing: the grouped ops have already run.

    >>> import whygrad as tf
    >>> v = tf.Variable(1.0)
    >>> tf.group(v.assign(2.0), v.assign_add(1.0))
    """
    return no_op()


@export("tuple")
def tuple_(tensors: Any, control_inputs: Any = None, name: str | None = None) -> list[Any]:
    """Return the tensors as a list: they have already been computed.

    >>> import whygrad as tf
    >>> [t.numpy() for t in tf.tuple([tf.constant(1.0), tf.constant(2.0)])]
    [np.float32(1.0), np.float32(2.0)]
    """
    return items(tensors, "tensors")


@export("get_static_value")
def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value as an array; None for a variable, whose value may change; other values are returned unchanged.

    >>> import whygrad as tf
    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    if isinstance(tensor, Variable):
        return None
    return tensor.numpy() if isinstance(tensor, Tensor) else tensor


@export("timestamp")
def timestamp(name: str | None = None) -> Tensor:
    """The time in seconds since 1970, as a float64 tensor.

    >>> import whygrad as tf
    >>> tf.timestamp().dtype
    tf.float64
    """
    return wrap(np.asarray(time.time()))


@export("get_logger")
def get_logger() -> logging.Logger:
    """The logger of this library, under TensorFlow's name.

    >>> import whygrad as tf
    >>> tf.get_logger().name
    'tensorflow'
    """
    return logging.getLogger("tensorflow")
