"""Run notebooks cell by cell on TensorFlow and under whygrad, and count the cells that come out the same.

    python -m tools.notebooks FOLDER            every .ipynb file below the folder
    python -m tools.notebooks FOLDER --show     and how the other cells differ

A cell comes out the same if it raises on both sides or on neither, and if the numbers that it prints, with the value of its last
expression, are equal up to rounding. Lines of IPython's (`!pip`, `%matplotlib`) are left out. Cells that only hold comments, and cells
that TensorFlow does not finish in time, are not counted.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
from typing import Any, NamedTuple

SECONDS = 300  # for one notebook on one side
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf|nan)(?!\w)", re.IGNORECASE)
_NOT_COUNTED = re.compile(
    r"0x[0-9a-f]+|\b\d+\.\d+ ?m?s\b|\{\{.*?\}\}"
)  # addresses, times, and places in TensorFlow's graphs


class Outcome(NamedTuple):
    """What a cell did: the text it printed, and the class and text of the exception that ended it."""

    printed: str
    raised: str | None
    message: str


# -- one notebook on one side; this part runs in a process of its own --


def cells_of(notebook: dict[str, Any]) -> list[str]:
    """The code of the cells, without IPython's own lines; comments alone make no cell."""
    found = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            lines = "".join(cell["source"]).splitlines()
            code = "\n".join("" if re.match(r"\s*[!%]", line) else line for line in lines)
            if not _is_empty(code):
                found.append(code)
    return found


def _is_empty(code: str) -> bool:
    try:
        return not ast.parse(code).body
    except SyntaxError:
        return False


def run_cells(cells: list[str], folder: pathlib.Path) -> list[Outcome]:
    """Run the cells one after the other in one namespace, each from a file of its own: AutoGraph reads sources."""
    _seed()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    return [_run_cell(code, folder / f"cell_{number}.py", namespace) for number, code in enumerate(cells)]


def _seed() -> None:
    import random

    import numpy as np

    random.seed(0)
    np.random.seed(0)
    tensorflow: Any = importlib.import_module("tensorflow")
    tensorflow.random.set_seed(0)


def _run_cell(code: str, path: pathlib.Path, namespace: dict[str, Any]) -> Outcome:
    path.write_text(code, encoding="utf-8")
    printed = io.StringIO()
    raised = None
    message = ""
    with contextlib.redirect_stdout(printed):
        try:
            tree = ast.parse(code, str(path))
            last = tree.body[-1]
            value = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
            body = ast.Module(tree.body[:-1] if value else tree.body, [])
            exec(compile(body, str(path), "exec"), namespace)
            if value is not None and (shown := eval(compile(value, str(path), "eval"), namespace)) is not None:
                print(repr(shown))
        except (Exception, SystemExit) as error:
            raised = type(error).__name__
            message = traceback.format_exc(limit=-3)
    return Outcome(printed.getvalue(), raised, message)


def _child(source: str, result: str) -> None:
    cells = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    folder = pathlib.Path(source).parent
    os.chdir(folder)
    pathlib.Path(result).write_text(json.dumps(run_cells(cells, folder)), encoding="utf-8")


# -- both sides --


def outcomes(cells: list[str], command: list[str]) -> list[Outcome] | str:
    """What the cells did in a process of their own, or the end of its output if it broke off."""
    with tempfile.TemporaryDirectory() as folder:
        source, result = pathlib.Path(folder, "cells.json"), pathlib.Path(folder, "outcomes.json")
        source.write_text(json.dumps(cells), encoding="utf-8")
        variables = os.environ | {"MPLBACKEND": "agg", "TF_CPP_MIN_LOG_LEVEL": "3"}
        arguments = [*command, str(pathlib.Path(__file__).resolve()), "--cells", str(source), str(result)]
        try:
            ended = subprocess.run(
                arguments, capture_output=True, text=True, timeout=SECONDS, env=variables, check=False
            )
        except subprocess.TimeoutExpired:
            return f"not finished in {SECONDS} s"
        if not result.exists():
            return (ended.stdout + ended.stderr)[-2000:]
        return [Outcome(*each) for each in json.loads(result.read_text(encoding="utf-8"))]


def difference(theirs: Outcome, ours: Outcome) -> str | None:
    """How an outcome differs from TensorFlow's; None if it comes out the same."""
    if (theirs.raised is None) != (ours.raised is None):
        return f"raised {ours.raised}: {ours.message}" if ours.raised else f"did not raise {theirs.raised}"
    if not _in_order(_numbers(theirs.printed), _numbers(ours.printed)):
        return f"printed\n{ours.printed}\nfor\n{theirs.printed}"
    return None


def _numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(_NOT_COUNTED.sub(" ", text))]


def _in_order(wanted: list[float], given: list[float]) -> bool:
    """Whether the wanted numbers are among the given, in order: an explanation may add numbers of its own, such as lines."""
    rest = iter(given)
    return all(any(_equal(number, each) for each in rest) for number in wanted)


def _equal(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-5) or (math.isnan(a) and math.isnan(b))


def main(arguments: list[str]) -> int:
    """Print the rate of each notebook and of all."""
    parser = argparse.ArgumentParser(description="Count the cells of notebooks that come out as on TensorFlow.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--show", action="store_true", help="show how the other cells differ")
    options = parser.parse_args(arguments)
    same = counted = 0
    for path in sorted(options.folder.rglob("*.ipynb")):
        cells = cells_of(json.loads(path.read_text(encoding="utf-8")))
        theirs = outcomes(cells, [sys.executable])
        if isinstance(theirs, str):
            print(f"{path.name}: not counted: TensorFlow: {theirs}")
            continue
        ours = outcomes(cells, [sys.executable, "-m", "whygrad", "run"])
        if isinstance(ours, str):
            found: list[str | None] = [ours] * len(cells)
        else:
            found = [difference(*pair) for pair in zip(theirs, ours, strict=True)]
        alike = found.count(None)
        print(f"{path.name}: {alike} of {len(cells)}", flush=True)
        if options.show:
            for number, (code, each) in enumerate(zip(cells, found, strict=True)):
                if each is not None:
                    print(f"--- cell {number}\n{code}\n--- {each}\n")
        same, counted = same + alike, counted + len(cells)
    print(f"all: {same} of {counted}" + (f", {same / counted:.1%}" if counted else ""))
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cells"]:
        _child(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1:]))
