"""Gradients through sparse tensors, and features that become sparse tensors, are TensorFlow's."""

import warnings

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
