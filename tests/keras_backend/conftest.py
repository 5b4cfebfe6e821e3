"""Keras on whygrad, for these tests."""

from tests.support.keras import keras, pytest_pycollect_makemodule, seeded  # noqa: F401
