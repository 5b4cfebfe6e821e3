"""The table of ops in compiled functions: values and gradients equal those of eager execution."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES

RTOL = {"float32": 2e-5, "float64": 1e-10, "complex64": 5e-5, "complex128": 1e-10}


def _outputs_and_gradients(case, sources):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        outputs = tf.nest.flatten(case.function(tf, *sources))
    floats = [output for output in outputs if output.dtype.is_floating or output.dtype.is_complex]
    gradients = tape.gradient(floats, sources) if floats else []
    return outputs, [None if g is None else tf.convert_to_tensor(g) for g in gradients]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", [case for case in CASES if case.compiled], ids=str)
def test_compiled_results_equal_those_of_eager_execution(case):
    for dtype in ("float32", *(["complex128"] if case.complex else [])):
        if dtype not in (*case.dtypes, "complex128"):
            dtype = case.dtypes[0]
        sources = [tf.constant(array) for array in case.draw(dtype)]
        expected = _outputs_and_gradients(case, sources)
        found = tf.function(lambda *given: _outputs_and_gradients(case, list(given)))(*sources)
        rtol = max(case.rtol.get(dtype, 0.0), RTOL.get(dtype, 2e-2))
        for what, mine, other in zip(("value", "gradient"), found, expected):
            assert len(mine) == len(other)
            for i, (a, b) in enumerate(zip(mine, other)):
                label = f"{dtype} {what} {i}"
                if a is None or b is None:  # a loop over nothing is still there when it is compiled
                    assert a is b or not a.shape.num_elements(), f"{label}: compiled {a}, op by op {b}"
                    continue
                assert a.dtype == b.dtype, f"{label}: dtype"
                assert a.shape == b.shape, f"{label}: shape"
                given, wanted = a.numpy(), b.numpy()
                if wanted.dtype.kind not in "fcV":
                    np.testing.assert_array_equal(given, wanted, err_msg=label)
                    continue
                given, wanted = np.asarray(given, complex), np.asarray(wanted, complex)
                scale = float(np.max(np.abs(wanted), where=np.isfinite(wanted), initial=0.0))
                np.testing.assert_allclose(given, wanted, rtol=rtol, atol=rtol * scale, err_msg=label)
