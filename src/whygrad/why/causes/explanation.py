"""Refusal: what is said of an op that could not be carried out, before it has its place."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from whygrad.why.evidence.failed_op import FailedOp, Operand


class Refusal(NamedTuple):
    """Kind, sentence and help of a cause; the operand that should be another one, where one is to blame."""

    kind: str
    sentence: str  # "": the op's own
    help: str
    blamed: Operand | None = None


Explanation = Callable[[FailedOp, re.Match[str]], Refusal | None]


class Explanations(list[tuple[re.Pattern[str], Explanation]]):
    """Functions that explain messages; the first whose pattern is found, and that has something to say, is believed."""

    def of(self, pattern: str) -> Callable[[Explanation], Explanation]:
        """Register a function for the messages in which a pattern is found."""

        def register(function: Explanation) -> Explanation:
            self.append((re.compile(pattern), function))
            return function

        return register
