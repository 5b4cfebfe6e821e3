"""Runs the tests of a program, and tells tests about the GPUs of the machine."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.engines.devices import list_physical_devices


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
