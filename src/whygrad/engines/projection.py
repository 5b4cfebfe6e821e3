"""Images seen through projective transforms: the same code for NumPy's arrays and for JAX's."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def project_image(
    xp: Any, x: Array, transforms: Array, *, size: tuple[int, int], fill: float, interpolation: str, mode: str
) -> Array:
    """For each pixel of images of this `size`, the pixel of `x` [batch, height, width, channels] at its transformed place.

    A transform is 8 numbers a0 .. a7: the pixel (column, row) is read at ((a0 column + a1 row + a2) / k, (a3 column + a4 row + a5) / k),
    with k = a6 column + a7 row + 1. `mode` says what lies outside of `x`. Places and weights are float32, as in TensorFlow.
    """
    a = [transforms[:, i, None, None].astype(np.float32) for i in range(8)]
    column = np.arange(size[1], dtype=np.float32)
    row = np.arange(size[0], dtype=np.float32)[:, None]
    scale = a[6] * column + a[7] * row + np.float32(1)
    divisor = xp.where(scale == 0, np.float32(1), scale)
    height, width = x.shape[1:3]
    across = _inside(xp, (a[0] * column + a[1] * row + a[2]) / divisor, width, mode)
    down = _inside(xp, (a[3] * column + a[4] * row + a[5]) / divisor, height, mode)
    batch = np.arange(x.shape[0])[:, None, None]
    filling = np.asarray(fill).astype(x.dtype)

    def read(rows: Array, columns: Array) -> Array:
        exists = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        if not x.size:
            return xp.full((x.shape[0], *size, x.shape[3]), filling)
        at_row, at_column = (
            xp.clip(place, 0, end - 1).astype(np.int32) for place, end in ((rows, height), (columns, width))
        )
        return xp.where(exists[..., None], x[batch, at_row, at_column], filling)

    if interpolation == "NEAREST":
        result = read(_round(xp, down), _round(xp, across))
    else:
        above, left = xp.floor(down), xp.floor(across)
        below, right = above + 1, left + 1

        def between(a: Array, weight_of_a: Array, b: Array, weight_of_b: Array) -> Array:
            return weight_of_a[..., None] * a.astype(np.float32) + weight_of_b[..., None] * b.astype(np.float32)

        upper = between(read(above, left), right - across, read(above, right), across - left)
        lower = between(read(below, left), right - across, read(below, right), across - left)
        result = between(upper, below - down, lower, down - above).astype(x.dtype)
    return xp.where((scale == 0)[..., None], filling, result)


def _round(xp: Any, place: Array) -> Array:
    """To the nearest integer, halves away from zero."""
    return xp.where(place < 0, xp.ceil(place - np.float32(0.5)), xp.floor(place + np.float32(0.5)))


def _inside(xp: Any, place: Array, size: int, mode: str) -> Array:
    """The coordinate within an axis of this size that a coordinate outside of it stands for."""
    if mode == "CONSTANT":
        return place
    last = np.float32(size - 1)
    if mode == "NEAREST":
        return xp.clip(place, 0, last)
    if size <= 1:
        return xp.zeros_like(place)
    if mode == "REFLECT":  # dcba|abcd|dcba
        period = np.float32(2 * size)
        before = period * xp.trunc(-place / period) + place
        before = xp.where(before < -size, before + period, -before - 1)
        after = place - period * xp.trunc(place / period)
        after = xp.where(after >= size, period - after - 1, after)
    else:  # abcd|abcd|abcd
        before = place + np.float32(size) * (xp.trunc(-place / last) + 1)
        after = place - np.float32(size) * xp.trunc(place / last)
    return xp.clip(xp.where(place < 0, before, xp.where(place > last, after, place)), 0, last)
