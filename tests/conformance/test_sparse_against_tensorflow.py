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
