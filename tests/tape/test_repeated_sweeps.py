"""Sweeps by functions written for them, against the chain rule itself, and when they are written and used."""

import contextlib
import gc
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import CASES
from tests.support.outcomes import Numbers, described, described_record, fast_forms
from whygrad.ops.primitive import Primitive, apply
from whygrad.runtime.error_state import restore, silence
from whygrad.tape import places, repeated_sweeps
from whygrad.tape.cotangents import ArrayCotangents, TensorCotangents
from whygrad.tape.repeated_sweeps import NotStraight, Repeats, StraightSweep
from whygrad.tape.sweep import chain_rule, dependents_of, pull_back
from whygrad.values.tensor import key_of


def _recorded(function, sources):
    """The tape and the seeds of a function's floating point results that ops made."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        targets = tf.nest.flatten(function(tf, *sources))
    made = {record.output for record in tape.records if type(record.output) is not tuple}
    found = {each._key: each for each in targets if isinstance(each, tf.Tensor) and each._key in made}
    return tape, [(key, tf.ones_like(each)) for key, each in found.items() if key.dtype.kind == "f"]


def _sums(tape, seeds, wanted, recorded, sweep):
    """What a sweep gives for the sources, and the ops that it records."""
    outer = tf.GradientTape()
    with outer if recorded else contextlib.nullcontext():
        for _, seed in seeds:
            outer.watch(seed)
        table = TensorCotangents() if recorded else ArrayCotangents()
        token = silence()
        try:
            with table.arithmetic or contextlib.nullcontext():
                sweep(table)
        finally:
            restore(token)
    numbers = Numbers()
    results = [described(table.result(key), numbers) for key in wanted]
    return results, [described_record(record, numbers) for record in outer.records]


def _by_function(tape, seeds, wanted, recorded):
    def sweep(table):
        straight = StraightSweep(tape._records, table, seeds, wanted, True)
        assert straight.sweep(tape._records, table, seeds, wanted, True)

    return _sums(tape, seeds, wanted, recorded, sweep)


def _by_chain_rule(tape, seeds, wanted, recorded):
    def sweep(table):
        for key, seed in seeds:
            table.seed(key, seed)
        dependents = dependents_of(tape._records, set(wanted))
        chain_rule(tape._records, table, set(wanted), dependents, True, pull_back)

    return _sums(tape, seeds, wanted, recorded, sweep)


def _without_sites(outcome):
    """Without the call sites of ops, which lie in the generated function."""
    results, records = outcome
    return results, [record[:2] for record in records]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_row_of_the_table_is_swept_as_by_the_chain_rule(case):
    sources = [tf.constant(each) for each in case.draw(case.dtypes[0])]
    tape, seeds = _recorded(case.function, sources)
    wanted = list(dict.fromkeys(key_of(each) for each in sources if each.dtype.is_floating))
    for recorded in (False, True):
        with contextlib.suppress(NotStraight):
            found = _by_function(tape, seeds, wanted, recorded)
            assert _without_sites(found) == _without_sites(_by_chain_rule(tape, seeds, wanted, recorded))


def _network(tf, x, w, b, labels):
    hidden = tf.nn.relu(x @ w + b)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.cast(labels, tf.int32), hidden * tf.sin(hidden))
    return tf.reduce_mean(loss) + 0.5 * tf.reduce_sum(w * w) + tf.reduce_sum(b)


def _sources(rows=3, dtype="float32"):
    rng = np.random.default_rng(1)
    drawn = [tf.constant(rng.normal(size=shape).astype(dtype)) for shape in [(rows, 4), (4, 5), (5,)]]
    return [*drawn, tf.constant(np.arange(rows) % 3)]


@pytest.mark.parametrize("recorded", [False, True], ids=["plain", "recorded"])
def test_a_network_is_swept_by_a_function(recorded):
    sources = _sources()
    tape, seeds = _recorded(_network, sources)
    for wanted in (sources[:3], sources[1:2], [sources[2], sources[0]]):
        keys = [key_of(each) for each in wanted]
        found = _by_function(tape, seeds, keys, recorded)
        assert _without_sites(found) == _without_sites(_by_chain_rule(tape, seeds, keys, recorded))


_OPS = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: tf.tanh(a) / 2.0,
    lambda a, b: a - 1.0,
    lambda a, b: tf.reduce_mean(a) * b,
]


@pytest.mark.parametrize("recorded", [False, True], ids=["plain", "recorded"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 1)], ids=str)
def test_rules_in_line_give_the_same(shape, recorded):
    def program(tf, x, y):
        return -(tf.exp(x) * y) / y + x / 3.0 - (x - y) * x

    sources = [tf.fill(shape, 0.3), tf.fill(shape, 1.7)]
    tape, seeds = _recorded(program, sources)
    wanted = [key_of(each) for each in sources]
    found = _by_function(tape, seeds, wanted, recorded)
    assert _without_sites(found) == _without_sites(_by_chain_rule(tape, seeds, wanted, recorded))


def test_random_chains_are_swept_as_by_the_chain_rule():
    """Sums of many parts, of arrays, rows and numbers, some of them added to in place."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        sources = [
            tf.constant(rng.normal(size=shape).astype(np.float32)) for shape in [(4, 4), (4,), (4, 4), (), (1, 4)]
        ]

        def program(tf, *values):
            values = list(values)
            for _ in range(30):
                a, b = (values[rng.integers(len(values))] for _ in "ab")
                values.append(_OPS[rng.integers(len(_OPS))](a, b))
            return values[-1], values[-4]

        tape, seeds = _recorded(program, sources)
        wanted = [key_of(each) for each in sources]
        for recorded in (False, True):
            found = _by_function(tape, seeds, wanted, recorded)
            assert _without_sites(found) == _without_sites(_by_chain_rule(tape, seeds, wanted, recorded))


def _swept_by_anothers(program, others, sources, of_others, wanted=None, wanted_of_others=None, keeps=(True, True)):
    """Whether the function for one program takes the sweep of another one."""
    found = []
    for function, values, keys in ((program, sources, wanted), (others, of_others, wanted_of_others)):
        tape, seeds = _recorded(function, values)
        found.append((tape._records, seeds, [key_of(values[i]) for i in keys or range(len(values))]))
    table = ArrayCotangents()
    (records, seeds, keys), other = found
    return StraightSweep(records, table, seeds, keys, keeps[0]).sweep(other[0], table, other[1], other[2], keeps[1])


def test_a_function_takes_the_sweeps_that_are_like_its_own_and_no_others():
    x, y, wide = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]), tf.constant([1.0, 2.0], tf.float64)

    def product(tf, x, y):
        return tf.sin(x) * y

    def taken(others, of_others=(x, y), **options):
        return _swept_by_anothers(product, others, [x, y], list(of_others), **options)

    assert taken(product)
    assert taken(product, (y, x))
    assert not taken(lambda tf, x, y: tf.cos(x) * y)
    assert not taken(lambda tf, x, y: tf.sin(x) * tf.sin(y))
    assert not taken(lambda tf, x, y: tf.sin(x) * x)
    assert not taken(lambda tf, x, y: y * tf.sin(x))
    assert not taken(lambda tf, x, y: tf.sin(y) * x)
    assert not taken(product, (tf.ones(3), tf.ones(3)))
    assert not taken(product, (x, tf.ones((2, 2))))
    assert not taken(product, (wide, wide))
    assert not taken(product, wanted_of_others=[0])
    assert not taken(product, wanted_of_others=[1, 0])
    assert not taken(product, keeps=(True, False))
    assert not taken(lambda tf, x, y: [product(tf, x, y), tf.sin(x)])


def test_a_function_for_some_sources_looks_at_the_inputs_beside_them():
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])

    def program(tf, x, y):
        return (x * y) * tf.sin(y)

    def taken(others):
        return _swept_by_anothers(program, others, [x, y], [x, y], wanted=[0], wanted_of_others=[0])

    assert taken(program)
    assert not taken(lambda tf, x, y: (x * y) * tf.sin(x))
    assert not taken(lambda tf, x, y: (x * x) * tf.sin(y))


def test_a_function_is_for_the_attributes_of_its_ops():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def program(axis):
        return lambda tf, x: tf.reduce_sum(tf.math.cumsum(x * x, axis), 0)

    assert _swept_by_anothers(program(0), program(0), [x], [x])
    assert not _swept_by_anothers(program(0), program(1), [x], [x])


def test_partial_cotangents_rules_from_outside_and_complex_numbers_are_left_to_the_loop():
    square = Primitive("test_square_outside", lambda xp, x: x * x, vjp=lambda xp, g, x: 2 * g * x, register=False)
    x = tf.constant([1.0, 2.0])
    for function in (
        lambda tf, x: apply(square, x),
        lambda tf, x: tf.gather(x, [0, 0]),
        lambda tf, x: x[1],
        lambda tf, x: tf.math.real(tf.complex(x, x) ** 2),
        lambda tf, x: tf.concat([x, x], 0),
    ):
        tape, seeds = _recorded(function, [x])
        with pytest.raises(NotStraight):
            StraightSweep(tape._records, ArrayCotangents(), seeds, [key_of(x)], True)


def test_records_are_let_go_as_they_pass():
    x = tf.constant([1.0, 2.0])
    for keep in (True, False):
        tape, seeds = _recorded(lambda tf, x: tf.sin(x) * x, [x])
        table = ArrayCotangents()
        assert StraightSweep(tape._records, table, seeds, [key_of(x)], keep).sweep(
            tape._records, table, seeds, [key_of(x)], keep
        )
        assert [len(record.kept) for record in tape.records] == ([1, 2] if keep else [0, 0])


def test_the_error_of_a_rule_names_its_record(monkeypatch):
    x = tf.constant([1.0, 2.0])
    wanted = [key_of(x)]
    tape, seeds = _recorded(lambda tf, x: tf.exp(tf.sinh(tf.sin(x))), [x])
    table = ArrayCotangents()
    straight = StraightSweep(tape._records, table, seeds, wanted, True)

    def fails(x):
        raise ZeroDivisionError("in the rule")

    monkeypatch.setattr(type(table.xp), "cosh", fails, raising=False)
    monkeypatch.setattr(table.xp, "cosh", fails, raising=False)
    with pytest.raises(ZeroDivisionError) as caught:
        straight.sweep(tape._records, table, seeds, wanted, True)
    assert caught.value.record.plan.primitive.name == "sinh"


# -- when functions are written --


@pytest.fixture
def written(monkeypatch):
    """The functions that are written, each by the number of records."""
    found = []
    write = StraightSweep.__init__

    def noted(self, records, *rest):
        write(self, records, *rest)
        found.append(len(records))

    monkeypatch.setattr(StraightSweep, "__init__", noted)
    monkeypatch.setattr(places, "_places", {})  # the tests share a line
    return found


def _train(shapes, on=True):
    """Gradients of steps with arrays of these shapes, all from one line."""
    gradients = []
    with fast_forms(on):
        for shape in shapes:
            x = tf.fill([shape], 0.5)
            with tf.GradientTape() as tape:
                tape.watch(x)
                loss = tf.reduce_sum(tf.sin(x) * x)
            gradients.append(tape.gradient(loss, x).numpy().tolist())
    return gradients


def test_a_function_is_written_once_for_steps_that_repeat(written):
    shapes = [3] * 200
    assert _train(shapes) == _train(shapes, on=False)
    assert written == [3]


def test_full_batches_and_the_last_one_have_a_function_each(written):
    shapes = [4, 4, 4, 2] * 300
    assert _train(shapes) == _train(shapes, on=False)
    assert written == [3, 3]


@pytest.mark.parametrize("in_turn", [False, True], ids=["one after the other", "in turn"])
def test_programs_that_share_a_line_have_a_function_each(written, in_turn):
    programs = [lambda x: tf.sin(x) * x, lambda x: x * x * x, lambda x: tf.exp(x)]
    calls = 5 * repeated_sweeps._CALLS_BEFORE
    for program in programs * calls if in_turn else np.repeat(programs, calls):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x)
        tape.gradient(y, x)
    assert sorted(written) == [1, 2, 2]


def test_functions_are_written_ever_more_seldom_where_shapes_change_all_the_time(written):
    shapes = range(1, 500)
    assert _train(shapes) == _train(shapes, on=False)
    assert 0 < len(written) <= 3


def test_a_program_whose_ops_change_all_the_time_is_seldom_looked_at(monkeypatch):
    looks = []
    look = Repeats._look
    monkeypatch.setattr(Repeats, "_look", lambda *given: [looks.append(1), look(*given)][1])
    for depth in range(1, 200):
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(depth):
                y = tf.sin(y)
        tape.gradient(y, x)
    assert len(looks) < 50


def test_nothing_of_a_step_outlives_it():
    class Held:
        """What the op of one call refers to."""

    def step():
        held = Held()
        x = tf.Variable([1.0, 2.0])

        @tf.custom_gradient
        def double(x):
            return 2.0 * x, lambda g: (held, 2.0 * g)[1]

        with tf.GradientTape() as tape:
            y = tf.sin(double(x)) * x
        tape.gradient(y, x)
        return weakref.ref(held), weakref.ref(x), weakref.ref(y)

    gc.collect()
    gc.disable()
    try:
        for _ in range(2 * repeated_sweeps._CALLS_BEFORE):
            references = step()
            assert [each() for each in references] == [None] * 3
    finally:
        gc.enable()


def test_sources_that_ops_made_and_repeated_sources_are_left_to_the_loop():
    for _ in range(2 * repeated_sweeps._CALLS_BEFORE):
        x = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            middle = tf.sin(x)
            tape.watch(middle)
            y = middle * x
        gx, gm, again = tape.gradient(y, [x, middle, x])
        assert gm.numpy().tolist() == x.numpy().tolist()
        assert gx.numpy().tolist() == again.numpy().tolist()


def test_inf_is_explained_in_a_sweep_by_a_function(recwarn):
    x = tf.Variable([1.0, 2.0])
    for i in range(3 * repeated_sweeps._CALLS_BEFORE):
        if i == 2 * repeated_sweeps._CALLS_BEFORE:
            x.assign([0.0, 2.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.math.log(x) * 2.0)
        tape.gradient(y, x)
    assert "is inf" in str(recwarn.pop().message)
