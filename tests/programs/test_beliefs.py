"""The programs of `beliefs.py` print the expected text."""

import pytest

import whygrad
from tests.programs.beliefs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_prints(name, capsys):
    function, printed = PROGRAMS[name]
    function(whygrad)
    assert capsys.readouterr().out == printed


def test_there_are_sixteen():
    assert len(PROGRAMS) == 16
