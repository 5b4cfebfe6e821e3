"""The programs in `examples/` as modules, and the first losses of each, for tests to run and compare."""

import importlib
import itertools
import pathlib
import sys

import numpy as np

EXAMPLES = pathlib.Path(__file__).parent.parent.parent / "examples"
# Not a training (tests/test_documents.py runs nan_gradient), or needs JAX or Keras: tests/compile and tests/keras run these.
ELSEWHERE = (
    "common",
    "first_gradient",
    "nan_gradient",
    "nan_gradient_repaired",
    "data_parallel",
    "keras_digits",
)
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if path.stem not in ELSEWHERE)


def load(name):
    """An example as a module; `common`, which it imports as a neighbour, is found beside it."""
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    return importlib.import_module(name)


def _vae(example, rng):
    images, _ = example.digits()
    return example.train(example.Autoencoder(rng), images, rng, STEPS)


def _gan(example, rng):
    images, _ = example.digits()
    return example.train(example.Generator(rng), example.Discriminator(rng), images, rng, STEPS)


def _cnn(example, rng):
    (images, labels), _ = example.split(*example.digits(), rng)
    return example.train(example.Classifier(rng), images, labels, rng, STEPS)


def _gru(example, rng):
    text = example.Text()
    return example.train(example.Recurrent(len(text.characters), rng), text, rng, STEPS)


def _flow(example, rng):
    smoke, target = example.scene(16)
    velocity = example.tf.Variable(rng.normal(scale=0.1, size=(2, 16, 16)).astype("float32"))
    return example.train(velocity, smoke, target, 4, STEPS)


def _pendulum(example, rng):
    measured = example.measure(21, rng)
    descent = example.train(example.tf.Variable(np.log(example.GUESS)), measured, STEPS)
    return itertools.chain(descent, example.refine(example.tf.Variable(np.log([9.5, 0.2, 0.12])), measured, steps=3))


STEPS = 4
TRAININGS = {
    "cnn_digits": _cnn,
    "gan_digits": _gan,
    "physics_fit": _pendulum,
    "pressure_projection": _flow,
    "text_gru": _gru,
    "vae_digits": _vae,
}


def first_losses(name):
    """What an example yields in its first steps, a row for each, with the library that its `tf` now stands for."""
    return np.array([np.ravel(row) for row in TRAININGS[name](load(name), np.random.default_rng(7))])
