"""The specs that `Dataset.map` shows for functions of strings, of unknown sizes and of Python, beside TensorFlow's."""

import os

import numpy as np
import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

NAMES = np.array(["a", "b", "c"])


def label(tf, path):
    parts = tf.strings.split(path, os.path.sep)
    return tf.argmax(parts[-2] == NAMES)


def picture(tf, path):
    return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), [24, 24])


def halves(tf, row):
    first, rest = row[:3], row[3:]
    first.set_shape([3])
    rest.set_shape([1])
    return first, rest


def doubled(tf, row):
    result = tf.py_function(lambda each: each.numpy() * 2, [row], tf.int64)
    result.set_shape([4])
    return result


def padded(tf, row):
    row = tf.pad(row, [[0, 4 - tf.shape(row)[0]]])
    row.set_shape([4])
    return row


def paths(tf):
    return tf.data.Dataset.from_tensor_slices([os.path.join("x", "a", "1"), os.path.join("y", "b", "2")])


def windows(tf):
    return tf.data.Dataset.range(10).window(4, drop_remainder=True).flat_map(lambda window: window.batch(4))


CASES = {
    "picture": (paths, picture),
    "label": (paths, label),
    "pieces": (paths, lambda tf, path: tf.strings.split(path, os.path.sep)),
    "characters": (paths, lambda tf, path: tf.strings.unicode_split(path, "UTF-8")),
    "codes": (paths, lambda tf, path: tf.strings.unicode_decode(path, "UTF-8")),
    "lower": (paths, lambda tf, path: tf.strings.lower(tf.strings.split(path, os.path.sep)[0])),
    "ragged": (lambda tf: paths(tf).batch(2), lambda tf, path: tf.strings.split(path, os.path.sep)),
    "set_shape": (windows, halves),
    "set_shape of py_function": (windows, doubled),
    "set_shape after padding": (windows, padded),
}


@pytest.mark.parametrize("name", CASES)
def test_the_specs_are_tensorflows(real_tf, name):
    source, function = CASES[name]

    def spec(tf):
        return str(source(tf).map(lambda each: function(tf, each)).element_spec)

    assert spec(whygrad) == spec(real_tf)
