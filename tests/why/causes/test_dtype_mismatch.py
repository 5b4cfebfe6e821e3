"""The explanation of `dtype-mismatch`."""

import pickle

import pytest

import whygrad as tf
from tests.support.explanations import Raised, Refused, checks
from tests.support.programs import facts_of, raised

# Line 1 of each program is empty.
CASES = {
    "upstream dtype": Raised(
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
    "custom gradient, dtype": Raised(
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
    "dtypes in the gradient function": Raised(
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
    "dtypes in the forward pass": Raised(
        """
        w = tf.Variable([1.0, 2.0])
        data = tf.constant(np.ones(2))
        y = w * data
        """,
        "dtype-mismatch",
        [(4, "w * data", "failed here"), (3, "tf.constant(np.ones(2))", "made here")],
        {"w": "float32 (2,)", "data": "float64 (2,)"},
        message="was expected to be a float tensor but is a double tensor",
    ),
    "a string beside a float": Refused(
        """
        price, tax = tf.constant(["1.5"]), tf.Variable(0.5)
        y = price * tax
        """,
        "dtype-mismatch",
        (3, "price * tax"),
        {"price": "string (1,)", "tax": "float32 ()"},
        "`tax` is float32",
        "tf.strings.to_number(price, tf.float32) reads a number",
    ),
    "an integer beside a float": Refused(
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        x = tf.constant([1, 2, 3])
        y = w * x
        """,
        "dtype-mismatch",
        (4, "w * x"),
        {"w": "float32 (3,)", "x": "int32 (3,)"},
        "`w` is float32 and `x` is int32",
        "tf.cast(x, tf.float32), or write 1.0 for 1",
    ),
    "an integer before a float": Refused(
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        y = tf.constant([1, 2, 3]) / w
        """,
        "dtype-mismatch",
        (3, "tf.constant([1, 2, 3]) / w"),
        {"tf.constant([1, 2, 3])": "int32 (3,)", "w": "float32 (3,)"},
        "`tf.constant([1, 2, 3])` is int32 and `w` is float32",
        "tf.cast(tf.constant([1, 2, 3]), tf.float32)",
    ),
    "a NumPy array": Refused(
        """
        w = tf.Variable([1.0, 2.0])
        data = np.ones(2)
        w.assign_sub(tf.constant(data))
        """,
        "dtype-mismatch",
        (4, "w.assign_sub(tf.constant(data))"),
        {"w": "float32 (2,)", "tf.constant(data)": "float64 (2,)"},
        "`w` is float32 and `tf.constant(data)` is float64",
        "tf.cast(tf.constant(data), tf.float32)",
    ),
    "a fraction for integers": Refused(
        """
        count = tf.constant([1, 2])
        y = 2.5 * count
        """,
        "dtype-mismatch",
        (3, "2.5 * count"),
        {"count": "int32 (2,)"},
        "`count` is int32 and takes no fractions such as `2.5`",
        "tf.cast(count, tf.float32)",
    ),
    "a condition": Refused(
        """
        mask = tf.constant([1.0, 0.0])
        y = tf.where(mask, tf.ones(2), tf.zeros(2))
        """,
        "dtype-mismatch",
        (3, "tf.where(mask, tf.ones(2), tf.zeros(2))"),
        {"mask": "float32 (2,)", "tf.ones(2)": "float32 (2,)", "tf.zeros(2)": "float32 (2,)"},
        "the condition `mask` is float32, not bool",
        "mask > 0",
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_conversions_that_fail_say_where():
    x = tf.constant([1, 2])
    with pytest.raises(TypeError, match=r"Cannot convert 2\.5 to EagerTensor of dtype int32") as caught:
        x * 2.5
    (cause,) = caught.value.causes
    assert (cause.kind, cause.site.text) == ("dtype-mismatch", "x * 2.5")
    assert type(caught.value).__name__ == "TypeError"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again)) == (TypeError, str(caught.value))


def test_the_operand_to_change_is_shown_where_it_was_made(tmp_path):
    (cause,) = raised("w = tf.Variable([1.0])\nx = tf.constant([1])\ny = w * x\n", tmp_path)
    assert facts_of(cause) == (
        "dtype-mismatch",
        [(3, "w * x", "failed here"), (2, "tf.constant([1])", "made here")],
        {"w": "float32 (1,)", "x": "int32 (1,)"},
    )


def test_the_dtype_of_the_variable_is_the_intended_one(tmp_path):
    """The odd one of float32 and float64 is the one that no variable led to, whichever it is."""
    (cause,) = raised(
        """
        k = tf.Variable(0.5, dtype=tf.float64)
        h = tf.constant(0.1)
        with tf.GradientTape() as tape:
            a = -k * 2.0
            v = h * a
        """,
        tmp_path,
    )
    assert (cause.kind, cause.sentence) == ("dtype-mismatch", "`h` is float32 and `a` is float64")
    assert "tf.cast(h, tf.float64)" in cause.help
    assert [(site.line, site.text) for site in cause.sites] == [(6, "h * a"), (3, "tf.constant(0.1)")]
    (cause,) = raised(
        """
        w = tf.Variable([0.5])
        x = tf.constant([1.0], tf.float64)
        with tf.GradientTape() as tape:
            y = x * (w * 2.0)
        """,
        tmp_path,
    )
    assert "tf.cast(x, tf.float32)" in cause.help


def test_the_returned_dtype_is_named_beside_the_arguments_dtype(tmp_path):
    (cause,) = raised(CASES["custom gradient, dtype"].program, tmp_path)
    assert cause.sentence.endswith("returned float64 (2,) for an argument of float32 (2,)")
