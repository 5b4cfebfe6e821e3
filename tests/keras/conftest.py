"""Keras on whygrad, for these tests."""

import pytest

from tests.support.keras import keras, pytest_pycollect_makemodule, seeded  # noqa: F401


def pytest_collection_modifyitems(items):
    """Keras's own warnings, of a gradient that is None for instance, do not end a program."""
    for item in items:
        if "/tests/keras/" in item.path.as_posix():
            item.add_marker(pytest.mark.filterwarnings("ignore::UserWarning:keras"))
            item.add_marker(
                pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept:DeprecationWarning")
            )
