"""The report at the end of `whygrad run`."""

import pytest

from tests.view.places import cause, site, write
from whygrad.view.cells import Look
from whygrad.view.report import report

COUNTS = {"tapes": 1, "gradients": 2, "ops": 12345}


def test_a_healthy_program():
    said = "whygrad: no gradient problems found (checked 1 tape, 2 gradients, 12,345 ops)"
    assert report([], COUNTS, Look()) == said
    assert report([], {}, Look()) == "whygrad: no gradient problems found (checked 0 tapes, 0 gradients, 0 ops)"


def test_an_exception_unrelated_to_gradients():
    said = "whygrad: no gradient problems found before the exception (checked 1 tape, 2 gradients, 12,345 ops)"
    assert report([], COUNTS, Look(), failed=True) == said


def test_findings_in_the_order_given(tmp_path):
    program = write(tmp_path / "program.py", "y = tf.round(x)\n")
    findings = [
        cause(site(program, "tf.round(x)", "cut here"), sentence="first", help="do this", kind="a"),
        cause(sentence="second", kind="b", likely=True),
    ]
    expected = """
whygrad: 2 findings, most serious first (checked 1 tape, 2 gradients, 12,345 ops)

first
  1 │ y = tf.round(x)
    │     ^^^^^^^^^^^  cut here
  help: do this
  more: whygrad explain a

likely: second"""
    assert report(findings, COUNTS, Look(), here=str(program), pages=["a"]) == expected


def test_one_finding():
    assert report([cause()], COUNTS, Look()) == (
        "\nwhygrad: 1 finding (checked 1 tape, 2 gradients, 12,345 ops)\n\nit went wrong"
    )


def test_very_many_findings_leave_the_first_in_sight():
    lines = report([cause(sentence=f"finding {i}") for i in range(25)], COUNTS, Look()).split("\n")
    assert lines[1].startswith("whygrad: 25 findings, most serious first")
    assert [line for line in lines if line.startswith("finding")] == [f"finding {i}" for i in range(10)]
    assert lines[-1] == "and 15 more: `whygrad run --json FILE` writes all of them"


@pytest.mark.parametrize(("findings", "code"), [([], "1;32"), ([cause()], "1")])
def test_colour(findings, code):
    assert f"\x1b[{code}mwhygrad: " in report(findings, COUNTS, Look(colour=True))
