"""An op that made inf or nan, where only the values computed before it are known: the question that a numeric check asks."""

from __future__ import annotations

from types import CodeType

from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion
from whygrad.why.evidence.numerics import Birth, Numerics
from whygrad.why.source.wording import spoken


class QuestionOfOp(NonfiniteQuestion):
    """Why one op gives inf or nan."""

    def __init__(self, numerics: Numerics, record: Record) -> None:
        self.numerics = numerics
        self.opening = f"{spoken(record)} gives inf or nan"
        self.symptom = "exception"
        self.asked = ()
        self.history = History((record,), ())
        self.target_keys = list(outputs_of(record))
        self._position = None  # there are no sources

    def came_in_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Not known."""
        return None

    def assigned_from(self, key: Key) -> Birth | None:
        """Not known."""
        return None

    def name_of_variable(self, key: Key) -> str | None:
        """Not known."""
        return None

    def times_asked(self) -> int:
        """Not known."""
        return 0
