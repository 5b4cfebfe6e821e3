"""The Fourier and cosine transforms of `tf.signal`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops import elementwise
from whygrad.ops.arguments import allocate, integer, integer_list
from whygrad.ops.fourier import fourier, inverse_real_fourier, real_fourier, truncate_or_pad
from whygrad.ops.indexing import getitem
from whygrad.ops.shaping import concat, roll
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, invalid, shape_text
from whygrad.values.faults import AxisOutOfRange, DtypeNotAllowed
from whygrad.values.tensor import Tensor, wrap

# -- complex to complex --


def _complex_transform(name: str, rank: int, inverse: bool, doc: str) -> Callable[..., Tensor]:
    op_name = name.upper()
    axes = tuple(range(-rank, 0))

    def transform(input: Any, name: str | None = None) -> Tensor:
        x = _as_complex(input)
        if not x.dtype.is_complex:
            raise invalid(
                DtypeNotAllowed(dtype=x.dtype, allowed=("complex64", "complex128"), attribute="Tcomplex", op=op_name)
            )
        if x.ndim < rank:
            raise invalid(f"Input must have rank of at least {rank} but got: {shape_text(x.shape)} [Op:{op_name}]")
        return _averaged(fourier(x, _non_negative(axes, x), inverse), x.shape[-rank:] if inverse else ())

    transform.__name__ = transform.__qualname__ = name
    transform.__doc__ = doc
    transform.__module__ = __name__
    return transform


def _as_complex(value: Any) -> Tensor:
    """Leave tensors unchanged; convert NumPy arrays and Python's real numbers to complex64, as TensorFlow does."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
        return convert(value, dtypes.complex64)
    x = convert(value, None)
    if not hasattr(value, "dtype") and not x.dtype.is_complex and x.dtype.is_numeric:
        return elementwise.cast(x, dtypes.complex64)  # type: ignore[no-any-return]
    return x


def _non_negative(axes: tuple[int, ...], x: Tensor) -> tuple[int, ...]:
    return tuple([axis % x.ndim for axis in axes])


def _averaged(x: Tensor, sizes: Sequence[int]) -> Tensor:
    """Divide by the number of points, if there are any."""
    count = math.prod(sizes)
    return elementwise.multiply(x, 1 / count) if count > 1 else x


fft = export("signal.fft")(_complex_transform("fft", 1, False, """The Fourier transform of complex numbers along the last axis.

    >>> import whygrad as tf
    >>> tf.signal.fft(tf.constant([1, 0, 0, 0], tf.complex64)).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """))  # fmt: skip
ifft = export("signal.ifft")(_complex_transform("ifft", 1, True, """The inverse of `fft`.

    >>> import whygrad as tf
    >>> tf.signal.ifft(tf.constant([4, 0, 0, 0], tf.complex64)).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """))  # fmt: skip
fft2d = export("signal.fft2d")(_complex_transform("fft2d", 2, False, """The Fourier transform of complex numbers over the last two axes.

    >>> import whygrad as tf
    >>> tf.signal.fft2d(tf.ones((2, 2), tf.complex64)).numpy()
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """))  # fmt: skip
ifft2d = export("signal.ifft2d")(_complex_transform("ifft2d", 2, True, """The inverse of `fft2d`.

    >>> import whygrad as tf
    >>> tf.signal.ifft2d(tf.ones((2, 2), tf.complex64)).numpy()
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """))  # fmt: skip
fft3d = export("signal.fft3d")(_complex_transform("fft3d", 3, False, """The Fourier transform of complex numbers over the last three axes.

    >>> import whygrad as tf
    >>> tf.signal.fft3d(tf.ones((2, 2, 2), tf.complex64))[0, 0].numpy()
    array([8.+0.j, 0.+0.j], dtype=complex64)
    """))  # fmt: skip
ifft3d = export("signal.ifft3d")(_complex_transform("ifft3d", 3, True, """The inverse of `fft3d`.

    >>> import whygrad as tf
    >>> tf.signal.ifft3d(tf.ones((2, 2, 2), tf.complex64))[0, 0].numpy()
    array([1.+0.j, 0.+0.j], dtype=complex64)
    """))  # fmt: skip


# -- real transforms --


def _real_input(value: Any) -> Tensor:
    x = convert_to_tensor(value, dtype_hint=dtypes.float32)
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise OpValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}")
    return x


def _half_input(value: Any) -> Tensor:
    x = convert_to_tensor(value, dtype_hint=dtypes.complex64)
    if not x.dtype.is_complex:
        raise OpValueError(f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {x}")
    return x


def _lengths(fft_length: Any, rank: int, op_name: str) -> list[int]:
    """The number of points to transform along each of `rank` axes."""
    given = convert(list(fft_length) if isinstance(fft_length, tuple) else fft_length, None)
    if not given.ndim:
        raise OpTypeError(f"fft_length must be a list of {rank}, one for each axis; got {given._array}")
    if given.shape != (rank,):
        raise invalid(f"fft_length must have shape [{rank}] [Op:{op_name}]")
    lengths = integer_list(given, "fft_length", op_name)
    for i, length in enumerate(lengths):
        if length < 0:
            raise invalid(f"fft_length[{i}] must be >= 0, but got: {length} [Op:{op_name}]")
    return lengths


def _real_transform(value: Any, fft_length: Any, rank: int, op_name: str) -> Tensor:
    x = _real_input(value)
    x.shape.with_rank_at_least(rank)
    axes = _non_negative(tuple(range(-rank, 0)), x)
    if fft_length is not None:
        for axis, length in zip(axes, _lengths(fft_length, rank, op_name)):
            x = truncate_or_pad(x, length, axis)
    return real_fourier(x, axes)


def _inverse_real_transform(value: Any, fft_length: Any, rank: int, op_name: str) -> Tensor:
    x = _half_input(value)
    x.shape.with_rank_at_least(rank)
    axes = _non_negative(tuple(range(-rank, 0)), x)
    if fft_length is None:
        lengths = [*[x.shape[axis] for axis in axes[:-1]], max(2 * (x.shape[-1] - 1), 0)]
    else:
        lengths = _lengths(fft_length, rank, op_name)
        for axis, length in zip(axes[:-1], lengths):
            x = truncate_or_pad(x, length, axis)
    return _averaged(inverse_real_fourier(x, axes, lengths[-1]), tuple(lengths))


@export("signal.rfft")
def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along the last axis: the `n // 2 + 1` non-redundant elements.

    `fft_length`, a list of one, is the number of points to transform: the input is truncated or zero-padded.

    >>> import whygrad as tf
    >>> tf.signal.rfft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _real_transform(input_tensor, fft_length, 1, "RFFT")


@export("signal.irfft")
def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`; with an even number of points unless `fft_length`, a list of one, says otherwise.

    >>> import whygrad as tf
    >>> tf.signal.irfft(tf.constant([4, 0, 0], tf.complex64)).numpy()
    array([1., 1., 1., 1.], dtype=float32)
    """
    return _inverse_real_transform(input_tensor, fft_length, 1, "IRFFT")


@export("signal.rfft2d")
def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last two axes; along the last one, only the non-redundant half.

    >>> import whygrad as tf
    >>> tf.signal.rfft2d(tf.ones((4, 6))).shape
    TensorShape([4, 4])
    """
    return _real_transform(input_tensor, fft_length, 2, "RFFT2D")


@export("signal.irfft2d")
def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`.

    >>> import whygrad as tf
    >>> tf.signal.irfft2d(tf.ones((4, 4), tf.complex64)).shape
    TensorShape([4, 6])
    """
    return _inverse_real_transform(input_tensor, fft_length, 2, "IRFFT2D")


@export("signal.rfft3d")
def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers over the last three axes. Unlike TensorFlow's, it has a gradient.

    >>> import whygrad as tf
    >>> tf.signal.rfft3d(tf.ones((2, 4, 6))).shape
    TensorShape([2, 4, 4])
    """
    return _real_transform(input_tensor, fft_length, 3, "RFFT3D")


@export("signal.irfft3d")
def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`.

    >>> import whygrad as tf
    >>> tf.signal.irfft3d(tf.ones((2, 4, 4), tf.complex64)).shape
    TensorShape([2, 4, 6])
    """
    return _inverse_real_transform(input_tensor, fft_length, 3, "IRFFT3D")


# -- over any axes --


def _any_axes(x: Tensor, fft_length: Any, axes: Any, op_name: str) -> tuple[tuple[int, ...], list[int] | None]:
    if axes is None:
        places = tuple(range(x.ndim))
    else:
        given = convert(list(axes) if isinstance(axes, tuple) else axes, dtypes.int32)
        places = tuple(integer_list(given, "axes", op_name))
    for axis in places:
        if not -x.ndim <= axis < x.ndim:
            wording = "axes must be within [-{rank}, {rank}), got {axis}"
            raise invalid(AxisOutOfRange(axis=axis, rank=x.ndim, op=op_name, wording=wording))
    x.shape.with_rank_at_least(len(places))
    return _non_negative(places, x), None if fft_length is None else _lengths(fft_length, len(places), op_name)


def _normed(x: Tensor, sizes: list[int], norm: str | None, inverse: bool) -> Tensor:
    """Apply the normalization `norm`: the full factor on the inverse, on the forward transform, or its root on both."""
    if norm is not None and not (isinstance(norm, str) and norm in ("backward", "ortho", "forward")):
        raise OpValueError(f"norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    count = max(math.prod(sizes), 1)  # without elements, the factor does not matter
    if norm == "ortho":
        return elementwise.multiply(x, 1 / math.sqrt(count))
    return elementwise.multiply(x, 1 / count) if inverse == (norm != "forward") else x


def _complex_over_axes(value: Any, fft_length: Any, axes: Any, norm: str | None, inverse: bool, op_name: str) -> Tensor:
    x = convert_to_tensor(value, dtype_hint=dtypes.complex64)
    if not x.dtype.is_complex:
        raise invalid(
            DtypeNotAllowed(dtype=x.dtype, allowed=("complex64", "complex128"), attribute="Tcomplex", op=op_name)
        )
    places, lengths = _any_axes(x, fft_length, axes, op_name)
    for axis, length in zip(places, lengths or ()):
        x = truncate_or_pad(x, length, axis)
    return _normed(fourier(x, places, inverse), [x.shape[axis] for axis in places], norm, inverse)


@export("signal.fftnd")
def fftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The Fourier transform of complex numbers over any axes, `fft_length` points along each of them.

    >>> import whygrad as tf
    >>> tf.signal.fftnd(tf.ones((2, 3), tf.complex64), axes=[0]).numpy()
    array([[2.+0.j, 2.+0.j, 2.+0.j],
           [0.+0.j, 0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _complex_over_axes(input_tensor, fft_length, axes, norm, False, "FFTND")


@export("signal.ifftnd")
def ifftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `fftnd`.

    >>> import whygrad as tf
    >>> tf.signal.ifftnd(tf.ones((2, 2), tf.complex64)).numpy()
    array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _complex_over_axes(input_tensor, fft_length, axes, norm, True, "IFFTND")


@export("signal.rfftnd")
def rfftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The Fourier transform of real numbers over any axes; along the last of them, only the non-redundant half.

    >>> import whygrad as tf
    >>> tf.signal.rfftnd(tf.ones((4, 6)), axes=[1, 0]).shape
    TensorShape([3, 6])
    """
    x = _real_input(input_tensor)
    places, lengths = _any_axes(x, fft_length, axes, "RFFTND")
    for axis, length in zip(places, lengths or ()):
        x = truncate_or_pad(x, length, axis)
    return _normed(real_fourier(x, places), [x.shape[axis] for axis in places], norm, False)


@export("signal.irfftnd")
def irfftnd(
    input_tensor: Any, fft_length: Any = None, axes: Any = None, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `rfftnd`.

    >>> import whygrad as tf
    >>> tf.signal.irfftnd(tf.ones((3, 6), tf.complex64), axes=[1, 0]).shape
    TensorShape([4, 6])
    """
    x = _half_input(input_tensor)
    places, lengths = _any_axes(x, fft_length, axes, "IRFFTND")
    if not places:
        raise invalid(
            "axes must not be empty: the last of them is the one that has only half of its elements [Op:IRFFTND]"
        )
    if lengths is None:
        lengths = [*[x.shape[axis] for axis in places[:-1]], max(2 * (x.shape[places[-1]] - 1), 0)]
    for axis, length in zip(places[:-1], lengths):
        x = truncate_or_pad(x, length, axis)
    return _normed(inverse_real_fourier(x, places, lengths[-1]), lengths, norm, True)


# -- shifting frequencies --


def _shifted(value: Any, axes: Any, direction: int) -> Tensor:
    x = convert(value, None)
    if axes is None:
        places = list(range(x.ndim))
    else:
        places = [axis % max(x.ndim, 1) for axis in integer_list(axes, "axes")]
        x.shape.with_rank_at_least(1)
    # Half the size, rounded down in both directions, so that they invert each other.
    return roll(x, [direction * (x.shape[axis] // 2) for axis in places], places)


@export("signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """Move the zero frequency to the middle of all axes, or of those given.

    >>> import whygrad as tf
    >>> tf.signal.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted(x, axes, 1)


@export("signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`.

    >>> import whygrad as tf
    >>> tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted(x, axes, -1)


# -- cosine transforms --


@export("signal.dct")
def dct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The discrete cosine transform along the last axis, of type 1, 2, 3 or 4, of `n` points.

    With `norm="ortho"` (not for type 1) the transform is an orthogonal matrix.

    >>> import whygrad as tf
    >>> tf.signal.dct([1.0, 1.0, 1.0, 1.0], norm="ortho").numpy().round(4) + 0.0
    array([2., 0., 0., 0.], dtype=float32)
    """
    x, kind, points = _checked_dct(input, type, n, axis, norm)
    return _cosine(x, kind, points, norm)


@export("signal.idct")
def idct(
    input: Any, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `dct` with `norm="ortho"`; without it, up to a factor of `2 * n` (`2 * n - 2` for type 1).

    >>> import whygrad as tf
    >>> tf.signal.idct(tf.signal.dct([1.0, 2.0, 4.0], norm="ortho"), norm="ortho").numpy().round(4)
    array([1., 2., 4.], dtype=float32)
    """
    x, kind, points = _checked_dct(input, type, n, axis, norm)
    return _cosine(x, {1: 1, 2: 3, 3: 2, 4: 4}[kind], points, norm)


def _checked_dct(value: Any, type: int, n: int | None, axis: int, norm: str | None) -> tuple[Tensor, int, int | None]:
    """The signal, the type and the number of points of a cosine transform."""
    x = convert(value, None)
    x.shape.with_rank_at_least(1)
    if integer(axis, "axis") != -1:
        raise OpNotImplementedError(f"axis must be -1. Got: {axis}")
    n = None if n is None else integer(n, "n")
    type = integer(type, "type")
    if n is not None and n < 1:
        raise OpValueError("n should be a positive integer or None")
    if type not in (1, 2, 3, 4):
        raise OpValueError("Types I, II, III and IV (I)DCT are supported.")
    if type == 1 and isinstance(norm, str) and norm == "ortho":
        raise OpValueError("Normalization is not supported for the Type-I DCT.")
    if type == 1 and x.shape[-1] < 2:
        raise OpValueError("Type-I DCT requires the dimension to be greater than one.")
    if norm is not None and not (isinstance(norm, str) and norm == "ortho"):
        raise OpValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise OpTypeError(f"a cosine transform takes tf.float32 or tf.float64, not {x.dtype.name}")
    return x, type, n


def _cosine(x: Tensor, type: int, n: int | None, norm: str | None) -> Tensor:
    if n is not None:
        x = truncate_or_pad(x, n, x.ndim - 1)
    size = x.shape[-1]
    last = (x.ndim - 1,)
    if size == 0:
        return x
    if type == 1:
        around = concat([x, getitem(x, (..., slice(-2, 0, -1)))], -1)
        return elementwise.real(real_fourier(around, last))
    if type == 4:
        # The odd elements of type 2 with twice as many points.
        odd = getitem(_cosine(x, 2, 2 * size, None), (..., slice(1, None, 2)))
        return elementwise.multiply(odd, math.sqrt(0.5 / size)) if norm == "ortho" else odd
    # A phase that grows to a quarter turn over all elements shifts the transform of 2 n points by half an index.
    angles = allocate(lambda: np.arange(size), (size,), np.dtype(np.int64), "DCT")
    turns = angles * (np.pi / (2 * size))
    spectrum = np.exp(-1j * turns if type == 2 else 1j * turns) * 2
    if type == 2:
        if norm == "ortho":
            spectrum *= np.where(np.arange(size) == 0, math.sqrt(0.25 / size), math.sqrt(0.5 / size))
        transformed = getitem(real_fourier(truncate_or_pad(x, 2 * size, last[0]), last), (..., slice(None, size)))
        return elementwise.real(elementwise.multiply(transformed, _constant(spectrum, transformed)))
    if norm == "ortho":
        spectrum *= np.where(np.arange(size) == 0, math.sqrt(0.25 / size), math.sqrt(0.125 / size))
    else:
        spectrum *= 0.5
    half = elementwise.complex(x, elementwise.multiply(x, 0.0))
    whole = inverse_real_fourier(elementwise.multiply(half, _constant(spectrum, half)), last, 2 * size)
    return getitem(whole, (..., slice(None, size)))


def _constant(values: Any, like: Tensor) -> Tensor:
    return wrap(np.asarray(values, like._array.dtype))
