"""What is compiled takes JAX. Where it is missing these tests are skipped, except in CI, where that is a failure."""

import os

import pytest

# Thousands of small programs are compiled once and run once here: a quick compilation is worth more than a quick program.
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

if os.environ.get("WHYGRAD_REQUIRE_ORACLES") != "1":
    pytest.importorskip("jax")
