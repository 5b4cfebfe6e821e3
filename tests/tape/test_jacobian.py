"""GradientTape.jacobian and batch_jacobian."""

import numpy as np
import pytest

import whygrad as tf


def _jacobian(function, source, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(source)
        target = function(source)
    return tape.jacobian(target, source, **options)


def _batch_jacobian(function, source, persistent=False, **options):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(source)
        target = function(source)
    return tape.batch_jacobian(target, source, **options)


WAYS = [
    {},
    {"persistent": True},
    {"persistent": True, "experimental_use_pfor": False},
    {"persistent": True, "parallel_iterations": 2},
]


def test_shape_is_the_targets_then_the_sources():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for way in WAYS:
        jacobian = _jacobian(lambda x: tf.reduce_sum(x * x, 1), x, **way)
        assert jacobian.shape == (2, 2, 3)
        np.testing.assert_array_equal(jacobian.numpy(), [[[2, 4, 6], [0, 0, 0]], [[0, 0, 0], [8, 10, 12]]])


def test_scalars():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(_jacobian(lambda x: tf.reduce_sum(x * x), x).numpy(), [2.0, 4.0])
    assert _jacobian(lambda x: x * x, tf.constant(2.0)).numpy() == 4.0


def test_structures_of_sources():
    sources = {"a": tf.constant([1.0, 2.0]), "b": (tf.constant(3.0), tf.Variable([5.0, 6.0]))}
    for way in WAYS:
        found = _jacobian(lambda s: s["a"] * s["b"][0] * s["b"][1], sources, **way)
        np.testing.assert_array_equal(found["a"].numpy(), [[15.0, 0.0], [0.0, 18.0]])
        np.testing.assert_array_equal(found["b"][0].numpy(), [5.0, 12.0])
        np.testing.assert_array_equal(found["b"][1].numpy(), [[3.0, 0.0], [0.0, 6.0]])


def test_no_sources():
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
    assert tape.jacobian(y, []) == []


def test_unconnected():
    sources = (tf.constant([1.0, 2.0]), tf.constant([[3.0, 4.0]]))
    for way in WAYS[:3]:
        assert _jacobian(lambda s: s[0] * 2.0, sources, **way)[1] is None
        zeros = _jacobian(lambda s: s[0] * 2.0, sources, unconnected_gradients="zero", **way)[1]
        np.testing.assert_array_equal(zeros.numpy(), np.zeros((2, 1, 2)))


def test_integers_have_no_jacobian():
    assert _jacobian(lambda x: tf.cast(x, tf.int32), tf.constant([1.0, 2.0])) is None


def test_target_is_source():
    np.testing.assert_array_equal(_jacobian(lambda x: x, tf.constant([1.0, 2.0])).numpy(), np.eye(2))


def test_nothing_to_differentiate():
    assert _jacobian(lambda x: x[:0], tf.constant([1.0, 2.0])).shape == (0, 2)
    assert _jacobian(lambda x: tf.concat([x, [1.0]], 0), tf.zeros(0)).shape == (1, 0)


def test_lookups_are_dense():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for way in WAYS:
        jacobian = _jacobian(lambda x: tf.gather(x, [1, 1]) + x[0], x, **way)
        expected = np.zeros((2, 2, 2, 2))
        for row in range(2):
            for column in range(2):
                expected[row, column, :, column] = 1.0
        np.testing.assert_array_equal(jacobian.numpy(), expected)


def test_complex():
    jacobian = _jacobian(lambda x: x * x, tf.constant([1 + 1j, 2 + 0j]))
    np.testing.assert_array_equal(jacobian.numpy(), [[2 - 2j, 0], [0, 4]])


def test_loops_need_a_persistent_tape():
    with pytest.raises(RuntimeError, match="persistent"):
        _jacobian(lambda x: x, tf.constant([1.0]), experimental_use_pfor=False)
    with pytest.raises(RuntimeError, match="persistent"):
        _batch_jacobian(lambda x: x, tf.constant([[1.0]]), experimental_use_pfor=False)
    with pytest.raises(RuntimeError, match="persistent"):
        _batch_jacobian(lambda x: x, tf.constant([[1.0, 2.0]]), parallel_iterations=2)


def test_a_tape_gives_one_set():
    methods = ["gradient", "jacobian", "batch_jacobian"]
    for first in methods:
        for second in methods:
            x = tf.constant([[1.0, 2.0]])
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
            getattr(tape, first)(y, x)
            with pytest.raises(RuntimeError, match="A non-persistent GradientTape can only"):
                getattr(tape, second)(y, x)


def test_jacobian_frees_the_records_of_a_tape():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
    tape.jacobian(y, x)
    assert not any(record.kept for record in tape.records)


def test_inside_the_block():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        jacobian = tape.jacobian(x * x, x)
    np.testing.assert_array_equal(jacobian.numpy(), [[2.0, 0.0], [0.0, 4.0]])


def test_a_persistent_tape_records_its_jacobians():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        first = tape.jacobian(x * x, x)
        second = tape.jacobian(first, x)
    np.testing.assert_array_equal(second.numpy(), [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]])


def test_hessian():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[0] * x[0] * x[1]
        gradient = tape.gradient(y, x)
    np.testing.assert_array_equal(outer.jacobian(gradient, x).numpy(), [[4.0, 2.0], [2.0, 0.0]])


def test_jacobian_of_a_jacobian():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        first = tape.jacobian(y, x)
    second = outer.jacobian(first, x)
    assert second.shape == (2, 2, 2)
    np.testing.assert_array_equal(np.einsum("iii->i", second.numpy()), [6.0, 12.0])


def test_custom_gradients_are_computed_one_by_one():
    @tf.custom_gradient
    def tripled(x):
        return x * 3.0, lambda g: g * 3.0

    np.testing.assert_array_equal(_jacobian(tripled, tf.constant([1.0, 2.0])).numpy(), 3 * np.eye(2))


def test_several_values_of_one_variable():
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = v * v
        v.assign([5.0, 5.0])
        y = y + v
    np.testing.assert_array_equal(tape.jacobian(y, v).numpy(), [[3.0, 0.0], [0.0, 5.0]])


def test_unknown_unconnected_gradients():
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'abc'"):
        _jacobian(lambda x: x, tf.constant([1.0]), unconnected_gradients="abc")


def test_one_target():
    with pytest.raises(TypeError, match="one tensor"):
        _jacobian(lambda x: [x, x], tf.constant([1.0]))


def test_many_elements_are_computed_in_parts(monkeypatch):
    x = tf.constant(np.linspace(0.0, 1.0, 7))
    whole = _jacobian(lambda x: tf.sin(x) * x[::-1], x)
    monkeypatch.setattr("whygrad.tape.jacobian._MOST_BYTES", 120)  # two at a time
    np.testing.assert_array_equal(_jacobian(lambda x: tf.sin(x) * x[::-1], x).numpy(), whole.numpy())


def test_a_rule_that_is_wrong_is_refused():
    @tf.custom_gradient
    def wrong(x):
        return x * 3.0, lambda g: tf.reduce_sum(g)

    with pytest.raises(tf.errors.InvalidArgumentError, match="wrong"):
        _jacobian(wrong, tf.constant([1.0, 2.0]))


# -- batch_jacobian --


def test_batch_jacobian_of_independent_rows():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for way in WAYS:
        found = _batch_jacobian(lambda x: x * x, x, **way)
        np.testing.assert_array_equal(found.numpy(), [[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]])


def test_rows_of_any_rank():
    x = tf.constant(np.arange(12.0).reshape(2, 3, 2))
    found = _batch_jacobian(lambda x: tf.reduce_sum(x * x, 2), x)
    assert found.shape == (2, 3, 3, 2)
    whole = _jacobian(lambda x: tf.reduce_sum(x * x, 2), x).numpy()
    np.testing.assert_array_equal(found.numpy(), [whole[0, :, 0], whole[1, :, 1]])


def test_variables_have_batch_jacobians():
    found = _batch_jacobian(lambda v: v * v, tf.Variable([[1.0], [3.0]]))
    np.testing.assert_array_equal(found.numpy(), [[[2.0]], [[6.0]]])


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="must have rank at least 2"):
        _batch_jacobian(lambda x: x, tf.constant([1.0, 2.0]))
    with pytest.raises(ValueError, match="must have rank at least 2"):
        _batch_jacobian(lambda x: tf.reduce_sum(x, 1), tf.constant([[1.0, 2.0]]))
    with pytest.raises(ValueError, match="Need first dimension"):
        _batch_jacobian(lambda x: x[:1], tf.constant([[1.0], [2.0]]))


def test_empty_rows():
    assert _batch_jacobian(lambda x: x * 2.0, tf.zeros((1, 0))).shape == (1, 0, 0)


def test_unconnected_rows_are_zeros():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    for unconnected in ("none", "zero"):
        found = _batch_jacobian(lambda x: tf.constant([[1.0], [2.0]]), x, unconnected_gradients=unconnected)
        assert found.dtype is tf.float32
        np.testing.assert_array_equal(found.numpy(), np.zeros((2, 1, 2)))
