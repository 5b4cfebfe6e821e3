"""Rows for `whygrad.signal`: Fourier and cosine transforms, frames, windows, short-time transforms."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between


def complex_of(tf, a, b):
    """A complex tensor of two real ones, so that rows in real dtypes reach complex ops."""
    return tf.complex(a, b)


def parts(tf, z):
    return [tf.math.real(z), tf.math.imag(z)]


def complex_row(name, function, *shape, **row):
    """A row for an op on complex numbers."""
    return Case(
        name,
        lambda tf, a, b: parts(tf, function(tf, complex_of(tf, a, b))),
        (anything(*shape), anything(*shape)),
        **row,
    )


def real_row(name, function, *shape, **row):
    """A row for an op from real to complex numbers."""
    return Case(name, lambda tf, x: parts(tf, function(tf, x)), (anything(*shape),), **row)


def half_row(name, function, *shape, **row):
    """A row for an op from complex to real numbers."""
    return Case(name, lambda tf, a, b: function(tf, complex_of(tf, a, b)), (anything(*shape), anything(*shape)), **row)


# TensorFlow on a CPU has no kernels for the transforms over any axes, and no gradients of the real ones in three.
ALONE = {"tensorflow": False}

CASES = [
    *[
        complex_row(name, lambda tf, z, name=name: getattr(tf.signal, name)(z), *shape)
        for name, shape in [
            ("fft", (3, 5)),
            ("ifft", (3, 4)),
            ("fft2d", (2, 3, 4)),
            ("ifft2d", (3, 5)),
            ("fft3d", (2, 2, 3, 4)),
            ("ifft3d", (2, 3, 5)),
        ]
    ],
    complex_row("fft one", lambda tf, z: tf.signal.fft(z), 1),
    complex_row("fft empty", lambda tf, z: tf.signal.fft(z), 0, 3, order=0),
    complex_row("fft of nothing", lambda tf, z: tf.signal.fft(z), 3, 0, order=0),
    Case("fft complex", lambda tf, z: tf.signal.fft(z), (anything(4),), order=0, dtypes=("complex64", "complex128")),
    real_row("rfft even", lambda tf, x: tf.signal.rfft(x), 3, 6),
    real_row("rfft odd", lambda tf, x: tf.signal.rfft(x), 3, 5),
    real_row("rfft one", lambda tf, x: tf.signal.rfft(x), 2, 1),
    real_row("rfft longer", lambda tf, x: tf.signal.rfft(x, [9]), 2, 5),
    # TensorFlow's gradient fails where the input was cut off.
    real_row("rfft shorter", lambda tf, x: tf.signal.rfft(x, [4]), 2, 7, **ALONE),
    real_row("rfft shorter value", lambda tf, x: tf.signal.rfft(tf.stop_gradient(x), [4]), 2, 7, order=0),
    real_row("rfft2d", lambda tf, x: tf.signal.rfft2d(x), 2, 4, 5),
    real_row("rfft2d longer", lambda tf, x: tf.signal.rfft2d(x, [5, 8]), 4, 6),
    real_row("rfft3d", lambda tf, x: tf.signal.rfft3d(x), 2, 3, 4, **ALONE),
    real_row("rfft3d value", lambda tf, x: tf.signal.rfft3d(tf.stop_gradient(x)), 2, 3, 4, order=0),
    half_row("irfft even", lambda tf, z: tf.signal.irfft(z), 3, 4),
    half_row("irfft odd", lambda tf, z: tf.signal.irfft(z, [7]), 3, 4),
    half_row("irfft longer", lambda tf, z: tf.signal.irfft(z, [12]), 3, 4),
    half_row("irfft shorter", lambda tf, z: tf.signal.irfft(z, [4]), 3, 5, **ALONE),
    half_row("irfft2d", lambda tf, z: tf.signal.irfft2d(z), 2, 3, 4),
    half_row("irfft2d odd", lambda tf, z: tf.signal.irfft2d(z, [3, 5]), 3, 3),
    half_row("irfft3d", lambda tf, z: tf.signal.irfft3d(z), 2, 3, 4, **ALONE),
    half_row("irfft3d value", lambda tf, z: tf.signal.irfft3d(tf.stop_gradient(z)), 2, 3, 4, order=0),
    complex_row("fftnd", lambda tf, z: tf.signal.fftnd(z, axes=[0, -1], norm="ortho"), 3, 2, 4, **ALONE),
    complex_row("ifftnd", lambda tf, z: tf.signal.ifftnd(z, fft_length=[4, 2]), 3, 2, **ALONE),
    real_row("rfftnd", lambda tf, x: tf.signal.rfftnd(x, axes=[2, 0], norm="forward"), 3, 2, 4, **ALONE),
    half_row("irfftnd", lambda tf, z: tf.signal.irfftnd(z, [5, 3], axes=[1, 0]), 2, 4, **ALONE),
    Case("fftshift", lambda tf, x: tf.signal.fftshift(x), (anything(3, 4),)),
    Case("fftshift axis", lambda tf, x: tf.signal.fftshift(x, axes=-1), (anything(3, 5),)),
    Case("ifftshift axes", lambda tf, x: tf.signal.ifftshift(x, axes=[0, -1]), (anything(3, 5, 4),)),
    # -- cosine transforms --
    *[
        Case(
            f"{name} type {kind} {norm}",
            lambda tf, x, name=name, kind=kind, norm=norm: getattr(tf.signal, name)(x, type=kind, norm=norm),
            (anything(2, 5),),
        )
        for name in ("dct", "idct")
        for kind in (1, 2, 3, 4)
        for norm in ((None,) if kind == 1 else (None, "ortho"))
    ],
    Case("dct longer", lambda tf, x: tf.signal.dct(x, n=7), (anything(2, 5),)),
    Case("dct shorter", lambda tf, x: tf.signal.dct(x, type=3, n=3), (anything(2, 5),)),
    Case("dct empty", lambda tf, x: tf.signal.dct(x), (anything(2, 0),)),
    Case("dct vector", lambda tf, x: tf.signal.dct(x), (anything(4),)),
    # -- frames --
    Case("frame", lambda tf, x: tf.signal.frame(x, 3, 2), (anything(2, 8),)),
    Case("frame apart", lambda tf, x: tf.signal.frame(x, 2, 5), (anything(13),)),
    Case("frame padded", lambda tf, x: tf.signal.frame(x, 4, 3, pad_end=True, pad_value=7), (anything(2, 8),)),
    Case("frame axis", lambda tf, x: tf.signal.frame(x, 3, 2, axis=1), (anything(2, 7, 3),)),
    Case("frame first axis padded", lambda tf, x: tf.signal.frame(x, 3, 2, pad_end=True, axis=0), (anything(6, 2),)),
    Case("frame too long", lambda tf, x: tf.signal.frame(x, 9, 2), (anything(2, 8),), order=0),
    Case("frame integers", lambda tf, x: tf.signal.frame(tf.cast(x * 10, tf.int32), 3, 1), (anything(6),), order=0),
    Case("overlap_and_add", lambda tf, x: tf.signal.overlap_and_add(x, 2), (anything(2, 4, 5),)),
    Case("overlap_and_add whole", lambda tf, x: tf.signal.overlap_and_add(x, 4), (anything(3, 4),)),
    Case("overlap_and_add apart", lambda tf, x: tf.signal.overlap_and_add(x, 6), (anything(3, 4),)),
    Case("overlap_and_add one", lambda tf, x: tf.signal.overlap_and_add(x, 1), (anything(3, 4),)),
    # -- windows: constants, but for Kaiser's beta --
    *[
        Case(
            f"{name} {args}",
            lambda tf, x, name=name, args=args: getattr(tf.signal, name)(*args, dtype=x.dtype) * x,
            (anything(1),),
            # TensorFlow on a CPU has no Bessel functions in half precision.
            dtypes=("float32", "float64") if "kaiser" in name else ("float16", "bfloat16", "float32", "float64"),
        )
        for name, args in [
            ("hann_window", (7,)),
            ("hann_window", (8,)),
            ("hann_window", (8, False)),
            ("hann_window", (1,)),
            ("hamming_window", (6,)),
            ("hamming_window", (5, False)),
            ("kaiser_window", (7,)),
            ("kaiser_window", (6, 3.0)),
            ("vorbis_window", (8,)),
            ("vorbis_window", (1,)),
            ("kaiser_bessel_derived_window", (8, 4.0)),
        ]
    ],
    Case("kaiser_window beta", lambda tf, b: tf.signal.kaiser_window(5, b, dtype=b.dtype)[1:-1], (between(2.0, 6.0),)),
    # -- short-time transforms --
    real_row("stft", lambda tf, x: tf.signal.stft(x, 8, 4), 2, 20),
    real_row("stft padded", lambda tf, x: tf.signal.stft(x, 6, 4, pad_end=True), 15),
    real_row("stft no window", lambda tf, x: tf.signal.stft(x, 6, 3, fft_length=6, window_fn=None), 15),
    # Squared: the sum of a symmetric signal does not depend on the imaginary parts.
    half_row("inverse_stft", lambda tf, z: tf.signal.inverse_stft(z, 8, 4) ** 2, 2, 3, 5),
    half_row("inverse_stft longer", lambda tf, z: tf.signal.inverse_stft(z, 10, 4, fft_length=8), 3, 5),
    half_row("inverse_stft shorter", lambda tf, z: tf.signal.inverse_stft(z, 5, 3), 3, 5),
    half_row(
        "inverse_stft window",
        lambda tf, z: tf.signal.inverse_stft(z, 8, 3, window_fn=tf.signal.inverse_stft_window_fn(3)) ** 2,
        3,
        5,
    ),
    Case("mdct", lambda tf, x: tf.signal.mdct(x, 8), (anything(2, 20),)),
    Case("mdct ortho padded", lambda tf, x: tf.signal.mdct(x, 8, pad_end=True, norm="ortho"), (anything(18),)),
    Case("mdct no window", lambda tf, x: tf.signal.mdct(x, 8, window_fn=None), (anything(20),)),
    Case("inverse_mdct", lambda tf, x: tf.signal.inverse_mdct(x), (anything(2, 3, 4),)),
    Case(
        "inverse_mdct ortho", lambda tf, x: tf.signal.inverse_mdct(x, window_fn=None, norm="ortho"), (anything(3, 4),)
    ),
    # TensorFlow computes the logarithms of the scale in float32.
    *[
        Case(
            f"linear_to_mel_weight_matrix {args}",
            lambda tf, x, args=args: tf.signal.linear_to_mel_weight_matrix(*args, dtype=x.dtype) * x,
            (anything(1),),
        )
        for args in [(), (4, 17, 16000, 20.0, 8000.0)]
    ],
    Case("mfccs", lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(x), (anything(2, 3, 6),)),
]

ONES = np.ones(10, np.float32)

BAD_INPUT = [
    BadInput("fft real", lambda tf: tf.signal.fft(tf.ones(4)), "Value for attr 'Tcomplex' of float"),
    BadInput(
        "fft scalar", lambda tf: tf.signal.fft(tf.constant(1 + 0j)), "Input must have rank of at least 1 but got: []"
    ),
    BadInput(
        "fft2d vector", lambda tf: tf.signal.fft2d(tf.ones(3, tf.complex64)), "Input must have rank of at least 2"
    ),
    BadInput(
        "rfft integers",
        lambda tf: tf.signal.rfft(tf.ones(4, tf.int32)),
        "RFFT requires tf.float32 or tf.float64 inputs",
        ValueError,
    ),
    BadInput(
        "rfft scalar", lambda tf: tf.signal.rfft(tf.constant(1.0)), "Shape () must have rank at least 1", ValueError
    ),
    BadInput("rfft two lengths", lambda tf: tf.signal.rfft(tf.ones(4), [4, 4]), "fft_length must have shape [1]"),
    BadInput("rfft a number as length", lambda tf: tf.signal.rfft(tf.ones(4), 4), "", TypeError),
    BadInput(
        "irfft real",
        lambda tf: tf.signal.irfft(tf.ones(4)),
        "IRFFT requires tf.complex64 or tf.complex128 inputs",
        ValueError,
    ),
    BadInput(
        "fftnd norm",
        lambda tf: tf.signal.fftnd(tf.ones(3, tf.complex64), norm="x"),
        "norm must be",
        ValueError,
        tensorflow=False,
    ),
    BadInput("dct axis", lambda tf: tf.signal.dct(ONES, axis=0), "axis must be -1. Got: 0", NotImplementedError),
    BadInput("dct n", lambda tf: tf.signal.dct(ONES, n=0), "n should be a positive integer or None", ValueError),
    BadInput(
        "dct type", lambda tf: tf.signal.dct(ONES, type=5), "Types I, II, III and IV (I)DCT are supported.", ValueError
    ),
    BadInput(
        "dct type 1 ortho",
        lambda tf: tf.signal.dct(ONES, type=1, norm="ortho"),
        "Normalization is not supported",
        ValueError,
    ),
    BadInput(
        "dct type 1 short",
        lambda tf: tf.signal.dct(ONES[:1], type=1),
        "requires the dimension to be greater than one",
        ValueError,
    ),
    BadInput(
        "dct norm",
        lambda tf: tf.signal.idct(ONES, norm="x"),
        "Unknown normalization. Expected None or 'ortho', got: x",
        ValueError,
    ),
    BadInput("dct half", lambda tf: tf.signal.dct(tf.ones(4, tf.float16)), "", TypeError),
    BadInput(
        "frame scalar",
        lambda tf: tf.signal.frame(tf.constant(1.0), 3, 2),
        "Shape () must have rank at least 1",
        ValueError,
    ),
    BadInput(
        "frame vector length", lambda tf: tf.signal.frame(ONES, [3], 1), "Shape (1,) must have rank 0", ValueError
    ),
    BadInput("frame step 0", lambda tf: tf.signal.frame(ONES, 3, 0), "Integer division by zero"),
    BadInput("frame axis", lambda tf: tf.signal.frame(ONES, 3, 2, axis=5), "index out of range", IndexError),
    BadInput(
        "overlap_and_add vector", lambda tf: tf.signal.overlap_and_add(ONES, 2), "must have rank at least 2", ValueError
    ),
    BadInput(
        "overlap_and_add float",
        lambda tf: tf.signal.overlap_and_add(tf.ones((3, 4)), 2.0),
        "frame_step must be an integer. Got",
        ValueError,
    ),
    BadInput(
        "overlap_and_add step 0",
        lambda tf: tf.signal.overlap_and_add(tf.ones((3, 4)), 0),
        "Paddings must be non-negative",
    ),
    BadInput(
        "window of integers",
        lambda tf: tf.signal.hann_window(5, dtype=tf.int32),
        "dtype must be a floating point type. Found",
        ValueError,
    ),
    BadInput("window vector", lambda tf: tf.signal.vorbis_window([5]), "Shape (1,) must have rank 0", ValueError),
    BadInput("kaiser_window of nothing", lambda tf: tf.signal.kaiser_window(0), "Requires start <= limit"),
    BadInput(
        "mdct length", lambda tf: tf.signal.mdct(ONES, 15), "The frame length must be a multiple of 4.", ValueError
    ),
    BadInput(
        "inverse_stft vector",
        lambda tf: tf.signal.inverse_stft(tf.ones(9, tf.complex64), 16, 8),
        "rank at least 2",
        ValueError,
    ),
    BadInput(
        "mel bins",
        lambda tf: tf.signal.linear_to_mel_weight_matrix(0),
        "num_mel_bins must be positive. Got: 0",
        ValueError,
    ),
    BadInput(
        "mel edges",
        lambda tf: tf.signal.linear_to_mel_weight_matrix(lower_edge_hertz=4000.0),
        "lower_edge_hertz 4000.0 >= upper_edge_hertz 3800.0",
        ValueError,
    ),
    BadInput(
        "mel upper edge",
        lambda tf: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
        "Nyquist frequency",
        ValueError,
    ),
    BadInput(
        "mel rate",
        lambda tf: tf.signal.linear_to_mel_weight_matrix(sample_rate=-1),
        "sample_rate must be positive. Got: -1",
        ValueError,
    ),
    BadInput(
        "mfccs of nothing",
        lambda tf: tf.signal.mfccs_from_log_mel_spectrograms(tf.ones((3, 0))),
        "num_mel_bins must be positive",
        ValueError,
    ),
]
