"""TensorShape: a sequence with TensorFlow's methods; a size, or the rank itself, may be unknown."""

import copy
import pickle

import numpy as np
import pytest

import whygrad as tf
import whygrad.numpy

S = tf.TensorShape


def test_it_is_a_sequence_of_sizes():
    shape = tf.ones((2, 3)).shape
    assert shape == (2, 3) == shape
    assert shape == [2, 3]
    assert [*shape] == [2, 3]
    assert (shape.rank, shape.ndims, shape.num_elements(), shape.as_list()) == (2, 2, 6, [2, 3])
    assert (repr(shape), str(shape)) == ("TensorShape([2, 3])", "(2, 3)")
    assert np.zeros(shape).shape == (2, 3)
    assert S(shape) is shape
    assert hash(shape) == hash((2, 3))


@pytest.mark.parametrize(
    ("given", "sizes"),
    [(3, [3]), ([], []), ((1, None), [1, None]), ([np.int64(3)], [3]), (np.array([1, 2]), [1, 2]), (tf.constant([1, 2]), [1, 2])],
)  # fmt: skip
def test_values_that_convert_to_a_shape(given, sizes):
    assert S(given).as_list() == sizes


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ([-1], ValueError, "Dimension -1 must be >= 0"),
        ([1.5], TypeError, "Dimension value must be integer or None or have an __index__ method"),
        (["a"], TypeError, "Dimension value must be integer or None or have an __index__ method"),
        ("ab", TypeError, "Failed to convert"),
    ],
)
def test_values_that_do_not_convert_to_a_shape(given, error, sentence):
    with pytest.raises(error, match=sentence):
        S(given)


def test_it_is_no_tuple():
    shape, one, two = tf.ones((2, 3)).shape, "%s", "%s of %s"
    assert not isinstance(shape, tuple)
    assert (one % shape, two % (shape, "x"), one % S(None)) == ("(2, 3)", "(2, 3) of x", "<unknown>")
    with pytest.raises(TypeError, match="not enough arguments"):
        _ = two % shape
    assert tf.nest.flatten([shape, shape]) == [shape, shape]


def test_it_works_where_a_tuple_does():
    shape = tf.ones((2, 3)).shape
    assert (shape.index(3), shape.count(2), shape[1:] + (4,), (4,) + shape) == (1, 1, (3, 4), (4, 2, 3))
    assert np.arange(6).reshape(shape).shape == np.broadcast_to(1.0, shape).shape == (2, 3)
    assert tf.reshape(tf.range(6), shape).shape == tf.numpy.reshape(np.arange(6), shape).shape == (2, 3)
    assert tf.constant([shape, shape]).numpy().tolist() == [[2, 3], [2, 3]]
    assert tf.numpy.asarray(shape).dtype == tf.int64
    assert {(2, 3): "found"}[shape] == "found"
    assert pickle.loads(pickle.dumps(S([2, None]))) == copy.deepcopy(S([2, None])) == [2, None]
    assert pickle.loads(pickle.dumps(S(None))).rank is None


def test_unknown_rank():
    unknown = S(None)
    assert (unknown.rank, unknown.dims, unknown.num_elements(), unknown.is_fully_defined()) == (None, None, None, False)
    assert (repr(unknown), str(unknown), bool(unknown)) == ("TensorShape(None)", "<unknown>", False)
    assert unknown == S(None)
    assert unknown != S([])
    assert unknown[0] is None
    assert unknown[1:].rank is None
    assert unknown[1:3] == S([None, None])
    for question, sentence in (
        (unknown.as_list, "as_list() is not defined on an unknown TensorShape."),
        (unknown.__len__, "Cannot take the length of shape with unknown rank."),
        (lambda: list(unknown), "Cannot iterate over a shape with unknown rank."),
    ):
        with pytest.raises(ValueError) as caught:
            question()
        assert str(caught.value) == sentence


def test_parts_and_sums():
    assert S([2, 3, 4])[1:] == S([3, 4])
    assert S([2, 3])[-1] == 3
    assert S([2, 3]) + [4] == S([2, 3]) + (4,) == [2, 3] + S([4]) == (2, 3) + S([4]) == S([2, 3, 4])
    assert isinstance([2] + S([3]), S)
    assert (S([2]) + S(None)).rank is None
    with pytest.raises(IndexError):
        S([2, 3])[5]


def test_compatibility():
    assert S([2, None]).is_compatible_with([2, 3])
    assert S([2, 3]).is_compatible_with(None)
    assert not S([2, 3]).is_compatible_with([2])
    assert S([2, 3]).is_subtype_of(S([2, None]))
    assert not S([2, None]).is_subtype_of(S([2, 3]))
    assert S([2, None]).merge_with([None, 3]) == S([2, 3])
    assert S(None).merge_with([2]) == S([2])
    assert S([2, 3]).most_specific_compatible_shape([2, 4]) == S([2, None])
    assert S([2, 3]).most_specific_common_supertype([S([2, 4]), S([5, 4])]) == S([None, None])
    assert S([2, 3]).most_specific_common_supertype([1]) is None
    assert S(None).with_rank(2) == S([None, None])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: S([2, None]).assert_is_fully_defined(), "Shape (2, None) is not fully defined"),
        (lambda: S([2, 3]).assert_is_compatible_with([2]), "Shapes (2, 3) and [2] are incompatible"),
        (lambda: S([2, 3]).merge_with([2, 4]), "Shapes (2, 3) and (2, 4) are not compatible"),
        (lambda: S([2, 3]).assert_has_rank(3), "Shape (2, 3) must have rank 3"),
        (lambda: S([2, 3]).assert_same_rank([1]), "Shapes (2, 3) and (1,) must have the same rank"),
        (lambda: S([2, 3]).with_rank(3), "Shape (2, 3) must have rank 3"),
        (lambda: S([2, 3]).with_rank_at_least(3), "Shape (2, 3) must have rank at least 3"),
        (lambda: S([2, 3]).with_rank_at_most(1), "Shape (2, 3) must have rank at most 1"),
    ],
)
def test_demands(call, sentence):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("shape", [S([2, 3]), S([2, None]), S([]), S(None)], ids=str)
def test_copies(shape):
    for twin in (pickle.loads(pickle.dumps(shape)), copy.copy(shape), copy.deepcopy(shape)):
        assert twin == shape
        assert twin.rank == shape.rank


def test_dims_have_a_value():
    shape = tf.ones((2, 3)).shape
    assert [size.value for size in shape.dims] == [2, 3]
    assert shape.dims[0] == 2
    assert repr(shape.dims) == "[Dimension(2), Dimension(3)]"
    partly_known = S([None, 4])
    assert [size.value for size in partly_known.dims] == [None, 4]
    assert S(partly_known.dims).as_list() == [None, 4]
    assert S(None).dims is None
