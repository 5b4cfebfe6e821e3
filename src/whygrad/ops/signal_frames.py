"""Framed signals: windows, short-time transforms and their inverses, and the mel scale."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import allocate, flag, function, integer, number
from whygrad.ops.creation import ones, range_, zeros_like
from whygrad.ops.cumulative import cumsum
from whygrad.ops.fourier import truncate_or_pad
from whygrad.ops.indexing import getitem
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.reductions import reduce_sum
from whygrad.ops.shaping import concat, pad, reshape, reverse, split, tile, transpose
from whygrad.ops.signal_transforms import dct, irfft, rfft
from whygrad.ops.special import bessel_i0e
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import OpIndexError, OpValueError, invalid
from whygrad.values.faults import AxisOutOfRange
from whygrad.values.tensor import Tensor, wrap

Window = Callable[..., Any]

_frames = Primitive(
    "frames",
    "frames",
    inputs=("x",),
    vjp=lambda xp, g, x_shape, step: xp.overlap_add(g, step=step, size=x_shape[-1]),
)
_overlap_add = Primitive(
    "overlap_add",
    "overlap_add",
    inputs=("x",),
    vjp=lambda xp, g, x_shape, step: xp.frames(g, length=x_shape[-1], step=step, count=x_shape[-2]),
)


def _scalar(value: Any, what: str) -> Tensor:
    tensor = convert(value, None)
    tensor.shape.assert_has_rank(0)
    if not tensor.dtype.is_integer:
        raise OpValueError(f"{what} must be an integer. Got {tensor.dtype!r}")
    return tensor


def _whole(value: Any, what: str) -> int:
    return integer(_scalar(value, what), what)


@export("signal.frame")
def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """Cut a signal along an axis into frames, `frame_step` apart: the axis becomes two.

    With `pad_end` every step starts a frame, padded with `pad_value` past the end; otherwise only complete frames are taken.

    >>> import whygrad as tf
    >>> tf.signal.frame([1, 2, 3, 4, 5], frame_length=3, frame_step=2).numpy()
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)
    """
    x = convert(signal, None)
    x.shape.with_rank_at_least(1)
    length, step = (_whole(v, n) for v, n in ((frame_length, "frame_length"), (frame_step, "frame_step")))
    place = integer(axis, "axis")
    if not -x.ndim <= place < x.ndim:
        wording = f"list index out of range: axis {{axis}} of a tensor of shape {x.shape}"
        raise OpIndexError(AxisOutOfRange(axis=place, rank=x.ndim, wording=wording))
    place %= x.ndim
    if not step:
        raise invalid("Integer division by zero [Op:FloorDiv]: frame_step must not be 0")
    size = x.shape[place]
    if flag(pad_end, "pad_end"):
        fill = convert(pad_value, x.dtype)
        fill.shape.assert_has_rank(0)
        count = -(-size // step)
        missing = max(0, length + step * (count - 1) - size)
        x = pad(x, [(0, missing if i == place else 0) for i in range(x.ndim)], constant_values=fill)
    else:
        count = max(0, 1 + (size - length) // step)
    inner = x.ndim - 1 - place
    if not inner:
        return apply(_frames, x, length=length, step=step, count=count)
    others = [i for i in range(x.ndim) if i != place]
    framed = apply(_frames, transpose(x, [*others, place]), length=length, step=step, count=count)
    rank = framed.ndim
    return transpose(framed, [*range(place), rank - 2, rank - 1, *range(place, place + inner)])


@export("signal.overlap_and_add")
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """The sum of frames [..., frames, frame_length] that start `frame_step` apart.

    >>> import whygrad as tf
    >>> tf.signal.overlap_and_add(tf.ones((3, 4)), frame_step=2).numpy()
    array([1., 1., 2., 2., 2., 2., 1., 1.], dtype=float32)
    """
    x = convert(signal, None)
    x.shape.with_rank_at_least(2)
    step = _whole(frame_step, "frame_step")
    if step < 1:
        raise invalid(
            f"Paddings must be non-negative: 0 {-x.shape[-1]} [Op:Pad]: frame_step must be at least 1, got {step}"
        )
    return apply(_overlap_add, x, step=step, size=x.shape[-1] + step * (x.shape[-2] - 1))


# -- windows --


def _window_length(window_length: Any, dtype: Any) -> tuple[int, DType]:
    kind = dtypes.as_dtype(dtype)
    if not kind.is_floating:
        raise OpValueError(f"dtype must be a floating point type. Found {kind!r}")
    length = convert(window_length, dtypes.int32)
    length.shape.assert_has_rank(0)
    return int(length._array), kind


def _raised_cosine(window_length: Any, periodic: Any, dtype: Any, base: float, height: float) -> Tensor:
    size, kind = _window_length(window_length, dtype)
    if size == 1:
        return ones([1], kind)
    period = size - 1 + (size % 2 == 0 and flag(convert(periodic, dtypes.bool_), "periodic"))
    turns = elementwise.cast(range_(size), kind) * convert(2 * math.pi, kind)
    return base - height * elementwise.cos(turns / elementwise.cast(period, kind))


@export("signal.hann_window")
def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """The Hann window: a raised cosine that is 0 at its ends; `periodic` drops the last point of an even window.

    >>> import whygrad as tf
    >>> tf.signal.hann_window(5).numpy().round(3)
    array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)
    """
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


@export("signal.hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """The Hamming window: a raised cosine that is 0.08 at its ends; `periodic` drops the last point of an even window.

    >>> import whygrad as tf
    >>> tf.signal.hamming_window(5).numpy().round(3)
    array([0.08, 0.54, 1.  , 0.54, 0.08], dtype=float32)
    """
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


@export("signal.kaiser_window")
def kaiser_window(window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The Kaiser window; a larger `beta` is narrower.

    >>> import whygrad as tf
    >>> tf.signal.kaiser_window(5, beta=4.0).numpy().round(3)
    array([0.088, 0.633, 1.   , 0.633, 0.088], dtype=float32)
    """
    size, kind = _window_length(window_length, dtype)
    if size == 1:
        return ones([1], kind)
    if size < 1:
        raise invalid(f"Requires start <= limit when delta > 0: a Kaiser window of {size} points [Op:Range]")
    half = (size - 1) / 2
    places = elementwise.cast(wrap(np.arange(size, dtype=np.float32) - np.float32(half)), kind)
    steepness = elementwise.cast(beta, kind)
    inside = elementwise.relu(1.0 - elementwise.square(places / elementwise.cast(half, kind)))
    shape = steepness * elementwise.sqrt(inside)
    return elementwise.exp(shape - steepness) * (bessel_i0e(shape) / bessel_i0e(steepness))


@export("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """The Kaiser-Bessel-derived window: its squares, overlapped by half, sum to 1.

    >>> import whygrad as tf
    >>> tf.signal.kaiser_bessel_derived_window(4, beta=4.0).numpy().round(3)
    array([0.274, 0.962, 0.962, 0.274], dtype=float32)
    """
    size, kind = _window_length(window_length, dtype)
    sums = cumsum(kaiser_window(size // 2 + 1, beta, kind))
    rising = elementwise.sqrt(getitem(sums, slice(None, -1)) / getitem(sums, -1))
    return concat([rising, reverse(rising, [0])], 0)


@export("signal.vorbis_window")
def vorbis_window(window_length: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The Vorbis window: its squares, overlapped by half, sum to 1.

    >>> import whygrad as tf
    >>> tf.signal.vorbis_window(4).numpy().round(3)
    array([0.228, 0.974, 0.974, 0.228], dtype=float32)
    """
    size, kind = _window_length(window_length, dtype)
    places = elementwise.cast(range_(size), kind) + 0.5
    inner = elementwise.sin(places * (convert(math.pi, kind) / elementwise.cast(size, kind)))
    return elementwise.sin(math.pi / 2 * elementwise.square(inner))


# -- short-time transforms --


def _enclosing_power_of_two(length: int) -> int:
    if length < 1:
        raise OpValueError(f"frame_length must be positive where fft_length is not given. Got {length}")
    return int(2 ** np.ceil(np.log(length) / np.log(2.0)))


@export("signal.stft")
def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The short-time Fourier transform: the `rfft` of each windowed frame. [..., frames, fft_length // 2 + 1].

    >>> import whygrad as tf
    >>> tf.signal.stft(tf.ones(64), frame_length=16, frame_step=8).shape
    TensorShape([7, 9])
    """
    x = convert(signals, None)
    x.shape.with_rank_at_least(1)
    length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
    points = (
        _enclosing_power_of_two(integer(length, "frame_length"))
        if fft_length is None
        else integer(fft_length, "fft_length")
    )
    framed = frame(x, length, step, pad_end=pad_end)
    if window_fn is not None:
        framed = framed * function(window_fn, "window_fn")(length, dtype=framed.dtype)
    return rfft(framed, [points])


@export("signal.inverse_stft")
def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """The signal of a short-time Fourier transform: the `irfft` of each frame, windowed, overlapped and added.

    With `window_fn=inverse_stft_window_fn(frame_step)` it inverts `stft`, except at the ends.

    >>> import whygrad as tf
    >>> spectrum = tf.signal.stft(tf.ones(64), frame_length=16, frame_step=8)
    >>> window = tf.signal.inverse_stft_window_fn(frame_step=8)
    >>> tf.signal.inverse_stft(spectrum, 16, 8, window_fn=window)[8:12].numpy().round(4)
    array([1., 1., 1., 1.], dtype=float32)
    """
    x = convert(stfts, None)
    x.shape.with_rank_at_least(2)
    length, step = _scalar(frame_length, "frame_length"), _scalar(frame_step, "frame_step")
    size = integer(length, "frame_length")
    points = _enclosing_power_of_two(size) if fft_length is None else _whole(fft_length, "fft_length")
    framed = irfft(x, [points])
    framed = truncate_or_pad(framed, size, framed.ndim - 1)
    if window_fn is not None:
        framed = framed * function(window_fn, "window_fn")(length, dtype=framed.dtype)
    return overlap_and_add(framed, step)


@export("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(frame_step: Any, forward_window_fn: Window = hann_window, name: str | None = None) -> Window:
    """The window for `inverse_stft` that inverts `forward_window_fn`: divided by the sum of its overlapping squares.

    >>> import whygrad as tf
    >>> tf.signal.inverse_stft_window_fn(frame_step=2)(4, dtype=tf.float32).numpy().round(4)
    array([0., 1., 1., 1.], dtype=float32)
    """

    def window_fn(frame_length: Any, dtype: Any) -> Tensor:
        length, step = _scalar(frame_length, "frame_length"), _whole(frame_step, "frame_step")
        window = function(forward_window_fn, "forward_window_fn")(length, dtype=dtype)
        size = integer(length, "frame_length")
        steps = -(-size // step)
        squares = pad(elementwise.square(window), [(0, steps * step - size)])
        sums = tile(reduce_sum(reshape(squares, (steps, step)), 0), [steps])
        sums = getitem(sums, slice(None, size))
        return elementwise.where(elementwise.equal(sums, 0.0), zeros_like(window), elementwise.realdiv(window, sums))

    return window_fn


@export("signal.mdct")
def mdct(
    signals: Any,
    frame_length: Any,
    window_fn: Window | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified discrete cosine transform of frames that overlap by half: [..., frames, frame_length // 2].

    >>> import whygrad as tf
    >>> tf.signal.mdct(tf.ones(64), frame_length=16).shape
    TensorShape([7, 8])
    """
    x = convert(signals, None)
    x.shape.with_rank_at_least(1)
    length = _scalar(frame_length, "frame_length")
    size = integer(length, "frame_length")
    if size % 4:
        raise OpValueError("The frame length must be a multiple of 4.")
    framed = frame(x, size, size // 2, pad_end=pad_end)
    framed = framed * (2**-0.5 if window_fn is None else function(window_fn, "window_fn")(length, dtype=framed.dtype))
    a, b, c, d = split(framed, 4, axis=-1)
    folded = concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1)
    return dct(folded, type=4, norm=norm)


@export("signal.inverse_mdct")
def inverse_mdct(
    mdcts: Any, window_fn: Window | None = vorbis_window, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The signal of a modified discrete cosine transform, except for half a frame at the ends.

    >>> import whygrad as tf
    >>> transformed = tf.signal.mdct(tf.ones(64), frame_length=16, norm="ortho")
    >>> tf.signal.inverse_mdct(transformed, norm="ortho")[8:12].numpy().round(4)
    array([1., 1., 1., 1.], dtype=float32)
    """
    x = convert(mdcts, None)
    x.shape.with_rank_at_least(2)
    half = x.shape[-1]
    if not half:
        raise OpValueError(f"mdcts must have coefficients along the last axis, got shape {x.shape}")
    unfolded = dct(x, type=4, norm=norm)
    if norm is None:
        unfolded = unfolded * (0.5 / half)
    first, second = split(unfolded, 2, axis=-1)
    framed = concat([second, -reverse(second, [-1]), -reverse(first, [-1]), -first], -1)
    framed = framed * (
        2**-0.5 if window_fn is None else function(window_fn, "window_fn")(convert(2 * half, None), dtype=framed.dtype)
    )
    return overlap_and_add(framed, half)


# -- the mel scale --


def _mel(hertz: Any) -> Any:
    """Convert hertz to the mel scale, on which equal distances sound equal."""
    return 1127.0 * np.log(1.0 + np.asarray(hertz) / 700.0)


@export("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: int = 129,
    sample_rate: Any = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The matrix [spectrogram bins, mel bins] that sums a spectrum over triangles of equal width on the mel scale.

    >>> import whygrad as tf
    >>> tf.signal.linear_to_mel_weight_matrix(num_mel_bins=10).shape
    TensorShape([129, 10])
    """
    kind = dtypes.as_dtype(dtype)
    num_mel_bins = integer(num_mel_bins, "num_mel_bins")
    num_spectrogram_bins = integer(num_spectrogram_bins, "num_spectrogram_bins")
    rate = number(sample_rate, "sample_rate")
    lower_edge_hertz = number(lower_edge_hertz, "lower_edge_hertz")
    upper_edge_hertz = number(upper_edge_hertz, "upper_edge_hertz")
    if num_spectrogram_bins < 0:
        raise OpValueError(f"num_spectrogram_bins must be non-negative. Got: {num_spectrogram_bins}")
    if num_mel_bins <= 0:
        raise OpValueError(f"num_mel_bins must be positive. Got: {num_mel_bins}")
    if lower_edge_hertz < 0.0:
        raise OpValueError(f"lower_edge_hertz must be non-negative. Got: {lower_edge_hertz}")
    if lower_edge_hertz >= upper_edge_hertz:
        raise OpValueError(f"lower_edge_hertz {lower_edge_hertz:.1f} >= upper_edge_hertz {upper_edge_hertz:.1f}")
    if rate <= 0.0:
        raise OpValueError(f"sample_rate must be positive. Got: {rate}")
    if upper_edge_hertz > rate / 2:
        raise OpValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). Got "
            f"{upper_edge_hertz} for sample_rate: {rate}"
        )
    if not kind.is_floating:
        raise OpValueError(f"dtype must be a floating point type. Got: {kind!r}")

    def weights() -> np.ndarray[Any, Any]:
        bins = _mel(np.linspace(0.0, rate / 2, num_spectrogram_bins))[1:, None]
        edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), num_mel_bins + 2)
        low, centre, high = edges[:-2], edges[1:-1], edges[2:]
        triangles = np.maximum(0.0, np.minimum((bins - low) / (centre - low), (high - bins) / (high - centre)))
        # The first bin, the constant part, is in no triangle.
        return np.concatenate([np.zeros((1, num_mel_bins)), triangles])

    found = allocate(weights, (num_spectrogram_bins, num_mel_bins), np.dtype(np.float64), "LinearToMelWeightMatrix")
    return wrap(found.astype(kind.numpy_dtype))


@export("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Tensor:
    """Mel-frequency cepstral coefficients: the scaled cosine transform of logarithmic mel spectrograms.

    >>> import whygrad as tf
    >>> tf.signal.mfccs_from_log_mel_spectrograms(tf.ones((3, 8)))[0, :2].numpy().round(3) + 0.0
    array([4., 0.], dtype=float32)
    """
    x = convert(log_mel_spectrograms, None)
    x.shape.with_rank_at_least(1)
    bins = x.shape[-1]
    if not bins:
        raise OpValueError(f"num_mel_bins must be positive. Got: {x}")
    return elementwise.multiply(dct(x, type=2), (2 * bins) ** -0.5)
