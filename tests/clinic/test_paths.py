"""Programs with a None, an exception or an empty list get their true cause first, at its line; healthy ones get no finding."""

import pytest

from tests.clinic import paths_cuts, paths_errors, paths_far, paths_healthy, paths_models, paths_python, paths_recording
from tests.clinic.program import findings

FAILING = [
    *paths_cuts.PROGRAMS,
    *paths_recording.PROGRAMS,
    *paths_python.PROGRAMS,
    *paths_errors.PROGRAMS,
    *paths_far.PROGRAMS,
    *paths_models.PROGRAMS,
]


@pytest.mark.parametrize("program", FAILING, ids=str)
def test_the_true_cause_comes_first_with_its_line(program, tmp_path):
    found = findings(program, tmp_path)
    assert found, "nothing was found"
    first = found[0]
    assert (first.kind, first.site.line) in [(program.kind, line) for line in program.lines], first


@pytest.mark.parametrize("program", paths_healthy.PROGRAMS, ids=str)
def test_a_healthy_program_gets_no_finding(program, tmp_path):
    assert findings(program, tmp_path) == []


def test_names_are_not_used_twice():
    names = [program.name for program in (*FAILING, *paths_healthy.PROGRAMS)]
    assert len(names) == len(set(names))
