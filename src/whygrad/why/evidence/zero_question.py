"""One gradient that is zero everywhere, the evidence around it, and how its cause is put into words."""

from __future__ import annotations

import functools

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.numerics import Numerics, array_of
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import Repair
from whygrad.why.source.sites import operand_names, site
from whygrad.why.source.wording import described, quoted


class ZeroQuestion:
    """Why one gradient is zero everywhere."""

    def __init__(self, question: Question, position: int, numerics: Numerics | None = None) -> None:
        self.question, self.call, self.evidence = question, question.call, question.evidence
        self.position = position
        self.numerics = Numerics() if numerics is None else numerics
        self.name = question.source_names[position]
        self.target = question.target_name
        of = f"the {question.call_site.derivative} of {quoted(self.target)} with respect to {quoted(self.name)}"
        self.opening = f"{of} is zero everywhere"
        self.asked = question.call_site.site
        self.history = question.evidence.tape_history
        self.keys = question.evidence.read_values_of(question.call.sources[position])
        self.reached = self.history.descendants(self.keys)
        self.target_keys = question.evidence.differentiated_targets

    @functools.cached_property
    def all_vanish(self) -> bool:
        """Whether all gradients of the call are zero. Asked only where they have values: in a compiled function they do not."""
        return all(g is None or not array_of(g).any() for g in self.call.gradients)

    def cause(
        self, kind: str, sentence: str, record: Record, role: str, help: str | Repair, key: Key, likely: bool = False
    ) -> Cause:
        """A cause whose place is an op."""
        place = site(record.code, record.instruction, role, described(key))
        names = operand_names(record.code, record.instruction)
        shapes = {names[0] if names else self.name: described(key)}
        repair = help if isinstance(help, Repair) else Repair(help)
        return Cause(
            kind, "zero", f"{self.opening}: {sentence}", (place, self.asked), repair.help, shapes, likely, repair.edits
        )


def operand(record: Record, key: Key) -> str:
    """One of the operands of an op, quoted as the program writes it."""
    names = operand_names(record.code, record.instruction)
    inputs = list(record.inputs)
    return quoted(names[inputs.index(key)]) if len(names) == len(inputs) and key in inputs else first_operand(record)


def first_operand(record: Record) -> str:
    """The first operand of an op, quoted as the program writes it."""
    return quoted((operand_names(record.code, record.instruction) or ["the input"])[0])
