"""Running the command, in a process of its own."""

import os
import subprocess
import sys

WHYGRAD = [sys.executable, "-m", "whygrad"]
PATIENCE = 600  # seconds: a process that hangs fails its test; a busy machine does not

# Findings for programs that need some, whatever the detectors find: put in place of whygrad's own tracing.
STUB = """
import contextlib, sys, types
from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site

def cause(kind, symptom, line, likely=False):
    place = Site({file!r}, line, 0, line, 0, "", "cut here")
    return Cause(kind, symptom, f"this is {{kind}}", (place,), "do this", {{"x": "float32 (3,)"}}, likely)

@contextlib.contextmanager
def tracing():
    yield types.SimpleNamespace(findings={findings}, counts={{"tapes": 1, "gradients": 2, "ops": 3}})

sys.modules["whygrad.why.evidence.trace"] = trace = types.ModuleType("whygrad.why.evidence.trace")
trace.tracing, trace.Trace, trace.current = tracing, type(None), lambda: None
from whygrad.run.command import main
sys.exit(main())
"""


def run(command, **options):
    # COLUMNS, which pytest-xdist sets, would fold the lines of reports.
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "COLUMNS": None, **options.pop("env", {})}
    environment = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, env=environment, **options
    )


def whygrad(*arguments, **options):
    """`python -m whygrad ...`"""
    return run([*WHYGRAD, *map(str, arguments)], **options)


def with_findings(findings, *arguments, file="program.py", **options):
    """`whygrad ...`, where tracing finds the causes that an expression gives."""
    return run([sys.executable, "-c", STUB.format(findings=findings, file=file), *map(str, arguments)], **options)
