"""Values that leave TensorFlow for NumPy or Python, and those that enter it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.shadows import shadow_of
from whygrad.values import nest

# NumPy's functions that make an array of anything. Numba compiles calls of them by their identity: beside Numba they stay as they are.
ARRAYS = ("array", "asarray", "asanyarray", "ascontiguousarray")
# The methods of an eager tensor that give its value to NumPy or Python.
EXITS = ("numpy", "__array__", "__float__", "__int__", "__bool__", "__complex__", "__index__", "__format__")


class Exits:
    """Notes where values leave and enter."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    @property
    def in_numpy(self) -> Callable[..., Any]:
        """What NumPy calls when one of its functions gets a tensor: it computes as if there were nothing to call."""

        def in_numpy(tensor: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
            if not self._observer.busy.depth:
                with self._observer.observing("NumPy"):
                    for each in nest.flatten([args, kwargs]):
                        self._observer.notify_of_exit(each)
            with self._observer.inside_tensorflow():
                return function._implementation(*args, **kwargs)

        return in_numpy

    def constant_made(self, original: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Note the line that makes a tensor of an array or a list: no op does that. A number is made one where it is used."""
        tensor = original(value, *args, **kwargs)
        if isinstance(value, np.ndarray | list | tuple) and not self._observer.busy.depth:
            with self._observer.observing("tf.constant"):
                shadow_of(tensor)
        return tensor

    def array_made(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """NumPy makes an array from a value. It reads a tensor's memory without calling the tensor."""
        if args and type(args[0]) is self._observer.found.tensor_class and not self._observer.busy.depth:
            with self._observer.observing("NumPy"):
                self._observer.notify_of_exit(args[0])
        return original(*args, **kwargs)

    def left(self, original: Any, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        """A tensor gives its value to NumPy or Python."""
        if not self._observer.busy.depth:
            with self._observer.observing("EagerTensor.numpy"):
                self._observer.notify_of_exit(tensor)
        with self._observer.inside_tensorflow():  # some of these methods call each other
            return original(tensor, *args, **kwargs)
