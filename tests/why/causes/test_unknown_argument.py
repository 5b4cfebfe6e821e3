"""The explanation of a keyword argument that a function does not have."""

import pytest

from tests.support.programs import raised

PROGRAM = """
x = tf.constant([1.0, 2.0])
tape = tf.GradientTape()
y = {}
"""


@pytest.mark.parametrize(
    ("call", "function", "help"),
    [
        ("tf.reduce_sum(x, dim=0)", "tf.reduce_sum", "write axis=0"),
        ("tf.reduce_mean(x, reduction_indices=0)", "tf.reduce_mean", "write axis=0"),
        ("tf.random.normal(size=[2])", "tf.random.normal", "write shape=[2]"),
        ("tf.GradientTape(persist=True)", "tf.GradientTape", "write persistent=True"),
        ("tf.Variable(x, dtpye=tf.float32)", "tf.Variable", "write dtype=tf.float32"),
        ("tf.constant([1.0], requires_grad=True)", "tf.constant", "a tape watches each tf.Variable by itself"),
        ("tape.jacobian(x, x, quick=1)", "tape.jacobian", "it takes target, sources, unconnected_gradients"),
    ],
)
def test_what_to_write_is_named(call, function, help, tmp_path):
    (cause,) = raised(PROGRAM.format(call), tmp_path)
    assert (cause.kind, cause.site.text) == ("invalid-argument", call)
    assert cause.sentence.startswith(f"{function} has no argument `")
    assert cause.help.startswith(help)


def test_functions_of_the_program_are_left_alone(tmp_path):
    program = """
    def scaled(x, factor=2.0):
        return x * factor
    scaled(1.0, faktor=3.0)
    """
    assert raised(program, tmp_path) == []
