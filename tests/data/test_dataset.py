"""Datasets: elements, their order, specs and numbers, as TensorFlow has them."""

import numpy as np
import pytest

import whygrad as tf

Dataset = tf.data.Dataset


def _values(dataset):
    return [
        each.tolist() if isinstance(each, np.ndarray | np.generic) else each for each in dataset.as_numpy_iterator()
    ]


def test_slices_of_a_structure():
    dataset = Dataset.from_tensor_slices({"a": [1, 2], "b": (np.ones((2, 3)), [[1.0], [2.0]])})
    assert dataset.element_spec == {
        "a": tf.TensorSpec((), tf.int32),
        "b": (tf.TensorSpec((3,), tf.float64), tf.TensorSpec((1,), tf.float32)),
    }
    first = next(iter(dataset))
    assert first["a"].numpy() == 1
    assert first["b"][0].shape == (3,)
    assert len(dataset) == 2


def test_a_list_is_a_tensor_and_a_tuple_is_a_structure():
    assert Dataset.from_tensors([1, 2]).element_spec == tf.TensorSpec((2,), tf.int32)
    assert Dataset.from_tensors((1, 2)).element_spec == (tf.TensorSpec((), tf.int32), tf.TensorSpec((), tf.int32))


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        (lambda d: d.batch(2), [[0, 1], [2, 3], [4]]),
        (lambda d: d.batch(2, drop_remainder=True), [[0, 1], [2, 3]]),
        (lambda d: d.batch(2).unbatch(), [0, 1, 2, 3, 4]),
        (lambda d: d.repeat(2).take(7), [0, 1, 2, 3, 4, 0, 1]),
        (lambda d: d.repeat().skip(6).take(2), [1, 2]),
        (lambda d: d.filter(lambda x: x % 2 == 0), [0, 2, 4]),
        (lambda d: d.map(lambda x: x * x), [0, 1, 4, 9, 16]),
        (lambda d: d.concatenate(Dataset.range(2)), [0, 1, 2, 3, 4, 0, 1]),
        (lambda d: d.shard(2, 1), [1, 3]),
        (lambda d: d.flat_map(lambda x: Dataset.range(x)), [0, 0, 1, 0, 1, 2, 0, 1, 2, 3]),
        (lambda d: d.take(2).flat_map(lambda x: Dataset.range(3)), [0, 1, 2, 0, 1, 2]),
        (lambda d: d.cache().prefetch(1).with_options(tf.data.Options()), [0, 1, 2, 3, 4]),
        (lambda d: d.take(0).repeat(), []),
    ],
)  # fmt: skip
def test_elements_in_order(dataset, expected):
    made = dataset(Dataset.range(5))
    assert _values(made) == expected
    size = int(made.cardinality())
    assert size in (len(expected), tf.data.UNKNOWN_CARDINALITY)


def test_interleave_takes_blocks_in_turn():
    made = Dataset.range(1, 4).interleave(lambda x: Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2)
    assert _values(made) == [1, 1, 2, 2, 1, 2, 3, 3, 3]  # TensorFlow's order


def test_zip_and_enumerate():
    made = Dataset.zip((Dataset.range(3), Dataset.range(2).map(lambda x: x * 10)))
    assert [(int(a), int(b)) for a, b in made] == [(0, 0), (1, 10)]
    assert [(int(i), int(x)) for i, x in Dataset.range(5, 7).enumerate(start=1)] == [(1, 5), (2, 6)]


def test_the_spec_of_a_map_has_unknown_sizes_where_its_input_has():
    made = Dataset.range(5).batch(2).map(lambda x: (tf.cast(x, tf.float32), tf.ones((3,))))
    assert made.element_spec == (tf.TensorSpec((None,), tf.float32), tf.TensorSpec((3,), tf.float32))


def test_random_ops_of_a_mapped_function_have_tensorflows_numbers():
    tf.random.set_seed(42)
    made = Dataset.range(1).map(lambda _: tf.random.shuffle(tf.range(6)))
    assert [_values(made) for _ in range(2)] == [[[5, 2, 3, 4, 0, 1]]] * 2  # each iterator begins anew
    assert _values(made.repeat(3)) == [[5, 2, 3, 4, 0, 1], [1, 5, 3, 0, 2, 4], [0, 3, 5, 1, 2, 4]]


def test_shuffle_keeps_all_elements():
    made = Dataset.range(100).shuffle(10, seed=1)
    assert sorted(_values(made)) == list(range(100))
    assert _values(made) != _values(made)
    fixed = Dataset.range(100).shuffle(10, seed=1, reshuffle_each_iteration=False)
    assert _values(fixed) == _values(fixed)


def test_a_generator_with_a_signature():
    def generate():
        yield [1, 2], 3.0
        yield [4], 5.0

    signature = (tf.TensorSpec((None,), tf.int32), tf.TensorSpec((), tf.float32))
    made = Dataset.from_generator(generate, output_signature=signature)
    assert [(a.numpy().tolist(), float(b)) for a, b in made] == [([1, 2], 3.0), ([4], 5.0)]
    assert made.element_spec == signature
    wrong = Dataset.from_generator(generate, output_signature=(tf.TensorSpec((3,), tf.int32), tf.TensorSpec(())))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"yielded an element of shape \(2,\) where an element of shape \(3,\)"
    ):
        next(iter(wrong))


def test_reduce_and_a_single_element():
    assert int(Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x)) == 10
    assert int(Dataset.range(1).get_single_element()) == 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one element"):
        Dataset.range(2).get_single_element()


def test_batches_of_different_shapes_are_refused():
    made = Dataset.range(1, 3).map(lambda n: tf.ones(int(n))).batch(2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot batch tensors with different shapes"):
        next(iter(made))


def test_the_length_of_endless_and_unknown_datasets():
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(3).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(Dataset.range(3).filter(lambda x: True))


def test_a_function_of_an_iterator_runs_as_python():
    @tf.function
    def step(iterator):
        return next(iterator) * 2

    iterator = iter(Dataset.range(3))
    assert [int(step(iterator)) for _ in range(3)] == [0, 2, 4]
    with pytest.raises(StopIteration):
        next(iterator)


def test_tapes_do_not_see_what_a_dataset_computes():
    w = tf.Variable(2.0)
    made = Dataset.from_tensors(3.0).map(lambda x: x * w)
    with tf.GradientTape() as tape:
        (y,) = made
        loss = y * w
    assert float(tape.gradient(loss, w)) == 6.0


def test_a_function_that_iterates_runs_as_python():
    dataset = Dataset.range(4)
    iterator = iter(dataset)

    @tf.function
    def total():
        result = tf.constant(0, tf.int64)
        for x in dataset:
            result += x
        return result

    @tf.function
    def following():
        return next(iterator)

    with pytest.warns(tf.FunctionWarning, match="a loop over a dataset takes"):
        assert [int(total()), int(total())] == [6, 6]
    with pytest.warns(tf.FunctionWarning, match="an iterator returns another"):
        assert [int(following()) for _ in range(4)] == [0, 1, 2, 3]


def test_ragged_tensors_as_elements():
    rows = Dataset.from_generator(
        lambda: iter([[1], [2, 3], [4]]), output_signature=tf.TensorSpec((None,), tf.int32)
    ).ragged_batch(2)
    assert [each.to_list() for each in rows] == [[[1], [2, 3]], [[4]]]
    assert rows.element_spec == tf.RaggedTensorSpec([None, None], tf.int32, 1, tf.int64)
    ragged = tf.ragged.constant([[1, 2], [3]])
    assert Dataset.from_tensors(ragged).get_single_element().to_list() == [[1, 2], [3]]
    assert [each.numpy().tolist() for each in Dataset.from_tensor_slices(ragged)] == [[1, 2], [3]]
    words = Dataset.from_tensor_slices([["a b", "c"]]).map(tf.strings.split)
    assert [each.to_list() for each in words] == [[[b"a", b"b"], [b"c"]]]
    with pytest.raises(NotImplementedError, match="only the first size is unknown"):
        rows.unbatch().map(lambda x: tf.ones((int(x[0]), 2, int(x[0])))).ragged_batch(2)


def test_a_generator_may_yield_optionals():
    """Keras writes an input that is None so."""
    spec = tf.OptionalSpec(None)
    dataset = tf.data.Dataset.from_generator(
        lambda: iter([(1.0, tf.experimental.Optional.empty(None))]),
        output_signature=(tf.TensorSpec((), tf.float32), spec),
    )
    ((value, nothing),) = list(dataset)
    assert float(value) == 1.0
    assert not bool(nothing.has_value())
    assert spec.is_compatible_with(nothing)
    assert spec == tf.OptionalSpec.from_value(nothing) != tf.OptionalSpec(tf.TensorSpec((2,)))
    assert not tf.OptionalSpec(tf.TensorSpec((2,))).is_compatible_with(tf.experimental.Optional.from_value(tf.ones(3)))
    assert repr(spec) == "OptionalSpec(None)"
