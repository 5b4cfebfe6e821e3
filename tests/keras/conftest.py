"""Keras on whygrad, for these tests."""

from tests.support.keras import keras, seeded  # noqa: F401
