"""The evidence around one call of `gradient` is gathered once for all its sources."""

import warnings

import pytest

import whygrad as tf
from whygrad.why.evidence.history import History
from whygrad.why.evidence.trace import tracing


@pytest.fixture
def histories(monkeypatch):
    """The histories that are built during a test."""
    built = []
    original = History.__init__

    def noted(self, *args):
        built.append(self)
        original(self, *args)

    monkeypatch.setattr(History, "__init__", noted)
    return built


def _ten_nones():
    used, unused = tf.Variable(1.0), [tf.Variable(float(i)) for i in range(9)]
    with tf.GradientTape() as tape:
        loss = tf.round(used * 2.0)
    assert tape.gradient(loss, [used, *unused]) == [None] * 10


def test_ten_nones_build_one_history(histories):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ten_nones()
    assert {cause.kind for each in caught for cause in each.message.causes} == {
        "non-differentiable-op",
        "source-unused",
    }
    assert len(histories) == 1


def test_sources_share_the_history_of_a_trace(histories):
    with tracing() as trace:
        _ten_nones()
    assert {cause.kind for cause in trace.findings} == {"non-differentiable-op", "source-unused"}
    assert (
        len(histories) == len({id(each) for each in histories}) <= 3
    )  # the others look for what is wrong without a sign
