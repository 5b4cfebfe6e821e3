"""Rows for the primitives of `whygrad.numpy`, which TensorFlow has no op for."""

import numpy as np

import whygrad.numpy as wnp
from tests.support.cases import Case, anything, between, positive


def case(name, function, *inputs, **options):
    return Case(f"numpy {name}", lambda tf, *x: function(*x), inputs, tensorflow=False, **options)


CASES = [
    case("log2", wnp.log2, positive(2, 3), complex=True),
    case("log10", wnp.log10, positive(2, 3), complex=True),
    case("exp2", wnp.exp2, anything(2, 3), complex=True),
    case("cbrt", wnp.cbrt, positive(2, 3)),
    case("cbrt of negatives", wnp.cbrt, -np.array([0.5, 1.0, 8.0])),
    case("hypot", wnp.hypot, anything(2, 3), anything(3)),
    case("logaddexp", wnp.logaddexp, anything(2, 3), anything(3)),
    case("logaddexp far apart", wnp.logaddexp, np.array([0.0, 800.0]), np.array([-800.0, 0.0])),
    case("logaddexp2", wnp.logaddexp2, anything(2, 3), anything(3)),
    case("remainder", wnp.remainder, between(3.1, 3.9, 4), between(1.1, 1.4, 4), second=False),
    case("ldexp", lambda x: wnp.ldexp(x, np.array([1, -2, 3])), anything(2, 3)),
    case("log2 empty", wnp.log2, positive(0, 3)),
    case("hypot empty", wnp.hypot, anything(0, 3), anything(3)),
    case(
        "fourier_transform",
        lambda x: wnp.real(wnp.fft.fft(x)) + wnp.imag(wnp.fft.ifft2(x)),
        anything(3, 4),
        complex=True,
    ),
    case("step", lambda x: wnp.trunc(x), anything(2, 3), order=0),
    case("position", lambda x: wnp.argmax(x, axis=1), anything(2, 3), order=0),
    case("order", lambda x: wnp.argsort(x), anything(2, 3), order=0),
    case("cell", lambda x: wnp.searchsorted(np.array([0.0, 1.0]), x), anything(2, 3), order=0),
    case("count", lambda x: wnp.histogram(x, np.array([-1.0, 0.0, 1.0]))[0], anything(2, 3), order=0),
    case("power of integers", lambda x: wnp.power(wnp.argsort(x), 2), anything(2, 3), order=0),
    case("discrete", wnp.signbit, anything(2, 3), order=0),
]

BAD_INPUT = []
