"""The reverse sweep: the chain rule, record by record, from the target back to the sources."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import (
    ATTRIBUTES,
    INPUTS,
    KEPT,
    NOT_CALLED,
    NOTHING,
    OUTPUT,
    Plan,
    Pull,
    RawRecord,
    Record,
    record_of,
)
from whygrad.ops.recorded import recorded
from whygrad.runtime.error_state import restore, silence
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.recorders import Observer, observers, state
from whygrad.values.tensor import Key, Tensor, placement, wrap

Array = Any
_FLOAT32 = np.dtype(np.float32)


class ArrayCotangents:
    """Running sums of cotangents as bare arrays. Sums that the sweep itself allocated are added to in place."""

    xp: Any = engine
    watchers: Sequence[Observer] = ()  # who is told what each rule gave

    def __init__(self) -> None:
        self.sums: dict[Key, Array] = {}
        self.owned: set[Key] = set()  # keys whose sum nobody else holds
        self.rows: dict[Key, list[Rows]] = {}  # what lookups left, kept sparse until somebody needs it dense
        self.broadcasts: list[Record] = []  # ops that repeated both of their operands

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
            return
        if type(gx) is Slot:
            total = self._own(key)
            total[gx.index] += gx.values
            return
        total = self.sums.get(key)
        if total is None:
            self.sums[key] = gx
        elif key in self.owned:
            total += gx
        else:
            self.sums[key] = total + gx
            if key.shape:  # a sum of scalars is a NumPy scalar, which cannot be added to in place
                self.owned.add(key)

    def _own(self, key: Key) -> Array:
        total = self.sums.get(key)
        if total is None:
            total = np.zeros(key.shape, key.dtype)
        elif key not in self.owned:
            total = np.array(total)
        self.sums[key] = total
        self.owned.add(key)
        return total

    def get(self, key: Key) -> Array | None:
        """The sum for `key` as a dense array; None if nothing arrived."""
        if key in self.rows:
            total = self._own(key)
            for rows in self.rows.pop(key):
                engine.add_rows(total, rows.indices, rows.values)
        return self.sums.get(key)

    def pop(self, key: Key) -> Array | None:
        """As `get`, and forget it."""
        if key in self.rows:
            self.get(key)
        return self.sums.pop(key, None)

    def result(self, key: Key) -> Any:
        """The sum for a source: a Tensor, `Rows` of Tensors if only lookups contributed, or None."""
        if not self.rows:
            total = self.sums.get(key)
            return None if total is None else wrap(total)
        rows = self.rows.get(key)
        if rows and key not in self.sums:
            joined = rows[0] if len(rows) == 1 else Rows(*(np.concatenate(part) for part in zip(*rows)))
            return Rows(wrap(joined.values), wrap(joined.indices))
        total = self.get(key)
        return None if total is None else wrap(total)

    @staticmethod
    def kept(tensor: Any) -> Any:
        """What a rule is handed for a tensor that was kept."""
        return tuple([t._array for t in tensor]) if type(tensor) is tuple else tensor._array


class PlacedCotangents(ArrayCotangents):
    """Running sums as arrays of the other engine's, which nothing changes in place."""

    def __init__(self) -> None:
        super().__init__()
        self.xp = placement.engine

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
            return
        total = self.sums.get(key)
        if type(gx) is Slot:
            if total is None:
                total = self.xp.zeros(key.shape, key.dtype)
            self.sums[key] = self.xp.add_at(total, gx.values, index=gx.index)
        else:
            self.sums[key] = gx if total is None else total + gx

    def get(self, key: Key) -> Array | None:
        """The sum for `key` as a dense array; None if nothing arrived."""
        for rows in self.rows.pop(key, ()):
            self.add(key, self.xp.scatter_rows(rows.values, rows.indices, shape=key.shape))
        return self.sums.get(key)

    def result(self, key: Key) -> Any:
        """The sum for a source: a Tensor, `Rows` of Tensors if only lookups contributed, or None."""
        rows = self.rows.get(key)
        if rows and key not in self.sums:
            joined = rows[0] if len(rows) == 1 else Rows(*(self.xp.concatenate(part) for part in zip(*rows)))
            return Rows(wrap(joined.values), wrap(joined.indices))
        total = self.get(key)
        return None if total is None else wrap(total)


class TensorCotangents:
    """Running sums as Tensors, everything recorded: for sweeps that are themselves differentiated."""

    xp: Any = recorded
    watchers: Sequence[Observer] = ()  # who is told what each rule gave

    def __init__(self) -> None:
        self.sums: dict[Key, Tensor] = {}
        self.slots: dict[Key, list[Slot]] = {}
        self.rows: dict[Key, list[Rows]] = {}
        self.broadcasts: list[Record] = []  # ops that repeated both of their operands

    def add(self, key: Key, gx: Any) -> None:
        """Add a rule's result to the sum for `key`."""
        if type(gx) is Rows:
            self.rows.setdefault(key, []).append(gx)
        elif type(gx) is Slot:
            self.slots.setdefault(key, []).append(gx)
        else:
            total = self.sums.get(key)
            self.sums[key] = gx if total is None else total + gx

    def get(self, key: Key) -> Tensor | None:
        """The sum for `key` as a dense tensor; None if nothing arrived."""
        slots = self.slots.pop(key, None)
        if slots:  # all at once, so that n slices cost O(n) here as well
            values, indices = zip(*slots)
            self.add(key, recorded.place_slots(*values, slots=indices, shape=key.shape))
        for rows in self.rows.pop(key, ()):
            self.add(key, recorded.scatter_rows(rows.values, rows.indices, shape=key.shape))
        return self.sums.get(key)

    def pop(self, key: Key) -> Tensor | None:
        """As `get`, and forget it."""
        total = self.get(key)
        self.sums.pop(key, None)
        return total

    def result(self, key: Key) -> Any:
        """The sum for a source: a Tensor, `Rows` of Tensors if only lookups contributed, or None."""
        rows = self.rows.get(key)
        if rows and key not in self.sums and key not in self.slots:
            if len(rows) == 1:
                return rows[0]
            return Rows(*(recorded.concatenate(part, axis=0) for part in zip(*rows)))
        return self.get(key)

    @staticmethod
    def kept(tensor: Any) -> Any:
        """What a rule is handed for a tensor that was kept."""
        return tensor


Cotangents = ArrayCotangents | TensorCotangents


def dense(cotangents: Cotangents, key: Key) -> Tensor | None:
    """What arrived for a tensor, as a Tensor; None if nothing did."""
    found = cotangents.get(key)
    return found if found is None or isinstance(found, Tensor) else wrap(found)


def sweep(
    records: list[RawRecord],
    seeds: Sequence[tuple[Key, Tensor]],
    sources: Sequence[Key],
    roots: set[Key],
    keep: bool,
    watchers: Sequence[Observer] = observers,
    leaves: AbstractSet[Key] = frozenset(),
) -> Cotangents:
    """Cotangents of `sources`, given those of the targets in `seeds`.

    `roots` are the tensors that the tape was told to watch, `leaves` some that no record made. Unless `keep`, what a record
    kept is let go as it passes. `watchers` are told what each rule gave.
    """
    wanted = set(sources)
    differentiated = False
    for recorder in state.recorders:
        differentiated |= recorder.differentiates
    # What is followed leads to some root. Where all roots are sources, it leads to a source, and none need be skipped.
    leading = None if roots <= wanted else leading_to(records, wanted)
    token = silence()
    try:
        if differentiated:
            cotangents: Cotangents = TensorCotangents()
            cotangents.watchers = watchers
            for key, seed in seeds:
                cotangents.add(key, seed)
            _sweep(records, cotangents, wanted, leading, keep)
        elif [seed for _, seed in seeds if type(seed) is not Tensor]:
            with placement.engine.exactly():
                cotangents = PlacedCotangents()
                cotangents.watchers = watchers
                for key, seed in seeds:
                    cotangents.add(key, seed._array)
                _sweep(records, cotangents, wanted, leading, keep)
        else:
            cotangents = ArrayCotangents()
            cotangents.watchers = watchers
            for key, seed in seeds:
                cotangents.add(key, seed._array)
            _sweep_arrays(records, cotangents, wanted, wanted - leaves, leading, keep)
    finally:
        restore(token)
    return cotangents


def _sweep(
    records: list[RawRecord], cotangents: Cotangents, wanted: set[Key], leading: set[Key] | None, keep: bool
) -> None:
    """The chain rule, record by record."""
    for raw in reversed(records):
        if raw[KEPT] is not None:
            _go_through(raw, cotangents, wanted, leading, keep)


def _go_through(raw: RawRecord, cotangents: Cotangents, wanted: set[Key], leading: set[Key] | None, keep: bool) -> None:
    """The chain rule for one record through which something that is followed went."""
    g = _cotangent_of_output(raw, cotangents, wanted)
    if g is not None:
        _pull_back(raw, g, cotangents, leading)
    if raw[KEPT] and not keep:
        raw[KEPT].clear()


def _sweep_arrays(
    records: list[RawRecord],
    cotangents: ArrayCotangents,
    wanted: set[Key],
    results: set[Key],
    leading: set[Key] | None,
    keep: bool,
) -> None:
    """`_sweep` on bare arrays, with the commonest records (one output, rules that need one kept tensor) done in line.

    `results` are those in `wanted` that a record may have made.
    """
    sums, owned = cotangents.sums, cotangents.owned
    sparse = cotangents.rows
    pop = sums.pop
    watchers = cotangents.watchers
    watched, results_wanted, to_clear = bool(watchers), bool(results), not keep  # asked often: of a bool at once
    xp = engine
    # Two sums are at hand. The one begun last is asked for next, most likely: it is held here until another begins, and not put
    # into `sums`. The one of our own that was added to last is added to again, most likely.
    held_key: Any = None
    held: Any = None
    busy_key: Any = None
    busy: Any = None
    for raw in reversed(records):
        kept = raw[KEPT]
        if kept is None:
            continue
        plan = raw[0]
        output = raw[OUTPUT]
        direct = plan.direct
        if direct is None or (sparse and output in sparse):
            if held_key is not None:
                sums[held_key] = held
                held_key = None
            _go_through(raw, cotangents, wanted, leading, keep)
            continue
        if output is held_key:
            g, held, held_key = held, None, None
        else:
            g = pop(output, None)
            if output is busy_key:
                busy = busy_key = None
        if g is not None:
            if results_wanted and output in results:
                sums[output] = g
            shape, dtype = output.shape, output.dtype
            # Rules are functions of shapes. Where these very ones went through this plan before, what it gives is known.
            known = plan.checked is shape and dtype is _FLOAT32
            to_be_known = not known and leading is None and raw[INPUTS].shape is shape
            for place, rule, argument in direct:
                key = raw[place]
                if leading is not None and key not in leading:
                    continue
                if argument >= 0:
                    gx = rule(xp, g, kept[argument]._array)
                elif argument == NOT_CALLED:
                    gx = g
                elif argument == NOTHING:
                    gx = rule(xp, g)
                elif type(rule) is tuple:
                    gx = _call_with_several(rule, g, raw)
                else:
                    gx = run_rule(rule, record_of(raw), g, cotangents)
                # NumPy scalars too have shape and dtype. Partial cotangents have no shape, and go the long way.
                if (key.shape is not shape or key.dtype is not dtype or not (known or gx is g)) and (
                    gx.shape != key.shape or gx.dtype is not key.dtype
                ):
                    to_be_known = False
                    if not _is_of_repeated_row(raw, key, gx):
                        if held_key is not None:
                            sums[held_key] = held
                            held_key = None
                        if type(gx) is Slot and not watched:
                            cotangents.add(key, gx)
                        else:
                            _take(raw, record_of(raw), key, g, gx, cotangents)
                        continue
                    gx = engine.sum(gx, _FIRST)
                if watched:
                    for watcher in watchers:
                        watcher.pulled(raw, key, g, gx)
                if key is busy_key:
                    busy += gx
                elif key is held_key:
                    sums[key] = held + gx
                    held = held_key = None
                    if key.shape:
                        owned.add(key)
                elif key not in sums:
                    if held_key is not None:
                        sums[held_key] = held
                    held_key, held = key, gx
                elif key in owned:
                    busy_key, busy = key, sums[key]
                    busy += gx
                else:
                    sums[key] = sums[key] + gx
                    if key.shape:
                        owned.add(key)
            if to_be_known and _may_know(raw):
                plan.checked = shape
        if to_clear and kept:
            kept.clear()
    if held_key is not None:
        sums[held_key] = held


_FIRST = (0,)


def _may_know(raw: RawRecord) -> bool:
    """Whether what was checked for a record holds for all others of its plan and shape.

    So it is where all inputs have the output's very shape and dtype, float32, and the rules see nothing but arrays.
    """
    output = raw[OUTPUT]
    if output.dtype is not _FLOAT32:
        return False
    alike = [key.shape is output.shape and key.dtype is output.dtype for key in raw[INPUTS:]]
    return raw[0].sees_arrays_alone and all(alike)


def _is_of_repeated_row(raw: RawRecord, key: Key, gx: Any) -> bool:
    """Whether a cotangent is that of a vector which an op repeated for the rows of its other operand: of a bias, most likely."""
    if type(gx) is not np.ndarray or gx.dtype is not key.dtype or not raw[0].primitive.broadcasts:
        return False
    shape = gx.shape
    return (
        len(shape) == 2
        and key.shape == shape[1:]
        and raw[OUTPUT].shape == shape
        and (raw[INPUTS].shape == shape or raw[-1].shape == shape)
    )


def _cotangent_of_output(raw: RawRecord, cotangents: Cotangents, wanted: set[Key]) -> Any:
    """What arrived for a record's output (for several outputs, a tuple); None if nothing did."""
    output = raw[OUTPUT]
    if type(output) is tuple:
        return _gather_outputs(cotangents, output, wanted, raw[0].primitive.takes_none)
    return cotangents.get(output) if output in wanted else cotangents.pop(output)


def leading_to(records: list[RawRecord], sources: set[Key]) -> set[Key]:
    """Every tensor through which a source was reached: the sweep visits nothing else."""
    leading = set(sources)
    for raw in records:
        if raw[KEPT] is not None and not leading.isdisjoint(raw[INPUTS:]):
            output = raw[OUTPUT]
            if type(output) is tuple:
                leading.update(output)
            else:
                leading.add(output)
    return leading


def _gather_outputs(
    cotangents: Cotangents, outputs: tuple[Key, ...], wanted: set[Key], takes_none: bool
) -> tuple[Any, ...] | None:
    """The cotangents of an op with several outputs, zeros (or None) for those that were not used; None if none was."""
    found = [cotangents.get(key) if key in wanted else cotangents.pop(key) for key in outputs]
    if all(g is None for g in found):
        return None
    if takes_none:
        return tuple(found)
    zeros = cotangents.xp.zeros
    return tuple([zeros(key.shape, key.dtype) if g is None else g for key, g in zip(outputs, found)])


def _pull_back(raw: RawRecord, g: Any, cotangents: Cotangents, leading: set[Key] | None) -> None:
    """Run the rules of one record and add what they give to the sums of its inputs."""
    record = record_of(raw)
    plan = record.plan
    if plan.joint is not None:
        try:
            gxs = run_rule(plan.joint, record, g, cotangents)
        except Exception as error:
            blame(error, record)
            raise
        for key, gx in zip(record.inputs, gxs):
            if gx is not None and (key.dtype.kind in "fcV" if leading is None else key in leading):
                _take(raw, record, key, g, gx, cotangents)
        return
    for pull in plan.pulls:
        key = record.inputs[pull.input]
        if leading is None or key in leading:
            _take(raw, record, key, g, run_rule(pull, record, g, cotangents), cotangents)


def _take(raw: RawRecord, record: Record, key: Key, g: Any, gx: Any, cotangents: Cotangents) -> None:
    """Add what a rule gave to the sum for its input."""
    gx = accept(record, record.plan, key, gx, cotangents)
    for watcher in cotangents.watchers:
        watcher.pulled(raw, key, g, gx)
    cotangents.add(key, gx)


def run_rule(pull: Pull, record: Record, g: Any, cotangents: Cotangents) -> Any:
    """Call a rule with the arguments its parameters name."""
    primitive = record.plan.primitive
    as_tensors = primitive.takes_tensors and type(cotangents) is not TensorCotangents
    arguments = [argument_of(source, record, cotangents, as_tensors) for source in pull.arguments]
    if as_tensors:
        g = tuple([each if each is None else wrap(each) for each in g]) if type(g) is tuple else wrap(g)
        gxs = pull.rule(cotangents.xp, g, *arguments)
        return [convert(gx, None)._array if isinstance(gx, Tensor) else gx for gx in gxs]
    return pull.rule(cotangents.xp, g, *arguments)


def _call_with_several(rule: tuple[Any, tuple[Any, ...]], g: Any, raw: RawRecord) -> Any:
    """What a rule gives for arrays of real numbers; its arguments as `argument_of` finds them."""
    called, sources = rule
    arguments = []
    for source in sources:
        kind = type(source)
        if kind is int:
            arguments.append(raw[KEPT][source]._array)
        elif kind is str:
            arguments.append(raw[ATTRIBUTES][source])
        else:
            index, field = source
            arguments.append(getattr(raw[INPUTS + index], field))
    return called(engine, g, *arguments)


def argument_of(source: Any, record: Record, cotangents: Cotangents, as_tensors: bool) -> Any:
    if type(source) is int:
        kept = record.kept[source]  # type: ignore[index]
        if as_tensors:
            return kept
        value = cotangents.kept(kept)
        return _conjugated(value, cotangents) if record.plan.primitive.conjugates else value
    if type(source) is str:
        return record.attributes[source]
    index, field = source
    if index == -1:
        return tuple([getattr(key, field) for key in record.inputs])
    return getattr(record.inputs[index], field)


def _conjugated(value: Any, cotangents: Cotangents) -> Any:
    if type(value) is tuple:
        return tuple([_conjugated(each, cotangents) for each in value])
    dtype = (value._array if isinstance(value, Tensor) else value).dtype
    return cotangents.xp.conj(value) if dtype.kind == "c" else value


def accept(record: Record, plan: Plan, key: Key, gx: Any, cotangents: Cotangents) -> Any:
    """The cotangent of an input, summed back over broadcasting; an error unless it has its tensor's shape and dtype."""
    kind = type(gx)
    if kind is Rows or kind is Slot:
        return gx
    array = gx._array if isinstance(gx, Tensor) else gx
    if array.shape != key.shape and plan.primitive.broadcasts:
        if _both_grew(record, array.shape) and record not in cotangents.broadcasts:
            cotangents.broadcasts.append(record)
        gx = unbroadcast(cotangents.xp, gx, array.shape, key.shape)
        array = gx._array if isinstance(gx, Tensor) else gx
    if array.shape != key.shape or array.dtype != key.dtype:
        raise blame(wrong_cotangent(record, key, array), record)
    return gx


def blame(error: Exception, record: Record) -> Exception:
    """Let an exception say whose rule it came from (the innermost, if sweeps are nested)."""
    if not hasattr(error, "record"):
        error.record = record  # type: ignore[attr-defined]
    return error


def _both_grew(record: Record, shape: tuple[int, ...]) -> bool:
    """Whether two operands were both repeated by broadcasting, which is seldom meant; `shape` is the cotangent's."""
    output = record.output
    return (
        len(record.inputs) == 2
        and type(output) is Key
        and output.shape == shape  # not so for products of matrices, where only the batches broadcast
        and record.inputs[0].shape != output.shape
        and record.inputs[1].shape != output.shape
    )


def unbroadcast(xp: Any, g: Any, given: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """The cotangent, of shape `given`, of an input of `shape` that was broadcast: summed over what broadcasting repeated."""
    extra = len(given) - len(shape)
    axes = (*range(extra), *[extra + i for i, size in enumerate(shape) if size == 1 and given[extra + i] != 1])
    total = xp.sum(g, axis=axes)
    return total if extra == len(axes) else xp.reshape(total, shape)


def wrong_cotangent(record: Record, key: Key, array: Array) -> Exception:
    """The rule of `record` gave a gradient that does not fit its input."""
    name = record.plan.primitive.name
    sentence = f"the gradient of {name} for an input of shape {key.shape} and dtype {key.dtype} has shape {array.shape} and dtype {array.dtype}"
    have, want = (int(np.prod(s)) for s in (array.shape, key.shape))
    if have != want:
        sentence = f"Input to reshape is a tensor with {have} values, but the requested shape has {want}\n  {sentence}"
    return invalid(sentence)
