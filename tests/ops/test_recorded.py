"""The namespace of rules that are recorded: its fast forms are the functions that they stand for."""

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy
from whygrad.ops.primitive import apply, registered
from whygrad.ops.recorded import FAST, recorded


def _reference(name):
    function = getattr(whygrad.numpy, name, None)
    return function or (lambda *inputs: apply(registered()[name], *inputs))


def _outcome(function, *inputs):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        y = function(*inputs)
    gradients = tape.gradient(y, inputs)
    return [record.plan.primitive.name for record in tape.records], [each.numpy().tobytes() for each in (y, *gradients)]


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.float16, tf.complex64])
@pytest.mark.parametrize("name", sorted(FAST))
def test_a_fast_form_computes_and_records_what_it_stands_for(name, dtype):
    values = tf.cast([[0.5, 1.5], [0.25, 2.0]], dtype), tf.cast([[1.5, 0.75], [2.0, 0.5]], dtype)
    inputs = values[: len(registered()[name].inputs)]
    try:
        expected = _outcome(_reference(name), *inputs)
    except Exception as error:
        with pytest.raises(type(error)):
            _outcome(getattr(recorded, name), *inputs)
    else:
        assert _outcome(getattr(recorded, name), *inputs) == expected


def test_other_operands_go_to_numpys_function():
    assert recorded.sqrt(2.0).dtype is tf.float64  # NumPy's dtype of a number, not TensorFlow's
    assert recorded.exp(tf.constant([0, 1])).dtype is tf.float64
    mixed = recorded.power(tf.constant([2.0]), tf.constant([2.0], tf.float64))
    assert mixed.dtype is tf.float64


@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": (0, -1)}, {"axis": (1,), "keepdims": True}])
def test_sums_are_numpys(options):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    whole = tf.constant([[1, 2, 3], [4, 5, 6]], tf.int8)
    assert _outcome(lambda x: recorded.sum(x, **options), x) == _outcome(lambda x: whygrad.numpy.sum(x, **options), x)
    assert recorded.sum(whole, **options).dtype is tf.int64
    assert recorded.sum(x, dtype=np.float64).dtype is tf.float64


def test_products_are_numpys():
    a, b = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.5, 1.0], [2.0, 3.0]])
    assert _outcome(recorded.matmul, a, b) == _outcome(whygrad.numpy.matmul, a, b)
    assert recorded.matmul(a, b[0]).shape == [2]
    assert recorded.matmul(a, tf.cast(b, tf.float64)).dtype is tf.float64
