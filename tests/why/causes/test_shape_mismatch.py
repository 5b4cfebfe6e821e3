"""The explanation of `shape-mismatch`."""

import numpy as np
import pytest

import whygrad
from tests.support.explanations import Raised, Refused, checks
from tests.support.programs import raised

# Line 1 of each program is empty.
CASES = {
    "shapes": Raised(
        """
        class Layer:
            pass
        layer = Layer()
        layer.w = tf.Variable([1.0, 2.0])
        x = tf.ones(3)
        y = x * layer.w
        """,
        "shape-mismatch",
        [(7, "x * layer.w", "failed here")],
        {"x": "float32 (3,)", "layer.w": "float32 (2,)"},
        message="Incompatible shapes: [3] vs. [2]",
    ),
    "batches of matrices": Refused(
        """
        q, k = tf.ones([2, 4, 8]), tf.ones([2, 4, 8])
        s = tf.matmul(q, tf.transpose(k))
        """,
        "shape-mismatch",
        (3, "tf.matmul(q, tf.transpose(k))"),
        {"q": "float32 (2, 4, 8)", "tf.transpose(k)": "float32 (8, 4, 2)"},
        "`q` (2, 4, 8) has 8 at its last axis, `tf.transpose(k)` (8, 4, 2) has 4",
        "use tf.matmul(q, k, transpose_b=True)",
    ),
    "matrices that fit transposed": Refused(
        """
        x, w = tf.ones([4, 8]), tf.ones([16, 8])
        y = x @ w
        """,
        "shape-mismatch",
        (3, "x @ w"),
        {"x": "float32 (4, 8)", "w": "float32 (16, 8)"},
        "the inner sizes differ",
        "tf.matmul(x, w, transpose_b=True), of shape (4, 16)",
    ),
    "a vector for a matrix": Refused(
        """
        w, x = tf.ones([4, 8]), tf.ones([8])
        y = tf.matmul(w, x * 2.0)
        """,
        "shape-mismatch",
        (3, "tf.matmul(w, x * 2.0)"),
        {"w": "float32 (4, 8)", "x * 2.0": "float32 (8,)"},
        "`x * 2.0` has 1 axis",
        "tf.linalg.matvec(w, x * 2.0), or (x * 2.0)[:, tf.newaxis]",
    ),
    "matvec": Refused(
        """
        w, x = tf.ones([4, 8]), tf.ones([4])
        y = tf.linalg.matvec(w, x)
        """,
        "shape-mismatch",
        (3, "tf.linalg.matvec(w, x)"),
        {"w": "float32 (4, 8)", "x": "float32 (4,)"},
        "`w` (4, 8) takes vectors of 8, and `x` (4,) has 4",
        "tf.linalg.matvec(w, x, transpose_a=True)",
    ),
    "einsum": Refused(
        """
        q, k = tf.ones([2, 3, 8]), tf.ones([2, 3, 4])
        s = tf.einsum("bqd,bkd->bqk", q, k)
        """,
        "shape-mismatch",
        (3, 'tf.einsum("bqd,bkd->bqk", q, k)'),
        {"q": "float32 (2, 3, 8)", "k": "float32 (2, 3, 4)"},
        "d is 8 in `q` (2, 3, 8) and 4 in `k` (2, 3, 4)",
        "a letter has one size",
    ),
    "one value for each row": Refused(
        """
        x, scale = tf.ones([4, 3]), tf.ones([4])
        y = scale * x
        """,
        "shape-mismatch",
        (3, "scale * x"),
        {"scale": "float32 (4,)", "x": "float32 (4, 3)"},
        "at the last axis 4 meets 3",
        "scale[:, tf.newaxis]",
    ),
    "one-hot labels for class ids": Refused(
        """
        labels, logits = tf.ones([4, 3], tf.int32), tf.zeros([4, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)"),
        {"labels": "int32 (4, 3)", "logits": "float32 (4, 3)"},
        "this loss takes class ids, of shape (4,)",
        "use tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits), or class ids: tf.argmax(labels, axis=-1)",
    ),
    "class ids in a column": Refused(
        """
        labels, logits = tf.ones([4, 1], tf.int32), tf.zeros([4, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)
        """,
        "shape-mismatch",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)"),
        {"logits": "float32 (4, 3)", "labels": "int32 (4, 1)"},
        "`labels` has shape (4, 1)",
        "tf.squeeze(labels, axis=-1)",
    ),
    "class ids for one-hot labels": Refused(
        """
        y, logits = tf.constant([0, 1, 2, 0]), tf.zeros([4, 3])
        loss = tf.nn.softmax_cross_entropy_with_logits(y, logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.softmax_cross_entropy_with_logits(y, logits)"),
        {"y": "int32 (4,)", "logits": "float32 (4, 3)"},
        "`y` (4,) holds one number for each row of `logits` (4, 3), as class ids do",
        "use tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), or one-hot labels: tf.one_hot(y, 3)",
    ),
    "a column of logits": Refused(
        """
        y, logits = tf.ones([4]), tf.zeros([4, 1])
        loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)"),
        {"y": "float32 (4,)", "logits": "float32 (4, 1)"},
        "`y` has shape (4,) and `logits` has (4, 1): they must be equal",
        "tf.reshape(y, logits.shape)",
    ),
    "assigning another shape": Refused(
        """
        class Model:
            pass
        model = Model()
        model.w = tf.Variable(tf.ones([3]))
        model.w.assign(tf.ones([3, 1]))
        """,
        "shape-mismatch",
        (6, "model.w.assign(tf.ones([3, 1]))"),
        {"model.w": "float32 (3,)", "tf.ones([3, 1])": "float32 (3, 1)"},
        "`model.w` has shape (3,), and `tf.ones([3, 1])` has (3, 1)",
        "tf.reshape(tf.ones([3, 1]), model.w.shape)",
    ),
    "an update for each sample": Refused(
        """
        b, g = tf.Variable(tf.zeros([3])), tf.ones([5, 3])
        b.assign_sub(0.1 * g)
        """,
        "shape-mismatch",
        (3, "b.assign_sub(0.1 * g)"),
        {"b": "float32 (3,)", "0.1 * g": "float32 (5, 3)"},
        "`b` has shape (3,), and `0.1 * g` has (5, 3)",
        "tf.reduce_mean(0.1 * g, axis=0)",
    ),
    "an image without channels": Refused(
        """
        img, kernel = tf.ones([1, 28, 28]), tf.ones([3, 3, 1, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (1, 28, 28)", "kernel": "float32 (3, 3, 1, 4)"},
        "`img` has 3 axes, shape (1, 28, 28); the op takes 4: (batch, height, width, channels)",
        "add the channel axis: img[..., tf.newaxis]",
    ),
    "an image without a batch": Refused(
        """
        img, kernel = tf.ones([28, 28, 3]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (28, 28, 3)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 3 axes",
        "add the batch axis: img[tf.newaxis]",
    ),
    "channels first": Refused(
        """
        img, kernel = tf.ones([2, 3, 8, 8]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (2, 3, 8, 8)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 8 channels at its last axis, and `kernel` takes 3",
        "tf.transpose(img, [0, 2, 3, 1])",
    ),
    "groups of channels by mistake": Refused(
        """
        img, kernel = tf.ones([1, 4, 4, 3]), tf.ones([2, 2, 1, 5])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (1, 4, 4, 3)", "kernel": "float32 (2, 2, 1, 5)"},
        "`img` has 3 channels and `kernel` takes 1, which makes 3 groups, but its 5 outputs are not a multiple of 3",
        "make axis 2 of the filters 3",
    ),
    "another number of channels": Refused(
        """
        img, kernel = tf.ones([2, 8, 8, 1]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (2, 8, 8, 1)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 1 channel at its last axis, and `kernel` takes 3",
        "axis 2 of the filters is the number of input channels: make it 1, or give 3",
    ),
    "concat": Refused(
        """
        a, b = tf.ones([8, 3]), tf.ones([4, 3])
        y = tf.concat([a, b], axis=1)
        """,
        "shape-mismatch",
        (3, "tf.concat([a, b], axis=1)"),
        {"a": "float32 (8, 3)", "b": "float32 (4, 3)"},
        "all sizes but that of axis 1 must be equal: `a` has 8 and `b` has 4 at axis 0",
        "tf.concat([a, b], axis=0)",
    ),
    "a list of parts": Refused(
        """
        parts = [tf.ones([2, i]) for i in (3, 4)]
        y = tf.stack(parts)
        """,
        "shape-mismatch",
        (3, "tf.stack(parts)"),
        {"parts[0]": "float32 (2, 3)", "parts[1]": "float32 (2, 4)"},
        "`parts[0]` has shape (2, 3) and `parts[1]` has (2, 4)",
        "tf.concat joins",
    ),
    "a list among the parts": Refused(
        """
        a = tf.ones([2])
        y = tf.stack([a, [1.0, 2.0, 3.0]])
        """,
        "shape-mismatch",
        (3, "tf.stack([a, [1.0, 2.0, 3.0]])"),
        {"a": "float32 (2,)"},
        "`a` has shape (2,) and `[1.0, 2.0, 3.0]` has (3,)",
        "tf.concat joins",
    ),
    "split into a great many parts": Refused(
        """
        x = tf.ones([6, 2])
        parts = tf.split(x, 2**40)
        """,
        "shape-mismatch",
        (3, "tf.split(x, 2**40)"),
        {"x": "float32 (6, 2)"},
        "axis 0 of `x` (6, 2) has 6 elements, which is not a multiple of 1099511627776",
        "give the sizes of the parts, as a list that adds up",
    ),
    "split": Refused(
        """
        x = tf.ones([6, 2])
        a, b, c, d = tf.split(x, 4)
        """,
        "shape-mismatch",
        (3, "tf.split(x, 4)"),
        {"x": "float32 (6, 2)"},
        "axis 0 of `x` (6, 2) has 6 elements, which is not a multiple of 4",
        "tf.split(x, [2, 2, 1, 1], axis=0)",
    ),
    "batch_jacobian without a batch": Refused(
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as recording:
            y = x * x
        j = recording.batch_jacobian(y, x)
        """,
        "shape-mismatch",
        (5, "recording.batch_jacobian(y, x)"),
        {"y": "float32 (2,)", "x": "float32 (2,)"},
        "`y` has shape (2,) and `x` has shape (2,)",
        "recording.jacobian(y, x)",
    ),
    "a list for a variable": Refused(
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        w.assign([1.0, 2.0])
        """,
        "shape-mismatch",
        (3, "w.assign([1.0, 2.0])"),
        {"w": "float32 (3,)"},
        "`w` has shape (3,), and `[1.0, 2.0]` has (2,)",
        "give it a value of shape (3,)",
    ),
    "an array on the left": Refused(
        """
        y = np.ones(3) * tf.ones([2])
        """,
        "shape-mismatch",
        (2, "np.ones(3) * tf.ones([2])"),
        {"np.ones(3)": "float64 (3,)", "tf.ones([2])": "float32 (2,)"},
        "`np.ones(3)` (3,) and `tf.ones([2])` (2,) do not broadcast",
        "sizes must be equal or 1",
    ),
    "a comparison from the right": Refused(
        """
        y = np.ones(3, "f4") > tf.ones([2])
        """,
        "shape-mismatch",
        (2, 'np.ones(3, "f4") > tf.ones([2])'),
        {"np.ones(3, 'f4')": "float32 (3,)", "tf.ones([2])": "float32 (2,)"},
        "do not broadcast: at the last axis 2 meets 3",
        "sizes must be equal or 1",
    ),
    "an op that Python calls": Refused(
        """
        import functools
        y = functools.reduce(tf.add, [tf.ones(2), tf.ones(3)])
        """,
        "shape-mismatch",
        (3, "functools.reduce(tf.add, [tf.ones(2), tf.ones(3)])"),
        {"x": "float32 (2,)", "y": "float32 (3,)"},
        "`x` (2,) and `y` (3,) do not broadcast",
        "sizes must be equal or 1",
    ),
    "an op under another name": Refused(
        """
        multiply = tf.matmul
        y = multiply(b=tf.ones([2, 3]), a=tf.ones([4, 2, 5]))
        """,
        "shape-mismatch",
        (3, "multiply(b=tf.ones([2, 3]), a=tf.ones([4, 2, 5]))"),
        {"tf.ones([2, 3])": "float32 (2, 3)", "tf.ones([4, 2, 5])": "float32 (4, 2, 5)"},
        "`tf.ones([4, 2, 5])` (4, 2, 5) has 5 at its last axis, `tf.ones([2, 3])` (2, 3) has 2",
        "tf.matmul(tf.ones([4, 2, 5]), tf.ones([2, 3]), transpose_a=True)",
    ),
    "operands from a list": Refused(
        """
        pair = [tf.ones([2, 3]), tf.ones([2, 3])]
        y = tf.matmul(*pair)
        """,
        "shape-mismatch",
        (3, "tf.matmul(*pair)"),
        {"a": "float32 (2, 3)", "b": "float32 (2, 3)"},
        "`a` (2, 3) has 3 at its last axis",
        "transpose_b=True",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_list_whose_parts_are_not_all_tensors(tmp_path):
    (cause,) = raised("a = tf.ones([2, 3])\ny = tf.concat(axis=0, values=[[[1.0]], a])\n", tmp_path)
    assert (cause.site.line, cause.site.text) == (2, "tf.concat(axis=0, values=[[[1.0]], a])")
    assert cause.shapes["a"] == "float32 (2, 3)"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("data @ p", "`data` (10, 3) has 3 at its last axis, `p` (4, 4) has 4 at its last but one"),
        ("np.matmul(data, p)", "`data` (10, 3) has 3 at its last axis, `p` (4, 4) has 4 at its last but one"),
        ("np.ones(5) + p", "`np.ones(5)` (5,) and `p` (4, 4) do not broadcast"),
        ("np.einsum('ij,jk->', data, p)", "j is 3 in `data` (10, 3) and 4 in `p` (4, 4)"),
        ("np.concatenate([data, p])", "`data` has 3 and `p` has 4 at axis 1"),
        ("np.reshape(p, shape=(3, 3))", "`p` (4, 4) has 16 elements"),
        ("np.dot(data, p)", "`data` (10, 3) has 3 at its last axis, `p` (4, 4) has 4 at its last but one"),
        ("np.stack([data, p])", "`data` has shape (10, 3) and `p` has (4, 4)"),
        ("np.linalg.solve(data, p)", "`data` has shape (10, 3): the last two sizes of a square matrix are equal"),
        ("np.linalg.inv(p)", "`p` is singular: its rank is 1, not 4"),
        ("np.mean(p, axis=4)", "`p` has 2 axes, shape (4, 4): there is no axis 4"),
        ("np.expand_dims(p, 4)", "`p` has 2 axes, shape (4, 4): a new one cannot be at 4"),
    ],
)
def test_the_operands_of_numpys_functions_are_named_in_their_order(call, said, tmp_path):
    """NumPy hands them over by `__array_ufunc__` and `__array_function__` of the tensor, wherever it stands among them."""
    program = f"data = np.ones((10, 3))\nwhygrad.grad(lambda p: np.sum({call}))(np.ones((4, 4)))"
    (cause,) = raised(program, tmp_path, np=np, whygrad=whygrad)
    assert (cause.site.line, cause.site.text) == (2, call)
    assert said in cause.sentence


@pytest.mark.parametrize(
    ("call", "help"),
    [
        ("tf.ones([4, 6, 8]) * tf.ones([4, 6])", "tf.ones([4, 6])[..., tf.newaxis]"),
        ("tf.ones([4, 2, 6, 6]) + tf.ones([4, 6])", "tf.ones([4, 6])[:, tf.newaxis, tf.newaxis, ...]"),
        ("tf.ones([3, 21, 2]) + tf.ones([3, 20, 2])", "cut `tf.ones([3, 21, 2])`, tf.ones([3, 21, 2])[:, :20], or pad"),
        ("tf.ones([2, 12]) + tf.ones([2, 3, 4])", "tf.reshape(tf.ones([2, 12]), [2, 3, 4])"),
        ("tf.ones([2, 24]) * tf.ones([8, 6])", "sizes must be equal or 1"),  # the elements are not in one order
        (
            "tf.nn.sparse_softmax_cross_entropy_with_logits(tf.ones([3, 6], tf.int32), tf.ones([3, 7, 9]))",
            "leave out the logits that have no label: tf.ones([3, 7, 9])[:, :-1]",
        ),
        ("tf.ones([4, 7]) @ tf.Variable(tf.ones([3, 7]))", "of shape (4, 3)"),
        ("tf.linalg.solve(tf.eye(3), tf.ones([4]))", "give `tf.ones([4])` 2 axes"),
        ("tf.tensor_scatter_nd_update(tf.ones([3, 3]), [[0, 0]], [1.0, 2.0])", "give one value of shape () for each position"),
        ("tf.tensor_scatter_nd_add(tf.ones([3]), [[0, 0]], [1.0])", "holds one number for each axis: 1 at most"),
    ],
)  # fmt: skip
def test_the_help_fits_the_shapes(call, help, tmp_path):
    (cause,) = raised(f"y = {call}\n", tmp_path)
    assert help in cause.help
