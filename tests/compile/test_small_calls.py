"""What makes small compiled calls quick: results packed by one expression, and arguments found again on the device."""

import collections
import functools

import pytest

import whygrad as tf
from whygrad.compile.signature import Place, fill
from whygrad.compile.specialized import _packer

Pair = collections.namedtuple("Pair", "a b")
PLAIN = [
    Place(0),
    (Place(0),),
    [Place(1), Place(0)],
    (Place(0), [Place(1), (Place(2), None)], {}),
    {"b": Place(0), "a": [Place(1)], "c": ()},
    (Place(0), Place(0)),
]
OTHERS = [Pair(Place(0), Place(1)), [Place(0), 3.5], {1: Place(0)}, collections.OrderedDict(x=Place(0))]
DEEP = functools.reduce(lambda inner, _: [inner], range(300), Place(0))


@pytest.mark.parametrize("structure", [*PLAIN, *OTHERS, DEEP], ids=range(len(PLAIN + OTHERS) + 1))
def test_packed_results_are_the_filled_structure(structure):
    tensors = "a", "b", "c"
    packed, filled = _packer(structure)(tensors), fill(structure, tensors)
    assert repr(packed) == repr(filled)
    assert type(packed) is type(filled)


@pytest.mark.parametrize("structure", PLAIN, ids=str)
def test_plain_structures_are_one_expression(structure):
    assert not isinstance(_packer(structure), functools.partial)


@pytest.mark.parametrize("structure", OTHERS, ids=str)
def test_other_structures_are_filled(structure):
    assert isinstance(_packer(structure), functools.partial)


def test_each_call_returns_containers_of_its_own():
    double = tf.function(lambda x: {"twice": [x * 2.0], "none": None})
    first, second = double(tf.constant(1.0)), double(tf.constant(3.0))
    first["twice"].clear()
    assert second["twice"][0].numpy() == 6
    assert second["none"] is None
    assert double(tf.constant(4.0))["twice"][0].numpy() == 8


def test_arguments_in_any_order_and_again():
    subtract = tf.function(lambda x, y: x - y)
    a, b = tf.constant(3.0), tf.constant(1.0)
    for _ in range(4):  # the fast path, with arrays that are kept on the device
        assert subtract(a, b).numpy() == 2
    assert [subtract(b, a).numpy(), subtract(a, a).numpy(), subtract(a, subtract(a, b)).numpy()] == [-2, 0, 1]


def test_methods_of_two_objects_do_not_mix():
    class Scale:
        def __init__(self, by):
            self.by = by

        @tf.function
        def __call__(self, x):
            return x * self.by

    x, two, three = tf.constant(1.0), Scale(2.0), Scale(3.0)
    for _ in range(5):
        assert (two(x).numpy(), three(x).numpy()) == (2, 3)
