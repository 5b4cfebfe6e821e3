"""What a release holds, and what CI runs before it."""

import pathlib
import re
import subprocess

from tools.package import package_files, wrong_in_source, wrong_in_wheel

ROOT = pathlib.Path(__file__).parent.parent


def test_the_package_has_pages_stubs_and_the_mark_of_types():
    names = package_files()
    assert {"whygrad/py.typed", "whygrad/math.pyi", "whygrad/why/causes/log-of-zero.md", "whygrad/__init__.py"} <= names
    assert not [name for name in names if name.endswith(".pyc")]


def test_a_wheel_with_too_little_or_too_much_is_refused():
    expected = {"whygrad/__init__.py", "whygrad/py.typed"}
    assert wrong_in_wheel(expected | {"whygrad-1.dist-info/METADATA"}, expected) == []
    assert wrong_in_wheel({"whygrad/__init__.py", "tests/x.py"}, expected) == [
        "the wheel lacks whygrad/py.typed",
        "the wheel should not hold tests/x.py",
    ]


def test_a_source_distribution_with_too_little_or_too_much_is_refused():
    wrong = wrong_in_source(
        {"whygrad-1/src/whygrad/__init__.py", "whygrad-1/build/x"}, {"whygrad/__init__.py", "whygrad/py.typed"}
    )
    assert "the source distribution lacks src/whygrad/py.typed" in wrong
    assert "the source distribution lacks LICENSE" in wrong
    assert "the source distribution should not hold build" in wrong
    assert "the source distribution lacks src/whygrad/__init__.py" not in wrong


def test_the_workflow_runs_every_step():
    if not (ROOT / ".github").exists():  # a source distribution
        return
    steps = subprocess.run([ROOT / ".ci" / "run", "--list"], capture_output=True, text=True, check=True).stdout.split()
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    lists = (
        re.findall(r"step: \[(.+)\]", workflow)
        + re.findall(r"step: (\w+)", workflow)
        + re.findall(r"run: \.ci/run (\w+)", workflow)
    )
    assert set(steps) == {each for found in lists for each in found.split(", ")}
