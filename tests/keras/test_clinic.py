"""Whole Keras programs: one with a mistake gets its true cause first, at its line; a healthy one gets no finding."""

from pathlib import Path

import pytest

from tests.clinic.program import HEALTHY, Program, findings, warned
from whygrad.view import catalogue

pytestmark = pytest.mark.usefixtures("seeded")
PROGRAMS = [Program(path) for path in sorted((Path(__file__).parent / "clinic").glob("*/*.py"))]
FAILING = [each for each in PROGRAMS if each.kind != HEALTHY]
SOUND = [each for each in PROGRAMS if each.kind == HEALTHY]


@pytest.mark.parametrize("program", FAILING, ids=str)
def test_the_true_cause_comes_first_with_its_line(program):
    found = findings(program.path)
    assert found, "nothing was found"
    assert (found[0].kind, found[0].site.line) in [(program.kind, line) for line in program.lines], found[0]


@pytest.mark.parametrize("program", FAILING, ids=str)
def test_every_site_is_in_the_program(program):
    assert {site.file for cause in findings(program.path) for site in cause.sites} == {str(program.path)}


@pytest.mark.parametrize("program", SOUND, ids=str)
def test_a_healthy_program_gets_no_finding(program):
    assert findings(program.path) == []


@pytest.mark.parametrize("program", SOUND, ids=str)
def test_a_healthy_program_gets_no_warning(program):
    assert warned(program.path) == []


def test_every_folder_is_a_kind_with_a_page():
    assert {program.kind for program in FAILING} <= set(catalogue.kinds())


def test_every_program_marks_the_lines_of_its_cause():
    assert [str(each) for each in PROGRAMS if bool(each.lines) == (each.kind == HEALTHY)] == []
