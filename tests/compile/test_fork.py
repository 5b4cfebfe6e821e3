"""Forked children of a process that compiled something."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")

PROGRAM = """
import os, signal, sys, threading, warnings
import whygrad as tf

warnings.simplefilter("ignore")  # JAX's own warning about forks
v = tf.Variable(2.0)
f = tf.function(lambda x: x * v)
{parent}
child = os.fork()
if not child:
    signal.alarm(500)
    try:
        {child}
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(0)
print("ended", os.waitpid(child, 0)[1])
"""
COMPILED = """
with tf.GradientTape() as tape:
    y = f(tf.constant(3.0))
f(tf.constant(3.0))
"""
HELD = """
held = threading.Event()
def hold():
    with v._lock:
        held.set()
        threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
"""


def run(parent, child):
    program = PROGRAM.format(parent=parent, child=child)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600)
    assert done.stdout.endswith("ended 0\n"), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "child",
    ["tf.function(lambda x: x + v)(tf.constant(1.0))", "f(tf.constant(3.0))", "tape.gradient(y, v)"],
    ids=["compiles", "calls", "differentiates"],
)
def test_a_forked_child_raises_that_it_cannot_compile(child):
    assert "forked from one that had used XLA" in run(COMPILED, child)


@pytest.mark.parametrize(
    ("parent", "child", "printed"),
    [
        (COMPILED, "print(v.numpy(), (v * 3.0).numpy(), flush=True)", "2.0 6.0"),
        (COMPILED, "tf.config.run_functions_eagerly(True); print(f(tf.constant(3.0)).numpy(), flush=True)", "6.0"),
        ("", "print(f(tf.constant(3.0)).numpy(), flush=True)", "6.0"),
        (HELD, "print(v.assign_add(1.0).numpy(), flush=True)", "3.0"),
    ],
    ids=["eager ops", "functions as Python", "nothing compiled before", "a lock that another thread held"],
)
def test_what_a_child_can_do(parent, child, printed):
    assert printed in run(parent, child)
