"""Compiling needs JAX. Where it is missing these tests are skipped, except in CI, where a missing JAX is a failure."""

import importlib.util
import os
from pathlib import Path

import pytest

# Thousands of small programs are compiled once and run once here: a quick compilation is worth more than a quick program.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

INSTALLED = importlib.util.find_spec("jax") is not None

if os.environ.get("WHYGRAD_REQUIRE_ORACLES") == "1" and not INSTALLED:
    raise ImportError("WHYGRAD_REQUIRE_ORACLES=1 asks for the tests of compiled functions, and JAX is not installed.")


def pytest_pycollect_makemodule(module_path, parent):
    """Stand one skipped test in for each file: some of them import JAX, so they cannot be collected without it."""
    return None if INSTALLED else Uncompiled.from_parent(parent, path=module_path)


class Uncompiled(pytest.File):
    def collect(self):
        yield Skipped.from_parent(self, name="all")


class Skipped(pytest.Item):
    def runtest(self):
        pytest.skip("JAX is not installed")

    def reportinfo(self):
        return self.path, None, f"{self.path.name}: all tests"


def pytest_collection_modifyitems(items):
    """Tests here make functions of the same Python that are called once each, which elsewhere is worth a warning."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.filterwarnings("ignore:.*tf.function makes a new:whygrad.RetracingWarning"))
