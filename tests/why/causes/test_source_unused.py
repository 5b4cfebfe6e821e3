"""The explanation of `source-unused`."""

import threading

import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, checks
from tests.support.programs import cause_of_warning, traced, warned

# Line 1 of each program is empty.
CASES = {
    "unused": NoGradient(
        """
        a, b = tf.Variable(1.0), tf.Variable([[2.0]])
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [a, b])
        """,
        "source-unused",
        [(2, "tf.Variable([[2.0]])", "made here"), (5, "tape.gradient(y, [a, b])", "asked here")],
        {"b": "float32 (1, 1)"},
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_names_as_the_program_writes_them(tmp_path):
    (cause,) = traced(
        """
        class Model:
            def __init__(self):
                self.kernel = tf.Variable([1.0])
                self.bias = tf.Variable([0.5])
        model = Model()
        with tf.GradientTape() as tape:
            loss = model.kernel * 2.0
        tape.gradient(loss, [model.kernel, model.bias])
        """,
        tmp_path,
    )
    assert cause.sentence == (
        "the gradient of `loss` with respect to `model.bias` is None: `loss` does not depend on it; `loss` depends on "
        "`model.kernel`"
    )
    assert (cause.site.line, cause.site.column, cause.site.text) == (5, 20, "tf.Variable([0.5])")


def test_logging_is_no_cause(tmp_path):
    (cause,) = traced(
        """
        w, b = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            wanted = b * 3.0
            print("wanted", float(wanted), wanted.numpy())
            loss = w * 2.0
        tape.gradient(loss, [w, b])
        """,
        tmp_path,
    )
    assert cause.kind == "source-unused"


def test_zero_for_unconnected_is_silent(tmp_path):
    text = CASES["unused"].program.replace("[a, b])", '[a, b], unconnected_gradients="zero")')
    assert traced(text, tmp_path) == []
    assert warned(text, tmp_path) == []


def test_the_sources_that_the_target_depends_on_are_named(tmp_path):
    (cause,) = traced(
        """
        layer = {"kernel": tf.Variable(1.0), "bias": tf.Variable(2.0)}
        with tf.GradientTape() as tape:
            y = layer["kernel"] * 2.0
        tape.gradient(y, list(layer.values()))
        """,
        tmp_path,
    )
    assert cause.sentence.endswith("`y` does not depend on it; `y` depends on `layer['kernel']`")


def test_which_of_two_branches_made_the_target_is_not_guessed(tmp_path):
    (cause,) = traced(
        """
        w, other, flag = tf.Variable(3.0), tf.Variable(1.0), True
        with tf.GradientTape() as tape:
            half = w / 2.0
            if flag:
                loss = other * 2.0
            else:
                loss = other * 3.0
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    assert cause.kind == "source-unused"
    assert [(site.line, site.role) for site in cause.sites] == [
        (4, "not used further"),
        (2, "made here"),
        (9, "asked here"),
    ]


def test_lines_that_run_after_the_call_are_no_site_of_a_cause(tmp_path):
    text = """
    x = tf.Variable([2.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(3.0 * x)
        z = tf.reduce_sum(tf.constant([1.0]))
    tape.gradient(z, x)
    y = tf.constant(1.0)
    z = tf.constant(2.0)
    """
    for found_in in (traced, warned):
        (cause,) = found_in(text, tmp_path)
        assert cause.kind == "source-unused"
        assert {site.line for site in cause.sites} <= {2, 4, 5, 6}


def test_a_dependence_through_another_thread_is_not_denied():
    x, made = tf.Variable(2.0), []
    with tf.GradientTape() as tape:
        worker = threading.Thread(target=lambda: made.append(x**2))
        worker.start()
        worker.join()
        y = made[0] * 3.0
    cause = cause_of_warning(lambda: tape.gradient(y, x))
    assert "nothing that the tape recorded leads from it to `y`" in cause.sentence


def test_a_dependence_computed_before_the_tape_is_not_denied():
    w = tf.Variable(2.0)
    features = w * 3.0
    with tf.GradientTape() as tape:
        loss = features**2
    cause = cause_of_warning(lambda: tape.gradient(loss, w))
    assert "nothing that the tape recorded leads from it to `loss`" in cause.sentence
    assert "inside the with block (what was computed before it, or in another thread, is a constant" in cause.help
