"""Comparisons with other libraries. Where an oracle is missing its tests are skipped, except in CI, where that is a failure."""

import os

import pytest

# CI sets this: a comparison that cannot run must not pass unseen.
REQUIRED = os.environ.get("WHYGRAD_REQUIRE_ORACLES") == "1"


def _oracle(name):
    if REQUIRED:
        return __import__(name)
    return pytest.importorskip(name)


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
    return _oracle("tensorflow")


@pytest.fixture(scope="session")
def real_jax():
    """JAX itself, in double precision."""
    jax = _oracle("jax")
    jax.config.update("jax_enable_x64", True)
    return jax
