"""The fast sweeps, on NumPy arrays and on Tensors, against the chain rule itself, on the same records."""

import contextlib

import numpy as np
import pytest

import whygrad as tf
from tests.support.outcomes import Numbers, described, described_record, fast_forms
from whygrad.ops.primitive import Primitive, apply
from whygrad.tape import sweep as reference
from whygrad.tape.cotangents import ArrayCotangents, TensorCotangents
from whygrad.tape.fast_sweep import sweep_arrays
from whygrad.tape.norms import Norms
from whygrad.tape.sweep import chain_rule, dependents_of, pull_back
from whygrad.values.tensor import key_of


class _Watcher:
    """Notes what each rule gave."""

    def __init__(self):
        self.numbers = Numbers()
        self.seen = []

    def computed(self, raw, inputs, outputs):
        """Ops are not looked at."""

    def pulled(self, raw, key, g, gx):
        self.seen.append([described(each, self.numbers) for each in (key, g, gx)])


def _program(seed):
    """A random program: sources, tensors in the order they were made, and the tape."""
    rng = np.random.default_rng(seed)
    sources = [tf.constant(rng.normal(size=shape).astype(np.float32)) for shape in [(4, 4), (4,), (4, 4), (), (1, 4)]]
    matrices, rows, numbers = [sources[0], sources[2]], [sources[1], sources[4]], [sources[3]]

    def any_of(values):
        return values[rng.integers(len(values))]

    steps = [
        lambda: matrices.append(any_of(matrices) + any_of(rows)),  # a bias
        lambda: matrices.append(any_of(matrices) * any_of(matrices)),
        lambda: matrices.append(any_of(matrices) + any_of(matrices)),
        lambda: matrices.append(tf.sin(any_of(matrices))),
        lambda: matrices.append(tf.tanh(any_of(matrices)) / 2.0),
        lambda: matrices.append(any_of(matrices) @ any_of(matrices) * 0.1),
        lambda: matrices.append(any_of(matrices) * any_of(numbers)),
        lambda: matrices.append(tf.concat(tf.split(any_of(matrices), 2), 0)),  # several outputs
        lambda: matrices.append(tf.gather(any_of(matrices), [0, 0, 3, 1])),  # sparse
        lambda: matrices.append(tf.tensor_scatter_nd_update(any_of(matrices), [[1]], [any_of(rows[:1])])),
        lambda: matrices.append(tf.math.real(tf.complex(any_of(matrices), any_of(matrices)) ** 2)),
        lambda: rows.append(any_of(matrices)[rng.integers(4)]),  # a slot
        lambda: rows.append(tf.reduce_sum(any_of(matrices), 0) * any_of(numbers)),
        lambda: rows.append(any_of(rows) + any_of(rows)),
        lambda: numbers.append(tf.reduce_sum(any_of(matrices)) * 0.01 + any_of(numbers)),
        lambda: numbers.append(any_of(rows[:1])[2] * any_of(numbers)),
    ]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(sources)
        for _ in range(40):
            any_of(steps)()
    return sources, matrices + rows + numbers, tape


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("seed", range(25))
def test_random_programs_give_the_same_sums_bit_by_bit(seed, watched):
    sources, made, tape = _program(seed)
    targets = [made[-1], made[len(made) // 2]]
    wanted = [key_of(each) for each in (*sources[: 1 + seed % 5], made[len(made) // 3])]
    dependents = None if seed % 2 else dependents_of(tape._records, set(wanted))
    found = []
    for fast in (True, False):
        cotangents, watcher = ArrayCotangents(), _Watcher()
        cotangents.observers = [watcher] if watched else []
        for target in targets:
            cotangents.seed(key_of(target), tf.ones_like(target))
        arguments = tape._records, cotangents, set(wanted)
        if fast:
            sweep_arrays(*arguments, set(wanted), dependents, True, reference._one_record)
        else:
            chain_rule(*arguments, dependents, True, pull_back)
        numbers = Numbers()
        results = [cotangents.result(key) for key in wanted]
        found.append((described(results, numbers), watcher.seen, len(cotangents.broadcasts)))
    assert found[0] == found[1]


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("seed", range(25))
def test_recorded_sweeps_of_random_programs_are_the_same(seed, watched):
    """Sums and records, in their order: a gradient of these gradients is the same too."""
    sources, made, tape = _program(seed)
    targets = made[-1], made[len(made) // 2]
    wanted = [key_of(each) for each in (*sources[: 1 + seed % 5], made[len(made) // 3])]
    found = []
    for on in (True, False):
        watcher = _Watcher()
        seeds = [(key_of(each), tf.ones_like(each)) for each in targets]
        with fast_forms(on), tf.GradientTape() as outer:
            outer.watch([*sources, made[-1]])
            observers = [watcher] if watched else []
            cotangents = reference.sweep(tape._records, seeds, wanted, tape.roots, True, observers)
        assert type(cotangents) is TensorCotangents
        numbers = Numbers()
        results = [described(cotangents.result(key), numbers) for key in wanted]
        records = [described_record(record, numbers) for record in outer.records]
        found.append((results, records, watcher.seen, len(cotangents.broadcasts)))
    assert found[0] == found[1]


def test_the_recorded_sweep_is_the_fast_one_only_while_the_switch_is_on(monkeypatch):
    calls = []
    fast = reference.sweep_tensors
    monkeypatch.setattr(reference, "sweep_tensors", lambda *given: [calls.append(1), fast(*given)][1])
    x = tf.constant([1.0, 2.0])
    for on in (True, False):
        with fast_forms(on), tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.sin(x) * x
            slope = tape.gradient(y, x)
        outer.gradient(slope, x)
        assert len(calls) == 1


@pytest.mark.parametrize("on", [True, False], ids=["fast", "reference"])
def test_ops_in_a_rule_from_outside_belong_to_its_lines(on):
    cube = Primitive("test_cube", lambda xp, x: x**3, vjp=lambda xp, g, x: 3 * g * x * x, register=False)
    x = tf.constant([1.0, 2.0])
    with fast_forms(on), tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(apply(cube, x))
        tape.gradient(y, x)
    here = [record.code.co_name for record in outer.records]
    own = "test_ops_in_a_rule_from_outside_belong_to_its_lines"
    assert here == [own, own, own, own, "<lambda>", "<lambda>", "<lambda>"]


@pytest.mark.parametrize("on", [True, False], ids=["fast", "reference"])
def test_a_rule_from_outside_is_handed_conjugates_also_where_its_result_is_real(on):
    square = Primitive(
        "test_norm",
        lambda xp, z: (z * z.conj()).real,
        vjp=lambda xp, g, z: xp.cast(g, dtype=z.dtype) * z,
        register=False,
    )
    z = tf.constant([1 + 2j, 3 - 1j])
    with fast_forms(on), tf.GradientTape() as tape:
        tape.watch(z)
        y = apply(square, z)
    with fast_forms(on):
        assert tape.gradient(y, z).numpy().tolist() == [1 - 2j, 3 + 1j]


@pytest.mark.parametrize("recorded", [False, True], ids=["plain", "recorded"])
@pytest.mark.parametrize("on", [True, False], ids=["fast", "reference"])
def test_records_are_let_go_as_they_pass(on, recorded):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x) * x
    assert [len(record.kept) for record in tape.records] == [1, 2]
    with fast_forms(on), tf.GradientTape() if recorded else contextlib.nullcontext():
        tape.gradient(y, x)
    assert [len(record.kept) for record in tape.records] == [0, 0]


@pytest.mark.parametrize("recorded", [False, True], ids=["plain", "recorded"])
@pytest.mark.parametrize("on", [True, False], ids=["fast", "reference"])
def test_the_error_of_a_rule_names_its_record(on, recorded):
    def fails(xp, g, x):
        raise ZeroDivisionError("in the rule")

    failing = Primitive("test_failing", lambda xp, x: x + 1, vjp=fails, register=False)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(apply(failing, tf.exp(x)))
    with (
        fast_forms(on),
        pytest.raises(ZeroDivisionError) as caught,
        tf.GradientTape() if recorded else contextlib.nullcontext(),
    ):
        tape.gradient(y, x)
    assert caught.value.record.plan.primitive is failing


@pytest.mark.parametrize("on", [True, False], ids=["fast", "reference"])
def test_a_known_shape_is_not_believed_for_another(on):
    """What passed once in a shape is not checked again in that shape; a rule that is wrong in another one is found."""
    wrong = Primitive(
        "test_wrong_when_long",
        lambda xp, x: x * 2,
        vjp=lambda xp, g: 2 * g if len(g) < 3 else xp.sum(g),
        register=False,
    )
    for length in (2, 2, 3):
        x = tf.ones(length)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = apply(wrong, x)
        with fast_forms(on):
            if length == 2:
                tape.gradient(y, x)
                continue
            with pytest.raises(tf.errors.InvalidArgumentError, match="test_wrong_when_long"):
                tape.gradient(y, x)


def test_norms_are_the_same():
    given = []
    for on in (True, False):
        sources, made, tape = _program(7)
        norms = Norms()
        with fast_forms(on):
            wanted = [key_of(each) for each in sources]
            seeds = [(key_of(made[-1]), tf.ones_like(made[-1]))]
            reference.sweep(tape._records, seeds, wanted, tape.roots, True, [norms])
        given.append(list(norms.given.values()))
    assert given[0] == given[1]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_rule_that_fits_two_arrays_is_still_checked_beside_a_number(dtype):
    def of_a(xp, g, b):
        return g * b if b.shape else xp.reshape(g * b, (1, -1))

    times = Primitive("test_times", "multiply", vjp=(of_a, None), broadcasts=True, register=False)
    x = tf.constant([[1.0], [2.0]], dtype)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply(times, apply(times, x, x + 0.0), x + 0.0)
    assert tape.gradient(y, x).shape == (2, 1)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = apply(times, x, tf.constant(3.0, dtype))
    with pytest.raises(tf.errors.InvalidArgumentError, match="test_times"):
        tape.gradient(y, x)
