"""The explanation of `contributions-cancel`."""

import pytest

from tests.support.explanations import Zero, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a sample that carries the parameter": Zero(
        """
        mean = tf.Variable([0.3, -0.2])
        with tf.GradientTape() as tape:
            action = mean + 0.5 * tf.constant([[1.0, 2.0], [0.5, 1.0]])
            loss = tf.reduce_sum((action - mean) ** 2)
        tape.gradient(loss, mean)
        """,
        "contributions-cancel",
        [
            (5, "action - mean", "cancels here"),
            (4, "mean + 0.5 * tf.constant([[1.0, 2.0], [0.5, 1.0]])", "contributes norm 3.35"),
            (6, "tape.gradient(loss, mean)", "asked here"),
        ],
        {"action": "float32 (2, 2)", "mean": "float32 (2,)"},
        [
            "because `action` contains `mean` too",
            "of norm 3.35 and 3.35, cancel",
            "write tf.stop_gradient(action) - mean",
        ],
    ),
    "a ratio of a value and its copy": Zero(
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            p, q = tf.exp(w), tf.exp(w)
            loss = tf.reduce_sum(p / q)
        tape.gradient(loss, w)
        """,
        "contributions-cancel",
        [
            (5, "p / q", "cancels here"),
            (4, "tf.exp(w)", "contributes norm 1.41"),
            (4, "tf.exp(w)", "contributes norm 1.41"),
            (6, "tape.gradient(loss, w)", "asked here"),
        ],
        {"p": "float32 (2,)", "q": "float32 (2,)"},
        ["`p` and `q` both depend on it", "if `q` is meant as a constant", "write p / tf.stop_gradient(q)"],
    ),
    "probabilities that are summed": Zero(
        """
        w = tf.Variable([1.0, 2.0, 0.5])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(w)
            loss = tf.reduce_sum(p)
        tape.gradient(loss, w)
        """,
        "contributions-cancel",
        [
            (5, "tf.reduce_sum(p)", "cancels here"),
            (4, "tf.nn.softmax(w)", "made here"),
            (6, "tape.gradient(loss, w)", "asked here"),
        ],
        {"p": "float32 (3,)"},
        ["probabilities always add up to 1", "tf.reduce_sum(p * weights)", "tape.jacobian(p, w)"],
    ),
    "one number added to all logits": Zero(
        """
        shift = tf.Variable(0.5)
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.constant([1.0, 2.0, 0.5]) + shift)
            loss = -tf.math.log(p[1])
        tape.gradient(loss, shift)
        """,
        "contributions-cancel",
        [
            (4, "tf.nn.softmax(tf.constant([1.0, 2.0, 0.5]) + shift)", "cancels here"),
            (6, "tape.gradient(loss, shift)", "asked here"),
        ],
        {"tf.constant([1.0, 2.0, 0.5]) + shift": "float32 (3,)"},
        ["adds the same to all elements"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_flat_op_is_not_blamed_where_other_ways_cancel(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            a, b = tf.tanh(w), tf.tanh(w)
            loss = tf.reduce_sum(tf.nn.relu(w - 10.0) + a - b) + 1.0
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("contributions-cancel", "tf.nn.relu(w - 10.0) + a - b")


def test_all_ops_at_which_ways_vanish_are_named(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            a = tf.nn.relu(w - 10.0)
            b = tf.clip_by_value(w, 5.0, 6.0)
            loss = tf.reduce_sum(a + b)
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    assert cause.kind == "saturated-region"
    places = [(each.text, each.role) for each in cause.sites]
    assert sorted(places[:2]) == [("tf.clip_by_value(w, 5.0, 6.0)", "flat here"), ("tf.nn.relu(w - 10.0)", "flat here")]


@pytest.mark.parametrize(
    "loss",
    [
        "(w - 1.0) ** 2 + (w + 1.0) ** 2",  # a minimum, where two terms balance
        "tf.reduce_mean((tf.constant([-2.0, 2.0]) - w) ** 2)",  # of a sum
        "tf.reduce_sum(tf.nn.softmax(w * tf.constant([1.0, 2.0])) * tf.constant([3.0, 3.0]))",  # equal by chance
        "tf.exp(w) - w",
    ],
)
def test_a_stationary_point_is_no_finding(loss, tmp_path):
    program = f"""
        w = tf.Variable(0.0)
        with tf.GradientTape() as tape:
            loss = {loss}
        assert abs(tape.gradient(loss, w)) < 1e-6
        """
    assert traced(program, tmp_path) == []


def test_a_parameter_that_rightly_cancels_in_a_comparison_is_no_finding(tmp_path):
    program = """
        w, b = tf.Variable([[0.3], [-0.2]]), tf.Variable(0.5)
        def score(x):
            return x @ w + b
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softplus(score(tf.ones((3, 2))) - score(tf.eye(3, 2))))
        assert tape.gradient(loss, [w, b])[1] == 0.0
        """
    assert traced(program, tmp_path) == []


def test_what_rounding_leaves_of_a_cancellation_is_explained(tmp_path):
    (cause,) = traced(
        """
        x = tf.reshape(tf.linspace(-1.0, 2.0, 12), (4, 3))
        w = tf.Variable(tf.reshape(tf.linspace(-0.7, 1.3, 9), (3, 3)))
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(tf.tanh(x @ w) * 3.3)
            loss = tf.reduce_sum(p) * 3.0
        assert tf.reduce_any(tape.gradient(loss, w) != 0.0)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("contributions-cancel", "tf.reduce_sum(p)")
    assert "is zero up to rounding" in cause.sentence
