"""`whygrad.numpy` in compiled functions: values and gradients equal those of eager execution."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from tests.numpy.rows import ROWS
from tests.numpy.test_against_numpy import flat

# What these return (a Python bool), or how long it is, is decided by values.
NEED_VALUES = {
    "allclose", "argwhere", "arange value", "flatnonzero", "histogram", "histogram density", "histogram_bin_edges",
    "nonzero", "real_if_close", "trim_zeros", "unique", "where indices",
}  # fmt: skip


def _with_gradients(row):
    def run(*sources):
        with tf.GradientTape() as tape:
            tape.watch(sources)
            results = flat(row.function(wnp, *sources))
            outputs = [each if isinstance(each, tf.Tensor) else tf.constant(each) for each in results]
        if not row.order:
            return outputs, []
        floats = [each for each in outputs if each.dtype.is_floating or each.dtype.is_complex]
        gradients = tape.gradient(floats, list(sources), unconnected_gradients="zero")
        return outputs, [tf.convert_to_tensor(gradient) for gradient in gradients]

    return run


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", [row for row in ROWS if row.name not in NEED_VALUES], ids=str)
def test_compiled_results_equal_those_of_eager_execution(row):
    sources = [tf.constant(array) for array in row.draw("float64")]
    run = _with_gradients(row)
    for given, wanted in zip(tf.function(run)(*sources), run(*sources)):
        assert len(given) == len(wanted)
        for mine, other in zip(given, wanted):
            assert mine.dtype == other.dtype
            assert mine.shape == other.shape
            if mine.dtype != tf.string:
                np.testing.assert_allclose(mine.numpy(), other.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("row", [row for row in ROWS if row.name in NEED_VALUES], ids=str)
def test_the_error_of_functions_that_need_values(row):
    @tf.function(jit_compile=True)
    def step(*sources):
        return [tf.convert_to_tensor(each) for each in flat(row.function(wnp, *sources))]

    sources = [tf.constant(array) for array in row.draw("float64")]
    with pytest.raises((TypeError, NotImplementedError), match="inside `step`, which is being compiled"):
        step(*sources)


@pytest.mark.parametrize("jit_compile", [None, True])
def test_a_compiled_remainder_of_zero_has_the_divisors_sign(jit_compile):
    zeros = tf.function(wnp.remainder, jit_compile=jit_compile)(tf.constant([-0.0, 6.0]), tf.constant([3.0, -3.0]))
    assert np.signbit(zeros.numpy()).tolist() == [False, True]
