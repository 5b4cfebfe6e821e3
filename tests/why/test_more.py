"""Mistakes that strangers made: what is said of them, closely."""

import numpy as np
import pytest

from tests.why.asked import raised, told, traced, warned


@pytest.mark.parametrize("found_in", [traced, warned])
@pytest.mark.parametrize(
    ("op", "instead"),
    [
        ("tf.round(w)", "w + tf.stop_gradient(tf.round(w) - w)"),
        ("tf.floor(w * 8)", "(w * 8) + tf.stop_gradient(tf.floor(w * 8) - (w * 8))"),
    ],
)
def test_rounding_offers_the_straight_through_form(found_in, op, instead, tmp_path):
    program = """
    w = tf.Variable([0.3, 1.7])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum({})
    tape.gradient(loss, w)
    """
    (cause,) = found_in(program.format(op), tmp_path)
    assert (cause.kind, cause.site.text, cause.site.note) == ("non-differentiable-op", op, "float32 (2,)")
    assert f"write {instead};" in cause.help
    assert found_in(program.format(instead), tmp_path) == []


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_copy_is_watched(found_in, tmp_path):
    text = """
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(tf.identity(x))
        loss = tf.reduce_sum(x ** 2)
    tape.gradient(loss, x)
    """
    (cause,) = found_in(text, tmp_path)
    assert told(cause) == (
        "source-not-watched",
        [(4, "tape.watch(tf.identity(x))", "watched here"), (6, "tape.gradient(loss, x)", "asked here")],
        {"x": "float32 (1,)"},
    )
    assert cause.help == "watch the very tensor that is asked for: tape.watch(x)"


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
def test_a_gradient_that_is_none_is_no_target(tmp_path):
    (cause,) = raised(NONE_AS_TARGET, tmp_path)
    assert told(cause) == (
        "target-not-a-tensor",
        [(8, "inner.gradient(u, t)", "None here"), (9, "outer.gradient(du, t)", "asked here")],
        {},
    )
    assert "`du` is None, not a tensor: it is the gradient of line 8, and that is None" in cause.sentence


def test_traced_it_has_one_cause(tmp_path):
    from whygrad.why.evidence.trace import tracing

    with tracing() as trace:
        (cause,) = raised(NONE_AS_TARGET, tmp_path)
    assert trace.findings == [cause]
    assert cause.kind == "source-not-watched"
    assert "inner.watch(t)" in cause.help


def test_numpy_numbers_are_called_so(tmp_path):
    text = """
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = np.exp(w)
    tape.gradient(y, w)
    """
    (cause,) = raised(text, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("target-not-a-tensor", "np.exp(w)")
    assert cause.sentence.startswith("`y` is a NumPy float32, not a tensor")


def test_zeros_beside_a_loss_that_is_nan_say_so(tmp_path):
    text = """
    scores = tf.Variable(tf.zeros([2, 3]))
    mask = tf.constant([[True, True, False], [False, False, False]])
    with tf.GradientTape() as tape:
        a = tf.nn.softmax(tf.where(mask, scores, -np.inf))
        loss = tf.reduce_sum(a ** 2)
    tape.gradient(loss, scores)
    """
    (cause,) = traced(text, tmp_path, np=np)
    assert cause.kind == "fully-masked-softmax"
    assert cause.sentence.startswith(
        "`loss` is not finite, and the gradient of `loss` with respect to `scores` is zero"
    )


# -- variables that are made anew --

ANEW = """
xs = tf.ones([4, 2])
for i in range(4):
    w = tf.Variable(tf.ones([2, 1]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((xs @ w - 5.0) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
"""


def test_a_variable_made_anew_in_every_pass_is_a_likely_mistake(tmp_path):
    (cause,) = traced(ANEW, tmp_path)
    assert told(cause) == (
        "variable-made-anew",
        [
            (4, "tf.Variable(tf.ones([2, 1]))", "made anew here"),
            (8, "w.assign_sub(0.1 * g)", "changed here"),
            (7, "tape.gradient(loss, w)", "asked here"),
        ],
        {"w": "float32 (2, 1)"},
    )
    assert cause.likely
    assert cause.symptom == "wrong_value"


@pytest.mark.parametrize(
    "change",
    [
        ("    w.assign_sub(0.1 * g)\n", ""),  # gradients at several points
        ("    w.assign_sub(0.1 * g)\n", "    w.assign_sub(0.1 * g)\n    print(w.numpy())\n"),  # one step from each
        ("    w.assign_sub(0.1 * g)\n", "    w.assign_sub(0.1 * g)\n    after = tf.reduce_sum(w)\n"),
        ("range(4)", "range(2)"),
    ],
    ids=["not changed", "shown", "used", "twice"],
)
def test_variables_made_for_one_step_each_are_none(change, tmp_path):
    text = ANEW.replace(*change)
    assert text != ANEW
    assert traced(text, tmp_path) == []


# -- normalised over one element --

NORMALISED = """
x = tf.ones([1, 4]) * [[0.5, -1.0, 2.0, 0.1]]
w = tf.Variable(tf.ones([4, 3]) * [[0.1, 0.2, -0.3]])
with tf.GradientTape() as tape:
    h = x @ w
    {}
    loss = tf.reduce_sum((h - 1.0) ** 2)
tape.gradient(loss, w)
"""


@pytest.mark.parametrize(
    ("normalise", "text"),
    [
        ("m, v = tf.nn.moments(h, 0); h = (h - m) / tf.sqrt(v + 1e-5)", "tf.nn.moments(h, 0)"),
        (
            "m, v = tf.nn.moments(h, [0]); h = tf.nn.batch_normalization(h, m, v, 0.5, 1.0, 1e-5)",
            "tf.nn.moments(h, [0])",
        ),
        ("h = h - tf.reduce_mean(h, 0)", "tf.reduce_mean(h, 0)"),
    ],
)
def test_normalising_over_one_element_leaves_nothing(normalise, text, tmp_path):
    (cause,) = traced(NORMALISED.format(normalise), tmp_path)
    assert told(cause) == (
        "normalized-over-one",
        [(6, text, "mean of one here"), (8, "tape.gradient(loss, w)", "asked here")],
        {"h": "float32 (1, 3)"},
    )
    several = NORMALISED.replace("tf.ones([1, 4])", "tf.constant([[1.0], [2.0], [4.0]])").format(normalise)
    assert traced(several, tmp_path) == []


def test_a_way_around_the_normalization_is_not_blamed_on_it(tmp_path):
    around = "m = tf.reduce_mean(h, 0); h = (h - m) + tf.nn.relu(h - 100.0)"
    (cause,) = traced(NORMALISED.format(around), tmp_path)
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.nn.relu(h - 100.0)")
