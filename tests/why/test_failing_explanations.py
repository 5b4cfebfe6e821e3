"""An explanation that fails never gets in the program's way, and costs nothing until it is asked for."""

import traceback

import pytest

import whygrad as tf


def test_a_caught_error_is_not_explained(monkeypatch):
    def explains(*args):
        raise AssertionError("explained, though no explanation was requested")

    monkeypatch.setattr("whygrad.why.causes.exceptions.causes_of", explains)
    with pytest.raises(ValueError, match="must have the same shape"):
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([4]), logits=tf.ones([4, 1]))


@pytest.mark.parametrize(
    "broken", ["whygrad.why.evidence.failed_op.FailedOp._given", "whygrad.why.causes.op_error.explained"]
)
def test_an_error_is_raised_when_looking_at_its_operands_fails(broken, monkeypatch):
    def fails(*args):
        raise RuntimeError("a flaw in the explanation")

    monkeypatch.setattr("whygrad.why.diagnosis.strict", False)
    monkeypatch.setattr(broken, fails)
    with pytest.raises(ValueError, match="must have the same shape") as caught:
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([4]), logits=tf.ones([4, 1]))
    assert caught.value.causes == []
    assert "must have the same shape" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "broken",
    ["whygrad.why.diagnosis.explain_none", "whygrad.why.diagnosis.explain_empty", "whygrad.view.notice.render"],
)
def test_gradient_returns_when_its_explanation_fails(broken, monkeypatch):
    def fails(*args, **kwargs):
        raise RuntimeError("a flaw in the explanation")

    monkeypatch.setattr("whygrad.why.diagnosis.strict", False)
    monkeypatch.setattr(broken, fails)
    w = tf.Variable(0.2)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.round(w)
    assert tape.gradient(y, w) is None
    assert tape.gradient(y, []) == []


def test_an_error_of_gradient_or_an_op_is_raised_when_its_explanation_fails(monkeypatch):
    def fails(*args, **kwargs):
        raise RuntimeError("a flaw in the explanation")

    monkeypatch.setattr("whygrad.why.diagnosis.strict", False)
    monkeypatch.setattr("whygrad.view.notice.explain_failure", fails)
    monkeypatch.setattr("whygrad.view.notice.causes_of", fails)
    with tf.GradientTape() as tape:
        pass
    with pytest.raises(TypeError, match="should be a list or nested structure of Tensors"):
        tape.gradient(None, tf.Variable(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes") as caught:
        tf.ones(2) + tf.ones(3)
    assert caught.value.causes == []
