"""Keras on whygrad. Where Keras is not installed these tests are skipped, except in CI, where that is a failure."""

import gc
import sys

import pytest

from tests.support.oracles import REQUIRED, FileOfSkippedTests, is_missing


def pytest_pycollect_makemodule(module_path, parent):
    return FileOfSkippedTests.standing_for(module_path, parent, "keras") if is_missing("keras") else None


@pytest.fixture(scope="session")
def keras():
    """Keras on whygrad, as `import keras` gives it after `import whygrad.keras`."""
    if not REQUIRED and "keras" in sys.modules and "whygrad.keras" not in sys.modules:
        pytest.skip("another test imported Keras on TensorFlow")
    import whygrad.keras  # noqa: F401

    # `clear_session` collects garbage before each test: without this it would go through all that was imported, each time.
    gc.collect()
    gc.freeze()
    return sys.modules["keras"]


@pytest.fixture
def seeded(keras):
    """Keras with the same random numbers in every test."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(0)
    return keras
