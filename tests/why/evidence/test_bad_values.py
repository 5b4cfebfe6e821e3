"""Values with inf or nan are found again in data by their rows, and nan alone is not."""

import numpy as np
import pytest

import whygrad as tf
from whygrad.values.tensor import key_of
from whygrad.why.evidence.bad_values import BadValues

NAN = np.float32(np.nan)
MADE = np.array([[1.0, NAN], [2.0, 3.0], [NAN, 4.0]], np.float32)
PLACE = (compile("0", "program.py", "eval"), 0)


def origin_of(data, made=MADE):
    values, key = BadValues(), key_of(tf.constant(made))
    values.add(PLACE, key, made)
    return values.origin_of(np.asarray(data, np.float32)) is key


@pytest.mark.parametrize(
    "data",
    [MADE, MADE[::-1], MADE[2:], [[5.0, 6.0], [NAN, 4.0]], np.stack([MADE, np.zeros_like(MADE)])],
    ids=["whole", "shuffled", "part", "batch with other rows", "element of a batch"],
)
def test_data_that_an_op_made(data):
    assert origin_of(data)


@pytest.mark.parametrize(
    "data",
    [[[2.0, 3.0]], [[NAN, 5.0]], [[NAN, NAN]], [1.0, NAN], MADE.T],
    ids=["finite", "another value", "nan alone", "another shape", "transposed"],
)
def test_other_data(data):
    assert not origin_of(data)


def test_nan_without_a_finite_number_is_like_any_other():
    assert not origin_of([NAN, 1.0], np.array(NAN, np.float32))


def test_the_last_values_of_each_place_are_kept():
    values = BadValues()
    keys = [key_of(tf.constant(MADE)) for _ in range(40)]
    for i, key in enumerate(keys):
        values.add(PLACE, key, MADE + np.float32(i))
    assert values.origin_of(MADE) is None
    assert values.origin_of(MADE + np.float32(39)) is keys[-1]
