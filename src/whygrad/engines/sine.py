"""Sine and cosine of large float64 arrays, from NumPy's plain arithmetic on blocks that stay in the cache.

NumPy calls C's `sin` for each element, which takes two to three times as long as the 20 to 30 products and sums here, whose loops are
vectorized. x is reduced to r in [-pi/2, pi/2] with sin(x) = +-sin(r), and sin(r) is a polynomial. Results are within 2 units in the
last place of NumPy's, also next to a zero of the function, and depend on the element alone, not on its neighbours in the array. Arrays
with fewer elements go to NumPy; WHYGRAD_SINE=0 sends all of them there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

BLOCK = 1 << 14  # elements: three blocks stay in a core's cache, and NumPy's calls cost little beside their loops
_FARTHEST = 2.0**18  # |x| up to which the multiples of pi below are exact; C's function computes the others


def _constants(*values: float) -> list[Array]:
    """As arrays: NumPy takes longer to convert a Python number than to multiply a thousand elements."""
    return [np.array(value) for value in values]


# pi in three parts. The first two have 35 bits, so that their products with a multiple of 1/2 up to 2**17 are exact. So is x minus
# the first product, and minus the second if x is close to a multiple of pi: r has all its digits there too.
_PI = _constants(*map(float.fromhex, ("0x1.921fb54440000p+1", "0x1.68c234c4c0000p-38", "0x1.98a2e03707345p-76")))
_HALF_PI = [part / 2 for part in _PI]
_PER_PI, _HALF, _ZERO, _SIGN = np.array(1 / np.pi), np.array(0.5), np.array(0.0), np.array(63)
_ROUNDS = np.array(1.5 * 2.0**52)  # added, it rounds to an integer, whose last bit is the sum's last bit

# sin(r) = r + r * z * P(z) with z = r * r: the polynomial with the smallest relative error on [0, (pi/2)**2], 3e-19. From the
# highest power down.
_HIGHEST, *_COEFFICIENTS, _LOWEST = _constants(
    2.7216780039923628e-15, -7.643043465418091e-13, 1.6058941903477854e-10, -2.5052106921615938e-08,
    2.7557319211744394e-06, -0.00019841269841213368, 0.008333333333333208, -0.16666666666666666,
)  # fmt: skip


def sin(x: Array, out: Array) -> None:
    """The sine of x, a contiguous float64 array of one axis, into `out`."""
    _by_blocks(_sin_block, np.sin, x, out)


def cos(x: Array, out: Array) -> None:
    """The cosine of x, a contiguous float64 array of one axis, into `out`."""
    _by_blocks(_cos_block, np.cos, x, out)


def _by_blocks(compute: Any, exact: np.ufunc, x: Array, out: Array) -> None:
    memory = np.empty((3, min(BLOCK, x.size)))
    for start in range(0, x.size, BLOCK):
        block, to = x[start : start + BLOCK], out[start : start + BLOCK]
        scratch = memory[:, : block.size]
        if not compute(block, to, *scratch):
            is_near = np.absolute(block) <= _FARTHEST
            compute(np.where(is_near, block, 0), to, *scratch)
            exact(block, to, where=~is_near)


# These return False, and have computed nothing, if a number is too far from 0, or nan.


def _sin_block(x: Array, out: Array, z: Array, p: Array, q: Array) -> bool:
    np.multiply(x, x, z)
    highest = np.maximum.reduce(z)
    if highest <= 1.57**2:
        _sin_of_reduced(x, z, out, p)  # r = x, which the steps below would give too
        return True
    if not highest <= _FARTHEST**2:
        return False
    np.multiply(x, _PER_PI, z)
    np.add(z, _ROUNDS, z)
    np.subtract(z, _ROUNDS, p)
    _reduce(x, out, z, p, q)
    np.multiply(out, out, z)
    _sin_of_reduced(out, z, out, p)
    return True


def _cos_block(x: Array, out: Array, z: Array, p: Array, q: Array) -> bool:
    """cos(x) = +-sin(|x| - (n - 1/2) * pi): relative to the closest zero of the cosine."""
    np.absolute(x, out)
    highest = np.maximum.reduce(out)
    if highest <= 3.14:
        np.subtract(_HALF_PI[0], out, out)  # r = pi/2 - |x|, which the steps below would give too
        np.add(out, _HALF_PI[1], out)
        np.add(out, _HALF_PI[2], out)
    elif not highest <= _FARTHEST:
        return False
    else:
        np.multiply(out, _PER_PI, z)
        np.add(z, _HALF, z)
        np.add(z, _ROUNDS, z)
        np.subtract(z, _ROUNDS, p)
        np.subtract(p, _HALF, p)
        _reduce(out, out, z, p, q)
    np.multiply(out, out, z)
    _sin_of_reduced(out, z, out, p)
    return True


def _reduce(x: Array, r: Array, z: Array, p: Array, q: Array) -> None:
    """r = x - p * pi, negated where z, an integer to which `_ROUNDS` was added, is odd; r may be x. Overwrites z and q."""
    np.multiply(p, _PI[0], q)
    np.subtract(x, q, r)
    np.multiply(p, _PI[1], q)
    np.subtract(r, q, r)
    np.multiply(p, _PI[2], q)
    np.subtract(r, q, r)
    bits, signs = r.view(np.int64), z.view(np.int64)
    np.left_shift(signs, _SIGN, signs)
    np.bitwise_xor(bits, signs, bits)


def _sin_of_reduced(r: Array, z: Array, out: Array, p: Array) -> None:
    """The sine of r, which lies in [-pi/2, pi/2], into `out`, which may be r; z = r * r. Overwrites p."""
    np.multiply(z, _HIGHEST, p)
    for coefficient in _COEFFICIENTS:
        np.add(p, coefficient, p)
        np.multiply(p, z, p)
    np.add(p, _LOWEST, p)
    np.multiply(p, z, p)
    np.add(p, _ZERO, p)  # -0 becomes 0, and the sum below keeps the sign of r = -0
    np.multiply(p, r, p)
    np.add(r, p, out)
