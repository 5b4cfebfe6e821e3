"""The table of ops on whygrad and on TensorFlow: values, dtypes, gradients, None-ness, second derivatives, exceptions."""

import numpy as np
import pytest

import whygrad
from tests.ops.table import BAD_INPUT, CASES

pytestmark = pytest.mark.tensorflow

RTOL = {"float16": 4e-3, "bfloat16": 3e-2, "float32": 3e-5, "float64": 1e-10, "complex64": 5e-5, "complex128": 1e-10}


def _run(tf, case, arrays, order):
    """Outputs, gradients and second derivatives of a row as lists of arrays, dtype names or None."""
    sources = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            outputs = tf.nest.flatten(case.function(tf, *sources))
        gradients = tape.gradient(outputs, sources)
        dense = [tf.convert_to_tensor(g) for g in gradients if g is not None]
        squares = [g * g for g in dense]
    second = outer.gradient(squares, sources) if order > 1 and dense else []
    sparse = [type(g).__name__ == "IndexedSlices" for g in gradients]
    return [_plain(tf, part) for part in (outputs, gradients, second)], sparse


def _plain(tf, tensors):
    return [None if t is None else (tf.convert_to_tensor(t).numpy(), t.dtype.name) for t in tensors]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", [c for c in CASES if c.tensorflow], ids=str)
def test_same_numbers_as_tensorflow(real_tf, case):
    for dtype in (*case.dtypes, *(["complex128"] if case.complex else [])):
        arrays = case.draw(dtype)
        order = 2 if case.second and case.order > 1 and dtype == "float64" else 1
        ours, our_sparse = _run(whygrad, case, arrays, order)
        theirs, their_sparse = _run(real_tf, case, arrays, order)
        assert our_sparse == their_sparse, f"{dtype}: IndexedSlices or dense"
        rtol = case.rtol.get(dtype, RTOL[dtype])
        for what, mine, other in zip(("value", "gradient", "second derivative"), ours, theirs):
            assert len(mine) == len(other)
            for i, (a, b) in enumerate(zip(mine, other)):
                label = f"{dtype} {what} {i}"
                assert (a is None) == (b is None), f"{label}: whygrad {a}, TensorFlow {b}"
                if a is None:
                    continue
                assert a[1] == b[1], f"{label}: dtype"
                assert np.shape(a[0]) == np.shape(b[0]), f"{label}: shape"
                if a[0].dtype.kind in "OSb":
                    np.testing.assert_array_equal(a[0], b[0], err_msg=label)
                else:
                    finite = np.abs(np.asarray(b[0], dtype=complex))
                    scale = float(np.max(finite, where=np.isfinite(finite), initial=0.0))
                    # Sums are taken in another order than TensorFlow's: elements near zero are compared with the largest.
                    np.testing.assert_allclose(
                        np.asarray(a[0], dtype=complex),
                        np.asarray(b[0], dtype=complex),
                        rtol=rtol,
                        atol=rtol * scale,
                        err_msg=label,
                    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", [c for c in BAD_INPUT if c.tensorflow], ids=str)
def test_same_exception_as_tensorflow(real_tf, case):
    error = getattr(real_tf.errors, case.error) if isinstance(case.error, str) else case.error
    with pytest.raises(error) as caught:
        case.function(real_tf)
    assert case.sentence in str(caught.value)
