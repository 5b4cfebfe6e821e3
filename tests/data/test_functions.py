"""The user's functions: traced when they are passed, with effects once, called as Python where values decide."""

import numpy as np
import pytest

import whygrad as tf

Dataset = tf.data.Dataset


def test_what_a_function_prints_and_counts_happens_once(capsys):
    counts = []

    def noisy(x):
        print("tracing", x.dtype.name)
        counts.append(1)
        return x + len(counts)

    made = Dataset.range(3).map(noisy)
    assert capsys.readouterr().out == "tracing int64\n"
    assert [int(x) for x in made] == [1, 2, 3]
    assert [int(x) for x in made.repeat(2)] == [1, 2, 3] * 2
    assert len(counts) == 1
    assert capsys.readouterr().out == ""


def test_a_py_function_runs_for_each_element():
    seen = []

    def look(x):
        seen.append(int(x))
        return x * 2

    made = Dataset.range(3).map(lambda x: tf.py_function(look, [x], tf.int64))
    assert seen == []
    assert [int(x) for x in made] == [0, 2, 4]
    assert seen == [0, 1, 2]


def test_python_that_needs_values():
    def collatz(x):
        while x != 1:  # a value decides
            x = x // 2 if x % 2 == 0 else 3 * x + 1
        return x

    assert [int(x) for x in Dataset.range(1, 8).map(collatz)] == [1] * 7
    assert [int(x) for x in Dataset.range(5).filter(lambda x: int(x) > 2)] == [3, 4]


def test_shapes_that_values_decide():
    made = Dataset.range(1, 4).map(lambda x: tf.boolean_mask(tf.range(4), tf.range(4) < tf.cast(x, tf.int32)))
    assert [x.numpy().tolist() for x in made] == [[0], [0, 1], [0, 1, 2]]
    assert made.element_spec == tf.TensorSpec((None,), tf.int32)


def test_a_mistake_is_raised_where_the_function_is_passed():
    with pytest.raises(ZeroDivisionError):
        Dataset.range(3).map(lambda x: x + 1 // 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
        Dataset.range(3).map(lambda x: tf.ones(2) + tf.ones(3))
    with pytest.raises(TypeError, match="positional argument"):
        Dataset.zip((Dataset.range(3), Dataset.range(3))).map(lambda x: x)


def test_what_a_function_of_unknown_sizes_raises_itself_is_raised_where_it_is_passed():
    def refuse(x):
        raise ValueError("no elements, please")

    def halves(x):
        if x.shape[0] % 2:
            raise ValueError(f"an odd number of elements: {x.shape[0]}")
        return tf.reshape(x, (2, -1))

    def three(x):
        if x.shape[0] != 3:
            raise ValueError(f"not 3 elements: {x.shape}")
        return x

    batches = Dataset.range(6).batch(3)
    with pytest.raises(ValueError, match="no elements, please"):
        batches.map(refuse)
    assert [each.numpy().tolist() for each in batches.map(three)] == [
        [0, 1, 2],
        [3, 4, 5],
    ]  # only sizes that are examples fail
    with pytest.raises(ValueError, match="an odd number of elements: 3"):
        list(batches.map(halves))


def test_an_error_names_the_element(tmp_path):
    def matrix(x, y):
        return tf.reshape(x, [2, -1])

    dataset = Dataset.from_generator(
        lambda: ((np.ones(n, np.float32), n) for n in (4, 3)),
        output_signature=(tf.TensorSpec((None,), tf.float32), tf.TensorSpec((), tf.int32)),
    ).map(matrix)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        list(dataset)
    assert "Dataset.map called `matrix` on an element of float32 (3,), int32 ()" in caught.value.__notes__
    assert any(frame.name == "matrix" for frame in caught.traceback)


def test_variables_that_a_function_reads_are_read_for_each_element():
    w = tf.Variable(1.0)
    made = Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: x * w)
    iterator = iter(made)
    assert float(next(iterator)) == 1.0
    w.assign(10.0)
    assert float(next(iterator)) == 20.0


def test_a_name_tuple_and_a_dict_reach_the_function_as_they_are():
    import collections

    Point = collections.namedtuple("Point", "x y")
    made = Dataset.from_tensor_slices(Point([1, 2], [3, 4])).map(lambda p: Point(p.y, p.x))
    assert [(int(p.x), int(p.y)) for p in made] == [(3, 1), (4, 2)]
    assert made.element_spec == Point(tf.TensorSpec((), tf.int32), tf.TensorSpec((), tf.int32))
