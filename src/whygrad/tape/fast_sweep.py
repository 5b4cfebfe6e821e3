"""The reverse sweep, `chain_rule` of `whygrad.tape.sweep`, written out for the commonest records.

It gives what the reference gives, bit for bit (tests/tape/test_fast_sweep.py compares them over the whole table of ops). The rules of
most records get one kept tensor, or none: they are called in line, without naming the record's fields. Each plan has its rules in the
form that the loop reads (`steps_of`). Records of several outputs, of complex numbers, of joint rules and of outputs with sparse
cotangents go to the reference one by one. WHYGRAD_FAST=0 switches it off.

`sweep_arrays` is for sweeps that no recorder differentiates, whose seeds and everything kept are NumPy arrays. It also differs in this:

- A sum that was just begun is not put into the table at once: the next record most likely asks for it. The sum that was last
  added to in place is held as well.
- `accept` is skipped where its answer is known. Rules that see nothing but arrays are functions of shapes and dtypes. Where inputs
  (but for numbers) and output have one shape, the very tuple that was seen to pass through this plan before in this dtype, float32
  or float64, what they give has it too.
- A cotangent of an operand that was repeated for the other one (a bias, a number) is summed in line.

`sweep_tensors` is for sweeps that are recorded themselves, as in a gradient of a gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Slot
from whygrad.ops.primitive import ATTRIBUTES, INPUTS, KEPT, OUTPUT, Plan, RawRecord, pass_on, record_of
from whygrad.tape.cotangents import ArrayCotangents, TensorCotangents
from whygrad.tape.rules import accept, blame, run_rule, unbroadcast
from whygrad.values.tensor import Key, Tensor

_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_OWN = __name__.partition(".")[0] + "."
# What a step hands its rule beside the cotangent: the kept tensor at this index, if it is not negative, or one of these.
NOTHING = -1
UPSTREAM = -2  # the rule is not called: the input's cotangent is the output's
TWO_KEPT = -3  # the rule's place holds the rule and the indices of two kept tensors
SEVERAL = -4


def sweep_arrays(
    records: list[RawRecord],
    cotangents: ArrayCotangents,
    wanted: AbstractSet[Key],
    results: AbstractSet[Key],
    dependents: AbstractSet[Key] | None,
    keep: bool,
    one_record: Callable[..., None],
) -> None:
    """`chain_rule` on NumPy arrays.

    `results` are those in `wanted` that a record may have made; `one_record` is the reference for one record.
    """
    sums, owned = cotangents.sums, cotangents.owned
    sparse = cotangents.rows
    pop = sums.pop
    observers = cotangents.observers
    observed, results_wanted, to_clear = bool(observers), bool(results), not keep
    xp = engine
    begun_key: Any = None  # the sum that was begun last, and is not in `sums`
    begun: Any = None
    added_key: Any = None  # the sum that was added to in place last
    added: Any = None
    raw: Any = None
    try:
        for raw in reversed(records):
            kept = raw[KEPT]
            if kept is None:
                continue
            plan = raw[0]
            output = raw[OUTPUT]
            steps = plan.steps or steps_of(plan)
            if not steps or (sparse and output in sparse):
                if begun_key is not None:
                    sums[begun_key] = begun
                    begun_key = None
                one_record(raw, cotangents, wanted, dependents, keep)
                continue
            if output is begun_key:
                g, begun, begun_key = begun, None, None
            else:
                g = pop(output, None)
                if output is added_key:
                    added = added_key = None
            if g is not None:
                if results_wanted and output in results:
                    sums[output] = g
                shape, dtype = output.shape, output.dtype
                if dtype is _FLOAT32:
                    known = plan.passed_shape is shape
                else:
                    known = plan.passed_wide is shape and dtype is _FLOAT64
                becomes_known = False
                if not known and plan.maps_shapes:
                    a, b = raw[INPUTS], raw[-1]  # the same, of an op on one tensor
                    becomes_known = (
                        a.shape is shape and a.dtype is b.dtype is dtype and (b.shape is shape or not b.shape)
                    )
                for place, rule, argument in steps:
                    key = raw[place]
                    if dependents is not None and key not in dependents:
                        becomes_known = False  # this input was not looked at
                        continue
                    if argument >= 0:
                        gx = rule(xp, g, kept[argument]._array)
                    elif argument == UPSTREAM:
                        gx = g
                    elif argument == NOTHING:
                        gx = rule(xp, g)
                    elif argument == TWO_KEPT:
                        gx = rule[0](xp, g, kept[rule[1]]._array, kept[rule[2]]._array)
                    elif type(rule) is tuple:
                        gx = _call_with_several(rule, g, raw)
                    else:
                        gx = run_rule(rule, record_of(raw), g, cotangents)
                    # NumPy scalars have shape and dtype too. Partial cotangents have neither, and go to `accept`.
                    if (key.shape is not shape or key.dtype is not dtype or not (known or gx is g)) and (
                        gx.shape != key.shape or gx.dtype is not key.dtype
                    ):
                        becomes_known = False
                        total = summed(raw, key, gx)
                        if total is None:
                            if begun_key is not None:
                                sums[begun_key] = begun
                                begun_key = None
                            if type(gx) is not Slot or observed:
                                gx = accept(record_of(raw), key, gx, cotangents)
                                for observer in observers:
                                    observer.pulled(raw, key, g, gx)
                            cotangents.add(key, gx)
                            continue
                        gx = total
                    if observed:
                        for observer in observers:
                            observer.pulled(raw, key, g, gx)
                    if key is added_key:
                        added += gx
                    elif key is begun_key:
                        sums[key] = begun + gx
                        begun = begun_key = None
                        if key.shape:
                            owned.add(key)
                    elif key not in sums:
                        if begun_key is not None:
                            sums[begun_key] = begun
                        begun_key, begun = key, gx
                    elif key in owned:
                        added_key, added = key, sums[key]
                        added += gx
                    else:
                        sums[key] = sums[key] + gx
                        if key.shape:
                            owned.add(key)
                if becomes_known:
                    if dtype is _FLOAT32:
                        plan.passed_shape = shape
                    elif dtype is _FLOAT64:
                        plan.passed_wide = shape
            if to_clear and kept:
                kept.clear()
    except Exception as error:
        blame(error, record_of(raw))
        raise
    if begun_key is not None:
        sums[begun_key] = begun


def sweep_tensors(
    records: list[RawRecord],
    cotangents: TensorCotangents,
    wanted: AbstractSet[Key],
    dependents: AbstractSet[Key] | None,
    keep: bool,
    one_record: Callable[..., None],
) -> None:
    """`chain_rule` on Tensors; `one_record` is the reference for one record."""
    sums, sparse, slots = cotangents.sums, cotangents.rows, cotangents.slots
    observers = cotangents.observers
    xp = cotangents.xp
    raw: Any = None
    try:
        for raw in reversed(records):
            kept = raw[KEPT]
            if kept is None:
                continue
            plan = raw[0]
            steps = plan.steps or steps_of(plan)
            # The ops of a rule from outside of whygrad have call sites of their own.
            if not steps or sparse or slots or plan.primitive.from_outside:
                one_record(raw, cotangents, wanted, dependents, keep)
                continue
            output = raw[OUTPUT]
            g = sums.get(output) if output in wanted else sums.pop(output, None)
            if g is not None:
                record = None
                for place, rule, argument in steps:
                    key = raw[place]
                    if dependents is not None and key not in dependents:
                        continue
                    if argument >= 0:
                        gx = rule(xp, g, kept[argument])
                    elif argument == UPSTREAM:
                        gx = g
                    elif argument == NOTHING:
                        gx = rule(xp, g)
                    elif argument == TWO_KEPT:
                        gx = rule[0](xp, g, kept[rule[1]], kept[rule[2]])
                    else:
                        record = record or record_of(raw)
                        pull = next(each for each in plan.pulls if INPUTS + each.input == place)
                        gx = run_rule(pull, record, g, cotangents)
                    if type(gx) is not Tensor or gx._array.shape != key.shape or gx._array.dtype is not key.dtype:
                        record = record or record_of(raw)
                        gx = accept(record, key, gx, cotangents)
                    for observer in observers:
                        observer.pulled(raw, key, g, gx)
                    if type(gx) is Tensor and key not in sums:
                        sums[key] = gx
                    else:  # tracers of autograd programs tell sums of cotangents from the program's own by this call
                        cotangents.add(key, gx)
            if kept and not keep:
                kept.clear()
    except Exception as error:
        blame(error, record_of(raw))
        raise


def steps_of(plan: Plan) -> tuple[tuple[int, Any, int], ...]:
    """A plan's rules as the loop takes them: the input's place in the record, the rule, and what it is handed.

    Empty where the loop cannot take the plan. With `SEVERAL` the rule's place holds the rule and its arguments' sources or,
    where the rule needs more than arrays, the pull.
    """
    if plan.steps is None:
        plan.steps = tuple([_step(plan, pull) for pull in plan.pulls])
        plan.maps_shapes = len(plan.primitive.inputs) <= 2 and all(
            argument != SEVERAL and is_own(pull.rule) for pull, (_, _, argument) in zip(plan.pulls, plan.steps)
        )
    return plan.steps


def is_own(rule: Any) -> bool:
    """Whether a rule is whygrad's own."""
    return str(rule.__module__).startswith(_OWN)  # None in a program that was `exec`uted


def _step(plan: Plan, pull: Any) -> tuple[int, Any, int]:
    place = INPUTS + pull.input
    if plan.primitive.takes_tensors or plan.primitive.variadic is not None:
        return place, pull, SEVERAL
    if pull.rule is pass_on:
        return place, None, UPSTREAM
    if not pull.arguments:
        return place, pull.rule, NOTHING
    if all(type(each) is int for each in pull.arguments):
        if len(pull.arguments) == 1:
            return place, pull.rule, pull.arguments[0]
        if len(pull.arguments) == 2:
            return place, (pull.rule, *pull.arguments), TWO_KEPT
    return place, (pull.rule, pull.arguments), SEVERAL


def _call_with_several(rule: tuple[Any, tuple[Any, ...]], g: Any, raw: RawRecord) -> Any:
    """Call a rule that takes several arguments, or one that is not a kept tensor: `run_rule` for real NumPy arrays."""
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


def summed(raw: RawRecord, key: Key, gx: Any) -> Any:
    """The cotangent of the operand that an op repeated for the elements of the other one; None where `accept` must look."""
    dtype = key.dtype
    if type(gx) is not np.ndarray or gx.dtype is not dtype or not raw[0].primitive.broadcasts:
        return None
    shape = gx.shape
    if raw[OUTPUT].shape != shape or (raw[INPUTS].shape != shape and raw[-1].shape != shape):
        return None  # both were repeated, or this is no elementwise op
    if shape[1:] == key.shape and dtype.kind == "f":  # rows, the commonest
        total = engine.sum(gx, (0,))
    else:
        total = unbroadcast(engine, gx, shape, key.shape)
    return total if total.shape == key.shape and total.dtype is dtype else None
