"""The reverse sweep: the chain rule, record by record, from the targets back to the sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from types import CodeType
from typing import Any

from whygrad.ops.partial import Rows
from whygrad.ops.primitive import INPUTS, KEPT, OUTPUT, RawRecord, Record, record_of
from whygrad.runtime.error_state import restore, silence
from whygrad.runtime.switches import switches
from whygrad.tape.cotangents import ArrayCotangents, Cotangents, PlacedCotangents, TensorCotangents
from whygrad.tape.fast_sweep import sweep_arrays, sweep_tensors
from whygrad.tape.repeated_sweeps import Repeats
from whygrad.tape.rules import accept, blame, run_rule
from whygrad.values.recorders import Observer, observers, state
from whygrad.values.tensor import Key, Tensor


def chain_rule(
    records: Sequence[RawRecord],
    cotangents: Cotangents,
    wanted: AbstractSet[Key],
    dependents: AbstractSet[Key] | None,
    keep: bool,
    pull_back: Callable[..., Iterator[tuple[int, Any]]],
) -> None:
    """Add to each tensor's cotangent what the ops that used it contribute, from the last op to the first.

    This is the reference: `sweep_arrays` does the same for NumPy arrays, faster. The cotangents of tensors in `wanted` are
    kept. Unless `dependents` is None, only inputs in it are pulled back to. Unless `keep`, a record's tensors are let go.
    """
    for raw in reversed(records):
        kept = raw[KEPT]
        if kept is None:  # no watched tensor went into this op, or it has no gradient
            continue
        g = cotangent_of_output(raw, cotangents, wanted)
        if g is not None:  # None: no target was computed from this op's output
            record = record_of(raw)
            try:
                for index, gx in pull_back(record, g, cotangents, dependents):
                    key = record.inputs[index]
                    for observer in cotangents.observers:
                        observer.pulled(raw, key, g, gx)
                    cotangents.add(key, gx)
            except Exception as error:
                blame(error, record)
                raise
        if kept and not keep:
            kept.clear()


def pull_back(
    record: Record, g: Any, cotangents: Cotangents, dependents: AbstractSet[Key] | None
) -> Iterator[tuple[int, Any]]:
    """The cotangents of a record's inputs, checked, each with the input's index, given that of its output."""
    plan, inputs = record.plan, record.inputs
    if type(g) is Rows:
        assert plan.primitive.sparse is not None, "cotangent_of_output asks for it"
        found = plan.primitive.sparse(cotangents.xp, g, record)
        if found is not None:
            yield from joint_results(record, found, dependents)
            return
        g = cotangents.xp.scatter_rows(g.values, g.indices, shape=record.output.shape)  # type: ignore[union-attr]
    for pull in plan.pulls:
        key = inputs[pull.input]
        if dependents is None or key in dependents:
            yield pull.input, accept(record, key, run_rule(pull, record, g, cotangents), cotangents)
    if plan.joint is not None:
        for index, gx in joint_results(record, run_rule(plan.joint, record, g, cotangents), dependents):
            yield index, accept(record, inputs[index], gx, cotangents)


def joint_results(record: Record, gxs: Sequence[Any], dependents: AbstractSet[Key] | None) -> Iterator[tuple[int, Any]]:
    """What a joint rule gave for the inputs that need a cotangent, each with the input's index."""
    for index, (key, gx) in enumerate(zip(record.inputs, gxs)):
        if gx is not None and (key.dtype.kind in "fcV" if dependents is None else key in dependents):
            yield index, gx


def cotangent_of_output(raw: RawRecord, cotangents: Cotangents, wanted: AbstractSet[Key]) -> Any:
    """What arrived for a record's output; None if nothing did.

    For several outputs it is a tuple, with zeros (or None) for those that nothing arrived for.
    """
    output = raw[OUTPUT]
    if type(output) is not tuple:
        if cotangents.rows and raw[0].primitive.sparse is not None and output not in wanted:
            rows = cotangents.pop_rows(output)
            if rows is not None:
                return rows
        return cotangents.of_source(output) if output in wanted else cotangents.pop(output)
    found = [cotangents.of_source(key) if key in wanted else cotangents.pop(key) for key in output]
    if all(g is None for g in found):
        return None
    if raw[0].primitive.takes_none:
        return tuple(found)
    return tuple([cotangents.zeros(key) if g is None else g for key, g in zip(output, found)])


def dependents_of(records: list[RawRecord], sources: AbstractSet[Key]) -> set[Key]:
    """The sources and every tensor computed from one: the sweep visits nothing else."""
    dependents = set(sources)
    for raw in records:
        # Most ops have one input or two.
        if raw[KEPT] is not None and (
            raw[INPUTS] in dependents or raw[-1] in dependents or not dependents.isdisjoint(raw[INPUTS:])
        ):
            output = raw[OUTPUT]
            if type(output) is tuple:
                dependents.update(output)
            else:
                dependents.add(output)
    return dependents


def sweep(
    records: list[RawRecord],
    seeds: Sequence[tuple[Key, Tensor]],
    sources: Sequence[Key],
    roots: AbstractSet[Key],
    keep: bool,
    observers: Sequence[Observer] = observers,
    leaves: AbstractSet[Key] = frozenset(),
    site: tuple[CodeType, int] | None = None,
    repeats: Repeats | None = None,
) -> Cotangents:
    """Cotangents of `sources`, given those of the targets in `seeds`.

    `roots` are the tensors that the tape watches by themselves, `leaves` some that no record made. Unless `keep`, what a record
    kept is let go as it passes. `observers` are shown what each rule gave. `site` is the line that asked for the sweep, `repeats` what is known
    of earlier sweeps from it.
    """
    if state.context is not None:
        state.context.check_sources(sources)
    cotangents = _table_for(seeds, site)
    cotangents.observers = observers
    given = records, cotangents, seeds, sources, roots, leaves, keep, repeats
    token = silence()
    try:
        if cotangents.arithmetic is None:
            _fill(*given)
        else:
            with cotangents.arithmetic:
                _fill(*given)
    finally:
        restore(token)
    return cotangents


def _fill(
    records: list[RawRecord],
    cotangents: Cotangents,
    seeds: Sequence[tuple[Key, Tensor]],
    sources: Sequence[Key],
    roots: AbstractSet[Key],
    leaves: AbstractSet[Key],
    keep: bool,
    repeats: Repeats | None,
) -> None:
    """Sweep by a function written for it, or by a loop over the records: the reference, or its fast form for this table."""
    wanted = set(sources)
    if (
        repeats is not None
        and switches.fast
        and not cotangents.observers
        and state.context is None
        and len(wanted) == len(sources)
        and wanted <= leaves
        and repeats.sweep(records, cotangents, seeds, sources, keep)
    ):
        return
    # Watched tensors were computed from some root. If all roots are sources, only what was computed from the result of an op without
    # a gradient could be skipped, and to look for that takes longer.
    dependents = None if roots <= wanted else dependents_of(records, wanted)
    for key, seed in seeds:
        cotangents.seed(key, seed)
    if type(cotangents) is ArrayCotangents and switches.fast:
        sweep_arrays(records, cotangents, wanted, wanted - leaves, dependents, keep, _one_record)
    elif type(cotangents) is TensorCotangents and switches.fast:
        sweep_tensors(records, cotangents, wanted, dependents, keep, _one_record)
    else:
        chain_rule(records, cotangents, wanted, dependents, keep, pull_back)


def _table_for(seeds: Sequence[tuple[Key, Tensor]], site: tuple[CodeType, int] | None) -> Cotangents:
    """An empty table, of the kind that this sweep needs."""
    for recorder in state.recorders:
        if recorder.differentiates:
            return TensorCotangents(site)
    for _, seed in seeds:
        if type(seed) is not Tensor:
            return PlacedCotangents()
    return ArrayCotangents()


def _one_record(
    raw: RawRecord,
    cotangents: Cotangents,
    wanted: AbstractSet[Key],
    dependents: AbstractSet[Key] | None,
    keep: bool,
) -> None:
    """The chain rule for one record, which `sweep_arrays` leaves to the reference."""
    chain_rule((raw,), cotangents, wanted, dependents, keep, pull_back)
