"""One gradient that is inf or nan, the evidence around it, and how its cause is put into words."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from types import CodeType
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Exponential, Interval, Logarithm, Quotient
from whygrad.runtime.syntax_trees import parse
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.call_arguments import argument_behind, is_part_of_call
from whygrad.why.evidence.numerics import Birth, Seen
from whygrad.why.evidence.question import Question
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.edits import Code, Repair, rewritten, with_operand
from whygrad.why.source.sites import Site, node_at, operand_names, operand_nodes, site
from whygrad.why.source.wording import described, quoted, spoken


class NonfiniteQuestion:
    """Why one gradient (or target) is not finite."""

    def __init__(self, question: Question, position: int | None, seen: Seen) -> None:
        self.call, self.evidence, self.target_name = question.call, question.evidence, question.target_name
        self.seen, self.numerics = seen, seen.numerics
        self.opening = f"{quoted(self.target_name)} is not finite"
        if position is not None:
            of = f"the {question.call_site.derivative} of {quoted(self.target_name)} with respect to {quoted(question.source_names[position])}"
            self.opening = f"{of} is not finite"
        self._source_names = question.source_names
        self.symptom = "nonfinite"
        self.asked: tuple[Site, ...] = (question.call_site.site,)
        self.history = question.evidence.tape_history
        self.target_keys = question.evidence.differentiated_targets
        self._question, self._position = question, position

    @property
    def is_infinite(self) -> bool:
        """Whether the gradient holds inf, and no nan: an infinite slope met no slope of 0, as that of a square, on its way."""
        gradient = None if self._position is None else self.call.gradients[self._position]
        array = np.asarray(getattr(gradient, "_array", np.nan))
        return array.dtype.kind == "f" and bool(np.isinf(array).any()) and not np.isnan(array).any()

    def leads_to_source(self, birth: Birth) -> bool:
        """Whether the cotangent of a birth in the sweep goes on to the source: another source may have one of its own."""
        return self._position is None or birth.key in self._question.about(self._position).descendants

    @property
    def flow(self) -> syntax.Flow:
        """What flows where in the files that computed the target."""
        return self._question.flow

    @property
    def call_site(self) -> CallSite:
        """Where the gradient was asked for."""
        return self._question.call_site

    def cause(
        self, kind: str, sentence: str, birth: Birth, help: str | Repair, *more: Site, likely: bool = False
    ) -> Cause:
        """A cause whose place is the op of a birth."""
        record = birth.record
        role = "first used here" if birth.where == "data" else "born here"
        place = site(record.code, record.instruction, role, count(birth))
        given = [self._given_to_the_call(record, key) for key in record.inputs]
        shapes = {name: described(key) for name, key in zip(self._names_of_inputs(record), given)}
        shapes = shapes if len(shapes) == len(record.inputs) else {"here": described(birth.key)}
        repair = help if isinstance(help, Repair) else Repair(help)
        sites = (place, *more, *self.asked)
        return Cause(
            kind, self.symptom, f"{self.opening}: {sentence}", sites, repair.help, shapes, likely, repair.edits
        )

    def _names_of_inputs(self, record: Record) -> list[str]:
        if not self.is_part_of_call(record):
            return operand_names(record.code, record.instruction)
        behind = [argument_behind(self.evidence, self.history, record, i) for i in range(len(record.inputs))]
        return [ast.unparse(each) for each in behind if each is not None]

    def guarded(self, record: Record, position: int, template: str) -> Code | None:
        """The op as the program writes it, with the operand at `position` put into a template such as "{0} + 1e-7".

        None where the program does not write that operand: a call such as tf.norm computes several ops.
        """
        written = self._written_position(record, position)
        return None if written is None else with_operand(record.code, record.instruction, written, template)

    def rewritten(self, record: Record, template: str, *positions: int) -> Code | None:
        """As `guarded`, with the whole op in the form of a template, in which the operands at `positions` stand."""
        if any(self._written_position(record, position) != position for position in positions):
            return None
        return rewritten(record.code, record.instruction, template, *positions)

    def _written_position(self, record: Record, position: int) -> int | None:
        """Where an op's operand stands among those of the call or operator that the program writes; None if it is not written."""
        if position >= len(record.inputs):
            return None
        key = record.inputs[position]
        if self._given_to_the_call(record, key) is not key:
            return None
        if not self.is_part_of_call(record):
            return position
        found = argument_behind(self.evidence, self.history, record, position)
        written = operand_nodes(node_at(record.code, record.instruction))
        return next((i for i, each in enumerate(written) if each is found), None)

    def _given_to_the_call(self, record: Record, key: Key) -> Key:
        """The operand behind an op's input: a call such as tf.norm computes several ops, and names only its own arguments."""
        node = node_at(record.code, record.instruction)
        if not isinstance(node, ast.Call) or syntax.called_name(node) == record.plan.primitive.name:
            return key
        maker = self.history.made_by.get(key)
        while isinstance(maker, Record) and (maker.code, maker.instruction) == (record.code, record.instruction):
            key = maker.inputs[0]
            maker = self.history.made_by.get(key)
        return key

    def is_computed_inside(self, record: Record, position: int) -> bool:
        """Whether the same call in the program made an op's input and its output: the program does not write that input."""
        maker = self.history.made_by.get(record.inputs[position])
        return isinstance(maker, Record) and (maker.code, maker.instruction) == (record.code, record.instruction)

    def is_part_of_call(self, record: Record) -> bool:
        """Whether the call at an op's place in the program computed other ops too."""
        return is_part_of_call(self.history, record)

    def operand(self, record: Record) -> str:
        """The operand that decides whether an op's value is finite, as the program writes it.

        For an op inside of a call such as tf.nn.batch_normalization it is the argument of the call that the op computes with.
        """
        if not self.is_part_of_call(record):
            return operand(record)
        found = argument_behind(self.evidence, self.history, record, _deciding(record))
        return f"the operand inside of {spoken(record)}" if found is None else ast.unparse(found)

    def came_in_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where data became a tensor."""
        return self.seen.made_at(key)

    def name_of_variable(self, key: Key) -> str | None:
        """What to call the variable that had a value, as the program writes it if it is a source; None for anything else."""
        variables = self.evidence.watched_variables.items()
        variable = next((each for each, keys in variables if any(known is key for known in keys)), None)
        if variable is None:
            return None
        named = zip(self.call.sources, self._source_names)
        return next((quoted(name) for source, name in named if source is variable), f"the variable {described(key)}")

    def assigned_from(self, key: Key) -> Birth | None:
        """Where an inf or nan was born that was assigned to a variable, or added to it, before it was computed with."""
        event = self.seen.history().made_by.get(key)
        given = event.source if isinstance(event, Event) and event.kind == "assigned" else None
        birth = None if given is None else self.numerics.births.get(given)
        return birth if birth is not None and birth.where == "forward" else None

    def times_asked(self) -> int:
        """How often this gradient was asked for."""
        return self.seen.times_asked(self.call)


# -- how an op and its values are written --


def operands(record: Record) -> list[str]:
    """The operands of an op as the program writes them; letters for those that it does not write."""
    names = operand_names(record.code, record.instruction)
    if any(name.startswith("*") for name in names):
        names = []
    return [*names, *["x", "y", "z"][len(names) :]]


def operand(record: Record) -> str:
    """The operand that decides whether the op's value is finite: the divisor of a quotient, else mostly the first."""
    position = _deciding(record)
    names = operand_names(record.code, record.instruction)
    return names[position] if position < len(names) else names[0] if names else "x"


def _deciding(record: Record) -> int:
    traits = record.traits
    if (quotient := traits.domain_as(Quotient)) is not None:
        return quotient.divisor
    logarithm = traits.domain_as(Logarithm)
    return 0 if logarithm is None else logarithm.of


def value_inside(record: Record) -> str:
    """A number at which the op is finite, as code."""
    interval = record.traits.domain_as(Interval)
    if interval is not None:
        ends = (interval.low, interval.high)
        return str(sum(ends) / 2 if np.isfinite(ends).all() else interval.low + 1)
    return "0.0" if record.traits.domain_as(Exponential) is not None else "1.0"


def count(birth: Birth) -> str:
    """How many elements are not finite, and the first of them."""
    if birth.total == 1:
        return "its only element"
    places = np.argwhere(~np.isfinite(birth.made))
    at = f", the first at {places[0].tolist()}" if len(places) else ""
    return f"{birth.bad} of {birth.total} elements{at}"


def values(found: Any) -> str:
    """A few of the values that an op cannot take."""
    shown = [_number(v) for v in np.unique(np.real(found))[:3]]
    return ", ".join(shown) + (", ..." if np.unique(found).size > 3 else "")


def _number(value: Any) -> str:
    """A number of an array, in eight digits at most, unless these put a value just beyond the edge of a domain onto the edge."""
    exact, rounded = str(value).removesuffix(".0"), f"{float(value):.8g}"
    return exact if len(exact) < len(rounded) or float(rounded).is_integer() else rounded


def values_there(birth: Birth, inputs: Sequence[Any] | None = None) -> str:
    """The operands' values where the op gives inf or nan: "`x` is -1 and `y` is 0"; "" unless it works element by element.

    For what a rule gives, `inputs` are the values that its op was given.
    """
    arrays = birth.arrays if inputs is None else inputs
    names = operand_names(birth.record.code, birth.record.instruction)
    bad = ~np.isfinite(birth.made)
    if len(names) != len(arrays) or not birth.record.traits.elementwise:
        return ""
    if any(name.startswith("*") for name in names):  # which operands these are is not written
        return ""
    given = [
        f"{quoted(name)} is {values(np.broadcast_to(x, bad.shape)[bad])}"
        for name, x in zip(names, arrays)
        if np.broadcast_shapes(x.shape, bad.shape) == bad.shape
        and not isinstance(parse(name, mode="eval").body, ast.Constant)
    ]
    return " and ".join(given)
