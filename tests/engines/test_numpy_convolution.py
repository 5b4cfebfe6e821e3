"""Convolutions in chunks, blocks and shifted products: the ways that sizes choose between, each against the definition."""

import itertools
import math

import numpy as np
import pytest

from whygrad.engines import numpy_convolution, workers
from whygrad.engines.numpy import engine

CASES = {  # images, sizes, channels, filters, taps, strides, offsets, dilations
    "shared lines": (3, (9, 8), 16, 5, (3, 3), (1, 1), (1, 1), (1, 1)),
    "lines of a single tap": (2, (9, 8), 32, 5, (3, 1), (1, 1), (1, 0), (1, 1)),
    "one axis": (4, (23,), 32, 7, (5,), (1,), (2,), (1,)),
    "three axes": (2, (5, 6, 4), 8, 3, (2, 3, 2), (1, 1, 1), (1, 1, 0), (1, 1, 1)),
    "dilated lines": (2, (11, 9), 16, 4, (3, 2), (1, 1), (2, 0), (2, 1)),
    "strides along one axis": (2, (9, 11), 16, 4, (3, 3), (1, 2), (1, 1), (1, 1)),
    "strides": (3, (10, 9), 8, 6, (3, 3), (2, 2), (1, 0), (1, 1)),
    "strides beyond the taps": (2, (10, 9), 4, 6, (2, 3), (3, 4), (0, 1), (1, 1)),
    "strides and dilations": (2, (11, 10), 4, 6, (2, 2), (2, 3), (1, 0), (3, 2)),
    "stride of one axis, dilation of the other": (2, (11, 10), 4, 6, (2, 3), (2, 1), (1, 2), (1, 2)),
    "cropped": (2, (9, 8), 16, 5, (3, 3), (1, 1), (-1, -2), (1, 1)),
    "many filters": (2, (6, 6), 12, 64, (3, 3), (1, 1), (1, 1), (1, 1)),
    "a prime number of windows in a line": (2, (1, 61), 32, 16, (2, 3), (1, 1), (1, 1), (1, 1)),
    "few channels": (5, (7, 7), 1, 4, (3, 3), (1, 1), (1, 1), (1, 1)),
    "few channels, even lines": (5, (7, 8), 1, 4, (3, 3), (1, 1), (0, 1), (1, 1)),
    "few channels, strides": (3, (9, 19), 3, 4, (3, 3), (1, 2), (1, 0), (1, 1)),
}


def most_neighbours(images, shape, stride, sizes):
    return max(n for n in (1, 2, 3, 4) if sizes[-1] % n == 0)


LIMITS = {  # bytes of a chunk, size of a small product, windows that are one row
    "as they are": {},
    "many chunks": {"_CHUNK_BYTES": 1 << 12, "_ENOUGH_TIME": 0},
    "lines of images": {"_CHUNK_BYTES": 1 << 9, "_ENOUGH_TIME": 0},
    "small blocks": {"_SMALL_PRODUCT": 30_000},
    "large products": {"_SMALL_PRODUCT": 100, "_CHUNK_BYTES": 1 << 12},
    "rows of neighbours": {"_fastest_row": most_neighbours, "_ENOUGH_COLUMNS": 10**6},
    "many chunks of such rows": {"_fastest_row": most_neighbours, "_CHUNK_BYTES": 1 << 12, "_ENOUGH_TIME": 0},
}


def drawn(case):
    images, space, channels, filters, taps, strides, offsets, dilations = CASES[case]
    sizes = tuple(
        (n + 2 * max(before, 0) + min(before, 0) - (tap - 1) * d - 1) // s + 1
        for n, tap, s, before, d in zip(space, taps, strides, offsets, dilations)
    )
    rng = np.random.default_rng(len(case))
    x = rng.normal(size=(images, *space, channels))
    w = rng.normal(size=(*taps, channels, filters))
    g = rng.normal(size=(images, *sizes, filters))
    return x, w, g, {"strides": strides, "offsets": offsets, "dilations": dilations}


def by_definition(x, w, g, *, strides, offsets, dilations):
    """The convolution and its two transposes, for upstream gradient g: one sum for each tap of each window."""
    y, of_x, of_w = np.zeros_like(g), np.zeros_like(x), np.zeros_like(w)
    for window in itertools.product(*map(range, g.shape[1:-1])):
        for tap in itertools.product(*map(range, w.shape[:-2])):
            place = [i * s + t * d - b for i, s, t, d, b in zip(window, strides, tap, dilations, offsets)]
            if all(0 <= p < n for p, n in zip(place, x.shape[1:-1])):
                at, here = (slice(None), *place), (slice(None), *window)
                y[here] += x[at] @ w[tap]
                of_x[at] += g[here] @ w[tap].T
                of_w[tap] += x[at].T @ g[here]
    return y, of_x, of_w


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("case", CASES)
def test_every_way_computes_the_definition(case, limits, monkeypatch):
    for name, value in LIMITS[limits].items():
        monkeypatch.setattr(numpy_convolution, name, value)
    x, w, g, how = drawn(case)
    y, of_x, of_w = by_definition(x, w, g, **how)
    np.testing.assert_allclose(engine.conv(x, w, sizes=g.shape[1:-1], **how), y, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(engine.conv_input(g, w, shape=x.shape, **how), of_x, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(engine.conv_filters(x, g, shape=w.shape, **how), of_w, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_results_do_not_depend_on_the_number_of_threads(case, monkeypatch):
    monkeypatch.setattr(numpy_convolution, "_CHUNK_BYTES", 1 << 12)
    monkeypatch.setattr(numpy_convolution, "_ENOUGH_TIME", 0)
    x, w, g, how = drawn(case)
    results = []
    for count in (1, 3):
        workers.set_limit(count)
        try:
            y = engine.conv(x, w, sizes=g.shape[1:-1], **how)
            of_x = engine.conv_input(g, w, shape=x.shape, **how)
            results.append((y, of_x, engine.conv_filters(x, g, shape=w.shape, **how)))
        finally:
            workers.set_limit(0)
    for one, three in zip(*results):
        np.testing.assert_array_equal(one, three)


def test_the_cases_take_every_way(monkeypatch):
    """Some cases share lines and some do not; some groups are a stride apart; small blocks have 16 columns, or leave some rows."""
    shifts, blocks, rest, strides = set(), set(), set(), set()
    monkeypatch.setattr(numpy_convolution, "_SMALL_PRODUCT", LIMITS["small blocks"]["_SMALL_PRODUCT"])
    for case in CASES:
        x, w, g, how = drawn(case)
        windows = numpy_convolution._Windows(x, w.shape[:-2], sizes=g.shape[1:-1], filters=w.shape[-1], **how)
        most, few = numpy_convolution._block(windows.columns, w.shape[-1])
        count = math.prod(g.shape[1:-1])
        number, size = numpy_convolution._split(count, most)
        shifts.add(len(windows.shifts) > 1)
        blocks.add(few < w.shape[-1])
        rest.add(number * size < count)
        strides.add(max(how["strides"]) > 1)
    assert shifts == blocks == rest == strides == {True, False}


def test_neighbouring_windows_are_one_row_where_runs_are_short(monkeypatch):
    rows = []
    monkeypatch.setattr(numpy_convolution, "_beside_each_other", recorded(numpy_convolution._beside_each_other, rows))
    x, w = np.ones((64, 28, 28, 1), "float32"), np.ones((3, 3, 1, 16), "float32")
    how = {"strides": (1, 1), "offsets": (0, 0), "dilations": (1, 1)}
    engine.conv(x, w, sizes=(26, 26), **how)
    assert rows == [2]
    engine.conv(x[:1], w, sizes=(26, 26), **how)  # too little to gain
    engine.conv(np.ones((64, 28, 28, 16), "float32"), np.ones((3, 3, 16, 16), "float32"), sizes=(26, 26), **how)
    # 13 is no multiple of 2, 3 or 4.
    engine.conv(x, w, sizes=(26, 13), strides=(1, 2), offsets=(0, 0), dilations=(1, 1))
    engine.conv(x, w, sizes=(24, 24), strides=(1, 1), offsets=(0, 0), dilations=(2, 2))
    assert rows == [2]


def recorded(function, calls):
    def call(w, neighbours, stride):
        calls.append(neighbours)
        return function(w, neighbours, stride)

    return call


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_inf_and_nan_reach_the_same_results_in_rows_of_neighbours(value, monkeypatch):
    x, w = np.ones((2, 6, 10, 1)), np.ones((3, 3, 1, 4))
    x[1, 2, 4] = value
    how = {"strides": (1, 1), "offsets": (0, 0), "dilations": (1, 1)}
    results = []
    for ways in (most_neighbours, lambda *_: 1):
        monkeypatch.setattr(numpy_convolution, "_fastest_row", ways)
        with np.errstate(invalid="ignore"):
            y = engine.conv(x, w, sizes=(4, 8), **how)
            results.append((y, engine.conv_filters(x, y, shape=w.shape, **how)))
    reached = np.zeros((2, 4, 8, 4), bool)
    reached[1, :3, 2:5] = True
    np.testing.assert_array_equal(~np.isfinite(results[0][0]), reached)
    for rows, alone in zip(*results):
        np.testing.assert_array_equal(rows, alone)
