"""The explanation of `normalized-over-one`."""

import pytest

from tests.support.programs import facts_of, traced

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
def test_normalizing_over_one_element(normalise, text, tmp_path):
    (cause,) = traced(NORMALISED.format(normalise), tmp_path)
    assert facts_of(cause) == (
        "normalized-over-one",
        [(6, text, "mean of one here"), (8, "tape.gradient(loss, w)", "asked here")],
        {"h": "float32 (1, 3)"},
    )
    several = NORMALISED.replace("tf.ones([1, 4])", "tf.constant([[1.0], [2.0], [4.0]])").format(normalise)
    assert traced(several, tmp_path) == []


def test_a_path_around_the_normalization_has_its_own_cause(tmp_path):
    around = "m = tf.reduce_mean(h, 0); h = (h - m) + tf.nn.relu(h - 100.0)"
    (cause,) = traced(NORMALISED.format(around), tmp_path)
    assert (cause.kind, cause.site.text) == ("saturated-region", "tf.nn.relu(h - 100.0)")


@pytest.mark.parametrize(
    "shares",
    [
        "e / tf.reduce_sum(e, axis=1)[:, None]",  # over four elements
        "e / tf.reduce_sum(e, axis=0) + 0.1 * e",  # another way leads to the target
        "e / tf.reduce_sum(e, axis=0) * tf.reduce_sum(e, axis=0)",
    ],
)
def test_shares_that_change(shares, tmp_path):
    program = f"""
        w = tf.Variable([[0.1, 0.2, -0.3, 0.4]])
        with tf.GradientTape() as tape:
            e = tf.exp(w)
            loss = tf.reduce_sum(({shares} - 0.5) ** 2)
        tape.gradient(loss, w)
        """
    assert [cause for cause in traced(program, tmp_path) if cause.symptom == "zero"] == []
