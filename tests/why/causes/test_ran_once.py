"""What Python does once, while a function is traced: `python-side-effect` and `function-baked-python-value` under a trace."""

import random

import numpy as np
import pytest

from tests.support.programs import traced

PROGRAM = """
    class Counter:
        def __init__(self):
            self.n = 0

    counter, log, rng = Counter(), [], np.random.default_rng(0)

    @tf.function
    def step(x):
        {statement}
        return x * 2.0

    for i in range({calls}):
        step(tf.constant(1.0))
    {use}
    """


def found(folder, statement, use="", calls=3):
    text = PROGRAM.format(statement=statement, use=use, calls=calls)
    return [(cause.kind, cause.site.line) for cause in traced(text, folder, np=np, random=random)]


def test_a_count_that_the_program_uses(tmp_path):
    assert found(tmp_path, "counter.n += 1", "rate = 0.1 / counter.n") == [("python-side-effect", 10)]


def test_a_list_that_the_program_uses(tmp_path):
    assert found(tmp_path, "log.append('called')", "calls = len(log)") == [("python-side-effect", 10)]


@pytest.mark.parametrize("draw", ["x = x + rng.normal()", "x = x * np.random.rand()", "x = x + random.gauss(0.0, 1.0)"])
def test_a_random_number(tmp_path, draw):
    assert found(tmp_path, draw) == [("function-baked-python-value", 10)]


@pytest.mark.parametrize(
    ("statement", "use", "calls"),
    [
        ("counter.n += 1", "rate = 0.1 / counter.n", 1),  # called once
        ("counter.n += 1", "print(counter.n)", 3),  # to see how often it was traced
        ("log.append(1)", "assert len(log) == 1", 3),
        ("n = 0; n += 1", "counter.n", 3),  # the function's own
        ("print(rng.normal())", "", 3),
        ("x = x + tf.random.normal(())", "", 3),
    ],
)
def test_no_alarm(tmp_path, statement, use, calls):
    assert found(tmp_path, statement, use, calls) == []
