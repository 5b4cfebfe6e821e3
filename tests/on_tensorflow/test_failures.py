"""An error of TensorFlow's gets the cause that whygrad's own error has: kind, line, and the user's names."""

import pytest

from tests.on_tensorflow.watched import findings

FAILING = {
    "rows = tf.ones([2, 3])\ncols = tf.ones([2, 3])\nout = rows @ cols": ("shape-mismatch", 4, "rows"),
    "rows = tf.ones([2, 3])\nout = tf.matmul(rows, rows)": ("shape-mismatch", 3, "rows"),
    "rows = tf.ones([2, 3])\nbias = tf.ones([4])\nout = rows + bias": ("shape-mismatch", 4, "bias"),
    "rows = tf.ones([2, 3])\nout = 2 - rows * tf.constant(3)": ("dtype-mismatch", 3, "rows"),
    "rows = tf.ones([2, 3])\nout = tf.reshape(rows, [4])": ("reshape-count", 3, "rows"),
    "rows = tf.ones([2, 3])\nout = tf.gather(rows, [7])": ("index-out-of-range", 3, "7"),
    "rows = tf.ones([2, 3])\nout = tf.reduce_sum(rows, axis=3)": ("axis-out-of-range", 3, "rows"),
    "rows = tf.Variable(tf.ones([2, 3]))\nrows.assign(tf.ones([4]))": ("shape-mismatch", 3, "(4,)"),
    "flat = tf.zeros([2, 2])\nout = tf.linalg.inv(flat)": ("singular-matrix", 3, "flat"),
}


@pytest.mark.tensorflow
@pytest.mark.parametrize("text", FAILING)
def test_an_error_is_explained(text, real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text("import tensorflow as tf\n" + text + "\n")
    kind, line, name = FAILING[text]
    (cause,) = findings(path, real_tf)
    assert (cause.kind, cause.site.line) == (kind, line)
    assert name in cause.sentence
