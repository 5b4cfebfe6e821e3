"""weights-frozen: with the line that froze the weights, and only where nothing is left to train."""

import textwrap
import warnings

import pytest

import whygrad as tf
from tests.clinic.program import findings
from whygrad.view.notice import EmptyGradientWarning

HEAD = """
import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.ones((8, 3), "float32")
"""


def found_in(program, folder):
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(program), encoding="utf-8")
    return [(cause.kind, [(s.role, s.text) for s in cause.sites]) for cause in findings(path)]


def test_a_layer_that_is_made_frozen(seeded, tmp_path):
    program = """
    layer = keras.layers.Dense(2, trainable=False)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(x))
    tape.gradient(loss, layer.trainable_variables)
    """
    ((kind, sites),) = found_in(program, tmp_path)
    assert kind == "weights-frozen"
    assert sites[0] == ("frozen here", "keras.layers.Dense(2, trainable=False)")


def test_a_layer_that_is_frozen_before_it_is_built(seeded, tmp_path):
    program = """
    model = keras.Sequential([keras.layers.Dense(2)])
    model.layers[0].trainable = False
    model.compile("sgd", "mse")
    model.train_on_batch(x, np.ones((8, 2), "float32"))
    """
    ((kind, sites),) = found_in(program, tmp_path)
    assert (kind, sites[0][0], sites[-1][0]) == ("weights-frozen", "frozen here", "trained here")
    assert sites[0][1].startswith("model.layers[0].trainable")


def test_a_step_of_the_programs_own_may_train_something_else(seeded, tmp_path):
    program = """
    class Painting(keras.Model):
        def __init__(self):
            super().__init__()
            self.critic = keras.layers.Dense(1, trainable=False)
            self.image = tf.Variable(tf.ones((1, 3)))

        def train_step(self, data):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(self.critic(self.image) ** 2)
            self.image.assign_sub(0.1 * tape.gradient(loss, self.image))
            return {"loss": loss}

    model = Painting()
    model.compile()
    model.fit(x, epochs=2, verbose=0)
    """
    assert found_in(program, tmp_path) == []


def test_thawed_again(seeded, tmp_path):
    program = """
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    model.trainable = False
    model.trainable = True
    model.compile("sgd", "mse")
    model.fit(x, np.ones((8, 2), "float32"), verbose=0)
    """
    assert found_in(program, tmp_path) == []


def test_a_plain_program_is_warned(seeded):
    model = seeded.Sequential([seeded.Input((3,)), seeded.layers.Dense(2)])
    model.trainable = False
    model.compile("sgd", "mse")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(tf.ones((8, 3)), tf.ones((8, 2)), verbose=0)
    (warning,) = [each for each in caught if issubclass(each.category, EmptyGradientWarning)]
    assert warning.message.causes[0].kind == "weights-frozen"
    assert warning.filename == __file__


@pytest.mark.parametrize("eagerly", [True, False], ids=["eager", "compiled"])
def test_a_frozen_base_under_a_head_that_learns_is_healthy(seeded, tmp_path, eagerly):
    program = f"""
    base = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="relu")])
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dense(1)])
    model.compile("adam", "mse", run_eagerly={eagerly})
    model.fit(x, np.ones((8, 1), "float32"), verbose=0)
    """
    assert found_in(program, tmp_path) == []
