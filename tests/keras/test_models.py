"""The losses of many models are TensorFlow's, eager and compiled. `tests/keras/models.py` has the models, and prints TensorFlow's."""

import json
import pathlib

import numpy as np
import pytest

import whygrad as tf
from tests.keras.models import losses, models

TENSORFLOWS = json.loads((pathlib.Path(__file__).parent / "tensorflow_losses.json").read_text())


@pytest.mark.parametrize("eagerly", [True, False], ids=["eager", "compiled"])
@pytest.mark.parametrize("name", TENSORFLOWS)
def test_losses_are_tensorflows(keras, name, eagerly):
    found = losses(keras, models(tf, keras)[name], eagerly)
    np.testing.assert_allclose(found, TENSORFLOWS[name], rtol=1e-5)


def test_every_model_is_compared(keras):
    assert set(models(tf, keras)) == set(TENSORFLOWS)
