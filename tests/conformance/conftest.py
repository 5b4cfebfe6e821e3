"""Comparisons with other libraries. Where an oracle is missing its tests are skipped, except in CI, where that is a failure."""

import importlib
import os
import sys

import pytest

from tests.support.oracles import FileOfSkippedTests, is_missing


def pytest_pycollect_makemodule(module_path, parent):
    named = module_path.stem.partition("_against_")[2]
    oracle = named if named in ("jax", "array_api_strict") else "tensorflow"
    return FileOfSkippedTests.standing_for(module_path, parent, oracle) if is_missing(oracle) else None


def prepare_tensorflow():
    """Set what TensorFlow reads from the environment when it is first imported."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    # Virtual machines may announce AMX and not have it: products in bfloat16, which oneDNN computes, would then end the process.
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")


@pytest.fixture(scope="session")
def real_tf():
    """TensorFlow itself."""
    prepare_tensorflow()
    return importlib.import_module("tensorflow")


@pytest.fixture(scope="session")
def real_jax():
    """JAX itself, in double precision."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.fixture(autouse=True)
def no_caching_device():
    """Undo what TensorFlow's `map_fn` leaves behind where the function that it traces raises: variables could not be made afterwards."""
    yield
    if "tensorflow" in sys.modules:
        sys.modules["tensorflow"].compat.v1.get_variable_scope()._caching_device = None
