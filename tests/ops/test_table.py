"""Every row of the table of ops by itself: finite differences, dtypes, errors, and that no op is without a row."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import BAD_INPUT, CASES
from tests.support.gradients import check_gradients
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.recorded import every_primitive
from whygrad.values.recorders import Recorder, state


@pytest.mark.parametrize("case", [c for c in CASES if c.order], ids=str)
def test_rules_agree_with_finite_differences(case):
    check_gradients(lambda *x: case.function(tf, *x), case.draw("float64"), order=case.order)


@pytest.mark.parametrize("case", [c for c in CASES if c.order and c.complex], ids=str)
def test_complex_rules_agree_with_finite_differences(case):
    check_gradients(lambda *x: case.function(tf, *x), case.draw("complex128"), order=case.order)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradient_has_its_sources_shape_and_dtype(case):
    for dtype in case.dtypes:
        sources = [tf.constant(a) for a in case.draw(dtype)]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            target = case.function(tf, *sources)
        for source, gradient in zip(sources, tape.gradient(target, sources)):
            if gradient is not None:
                gradient = tf.convert_to_tensor(gradient)
                assert (gradient.shape, gradient.dtype) == (source.shape, source.dtype)


@pytest.mark.parametrize("case", [c for c in CASES if c.inputs], ids=str)
def test_a_variable_does_for_a_tensor(case):
    arrays = case.draw(case.dtypes[0])
    expected = tf.nest.flatten(case.function(tf, *map(tf.constant, arrays)))
    for i in range(len(arrays)):  # one variable among tensors, and one tensor among variables
        for chosen, others in ((tf.Variable, tf.constant), (tf.constant, tf.Variable)):
            mixed = [(chosen if j == i else others)(a) for j, a in enumerate(arrays)]
            for y, x in zip(tf.nest.flatten(case.function(tf, *mixed)), expected):
                assert y.dtype == x.dtype
                np.testing.assert_array_equal(tf.convert_to_tensor(y).numpy(), tf.convert_to_tensor(x).numpy())


@pytest.mark.parametrize("case", BAD_INPUT, ids=str)
def test_bad_input_is_refused_with_tensorflows_class_and_sentence(case):
    error = getattr(tf.errors, case.error) if isinstance(case.error, str) else case.error
    with pytest.raises(error) as caught:
        case.function(tf)
    assert case.sentence in str(caught.value)


class _Collector(Recorder):
    """A recorder that notes which primitives run."""

    differentiates = (
        True  # sweeps are recorded while it looks on, so that the ops that rules are made of are seen as well
    )

    def __init__(self):
        super().__init__()
        self.names = set()

    def append(self, record):
        plan, *_ = record
        self.names.add(plan.primitive.name)


def test_every_primitive_has_a_row():
    collector = _Collector()
    state.recorders = (*state.recorders, collector)
    try:
        for case in CASES:
            dtype = "float64" if "float64" in case.dtypes else case.dtypes[0]
            sources = [tf.constant(a) for a in case.draw(dtype)]
            with tf.GradientTape() as tape:
                tape.watch(sources)
                target = case.function(tf, *sources)
            tape.gradient(target, sources)
    finally:
        state.recorders = ()
    without = {name for name in every_primitive() if not name.startswith("test_")} - collector.names
    assert not without, f"primitives without a row in tests/ops/cases_*.py: {sorted(without)}"


def test_a_wrong_rule_is_refused():
    wrong = Primitive("test_wrong_square", lambda xp, x: x * x, vjp=lambda xp, g, x: g * x, register=False)
    with pytest.raises(AssertionError, match="finite differences"):
        check_gradients(lambda x: apply(wrong, x), [np.array([1.0, 2.0])])


def test_a_rule_wrong_only_in_second_order_is_refused():
    wrong = Primitive(
        "test_frozen_square",
        lambda xp, x: x * x,
        vjp=lambda xp, g, x: g * 2 * xp.asarray(np.asarray(x)),
        register=False,
    )
    with pytest.raises(AssertionError, match="finite differences"):
        check_gradients(lambda x: apply(wrong, x), [np.array([1.0, 2.0])])


def test_a_rule_of_the_wrong_shape_is_refused():
    wrong = Primitive("test_wrong_shape", lambda xp, x: x * 2, vjp=lambda xp, g: xp.sum(g), register=False)
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply(wrong, x)
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_wrong_shape"):
        tape.gradient(y, x)


def test_a_primitive_declared_twice_is_refused():
    with pytest.raises(ValueError, match=r"declared twice: elementwise\.py:\d+ and test_table\.py:\d+"):
        Primitive("sin", lambda xp, x: x, vjp=lambda xp, g: g)
