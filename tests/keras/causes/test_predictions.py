"""A loss of what `predict` gives: arrays, which no tape follows."""

import pytest

from tests.clinic.program import findings

pytestmark = pytest.mark.usefixtures("seeded")

PROGRAM = """
import numpy as np
import tensorflow as tf

rooms = np.array([[3.0, 1.0], [4.0, 2.0]], "float32")
price = np.array([[1.0], [2.0]], "float32")
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
with tf.GradientTape() as tape:
    estimate = model.predict(rooms, verbose=0)
    loss = tf.reduce_mean((estimate - price) ** 2)
grads = tape.gradient(loss, model.trainable_variables)
"""


def test_predict_takes_the_prediction_off_the_tape(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    (cause,) = findings(path)
    assert (cause.kind, cause.site.text) == ("numpy-conversion", "model.predict(rooms, verbose=0)")
    assert cause.help == "call the model itself, model(rooms): model.predict gives arrays of NumPy"
