"""Sweeps that come again and again from one call site, each as one Python function written for it.

A training loop takes the same gradient at each step: of the same ops, on tensors of the same shapes, in the same order. The loops of
`whygrad.tape.fast_sweep` find out each time which rules run, what each is handed, which sums begin, and what `accept` may skip. The
function that is written here knows. For the gradient of `tf.sin(x) * x` it is, behind lines that give None for any other sweep,

    g1 = seeds[0][1]._array
    kept = r1[2]
    g0 = multiply(g1, kept[1]._array)
    g_0 = multiply(g1, kept[0]._array)
    del g1
    kept.clear()
    kept = r0[2]
    g_0 = add(g_0, v7(xp, g0, kept[0]._array))
    del g0
    kept.clear()
    return (g_0,)

Cotangents are added up in the loop's order, so results are the same bit by bit (tests/tape/test_repeated_sweeps.py). A loop does all other
sweeps: those that observers watch, and those with rules from outside of whygrad, rules that give partial cotangents, or records that the
loop leaves to the reference. WHYGRAD_FAST=0 switches this off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import ATTRIBUTES, INPUTS, KEPT, OUTPUT, Plan, Pull, RawRecord, record_of
from whygrad.runtime.call_sites import GENERATED
from whygrad.tape.cotangents import ArrayCotangents, Cotangents
from whygrad.tape.fast_sweep import NOTHING, TWO_KEPT, UPSTREAM, is_own, steps_of, summed
from whygrad.tape.rules import accept, blame
from whygrad.values.tensor import Key, Tensor

Seeds = Sequence[tuple[Key, Tensor]]

_CALLS_BEFORE = 64  # of the same ops, before a function is written: what it saves in some hundred sweeps
_LONGEST_WAIT = 1_000  # calls from one look to the next, where no ops come again
_MOST_RECORDS = 500
_MOST_WRITTEN = 4  # functions of one call site, such as those for full batches and for an epoch's last one
_SIMPLE = (bool, int, float, str, type(None))  # types of attributes that are compared by value
_FILE = GENERATED + "sweep>"


class NotStraight(Exception):
    """Only a loop takes the sweep."""


class Repeats:
    """What is known of the sweeps from one call site."""

    __slots__ = ("_others", "_pause", "_plans", "_same", "_wait", "_written")

    def __init__(self) -> None:
        self._written: tuple[StraightSweep, ...] = ()
        self._plans: list[Plan] = []  # of a sweep for which no function was written
        self._same = self._others = 0  # how many sweeps since had these plans, and how many had others
        self._wait = 0  # for how many calls not to look
        self._pause = 1  # how long to wait the next time

    def sweep(
        self, records: list[RawRecord], cotangents: Cotangents, seeds: Seeds, wanted: Sequence[Key], keep: bool
    ) -> bool:
        """Do the sweep by a function written for it; False if there is none. `wanted` are all different, and no record made one."""
        for each in self._written:
            if each.sweep(records, cotangents, seeds, wanted, keep):
                return True
        if self._wait:
            self._wait -= 1
        elif len(records) <= _MOST_RECORDS:
            self._look(records, cotangents, seeds, wanted, keep)
        return False

    def _look(
        self, records: list[RawRecord], cotangents: Cotangents, seeds: Seeds, wanted: Sequence[Key], keep: bool
    ) -> None:
        """Remember which ops were swept; write the function for a sweep of ops that came often enough."""
        plans = [raw[0] for raw in records if raw[KEPT] is not None]
        if plans != self._plans:
            self._others += 1
            if not self._plans or self._others > _MOST_WRITTEN * (self._same + 1):
                self._remember(plans)
            return
        self._same += 1
        # Ever more seldom, where shapes change all the time.
        if self._same < _CALLS_BEFORE << sum(plans == each.plans for each in self._written):
            return
        try:
            written = StraightSweep(records, cotangents, seeds, wanted, keep)
        except NotStraight:
            self._pause = _LONGEST_WAIT
        else:
            self._written = (written, *self._written[: _MOST_WRITTEN - 1])
        self._remember([])

    def _remember(self, plans: list[Plan]) -> None:
        """Count the sweeps with these plans from now on, after a pause."""
        # No function can be written for others; the plan of a compiled function or of one call's op would keep its arrays alive.
        self._plans = plans if all(map(_is_straight, plans)) else []
        self._same = self._others = 0
        self._wait, self._pause = self._pause, min(2 * self._pause, _LONGEST_WAIT)


class StraightSweep:
    """The function for sweeps like one that is about to be done: its records still have what they kept."""

    __slots__ = ("_function", "_record_of_line", "plans")

    def __init__(
        self, records: list[RawRecord], cotangents: Cotangents, seeds: Seeds, wanted: Sequence[Key], keep: bool
    ) -> None:
        writer = _Writer(records, type(cotangents) is ArrayCotangents)
        writer.write_checks(seeds, wanted, keep)
        writer.write_rules(seeds, wanted, keep)
        exec(compile("\n".join(writer.lines), _FILE, "exec"), writer.names)
        self._function: Callable[..., tuple[Any, ...] | None] = writer.names["sweep"]
        self._record_of_line = writer.record_of_line
        self.plans = [raw[0] for raw in records if raw[KEPT] is not None]

    def sweep(
        self, records: list[RawRecord], cotangents: Cotangents, seeds: Seeds, wanted: Sequence[Key], keep: bool
    ) -> bool:
        """Do a sweep, if it is like the first one."""
        function = self._function
        try:
            found = function(records, seeds, wanted, keep, cotangents, cotangents.xp)
        except Exception as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_frame.f_code is not function.__code__:
                trace = trace.tb_next
            if trace is not None:
                blame(error, record_of(records[self._record_of_line[trace.tb_lineno - 1]]))
            raise
        if found is None:
            return False
        cotangents.sums.update(zip(wanted, found))
        return True


class _Writer:
    """Writes the function. The output of record 3 is `k3`, and its sum `g3`; the first source is `k_0`, and its sum `g_0`."""

    def __init__(self, records: list[RawRecord], on_arrays: bool) -> None:
        self.lines: list[str] = []
        self.record_of_line: list[int] = []
        self.names: dict[str, Any] = {"differ": _differ, "fitted": _fitted if on_arrays else _fitted_tensor}
        self.names |= {"add": np.add, "multiply": np.multiply}
        self._records, self._on_arrays = records, on_arrays
        self._value = "._array" if on_arrays else ""
        self._live = [i for i, raw in enumerate(records) if raw[KEPT] is not None]
        if not self._live or not all(_is_straight(records[i][0]) for i in self._live):
            raise NotStraight
        self._sums = {records[i][OUTPUT]: str(i) for i in self._live}  # what outputs and sources are called
        # The sums so far, and whether each is an array of the sweep's own, to be added to in place.
        self._begun: dict[Key, bool] = {}
        self._names_of: dict[int, str] = {}  # rules and what is compared, by identity

    def _line(self, text: str, record: int = 0) -> None:
        self.lines.append(text)
        self.record_of_line.append(record)

    def _named(self, value: Any) -> str:
        """The function's name for a value."""
        name = self._names_of.setdefault(id(value), f"v{len(self._names_of)}")
        self.names[name] = value
        return name

    def write_checks(self, seeds: Seeds, wanted: Sequence[Key], keep: bool) -> None:
        """Write the lines that give None for a sweep unlike this one. Few long ones: compiling takes longer than all the rest."""
        records = self._records
        self._sums |= {key: f"_{i}" for i, key in enumerate(wanted)}
        if len(self._sums) != len(self._live) + len(wanted):
            raise NotStraight
        tensors = [*self._sums]
        names = [f"k{name}" for name in self._sums.values()]
        places = [f"r{i}[{OUTPUT}]" for i in self._live] + [f"wanted[{i}]" for i in range(len(wanted))]
        others = []  # inputs with a rule whose cotangent nothing asks for
        given, expected = [], []  # tensors that are the same
        for i in self._live:
            raw = records[i]
            ruled = [place for place, _, _ in steps_of(raw[0])]
            for place in range(INPUTS, len(raw)):
                if raw[place] in self._sums:
                    given.append(f"r{i}[{place}]")
                    expected.append(f"k{self._sums[raw[place]]}")
                    continue
                places.append(f"r{i}[{place}]")
                names.append(f"other{len(names)}")
                tensors.append(raw[place])
                if place in ruled:
                    others.append(names[-1])
        for at, (key, _) in enumerate(seeds):
            if key not in self._sums or key in wanted:
                raise NotStraight
            given.append(f"seeds[{at}][0]")
            expected.append(f"k{self._sums[key]}")
        self._line("def sweep(records, seeds, wanted, keep, cotangents, xp):")
        sizes = len(records), len(seeds), len(wanted)
        other = "not keep" if keep else "keep"
        self._line(f" if {other} or (len(records), len(seeds), len(wanted)) != {sizes}: return None")
        first = self._live[0]  # if a batch has another size, this sees it
        self._compare([f"getattr(records[{first}][{OUTPUT}], 'shape', None)"], [records[first][OUTPUT].shape])
        self._line(f" {_tuple(f'r{i}' for i in range(len(records)))} = records")
        dead = [f"r{i}[{KEPT}]" for i in range(len(records)) if records[i][KEPT] is None]
        self._compare([f"r{i}[0]" for i in self._live], [records[i][0] for i in self._live])
        self._compare(dead, [None] * len(dead))
        self._line(f" {_tuple(names)} = {_tuple(places)}")
        self._line(f" if {_tuple(given)} != {_tuple(expected)}: return None")
        self._compare([f"{name}.shape" for name in names], [key.shape for key in tensors])
        self._compare([f"{name}.dtype" for name in names], [key.dtype for key in tensors])
        if others:
            made = _tuple(f"k{name}" for name in self._sums.values())
            self._line(f" if not {{{', '.join(others)}}}.isdisjoint({made}): return None")
        for i in self._live:
            attributes = records[i][ATTRIBUTES]
            if attributes:
                if not _is_simple(tuple(attributes.values())):
                    raise NotStraight
                self._line(f" if differ(r{i}[{ATTRIBUTES}], {self._named(attributes)}): return None")

    def _compare(self, texts: list[str], values: list[Any]) -> None:
        self._line(f" if {_tuple(texts)} != {self._named(tuple(values))}: return None")

    def write_rules(self, seeds: Seeds, wanted: Sequence[Key], keep: bool) -> None:
        """Write the lines that call the rules, from the last record to the first."""
        needed = self._needed(wanted)
        for at, (key, _) in enumerate(seeds):
            if key in self._begun:
                raise NotStraight
            self._begun[key] = False
            self._line(f" g{self._sums[key]} = seeds[{at}][1]{self._value}")
        for i in reversed(self._live):
            raw = self._records[i]
            keeps = raw[0].keep or raw[0].keep_output
            if keeps:
                self._line(f" kept = r{i}[{KEPT}]", i)
            if raw[OUTPUT] in self._begun:
                steps = [step for step in steps_of(raw[0]) if raw[step[0]] in needed]
                for place, rule, argument in steps:
                    self._add(raw[place], self._pulled(i, place, rule, argument), i)
                self._line(f" del g{i}", i)
            if keeps and not keep:
                self._line(" kept.clear()", i)
        found = [f"g{self._sums[key]}" if key in self._begun else "None" for key in wanted]
        self._line(f" return {_tuple(found)}")

    def _needed(self, wanted: Sequence[Key]) -> set[Key]:
        """The sources, and the outputs whose rules lead to one."""
        needed = set(wanted)
        for i in self._live:
            raw = self._records[i]
            if any(raw[place] in needed for place, _, _ in steps_of(raw[0])):
                needed.add(raw[OUTPUT])
        return needed

    def _add(self, key: Key, gx: str, record: int) -> None:
        """Write what adds a cotangent to the sum for `key`."""
        total = f"g{self._sums[key]}"
        if key not in self._begun:
            self._begun[key] = False
            self._line(f" {total} = {gx}", record)
        elif self._begun[key]:
            self._line(f" add({total}, {gx}, {total})", record)
        elif self._are_arrays(key):
            self._begun[key] = True
            self._line(f" {total} = add({total}, {gx})", record)
        else:
            self._line(f" {total} = {total} + {gx}", record)

    def _are_arrays(self, key: Key) -> bool:
        """Whether cotangents of a tensor are NumPy arrays: those of a number are NumPy's scalars, which operators compute faster than ufuncs."""
        return self._on_arrays and bool(key.shape)

    def _pulled(self, i: int, place: int, rule: Any, argument: int) -> str:
        """The text of the cotangent that a step gives."""
        raw = self._records[i]
        g = gx = np.ones(raw[OUTPUT].shape, raw[OUTPUT].dtype)
        text = f"g{i}"
        is_sure = True  # that it fits as a Tensor too, where rules call other functions
        if argument != UPSTREAM:
            given: list[str] = []
            values: list[Any] = []
            for source in _sources(rule, argument):
                if type(source) is int:
                    given.append(f"kept[{source}]{self._value}")
                    values.append(raw[KEPT][source]._array)
                elif type(source) is str:
                    given.append(f"r{i}[{ATTRIBUTES}][{source!r}]")
                    values.append(raw[ATTRIBUTES][source])
                else:
                    given.append(f"r{i}[{INPUTS + source[0]}].{source[1]}")
                    values.append(getattr(raw[INPUTS + source[0]], source[1]))
            function = rule[0] if type(rule) is tuple else rule
            gx = _tried(function, g, values)
            in_line = _in_line(function, self._are_arrays(raw[OUTPUT]))
            call = f"{self._named(function)}({', '.join(['xp', text, *given])})"
            text = call if in_line is None else in_line.format(text, *given)
            is_sure = self._on_arrays or in_line is not None
        key = raw[place]
        fits = gx.shape == key.shape and gx.dtype is key.dtype
        return text if fits and is_sure else f"fitted(r{i}, {place}, {text}, cotangents)"


def _tuple(texts: Iterable[str]) -> str:
    return f"({''.join(f'{text}, ' for text in texts)})"


def _is_straight(plan: Plan) -> bool:
    """Whether all rules of a plan are whygrad's own, and functions of arrays and attributes."""
    steps = steps_of(plan)
    return (
        bool(steps)
        and plan.primitive.keeps_plans
        and all(is_own(pull.rule) for pull in plan.pulls)
        and not any(type(rule) is Pull for _, rule, _ in steps)
    )


def _sources(rule: Any, argument: int) -> Sequence[Any]:
    """Where the arguments of a step's rule come from, as in `Pull.arguments`."""
    if argument >= 0:
        return (argument,)
    if argument == NOTHING:
        return ()
    return rule[1:] if argument == TWO_KEPT else rule[1]  # type: ignore[no-any-return]


# Rules that a call takes longer than, whatever their parameters are called, and how they read on Tensors and on arrays.
_IN_LINE = {
    (lambda xp, g, x: g * x).__code__.co_code: ("{} * {}", "multiply({}, {})"),
    (lambda xp, g, x: g / x).__code__.co_code: ("{} / {}", "{} / {}"),
    (lambda xp, g: -g).__code__.co_code: ("-{}", "-{}"),
}


def _in_line(rule: Callable[..., Any], on_arrays: bool) -> str | None:
    """The text of a rule that is nothing but an operator; None for any other."""
    code = getattr(rule, "__code__", None)
    # Instructions that load arguments alone need no look at names and constants.
    return _IN_LINE[code.co_code][on_arrays] if code is not None and code.co_code in _IN_LINE else None


def _tried(rule: Callable[..., Any], g: Any, arguments: list[Any]) -> Any:
    """What a rule gives for a cotangent of ones. All that it gives for arrays and attributes like these has the same shape and dtype."""
    try:
        gx = rule(engine, g, *arguments)
    except Exception:
        raise NotStraight from None
    if type(gx) is Slot or type(gx) is Rows:
        raise NotStraight
    return gx


def _differ(attributes: dict[str, Any], known: dict[str, Any]) -> bool:
    """Whether an op has other attributes than the one that the function was written for."""
    return attributes is not known and not (
        attributes.keys() == known.keys() and all(_is_same(attributes[name], known[name]) for name in known)
    )


def _is_same(value: Any, known: Any) -> bool:
    if type(value) is tuple is type(known):
        return len(value) == len(known) and all(map(_is_same, value, known))
    return type(value) is type(known) and bool(value == known)


def _is_simple(value: Any) -> bool:
    """Whether an attribute is a plain value, which `==` compares, and which keeps no array alive."""
    if type(value) is tuple:
        return all(map(_is_simple, value))
    return type(value) in _SIMPLE or isinstance(value, np.dtype)


def _fitted(raw: RawRecord, place: int, gx: Any, cotangents: Cotangents) -> Any:
    """The cotangent of an input that was repeated for the elements of the other one."""
    total = summed(raw, raw[place], gx)
    return accept(record_of(raw), raw[place], gx, cotangents) if total is None else total


def _fitted_tensor(raw: RawRecord, place: int, gx: Any, cotangents: Cotangents) -> Any:
    """The same of a Tensor, which may also fit already."""
    key = raw[place]
    if type(gx) is Tensor and gx._array.shape == key.shape and gx._array.dtype is key.dtype:
        return gx
    return accept(record_of(raw), key, gx, cotangents)
