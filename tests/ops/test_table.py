"""Every row of the table of ops: finite differences, dtypes, errors; and every op has a row."""

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import BAD_INPUT, CASES
from tests.support.gradients import check_gradients
from whygrad.ops.primitive import Primitive, apply, binary, unary
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
    without = {name for name, each in every_primitive().items() if not each.from_outside} - collector.names
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


def _gradient(function, sources, wanted=None):
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = function(*sources)
    return tape.gradient(y, sources if wanted is None else wanted)


def test_a_rule_that_was_right_is_still_checked_for_other_shapes_and_dtypes():
    """What the sweep has seen once for some shape and dtype it need not look at again, for those alone."""
    right_for_three = unary(
        "test_right_for_three",
        lambda xp, x: x * 2,
        vjp=lambda xp, g: g * 2 if g.shape == (3,) else xp.sum(g),
        doc="",
        register=False,
    )
    always_single = unary(
        "test_always_single", lambda xp, x: x * 2, vjp=lambda xp, g: (g * 2).astype("float32"), doc="", register=False
    )
    three, number = tf.constant([1.0, 2.0, 3.0]), tf.constant(1.0)
    for _ in range(3):
        assert _gradient(lambda x: right_for_three(right_for_three(x)), [three])[0].numpy().tolist() == [4, 4, 4]
        assert _gradient(always_single, [number])[0].numpy() == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_right_for_three"):
        _gradient(right_for_three, [tf.constant([1.0, 2.0])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_always_single"):
        _gradient(always_single, [tf.constant(1.0, "float64")])  # the shape () is one object


def test_a_rule_that_was_not_run_is_not_taken_for_checked():
    one_side_wrong = binary(
        "test_one_side_wrong",
        lambda xp, x, y: x + y,
        vjp=(lambda xp, g: g * 1, lambda xp, g: g.astype("float64")),
        doc="",
        register=False,
    )
    x, y = tf.constant(1.0), tf.constant(2.0)
    for _ in range(2):  # only what leads to x is run
        assert _gradient(lambda x, y: one_side_wrong(x, tf.sin(y)), [x, y], wanted=x).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_one_side_wrong"):
        _gradient(lambda x: one_side_wrong(x, tf.sin(x)), [x])


def test_a_primitive_declared_twice_is_refused():
    with pytest.raises(ValueError, match=r"declared twice: elementwise\.py:\d+ and test_table\.py:\d+"):
        Primitive("sin", lambda xp, x: x, vjp=lambda xp, g: g)
