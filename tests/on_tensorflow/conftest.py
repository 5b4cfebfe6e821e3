"""These tests watch real TensorFlow. Where it is missing they are skipped, except in CI, where that is a failure."""

from tests.conformance.conftest import real_tf

__all__ = ["real_tf"]
