"""Whole programs print the same on whygrad and on TensorFlow."""

import pytest

import whygrad
from tests.programs.beliefs import PROGRAMS

pytestmark = pytest.mark.tensorflow


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_same_output_as_tensorflow(real_tf, name, capsys):
    function, printed = PROGRAMS[name]
    function(whygrad)
    ours = capsys.readouterr().out
    function(real_tf)
    theirs = capsys.readouterr().out
    assert ours == theirs == printed
