"""The programs that a document shows, each with the output that it shows for it."""

import contextlib
import io
import itertools
import os
import pathlib
import re
import runpy
import shlex
import subprocess
import sys
import traceback

ROOT = pathlib.Path(__file__).parent.parent.parent
_FENCE = re.compile(r'^```(\w+)(?: title="([^"\n]+)")?\n(.*?)^```', re.DOTALL | re.MULTILINE)


def _fenced(document):
    """The kind, title and text of each fenced block."""
    return _FENCE.findall((ROOT / document).read_text(encoding="utf-8"))


def programs(document):
    """Each Python program in a document of the repository, with what the text block that follows it shows."""
    return [
        (program, shown)
        for (kind, _, program), (next_kind, _, shown) in itertools.pairwise(_fenced(document))
        if (kind, next_kind) == ("python", "text")
    ]


def titled(document):
    """The programs that have a file's name as their title, by that name."""
    return {title: program for kind, title, program in _fenced(document) if kind == "python" and title}


def sessions(document):
    """Each command that a console block shows (`$ whygrad run train.py`), with what it shows for it."""
    shown = [text.removeprefix("$ ").partition("\n") for kind, _, text in _fenced(document) if kind == "console"]
    return [(command, output) for command, _, output in shown if command.startswith("whygrad ")]


def printed(program, folder):
    """What a program prints that runs in a folder; if it raises, with the exception as Python shows it."""
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.chdir(folder):  # it may write files
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            print("".join(traceback.format_exception_only(error)))
    return output.getvalue().strip()


def answer(command, document, folder):
    """What `whygrad ...` writes in a folder that has the titled programs of a document and the repository's examples."""
    (folder / "examples").symlink_to(ROOT / "examples")
    for name, program in titled(document).items():
        if not (folder / name).exists():
            (folder / name).write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=folder,
        env=os.environ | {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.stdout.strip()
