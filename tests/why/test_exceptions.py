"""What is said of an exception: kind, lines, columns, roles and shapes; TensorFlow's sentence stays."""

import traceback

import numpy as np
import pytest

from tests.why.asked import raised, run, told
from whygrad.errors import InvalidArgumentError
from whygrad.why.causes.exceptions import causes_of

CASES = {
    "spent": (
        """
        a = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, a)
        tape.gradient(y, a)
        """,
        "tape-used-twice",
        [
            (6, "tape.gradient(y, a)", "asked here"),
            (5, "tape.gradient(y, a)", "used up here"),
            (3, "tf.GradientTape()", "tape made here"),
        ],
        {},
    ),
    "never entered": (
        """
        a = tf.Variable(1.0)
        tape = tf.GradientTape()
        tape.gradient(a * 2.0, a)
        """,
        "tape-never-entered",
        [(3, "tf.GradientTape()", "made here"), (4, "tape.gradient(a * 2.0, a)", "asked here")],
        {},
    ),
    "a number as target": (
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
    "a forgotten return": (
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
    "upstream shape": (
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = x * 8.0
        tape.gradient(y, x, output_gradients=tf.ones(3))
        """,
        "output-gradients-mismatch",
        [(5, "tf.ones(3)", "upstream gradient"), (4, "x * 8.0", "target")],
        {"y": "float32 (2,)", "output_gradients": "float32 (3,)"},
    ),
    "upstream dtype": (
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = x * 8.0
        tape.gradient(y, x, tf.ones(2, tf.float64))
        """,
        "dtype-mismatch",
        [(5, "tf.ones(2, tf.float64)", "upstream gradient"), (4, "x * 8.0", "target")],
        {"y": "float32 (2,)", "output_gradients": "float64 (2,)"},
    ),
    "custom gradient, shape": (
        """
        @tf.custom_gradient
        def double(x):
            def grad(upstream):
                return tf.reduce_sum(upstream) * 2.0
            return x * 2.0, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = double(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-shape",
        [(5, "tf.reduce_sum(upstream) * 2.0", "returned here"), (10, "tape.gradient(y, x)", "asked here")],
        {"double": "float32 (2,)"},
    ),
    "custom gradient, count": (
        """
        @tf.custom_gradient
        def double(x):
            return x * 2.0, lambda upstream: (upstream, upstream)
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = double(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-count",
        [(4, "(upstream, upstream)", "returned here"), (8, "tape.gradient(y, x)", "asked here")],
        {"double": "float32 (2,)"},
    ),
    "custom gradient, dtype": (
        """
        @tf.custom_gradient
        def double(x):
            return x * 2.0, lambda upstream: tf.cast(upstream, tf.float64)
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = double(x)
        tape.gradient(y, x)
        """,
        "dtype-mismatch",
        [(4, "tf.cast(upstream, tf.float64)", "returned here"), (8, "tape.gradient(y, x)", "asked here")],
        {"double": "float32 (2,)"},
    ),
    "dtypes in the gradient function": (
        """
        slope = tf.constant([0.5, 0.5], tf.float64)
        @tf.custom_gradient
        def halve(x):
            def grad(upstream):
                return upstream * slope
            return x * 0.5, grad
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            y = halve(x)
        tape.gradient(y, x)
        """,
        "dtype-mismatch",
        [
            (6, "upstream * slope", "failed here"),
            (2, "tf.constant([0.5, 0.5], tf.float64)", "made here"),
            (11, "tape.gradient(y, x)", "asked here"),
        ],
        {"upstream": "float32 (2,)", "slope": "float64 (2,)"},
    ),
    "dtypes in the forward pass": (
        """
        w = tf.Variable([1.0, 2.0])
        data = tf.constant(np.ones(2))
        y = w * data
        """,
        "dtype-mismatch",
        [(4, "w * data", "failed here"), (3, "tf.constant(np.ones(2))", "made here")],
        {"w": "float32 (2,)", "data": "float64 (2,)"},
    ),
    "shapes": (
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
    ),
    "reshape": (
        """
        x = tf.ones([4, 7])
        y = tf.reshape(x, (3, 3))
        """,
        "reshape-count",
        [(3, "tf.reshape(x, (3, 3))", "failed here")],
        {"x": "float32 (4, 7)"},
    ),
    "an index": (
        """
        table = tf.ones([4, 2])
        y = tf.gather(table, [0, 4])
        """,
        "index-out-of-range",
        [(3, "tf.gather(table, [0, 4])", "failed here")],
        {"table": "float32 (4, 2)"},
    ),
    "a label": (
        """
        labels, logits = tf.constant([0, 3]), tf.zeros([2, 3])
        y = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        """,
        "label-out-of-range",
        [(3, "tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)", "failed here")],
        {"labels": "int32 (2,)", "logits": "float32 (2, 3)"},
    ),
    "sparse": (
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        step = g * 0.1
        """,
        "sparse-gradient-arithmetic",
        [(6, "g * 0.1", "used as a dense tensor here")],
        {"g": "float32 (4, 2)"},
    ),
    "no gradient registered": (
        """
        picture = tf.Variable(tf.ones([1, 4, 4, 1]))
        with tf.GradientTape() as tape:
            y = tf.image.resize(picture, [2, 2], method="area")
        tape.gradient(y, picture)
        """,
        "op-without-gradient",
        [
            (4, 'tf.image.resize(picture, [2, 2], method="area")', "called here"),
            (5, "tape.gradient(y, picture)", "asked here"),
        ],
        {},
    ),
}  # fmt: skip


COUNTS = {
    "lambda upstream: (upstream, upstream)": "returned too many gradients, 2 for 1 argument",
    "lambda upstream: ()": "returned too few gradients, 0 for 1 argument",
}


@pytest.mark.parametrize("gradient", COUNTS)
def test_how_many_gradients_a_custom_gradient_returned(gradient, tmp_path):
    (cause,) = raised(
        CASES["custom gradient, count"][0].replace("lambda upstream: (upstream, upstream)", gradient), tmp_path
    )
    assert cause.kind == "custom-gradient-wrong-count"
    assert COUNTS[gradient] in cause.sentence


def test_as_many_elements_in_another_shape(tmp_path):
    text = CASES["custom gradient, shape"][0].replace("tf.reduce_sum(upstream) * 2.0", "tf.reshape(upstream, [2, 1])")
    with pytest.raises(InvalidArgumentError, match=r"^the gradient of double for an input of shape \(2,\)") as caught:
        run(text, tmp_path / "program.py")
    (cause,) = caught.value.causes
    assert (cause.kind, cause.site.line, cause.site.text) == (
        "custom-gradient-wrong-shape",
        5,
        "tf.reshape(upstream, [2, 1])",
    )


def test_a_jacobian_of_several_targets(tmp_path):
    text = "w = tf.Variable([1.0])\nwith tf.GradientTape() as tape:\n    y = w * w\ntape.jacobian([y, y], w)\n"
    (cause,) = raised(text, tmp_path)
    assert (cause.kind, cause.site.line) == ("target-not-a-tensor", 4)
    assert cause.sentence.startswith("`[y, y]` holds several tensors")


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    text, kind, sites, shapes = CASES[name]
    (cause,) = raised(text, tmp_path, np=np)
    assert told(cause) == (kind, sites, shapes)
    assert cause.symptom == "exception"
    assert cause.help


SENTENCES = {
    "spent": "A non-persistent GradientTape can only be used to compute one set of gradients",
    "upstream shape": "Input to reshape is a tensor with 3 values, but the requested shape has 2",
    "custom gradient, shape": "Input to reshape is a tensor with 1 values, but the requested shape has 2",
    "custom gradient, count": "custom_gradient function expected to return 1 gradients, but returned 2 instead.",
    "shapes": "Incompatible shapes: [3] vs. [2]",
    "dtypes in the forward pass": "was expected to be a float tensor but is a double tensor",
    "no gradient registered": "gradient registry has no entry for: ResizeArea",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_message_keeps_tensorflows_sentence_and_shows_the_line(name, tmp_path):
    text, _, sites, _ = CASES[name]
    with pytest.raises(Exception) as caught:
        run(text, tmp_path / "program.py", np=np)
    shown = "".join(traceback.format_exception(caught.value))
    assert SENTENCES[name] in shown
    assert f"│ {sites[0][1]}" in shown or sites[0][1] in shown
    assert "help: " in shown


def test_other_peoples_exceptions_are_left_alone(tmp_path):
    with pytest.raises(ZeroDivisionError) as caught:
        run("1 / 0", tmp_path / "program.py")
    assert causes_of(caught.value) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("custom gradient, shape", "returned float32 () for an argument of float32 (2,)"),
        ("custom gradient, dtype", "returned float64 (2,) for an argument of float32 (2,)"),
    ],
)
def test_what_a_custom_gradient_returned_is_said_beside_its_argument(name, said, tmp_path):
    (cause,) = raised(CASES[name][0], tmp_path)
    assert cause.sentence.endswith(said)


def test_a_list_of_sources_is_refused_for_what_it_holds(tmp_path):
    (cause,) = raised(
        """
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 2.0
        tape.gradient(y, ["w"])
        """,
        tmp_path,
    )
    assert cause.kind == "source-not-a-tensor"
    assert cause.sentence == "`['w']` holds a str: a gradient is taken for variables and tensors"


def test_a_second_derivative_asked_of_a_spent_tape(tmp_path):
    (cause,) = raised(
        """
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3
        slope = tape.gradient(y, x)
        tape.gradient(slope, x)
        """,
        tmp_path,
    )
    assert cause.kind == "tape-used-twice"
    assert "outer.gradient(g, x)" in cause.help  # and not persistent=True, with which it would be None
