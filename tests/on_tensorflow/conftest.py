"""These tests watch real TensorFlow. Where it is missing they are skipped, except in CI, where that is a failure."""

from tests.conformance.conftest import pytest_pycollect_makemodule, real_tf

__all__ = ["pytest_pycollect_makemodule", "real_tf"]
