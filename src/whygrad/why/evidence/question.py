"""Question: one call of `gradient`, with the evidence and the program's text around it; and one source of it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import is_ours
from whygrad.tape.gradient_calls import GradientCall
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.evidence.call_evidence import CallEvidence, Place
from whygrad.why.source import syntax
from whygrad.why.source.call_site import CallSite
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import Site
from whygrad.why.source.syntax import Flow

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


class Question:
    """Why a call of `gradient` gave what it gave. All its sources share one history of the computation."""

    def __init__(self, call: GradientCall, trace: Trace | None = None) -> None:
        self.call = call
        self.evidence = CallEvidence(call, trace)
        self.call_site = CallSite(call.code, call.instruction)

    @property
    def is_of_function(self) -> bool:
        """Whether `grad` or a similar function asked, which gives zeros in place of None."""
        return self.call.tape.named is not None

    @functools.cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        return names_of(self.call)

    @property
    def target_name(self) -> str:
        """The target as the program writes it."""
        targets, _ = self._names
        return targets[0] if len(targets) == 1 else "the target"

    @property
    def source_names(self) -> list[str]:
        """The sources as the program writes them."""
        return self._names[1]

    def about(self, position: int) -> SourceQuestion:
        """The question about source number `position`."""
        return SourceQuestion(self, position)

    @functools.cached_property
    def flow(self) -> Flow:
        """What flows where in the files that computed the target."""
        files = {self.call_site.file: None}
        for record in self.evidence.records:
            files.setdefault(record.code.co_filename)
        for event in self.evidence.history.events:
            if event.kind == "left":
                files.setdefault(event.code.co_filename)
        return Flow(file for file in files if not is_ours(file))


class SourceQuestion:
    """Why one source of a call of `gradient` got what it got."""

    def __init__(self, question: Question, position: int) -> None:
        self.question, self.position = question, position
        self.call, self.evidence, self.call_site = question.call, question.evidence, question.call_site
        self.target_name, self.name = question.target_name, question.source_names[position]
        self.source = question.call.sources[position]
        self.keys: list[Key] = self.evidence.values_of(self.source)

    @property
    def flow(self) -> Flow:
        """What flows where in the files that computed the target."""
        return self.question.flow

    @property
    def is_named_by_library(self) -> bool:
        """Whether the name is the path of a library's variable, which is no expression of the program."""
        return isinstance(self.source, Variable) and self.source._path == self.name

    @property
    def is_of_function(self) -> bool:
        """Whether `grad` or a similar function asked, which gives zeros in place of None."""
        return self.question.is_of_function

    @property
    def derivative(self) -> str:
        """What was asked for: a gradient, a tangent, a jacobian or a batch jacobian."""
        if self.call.tape.primals_at is not None:
            return "tangent"
        return str(self.call.tape.named.derivative) if self.is_of_function else self.call_site.derivative

    @property
    def returned(self) -> list[Any]:
        """Of a function that is differentiated: the expressions that it returns, as far as its text is known."""
        code = getattr(self.call.tape.named.function, "__code__", None) if self.is_of_function else None
        function = None if code is None else syntax.function_of(code)
        return [] if function is None else syntax.returned_by(function)

    def may_run(self, file: str, line: int) -> bool:
        """Whether a line can be part of what was differentiated: of a function, those of its own text."""
        code = getattr(self.call.tape.named.function, "__code__", None) if self.is_of_function else None
        if code is None:
            return not self.is_of_function
        lines = [each for _, _, each in code.co_lines() if each is not None]
        return bool(file == code.co_filename and min(lines) <= line <= max(lines))

    @functools.cached_property
    def descendants(self) -> set[Key]:
        """The source, and everything that was computed from it."""
        return self.evidence.history.descendants(self.keys)

    @property
    def was_used(self) -> bool:
        """Whether the tape watched the source and an op used it."""
        return any(key in self.evidence.watched for key in self.keys) and any(
            isinstance(user, Record) for key in self.keys for user in self.evidence.history.used_by.get(key, ())
        )

    @property
    def _first_value(self) -> Key | None:
        """The first value that the source had, as far as that is known."""
        first = self.keys[0] if self.keys else None
        traced = self.evidence.traced_values_of(self.source) if isinstance(self.source, Variable) else []
        return next(iter(traced), first)

    @functools.cached_property
    def defined_at(self) -> Site | None:
        """Where the source was first given a value."""
        return self.evidence.made_at(self._first_value)

    @functools.cached_property
    def made_in(self) -> tuple[Place, ...]:
        """The user's calls in which the source was made, innermost first, as far as they were noted."""
        first = self._first_value
        return self.evidence.stack_of(first) if first is not None and self.keys else ()
