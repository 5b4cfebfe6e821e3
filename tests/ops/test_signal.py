"""Signals beyond the table of ops: inverses, transforms over any axes against NumPy, half spectra, user windows."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp

RNG = np.random.default_rng(0)
COMPLEX = RNG.normal(size=(3, 4, 5)) + 1j * RNG.normal(size=(3, 4, 5))


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize(("axes", "lengths"), [(None, None), ([1], None), ([0, -1], [4, 3]), ([2, 0], None)])
def test_transforms_over_any_axes_are_numpys(norm, axes, lengths):
    for name in ("fftn", "ifftn", "irfftn"):
        np.testing.assert_allclose(
            getattr(tf.signal, name + "d")(tf.constant(COMPLEX), lengths, axes, norm).numpy(),
            getattr(np.fft, name)(COMPLEX, lengths, axes, norm),
            atol=1e-12,
        )
    np.testing.assert_allclose(
        tf.signal.rfftnd(tf.constant(COMPLEX.real), lengths, axes, norm).numpy(),
        np.fft.rfftn(COMPLEX.real, lengths, axes, norm),
        atol=1e-12,
    )


@pytest.mark.parametrize("n", [1, 2, 7, 8])
def test_real_transforms_are_each_others_inverse(n):
    x = tf.constant(RNG.normal(size=(2, n)))
    np.testing.assert_allclose(tf.signal.irfft(tf.signal.rfft(x), [n]).numpy(), np.asarray(x), atol=1e-12)
    x = tf.constant(RNG.normal(size=(n, 3, n)))
    np.testing.assert_allclose(tf.signal.irfft3d(tf.signal.rfft3d(x), [n, 3, n]).numpy(), np.asarray(x), atol=1e-12)


@pytest.mark.parametrize("kind", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_cosine_transforms_are_scipys_and_orthogonal(kind, n):
    fft = pytest.importorskip("scipy.fft")
    x = RNG.normal(size=(2, n))
    np.testing.assert_allclose(tf.signal.dct(x, kind).numpy(), fft.dct(x, kind), atol=1e-12)
    orthogonal = tf.signal.dct(x, kind, norm="ortho")
    np.testing.assert_allclose(orthogonal.numpy(), fft.dct(x, kind, norm="ortho"), atol=1e-12)
    np.testing.assert_allclose(tf.signal.idct(orthogonal, kind, norm="ortho").numpy(), np.asarray(x), atol=1e-12)


def test_a_transform_of_nothing_is_nothing():
    assert tf.signal.rfft(tf.ones((2, 0))).shape == (2, 0)
    assert tf.signal.rfft(tf.ones((0, 6))).shape == (0, 4)
    assert tf.signal.irfft(tf.ones((2, 0), tf.complex64)).shape == (2, 0)
    assert tf.signal.rfft(tf.ones((2, 0)), [4]).numpy().tolist() == [[0, 0, 0]] * 2


def test_python_and_numpy_values_are_converted_to_single_precision():
    assert tf.signal.fft([1.0, 2.0]).dtype == tf.signal.fft(np.ones(2)).dtype == tf.complex64
    assert tf.signal.fft(np.ones(2, complex)).dtype == tf.signal.rfft(np.ones(2)).dtype == tf.complex64
    assert tf.signal.fft([1 + 0j, 2]).dtype == tf.complex128


def test_half_precision_through_numpys_names():
    x = tf.constant([1.0, 2.0, 3.0], tf.float16)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = wnp.abs(wnp.fft.rfft(x))
    assert tape.gradient(y, x).dtype == tf.float16


@pytest.mark.parametrize("window_fn", [tf.signal.hann_window, tf.signal.hamming_window, None])
def test_a_signal_comes_back_from_its_short_time_transform(window_fn):
    signal = RNG.normal(size=(2, 64)).astype("float32")
    spectrum = tf.signal.stft(signal, 16, 4, window_fn=window_fn)
    undo = tf.signal.inverse_stft_window_fn(4, forward_window_fn=window_fn or (lambda n, dtype: tf.ones([n], dtype)))
    restored = tf.signal.inverse_stft(spectrum, 16, 4, window_fn=undo).numpy()
    np.testing.assert_allclose(restored[:, 16:48], signal[:, 16:48], atol=1e-5)


@pytest.mark.parametrize("window_fn", [tf.signal.vorbis_window, tf.signal.kaiser_bessel_derived_window, None])
@pytest.mark.parametrize("norm", [None, "ortho"])
def test_a_signal_comes_back_from_its_modified_cosine_transform(window_fn, norm):
    signal = RNG.normal(size=(2, 64)).astype("float32")
    restored = tf.signal.inverse_mdct(tf.signal.mdct(signal, 16, window_fn, norm=norm), window_fn, norm).numpy()
    np.testing.assert_allclose(restored[:, 8:56], signal[:, 8:56], atol=1e-5)


def test_numbers_of_samples_may_be_tensors():
    framed = tf.signal.frame(tf.range(6.0), tf.constant(3), tf.constant(2, tf.int32), axis=tf.constant(-1))
    assert framed.shape == (2, 3)
    assert tf.signal.hann_window(tf.constant(4)).shape == (4,)


def test_strings_are_framed():
    assert tf.signal.frame(tf.constant(["a", "b", "c"]), 2, 1).numpy().tolist() == [[b"a", b"b"], [b"b", b"c"]]
