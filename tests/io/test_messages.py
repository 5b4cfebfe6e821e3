"""`tf.train.Example` and its parts have the methods of protocol buffers."""

import copy
import importlib
import pickle
import sys

import pytest

import whygrad as tf


def _example():
    counts = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2]))
    return tf.train.Example(features=tf.train.Features(feature={"count": counts}))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
def test_a_copy_is_equal_and_apart(copied):
    example = _example()
    made = copied(example)
    assert made == example
    made.features.feature["count"].int64_list.value.append(3)
    assert made != example
    assert list(example.features.feature["count"].int64_list.value) == [1, 2]


def test_not_a_number_equals_itself():
    assert tf.train.FloatList(value=[float("nan")]) == tf.train.FloatList(value=[float("nan")])


def test_descriptors_need_protobuf(monkeypatch):
    descriptors = importlib.import_module("whygrad.io.descriptors")
    descriptors._pool.cache_clear()
    descriptors.descriptor_of.cache_clear()
    monkeypatch.setitem(sys.modules, "google.protobuf.descriptor_pb2", None)
    with pytest.raises(AttributeError, match="pip install protobuf"):
        _example().ListFields()
