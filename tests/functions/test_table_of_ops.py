"""The table of ops in functions that run op by op: values and gradients equal those of eager execution."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES

pytestmark = pytest.mark.usefixtures("without_jax")


def _outputs_and_gradients(case, sources):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        outputs = tf.nest.flatten(case.function(tf, *sources))
    floats = [output for output in outputs if output.dtype.is_floating or output.dtype.is_complex]
    gradients = tape.gradient(floats, sources) if floats else []
    return outputs, [None if g is None else tf.convert_to_tensor(g) for g in gradients]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", [case for case in CASES if case.compiled], ids=str)
def test_results_and_gradients_equal_those_of_eager_execution(case):
    for dtype in ("float32", *(["complex128"] if case.complex else [])):
        if dtype not in (*case.dtypes, "complex128"):
            dtype = case.dtypes[0]
        sources = [tf.constant(array) for array in case.draw(dtype)]
        expected = _outputs_and_gradients(case, sources)
        found = tf.function(lambda *given: _outputs_and_gradients(case, list(given)))(*sources)
        for mine, other in zip(found, expected):
            assert len(mine) == len(other)
            for a, b in zip(mine, other):
                if a is None or b is None:
                    assert a is b
                    continue
                assert (a.dtype, a.shape) == (b.dtype, b.shape)
                if a.dtype == tf.string:
                    assert a.numpy().tolist() == b.numpy().tolist()
                else:
                    np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-6, atol=1e-7)
