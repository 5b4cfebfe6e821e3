"""The programs that docs/function.md and docs/extend.md show print what they show."""

import pytest

from tests.support.documents import printed, programs

PROGRAMS = [*programs("docs/function.md"), *programs("docs/extend.md")]


@pytest.mark.parametrize(("program", "shown"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_print_what_is_shown(program, shown, tmp_path):
    assert printed(program, tmp_path) == shown.strip()


def test_there_are_programs():
    assert len(PROGRAMS) >= 6
