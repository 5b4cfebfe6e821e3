"""Small programs as users write them, each with the true cause of what goes wrong in it, and running them, under tracing or plainly.

Each program is a file, in the folder named after its kind of cause. A line that may be named as the place of the cause
ends in `# cause`. The programs in `healthy/` have no mistake, and no such line.
"""

import contextlib
import io
import linecache
import runpy
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from whygrad.run.standin import standing_in
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import tracing

FOLDER = Path(__file__).parent
HEALTHY = "healthy"


@dataclass(frozen=True)
class Program:
    path: Path

    def __str__(self):
        return self.path.stem

    @property
    def kind(self):
        """The kind of cause, which names the folder."""
        return self.path.parent.name

    @property
    def lines(self):
        """The lines that may be named."""
        text = self.path.read_text(encoding="utf-8")
        return [i for i, line in enumerate(text.splitlines(), 1) if line.endswith("# cause")]


def programs():
    """All programs, sorted by kind and name."""
    return [Program(path) for path in sorted(FOLDER.glob("*/*.py"))]


def findings(path):
    """What tracing finds in a program, most serious first; the causes of an exception that ends it come before the rest."""
    linecache.checkcache(str(path))
    raised = []
    # A program's own settings of NumPy end with it.
    with np.errstate(), contextlib.redirect_stdout(io.StringIO()), standing_in(), tracing() as trace:
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            raised = causes_of(error)
            if not raised and not trace.findings:  # else it is what a None led to
                raise
    return [*raised, *trace.findings]


def warned(path):
    """The causes of the gradient warnings of a program that runs without a trace."""
    linecache.checkcache(str(path))
    with (
        np.errstate(),
        contextlib.redirect_stdout(io.StringIO()),
        standing_in(),
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        runpy.run_path(str(path), run_name="__main__")
    return [cause for each in caught for cause in getattr(each.message, "causes", ())]
