"""Unnormalized Fourier transforms: three primitives, each the adjoint of another, from which `signal` and `numpy.fft` are built."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.ops.indexing import getitem
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.shaping import pad
from whygrad.values.tensor import Tensor

Axes = tuple[int, ...]

# The matrix of the transform is symmetric, so its adjoint is its conjugate: the transform in the other direction.
_fourier = Primitive(
    "fourier_transform",
    "fourier_transform",
    inputs=("x",),
    vjp=lambda xp, g, axes, inverse: xp.fourier_transform(g, axes=axes, inverse=not inverse),
)


def _mirrored(size: int, middle: float, axis: int, rank: int, dtype: Any) -> Any:
    """Weights for an axis that holds half of a transform of `size` points: `middle` for elements with a mirror image, else 1."""
    weights = np.full(size // 2 + 1, middle, np.empty(0, dtype).real.dtype)
    weights[0] = 1
    if size % 2 == 0:
        weights[-1] = 1
    return weights.reshape([-1 if i == axis else 1 for i in range(rank)])


def real_fourier_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], x_dtype: Any, axes: Axes) -> Any:
    """Transform back and keep the real part; the inverse counts mirrored elements twice, which the weights undo."""
    last = axes[-1]
    halves = _mirrored(x_shape[last], 0.5, last, len(x_shape), x_dtype)
    return xp.inverse_real_fourier_transform(g * halves, axes=axes, size=x_shape[last])


def inverse_real_fourier_vjp(xp: Any, g: Any, x_shape: tuple[int, ...], x_dtype: Any, axes: Axes, size: int) -> Any:
    """Elements with a mirror image in the other half were used twice."""
    return xp.real_fourier_transform(g, axes=axes) * _mirrored(size, 2.0, axes[-1], len(x_shape), x_dtype)


_real = Primitive("real_fourier_transform", "real_fourier_transform", inputs=("x",), vjp=real_fourier_vjp)
_inverse_real = Primitive(
    "inverse_real_fourier_transform",
    "inverse_real_fourier_transform",
    inputs=("x",),
    vjp=inverse_real_fourier_vjp,
)


def fourier(x: Tensor, axes: Axes, inverse: bool) -> Tensor:
    """The unnormalized transform: the sums with exp(-2 pi i j k / n), or exp(+...) for the inverse."""
    return apply(_fourier, x, axes=axes, inverse=inverse)


def real_fourier(x: Tensor, axes: Axes) -> Tensor:
    """`fourier` of real numbers: along the last of the axes, only the non-redundant half."""
    return apply(_real, x, axes=axes)


def inverse_real_fourier(x: Tensor, axes: Axes, size: int) -> Tensor:
    """The unnormalized real inverse of `real_fourier`, with `size` points along the last of the axes."""
    return apply(_inverse_real, truncate_or_pad(x, size // 2 + 1 if size else 0, axes[-1]), axes=axes, size=size)


def truncate_or_pad(x: Tensor, size: int, axis: int) -> Tensor:
    """Truncate or zero-pad the end of an axis to `size`."""
    have = x._array.shape[axis]
    if size < have:
        return getitem(x, (*(slice(None),) * axis, slice(None, size)))
    return pad(x, [(0, size - have if i == axis else 0) for i in range(x.ndim)]) if size > have else x
