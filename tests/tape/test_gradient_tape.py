"""GradientTape: watching, gradients, and errors."""

import collections
import gc
import linecache
import threading
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import gradients_of

# -- what is given --


def test_scalar_product():
    a, b = gradients_of(tf, lambda x, y: x * y, 2.0, 5.0)
    assert (a.numpy(), b.numpy()) == (5.0, 2.0)


def test_non_scalar_target_is_summed():
    (g,) = gradients_of(tf, lambda x: x * x, [1.0, 2.0])
    np.testing.assert_array_equal(g.numpy(), [2.0, 4.0])


def test_several_targets_are_summed():
    (g,) = gradients_of(tf, lambda x: [x * 3.0, {"again": x * 4.0}], 1.0)
    assert g.numpy() == 7.0


def test_target_that_is_a_source():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
    np.testing.assert_array_equal(tape.gradient(x, x).numpy(), [1.0, 1.0])


def test_target_that_is_a_source_beside_another_target():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient([x, y], x).numpy() == 5.0


def test_upstream_gradient_of_a_target_used_in_the_computation():
    x, y = tf.constant(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        loss = x * y
    (dx,) = tape.gradient([loss, x], [x], output_gradients=[1.0, 2.0])
    assert dx.numpy() == 4.0


def test_intermediate_tensors_are_sources():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    dx, dy = tape.gradient(z, [x, y])
    assert (dx.numpy(), dy.numpy()) == (108.0, 18.0)


def test_repeated_sources_each_get_the_whole_gradient():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = 2.0 * x
    assert [g.numpy() for g in tape.gradient(y, [x, x])] == [2.0, 2.0]


Pair = collections.namedtuple("Pair", "left right")


def test_sources_come_back_in_their_structure():
    a, b, c = (tf.Variable(v) for v in (1.0, 2.0, 3.0))
    with tf.GradientTape(persistent=True) as tape:
        y = a + 2.0 * b + 3.0 * c
    (da,) = tape.gradient(y, (a,))
    assert da.numpy() == 1.0
    nested = tape.gradient(y, {"pair": Pair(a, [b]), "c": c})
    assert list(nested) == ["pair", "c"]
    assert isinstance(nested["pair"], Pair)
    assert [g.numpy() for g in tf.nest.flatten(nested)] == [3.0, 1.0, 2.0]


def test_gradient_of_no_sources_is_empty():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, []) == []


def test_assigning_does_not_change_a_recorded_value():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        x.assign(100.0)
    assert tape.gradient(y, x).numpy() == 6.0


def test_assigning_before_reading_gives_the_gradient_at_the_new_value():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        x.assign(3.0 * x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 12.0


def test_both_versions_of_a_variable_contribute():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        x.assign(5.0)
        y = y + x * x
    assert tape.gradient(y, x).numpy() == 14.0


def test_a_read_value_is_a_source_of_its_own():
    v = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        read = v.read_value()
        y = read * v
    assert tape.gradient(y, read).numpy() == 3.0
    assert tape.gradient(y, v).numpy() == 6.0


def test_a_long_chain_needs_no_recursion():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(20_000):
            y = y + x
    assert tape.gradient(y, x).numpy() == 20_001.0


# -- None --


def test_unwatched_tensor_gives_none():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None


def test_unconnected_gives_none_or_zeros_of_the_sources_shape():
    x = tf.Variable(np.ones((2, 3), np.float64))
    y = tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = y * 2.0
    assert tape.gradient(z, x) is None
    for zero in ("zero", tf.UnconnectedGradients.ZERO):
        g = tape.gradient(z, x, unconnected_gradients=zero)
        assert (tuple(g.shape), g.dtype, float(tf.reduce_sum(g))) == ((2, 3), tf.float64, 0.0)


def test_integers_give_none_without_an_error():
    i = tf.constant(3)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch([x, i])
        j = i * i
        y = x * x
    dx, di = tape.gradient([y, j], [x, i])
    assert dx.numpy() == 4.0
    assert di is None


def test_strings_give_none_without_an_error():
    s = tf.constant("text")
    with tf.GradientTape() as tape:
        tape.watch(s)
    assert tape.gradient(s, s) is None


@tf.custom_gradient
def _product(a, b):
    return a * b, lambda g: (g * b, g * a)


@pytest.mark.filterwarnings("ignore::whygrad.NoGradientWarning")
@pytest.mark.parametrize(
    "join",
    [
        lambda a, b: tf.stack([a, b]),
        lambda a, b: tf.concat([b, a, b], 0),
        lambda a, b: tf.add_n([a, b]),
        lambda a, b: tf.py_function(lambda a, b: a * b, [a, b], tf.float32),
        _product,
    ],
)
def test_an_op_of_several_tensors_gives_none_for_those_that_are_not_watched(join):
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(a)
        y = join(a, b)
    alone, unwatched = tape.gradient(y, [a, b])
    assert alone is not None
    assert unwatched is None
    assert tape.gradient(y, b) is None
    assert tape.jacobian(y, b) is None
    assert tape.gradient(b, b).numpy().tolist() == [1.0, 1.0]


def test_variable_as_target_that_was_not_watched():
    a, b = tf.Variable([3.0]), tf.Variable([2.0])
    with tf.GradientTape() as tape:
        pass
    assert tape.gradient(a, b) is None


def test_variables_compared_in_python():
    v = [tf.Variable(2.0), tf.Variable(5.0)]
    with tf.GradientTape() as tape:
        largest = max(v)
    first, second = tape.gradient(largest, v)
    assert first is None
    assert second.numpy() == 1.0


def test_untrainable_variables_are_not_watched_unless_asked():
    v = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v) is None
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * v
    assert tape.gradient(y, v).numpy() == 4.0


def test_watch_accessed_variables_off():
    a, b = tf.Variable(1.0), tf.Variable(1.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(b)
        y, z = a * a, b * b * b
    assert tape.watched_variables() == (b,)
    da, db = tape.gradient([y, z], [a, b])
    assert da is None
    assert db.numpy() == 3.0


# -- contexts --


def test_stop_recording():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        with tape.stop_recording():
            z = y * y
        again = y * y
    assert tape.gradient(z, x) is None
    assert tape.gradient(again, y).numpy() == 18.0


def test_reset_drops_records_and_watched_tensors():
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = v * v
        assert tape.watched_variables() == (v,)
        tape.reset()
        assert tape.watched_variables() == ()
        loss = loss + v * v
    assert tape.gradient(loss, v).numpy() == 6.0


def test_a_tape_that_does_not_record_cannot_be_stopped_or_reset():
    tape = tf.GradientTape()
    with pytest.raises(ValueError, match="Tape is not recording"):
        tape.reset()
    with pytest.raises(RuntimeError, match="Trying to stop recording a tape which is not recording"):
        tape.stop_recording().__enter__()
    with tape, tape.stop_recording(), pytest.raises(ValueError, match="Tape is not recording"):
        tape.stop_recording().__enter__()


def test_watched_variables_are_in_order_of_construction_and_outlast_the_gradient():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = b * a
    assert tape.watched_variables() == (a, b)
    tape.gradient(y, a)
    assert tape.watched_variables() == (a, b)


def test_a_tape_can_be_entered_again_and_goes_on():
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        y = 2.0 * x
    with tape:
        z = 2.0 * y
    assert tape.gradient(z, x).numpy() == 4.0


def test_an_active_tape_cannot_be_entered():
    with tf.GradientTape() as tape, pytest.raises(ValueError, match="already-active"):
        tape.__enter__()


def test_gradient_inside_the_block():
    v = tf.Variable(1.0)
    for persistent in (False, True):
        with tf.GradientTape(persistent=persistent) as tape:
            loss = 2.0 * v
            assert tape.gradient(loss, v).numpy() == 2.0


def test_overlapping_tapes():
    x = tf.constant(3.0)
    first, second = tf.GradientTape(), tf.GradientTape()
    first.__enter__()
    first.watch(x)
    y = x * x
    second.__enter__()
    second.watch(y)
    z = y * y
    first.__exit__(None, None, None)
    w = z * 2.0
    second.__exit__(None, None, None)
    assert first.gradient(z, x).numpy() == 108.0
    assert second.gradient(w, y).numpy() == 36.0


def test_an_exception_leaves_no_tape_behind():
    x = tf.Variable(1.0)
    with pytest.raises(ZeroDivisionError), tf.GradientTape() as outer, tf.GradientTape():
        1 / 0
    with tf.GradientTape() as tape:
        y = x * x
    assert len(outer.records) == 0
    assert tape.gradient(y, x).numpy() == 2.0


# -- higher order --


def test_gradient_of_a_gradient():
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
        dy = inner.gradient(y, x)
    assert (dy.numpy(), outer.gradient(dy, x).numpy()) == (27.0, 18.0)


def test_third_order_on_one_persistent_tape():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
        second = tape.gradient(first, x)
    assert tape.gradient(second, x).numpy() == 6.0


def test_watching_is_local_to_a_tape():
    a, b = tf.Variable(2.0, trainable=False), tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            outer.watch(a)
            inner.watch([a, b])
            y, z = a * a * a, b * b
        da, db = inner.gradient([y, z], [a, b])
    dda, ddb = outer.gradient([da, db], [a, b])
    assert dda.numpy() == 12.0
    assert ddb is None


def test_a_constant_second_derivative_is_none():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 3.0 * x
        dy = inner.gradient(y, x)
    assert outer.gradient(dy, x) is None


# -- refusals --


def test_second_gradient_of_a_tape_that_is_not_persistent():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(
        RuntimeError, match="A non-persistent GradientTape can only be used to compute one set of gradients"
    ):
        tape.gradient(y, x)


def test_the_error_of_a_tape_that_was_never_entered():
    with pytest.raises(RuntimeError, match="never entered"):
        tf.GradientTape().gradient(tf.constant(1.0), tf.constant(1.0))


def test_watching_a_value_that_is_not_a_tensor():
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match=r"Passed in object 3.0 of type 'float', not tf.Tensor or tf.Variable"):
            tape.watch(3.0)
        with pytest.raises(ValueError, match="ndarray"):
            tape.watch([np.ones(2)])


@pytest.mark.parametrize("thing", [3.0, np.ones(3), "x"])
def test_sources_and_targets_must_be_tensors(thing):
    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    with pytest.raises(TypeError, match="`sources` should hold Tensors and Variables"):
        tape.gradient(y, thing)
    with pytest.raises(TypeError, match="`target` should hold Tensors and Variables"):
        tape.gradient(thing, x)


def test_none_as_target_or_source():
    x = tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    with pytest.raises(TypeError, match="Argument `target` should be a list or nested structure of Tensors"):
        tape.gradient(None, x)
    with pytest.raises(TypeError, match="Argument `sources` should be a list or nested structure of Tensors"):
        tape.gradient(y, [x, None])


def test_unknown_unconnected_gradients():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.raises(ValueError, match="Unknown value for unconnected_gradients: 'abc'"):
        tape.gradient(y, x, unconnected_gradients="abc")
    assert tape.gradient(y, x).numpy() == 2.0  # nothing was used up


@pytest.mark.parametrize("shape", [(1,), (4,), (2, 3), ()])
def test_upstream_gradient_of_another_shape(shape):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(y, x, output_gradients=tf.ones(shape))
    count = int(np.prod(shape))
    assert f"Input to reshape is a tensor with {count} values, but the requested shape has 3" in str(caught.value)
    assert str(tf.TensorShape(shape)) in str(caught.value)
    assert "(3,)" in str(caught.value)
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [2.0, 2.0, 2.0])  # nothing was used up


def test_upstream_gradient_of_another_dtype():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor but is a double tensor"):
        tape.gradient(y, x, output_gradients=tf.ones(3, tf.float64))


def test_upstream_gradients_of_another_count():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
    with pytest.raises(ValueError, match="differ in length: 2 and 1"):
        tape.gradient(y, x, output_gradients=[tf.ones(3), tf.ones(3)])


def test_upstream_gradients_in_a_structure_none_means_ones():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        targets = {"a": 2.0 * x, "b": 3.0 * x}
    assert tape.gradient(targets, x, output_gradients={"a": None, "b": tf.constant(10.0)}).numpy() == 32.0


# -- threads and memory --


def test_a_tape_records_only_its_own_thread():
    x = tf.Variable(3.0)
    results = {}

    def elsewhere():
        results["product"] = x * x

    with tf.GradientTape() as tape:
        worker = threading.Thread(target=elsewhere)
        worker.start()
        worker.join()
    assert tape.gradient(results["product"], x) is None


def test_threads_with_their_own_tapes_do_not_disturb_each_other():
    errors = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(50):
            value = rng.normal(size=4)
            x = tf.Variable(value)
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    y = x * x * x
                g = inner.gradient(y, x)
            if not np.allclose(g.numpy(), 3 * value**2) or not np.allclose(outer.gradient(g, x).numpy(), 6 * value):
                errors.append(seed)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors


def test_a_dropped_tape_frees_its_memory_at_once():
    x = tf.Variable(np.ones(1000))
    gc.collect()
    gc.disable()
    try:
        with tf.GradientTape(persistent=True) as tape:
            y = tf.exp(x)
            z = y * y
        tape.gradient(z, x)
        kept = weakref.ref(y)
        del y, z
        assert kept() is not None, "the tape keeps what its rules need"
        del tape
        assert kept() is None, "and nothing else does"
    finally:
        gc.enable()


def test_gradient_frees_the_records_of_a_tape():
    x = tf.Variable(np.ones(1000))
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        z = y * y
    kept = weakref.ref(y)
    del y
    tape.gradient(z, x)
    assert kept() is None


# -- leaving for NumPy --


def test_conversions_to_numpy_are_recorded_with_their_line():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
        array = np.sin(y)
        y.numpy()
        tf.constant([1.0]).numpy()  # not watched: nothing to remember
    assert isinstance(array, np.ndarray)
    assert [_source_line(code, instruction) for *_, code, instruction in tape.events] == [
        "array = np.sin(y)",
        "y.numpy()",
    ]


def _source_line(code, instruction):
    line = next(line for start, end, line in code.co_lines() if start <= instruction < end)
    return linecache.getline(code.co_filename, line).strip()


def test_records_know_the_users_line():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        tf.reduce_mean(y)  # made of several ops, all at this line
    lines = [_source_line(record.code, record.instruction) for record in tape.records]
    assert lines[0] == "y = tf.exp(x)"
    assert set(lines[1:]) == {"tf.reduce_mean(y)  # made of several ops, all at this line"}


def test_a_target_that_is_not_followed_is_its_own_source_unless_others_use_it():
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = w * 2.0
        y = x * z
        unrelated = tf.sin(x)
        joined = tf.concat([x, z], axis=0)
    assert tape.gradient(z, z).numpy().tolist() == [1, 1]
    assert tape.gradient([unrelated, z], z).numpy().tolist() == [1, 1]
    # What z contributes to the others is not known: a sum without it would be wrong.
    assert tape.gradient([y, z], z) is None
    assert tape.gradient([z, joined], z) is None
    of_x, of_z = tape.gradient([y, z], [x, z])
    assert of_x.numpy().tolist() == [6, 8]
    assert of_z is None


def test_the_derivative_of_a_variable_for_itself_is_one_whether_it_was_read_or_not():
    v, w = tf.Variable([3.0, 4.0]), tf.Variable(2.0, trainable=False)
    for read in (lambda: None, lambda: v * w, lambda: v.assign([5.0, 6.0])):
        with tf.GradientTape(persistent=True) as tape:
            read()
        assert tape.gradient(v, v).numpy().tolist() == [1.0, 1.0]
        assert tape.gradient(w, w).numpy() == 1.0
        assert tape.gradient(v, v, output_gradients=tf.constant([2.0, 3.0])).numpy().tolist() == [2.0, 3.0]
        own, other = tape.gradient(v, [v, w])
        assert own.numpy().tolist() == [1.0, 1.0]
        assert other is None


def test_the_derivative_of_integers_for_themselves_is_one():
    x, v = tf.constant([1, 2]), tf.Variable([3, 4])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 2
    for value in (x, v):
        gradient = tape.gradient(value, value)
        assert gradient.dtype == tf.int32
        assert gradient.numpy().tolist() == [1, 1]
    assert tape.gradient(x, x, output_gradients=tf.constant([3, 4])).numpy().tolist() == [3, 4]
    assert tape.gradient(y, x) is None


def test_a_sparse_gradient_stays_sparse_through_ops_that_pass_rows_on():
    table, other = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.Variable([[7.0, 8.0], [9.0, 0.0]])
    bias = tf.Variable([1.0, 2.0])
    for function, sources in (
        (lambda: tf.gather(tf.identity(table), [0, 2, 0]), [table]),
        (lambda: tf.gather(table.read_value(), [0, 2, 0]), [table]),
        (lambda: tf.gather(tf.cast(table, tf.float64), [0, 2, 0]), [table]),
        (lambda: tf.gather(tf.cast(tf.identity(table), tf.float64), [0, 2, 0]), [table]),
        (lambda: tf.gather(tf.concat([table, other], 0), [0, 4, 2, 3]), [table, other]),
        (lambda: tf.gather(tf.concat([other, other], 1), [0, 1, 0]), [other]),
        (lambda: tf.gather(tf.nn.bias_add(table, bias), [0, 2]), [table]),
        (lambda: tf.gather(tf.identity(table), [0]) + tf.gather(tf.identity(table), [2]), [table]),
    ):
        with tf.GradientTape(persistent=True) as tape:
            y = function()
            y = y * y
        dense = tape.jacobian(y, sources)
        for source, gradient, rows in zip(sources, tape.gradient(y, sources), dense):
            assert isinstance(gradient, tf.IndexedSlices)
            assert tuple(gradient.dense_shape) == tuple(source.shape)
            expected = tf.reduce_sum(rows, list(range(len(y.shape))))
            np.testing.assert_array_equal(tf.convert_to_tensor(gradient), expected)
    with tf.GradientTape() as tape:
        y = tf.gather(tf.nn.bias_add(table, bias), [0, 2])
    np.testing.assert_array_equal(tape.gradient(y, bias), [2.0, 2.0])


def test_rows_are_made_dense_where_something_dense_arrives_as_well():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        same = tf.identity(table)
        y = tf.reduce_sum(tf.gather(same, [1])) + tf.reduce_sum(same)
    gradient = tape.gradient(y, table)
    assert not isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(gradient, [[1.0, 1.0], [2.0, 2.0]])


def test_the_result_of_an_op_without_a_gradient_is_a_source():
    x = tf.constant([1.3, 2.6])
    for op in (
        tf.round,
        lambda x: x // 2.0,
        tf.zeros_like,
        tf.experimental.numpy.zeros_like,
        lambda x: tf.one_hot([0, 1], 2, on_value=x[0], off_value=x[1]),
        lambda x: tf.math.zeta(x + 2.0, tf.ones_like(x)),  # no rule for the only input that depends on x
    ):
        with tf.GradientTape(persistent=True) as outer:
            outer.watch(x)
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                z = op(x)
                y = z * z * 3.0
            g = tape.gradient(y, z)
        np.testing.assert_allclose(g.numpy(), 6.0 * z.numpy())
        np.testing.assert_allclose(outer.gradient(g, z).numpy(), np.full(z.shape, 6.0))
        assert tape.gradient(y, x) is None


def test_what_leaves_the_tape_is_not_watched():
    x = tf.constant([1.3, 2.6])
    for op in (
        tf.stop_gradient,
        lambda x: tf.numpy_function(np.sin, [x], tf.float32),
        lambda x: tf.constant(x, shape=[2, 1]),
        lambda x: tf.zeros_like(x, tf.float64),
        lambda x: tf.cast(x > 2.0, tf.float32),
    ):
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = op(x)
            y = z * z
        assert tape.gradient(y, z) is None


def test_a_looked_up_result_has_a_sparse_gradient_of_its_own():
    """Also where the sweep goes on through the op that made it."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        doubled = x * 2.0
        y = tf.gather(doubled, [1, 1])
    whole, part = tape.gradient(y, [x, doubled])
    assert isinstance(part, tf.IndexedSlices)
    assert tf.convert_to_tensor(part).numpy().tolist() == [[0.0, 0.0], [2.0, 2.0]]
    assert whole.numpy().tolist() == [[0.0, 0.0], [4.0, 4.0]]
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            doubled = x * 2.0
            y = tf.gather(doubled, [1, 1])
        assert isinstance(inner.gradient(y, [x, doubled])[1], tf.IndexedSlices)
