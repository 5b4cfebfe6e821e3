"""While NumPy's functions are redirected, a watched tensor that leaves the tape all the same is reported with its line."""

import math
import warnings

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy as wnp
from whygrad.view import notice


@pytest.fixture(autouse=True)
def _nothing_said_yet():
    notice._reported.clear()


def warned(use, watched=True):
    x = tf.constant([1.0, 2.0, 3.0])
    with warnings.catch_warnings(record=True) as caught, wnp.enable_dispatch():
        warnings.simplefilter("always")
        with tf.GradientTape() as tape:
            if watched:
                tape.watch(x)
            use(x)
    return caught


def write_elements(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x[i] ** 2
    return out


@pytest.mark.parametrize(
    "use",
    [
        lambda x: np.asarray(x) * 2.0,
        lambda x: np.array([x[0], x[1]]),
        lambda x: math.exp(x[0]) * x[1],
        lambda x: np.vectorize(lambda v: v * 2.0)(x),
        write_elements,
    ],
)
def test_an_exit_is_reported_with_its_line(use):
    warning = warned(use)[0]
    assert issubclass(warning.category, tf.GradientWarning)
    assert warning.filename == __file__
    (cause,) = warning.message.causes
    assert cause.kind == "numpy-conversion"
    assert "leaves the tape" in cause.sentence


def test_an_exit_in_a_loop_is_reported_once():
    def use(x):
        for _ in range(40):  # Python calls it by other instructions when it has been called often
            x = x * math.exp(x[0] * 0.01)

    (warning,) = warned(use)
    assert "dispatch" not in str(warning.message)


def write_corners(x):
    table = np.zeros((2, 2))
    table[0, 0] = x[0]
    table[1, 1] = x[1]
    return table


def test_an_array_that_is_written_into_is_reported_once():
    (warning,) = warned(write_corners)
    (cause,) = warning.message.causes
    assert cause.site.text == "table[0, 0]"
    assert "build `table` with np.stack: of its rows" in cause.help


def choose_step(x):
    step = 0.1
    error = abs(float(x[0] - x[1]))
    if error > 0.5:
        step *= 0.5
    return x * step * (np.asarray(x) < 2.0)


def use_error(x):
    error = abs(float(x[0] - x[1]))
    if error > 0.5:
        print("large")
    return x * error


history = {"loss": [], "p": []}


def keep_history(x):
    history["loss"].append(float(x[0]))
    history["p"].append(np.array([float(v) for v in x]))
    return x * 2.0


def use_what_is_kept(x):
    parts = []
    parts.append(float(x[0]))
    return sum(parts) * x


def test_a_history_is_no_exit():
    assert warned(keep_history) == []
    (warning,) = warned(use_what_is_kept)
    assert warning.message.causes[0].site.text == "float(x[0])"


def test_what_only_decides_is_no_exit():
    assert warned(choose_step) == []
    (warning,) = warned(use_error)
    assert warning.message.causes[0].site.text == "float(x[0] - x[1])"


@pytest.mark.parametrize(
    "use",
    [
        lambda x: np.exp(x),
        lambda x: x.numpy() * 2.0,
        lambda x: print(f"{float(x[0]):.3f}", np.asarray(x)),
        lambda x: str(x),
        lambda x: np.stack([x[0], x[1]]),
        lambda x: tf.reduce_sum(x[0:2]),
    ],
)
def test_no_alarm(use):
    assert warned(use) == []


def test_what_is_not_watched_may_leave():
    assert warned(lambda x: np.asarray(x), watched=False) == []


def test_nothing_is_reported_when_dispatch_is_off():
    with wnp.enable_dispatch():
        pass
    x = tf.Variable([1.0])
    with warnings.catch_warnings(record=True) as caught, tf.GradientTape():
        warnings.simplefilter("always")
        np.asarray(x * 2.0)
    assert caught == []


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk->ik", [(2, 1), (3, 4)]),
        ("i,i", [(1,), (4,)]),
        ("bij,bjk->bik", [(1, 2, 3), (5, 3, 4)]),
        ("ij,ij->ij", [(1, 3), (2, 1)]),
        ("...ij,...jk->...ik", [(5, 2, 1), (1, 3, 4)]),
        ("ii,i->i", [(3, 3), (1,)]),
    ],
)
def test_einsum_repeats_axes_of_size_one(subscripts, shapes):
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape) for shape in shapes]
    np.testing.assert_allclose(wnp.einsum(subscripts, *arrays).numpy(), np.einsum(subscripts, *arrays))
    x = tf.Variable(arrays[0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(wnp.einsum(subscripts, x, arrays[1]))
    numeric = np.zeros(shapes[0])
    for place in np.ndindex(shapes[0]):
        unit = np.zeros(shapes[0])
        unit[place] = 1.0
        numeric[place] = np.einsum(subscripts, unit, arrays[1]).sum()
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), numeric)
