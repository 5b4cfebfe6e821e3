"""Environment variables that switch off what is done for speed: each is documented, and a program gives the same numbers without."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import whygrad
from whygrad.runtime import switches

PACKAGE = pathlib.Path(whygrad.__file__).parent
PERFORMANCE = pathlib.Path(__file__).parents[2] / "docs" / "performance.md"
PROGRAM = """
import whygrad as tf
from whygrad.runtime.switches import switches

x = tf.Variable([0.5, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.sin(x) * x + 3.0 / x)
x.assign_sub(tape.gradient(y, x))
print([each.hex() for each in x.numpy().tolist()], switches.fast, switches.busy_wait, switches.sine)
"""


def read_in_code():
    """The switches that modules read."""
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    return {name for text in texts for name in re.findall(r'is_on\("(\w+)"\)', text)}


def output(**variables):
    """What the program prints where these environment variables are set."""
    environment = {name: value for name, value in os.environ.items() if name not in read_in_code()}
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment | variables, capture_output=True, text=True, check=True).stdout


def test_every_switch_is_documented():
    listed = re.findall(r"^\| `(WHYGRAD_\w+)` \|", PERFORMANCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(listed) == read_in_code()
    assert len(listed) > 4


@pytest.mark.parametrize(("value", "on"), [("", True), ("1", True), ("0", False), ("Off", False), (" no ", False)])
def test_values_of_a_switch(monkeypatch, value, on):
    monkeypatch.setenv("WHYGRAD_FAST", value)
    assert switches.is_on("WHYGRAD_FAST") == on


def test_a_program_gives_the_same_numbers_with_all_switches_off():
    numbers, _, given = output().strip().rpartition("] ")
    assert given == "True True True"
    assert output(**dict.fromkeys(read_in_code(), "0")).strip() == f"{numbers}] False False False"
