"""Runs the tests of a program, and says which GPUs the machine has."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from typing import Any, TypeVar, cast

from whygrad._public import export
from whygrad.engines.devices import list_physical_devices

_Test = TypeVar("_Test", bound=Callable[..., Any])


@export("test.main")
def main(argv: Any = None) -> None:
    """Run the tests of this program, like `unittest.main`. Call it at the end of a test file.

    >>> import whygrad as tf
    >>> if __name__ == "__main__":
    ...     tf.test.main()
    """
    import unittest

    unittest.main(argv=argv)


@export("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether there is a GPU to compile for.

    >>> import whygrad as tf
    >>> tf.test.is_gpu_available() == bool(tf.config.list_physical_devices("GPU"))
    True
    """
    return bool(list_physical_devices("GPU"))


@export("test.is_built_with_cuda")
def is_built_with_cuda() -> bool:
    """Always False.

    >>> import whygrad as tf
    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


@export("test.gpu_device_name")
def gpu_device_name() -> str:
    """The name of the first GPU; empty where there is none.

    >>> import whygrad as tf
    >>> tf.test.gpu_device_name() in ("", "/device:GPU:0")
    True
    """
    return "/device:GPU:0" if is_gpu_available() else ""


@export("test.is_built_with_gpu_support", "test.is_built_with_rocm")
def is_built_with_gpu_support() -> bool:
    """Always False: GPUs are used through JAX.

    >>> import whygrad as tf
    >>> tf.test.is_built_with_gpu_support(), tf.test.is_built_with_rocm()
    (False, False)
    """
    return False


@export("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """Whether functions are compiled by XLA: JAX is installed.

    >>> import whygrad as tf
    >>> tf.test.is_built_with_xla() in (True, False)
    True
    """
    return importlib.util.find_spec("jax") is not None


@export("test.disable_with_predicate")
def disable_with_predicate(pred: Callable[[], bool], skip_message: str) -> Callable[[_Test], _Test]:
    """Skip a test of a `tf.test.TestCase` where `pred()` is true when the test starts.

    >>> import whygrad as tf
    >>> class Tests(tf.test.TestCase):
    ...     @tf.test.disable_with_predicate(tf.test.is_built_with_cuda, "not with CUDA")
    ...     def test_sum(self):
    ...         self.assertEqual(1 + 1, 2)
    """

    def decorator(test: _Test) -> _Test:
        @functools.wraps(test)
        def skipping(self: Any, *args: Any, **kwargs: Any) -> Any:
            if pred():
                self.skipTest(skip_message)
            return test(self, *args, **kwargs)

        return cast(_Test, skipping)

    return decorator
