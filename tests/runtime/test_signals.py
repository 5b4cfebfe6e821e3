"""Aborts of threads that are not Python's are held while their reason is known; all others end the process."""

import os
import signal
import subprocess
import sys

import pytest

from whygrad.runtime import signals

PROGRAM = """
import ctypes, os, signal, sys, time
from whygrad.runtime.signals import hold_aborts

asked = []

def is_explained():
    asked.append(True)
    return {explained}

undo = hold_aborts(is_explained)
libc = ctypes.CDLL(None)
if {undone}:
    undo()
if {by_python}:
    os.abort()
thread = ctypes.c_ulong()
libc.pthread_create(ctypes.byref(thread), None, libc.abort, None)
last = time.monotonic() + 300
while not asked and time.monotonic() < last:
    time.sleep(0.01)
time.sleep(0.1)
print("goes on", flush=True)
os._exit(0)
"""


def _run(explained=True, undone=False, by_python=False, **environment):
    program = PROGRAM.format(explained=explained, undone=undone, by_python=by_python)
    return subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, capture_output=True, text=True, timeout=600
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs pthread_create in the C library")
class TestAborts:
    def test_a_thread_of_the_runtime_is_held_and_the_program_goes_on(self):
        found = _run()
        assert (found.returncode, found.stdout) == (0, "goes on\n")

    @pytest.mark.parametrize(
        "how",
        [{"explained": False}, {"by_python": True}, {"undone": True}, {"WHYGRAD_HOLD_ABORTS": "0"}],
        ids=["not explained", "by Python", "undone", "switched off"],
    )
    def test_others_end_the_process(self, how):
        found = _run(**how)
        assert (found.returncode, found.stdout) == (-signal.SIGABRT, "")


def test_other_systems_are_left_alone(monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    assert signals.hold_aborts(lambda: True) is signals._nothing
    assert signals._nothing() is None
