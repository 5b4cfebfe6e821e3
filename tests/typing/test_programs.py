"""Programs as users write them, under the type checkers they use: `# E` marks a mistake, `# T:` the type of an expression."""

import collections
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parent / "programs").glob("*.py"))
SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"

# Comments in the order of the lines: a type, or True for a mistake. Nothing is said of other lines.
Lines = dict[int, str | bool]


def _expected(program: pathlib.Path) -> Lines:
    lines: Lines = {}
    for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
        if line.endswith("# E"):
            lines[number] = True
        elif " # T: " in line:
            lines[number] = line.partition(" # T: ")[2]
    return lines


def _plain(kind: str) -> str:
    """A type as both checkers can be read: without the names of modules."""
    return re.sub(r"\b(?:\w+\.)+(?=[A-Za-z_])", "", kind)


def _found(output: str, pattern: str) -> dict[str, Lines]:
    found: dict[str, Lines] = collections.defaultdict(dict)
    for match in re.finditer(pattern, output, re.MULTILINE):
        kind = match["type"]
        found[pathlib.Path(match["file"]).name].setdefault(int(match["line"]), True if kind is None else _plain(kind))
    return found


@pytest.fixture(scope="module")
def by_mypy(tmp_path_factory):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]
    command += ["--cache-dir", str(tmp_path_factory.mktemp("mypy")), *map(str, PROGRAMS)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=PROGRAMS[0].parent,
        env={**os.environ, "MYPYPATH": str(SOURCES)},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return _found(done.stdout, r'^(?P<file>\S+?):(?P<line>\d+): (?:error|note: Revealed type is "(?P<type>.*)"$)')


@pytest.fixture(scope="module")
def by_pyright():
    """Pyright runs on Node, which it loads from the network where there is none; it is not tested where it cannot."""
    beside_python = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    pyright = shutil.which("pyright", path=beside_python)
    if pyright is None or subprocess.run([pyright, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("pyright is not installed")
    command = [pyright, "--pythonpath", sys.executable, *map(str, PROGRAMS)]
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=SOURCES.parent, env=environment)
    assert done.returncode == 1, done.stdout + done.stderr
    return _found(
        done.stdout, r'^ *(?P<file>\S+?):(?P<line>\d+):\d+ - (?:error|information: Type of ".*" is "(?P<type>.*)"$)'
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_mypy_sees_the_types_and_the_mistakes(program, by_mypy):
    assert by_mypy[program.name] == _expected(program)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_pyright_sees_the_types_and_the_mistakes(program, by_pyright):
    assert by_pyright[program.name] == _expected(program)
