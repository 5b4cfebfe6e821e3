"""The programs in `examples/` run."""

import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def test_first_gradient():
    done = subprocess.run([sys.executable, EXAMPLES / "first_gradient.py"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("loss ")
    assert "shape (3, 8)   gradient (3, 8)" in lines[1]
    assert float(lines[-1].split()[-1]) < float(lines[0].split()[-1])
