"""Rows of the tables of programs with a mistake: each program, and the explanation that is expected of it.

`sites` are triples of line, text and role, the causing site first; `shapes` are the shapes that the cause names. A case
has a method `check...` for each way in which its explanation reaches the user; `checks` lists them all for one test.
"""

import traceback
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from tests.support.programs import assert_explanation, facts_of, raised, run, traced, warned
from whygrad.values.errors import Explained


def checks(cases):
    """All checks of all cases, as the parameters of a test."""
    return [
        pytest.param(check, id=f"{name}{way}") for name, case in cases.items() for way, check in case.checks().items()
    ]


@dataclass(frozen=True)
class Case:
    program: str
    kind: str
    sites: list
    shapes: dict

    def checks(self):
        """The checks that apply, each under the words that distinguish it in a test's name."""
        return {"": self.check}


@dataclass(frozen=True)
class NoGradient(Case):
    """A program with a gradient that is None."""

    needs_a_trace: bool = False  # a tape alone knows less than a trace: nothing of what happened before it

    def checks(self):
        return super().checks() | ({} if self.needs_a_trace else {", as a warning": self.check_warning})

    def check(self, folder):
        (cause,) = traced(self.program, folder, np=np)
        assert facts_of(cause) == (self.kind, self.sites, self.shapes)
        assert cause.symptom == "none"
        assert cause.help
        assert all(f"`{each}`" in cause.sentence for each in self.shapes)

    def check_warning(self, folder):
        (cause,) = warned(self.program, folder, np=np)
        assert (cause.kind, cause.shapes) == (self.kind, self.shapes)
        assert cause.sites[-1].text.split(".")[1].startswith("gradient(")


@dataclass(frozen=True)
class NotFinite(Case):
    """A program with a gradient that holds inf or nan; `pieces` are parts of the sentence and the help."""

    pieces: list = field(default_factory=list)
    symptom: ClassVar[str] = "nonfinite"

    def check(self, folder):
        found = traced(self.program, folder, np=np)
        assert_explanation(found[0], self.symptom, self.kind, self.sites, self.shapes, self.pieces)


@dataclass(frozen=True)
class Zero(NotFinite):
    """A program with a gradient that is zero everywhere."""

    symptom: ClassVar[str] = "zero"


@dataclass(frozen=True)
class WrongValue(Case):
    """A program whose gradient is wrong without any sign of it."""

    pieces: list

    def check(self, folder):
        (cause,) = traced(self.program, folder, np=np)
        assert_explanation(cause, "wrong_value", self.kind, self.sites, self.shapes, self.pieces)


@dataclass(frozen=True)
class Raised(Case):
    """A program that ends with an exception."""

    message: str = ""  # TensorFlow's sentence, which the exception keeps

    def checks(self):
        return super().checks() | ({", with TensorFlow's sentence": self.check_message} if self.message else {})

    def check(self, folder):
        (cause,) = raised(self.program, folder, np=np)
        assert facts_of(cause) == (self.kind, self.sites, self.shapes)
        assert cause.symptom == "exception"
        assert cause.help

    def check_message(self, folder):
        with pytest.raises(Exception) as caught:
            run(self.program, folder / "program.py", np=np)
        shown = "".join(traceback.format_exception(caught.value))
        assert self.message in shown
        assert f"│ {self.sites[0][1]}" in shown or self.sites[0][1] in shown
        assert "help: " in shown


@dataclass(frozen=True)
class Refused:
    """A program with an op that refuses its operands, at `place`: line and text."""

    program: str
    kind: str
    place: tuple
    shapes: dict
    sentence: str
    help: str

    def checks(self):
        return {"": self.check, ", in a plain traceback": self.check_traceback}

    def check(self, folder):
        (cause,) = raised(self.program, folder, np=np)
        assert (cause.kind, (cause.site.line, cause.site.text), cause.shapes) == (self.kind, self.place, self.shapes)
        assert (cause.site.role, cause.symptom, cause.likely) in {
            ("failed here", "exception", False),
            ("used as a dense tensor here", "exception", False),
        }
        assert self.sentence in cause.sentence
        assert self.help in cause.help

    def check_traceback(self, folder):
        with pytest.raises(Exception) as caught:
            run(self.program, folder / "program.py", np=np)
        assert isinstance(caught.value, Explained)
        shown = " ".join("".join(traceback.format_exception(caught.value)).replace("│", " ").split())
        text = self.place[1]
        assert text in shown
        assert "^^^" in shown or len(text) < 3
        for each in self.shapes.values():
            assert each in shown
        assert self.help.split(":")[0] in shown
