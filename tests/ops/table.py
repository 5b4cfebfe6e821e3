"""The table of ops: all rows of all families (each `cases_<family>.py` beside this file)."""

import importlib
import pathlib

CASES = []
BAD_INPUT = []
for path in sorted(pathlib.Path(__file__).parent.glob("cases_*.py")):
    family = importlib.import_module(f"tests.ops.{path.stem}")
    CASES += family.CASES
    BAD_INPUT += family.BAD_INPUT
