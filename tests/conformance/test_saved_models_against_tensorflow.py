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


def _gradients_inside(tf: Any, folder: str) -> list[Any]:
    class Learner(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(2.0)
            self.table = tf.Variable(np.arange(8.0, dtype="float32").reshape(4, 2))

        @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([None], tf.int32)])
        def step(self, x, rows):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.w * x - 1.0) ** 2) + tf.reduce_sum(tf.gather(self.table, rows) ** 2)
            gw, gtable = tape.gradient(loss, [self.w, self.table])
            self.w.assign_sub(0.1 * gw)
            self.table.scatter_sub(tf.IndexedSlices(0.1 * gtable.values, gtable.indices))
            return loss

        @tf.function(input_signature=[tf.TensorSpec([2])])
        def curvature(self, x):
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape(watch_accessed_variables=False) as inner:
                    inner.watch(x)
                    y = tf.reduce_sum(tf.sin(x) * x) * self.w
                g = inner.gradient(y, {"x": x, "w": [self.w]})
            return g["x"], outer.jacobian(g["x"], x)

        @tf.function(input_signature=[tf.TensorSpec([]), tf.TensorSpec([], tf.bool)])
        def chosen(self, x, squares):
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = tf.cond(squares, lambda: x**2, lambda: tf.constant(3.0))
                with tape.stop_recording():
                    z = y * x
                w = y * x + z
            return tape.gradient(w, x), tape.gradient(y, x, unconnected_gradients="zero")

        @tf.function(input_signature=[tf.TensorSpec([3])])
        def descended(self, x):
            for _ in tf.range(3):
                with tf.GradientTape(persistent=True) as tape:
                    tape.watch(x)
                    y = tf.reduce_sum((x - 1.0) ** 2)
                x -= 0.2 * tape.gradient(y, x)
                assert tape.gradient(x, self.w) is None
            return x

    tf.saved_model.save(Learner(), folder)
    loaded = tf.saved_model.load(folder)
    losses = [loaded.step(tf.ones((rows, 2)), tf.range(rows)) for rows in (3, 2)]
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        first, second = loaded.curvature(x)
    chosen = [part for squares in (True, False) for part in loaded.chosen(tf.constant(2.0), tf.constant(squares))]
    descended = loaded.descended(tf.constant([1.0, 2.0, 5.0]))
    return [*losses, loaded.w, loaded.table, first, second, tape.gradient(first, x), *chosen, descended]


def _names_of_classes(tf: Any, folder: str) -> list[Any]:
    root = tf.Module()
    names = tf.constant(["cat", "dog", "owl"])
    root.f = tf.function(
        lambda x: {"name": tf.gather(names, tf.argmax(x, 1)), "all": names}, [tf.TensorSpec([None, 3], tf.float32)]
    )
    tf.saved_model.save(root, folder)
    found = tf.saved_model.load(folder).f(tf.constant([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0]]))
    return [tf.strings.length(found["name"] + found["all"][0]), tf.cast(found["name"] == "dog", tf.int32)]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")  # a tape differentiates through an unbounded loop
@pytest.mark.parametrize(
    "program",
    [_layers, _control_flow, _calls, _sizes_that_the_body_decides, _gradients_inside, _names_of_classes],
)
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
