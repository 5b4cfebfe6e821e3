"""Jacobians: many cotangents in one sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from math import prod
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import INPUTS, KEPT, Pull, RawRecord, Record
from whygrad.ops.shaping import stack
from whygrad.runtime.error_state import restore, silence
from whygrad.tape.batched import Batched, batched, lifted
from whygrad.tape.cotangents import ArrayCotangents, Cotangents
from whygrad.tape.rules import accept, argument_of, run_rule
from whygrad.tape.sweep import chain_rule, dependents_of, joint_results, sweep
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Key, Tensor, wrap

Array = Any

# The most bytes that the largest array of a batch of cotangents may take: beyond it, memory limits the speed.
_MOST_BYTES = 1 << 26


def sweep_many(
    records: list[RawRecord],
    target: Key,
    seeds: Array,
    sources: Sequence[Key],
    roots: set[Key],
    one_by_one: bool = False,
) -> tuple[list[Tensor | None], list[Record]]:
    """For each of `sources`, the cotangents for `seeds`, which are cotangents of the target stacked along the first axis.

    None for a source that the target does not depend on. Also returns the ops that repeated both of their operands.
    Where the sweep itself is to be differentiated, or is observed, the cotangents are pulled back one by one.
    """
    if not len(seeds):  # a seed of zeros shows what the target depends on
        found, broadcasts = sweep_many(
            records, target, np.zeros((1, *target.shape), target.dtype), sources, roots, one_by_one
        )
        return [None if each is None else each[:0] for each in found], broadcasts
    if state.context is not None:
        return _compiled(records, target, seeds, sources, roots, one_by_one)
    if one_by_one or observers or any(recorder.differentiates for recorder in state.recorders):
        return _sweep_each(records, target, seeds, sources, roots)
    wanted = set(sources)
    dependents = None if roots <= wanted else dependents_of(records, wanted)
    together = _how_many(records, dependents, len(seeds))
    parts: list[list[Array | None]] = []
    for start in range(0, len(seeds), together):
        cotangents = _BatchedCotangents(seeds[start : start + together], target)
        token = silence()
        try:
            chain_rule(records, cotangents, wanted, dependents, True, _pull_back)
        finally:
            restore(token)
        parts.append([cotangents.sums.get(key) for key in sources])
        broadcasts = cotangents.broadcasts
    return [_joined(list(found)) for found in zip(*parts)], broadcasts


def _joined(found: list[Array | None]) -> Tensor | None:
    if found[0] is None:
        return None
    return wrap(found[0] if len(found) == 1 else np.concatenate(found))  # type: ignore[arg-type]


def _how_many(records: list[RawRecord], dependents: set[Key] | None, count: int) -> int:
    """The number of cotangents to pull back together."""
    largest = 1
    for raw in records:
        if raw[KEPT] is not None and (dependents is None or not dependents.isdisjoint(raw[INPUTS:])):
            for key in raw[INPUTS:]:
                largest = max(largest, prod(key.shape) * key.dtype.itemsize)
    return max(1, min(count, _MOST_BYTES // largest))


def _compiled(
    records: list[RawRecord], target: Key, seeds: Array, sources: Sequence[Key], roots: set[Key], one_by_one: bool
) -> tuple[list[Tensor | None], list[Record]]:
    """`sweep_many` inside a function that is being compiled: one sweep is traced, and XLA runs it for all seeds."""
    connected: list[bool] = []
    broadcasts: list[Record] = []

    def pull(seed: Tensor) -> list[Tensor]:
        cotangents = sweep(records, [(target, seed)], sources, roots, keep=True)
        found = [cotangents.get(key) for key in sources]
        connected[:] = [each is not None for each in found]
        broadcasts[:] = cotangents.broadcasts
        return [each if isinstance(each, Tensor) else wrap(each) for each in found if each is not None]

    stacked = iter(state.context.control.of_each("jacobian", pull, wrap(np.asarray(seeds)), together=not one_by_one))
    return [next(stacked) if is_connected else None for is_connected in connected], broadcasts


def _sweep_each(
    records: list[RawRecord], target: Key, seeds: Array, sources: Sequence[Key], roots: set[Key]
) -> tuple[list[Tensor | None], list[Record]]:
    """One sweep for each seed."""
    swept = [sweep(records, [(target, wrap(seed))], sources, roots, keep=True) for seed in seeds]
    found: list[Tensor | None] = []
    for key in sources:
        parts = [cotangents.get(key) for cotangents in swept]
        if all(part is None for part in parts):
            found.append(None)
            continue
        zeros = np.zeros(key.shape, key.dtype)
        if any(isinstance(part, Tensor) for part in parts):  # a recorder differentiates this sweep
            found.append(stack([part if isinstance(part, Tensor) else wrap(zeros) for part in parts]))
        else:  # as one array: no op of the program's made it
            found.append(wrap(np.stack([zeros if part is None else part for part in parts])))
    return found, swept[0].broadcasts


class _BatchedCotangents(Cotangents):
    """Running sums of many cotangents, each a bare array with the batch as its first axis."""

    xp = batched

    def __init__(self, seeds: Array, target: Key) -> None:
        super().__init__()
        self.count = len(seeds)
        self.sums[target] = seeds

    def get(self, key: Key) -> Batched | None:
        """The sum for `key`; None if nothing arrived."""
        total = self.sums.get(key)
        return None if total is None else Batched(total)

    def pop(self, key: Key) -> Batched | None:
        """Like `get`, and remove it."""
        total = self.sums.pop(key, None)
        return None if total is None else Batched(total)

    def zeros(self, key: Key) -> Batched:
        """The cotangents of an output that received none."""
        return Batched(np.zeros((self.count, *key.shape), key.dtype))

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Slot:
            index = gx.index if type(gx.index) is tuple else (gx.index,)
            total = self._own(key)
            total[(slice(None), *index)] += _values(gx.values)
        elif type(gx) is Rows:
            # All cotangents as one table, stacked vertically.
            total = self._own(key)
            height = key.shape[0]
            rows = (np.arange(self.count)[:, None] * height + np.reshape(gx.indices, (1, -1))).reshape(-1)
            values = lifted(gx.values, self.count)
            tail = key.shape[1:]
            engine.add_rows(total.reshape(self.count * height, *tail), rows, values.reshape(len(rows), *tail))
        else:
            array = lifted(gx, self.count)
            total = self.sums.get(key)
            if total is None:
                self.sums[key] = array
            elif key in self.owned:
                total += array
            else:
                self.sums[key] = total + array
                self.owned.add(key)

    def _own(self, key: Key) -> Array:
        total = self.sums.get(key)
        if key not in self.owned:
            shape = (self.count, *key.shape)
            total = np.zeros(shape, key.dtype) if total is None else np.array(np.broadcast_to(total, shape), order="C")
            self.sums[key] = total
            self.owned.add(key)
        return total


def _values(value: Any) -> Any:
    return value.data if type(value) is Batched else value


def _pull_back(
    record: Record, g: Any, cotangents: _BatchedCotangents, dependents: AbstractSet[Key] | None
) -> Iterator[tuple[int, Any]]:
    """`pull_back` of the sweep, for all cotangents at once."""
    plan = record.plan
    for pull in plan.pulls:
        if dependents is None or record.inputs[pull.input] in dependents:
            yield from _pulled(pull, record, g, cotangents, dependents)
    if plan.joint is not None:
        yield from _pulled(plan.joint, record, g, cotangents, dependents)


def _pulled(
    pull: Pull, record: Record, g: Any, cotangents: _BatchedCotangents, dependents: AbstractSet[Key] | None
) -> list[tuple[int, Any]]:
    """A rule's result for all cotangents: from one run or, if the rule cannot be batched, from one run per cotangent."""
    if not record.plan.primitive.takes_tensors:
        arguments = [argument_of(source, record, cotangents, False) for source in pull.arguments]
        try:
            return _accepted(pull, record, pull.rule(batched, g, *arguments), cotangents, dependents)
        except Exception:
            # Any error: a wrong rule fails again below, on plain arrays, where its error is readable.
            pass
    plain = ArrayCotangents()
    each = [
        dict(_accepted(pull, record, run_rule(pull, record, one, plain), plain, dependents))
        for one in _taken_apart(g, cotangents.count)
    ]
    cotangents.broadcasts += [record for record in plain.broadcasts if record not in cotangents.broadcasts]
    common = [index for index in each[0] if all(index in one for one in each)]
    return [(index, _put_together([one[index] for one in each])) for index in common]


def _accepted(
    pull: Pull, record: Record, result: Any, cotangents: Cotangents, dependents: AbstractSet[Key] | None
) -> list[tuple[int, Any]]:
    """A rule's checked result for each input, with the input's index."""
    inputs = record.inputs
    if pull is not record.plan.joint:
        return [(pull.input, accept(record, inputs[pull.input], result, cotangents))]
    results = joint_results(record, result, dependents)
    return [(index, accept(record, inputs[index], gx, cotangents)) for index, gx in results]


def _taken_apart(g: Any, count: int) -> list[Any]:
    if type(g) is tuple:
        return [tuple([None if each is None else each.data[i, ...] for each in g]) for i in range(count)]
    return [g.data[i, ...] for i in range(count)]


def _put_together(parts: list[Any]) -> Any:
    """Stack the results of a rule for each cotangent."""
    first = parts[0]
    if type(first) is Slot:
        return Slot(Batched(np.stack([part.values for part in parts])), first.index)
    if type(first) is Rows:
        return Rows(Batched(np.stack([part.values for part in parts])), first.indices)
    return Batched(np.stack(parts))
