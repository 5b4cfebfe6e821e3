"""Primitives, plans and the recorder themselves, with a recorder of the test's own: no tape, no public op."""

import contextlib

import numpy as np
import pytest

from whygrad.ops.primitive import Primitive, apply, apply_several, op_function, outputs_in, record_of, registered
from whygrad.values.conversion import convert
from whygrad.values.errors import InvalidArgumentError, OpTypeError, OpValueError
from whygrad.values.recorders import Recorder, observers, state
from whygrad.values.tensor import key_of, wrap

CUBE = Primitive("test_cube", lambda xp, x: x * x * x, vjp=lambda xp, g, x: 3 * g * x * x, register=False)
EXP = Primitive("test_exp", "exp", vjp=lambda xp, g, y: g * y, register=False)
TIMES = Primitive(
    "test_product",
    lambda xp, a, b: a * b,
    vjp=(lambda xp, g, b: g * b, lambda xp, g, a: g * a),
    broadcasts=True,
    register=False,
)
SUM = Primitive(
    "test_sum",
    lambda xp, x, *, axis: x.sum(axis),
    vjp=lambda xp, g, x_shape, axis: xp.broadcast_to(xp.expand_dims(g, axis), x_shape),
    register=False,
)
SPLIT = Primitive(
    "test_split", lambda xp, x: (x[:1], x[1:]), vjp=lambda xp, g: xp.concatenate(g, axis=0), register=False
)
STACK = Primitive("test_stack", lambda xp, *parts: xp.stack(parts), joint=lambda xp, g, parts: list(g), register=False)
ROUND = Primitive("test_round", "round", no_gradient="its steps are flat", register=False)


class _Recorder(Recorder):
    """Holds what it is handed."""

    def __init__(self, *watched):
        super().__init__()
        self.raw = []
        for each in watched:
            self.mark_watched(key_of(each))

    def append(self, record):
        self.raw.append(record)

    @property
    def records(self):
        return [record_of(raw) for raw in self.raw]


@contextlib.contextmanager
def recording(*recorders):
    before, state.recorders = state.recorders, recorders
    try:
        yield recorders[0]
    finally:
        state.recorders = before


def tensor(*values, dtype=np.float32):
    return wrap(np.array(values, dtype))


def test_without_a_recorder_an_op_is_only_computed():
    y = apply(CUBE, tensor(1.0, 2.0))
    assert y.numpy().tolist() == [1, 8]
    assert y._key is None


def test_a_record_holds_plan_keys_kept_attributes_and_site():
    x = tensor(1.0, 2.0)
    with recording(_Recorder(x)) as recorder:
        y = apply(SUM, x, axis=0)
    (record,) = recorder.records
    assert record.plan is SUM.plan(1)
    assert record.inputs == (x._key,)
    assert record.output is y._key
    assert (y._key.shape, y._key.dtype) == ((), np.float32)
    assert record.kept == ()  # a shape is free to keep
    assert record.attributes == {"axis": 0}
    assert record.code is test_a_record_holds_plan_keys_kept_attributes_and_site.__code__


def test_the_rules_parameters_say_what_is_kept():
    x, other = tensor(2.0), tensor(3.0)
    with recording(_Recorder(x)) as recorder:
        cube, exp, product, square = apply(CUBE, x), apply(EXP, x), apply(TIMES, x, other), apply(TIMES, x, x)
    assert cube is not None
    assert square is not None
    assert [record.kept for record in recorder.records] == [[x], [exp], [other], [x, x]]
    assert product is not None


def test_what_is_not_followed_keeps_nothing_and_leads_nowhere():
    x = tensor(2.0)
    with recording(_Recorder()) as recorder:
        y = apply(CUBE, x)
    assert recorder.records[0].kept is None
    assert not recorder.watches(y._key)


def test_what_is_computed_from_what_is_followed_is_followed():
    x = tensor(2.0)
    with recording(_Recorder(x)) as recorder:
        y = apply(CUBE, apply(CUBE, x))
        cut = apply(ROUND, x)
    assert recorder.watches(y._key)
    assert recorder.watches(cut._key)  # as in TensorFlow: it can be a source, though nothing leads from it to x
    assert recorder.records[2].kept is None


def test_integers_are_not_followed():
    x = tensor(2, dtype=np.int32)
    with recording(_Recorder(x)) as recorder:
        y = apply(CUBE, x)
    assert not recorder.watches(y._key)


def test_several_recorders_follow_one_tensor():
    x = tensor(2.0)
    outer, inner, none = _Recorder(x), _Recorder(x), _Recorder()
    with recording(outer, inner, none):
        y = apply(CUBE, x)
    assert [each.watches(y._key) for each in (outer, inner, none)] == [True, True, False]
    assert [each.records[0].kept for each in (outer, inner, none)] == [[x], [x], None]


def test_several_outputs_make_one_record_of_the_general_plan():
    x = tensor(1.0, 2.0, 3.0)
    with recording(_Recorder(x)) as recorder:
        first, rest = apply_several(SPLIT, x)
    (record,) = recorder.records
    assert record.output == outputs_in(recorder.raw[0]) == (first._key, rest._key)
    assert record.plan is SPLIT.plan(1).general
    assert record.plan.pulls[0].rule is SPLIT.plan(1).pulls[0].rule


def test_all_inputs_of_a_variadic_op_are_kept_as_one():
    parts = tensor(1.0), tensor(2.0)
    with recording(_Recorder(parts[1])) as recorder:
        apply(STACK, *parts)
    assert recorder.records[0].kept == [parts]


def test_observers_see_values():
    seen = []

    class Observer:
        looks_inside_functions = False

        def computed(self, raw, inputs, outputs):
            seen.append((record_of(raw).plan.primitive, inputs, outputs))

    x = tensor(2.0)
    observers.append(Observer())
    try:
        with recording(_Recorder(x)):
            y = apply(CUBE, x)
    finally:
        observers.pop()
    assert seen == [(CUBE, (x,), y)]


def test_a_plan_is_made_once_for_each_set_of_followed_inputs():
    assert TIMES.plan(1) is TIMES.plan(1)
    assert [pull.input for pull in TIMES.plan(1).pulls] == [0]
    assert [pull.input for pull in TIMES.plan(3).pulls] == [0, 1]
    assert TIMES.plan(1).keep == (1,)
    assert not TIMES.plan(0).differentiates
    assert not ROUND.plan(1).differentiates


def test_refused_operands_are_named():
    with pytest.raises(InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\] \[Op:TestProduct\]"):
        apply(TIMES, tensor(1.0, 2.0), tensor(1.0, 2.0, 3.0))


def test_declarations_are_checked():
    with pytest.raises(OpTypeError, match="exactly one of vjp, joint and no_gradient"):
        Primitive("test_both", "exp", vjp=lambda xp, g: g, no_gradient="none", register=False)
    name = next(iter(registered()))
    with pytest.raises(OpValueError, match=f"{name!r} is declared twice: .*:[0-9]+ and test_primitive.py:[0-9]+"):
        Primitive(name, "exp", vjp=lambda xp, g: g)
    with pytest.raises(OpTypeError, match="2 inputs but 1 rules"):
        Primitive("test_few_rules", lambda xp, a, b: a, vjp=(lambda xp, g: g,))
    assert "test_few_rules" not in registered()


def test_the_function_of_an_op_checks_its_dtype():
    cube = op_function(CUBE, "float", convert)
    assert cube(2.0).numpy() == 8
    with pytest.raises(InvalidArgumentError, match="Value for attr 'T' of int32 is not in the list of allowed values"):
        cube(tensor(2, dtype=np.int32))


def test_the_function_of_an_op_leaves_other_dtypes_to_another():
    times = op_function(TIMES, "float", otherwise=lambda x, y: "otherwise")
    assert times(tensor(2, dtype=np.int32), 3) == "otherwise"
    assert times(tensor(2.0), 3).numpy() == 6
