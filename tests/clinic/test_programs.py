"""A program with a mistake gets its true cause first, at its line; a healthy one gets no finding."""

import pytest

from tests.clinic.program import HEALTHY, findings, programs, warned
from whygrad.view import catalogue

PROGRAMS = programs()


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.kind != HEALTHY], ids=str)
def test_the_true_cause_comes_first_with_its_line(program):
    found = findings(program.path)
    assert found, "nothing was found"
    first = found[0]
    assert (first.kind, first.site.line) in [(program.kind, line) for line in program.lines], first


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.kind == HEALTHY], ids=str)
def test_a_healthy_program_gets_no_finding(program):
    assert findings(program.path) == []


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.kind == HEALTHY], ids=str)
def test_a_healthy_program_gets_no_warning(program):
    assert warned(program.path) == []


def test_names_are_not_used_twice():
    names = [str(program) for program in PROGRAMS]
    assert len(names) == len(set(names))


def test_every_folder_is_a_kind_with_a_page():
    assert {program.kind for program in PROGRAMS} - {HEALTHY} <= set(catalogue.kinds())


def test_every_program_marks_the_lines_of_its_cause():
    assert [str(each) for each in PROGRAMS if bool(each.lines) == (each.kind == HEALTHY)] == []
