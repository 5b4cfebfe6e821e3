"""The explanation of `variable-overwritten-by-tensor`."""

import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, checks
from tests.support.programs import cause_of_warning, traced

# Line 1 of each program is empty.
CASES = {
    "rebound by an update": NoGradient(
        """
        w = tf.Variable([1.0, 2.0])
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w ** 2)
            g = tape.gradient(loss, w)
            w = w if g is None else w - 0.1 * g
        """,
        "variable-overwritten-by-tensor",
        [(7, "w - 0.1 * g", "rebound here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"w": "float32 (2,)"},
        needs_a_trace=True,
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_the_help_repairs_the_users_own_update(tmp_path):
    (cause,) = traced(CASES["rebound by an update"].program, tmp_path)
    assert cause.help == "keep the Variable and change its value: w.assign_sub(0.1 * g)"


def test_a_name_rebound_from_a_variable_to_a_tensor():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    w = w - 0.1 * tape.gradient(loss, w)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, w)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.role) == ("variable-overwritten-by-tensor", "rebound here")
    assert "w.assign_sub(0.1 * tape.gradient(loss, w))" in cause.help


class _Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable([1.0, 2.0])


def test_an_attribute_rebound_from_a_variable_to_a_tensor():
    net = _Net()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.kernel**2)
    net.kernel = net.kernel - 0.1 * tape.gradient(loss, net.kernel)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.kernel**2)
    cause = cause_of_warning(lambda: tape.gradient(loss, net.kernel))
    assert (cause.kind, cause.site.role) == ("variable-overwritten-by-tensor", "rebound here")
    assert "net.kernel.assign_sub(0.1 * tape.gradient(loss, net.kernel))" in cause.help
