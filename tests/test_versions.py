"""The oldest versions that `pyproject.toml` admits are those that CI tests with, and those that the code asks for."""

import pathlib
import re
import tomllib

from whygrad._version import __version__
from whygrad.engines.loading import OLDEST_JAX

ROOT = pathlib.Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("xla", "scripts", "examples", "test")


def _numbers(version):
    """2.1 and 2.1.0 are the same version."""
    return tuple(int(part) for part in re.sub(r"(\.0)+$", "", version).split("."))


def _lower_bounds():
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *[each for extra in EXTRAS for each in extras[extra]]]
    found = [
        re.fullmatch(r"([\w-]+)>=([\d.]+)(?:,<[\d.]+)?", each) for each in asked if not each.startswith("whygrad[")
    ]
    bounds = {match[1]: _numbers(match[2]) for match in found}
    return bounds | {"jaxlib": bounds["jax"]}  # each JAX has its own


def test_ci_installs_the_oldest_versions():
    lines = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert {name: _numbers(version) for name, version in pinned.items()} == _lower_bounds()


def test_the_documents_of_a_release_have_its_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_engine_asks_for_the_oldest_jax():
    assert _lower_bounds()["jax"] == _numbers(".".join(map(str, OLDEST_JAX)))
