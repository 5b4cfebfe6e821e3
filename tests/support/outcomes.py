"""What a row of the table of ops does, as plain data: to compare the fast forms of ops and sweep with the reference."""

import contextlib
import itertools

import numpy as np

import whygrad as tf
from whygrad.ops.fast_ops import use_fast_forms
from whygrad.runtime.switches import switches
from whygrad.values.tensor import Key, Tensor, value_of


@contextlib.contextmanager
def fast_forms(on):
    """Inside this block the fast forms are on or off."""
    before = switches.fast
    use_fast_forms(on)
    try:
        yield
    finally:
        use_fast_forms(before)


class Numbers:
    """Keys by the order in which they are met: the same in two runs of one program."""

    def __init__(self):
        self._numbers = {}

    def of(self, key):
        return None if key is None else self._numbers.setdefault(key, len(self._numbers))


def described(value, numbers):
    """A value as data that `==` compares, arrays bit by bit."""
    if isinstance(value, Key):
        return "key", numbers.of(value), value.shape, value.dtype
    if isinstance(value, Tensor):
        return "tensor", numbers.of(value._key), described(value_of(value), numbers)
    if isinstance(value, tf.Variable):
        return "variable", described(value._value, numbers)
    if isinstance(value, tf.IndexedSlices):
        return "slices", described(value.values, numbers), described(value.indices, numbers)
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return "array", array.shape, array.dtype, array.tolist() if array.dtype == object else array.tobytes()
    if isinstance(value, list | tuple):
        return type(value).__name__, [described(each, numbers) for each in value]
    if isinstance(value, dict):
        return "dict", [(key, described(each, numbers)) for key, each in value.items()]
    return value if isinstance(value, int | float | str | bytes | slice | None) else type(value).__name__


def described_record(record, numbers):
    """A record: plan, keys, what it keeps, attributes and site."""
    plan = record.plan
    rules = plan.primitive.name, plan.joint is not None, [pull.input for pull in plan.pulls], plan.general is plan
    fields = record.inputs, record.output, record.kept, record.attributes
    # As a position in the source: Python counts a specialized instruction's inline caches as parts of it.
    position = next(itertools.islice(record.code.co_positions(), record.instruction // 2, None))
    return rules, [described(each, numbers) for each in fields], record.code, position


def outcome(function, arrays):
    """Values, records and gradients of a function, under two tapes, the outer one of which records the inner one's sweep."""
    numbers = Numbers()
    sources = [tf.constant(each) for each in arrays]
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(sources)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(sources)
            target = function(tf, *sources)
        records = [described_record(record, numbers) for record in inner.records]
        gradients = inner.gradient(target, sources)
    plain = inner.gradient(target, sources)  # not recorded: on bare arrays
    targets = [each for each in tf.nest.flatten(gradients) if each is not None]
    try:
        second = outer.gradient(targets, sources) if targets else None
    except LookupError as error:  # as in TensorFlow, of an op whose gradient has none
        second = str(error)
    return {
        "values": described(tf.nest.flatten(target), numbers),
        "records": records,
        "records of both": [described_record(record, numbers) for record in outer.records],
        "gradients": described(plain, numbers),
        "recorded gradients": described(gradients, numbers),
        "second gradients": described(second, numbers),
    }
