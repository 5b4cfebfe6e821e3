"""Check what a release holds.

    python -m build --outdir dist && python -m tools.package dist

The wheel must hold the package as it is in `src/` (with the catalogue's pages, the stubs and `py.typed`) and nothing else. The source
distribution must hold the package, its tests and what these read, and no hidden or built files.
"""

from __future__ import annotations

import pathlib
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
_SOURCE = {
    "src", "tests", "tools", "docs", "examples", "benchmarks", ".ci", ".gitignore", "pyproject.toml", "PKG-INFO", "README.md",
    "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "CITATION.cff", "LICENSE",
}  # fmt: skip


def package_files() -> set[str]:
    """The files of the package and of its plug-in for pytest, without what Python and editors leave beside them."""
    folders = [ROOT / "src" / "whygrad", ROOT / "src" / "whygrad_pytest"]
    paths = [path.relative_to(ROOT / "src") for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


def wrong_in_wheel(names: set[str], expected: set[str]) -> list[str]:
    """What a wheel with these names lacks, and what it should not have."""
    inside = {name for name in names if ".dist-info/" not in name}
    missing = [f"the wheel lacks {name}" for name in sorted(expected - inside)]
    return missing + [f"the wheel should not hold {name}" for name in sorted(inside - expected)]


def wrong_in_source(names: set[str], expected: set[str]) -> list[str]:
    """The same for a source distribution, whose names begin with its folder."""
    inside = {name.partition("/")[2] for name in names}
    tops = {name.partition("/")[0] for name in inside}
    missing = [f"the source distribution lacks {name}" for name in sorted(_SOURCE - tops)]
    missing += [f"the source distribution lacks src/{name}" for name in sorted(expected) if f"src/{name}" not in inside]
    return missing + [f"the source distribution should not hold {name}" for name in sorted(tops - _SOURCE)]


def main(folder: str) -> int:
    """Check the wheel and the source distribution in a folder."""
    (wheel,) = pathlib.Path(folder).glob("*.whl")
    (source,) = pathlib.Path(folder).glob("*.tar.gz")
    expected = package_files()
    with zipfile.ZipFile(wheel) as opened, tarfile.open(source) as archive:
        in_wheel, in_source = set(opened.namelist()), {member.name for member in archive if member.isfile()}
    wrong = wrong_in_wheel(in_wheel, expected) + wrong_in_source(in_source, expected)
    for path, names in ((wheel, in_wheel), (source, in_source)):
        print(f"{path.name}: {len(names):,} files, {path.stat().st_size / 1e6:.1f} MB")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
