"""Losses over a sample of many classes, and their samplers, which draw TensorFlow's numbers for the same seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines.philox import Stream, unit_double
from whygrad.ops import elementwise
from whygrad.ops.arguments import allocate, flag, integer, items
from whygrad.ops.creation import ones_like, zeros_like
from whygrad.ops.linalg_products import matmul
from whygrad.ops.losses import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits
from whygrad.ops.partitions import embedding_lookup
from whygrad.ops.primitive import Primitive, apply
from whygrad.ops.random_streams import sections
from whygrad.ops.reductions import reduce_sum
from whygrad.ops.shaping import concat, reshape, stop_gradient
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.faults import DtypesDiffer
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, are_known, value_of, wrap

Sample = tuple[Tensor, Tensor, Tensor]

# -- samplers --


def _true_classes(true_classes: Any, num_true: Any, op_name: str) -> Tensor:
    classes = convert(true_classes, None if elementwise.is_value(true_classes) else dtypes.int64)
    if classes.dtype != dtypes.int64:
        raise invalid(DtypesDiffer(wanted=dtypes.int64, dtype=classes.dtype, position=0, op=op_name))
    if classes.ndim != 2:
        raise invalid(f"true_classes must be a matrix [Op:{op_name}]")
    if classes._array.shape[1] != integer(num_true, "num_true", op_name):
        raise invalid(
            f"true_classes must have num_true columns, expected: {classes._array.shape[1]} was: {num_true} [Op:{op_name}]"
        )
    return classes


def _sample(
    op_name: str,
    draws: Callable[[Stream, int], Any],
    distribution: str,
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: bool,
    range_max: Any,
    seed: Any,
) -> Sample:
    """Draw classes, all different if `unique`, and return them with the expected count of each class.

    `draws` returns the first n draws of a stream, "log uniform" or "uniform".
    """
    count, classes = integer(num_sampled, "num_sampled", op_name), integer(range_max, "range_max", op_name)
    for attribute, value in (("num_sampled", count), ("range_max", classes)):
        if value < 1:
            raise invalid(f"Value for attr '{attribute}' of {value} must be at least minimum 1 [Op:{op_name}]")
    wanted = _true_classes(true_classes, num_true, op_name)
    if flag(unique, "unique", op_name) and count > classes:
        raise invalid(f"Sampler's range is too small. [Op:{op_name}]")
    if are_known(wanted):
        array = value_of(wanted)
        outside = array[(array < 0) | (array >= classes)]
        if outside.size:
            raise invalid(f"`true_candidate` out of range [0, {classes}), received {outside[0]} [Op:{op_name}]")
    place = f"{op_name} {num_true} {count} {bool(unique)} {classes}"  # a separate op for each combination of these

    reserve = sections(place, dtypes.int64, seed, 512 * count)

    def draw() -> Any:
        stream = reserve()
        if unique:
            sampled, tries = _first_different(lambda n: draws(stream, n), count)
        else:
            sampled, tries = draws(stream, count), count
        return np.append(sampled, tries)

    drawn = (
        wrap(allocate(draw, (count,), np.dtype(np.int64), op_name))
        if state.context is None
        else state.context.feed(draw, np.zeros(count + 1, np.int64))
    )
    sampled, tries = drawn[:-1], drawn[-1]
    of_wanted, of_sampled = (
        apply(_expected_count, each, tries, count=count, classes=classes, distribution=distribution)
        for each in (wanted, sampled)
    )
    return sampled, of_wanted, of_sampled


def _first_different(draws: Callable[[int], Any], count: int) -> tuple[Any, int]:
    """The first `count` distinct draws, and the number of draws that they took."""
    number = 2 * count
    while True:
        drawn = draws(number)
        first = np.sort(np.unique(drawn, return_index=True)[1])[:count]
        if len(first) == count:
            return drawn[first], int(first[-1]) + 1
        number *= 2


def _expected_count_forward(xp: Any, classes_: Any, tries: Any, *, count: int, classes: int, distribution: str) -> Any:
    """The expected count of a class among `count` draws: with repetition, or at least once in `tries`."""
    share = xp.full(classes_.shape, 1 / classes)
    if distribution == "log uniform":
        share = xp.log((classes_ + 2.0) / (classes_ + 1.0)) / np.log1p(classes)
    expected = xp.where(tries == count, share * count, -xp.expm1(tries * xp.log1p(-share)))
    return expected.astype(np.float32)


_expected_count = Primitive(
    "expected_count",
    _expected_count_forward,
    no_gradient="how often a class is drawn does not depend on anything that changes in small steps",
)


@export("random.log_uniform_candidate_sampler")
def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: bool,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Sample:
    """Sample classes below `range_max` with probability proportional to log((c + 2) / (c + 1)), as for words sorted by frequency.

    Returns the sampled classes, and the expected counts of the true and of the sampled ones in such a sample.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> sampled, _, _ = tf.random.log_uniform_candidate_sampler([[1], [3]], 1, 5, True, 10, seed=3)
    >>> sampled.numpy()
    array([0, 5, 6, 1, 4])
    """
    classes = integer(range_max, "range_max", "LogUniformCandidateSampler")
    scale = np.log1p(max(classes, 0))

    def draws(stream: Stream, count: int) -> Any:
        return (np.exp(unit_double(stream.words(2 * count)) * scale).astype(np.int64) - 1) % classes

    op_name = "LogUniformCandidateSampler"
    return _sample(op_name, draws, "log uniform", true_classes, num_true, num_sampled, unique, range_max, seed)


@export("random.uniform_candidate_sampler")
def uniform_candidate_sampler(
    true_classes: Any,
    num_true: Any,
    num_sampled: Any,
    unique: bool,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Sample:
    """Like `log_uniform_candidate_sampler`, with all classes below `range_max` equally likely.

    >>> import whygrad as tf
    >>> tf.random.set_seed(1)
    >>> sampled, _, _ = tf.random.uniform_candidate_sampler([[1], [3]], 1, 5, True, 10, seed=3)
    >>> sampled.numpy()
    array([9, 3, 1, 6, 5])
    """
    classes = integer(range_max, "range_max", "UniformCandidateSampler")

    def draws(stream: Stream, count: int) -> Any:
        return (stream.long_words(count) % np.uint64(classes)).astype(np.int64)

    op_name = "UniformCandidateSampler"
    return _sample(
        op_name,
        draws,
        "uniform",
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        seed,
    )


@export("nn.all_candidate_sampler", "random.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: Any, num_true: Any, num_sampled: Any, unique: bool, seed: Any = None, name: str | None = None
) -> Sample:
    """All classes below `num_sampled`, once each.

    >>> import whygrad as tf
    >>> tf.random.all_candidate_sampler([[1], [3]], 1, 4, True)[0].numpy()
    array([0, 1, 2, 3])
    """
    wanted = _true_classes(true_classes, num_true, "AllCandidateSampler")
    count = integer(num_sampled, "num_sampled", "AllCandidateSampler")
    if count < 0:
        raise invalid(f"num_sampled must be non-negative, got {count} [Op:AllCandidateSampler]")
    every = allocate(lambda: np.arange(count), (count,), np.dtype(np.int64), "AllCandidateSampler")
    return wrap(every), wrap(np.ones(wanted.shape, np.float32)), wrap(np.ones(count, np.float32))


@export("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: Any, seed: Any = None, name: str | None = None
) -> Sample:
    """Find the sampled classes that are true classes of a row: the rows, the positions in the sample, and a lowest float for each.

    >>> import whygrad as tf
    >>> rows, places, _ = tf.nn.compute_accidental_hits([[1, 2], [3, 4]], [2, 3, 5], 2)
    >>> rows.numpy(), places.numpy()
    (array([0, 1], dtype=int32), array([0, 1]))
    """
    classes, sampled = (value_of(convert(each, dtypes.int64)) for each in (true_classes, sampled_candidates))
    if classes.ndim != 2 or classes.shape[1] != integer(num_true, "num_true"):
        raise invalid("true_candidates must be a batch_size * num_true matrix [Op:ComputeAccidentalHits]")
    if sampled.ndim != 1:
        raise invalid(
            f"sampled_candidates must be a vector, which is typically an output from CandidateSampler, not "
            f"{shape_text(sampled.shape)} [Op:ComputeAccidentalHits]"
        )
    rows, _, places = np.nonzero(classes[:, :, None] == sampled)
    lowest = np.full(len(rows), np.finfo(np.float32).min, np.float32)
    return wrap(rows.astype(np.int32)), wrap(places), wrap(lowest)


# -- losses --


@export("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: Any = None,
    name: str | None = "sampled_softmax_loss",
) -> Tensor:
    """The softmax cross entropy of each row over its true classes and a sample of the others. For training only.

    >>> import whygrad as tf
    >>> weights, biases, inputs = tf.ones((100, 3)), tf.zeros(100), tf.ones((2, 3))
    >>> tf.nn.sampled_softmax_loss(weights, biases, [[1], [3]], inputs, num_sampled=4, num_classes=100).shape
    TensorShape([2])
    """
    logits, wanted = _sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        seed,
    )
    return softmax_cross_entropy_with_logits(wanted, logits)


@export("nn.nce_loss")
def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str | None = "nce_loss",
) -> Tensor:
    """The noise-contrastive estimation loss of each row's true classes against a sample of others. For training only.

    >>> import whygrad as tf
    >>> weights, biases, inputs = tf.ones((100, 3)), tf.zeros(100), tf.ones((2, 3))
    >>> tf.nn.nce_loss(weights, biases, [[1], [3]], inputs, num_sampled=4, num_classes=100).shape
    TensorShape([2])
    """
    logits, wanted = _sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        None,
    )
    return reduce_sum(sigmoid_cross_entropy_with_logits(wanted, logits), axis=1)


_without_hits = Primitive(
    "without_hits",
    lambda xp, classes, sampled, *, dtype: (
        xp.sum(classes[:, :, None] == sampled, axis=1, dtype=np.float32) * np.finfo(np.float32).min
    ).astype(dtype),
    no_gradient="where a sampled class is a true one does not change under a small step",
)


def _sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any,
    sampled_values: Any,
    remove_accidental_hits: bool,
    seed: Any,
) -> tuple[Tensor, Tensor]:
    """Logits of the true and the sampled classes, minus the log of their expected counts; and the labels."""
    x = convert(inputs, None)
    if x.ndim < 1:
        raise invalid(f"inputs must have at least 1 dimension, got shape {shape_text(x.shape)}")
    own_count = integer(num_true, "num_true")
    classes = elementwise.cast(convert(labels, None), dtypes.int64)
    flat = reshape(classes, (-1,))
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(classes, num_true, num_sampled, True, num_classes, seed)
    sample = items(sampled_values, "sampled_values")
    if len(sample) != 3:
        raise OpValueError(f"sampled_values must have 3 entries, as the samplers return them. Received {len(sample)}.")
    sampled, true_count, sampled_count = (stop_gradient(convert(each, None)) for each in sample)
    sampled = elementwise.cast(sampled, dtypes.int64)
    ids = concat([flat, sampled], 0)
    many = flat._array.size
    chosen = elementwise.cast(embedding_lookup(_joined(weights), ids), x.dtype)
    offsets = elementwise.cast(embedding_lookup(_joined(biases), ids), x.dtype)
    own = reshape(chosen[:many], (-1, own_count, x._array.shape[-1]))
    own_logits = reduce_sum(reshape(x, (-1, 1, x._array.shape[-1])) * own, axis=2)
    own_logits = own_logits + reshape(offsets[:many], (-1, own_count))
    other_logits = matmul(x, chosen[many:], transpose_b=True) + offsets[many:]
    if flag(remove_accidental_hits, "remove_accidental_hits"):
        other_logits = other_logits + apply(_without_hits, classes, sampled, dtype=x._array.dtype)
    own_logits = own_logits - elementwise.log(elementwise.cast(true_count, x.dtype))
    other_logits = other_logits - elementwise.log(elementwise.cast(sampled_count, x.dtype))
    wanted = concat([ones_like(own_logits) / own_count, zeros_like(other_logits)], 1)
    return concat([own_logits, other_logits], 1), stop_gradient(wanted)


def _joined(shards: Any) -> Any:
    """Join weights given in shards, each with a range of the classes."""
    if not isinstance(shards, list | tuple):
        return shards
    return shards[0] if len(shards) == 1 else concat(list(shards), 0)
