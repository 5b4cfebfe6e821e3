"""The explanation of `non-differentiable-op`."""

import numpy as np
import pytest

from tests.support.explanations import NoGradient, Zero, checks
from tests.support.programs import traced, warned

# Line 1 of each program is empty.
CASES = {
    "a comparison": NoGradient(
        """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.cast(w > 0.5, tf.float32))
        tape.gradient(y, w)
        """,
        "non-differentiable-op",
        [(4, "w > 0.5", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "an input without a rule": NoGradient(
        """
        w = tf.Variable([2.2, 2.7])
        with tf.GradientTape() as tape:
            y = tf.math.zeta(w, tf.ones_like(w))
        tape.gradient(y, w)
        """,
        "non-differentiable-op",
        [(4, "tf.math.zeta(w, tf.ones_like(w))", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
        ["zeta has no gradient for its input `x`"],
    ),
    "a sign": Zero(
        """
        w = tf.Variable([0.4, -0.2])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sign(w) * 3.0 + 1.0)
        tape.gradient(y, w)
        """,
        "non-differentiable-op",
        [(4, "tf.sign(w)", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
        ["tf.sign is constant on each side of a step, so its slope is 0"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_the_op_has_the_name_that_the_program_uses(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([3.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.cast(tf.argsort(w), tf.float32)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert "argsort cuts the path" in cause.sentence


@pytest.mark.parametrize("found_in", [traced, warned])
@pytest.mark.parametrize(
    ("op", "instead"),
    [
        ("tf.round(w)", "w + tf.stop_gradient(tf.round(w) - w)"),
        ("tf.floor(w * 8)", "w * 8 + tf.stop_gradient(tf.floor(w * 8) - w * 8)"),
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
    assert cause.help.endswith(f"write {instead}")
    assert found_in(program.format(instead), tmp_path) == []


ZEROS = 'unconnected_gradients="zero"'


def test_zeros_are_offered_where_something_else_has_a_gradient(tmp_path):
    program = """
    w, gate = tf.Variable([0.4, 1.2]), {gate}
    with tf.GradientTape() as tape:
        tape.watch(gate)
        loss = tf.reduce_sum({loss})
    tape.gradient(loss, [w, gate])
    """
    trained = "tf.constant(0.7)", "w * tf.round(gate)"
    (cause,) = traced(program.format(gate=trained[0], loss=trained[1]), tmp_path)
    assert ZEROS in cause.help
    (cause,) = traced(program.format(gate="tf.Variable(0.7)", loss="w * tf.round(gate)"), tmp_path)
    assert ZEROS in cause.help
    (cause,) = traced(program.format(gate="tf.Variable(0.7)", loss="tf.round(w * gate)"), tmp_path)
    assert ZEROS not in cause.help  # nothing is trained at all: zeros would hide it


def test_what_to_use_in_place_of_two_ops_in_a_row(tmp_path):
    (cause,) = traced(
        """
        p, y = tf.Variable([0.2, 0.8, 0.7]), tf.constant([0.0, 1.0, 0.0])
        with tf.GradientTape() as tape:
            right = tf.math.count_nonzero(tf.equal(tf.round(p), y), dtype=tf.float32)
        tape.gradient(right, p)
        """,
        tmp_path,
    )
    assert cause.site.text == "tf.round(p)"
    assert cause.help.startswith("in place of it and of tf.equal after it, use a distance of the operands")


@pytest.mark.parametrize("found_in", [traced, warned])
@pytest.mark.parametrize(
    ("op", "chosen", "instead"),
    [
        ("np.argmin(np.abs(p - 1.0))", "table[{}]", "a softmax, which weights all positions"),
        ("np.searchsorted(table, p[0])", "table[{}]", "an interpolation (np.interp)"),
        ("np.argsort(p)", "np.sum(table[np.asarray({})] * table)", "ranks that sum sigmoids of differences"),
    ],
)
def test_an_index_that_numpy_takes(found_in, op, chosen, instead, tmp_path):
    program = f"""
        table = np.array([0.5, 1.5, 2.5])

        def height(p):
            index = {op}
            return {chosen.format("index")}

        tf.grad(height)(np.array([0.7, 1.9, 2.0]))
        """
    (cause,) = found_in(program, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("non-differentiable-op", op)
    assert instead in cause.help


@pytest.mark.parametrize(
    ("op", "name", "help"),
    [
        ("np.round(p, 1)", "round", "write p + whygrad.stop_gradient(np.round(p, 1) - p)"),
        ("p // 0.5", "`p // 0.5`", "use ops that have a gradient"),
    ],
)
def test_a_step_function_of_numpys(op, name, help, tmp_path):
    program = f"""
        def total(p):
            return np.sum({op})

        tf.grad(total)(np.array([0.7, 1.9]))
        """
    (cause,) = warned(program, tmp_path, np=np)
    assert f"{name} cuts the path (it is a step function" in cause.sentence
    assert help in cause.help


def test_an_index_that_only_reports_is_not_the_cause(tmp_path):
    program = """
        def height(p):
            print(np.argmin(p))
            return np.array([1.0, 2.0])[0]

        tf.grad(height)(np.array([0.7, 1.9]))
        """
    (cause,) = traced(program, tmp_path, np=np)
    assert cause.kind == "source-unused"


@pytest.mark.parametrize(
    ("term", "op", "instead"),
    [
        ("2.0 * tf.reduce_sum(tf.cast(x > 1.0, tf.float32))", "`x > 1.0`", "a sigmoid of the difference"),
        ("tf.cast(tf.argmax(x), tf.float32)", "tf.argmax", "a softmax, which weights all positions"),
    ],
)
def test_a_term_without_a_gradient(term, op, instead, tmp_path):
    program = f"""
        x = tf.Variable([0.5, 2.0])
        with tf.GradientTape() as tape:
            fit = tf.reduce_sum(x**2)
            loss = fit + {term}
        tape.gradient(loss, x)
        """
    (cause,) = traced(program, tmp_path)
    assert (cause.kind, cause.symptom, cause.likely) == ("non-differentiable-op", "wrong_value", True)
    assert f"`{term}` has none, because {op} does not change under a small step" in cause.sentence
    assert f"in its place use {instead}" in cause.help


@pytest.mark.parametrize(
    "term",
    [
        "0.5 * tf.cast(tf.shape(x)[0], tf.float32)",
        "0.5 * tf.cast(tf.constant([1.0, 2.0])[0] > 1.0, tf.float32)",
        "tf.reduce_sum(tf.where(x > 1.0, x, 0.0))",
        "tf.reduce_sum(x * tf.cast(x > 1.0, tf.float32))",
        "tf.reduce_sum(tf.round(tf.random.normal([2])))",
    ],
)
def test_terms_that_lack_nothing(term, tmp_path):
    program = f"""
        x = tf.Variable([0.5, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x**2) + {term}
        tape.gradient(loss, x)
        """
    assert traced(program, tmp_path) == []


@pytest.mark.parametrize(
    "counted",
    ["(b + s > 0.3).sum()", "np.sum((b + s > 0.3).astype(int)) * 1.0", "np.mean(b + s > 0.3)"],
)
def test_a_comparison_that_is_counted_needs_a_sigmoid(counted, tmp_path):
    program = f"""
        b = np.linspace(0.0, 1.0, 5)

        def share(s):
            return {counted} / 5

        tf.grad(share)(0.1)
        """
    (cause,) = warned(program, tmp_path, np=np)
    assert (cause.kind, cause.site.text) == ("non-differentiable-op", "b + s > 0.3")
    assert cause.help.startswith("in its place use a sigmoid of the difference of the operands")


def test_a_comparison_that_chooses_from_a_table_is_no_count(tmp_path):
    program = """
        b = np.linspace(0.0, 1.0, 5)

        def chosen(s):
            return b[(s > 0.3).astype(int)] * 1.0

        tf.grad(chosen)(0.1)
        """
    (cause,) = warned(program, tmp_path, np=np)
    assert "interpolation" in cause.help
