"""Small programs as users write them, each with the true cause of what goes wrong in it, and running them under tracing.

A line that may be named as the place of the cause ends in `# cause`. A healthy program has no such line, and its kind is None.
"""

import contextlib
import io
import linecache
import runpy
import textwrap
from dataclasses import dataclass

import numpy as np

from whygrad.run.standin import standing_in
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import tracing


@dataclass(frozen=True)
class Program:
    name: str
    kind: str | None  # None: nothing is wrong
    text: str

    def __str__(self):
        return self.name

    @property
    def source(self):
        return textwrap.dedent(self.text).lstrip("\n")

    @property
    def lines(self):
        """The lines that may be named."""
        return [i for i, line in enumerate(self.source.splitlines(), 1) if line.endswith("# cause")]


def findings(program, folder):
    """What tracing finds in a program, most serious first; the causes of an exception that ends it come before the rest."""
    path = folder / f"{program.name}.py"
    path.write_text(program.source, encoding="utf-8")
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
