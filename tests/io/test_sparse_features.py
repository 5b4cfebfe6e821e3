"""Features of examples that become sparse tensors, and examples of sequences."""

import pytest

import whygrad as tf


def results(tf):
    """What each call gives, as text: also compared with TensorFlow, in `tests/conformance`."""

    def integers(*values):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))

    def strings(*values):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))

    def floats(*values):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))

    def example(**features):
        return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()

    def sequence(context, **lists):
        made = {key: tf.train.FeatureList(feature=steps) for key, steps in lists.items()}
        return tf.train.SequenceExample(
            context=tf.train.Features(feature=context), feature_lists=tf.train.FeatureLists(feature_list=made)
        ).SerializeToString()

    io = tf.io
    a = example(a=integers(1, 2), w=strings(b"x"), i=integers(3, 1), v=floats(0.5, 0.25))
    b = example(i=integers(0), v=floats(1.0))
    of_any_length = {"a": io.VarLenFeature(tf.int64), "w": io.VarLenFeature(tf.string)}
    at_positions = {"s": io.SparseFeature("i", "v", tf.float32, 10)}
    first = sequence(
        {"id": integers(7), "c": integers(1, 2)},
        t=[integers(1), integers(2), integers(3)],
        w=[strings(b"x", b"y"), strings()],
    )
    second = sequence({"id": integers(8)}, t=[integers(4)])
    context = {"id": io.FixedLenFeature([], tf.int64), "c": io.VarLenFeature(tf.int64)}
    steps = {"t": io.FixedLenSequenceFeature([], tf.int64), "w": io.VarLenFeature(tf.string)}
    calls = {
        "any length": lambda: io.parse_example([a, b], of_any_length),
        "any length, one": lambda: io.parse_single_example(a, of_any_length),
        "none": lambda: io.parse_single_example(b, of_any_length),
        "positions": lambda: io.parse_example([a, b], at_positions),
        "positions, one": lambda: io.parse_single_example(a, at_positions),
        "several axes": lambda: io.parse_example([a], {"s": io.SparseFeature(["i", "a"], "v", tf.float32, [9, 9])}),
        "as they are": lambda: io.parse_single_example(a, {"s": io.SparseFeature("i", "v", tf.float32, 10, True)}),
        "fewer positions": lambda: io.parse_example(
            [example(i=integers(3, 1), v=floats(0.5))], {"s": io.SparseFeature("i", "v", tf.float32, 10)}
        ),
        "wrong dtype": lambda: io.parse_example([a], {"w": io.VarLenFeature(tf.int64)}),
        "in a dataset": lambda: list(
            tf.data.Dataset.from_tensor_slices([a, b]).map(lambda r: io.parse_single_example(r, of_any_length)).batch(2)
        ),
        "spec": lambda: (
            tf.data.Dataset.from_tensor_slices([a, b])
            .map(lambda r: io.parse_single_example(r, of_any_length))
            .element_spec
        ),
        "sequence": lambda: io.parse_single_sequence_example(first, context, steps),
        "sequence without": lambda: io.parse_single_sequence_example(second, context, steps),
        "sequences": lambda: io.parse_sequence_example([first, second], context, steps),
        "ragged": lambda: io.parse_sequence_example(
            [first, second], {"c": io.RaggedFeature(tf.int64)}, {"w": io.RaggedFeature(tf.string)}
        ),
        "ragged, one": lambda: io.parse_single_sequence_example(first, None, {"w": io.RaggedFeature(tf.string)}),
        "missing": lambda: io.parse_single_sequence_example(
            second, None, {"z": io.FixedLenSequenceFeature([], tf.int64)}
        ),
        "may be missing": lambda: io.parse_single_sequence_example(
            second, None, {"z": io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
        ),
        "wrong size": lambda: io.parse_single_sequence_example(
            first, None, {"t": io.FixedLenSequenceFeature([2], tf.int64)}
        ),
        "no features": lambda: io.parse_single_sequence_example(first),
        "broken": lambda: io.parse_single_sequence_example(b"\xff\xff", context, steps),
        "a vector": lambda: io.parse_single_sequence_example([first], context, steps),
    }
    return {name: _outcome(call) for name, call in calls.items()}


def _outcome(call):
    try:
        return repr(call())
    except Exception as error:
        return "!" + type(error).__name__


def test_features_of_any_length_have_a_row_for_each_example():
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[5, 6]))
    record = tf.train.Example(features=tf.train.Features(feature={"a": feature})).SerializeToString()
    found = tf.io.parse_example([record, b""], {"a": tf.io.VarLenFeature(tf.int64)})["a"]
    assert (found.indices.numpy().tolist(), found.shape.as_list()) == ([[0, 0], [0, 1]], [2, 2])


def test_mistakes_are_told():
    found = results(tf)
    assert {name: text for name, text in found.items() if text.startswith("!")} == {
        "fewer positions": "!ValueError",
        "wrong dtype": "!InvalidArgumentError",
        "missing": "!InvalidArgumentError",
        "wrong size": "!InvalidArgumentError",
        "no features": "!ValueError",
        "broken": "!InvalidArgumentError",
        "a vector": "!ValueError",
    }


def test_a_list_of_features_that_is_missing_is_named():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Feature list 'z' is required"):
        tf.io.parse_single_sequence_example(b"", None, {"z": tf.io.FixedLenSequenceFeature([], tf.int64)})
