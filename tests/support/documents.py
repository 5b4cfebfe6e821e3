"""The programs that a document shows, each with the output that it shows for it."""

import contextlib
import io
import itertools
import pathlib
import re
import runpy
import traceback

ROOT = pathlib.Path(__file__).parent.parent.parent


def programs(document):
    """Each Python program in a document of the repository, with what the text block that follows it shows."""
    fenced = re.findall(r"```(\w+)\n(.*?)```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL)
    return [
        (program, shown)
        for (kind, program), (next_kind, shown) in itertools.pairwise(fenced)
        if (kind, next_kind) == ("python", "text")
    ]


def printed(program, folder):
    """What a program prints; if it raises, with the exception as Python shows it."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            print("".join(traceback.format_exception_only(error)))
    return output.getvalue().strip()
