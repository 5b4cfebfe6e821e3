"""The explanation of `not-finite-when-compiled`."""

from tests.support.programs import raised


def test_a_replay_with_finite_results(check_numerics, tmp_path):
    program = """
    @tf.function
    def f(x):
        return tf.math.log(x * x)
    f(tf.constant([1e-20]))
    """
    (cause,) = raised(program, tmp_path)
    assert cause.kind == "not-finite-when-compiled"
    assert cause.sentence.endswith("the same call, run again op by op, is finite")
    assert (cause.site.line, cause.site.text) == (5, "f(tf.constant([1e-20]))")
