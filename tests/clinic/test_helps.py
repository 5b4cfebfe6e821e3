"""The edits that a help describes repair the program: the finding is gone, and no other is in its place."""

import pytest

from tests.clinic.pages import pages
from tests.clinic.program import HEALTHY, findings, programs
from whygrad.why.source.edits import edited

FAILING = [each for each in programs() if each.kind != HEALTHY]
# One mistake made at several places is found at one of them at a time.
ROUNDS = 3
# Programs with a further mistake, or where the right change cannot be read off what happened.
NOT_BY_EDITS = {
    "also_log_softmax_manual": "the softmax is saturated as well: the other half of the help, a loss on logits, repairs both",
    "more_nan_via_division_in_loss": "the quotient is a constant: both of its operands have the same factor",
    "normalise_by_sum": "the shares do not depend on the scale",
    "prediction_minus_its_own_mean": "each prediction is its own mean, and nothing is left of it",
    "student_shares_softened_again": "the other term of the loss takes the shares, and has to take a log_softmax as well",
    "vocabulary_too_small": "a later batch has the label 0",
}


def after_edits(source, path, cause):
    """Write the program as its edits leave it."""
    assert {edit.file for edit in cause.edits} == {str(source)}
    path.write_text(edited(source.read_text(encoding="utf-8"), cause.edits), encoding="utf-8")


def repair(source, folder):
    """What is found after the edits of the first finding, and of those of its kind that follow; None if there are none."""
    cause = first = findings(source)[0]
    found = None
    for turn in range(ROUNDS):
        if not cause.edits or cause.kind != first.kind:
            break
        path = folder / f"{source.stem}_{turn}.py"
        after_edits(source, path, cause)
        found, source = findings(path), path
        if not found:
            break
        cause = found[0]
    return found


@pytest.mark.parametrize("program", [each for each in FAILING if str(each) not in NOT_BY_EDITS], ids=str)
def test_the_edits_repair_the_program(program, tmp_path):
    assert not repair(program.path, tmp_path)


@pytest.mark.parametrize("page", [each for each in pages() if each.runs_everywhere], ids=str)
def test_the_edits_repair_the_program_of_the_catalogue(page, tmp_path):
    source = tmp_path / "program.py"
    source.write_text(page.failing, encoding="utf-8")
    assert not repair(source, tmp_path)


def test_exceptions_are_still_needed(tmp_path):
    exceptions = [each for each in FAILING if str(each) in NOT_BY_EDITS]
    assert [str(each) for each in exceptions if not repair(each.path, tmp_path)] == []
