"""The memory layout of an array makes no difference: transposed, with gaps, or backwards, the numbers are the same."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES
from whygrad.values.tensor import wrap


def _with_gaps(array):
    room = np.full([2 * size for size in array.shape], 7, array.dtype)
    view = room[(slice(None, None, 2),) * array.ndim]
    view[...] = array
    return view


def _backwards(array):
    return np.flip(np.flip(array).copy())


LAYOUTS = {"transposed": np.asfortranarray, "with gaps": _with_gaps, "backwards": _backwards}


def _outcome(case, dtype, lay_out, upstream_of=None):
    """What a row gives, and the gradients of it, where inputs and upstream gradients lie so in memory."""

    def laid_out(array, dtype):
        return wrap(lay_out(np.asarray(array, dtype)) if np.ndim(array) else np.array(array, dtype))

    tf.random.set_seed(0)
    sources = [laid_out(array, array.dtype) for array in case.draw(dtype)]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        results = case.function(tf, *sources)
    targets = [tf.convert_to_tensor(each) for each in tf.nest.flatten(results)]
    followed = [each for each in targets if each.dtype.is_floating or each.dtype.is_complex]
    rng = np.random.default_rng(1)
    upstream = [laid_out(rng.normal(size=each.shape), each.dtype.numpy_dtype) for each in followed]
    if upstream_of is not None:
        upstream = [wrap(upstream_of(tuple(each.shape), each.dtype.numpy_dtype)) for each in followed]
    gradients = tape.gradient(followed, sources, upstream)
    return [each if each is None else tf.convert_to_tensor(each).numpy() for each in (*targets, *gradients)]


@pytest.mark.parametrize("case", [c for c in CASES if c.inputs], ids=str)
def test_the_numbers_do_not_depend_on_the_layout(case):
    dtype = "float64" if "float64" in case.dtypes else case.dtypes[0]
    expected = _outcome(case, dtype, np.ascontiguousarray)
    for name, lay_out in LAYOUTS.items():
        _check_equal(_outcome(case, dtype, lay_out), expected, name)


@pytest.mark.parametrize("case", [c for c in CASES if c.inputs], ids=str)
def test_an_upstream_gradient_may_be_one_number_seen_many_times(case):
    """A read-only broadcast array, as the upstream gradient of a sum is."""
    dtype = "float64" if "float64" in case.dtypes else case.dtypes[0]
    full = _outcome(case, dtype, np.ascontiguousarray, lambda shape, dtype: np.full(shape, 0.75, dtype))
    seen = _outcome(
        case, dtype, np.ascontiguousarray, lambda shape, dtype: np.broadcast_to(np.array(0.75, dtype), shape)
    )
    _check_equal(seen, full, "one number")


def _check_equal(found, expected, layout):
    for mine, wanted in zip(found, expected, strict=True):
        if wanted is None or wanted.dtype.kind == "O":
            assert (mine is None) == (wanted is None)
        else:
            # The order of sums differs, and some ops on images compute in float32, whatever they are given.
            np.testing.assert_allclose(mine, wanted, rtol=2e-6, atol=1e-6, err_msg=layout)
