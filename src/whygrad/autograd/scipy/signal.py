"""Convolution over some axes, with products over others."""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from whygrad.autograd.plain import giving_arrays
from whygrad.numpy import indexing, products, shaping
from whygrad.numpy.promotion import together
from whygrad.values.errors import OpValueError


@giving_arrays
def convolve(A: Any, B: Any, axes: Any = None, dot_axes: Any = ((), ()), mode: str = "full") -> Any:
    """The convolution of `A` and `B` along the pairs of `axes`, summed over the pairs of `dot_axes`; "full" or "valid".

    The other axes of `A` come first, then those of `B`, then the convolved ones.
    """
    if mode not in ("full", "valid"):
        raise OpValueError(f"the mode of a convolution is 'full' or 'valid', not {mode!r}")
    a, b = together(A, B)
    along = [list(range(a.ndim)), list(range(a.ndim))] if axes is None else [list(each) for each in axes]
    sizes = [(a._array.shape[i], b._array.shape[j]) for i, j in zip(*along)]
    if mode == "valid" and not (all(m >= n for m, n in sizes) or all(m <= n for m, n in sizes)):
        raise OpValueError("one array must be at least as large as the other along all convolved axes")
    swapped = any(m < n for m, n in sizes) and mode == "valid"
    large, small = (b, a) if swapped else (a, b)
    of_large, of_small = (along[1], along[0]) if swapped else (along[0], along[1])
    dot_large, dot_small = (dot_axes[1], dot_axes[0]) if swapped else (dot_axes[0], dot_axes[1])
    if mode == "full":
        widths = [(0, 0)] * large.ndim
        for i, j in zip(of_large, of_small):
            widths[i] = (small._array.shape[j] - 1,) * 2
        large = shaping.pad(large, widths)
    letters = iter(string.ascii_letters)
    names_large = [next(letters) for _ in range(large.ndim)]
    names_small = [next(letters) for _ in range(small.ndim)]
    for i, j in zip(dot_large, dot_small):
        names_small[j] = names_large[i]
    result = []
    # Each convolved axis becomes two: where a window begins, and the place in it. From the last one, so that numbers stay right.
    for i, j in sorted(zip(of_large, of_small), reverse=True):
        size = small._array.shape[j]
        windows = np.arange(large._array.shape[i] - size + 1)[:, None] + np.arange(size - 1, -1, -1)[None, :]
        large = indexing.take(large, windows, axis=i)
        begin = next(letters)
        names_large[i : i + 1] = [begin, names_small[j]]
        result.append((of_large.index(i), begin))
    convolved = [name for _, name in sorted(result)]
    shared = set(names_small) & set(names_large)
    rest_large = [name for name in names_large if name not in shared and name not in convolved]
    rest_small = [name for name in names_small if name not in shared]
    first, second = (rest_small, rest_large) if swapped else (rest_large, rest_small)
    subscripts = f"{''.join(names_large)},{''.join(names_small)}->{''.join([*first, *second, *convolved])}"
    return products.einsum(subscripts, large, small)
