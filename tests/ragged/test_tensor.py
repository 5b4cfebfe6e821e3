"""Ragged tensors, compared with a table of TensorFlow's results."""

import pathlib

import whygrad as tf
from tests.support.expressions import differences, read

TABLE = pathlib.Path(__file__).parent / "ragged.txt"


def test_results_are_those_of_the_table():
    rows = read(TABLE)
    assert len(rows) > 180
    assert differences(tf, rows) == []
