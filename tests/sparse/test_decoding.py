"""The decoders of connectionist temporal classification."""

import itertools

import numpy as np
import pytest

import whygrad as tf


def _spelled(path, blank):
    return tuple(label for label, _ in itertools.groupby(path) if label != blank)


def test_a_search_of_enough_width_finds_the_most_probable_labellings():
    logits = np.random.default_rng(0).normal(size=(5, 1, 3))
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=2, keepdims=True)
    sums = {}
    for path in itertools.product(range(3), repeat=5):
        labels = _spelled(path, blank=2)
        sums[labels] = sums.get(labels, 0.0) + np.prod(
            [probabilities[time, 0, label] for time, label in enumerate(path)]
        )
    best = sorted(sums, key=sums.get, reverse=True)[:4]
    decoded, scores = tf.nn.ctc_beam_search_decoder(logits, [5], top_paths=4)
    assert [tuple(each.values.numpy()) for each in decoded] == best
    np.testing.assert_allclose(scores.numpy()[0], [np.log(sums[labels]) for labels in best])


@pytest.mark.parametrize(("merges", "wanted"), [(True, [0, 0, 1]), (False, [0, 0, 0, 1])])
def test_greedy(merges, wanted):
    scores = np.eye(3)[[0, 0, 2, 0, 1, 2]][:, None]
    (labels,), total = tf.nn.ctc_greedy_decoder(scores, [6], merge_repeated=merges)
    assert labels.values.numpy().tolist() == wanted
    assert labels.dense_shape.numpy().tolist() == [1, len(wanted)]
    assert total.numpy().tolist() == [[-6.0]]


def test_lengths_that_do_not_fit():
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"sequence_length\(0\) <= 4"):
        tf.nn.ctc_greedy_decoder(np.zeros((4, 1, 3)), [5])
    with pytest.raises(tf.errors.FailedPreconditionError, match=r"len\(sequence_length\) != batch_size"):
        tf.nn.ctc_beam_search_decoder(np.zeros((4, 1, 3)), [4, 4])
    with pytest.raises(tf.errors.InvalidArgumentError, match="requested more paths than the beam width"):
        tf.nn.ctc_beam_search_decoder(np.zeros((4, 1, 3)), [4], beam_width=1, top_paths=2)
