"""The explanation of `target-not-a-tensor`."""

import numpy as np
import pytest

from tests.support.explanations import Raised, checks
from tests.support.programs import facts_of, raised

# Line 1 of each program is empty.
CASES = {
    "a number as target": Raised(
        """
        a = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = float(a * 2.0)
        tape.gradient(loss, a)
        """,
        "target-not-a-tensor",
        [(4, "float(a * 2.0)", "made here"), (5, "tape.gradient(loss, a)", "asked here")],
        {},
    ),
    "a forgotten return": Raised(
        """
        a = tf.Variable(1.0)
        def objective():
            result = a * 2.0
        with tf.GradientTape() as tape:
            loss = objective()
        tape.gradient(loss, a)
        """,
        "target-not-a-tensor",
        [(4, "a * 2.0", "not returned"), (7, "tape.gradient(loss, a)", "asked here")],
        {},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


NONE_AS_TARGET = """
t = tf.constant([0.0, 1.0])
a = tf.Variable(2.0)
with tf.GradientTape() as outer:
    outer.watch(t)
    with tf.GradientTape() as inner:
        u = a * tf.sin(t)
    du = inner.gradient(u, t)
    outer.gradient(du, t)
"""


@pytest.mark.filterwarnings("ignore::whygrad.NoGradientWarning")
def test_a_gradient_that_is_none_as_target(tmp_path):
    (cause,) = raised(NONE_AS_TARGET, tmp_path)
    assert facts_of(cause) == (
        "target-not-a-tensor",
        [(8, "inner.gradient(u, t)", "None here"), (9, "outer.gradient(du, t)", "asked here")],
        {},
    )
    assert "`du` is None, not a tensor: it is the gradient of line 8, and that is None" in cause.sentence


def test_under_a_trace_the_none_and_the_exception_have_one_cause(tmp_path):
    from whygrad.why.evidence.trace import tracing

    with tracing() as trace:
        (cause,) = raised(NONE_AS_TARGET, tmp_path)
    assert trace.findings == [cause]
    assert cause.kind == "source-not-watched"
    assert "inner.watch(t)" in cause.help


def test_numpy_numbers_are_named_as_such(tmp_path):
    text = """
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = np.exp(w)
    tape.gradient(y, w)
    """
    (cause,) = raised(text, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("target-not-a-tensor", "np.exp(w)")
    assert cause.sentence.startswith("`y` is a NumPy float32, not a tensor")


def test_a_jacobian_of_several_targets(tmp_path):
    text = "w = tf.Variable([1.0])\nwith tf.GradientTape() as tape:\n    y = w * w\ntape.jacobian([y, y], w)\n"
    (cause,) = raised(text, tmp_path)
    assert (cause.kind, cause.site.line) == ("target-not-a-tensor", 4)
    assert cause.sentence.startswith("`[y, y]` holds several tensors")


@pytest.mark.parametrize(
    ("loss", "help"),
    [
        ("np.sum(np.abs(w))", "write tf.reduce_sum for np.sum and tf.abs for np.abs"),
        ("np.mean(w.numpy() ** 2)", "write tf.reduce_mean for np.mean and leave out .numpy()"),
        ("float(w[0]) * 2.0 + w.numpy()[1]", "leave out .numpy(), float() and np.*"),
    ],
)
def test_what_to_write_so_that_the_target_stays_a_tensor(loss, help, tmp_path):
    text = f"w = tf.Variable([2.0, 1.0])\nwith tf.GradientTape() as tape:\n    y = {loss}\ntape.gradient(y, w)\n"
    (cause,) = raised(text, tmp_path, np=np)
    assert (cause.kind, cause.help) == ("target-not-a-tensor", f"keep the target a tensor: {help}")
