"""Sine and cosine of large float64 arrays, beside NumPy's, whose results are within 0.52 units in the last place of the exact ones."""

import math
import warnings

import numpy as np
import pytest

import whygrad as tf
from whygrad.engines import numpy_elementwise, sine, workers
from whygrad.engines.numpy import engine
from whygrad.runtime.switches import switches

SIZE = 1 << 18  # shared out among threads
FUNCTIONS = pytest.mark.parametrize("name", ["sin", "cos"])


def near_zeros_and_peaks():
    """The float64 numbers around multiples of pi/2, as far as they are computed by blocks."""
    multiples = np.arange(-166_000, 166_000) * (math.pi / 2)
    return np.concatenate([multiples, np.nextafter(multiples, -np.inf), np.nextafter(multiples, np.inf)])


def exact_multiples():
    """As above, with multiples of pi/2 rounded once: those for which the function is smallest."""
    counts = np.arange(1, 166_000)
    rest = 6.123233995736766e-17  # pi/2 = math.pi / 2 + this
    multiples = (counts * np.longdouble(math.pi / 2) + counts * np.longdouble(rest)).astype(np.float64)
    return np.concatenate([multiples, -multiples])


POINTS = {
    "tiny": lambda rng: rng.uniform(-1, 1, SIZE) * 10.0 ** rng.integers(-320, 0, SIZE),
    "within the first quarter": lambda rng: rng.uniform(-1.57, 1.57, SIZE),
    "within the first turn": lambda rng: rng.uniform(-3.14, 3.14, SIZE),
    "several turns": lambda rng: rng.normal(size=SIZE) * 20,
    "many turns": lambda rng: rng.uniform(-3e5, 3e5, SIZE),
    "huge": lambda rng: rng.uniform(-1, 1, SIZE) * 10.0 ** rng.integers(0, 308, SIZE),
    "near multiples of pi/2": lambda rng: near_zeros_and_peaks(),
    "multiples of pi/2, rounded": lambda rng: exact_multiples(),
}


@pytest.fixture(params=[1, 3])
def threads(request):
    workers.set_limit(request.param)
    yield request.param
    workers.set_limit(0)


@FUNCTIONS
@pytest.mark.parametrize("points", POINTS)
def test_results_are_within_two_units_in_the_last_place_of_numpys(name, points, threads):
    x = POINTS[points](np.random.default_rng(0))
    wanted, found = getattr(np, name)(x), getattr(tf, name)(x).numpy()
    assert (np.abs(found - wanted) <= 2 * np.spacing(np.abs(wanted))).all()
    assert (np.abs(found) <= 1).all()


@FUNCTIONS
def test_special_values(name):
    special = np.array([0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, np.nan, 2.0**18, -(2.0**18), 1e22, 1e308])
    x = np.resize(special, SIZE)
    with np.errstate(invalid="ignore"):
        wanted = getattr(np, name)(x)
    found = getattr(tf, name)(x).numpy()
    assert (np.isnan(found) == np.isnan(wanted)).all()
    assert (np.signbit(found) == np.signbit(wanted))[~np.isnan(wanted)].all()
    assert (found == wanted)[np.abs(x) < 1].all()  # 0, -0, denormals and 1
    assert (np.abs(found - wanted) <= 2 * np.spacing(np.abs(wanted)))[~np.isnan(wanted)].all()


@FUNCTIONS
def test_a_result_depends_on_its_element_alone(name):
    """Blocks of small numbers are computed by fewer steps, and those with large ones by more."""
    rng = np.random.default_rng(1)
    near = rng.uniform(-1.57, 1.57, sine.BLOCK)
    alone = getattr(tf, name)(near).numpy()
    for neighbours in ([3.0], [100.0], [1e9], [np.nan]):
        beside = getattr(tf, name)(np.resize([*near[:-1], *neighbours], SIZE)).numpy()
        assert (beside[: sine.BLOCK - 1] == alone[:-1]).all()
        assert (beside[sine.BLOCK : 2 * sine.BLOCK - 1] == alone[:-1]).all()


@FUNCTIONS
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64, np.complex128])
def test_other_dtypes_are_numpys(name, dtype, threads):
    x = np.linspace(-3, 3, SIZE + 5).astype(dtype)
    found = getattr(engine, name)(x)
    assert found.dtype == dtype
    assert (found == getattr(np, name)(x)).all()


@FUNCTIONS
def test_shapes_and_memory_layouts(name):
    x = np.linspace(-4, 4, 300 * 200)
    wanted = getattr(np, name)(x).reshape(300, 200)
    array = x.reshape(300, 200)
    for same in (array, np.asfortranarray(array), np.repeat(array, 2, axis=0)[::2], array[::-1][::-1]):
        assert np.abs(getattr(engine, name)(same) - wanted).max() < 3e-16
    upside_down = getattr(engine, name)(array[::-1])
    assert np.abs(upside_down[::-1] - wanted).max() < 3e-16


@FUNCTIONS
@pytest.mark.parametrize("size", [sine.BLOCK, SIZE + 5])
def test_with_the_switch_off_results_and_gradients_are_numpys(name, size, monkeypatch, threads):
    monkeypatch.setattr(switches, "sine", False)
    x = tf.Variable(np.random.default_rng(2).normal(size=size) * 20)
    with tf.GradientTape() as tape:
        y = getattr(tf, name)(x)
    slope = np.cos(x.numpy()) if name == "sin" else -np.sin(x.numpy())
    assert (y.numpy() == getattr(np, name)(x.numpy())).all()
    assert (tape.gradient(y, x).numpy() == slope).all()


@FUNCTIONS
def test_gradients_are_as_exact_as_the_function(name):
    x = tf.Variable(np.random.default_rng(3).normal(size=SIZE) * 20)
    with tf.GradientTape() as tape:
        y = getattr(tf, name)(x)
    slope = np.cos(x.numpy()) if name == "sin" else -np.sin(x.numpy())
    found = tape.gradient(y, x).numpy()
    assert (np.abs(found - slope) <= 2 * np.spacing(np.abs(slope))).all()


@FUNCTIONS
def test_smaller_arrays_are_numpys(name):
    x = np.random.default_rng(4).normal(size=numpy_elementwise.ENOUGH_FOR_BLOCKS) * 20
    ours, numpys = getattr(tf, name)(x).numpy(), getattr(np, name)(x)
    assert (getattr(tf, name)(x[1:]).numpy() == numpys[1:]).all()
    assert (ours != numpys).any()
    assert (np.abs(ours - numpys) <= 2 * np.spacing(np.abs(numpys))).all()


@FUNCTIONS
def test_numbers_that_overflow_or_are_invalid_give_no_warning(name, threads):
    x = np.resize([1e200, -1e308, np.inf, np.nan, 5e-324], SIZE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(tf, name)(x).numpy()
    assert np.isnan(found[2::5]).all()
