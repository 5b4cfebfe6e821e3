"""The explanation of `label-out-of-range`."""

import pytest

from tests.support.explanations import Raised, Refused, checks
from tests.support.programs import traced

# Line 1 of each program is empty.
CASES = {
    "a label": Raised(
        """
        labels, logits = tf.constant([0, 3]), tf.zeros([2, 3])
        y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        """,
        "label-out-of-range",
        [(3, "tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)", "failed here")],
        {"labels": "int32 (2,)", "logits": "float32 (2, 3)"},
    ),
    "a label after the last": Refused(
        """
        y, logits = tf.constant([1, 3]), tf.zeros([2, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        """,
        "label-out-of-range",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)"),
        {"y": "int32 (2,)", "logits": "float32 (2, 3)"},
        "the class id 3 in `y` lies outside 0 to 2: `logits` has 3 classes",
        "y - 1",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_labels_under_two_tapes(tmp_path):
    program = """
w, x, y = tf.Variable(tf.ones((2, 1))), tf.ones((3, 2)), tf.constant([[2.0], [-3.0], [1.0]])
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x @ w))
    slope = tf.reduce_sum(tape.gradient(loss, w) ** 2)
outer.gradient(slope, w)
"""
    (cause,) = traced(program, tmp_path)
    assert (cause.kind, cause.site.line) == ("label-out-of-range", 5)
