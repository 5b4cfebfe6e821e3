"""`tf.test`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whygrad.testing.gradient_checking import compute_gradient
from whygrad.testing.running import gpu_device_name, is_built_with_cuda, is_gpu_available, main

if TYPE_CHECKING:
    from whygrad.testing.test_case import TestCase


def __getattr__(name: str) -> Any:
    if name == "TestCase":  # unittest is loaded when somebody writes tests, not on import
        from whygrad.testing.test_case import TestCase

        return TestCase
    raise AttributeError(f"module 'whygrad.test' has no attribute {name!r}")


__all__ = [
    "compute_gradient",
    "gpu_device_name",
    "is_built_with_cuda",
    "is_gpu_available",
    "main",
]
