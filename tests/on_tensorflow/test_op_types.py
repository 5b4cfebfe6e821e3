"""The table of op types: complete for what has a gradient, and each entry computes what TensorFlow does."""

import operator

import numpy as np
import pytest

import whygrad
from whygrad.on_tensorflow.op_types import DATA, OPAQUE, TRANSLATIONS
from whygrad.on_tensorflow.variables import OF_VARIABLES


def test_every_public_name_exists():
    for name in [each for each in TRANSLATIONS.values() if isinstance(each, str)]:
        assert callable(operator.attrgetter(name)(whygrad)), name


def test_no_op_type_is_listed_twice():
    listed = [*TRANSLATIONS, *DATA, *OPAQUE, *OF_VARIABLES]
    assert len(listed) == len(set(listed))


@pytest.mark.tensorflow
def test_every_op_type_with_a_gradient_is_listed(real_tf):
    from tensorflow.python.framework import ops

    registry = ops._gradient_registry
    # TensorFlow registers a custom gradient in a traced function under a name of its own.
    named = [
        each for each in registry.list() if registry.lookup(each) is not None and not each.startswith("CustomGradient-")
    ]
    assert sorted(set(named) - {*TRANSLATIONS, *DATA, *OPAQUE, *OF_VARIABLES}) == []


def _elementwise(tf):
    """The op types in the table that take one or two floats and nothing else, with their numbers of inputs."""
    from tensorflow.python.framework import op_def_registry

    for op_type, translation in TRANSLATIONS.items():
        definition = op_def_registry.get(op_type) if isinstance(translation, str) else None
        if definition is None or not hasattr(tf.raw_ops, op_type):
            continue
        kinds = {each.type_attr for each in definition.input_arg}
        needed = [each for each in definition.attr if not each.HasField("default_value") and each.name not in kinds]
        if (
            len(kinds) == 1
            and "" not in kinds
            and not needed
            and len(definition.input_arg) <= 2
            and not definition.input_arg[0].number_attr
        ):
            yield op_type, [each.name for each in definition.input_arg]


@pytest.mark.tensorflow
def test_elementwise_ops_give_tensorflows_numbers(real_tf):
    arrays = np.array([[0.9, 0.2, 0.3], [0.2, 0.8, 0.1], [0.3, 0.1, 0.7]]), np.full((3, 3), 2.0)
    compared = 0
    for op_type, names in _elementwise(real_tf):
        given = [array.astype(np.float32) for array in arrays[: len(names)]]
        try:
            theirs = getattr(real_tf.raw_ops, op_type)(**dict(zip(names, map(real_tf.constant, given))))
        except (real_tf.errors.InvalidArgumentError, real_tf.errors.UnimplementedError, TypeError):
            continue  # it takes integers or booleans, or a matrix that this one is not
        ours = operator.attrgetter(TRANSLATIONS[op_type])(whygrad)(*map(whygrad.constant, given))
        np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=2e-5, atol=1e-6, err_msg=op_type)
        compared += 1
    assert compared > 60
