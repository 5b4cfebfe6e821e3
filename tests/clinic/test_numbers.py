"""Programs with wrong numbers get their true cause first, at its line; healthy ones get no finding."""

import pytest

from tests.clinic import (
    healthy_methods,
    healthy_training,
    numbers_far,
    numbers_healthy,
    numbers_healthy_models,
    numbers_models,
    numbers_more,
    numbers_nonfinite,
    numbers_wrong,
    numbers_zero,
)
from tests.clinic.program import findings

FAILING = [
    *numbers_nonfinite.PROGRAMS,
    *numbers_zero.PROGRAMS,
    *numbers_wrong.PROGRAMS,
    *numbers_more.PROGRAMS,
    *numbers_far.PROGRAMS,
    *numbers_models.PROGRAMS,
]
HEALTHY = [
    *numbers_healthy.PROGRAMS,
    *numbers_healthy_models.PROGRAMS,
    *healthy_methods.PROGRAMS,
    *healthy_training.PROGRAMS,
]


@pytest.mark.parametrize("program", FAILING, ids=str)
def test_the_true_cause_comes_first_with_its_line(program, tmp_path):
    found = findings(program, tmp_path)
    assert found, "nothing was found"
    first = found[0]
    assert (first.kind, first.site.line) in [(program.kind, line) for line in program.lines], first


@pytest.mark.parametrize("program", HEALTHY, ids=str)
def test_a_healthy_program_gets_no_finding(program, tmp_path):
    assert findings(program, tmp_path) == []


def test_names_are_not_used_twice():
    names = [program.name for program in (*FAILING, *HEALTHY)]
    assert len(names) == len(set(names))
