"""A compiled function that makes a trainable variable nan is warned of without a trace, whenever the variable is looked at."""

import pytest

from tests.support.programs import warned
from whygrad.compile.trace_listeners import became_nan_listeners

STEP = """
w = tf.Variable(INITIAL)
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sqrt(w * x))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss
"""


def program(then, initial="[4.0, 1.0]"):
    return STEP.replace("INITIAL", initial) + then


@pytest.fixture
def looks():
    """The calls after which a look found nan."""
    found = []
    became_nan_listeners.append(found.append)
    yield found
    became_nan_listeners.remove(found.append)


def test_the_call_that_made_nan_is_named(tmp_path):
    (cause,) = warned(program("step(tf.ones(2))\nstep(tf.constant([1.0, 0.0]))\nstep(tf.ones(2))\n"), tmp_path)
    assert (cause.kind, cause.symptom) == ("not-finite-here", "nonfinite")
    assert cause.sentence.startswith(
        "a variable (float32 (2,)) that `step` assigns became nan at the 2nd call; the function is compiled"
    )
    assert [(site.line, site.text) for site in cause.sites] == [(10, "step(tf.constant([1.0, 0.0]))")]


def test_later_the_calls_between_two_looks_are_named(looks, tmp_path):
    calls = "for i in range(40):\n    step(tf.constant([1.0, 0.0 if i == 20 else 1e-3]))\n"
    (cause,) = warned(program(calls), tmp_path)
    (became,) = looks
    assert became.last_look < 21 <= became.calls < 40
    assert f"at one of the calls from the {became.last_look + 1}" in cause.sentence


def test_a_variable_that_held_nan_before_is_not_reported(tmp_path):
    assert warned(program("step(tf.ones(2))\n", "[float('nan'), 1.0]"), tmp_path) == []


@pytest.mark.parametrize(
    ("made", "assigned"),
    [
        ("tf.Variable(1.0, trainable=False)", "x / x"),
        ("tf.Variable(float('inf'))", "tf.minimum(v, x + float('inf'))"),
    ],
)
def test_state_and_infinities_are_not_reported(made, assigned, tmp_path):
    text = f"v = {made}\n@tf.function\ndef f(x):\n    v.assign({assigned})\nf(tf.constant(0.0))\n"
    assert warned(text, tmp_path) == []


def test_each_function_is_reported_once(looks, tmp_path):
    warned(program("for i in range(9):\n    step(tf.constant([1.0, 0.0]))\n"), tmp_path)
    assert [became.calls for became in looks] == [1]


MASKED_MEAN = """
w = tf.Variable([[1.0, 2.0], [0.5, 1.5]])
@tf.function
def step(x, mask):
    with tf.GradientTape() as tape:
        errors = tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], x @ w)
        loss = tf.reduce_sum(errors)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return tf.reduce_sum(mask * errors) / tf.reduce_sum(mask)
step(tf.ones((2, 2)), tf.ones(2))
"""


def test_a_loss_that_becomes_nan_is_reported(tmp_path):
    (cause,) = warned(MASKED_MEAN + "step(tf.ones((2, 2)), tf.zeros(2))\n", tmp_path)
    assert cause.sentence.startswith("a result of `step` became nan at the 2nd call; the function is compiled")


def test_a_loss_of_nan_that_was_given_is_not_reported(tmp_path):
    assert warned(MASKED_MEAN + "step(tf.ones((2, 2)), tf.ones(2) * float('nan'))\n", tmp_path) == []
