"""Rows for `whygrad.ops.special`."""

import numpy as np

from tests.support.cases import BadInput, Case, anything, between, positive, unit


def special(name, drawn, corners, **more):
    """Rows for a function of `tf.math` or `tf.math.special`: an ordinary point, no elements, and special points."""

    def function(tf, x):
        return getattr(tf.math if hasattr(tf.math, name) else tf.math.special, name)(x)

    return [
        Case(name, function, (drawn(2, 3),), **more),
        Case(f"{name} empty", function, (drawn(0, 3),), second=False),
        Case(f"{name} at corners", function, (np.array(corners),), order=0, **more),
    ]


INF, NAN = np.inf, np.nan
# TensorFlow's float32 kernels are approximations of their own, good to about this.
ROUGHLY = {"float32": 2e-4}

CASES = [
    *special("erf", anything, [0.0, 3.0, -3.0, NAN]),
    *special("erfc", anything, [0.0, 3.0, -3.0, NAN]),
    *special("erfinv", unit, [1.0, -1.0, 0.0, 2.0], rtol=ROUGHLY),
    *special("erfcinv", lambda *shape: between(0.2, 1.8, *shape), [0.5, 0.0, 2.0], rtol=ROUGHLY),
    *special("ndtri", lambda *shape: between(0.1, 0.9, *shape), [0.0, 1.0, 0.5, 2.0], rtol=ROUGHLY),
    *special("lgamma", positive, [1.0, 2.0, -1.5, INF, -INF]),
    *special("digamma", positive, [1.0, -1.5, 0.0], rtol=ROUGHLY),
    *special("bessel_i0", anything, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_i0e", positive, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_i1", positive, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_i1e", positive, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_j0", anything, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_j1", positive, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("bessel_k0", positive, [0.0, 5.0, -1.0], rtol=ROUGHLY),
    *special("bessel_k0e", positive, [0.0, 5.0, -1.0], rtol=ROUGHLY),
    *special("bessel_k1", positive, [0.0, 5.0, -1.0], rtol=ROUGHLY),
    *special("bessel_k1e", positive, [0.0, 5.0, -1.0], rtol=ROUGHLY),
    *special("bessel_y0", positive, [5.0, -1.0], rtol=ROUGHLY),
    *special("bessel_y1", positive, [5.0, -1.0], rtol=ROUGHLY),
    *special("dawsn", anything, [0.0, 5.0, -5.0], rtol=ROUGHLY),
    *special("expint", positive, [0.0, 5.0, -1.0], rtol=ROUGHLY),
    *special("fresnel_cos", anything, [0.0, 3.0], rtol=ROUGHLY),
    *special("fresnel_sin", anything, [0.0, 3.0], rtol=ROUGHLY),
    *special("spence", positive, [0.0, 1.0, 3.0], rtol=ROUGHLY),
    Case("lbeta", lambda tf, x: tf.math.lbeta(x), (positive(2, 3),), rtol=ROUGHLY),
    Case("lbeta without elements", lambda tf, x: tf.math.lbeta(x), (positive(2, 0),), order=0),
    Case("polygamma", lambda tf, x: tf.math.polygamma(tf.constant([[1.0], [2.0]], x.dtype), x), (positive(3),)),
    Case("polygamma of the order", lambda tf, n, x: tf.math.polygamma(n, x), (np.array([0.0, 1.0, 2.5]), positive(3)), order=0),
    Case("zeta", lambda tf, q: tf.math.zeta(tf.constant([[2.0], [3.5]], q.dtype), q), (positive(3),)),
    Case("zeta of both", lambda tf, x, q: tf.math.zeta(x, q), (between(1.5, 3.0, 3), positive(3)), order=0),
    Case("zeta at poles", lambda tf, x, q: tf.math.zeta(x, q), (np.array([2.0, 3.0, 1.0]), np.array([-1.0, -1.0, 2.0])), order=0),
    Case("igamma", lambda tf, a, x: tf.math.igamma(a, x), (positive(2, 3), positive(3)), order=1, rtol=ROUGHLY),
    Case("igammac", lambda tf, a, x: tf.math.igammac(a, x), (positive(2, 3), between(2.0, 8.0, 3)), order=1, rtol=ROUGHLY),
    Case("igamma of large arguments", lambda tf, a, x: tf.math.igamma(a, x), (between(20.0, 60.0, 5), between(20.0, 60.0, 5)), order=1,
         rtol={"float32": 1e-3}),  # TensorFlow's float32 kernel takes the logarithm of gamma in float32
    Case("igamma by x", lambda tf, x: tf.math.igamma(tf.constant([0.5, 1.0, 2.5], x.dtype), x), (positive(2, 3),), rtol=ROUGHLY),
    Case("igamma at corners", lambda tf, a, x: tf.math.igamma(a, x), (np.array([2.0, 0.0, -1.0, 2.0]), np.array([0.0, 0.0, 1.0, -1.0])), order=0),
    Case("betainc", lambda tf, x: tf.math.betainc(tf.constant([1.5, 2.0, 0.5], x.dtype), tf.constant(2.5, x.dtype), x),
         (between(0.1, 0.9, 3),), rtol=ROUGHLY),
    Case("betainc of all", lambda tf, a, b, x: tf.math.betainc(a, b, x), (positive(3), positive(3), between(0.1, 0.9, 3)), order=0,
         rtol=ROUGHLY),
]  # fmt: skip

BAD_INPUT = [
    BadInput("erf of int", lambda tf: tf.math.erf(tf.constant([1])), "Value for attr 'T' of int32 is not in the list"),
    BadInput("lgamma of int", lambda tf: tf.math.lgamma([1]), "Value for attr 'T' of int32 is not in the list"),
    BadInput("igamma of shapes", lambda tf: tf.math.igamma(tf.ones(2), tf.ones(3)), "Incompatible shapes: [2] vs. [3]"),
    BadInput(
        "betainc of shapes",
        lambda tf: tf.math.betainc(tf.ones(2), tf.ones(3), tf.ones(2)),
        "Shapes of a and b are inconsistent",
    ),
]
