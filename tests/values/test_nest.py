"""Nested structures."""

import collections
import dataclasses

import pytest

import whygrad as tf

Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Masked:
    values: object
    mask: bool

    def __tf_flatten__(self):
        return (self.mask,), (self.values,)

    @classmethod
    def __tf_unflatten__(cls, metadata, components):
        return cls(components[0], metadata[0])


STRUCTURES = [
    (1, [1]),
    (None, [None]),
    ("abc", ["abc"]),
    ([], []),
    ({}, []),
    ([1, (2, [3])], [1, 2, 3]),
    ({"b": 1, "a": 2}, [2, 1]),
    (Point(1, (2, 3)), [1, 2, 3]),
    (collections.OrderedDict([("b", 1), ("a", 2)]), [2, 1]),
    (collections.defaultdict(list, b=1, a=2), [2, 1]),
    (collections.deque([1, 2]), [1, 2]),
    (Masked([1, 2], True), [1, 2]),
    ([1, {"x": [None, {}]}], [1, None]),
]


@pytest.mark.parametrize(("structure", "flat"), STRUCTURES)
def test_there_and_back(structure, flat):
    assert tf.nest.flatten(structure) == flat
    rebuilt = tf.nest.pack_sequence_as(structure, flat)
    assert rebuilt == structure
    assert type(rebuilt) is type(structure)
    assert tf.nest.map_structure(lambda x: x, structure) == structure
    tf.nest.assert_same_structure(structure, rebuilt)
    assert tf.nest.is_nested(structure) == (not isinstance(structure, str | int | None))


def test_order_of_dictionaries_is_kept():
    packed = tf.nest.pack_sequence_as({"b": 0, "a": 0}, [1, 2])
    assert list(packed.items()) == [("b", 2), ("a", 1)]
    assert tf.nest.pack_sequence_as(collections.defaultdict(list, a=0), [1]).default_factory is list


def test_leaves():
    for leaf in (tf.constant([1]), tf.Variable([1]), tf.TensorShape([1, 2]), b"ab", {1, 2}, 3):
        assert not tf.nest.is_nested(leaf)
        assert tf.nest.flatten(leaf)[0] is leaf
    assert tf.nest.flatten([range(2), {"a": 1}.values()]) == [0, 1, 1]


def test_deep_structures_do_not_hit_the_recursion_limit():
    deep = []
    for _ in range(50000):
        deep = [deep]
    assert tf.nest.flatten(deep) == []


SAME = [
    ([1, 2], [3, 4], True),
    ([1, 2], (3, 4), False),
    ({"a": 1}, collections.OrderedDict(a=1), True),
    (Point(1, 2), collections.namedtuple("Point", "x y")(1, 2), True),
    (1, "a", True),
]


@pytest.mark.parametrize(("a", "b", "check_types"), SAME)
def test_same_structures(a, b, check_types):
    tf.nest.assert_same_structure(a, b, check_types=check_types)


DIFFERENT = [
    (
        [1, 2],
        [3],
        ValueError,
        "The two structures don't have the same number of elements. First structure: type=list str=[1, 2]. "
        "Second structure: type=list str=[3]\nEntire first structure:\n[., .]\nEntire second structure:\n[.]",
    ),
    (
        [1, 2],
        (3, 4),
        TypeError,
        "The two namedtuples don't have the same sequence type. First structure type=list str=[1, 2] has type list, while "
        "second structure type=tuple str=(3, 4) has type tuple",
    ),
    ({"a": 1}, {"b": 1}, ValueError, "The two dictionaries don't have the same set of keys. First structure has keys"),
    (Point(1, 2), (1, 2), TypeError, "Entire first structure:\nPoint(x=., y=.)\nEntire second structure:\n(., .)"),
    (Point(1, 2), collections.namedtuple("Point", "x z")(1, 2), TypeError, "don't have the same sequence type"),
    (1, [1], ValueError, 'Substructure "type=list str=[1]" is a sequence, while substructure "type=int str=1" is not'),
    ([1, {"a": [2, 3]}], [1, {"a": [2]}], ValueError, "Entire first structure:\n[., {'a': [., .]}]"),
]


@pytest.mark.parametrize(("a", "b", "error", "sentence"), DIFFERENT)
def test_different_structures(a, b, error, sentence):
    for compare in (tf.nest.assert_same_structure, lambda a, b: tf.nest.map_structure(lambda x, y: x, a, b)):
        with pytest.raises(error) as caught:
            compare(a, b)
        assert str(caught.value).startswith(
            "The two structures don't have the same nested structure.\n\nFirst structure:"
        )
        assert sentence in str(caught.value)


REFUSED = [
    (
        lambda: tf.nest.pack_sequence_as([1, 2], [3]),
        ValueError,
        "Structure had 2 atoms, but flat_sequence had 1 items.",
    ),
    (lambda: tf.nest.pack_sequence_as(1, [3, 4]), ValueError, "The target structure is of type `<class 'int'>`"),
    (lambda: tf.nest.pack_sequence_as([1, 2], 3), TypeError, "but found incompatible type `<class 'int'>` instead."),
    (lambda: tf.nest.pack_sequence_as([1, 2], "ab"), TypeError, "but found incompatible type `<class 'str'>` instead."),
    (lambda: tf.nest.map_structure(1, [1]), TypeError, "func must be callable, got: 1"),
    (lambda: tf.nest.map_structure(lambda: 1), ValueError, "Must provide at least one structure"),
    (lambda: tf.nest.map_structure(lambda x: x, [1], foo=1), ValueError, "Only valid keyword arguments are"),
    (lambda: tf.nest.flatten({1: 2, "a": 3}), TypeError, "nest only supports dicts with sortable keys."),
]


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED)
def test_invalid_arguments(call, error, sentence):
    with pytest.raises(error) as caught:
        call()
    assert sentence in str(caught.value)


@pytest.mark.parametrize("function", [tf.nest.flatten, lambda each: tf.nest.map_structure(lambda x: x, each)])
def test_a_structure_that_contains_itself_is_an_error(function):
    endless = [1, {"a": 2}]
    endless[1]["b"] = endless
    with pytest.raises(RecursionError, match="contains itself"):
        function(endless)


def test_composites_are_expanded_on_request():
    slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]))
    whole = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0]), tf.constant([3, 1]))
    assert tf.nest.flatten([slices, 1]) == [slices, 1]
    assert [len(tf.nest.flatten([each, 1], expand_composites=True)) for each in (slices, whole)] == [3, 4]
    doubled = tf.nest.map_structure(lambda part: part * 2, {"a": slices}, expand_composites=True)["a"]
    assert isinstance(doubled, tf.IndexedSlices)
    assert (doubled.values.numpy().tolist(), doubled.indices.numpy().tolist(), doubled.dense_shape) == (
        [[2.0]],
        [0],
        None,
    )
    with pytest.raises(ValueError, match="Structure had 2 atoms, but flat_sequence had 1 items"):
        tf.nest.pack_sequence_as(slices, [1], expand_composites=True)
