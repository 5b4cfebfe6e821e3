"""Saved models: programs that save, load and call give the same numbers on TensorFlow and on whygrad."""

import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import whygrad

tensorflow = pytest.importorskip("tensorflow")


def _layers(tf: Any, folder: str) -> list[Any]:
    class Layers(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weights = [tf.Variable(np.full((3, 3), 0.1 * i, "float32")) for i in range(1, 4)]

        @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
        def __call__(self, x):
            for w in self.weights:
                x = tf.nn.tanh(x @ w)
            return x, tf.reshape(x, [-1, 1]), tf.shape(x)

    tf.saved_model.save(Layers(), folder)
    loaded = tf.saved_model.load(folder)
    x = tf.constant([[1.0, -2.0, 3.0], [0.5, 0.0, 1.0]])
    with tf.GradientTape() as tape:
        y, column, shape = loaded(x)
        loss = tf.reduce_sum(y * y)
    return [y, column, shape, *tape.gradient(loss, list(loaded.weights))]


def _control_flow(tf: Any, folder: str) -> list[Any]:
    root = tf.Module()
    root.steps = tf.Variable(0)

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int32)])
    def f(x, n):
        root.steps.assign_add(n)
        if x > 1.0:
            x = tf.sqrt(x)
        else:
            x = x * x
        for _ in tf.range(n):
            x = x * 1.5
        while x > 10.0:
            x -= 3.0
        return {"x": x, "n": n + 1}

    root.f = f
    tf.saved_model.save(root, folder)
    loaded = tf.saved_model.load(folder)
    found = []
    for value, n in [(4.0, 2), (0.5, 7), (9.0, 5)]:
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = loaded.f(x, n)
        found += [result["x"], result["n"], tape.gradient(result["x"], x), loaded.steps]
    return found


def _calls(tf: Any, folder: str) -> list[Any]:
    root = tf.Module()
    root.f = tf.function(lambda x, power=2: x**power)
    root.f(tf.constant([1.0, 2.0]))
    root.f(tf.constant([1.0, 2.0]), power=3)
    tf.saved_model.save(root, folder, signatures={"cube": root.f.get_concrete_function(tf.TensorSpec([2]), 3)})
    loaded = tf.saved_model.load(folder)
    x = tf.constant([3.0, 4.0])
    found = [loaded.f(x), loaded.f(x, 3), loaded.f(x, power=2), loaded.signatures["cube"](x=x)["output_0"]]
    for bad in [lambda: loaded.f(x, 4), lambda: loaded.f(tf.constant([1, 2]))]:
        with pytest.raises(ValueError, match="Could not find matching concrete function"):
            bad()
    return found


def _sizes_that_the_body_decides(tf: Any, folder: str) -> list[Any]:
    class Decided(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.mean = tf.Variable(np.arange(9.0, dtype="float32"))
            self.w = tf.Variable(np.linspace(-1.0, 1.0, 48, dtype="float32").reshape(48, 1))

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
        def encoded(self, x):  # the columns must be 7
            kinds = tf.one_hot(tf.cast(x[:, -1], tf.int32), 3)
            return tf.concat([x[:, :-1], kinds], axis=1) - self.mean

        @tf.function(input_signature=[tf.TensorSpec([None, None, None, None], tf.uint8)])
        def classified(self, images):  # images of 48 pixels
            return tf.reshape(tf.cast(images, tf.float32), [-1, 48]) @ self.w

        @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)])
        def swapped(self, x):
            return tf.reshape(x, [tf.shape(x)[1], tf.shape(x)[0]])

    tf.saved_model.save(Decided(), folder)
    loaded = tf.saved_model.load(folder)
    images = tf.cast(tf.reshape(tf.range(2 * 4 * 4 * 3), [2, 4, 4, 3]), tf.uint8)
    for bad in [lambda: loaded.encoded(tf.zeros([2, 8])), lambda: loaded.classified(images[:, :, :, :2])]:
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            bad()
    return [loaded.encoded(tf.ones([2, 7])), loaded.classified(images), loaded.swapped(tf.ones([5, 3]))]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")  # a tape differentiates through an unbounded loop
@pytest.mark.parametrize("program", [_layers, _control_flow, _calls, _sizes_that_the_body_decides])
def test_a_program_gives_tensorflows_numbers(program: Callable[[Any, str], list[Any]], tmp_path: pathlib.Path) -> None:
    theirs = program(tensorflow, str(tmp_path / "tensorflow"))
    ours = program(whygrad, str(tmp_path / "whygrad"))
    for a, b in zip(theirs, ours, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(np.asarray(b), np.asarray(a), rtol=1e-5)


def test_models_of_tensorflow_are_refused(tmp_path: pathlib.Path) -> None:
    tensorflow.saved_model.save(tensorflow.Module(), str(tmp_path))
    with pytest.raises(ValueError, match="SavedModel of TensorFlow's"):
        whygrad.saved_model.load(tmp_path)
