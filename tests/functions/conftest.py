"""Functions that run op by op: because a trace looks inside them, and because JAX is missing."""

import pytest

import whygrad as tf
from whygrad.engines import loading


@pytest.fixture
def without_jax(monkeypatch):
    """Hide JAX from the test."""
    monkeypatch.setattr(loading, "is_installed", lambda: False)


@pytest.fixture
def observed():
    """Look inside the functions of the test, and give the trace."""
    with tf.tracing() as trace:
        yield trace


@pytest.fixture(params=["observed", "without_jax"])
def op_by_op(request):
    """Run the test once under `tf.tracing()`, and once with JAX hidden."""
    request.getfixturevalue(request.param)
