"""The programs that docs/function.md shows print what it shows."""

import contextlib
import io
import runpy
import traceback

import pytest

from tests.test_documents import ROOT, _blocks

PROGRAMS = _blocks((ROOT / "docs" / "function.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("program", "shown"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_print_what_is_shown(program, shown, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            print("".join(traceback.format_exception_only(error)))
    assert output.getvalue().strip() == shown.strip()


def test_there_are_programs():
    assert len(PROGRAMS) >= 2
