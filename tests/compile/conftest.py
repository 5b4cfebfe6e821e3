"""Compiling needs JAX. Where it is missing these tests are skipped, except in CI, where a missing JAX is a failure."""

import os
from pathlib import Path

import pytest

from tests.support.oracles import FileOfSkippedTests, is_missing

# Thousands of small programs are compiled once and run once here: a quick compilation is worth more than a quick program.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

JAX_IS_MISSING = is_missing("jax")


def pytest_pycollect_makemodule(module_path, parent):
    return FileOfSkippedTests.standing_for(module_path, parent, "jax") if JAX_IS_MISSING else None


def pytest_collection_modifyitems(items):
    """Tests here make functions of the same Python that are called once each, which elsewhere is worth a warning."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.filterwarnings("ignore:.*tf.function makes a new:whygrad.RetracingWarning"))
