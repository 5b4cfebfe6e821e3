"""Memory that is let go is used again."""

import os
import subprocess
import sys

PROGRAM = """
import resource
import numpy as np
import whygrad as tf

x = tf.constant(np.linspace(0, 1, 1_000_000, dtype=np.float32))
for _ in range(3):
    tf.exp(x) * x + x
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    tf.exp(x) * x + x
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def _pages_touched_anew(**environment):
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return int(run.stdout)


def test_a_step_that_is_repeated_needs_no_new_pages():
    assert _pages_touched_anew() < 1000  # each of the 30 arrays has a thousand


def test_what_the_environment_says_of_malloc_stands():
    assert _pages_touched_anew(MALLOC_TRIM_THRESHOLD_="131072", MALLOC_MMAP_THRESHOLD_="131072") > 10_000
