"""Gradients through sparse tensors, features that become sparse tensors and decoded labels are TensorFlow's."""

import warnings

import numpy as np
import pytest

import whygrad as tf
from tests.io.test_sparse_features import results
from tests.sparse.gradients import gradients

pytestmark = pytest.mark.tensorflow


def test_gradients_through_sparse_tensors(real_tf):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what has no gradient is among them
        found = gradients(tf)
    assert len(found) > 30
    assert found == gradients(real_tf)


def test_sparse_features(real_tf):
    assert results(tf) == results(real_tf)


LOGITS = np.random.default_rng(3).normal(size=(7, 3, 5)).astype(np.float32) * 2
DECODERS = {
    "greedy": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 4, 0]),
    "greedy, repeats": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 4, 1], merge_repeated=False),
    "greedy, first is blank": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 4, 1], blank_index=0),
    "greedy in half": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS.astype(np.float16), [7, 4, 1]),
    "greedy, no such blank": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 4, 1], blank_index=5),
    "greedy, too long": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS, [7, 4, 8]),
    "greedy, a matrix": lambda tf: tf.nn.ctc_greedy_decoder(LOGITS[0], [7, 4, 1]),
    "beams": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 1], top_paths=2),
    "beams, double": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS.astype(np.float64), [7, 4, 1], top_paths=2),
    "few beams": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 2], beam_width=3, top_paths=3),
    "one beam": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 2], beam_width=1),
    "no beam": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 2], beam_width=0),
    "too few labellings": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 0], top_paths=2),
    "too many lengths": lambda tf: tf.nn.ctc_beam_search_decoder(LOGITS, [7, 4, 2, 1]),
}


def _decoded(tf, decode):
    try:
        found, scores = decode(tf)
    except Exception as error:
        return type(error).__name__
    parts = [
        (each.indices.numpy().tolist(), each.values.numpy().tolist(), each.dense_shape.numpy().tolist())
        for each in found
    ]
    return parts, scores.dtype.name, scores.numpy()


@pytest.mark.parametrize("name", DECODERS)
def test_decoders(real_tf, name):
    theirs, ours = _decoded(real_tf, DECODERS[name]), _decoded(tf, DECODERS[name])
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert ours[:2] == theirs[:2]
        np.testing.assert_allclose(ours[2], theirs[2], rtol=1e-5)


def _sequences(tf, seed, shape, dtype="int64"):
    """Sparse sequences of drawn lengths, some of them empty."""
    rng = np.random.default_rng(seed)
    dense = rng.integers(1, 4, shape) * (np.arange(shape[-1]) < rng.integers(0, shape[-1] + 1, (*shape[:-1], 1)))
    positions = np.argwhere(dense)
    values = dense[dense > 0]
    if dtype == "string":
        values = np.array([b"", b"a", b"bc", b"d"], object)[values]
    return tf.SparseTensor(positions, tf.constant(values.tolist(), dtype), shape)


DISTANCES = {
    "normalized": lambda tf: tf.edit_distance(_sequences(tf, 1, (6, 9)), _sequences(tf, 2, (6, 9))),
    "counts": lambda tf: tf.edit_distance(_sequences(tf, 3, (6, 9)), _sequences(tf, 4, (6, 9)), normalize=False),
    "strings": lambda tf: tf.edit_distance(_sequences(tf, 5, (4, 5), "string"), _sequences(tf, 6, (4, 5), "string")),
    "batches": lambda tf: tf.edit_distance(_sequences(tf, 7, (2, 3, 5)), _sequences(tf, 8, (2, 3, 7))),
    "more rows": lambda tf: tf.edit_distance(_sequences(tf, 9, (2, 5)), _sequences(tf, 10, (4, 5))),
    "nothing": lambda tf: tf.edit_distance(_sequences(tf, 11, (3, 1)), tf.SparseTensor(
        np.zeros((0, 2), np.int64), tf.constant([], tf.int64), (3, 4))),
    "dense": lambda tf: tf.edit_distance(tf.constant([[1]]), _sequences(tf, 2, (6, 9))),
    "two dtypes": lambda tf: tf.edit_distance(_sequences(tf, 1, (6, 9), "int32"), _sequences(tf, 2, (6, 9))),
    "two ranks": lambda tf: tf.edit_distance(_sequences(tf, 7, (2, 3, 5)), _sequences(tf, 2, (6, 9))),
    "vectors": lambda tf: tf.edit_distance(_sequences(tf, 1, (9,)), _sequences(tf, 2, (9,))),
}  # fmt: skip


def _distances(tf, name):
    try:
        return DISTANCES[name](tf)
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("name", DISTANCES)
def test_edit_distance(real_tf, name):
    theirs, ours = _distances(real_tf, name), _distances(tf, name)
    if isinstance(theirs, str):
        assert ours == theirs
    else:
        assert ours.dtype.name == theirs.dtype.name
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy())
