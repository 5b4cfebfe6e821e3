"""Products of matrices: the same numbers however the operands lie in memory."""

import itertools

import numpy as np
import pytest

from whygrad.engines.numpy import engine

SHAPES = [
    ((2, 3, 4, 5), (2, 3, 5, 6)),
    ((3, 4, 5), (3, 5, 6)),
    ((1, 3, 50, 5), (1, 3, 5, 1)),
    ((2, 0, 4, 5), (2, 0, 5, 6)),
]
ORDERS = [(0, 1, 2, 3), (0, 2, 1, 3), (2, 0, 1, 3), (0, 1, 3, 2), (3, 2, 1, 0), (1, 0, 2, 3)]


def laid_out(shape, order, dtype):
    """Numbers of this shape, whose axes lie in memory in this order."""
    order = [i for i in order if i < len(shape)]
    rng = np.random.default_rng(len(order))
    values = rng.normal(size=[shape[i] for i in order]).astype(dtype)
    return values.transpose(np.argsort(order))


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_products_of_operands_in_any_order(shapes, dtype):
    for of_a, of_b in itertools.product(ORDERS, ORDERS):
        a, b = laid_out(shapes[0], of_a, dtype), laid_out(shapes[1], of_b, dtype)
        found = engine.matmul(a, b)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, np.einsum("...ij,...jk->...ik", a, b), rtol=1e-5, atol=1e-5)


def test_heads_that_lie_beside_each_other_stay_so():
    heads = np.ones((2, 64, 4, 16), "float32").transpose(0, 2, 1, 3)
    mixed = engine.matmul(np.ones((2, 4, 64, 64), "float32"), heads)
    assert np.shares_memory(mixed.transpose(0, 2, 1, 3).reshape(2, 64, 64), mixed)
