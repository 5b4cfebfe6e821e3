"""The explanation of `label-out-of-range`."""

import pytest

from tests.support.explanations import Raised, Refused, checks

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
