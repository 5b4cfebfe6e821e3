"""Linear algebra beyond the table of ops: batches with bad members, sparse values, order of summation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whygrad as tf


def test_cholesky_gives_nan_for_the_matrix_that_is_not_positive_definite_and_no_other():
    factors = tf.linalg.cholesky([[[4.0, 0.0], [0.0, 9.0]], [[-1.0, 0.0], [0.0, 1.0]]]).numpy()
    np.testing.assert_array_equal(factors[0], [[2.0, 0.0], [0.0, 3.0]])
    assert np.isnan(factors[1][np.tril_indices(2)]).all()


def test_svd_gives_nan_for_the_matrix_with_nan_and_no_other():
    s = tf.linalg.svd([[[1.0, 0.0], [0.0, 2.0]], [[np.nan, 0.0], [0.0, 1.0]]], compute_uv=False).numpy()
    np.testing.assert_allclose(s[0], [2.0, 1.0])
    assert np.isnan(s[1]).all()


@pytest.mark.parametrize("decomposition", [lambda x: tf.linalg.eigh(x)[1], lambda x: tf.linalg.svd(x)[1]])
def test_equal_eigenvalues_and_singular_values_leave_finite_gradients(decomposition):
    x = tf.constant(np.eye(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = decomposition(x)
    assert np.isfinite(tape.gradient(y, x).numpy()).all()


def test_half_precision_products_are_summed_in_float32():
    a = tf.ones((1, 4096), tf.float16)
    assert tf.matmul(a, a, transpose_b=True).numpy() == 4096  # in float16 the sum would stop at 2048
    assert tf.einsum("ij,ij->i", a, a).numpy() == 4096
    assert tf.linalg.trace(tf.eye(4096, dtype=tf.bfloat16)).numpy() == 4096


def test_the_gradient_of_one_matrix_for_a_batch_is_one_product():
    a, b = tf.constant(np.random.default_rng(0).normal(size=(5, 4, 3))), tf.Variable(np.ones((3, 2)))
    with tf.GradientTape() as tape:
        y = a @ b
    np.testing.assert_allclose(tape.gradient(y, b).numpy(), np.einsum("bij->j", a.numpy())[:, None] * np.ones(2))


def test_operands_of_matmul_take_the_dtype_of_the_first():
    a = tf.ones((2, 2))
    assert (a @ np.ones((2, 2))).dtype == tf.matmul(a, [[1, 2], [3, 4]]).dtype == tf.float32
    assert (np.ones((2, 2)) @ a).dtype == tf.float32
    assert tf.matmul(tf.ones((2, 2), tf.bfloat16), a, a_is_sparse=True).dtype == tf.float32
    assert tf.matmul(tf.ones((2, 2), tf.int8), tf.ones((2, 2), tf.int8), output_type=tf.int32).dtype == tf.int32


@pytest.mark.parametrize(
    ("a", "b", "wanted", "accepted"),
    [
        (tf.int8, tf.uint8, tf.int32, True),
        (tf.bfloat16, tf.int8, tf.bfloat16, True),
        (tf.uint8, tf.bfloat16, tf.bfloat16, True),
        (tf.bfloat16, tf.bfloat16, tf.float32, False),
        (tf.float32, tf.float32, tf.float64, False),
        (tf.int8, tf.int8, tf.float32, False),
    ],
)
def test_products_of_mixed_dtypes(a, b, wanted, accepted):
    x, y = tf.constant([[1, 2]], a), tf.constant([[3], [4]], b)
    if accepted:
        product = tf.matmul(x, y, output_type=wanted)
        assert (product.dtype, product.numpy().tolist()) == (wanted, [[11]])
    else:
        with pytest.raises(tf.errors.NotFoundError, match="Could not find device for node"):
            tf.matmul(x, y, output_type=wanted)


@pytest.mark.parametrize("wanted", [None, tf.float32, tf.bfloat16])
def test_a_product_of_bfloat16_and_float32_is_float32(wanted):
    a, b = tf.Variable([[1.0, 2.0]], dtype=tf.bfloat16), tf.Variable([[3.0], [4.0]])
    with tf.GradientTape() as tape:
        y = tf.matmul(a, b, output_type=wanted)
    assert (y.dtype, y.numpy().tolist()) == (tf.float32, [[11.0]])
    assert [(g.dtype, g.numpy().tolist()) for g in tape.gradient(y, [a, b])] == [
        (tf.bfloat16, [[3.0, 4.0]]), (tf.float32, [[1.0], [2.0]]),
    ]  # fmt: skip
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a bfloat16 tensor"):
        tf.matmul(tf.ones((1, 2, 2), tf.bfloat16), tf.ones((1, 2, 2)))


def test_clipping_keeps_sparse_gradients_sparse_and_none_none():
    slices = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([0, 2]), tf.constant([5, 1]))
    clipped = tf.clip_by_norm(slices, 1.0)
    np.testing.assert_allclose(clipped.values.numpy(), [[0.6], [0.8]])
    assert clipped.indices.numpy().tolist() == [0, 2]
    assert clipped.dense_shape.numpy().tolist() == [5, 1]
    (first, second, third), norm = tf.clip_by_global_norm([slices, None, tf.constant([12.0])], 6.5)
    assert second is None
    assert norm.numpy() == 13.0
    np.testing.assert_allclose(first.values.numpy(), [[1.5], [2.0]])
    np.testing.assert_allclose(third.numpy(), [6.0])


def test_clip_by_global_norm_with_a_norm_already_known():
    clipped, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 1.0, use_norm=tf.constant(10.0))
    np.testing.assert_allclose(clipped[0].numpy(), [0.3, 0.4])
    assert norm.numpy() == 10.0


def test_an_empty_list_has_norm_zero():
    assert tf.linalg.global_norm([]).numpy() == tf.linalg.global_norm([None]).numpy() == 0.0
    assert tf.clip_by_global_norm([], 1.0)[0] == []


def test_named_results():
    x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
    assert tf.linalg.qr(x)._fields == ("q", "r")
    assert tf.linalg.lu(x)._fields == ("lu", "p")
    assert tf.linalg.slogdet(x)._fields == ("sign", "log_abs_determinant")


def test_qr_with_all_of_q_has_no_gradient_for_a_tall_matrix():
    x = tf.constant(np.random.default_rng(0).normal(size=(4, 2)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        q, _ = tf.linalg.qr(x, full_matrices=True)
    with pytest.raises(NotImplementedError, match="nrows > ncols and full_matrices is true"):
        tape.gradient(q, x)


def test_a_singular_matrix_met_in_the_sweep_is_an_error_of_ours():
    x = tf.constant([[1.0, 2.0], [2.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.linalg.det(x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Input is not invertible"):
        tape.gradient(y, x)


def test_eigh_tridiagonal_selects():
    alpha, beta = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.5, 0.25, 0.125])
    everything = tf.linalg.eigh_tridiagonal(alpha, beta).numpy()
    np.testing.assert_allclose(everything, np.linalg.eigvalsh(np.diag(alpha) + np.diag(beta, -1)))
    some = tf.linalg.eigh_tridiagonal(alpha, beta, select="i", select_range=(1, 2)).numpy()
    np.testing.assert_allclose(some, everything[1:3])
    within, vectors = tf.linalg.eigh_tridiagonal(alpha, beta, eigvals_only=False, select="v", select_range=(1.5, 3.5))
    np.testing.assert_allclose(within.numpy(), [w for w in everything if 1.5 < w <= 3.5])
    assert vectors.shape == (4, len(within))


@st.composite
def equations(draw):
    """An equation of one to three operands over a few letters, with sizes that fit."""
    letters = "abcd"
    sizes = {letter: draw(st.integers(0, 3)) for letter in letters}
    operands = draw(st.lists(st.text(letters, max_size=4), min_size=1, max_size=3))
    present = sorted(set("".join(operands)))
    result = "".join(draw(st.permutations(present))[: draw(st.integers(0, len(present)))])
    implicit = draw(st.booleans())
    return ",".join(operands) + ("" if implicit else "->" + result), [[sizes[x] for x in own] for own in operands]


@settings(deadline=None, max_examples=200)
@given(equations())
def test_einsum_is_numpys(drawn):
    equation, shapes = drawn
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape) for shape in shapes]
    np.testing.assert_allclose(
        tf.einsum(equation, *[tf.constant(a) for a in arrays]).numpy(), np.einsum(equation, *arrays), atol=1e-12
    )


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_bands_that_are_taken_out_and_put_back(rows, columns, data):
    low = data.draw(st.integers(1 - rows, columns - 1))
    high = data.draw(st.integers(low, columns - 1))
    align = data.draw(st.sampled_from(["LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT"]))
    x = tf.constant(np.arange(1.0, 1 + 2 * rows * columns).reshape(2, rows, columns))
    band = tf.linalg.diag_part(x, k=(low, high), align=align)
    distance = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    inside = (distance >= low) & (distance <= high)
    put = tf.linalg.set_diag(tf.zeros_like(x), band, k=(low, high), align=align)
    np.testing.assert_array_equal(put.numpy(), np.where(inside, x.numpy(), 0))
    cleared = tf.linalg.set_diag(x, tf.zeros_like(band), k=(low, high), align=align)
    np.testing.assert_array_equal(cleared.numpy(), np.where(inside, 0, x.numpy()))
