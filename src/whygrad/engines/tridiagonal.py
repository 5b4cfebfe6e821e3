"""Tridiagonal systems whose matrix may be singular, solved as LAPACK's xLAGTF and xLAGTS do for inverse iteration."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def solve_perturbed(upper: Array, main: Array, lower: Array, rhs: Array) -> Array:
    """The y with T @ y = rhs, where pivots too small to divide by are moved away from zero.

    Rows are exchanged where that makes the pivot larger relative to its row, so U has two diagonals above the main one.
    """
    n = len(main)
    u = np.zeros((n, 3), main.dtype)  # row i holds the columns i, i + 1 and i + 2
    z = np.array(rhs)  # becomes L^-1 P rhs
    u[0, 0] = main[0]
    if n > 1:
        u[0, 1] = upper[0]
    first = np.abs(u[0]).max()
    weight = np.abs(u[0]).sum()  # of the row that is the pivot's now, as it was given
    for k in range(n - 1):
        below = np.array([lower[k + 1], main[k + 1], upper[k + 1] if k + 2 < n else 0], main.dtype)
        weight_below = np.abs(below).sum()
        if below[0] == 0:
            u[k + 1, :2] = below[1:]
            weight = weight_below
            continue
        if u[k, 0] != 0 and np.abs(below[0]) / weight_below <= np.abs(u[k, 0]) / weight:
            factor = below[0] / u[k, 0]
            u[k + 1, :2] = below[1:] - factor * u[k, 1:]
            z[k + 1] = z[k + 1] - factor * z[k]
            weight = weight_below
        else:
            factor = u[k, 0] / below[0]
            # The sign of a zero decides where it is moved.
            u[k + 1, :2] = u[k, 1] - factor * below[1], -factor * below[2]
            u[k] = below
            z[k], z[k + 1] = z[k + 1].copy(), z[k] - factor * z[k + 1]
    # TensorFlow leaves the last row but one out of the largest element; the solutions of singular systems scale with it.
    largest = max(first, np.abs(u[: max(n - 2, 0)]).max(initial=0), np.abs(u[n - 1, 0]))
    step = np.finfo(main.dtype).eps * largest
    y = np.zeros((n + 2, *z.shape[1:]), z.dtype)  # with two zero rows after the last
    for k in range(n - 1, -1, -1):
        row = z[k] - u[k, 1] * y[k + 1] - u[k, 2] * y[k + 2]
        pivot, row = _usable(u[k, 0], row, step)
        y[k] = row * (1 / pivot)
    return y[:n]


def _usable(pivot: Any, row: Array, step: Any) -> tuple[Any, Array]:
    """A pivot for which neither its reciprocal nor `row / pivot` overflows: moved by `step`, twice that, ... or scaled with its row."""
    tiny = np.finfo(row.dtype).tiny
    huge = 1 / tiny
    step = np.copysign(max(step, tiny), pivot.real)
    most = np.abs(row).max(initial=0)
    while (size := np.abs(pivot)) < 1:
        if size < tiny and size > 0 and most * tiny <= size:
            return pivot * huge, row * huge
        if size >= tiny and most <= size * huge:
            break
        pivot, step = pivot + step, 2 * step
    return pivot, row
