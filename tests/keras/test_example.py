"""The example that trains with Keras learns, and writes its picture."""

import re

import pytest

from tests.support.examples import load

pytestmark = pytest.mark.filterwarnings("error::whygrad.GradientWarning")


def test_a_short_run_learns_and_writes_a_picture(seeded, tmp_path, capsys):
    picture = tmp_path / "keras_digits.png"
    load("keras_digits").main(["--small", "--out", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")
    printed = capsys.readouterr().out
    first, last = map(float, re.search(r"loss (\S+) at first, (\S+) at last", printed).groups())
    assert last < 0.5 * first
    assert float(re.search(r"test accuracy (\S+):", printed)[1]) > 0.7
