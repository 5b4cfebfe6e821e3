"""Every public name of TensorFlow that whygrad lacks says what to use instead, and the hints name only what exists."""

import functools
import re

import pytest

from whygrad.run.missing_names import REASONS, in_keras, is_public, reason
from whygrad.run.standin import standing_in
from whygrad.run.tensorflow_names import NAMES

PUBLIC = [f"{namespace}.{name}" for namespace, names in NAMES.items() for name in names.split()]
ABSENT = object()


@functools.cache
def root():
    with standing_in() as tf:
        return tf


def found(name):
    """What a public name is in whygrad; an AttributeError says why there is nothing."""
    return functools.reduce(getattr, name.split(".")[1:], root())


def message(name):
    try:
        found(name)
    except AttributeError as error:
        return str(error)
    return None


@pytest.mark.parametrize("namespace", sorted(NAMES))
def test_every_missing_name_has_a_hint(namespace):
    for name in NAMES[namespace].split():
        said = message(f"{namespace}.{name}")
        assert said is None or "; " in said or "Keras" in said, said


@pytest.mark.parametrize("text", sorted({*REASONS.values()}))
def test_hints_name_what_exists(text):
    for name in re.findall(r"\btf(?:\.\w+)+", text):
        if name.startswith(("tf.keras", "tf.compat")) or name == "tf.nn.collapse_repeated":
            continue
        assert message(name) is None, name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tf.compat.v1.app", "tf.compat.v1.app does not exist in whygrad; call your main function"),
        ("tf.types.experimental.AtomicFunction", "are the types for annotations"),
        ("tf.load_model", "tf.load_model does not exist in whygrad; tf.keras.models.load_model does"),
        ("tf.Dense", "tf.Dense does not exist in whygrad; tf.keras.layers.Dense does"),
        ("tf.io.decode_proto", "; tf.train.Example and tf.io.parse_example read"),
        ("tf.distribute.ParameterServerStrategy", "; tf.distribute.DataParallel trains on several devices"),
        ("tf.raw_ops.Add", "; tf.add does"),
        ("tf.raw_ops.AddV2", "; tf.add does"),
        ("tf.raw_ops.StopGradient", "; tf.stop_gradient does"),
        ("tf.raw_ops.BoostedTreesFlushQuantileSummaries", "; whygrad has its ops in tf, tf.math"),
        ("tf.assign", "; variable.assign(value) does it"),
        ("tf.ConfigProto", "; tf.config has the settings of devices and threads"),
        ("tf.train.AdamOptimizer", "; optimizers of TensorFlow 1 need graphs: use tf.keras.optimizers"),
        ("tf.mul", "; tf.multiply computes it"),
        ("tf.random_normal", "tf.random_normal does not exist in whygrad; tf.random.normal draws it"),
        ("tf.reduce_men", "tf.reduce_men does not exist in whygrad; it has tf.reduce_mean"),
    ],
)
def test_messages(name, said):
    assert said in (message(name) or "")


def test_namespaces_inside_namespaces_are_offered():
    assert found("tf.config.threading.get_inter_op_parallelism_threads")() is not None


def test_the_list_is_known():
    assert is_public("tf.io.read_file")
    assert not is_public("tf.read_a_file")
    assert in_keras("nothing") is None
    assert reason("tf.no_such_name") is None
