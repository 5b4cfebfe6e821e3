"""The chain rule itself, on records made by hand: no tape, no public op."""

import sys

import numpy as np
import pytest

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import Primitive
from whygrad.tape.cotangents import ArrayCotangents, Cotangents, TensorCotangents
from whygrad.tape.rules import accept, unbroadcast
from whygrad.tape.sweep import chain_rule, cotangent_of_output, dependents_of, pull_back
from whygrad.values.errors import InvalidArgumentError
from whygrad.values.tensor import Key, Tensor, wrap

SQUARE = Primitive("test_square", lambda xp, x: x * x, vjp=lambda xp, g, x: 2 * g * x, register=False)
TIMES = Primitive(
    "test_times",
    lambda xp, a, b: a * b,
    vjp=(lambda xp, g, b: g * b, lambda xp, g, a: g * a),
    broadcasts=True,
    register=False,
)
HALVES = Primitive(
    "test_halves", lambda xp, x: (x[:2], x[2:]), vjp=lambda xp, g: xp.concatenate(g, axis=0), register=False
)
JOINT = Primitive("test_joint", lambda xp, a, b: a + b, joint=lambda xp, g: (g, None), register=False)
SECOND = Primitive("test_second", lambda xp, x: x[1], vjp=lambda xp, g: Slot(g, 1), register=False)
LOOKUP = Primitive("test_lookup", lambda xp, x: x[[0, 2]], vjp=lambda xp, g: Rows(g, np.array([0, 2])), register=False)


def tensor(*values):
    """A tensor with a key."""
    made = wrap(np.array(values if len(values) != 1 else values[0], np.float64))
    made._key = key(made._array.shape)
    return made


def key(shape=(), dtype=np.float64):
    made = Key()
    made.shape, made.dtype, made.mark = shape, np.dtype(dtype), None
    return made


def record(primitive, inputs, output, kept=()):
    """What `whygrad.ops.primitive.record` hands a tape for an op all of whose inputs are watched."""
    plan = primitive.plan((1 << len(inputs)) - 1)
    return plan, output, list(kept) or (), {}, sys._getframe().f_code, 0, *[each._key for each in inputs]


def swept(records, seeds, wanted=(), dependents=None, keep=True):
    cotangents = ArrayCotangents()
    for target, seed in seeds:
        cotangents.add(target, np.asarray(seed, np.float64))
    chain_rule(records, cotangents, set(wanted), dependents, keep, pull_back)
    return cotangents


def test_one_rule():
    x, y = tensor(3.0), key()
    assert swept([record(SQUARE, [x], y, [x])], [(y, 1.0)]).get(x._key) == 6.0


def test_the_chain():
    x = tensor(3.0)
    squared = tensor(9.0)
    y = key()
    records = [record(SQUARE, [x], squared._key, [x]), record(SQUARE, [squared], y, [squared])]
    assert swept(records, [(y, 1.0)]).get(x._key) == 4 * 3.0**3


def test_every_use_of_a_tensor_adds_to_its_cotangent():
    x, y = tensor(3.0), key()
    assert swept([record(TIMES, [x, x], y, [x, x])], [(y, 2.0)]).get(x._key) == 2 * 6.0


def test_nothing_arrives_for_what_no_target_was_computed_from():
    x, unused, y = tensor(3.0), key(), key()
    records = [record(SQUARE, [x], unused, [x])]
    assert swept(records, [(y, 1.0)]).get(x._key) is None


def test_records_that_keep_none_are_skipped():
    x, y = tensor(3.0), key()
    plan, output, _, *rest = record(SQUARE, [x], y, [x])
    assert swept([(plan, output, None, *rest)], [(y, 1.0)]).get(x._key) is None


def test_only_what_leads_to_a_source_is_pulled_back_to():
    a, b, y = tensor(3.0), tensor(5.0), key()
    cotangents = swept([record(TIMES, [a, b], y, [a, b])], [(y, 1.0)], dependents={a._key})
    assert cotangents.get(a._key) == 5.0
    assert cotangents.get(b._key) is None


def test_dependents_of():
    a, b, middle, y, other = tensor(1.0), tensor(2.0), tensor(3.0), key(), key()
    records = [
        record(SQUARE, [a], middle._key, [a]),
        record(SQUARE, [b], other, [b]),
        record(SQUARE, [middle], y, [middle]),
    ]
    assert dependents_of(records, {a._key}) == {a._key, middle._key, y}


def test_cotangents_are_forgotten_unless_they_are_wanted():
    x, middle, y = tensor(3.0), tensor(9.0), key()
    records = [record(SQUARE, [x], middle._key, [x]), record(SQUARE, [middle], y, [middle])]
    assert swept(records, [(y, 1.0)]).get(middle._key) is None
    assert swept(records, [(y, 1.0)], wanted=[middle._key]).get(middle._key) == 18.0


def test_what_was_kept_is_let_go():
    x, y = tensor(3.0), key()
    held = record(SQUARE, [x], y, [x])
    swept([held], [(y, 1.0)], keep=True)
    assert held[2] == [x]
    swept([held], [(y, 1.0)], keep=False)
    assert held[2] == []


def test_several_outputs():
    x, first, second = tensor(1.0, 2.0, 3.0, 4.0), key((2,)), key((2,))
    records = [record(HALVES, [x], (first, second))]
    cotangents = swept(records, [(second, [5.0, 6.0])])
    np.testing.assert_array_equal(cotangents.get(x._key), [0, 0, 5, 6])
    assert cotangent_of_output(records[0], ArrayCotangents(), set()) is None


def test_a_joint_rule_gives_none_for_what_has_no_gradient():
    a, b, y = tensor(3.0), tensor(5.0), key()
    cotangents = swept([record(JOINT, [a, b], y)], [(y, 2.0)])
    assert cotangents.get(a._key) == 2.0
    assert cotangents.get(b._key) is None


def test_partial_cotangents_are_added_at_their_place():
    x, y, z = tensor(1.0, 2.0, 3.0), key(), key((2,))
    records = [record(SECOND, [x], y), record(LOOKUP, [x], z)]
    cotangents = swept(records, [(y, 4.0), (z, [5.0, 6.0])])
    np.testing.assert_array_equal(cotangents.get(x._key), [5, 4, 6])


def test_only_lookups_give_rows():
    x, z = tensor(1.0, 2.0, 3.0), key((2,))
    found = swept([record(LOOKUP, [x], z), record(LOOKUP, [x], z)], [(z, [5.0, 6.0])]).result(x._key)
    assert type(found) is Rows
    np.testing.assert_array_equal(found.indices.numpy(), [0, 2])


def test_broadcasting_is_undone():
    a, b, y = tensor(2.0), tensor(1.0, 2.0, 3.0), key((3,))
    cotangents = swept([record(TIMES, [a, b], y, [a, b])], [(y, [1.0, 1.0, 1.0])])
    assert cotangents.get(a._key) == 6.0
    assert cotangents.broadcasts == []
    assert unbroadcast(engine, np.ones((2, 3, 4)), (2, 3, 4), (3, 1)).tolist() == [[8.0], [8.0], [8.0]]


def test_what_does_not_fit_is_refused_with_its_record():
    wrong = Primitive("test_scalar", lambda xp, x: x, vjp=lambda xp, g: g.sum(), register=False)
    x, y = tensor(1.0, 2.0), key((2,))
    with pytest.raises(InvalidArgumentError, match=r"gradient of test_scalar for an input of shape \(2,\)") as caught:
        swept([record(wrong, [x], y)], [(y, [1.0, 1.0])])
    assert caught.value.record.plan.primitive is wrong


def test_a_dtype_that_does_not_fit_is_refused():
    wrong = Primitive("test_single", lambda xp, x: x, vjp=lambda xp, g: np.float32(g), register=False)
    x, y = tensor(1.0), key()
    with pytest.raises(InvalidArgumentError, match="has shape \\(\\) and dtype float32"):
        swept([record(wrong, [x], y)], [(y, 1.0)])


class _Doubles(Cotangents):
    """The least that a table of cotangents needs, to show that the sweep needs no more."""

    xp = engine

    def add(self, key, gx):
        self.sums[key] = self.sums.get(key, 0.0) + gx

    def get(self, key):
        return self.sums.get(key)


@pytest.mark.parametrize("kind", [ArrayCotangents, TensorCotangents, _Doubles])
def test_tables_of_every_kind_sum_the_same(kind):
    x, middle, y = tensor(3.0), tensor(9.0), key()
    records = [record(SQUARE, [x], middle._key, [x]), record(TIMES, [middle, x], y, [middle, x])]
    cotangents = kind()
    cotangents.seed(y, tensor(1.0))
    chain_rule(records, cotangents, set(), None, True, pull_back)
    found = cotangents.result(x._key)
    assert type(found) is Tensor
    assert found.numpy() == 3 * 3.0**2


def test_sums_are_added_to_in_place_only_where_the_table_owns_them():
    cotangents = ArrayCotangents()
    given, at = np.ones(2), key((2,))
    cotangents.add(at, given)
    cotangents.add(at, given)
    first = cotangents.get(at)
    cotangents.add(at, given)
    assert cotangents.get(at) is first
    assert first.tolist() == [3, 3]
    assert given.tolist() == [1, 1]


def test_accept_lets_partial_cotangents_pass():
    slot = Slot(np.ones(()), 0)
    x = tensor(1.0, 2.0)
    assert accept(record(SQUARE, [x], key((2,)), [x]), x._key, slot, ArrayCotangents()) is slot
