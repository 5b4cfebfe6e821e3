"""NumPy's `fft` on Tensors, built from the transforms in `ops.fourier`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad.numpy.elementwise import conj
from whygrad.numpy.promotion import (
    as_dtype,
    ask_numpy,
    floating,
    normal_axis,
    number,
    numpy_dtype,
    refuse,
    static_shape,
    tensor,
)
from whygrad.numpy.shaping import roll
from whygrad.ops.arguments import number as real_number
from whygrad.ops.arguments import text
from whygrad.ops.fourier import fourier, inverse_real_fourier, real_fourier, truncate_or_pad
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.tensor import Tensor, wrap

# fmt: off
__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]
# fmt: on


def _complex(a: Any) -> Tensor:
    x = floating(a)
    if x._array.dtype.kind == "c":
        return x
    wide = x._array.dtype == np.float64
    return as_dtype(x, np.dtype(np.complex128 if wide else np.complex64))


def _resized(x: Tensor, size: int, axis: int) -> Tensor:
    """Truncate or zero-pad along an axis."""
    if size < 1:
        raise OpValueError(f"a Fourier transform takes at least 1 point, not {size}")
    return truncate_or_pad(x, size, axis)


def _scaled(x: Tensor, count: int, norm: str | None, inverse: bool) -> Tensor:
    """Apply the normalization `norm` for `count` points."""
    if norm is not None and text(norm, "norm") not in ("backward", "ortho", "forward"):
        raise OpValueError(f"norm must be 'backward', 'ortho' or 'forward', not {norm!r}")
    if norm == "ortho":
        return x / math.sqrt(count)
    return x / count if inverse == (norm != "forward") else x


def _check_sizes(x: Tensor, sizes: Sequence[int] | None) -> None:
    if sizes is not None and len(sizes) > x.ndim:
        raise OpValueError(f"`s` has {len(sizes)} sizes, but the array {x.ndim} dimensions")


def _along(a: Any, s: Any, axes: Any, norm: str | None, inverse: bool) -> Tensor:
    """The transform over several axes, each first resized to its size in `s`."""
    x = _complex(a)
    sizes = None if s is None else static_shape(s)
    if axes is None:
        _check_sizes(x, sizes)
        places = range(x.ndim) if sizes is None else range(x.ndim - len(sizes), x.ndim)
    else:
        places = [normal_axis(each, x.ndim) for each in static_shape(axes)]  # type: ignore[assignment]
    for place, size in zip(places, sizes or ()):
        if size != -1:
            x = _resized(x, size, place)
    count = math.prod([x._array.shape[place] for place in places])
    return _scaled(fourier(x, tuple(places), inverse), count, norm, inverse)


# -- complex to complex --


def fft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The discrete Fourier transform along an axis.

    >>> import whygrad.numpy as wnp
    >>> wnp.fft.fft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    refuse("fft", out=out)
    return _along(a, None if n is None else (n,), (axis,), norm, inverse=False)


def ifft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `fft`."""
    refuse("ifft", out=out)
    return _along(a, None if n is None else (n,), (axis,), norm, inverse=True)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Tensor:
    """The Fourier transform over several axes."""
    refuse("fftn", out=out)
    return _along(a, s, axes, norm, inverse=False)


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `fftn`."""
    refuse("ifftn", out=out)
    return _along(a, s, axes, norm, inverse=True)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Tensor:
    """The Fourier transform over two axes."""
    return fftn(a, s, axes, norm, out)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `fft2`."""
    return ifftn(a, s, axes, norm, out)


# -- real transforms --


def _is_real(function: str, a: Any) -> Tensor:
    x = floating(a)
    if x._array.dtype.kind == "c":
        raise OpTypeError(f"{function}() takes real numbers, not {x.dtype.name}")
    return as_dtype(x, np.dtype(np.float32)) if x._array.dtype.itemsize < 4 else x


def _axes_of(x: Tensor, s: Any, axes: Any) -> tuple[list[int], list[int] | None]:
    sizes = None if s is None else list(static_shape(s))
    if axes is None:
        _check_sizes(x, sizes)
        places = list(range(x.ndim if sizes is None else len(sizes)))
        places = [i + x.ndim - len(places) for i in places]
    else:
        places = [normal_axis(each, x.ndim) for each in static_shape(axes)]
    return places, sizes


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Tensor:
    """The transform of real numbers over several axes: along the last one, only the non-redundant half."""
    refuse("rfftn", out=out)
    x = _is_real("rfftn", a)
    places, sizes = _axes_of(x, s, axes)
    for place, size in zip(places, sizes or ()):
        if size != -1:
            x = _resized(x, size, place)
    count = math.prod([x._array.shape[place] for place in places])
    return _scaled(real_fourier(x, tuple(places)), count, norm, inverse=False)


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `rfftn`; the size of the last axis is even unless `s` says otherwise."""
    refuse("irfftn", out=out)
    x = _complex(a)
    places, sizes = _axes_of(x, s, axes)
    if not places or sizes == []:
        raise OpValueError("irfftn() takes at least one axis")
    last = places[-1]
    n = 2 * (x._array.shape[last] - 1) if sizes is None or sizes[-1] == -1 else sizes[-1]
    for place, size in zip(places[:-1], sizes or ()):
        if size != -1:
            x = _resized(x, size, place)
    if n < 1:
        raise OpValueError(f"a Fourier transform takes at least 1 point, not {n}")
    count = math.prod([x._array.shape[place] for place in places[:-1]]) * n
    return _scaled(inverse_real_fourier(x, tuple(places), n), count, norm, inverse=True)


def rfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The Fourier transform of real numbers: the non-redundant half."""
    return rfftn(a, None if n is None else (n,), (axis,), norm, out)


def irfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `rfft`, with `n` points."""
    return irfftn(a, None if n is None else (n,), (axis,), norm, out)


def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Tensor:
    """The Fourier transform of real numbers over two axes."""
    return rfftn(a, s, axes, norm, out)


def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `rfft2`."""
    return irfftn(a, s, axes, norm, out)


_OTHER_WAY = {None: "forward", "backward": "forward", "forward": "backward"}


def _other_way(norm: str | None) -> str | None:
    """The normalization of the inverse transform."""
    return _OTHER_WAY.get(None if norm is None else text(norm, "norm"), norm)


def hfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The real transform of a Hermitian-symmetric signal, from its first half."""
    return irfft(conj(_complex(a)), n, axis, _other_way(norm), out)


def ihfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Tensor:
    """The inverse of `hfft`."""
    return conj(rfft(a, n, axis, _other_way(norm), out))


# -- frequencies --


def fftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: Any = None) -> Tensor:
    """The frequencies of the results of `fft`, for samples `d` apart."""
    return _frequencies(ask_numpy(np.fft.fftfreq, number(n)), d, dtype)


def rfftfreq(n: Any, d: Any = 1.0, device: Any = None, *, dtype: Any = None) -> Tensor:
    """The frequencies of the results of `rfft`, for samples `d` apart."""
    return _frequencies(ask_numpy(np.fft.rfftfreq, number(n)), d, dtype)


def _frequencies(unscaled: Any, d: Any, dtype: Any) -> Tensor:
    return wrap(np.asarray(unscaled / real_number(d, "d"), None if dtype is None else numpy_dtype(dtype)))


def fftshift(x: Any, axes: Any = None) -> Tensor:
    """Move the zero frequency to the middle."""
    return _shifted(tensor(x), axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shifted(tensor(x), axes, -1)


def _shifted(x: Tensor, axes: Any, direction: int) -> Tensor:
    places = tuple(range(x.ndim)) if axes is None else tuple([normal_axis(each, x.ndim) for each in static_shape(axes)])
    # Half the size, rounded down in one direction and up in the other, so that they invert each other.
    return roll(
        x, tuple([x._array.shape[i] // 2 if direction > 0 else -(x._array.shape[i] // 2) for i in places]), places
    )
