"""These tests watch real TensorFlow. Where it is missing they are skipped, except in CI, where that is a failure."""

from tests.conformance.conftest import no_caching_device, pytest_pycollect_makemodule, real_tf

__all__ = ["no_caching_device", "pytest_pycollect_makemodule", "real_tf"]
