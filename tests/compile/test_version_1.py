"""`tf.compat.v1` for eager programs: the switches, logging, the names of TensorFlow 2, and what the others say."""

import functools
import logging

import pytest

import whygrad as tf
from whygrad.run.standin import standing_in

v1 = tf.compat.v1


def test_switches_that_are_always_on():
    for name in (
        "eager_execution",
        "v2_behavior",
        "v2_tensorshape",
        "tensor_equality",
        "resource_variables",
        "control_flow_v2",
    ):
        assert getattr(v1, f"enable_{name}")() is None
        with pytest.raises(AttributeError, match="whygrad always behaves as TensorFlow 2"):
            getattr(v1, f"disable_{name}")
    assert v1.executing_eagerly()
    assert v1.executing_eagerly_outside_functions()
    assert v1.resource_variables_enabled()
    assert v1.control_flow_v2_enabled()
    v1.reset_default_graph()


def test_names_that_tensorflow_2_has_too():
    assert v1.abs is tf.abs
    assert v1.log is tf.math.log
    assert v1.nn.relu is tf.nn.relu
    assert v1.float32 is tf.float32
    assert v1.random_uniform is tf.random.uniform
    assert tf.compat.v2 is tf
    v1.set_random_seed(3)
    first = tf.random.normal([2]).numpy()
    tf.random.set_seed(3)
    assert (tf.random.normal([2]).numpy() == first).all()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("reduce_sum", "use tf.reduce_sum, as TensorFlow 2 has it"),
        ("train.Coordinator", "use Python's threading and queue"),
        ("no_such_name", "whygrad follows TensorFlow 2"),
        ("nn.no_such_name", "whygrad follows TensorFlow 2"),
        ("losses.mean_squared_error", "tf.keras.losses has the losses"),
    ],
)
def test_other_names(name, said):
    with pytest.raises(AttributeError, match=said):
        functools.reduce(getattr, name.split("."), v1)


def test_logging(caplog):
    logger = tf.get_logger()
    before = logger.level
    try:
        v1.logging.set_verbosity(v1.logging.INFO)
        assert v1.logging.get_verbosity() == v1.logging.INFO == logging.INFO
        with caplog.at_level(logging.DEBUG):
            logger.setLevel(logging.INFO)
            v1.logging.debug("not shown")
            v1.logging.info("step %d", 3)
            v1.logging.warn("slow")
            v1.logging.log(v1.logging.ERROR, "wrong")
            v1.logging.error("wrong again")
            v1.logging.fatal("over")
        assert [record.getMessage() for record in caplog.records] == ["step 3", "slow", "wrong", "wrong again", "over"]
    finally:
        logger.setLevel(before)


def test_scripts_import_it():
    with standing_in():
        import tensorflow.compat.v1 as tf1
        import tensorflow.compat.v2 as tf2

        assert tf1.math.log is tf2.math.log is tf.math.log
        assert tf1.logging.info is v1.logging.info
        with pytest.raises(AttributeError, match="whygrad has no graphs and sessions"):
            tf1.Session()
