"""Run Keras's own unit tests on whygrad, and beside it on TensorFlow those that whygrad does not pass.

The tests are those of the installed Keras, whose wheel has them. Of each folder the table counts the tests that TensorFlow passes, and how
many of these whygrad passes; a test that whygrad skips and TensorFlow passes counts as a failure.

    python -m tools.keras_tests                          # all folders
    python -m tools.keras_tests losses layers/rnn        # some of them
    python -m tools.keras_tests ops -k einsum            # what follows -k is pytest's
    python -m tools.keras_tests --results results.json   # keeps outcomes, and runs TensorFlow only for what is not known yet
    python -m tools.keras_tests --without-tensorflow     # only on whygrad

Both run in processes of their own. This module is also the plugin of pytest that they load.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import types
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

FOLDERS = [
    *(
        "activations",
        "applications",
        "backend/common",
        "callbacks",
        "constraints",
        "datasets",
        "distillation",
        "distribution",
    ),
    *(
        "dtype_policies",
        "export",
        "initializers",
        "layers",
        "legacy",
        "losses",
        "metrics",
        "models",
        "ops",
        "optimizers",
        "quantizers",
    ),
    *("random", "regularizers", "saving", "testing", "trainers", "tree", "utils", "wrappers"),
]

_SECONDS = 300  # for one test
_OUTCOMES = "KERAS_TESTS_OUTCOMES"  # environment variables of the process that runs pytest
_BACKEND = "KERAS_TESTS_BACKEND"
_ONLY = "KERAS_TESTS_ONLY"

# -- the plugin --


def pytest_configure(config: Any) -> None:
    for marker in ("requires_trainable_backend", "multi_device", "requires_tpu"):
        config.addinivalue_line("markers", f"{marker}: a mark of Keras's tests")
    if os.environ[_BACKEND] == "whygrad":
        import whygrad.keras  # noqa: F401  (before any test imports Keras)
    # Some tests import this from the `conftest` of Keras's repository, which is not in the wheel.
    module: Any = types.ModuleType("conftest")
    module.skip_if_backend = lambda name, reason: pytest.mark.skipif(name == "tensorflow", reason=reason)
    sys.modules["conftest"] = module


def pytest_collection_modifyitems(items: list[Any]) -> None:
    only = os.environ.get(_ONLY)
    if only:
        wanted = set(json.loads(pathlib.Path(only).read_text()))
        items[:] = [item for item in items if _name(item.nodeid) in wanted]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    def too_long(*_: Any) -> None:
        raise TimeoutError(f"the test took more than {_SECONDS} s")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(_SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or report.outcome != "passed":
        reason = "" if report.outcome == "passed" else _last_line(report)
        _write(_name(report.nodeid), report.outcome, reason)


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _write(_name(report.nodeid), "failed", _last_line(report))


def _write(name: str, outcome: str, reason: str) -> None:
    with open(os.environ[_OUTCOMES], "a") as file:
        file.write(json.dumps((name, outcome, reason)) + "\n")


def _name(nodeid: str) -> str:
    """A test without the directory in which Keras is installed, and without addresses, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-f]+", "", nodeid.rpartition("keras/src/")[2])


def _last_line(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is not None:
        return str(crash.message)
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    return str(report.longrepr).strip().rpartition("\n")[2]


# -- the script --


def outcomes(
    backend: str,
    paths: list[str],
    only: set[str] | None = None,
    options: Sequence[str] = (),
    log: pathlib.Path | None = None,
) -> dict[str, tuple[str, str]]:
    """By test, its outcome and the last words of a failure."""
    source = _source()
    found: dict[str, tuple[str, str]] = {}
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        (work / "pytest.ini").write_text("[pytest]\npython_files = *_test.py\n")
        environment = {
            **os.environ,
            _OUTCOMES: str(work / "outcomes"),
            _BACKEND: backend,
            "KERAS_BACKEND": "tensorflow",
            "KERAS_HOME": str(work),
            "CUDA_VISIBLE_DEVICES": "",
            "TF_CPP_MIN_LOG_LEVEL": "3",
        }
        if only is not None:
            (work / "only").write_text(json.dumps(sorted(only)))
            environment[_ONLY] = str(work / "only")
        (work / "outcomes").touch()
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "tools.keras_tests",
            "-p",
            "no:cacheprovider",
            "-c",
            str(work / "pytest.ini"),
        ]
        command += [
            "--rootdir",
            str(source),
            "--assert=plain",
            "-q",
            "--tb=short",
            "--continue-on-collection-errors",
            *options,
        ]
        done = subprocess.run(
            [*command, *(str(source / path) for path in paths)],
            env=environment,
            cwd=pathlib.Path(__file__).parents[1],  # where Python finds this module
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if log is not None:
            log.mkdir(parents=True, exist_ok=True)
            (log / f"{paths[0].replace('/', '_')}.{backend}").write_text(done.stdout)
        for line in (work / "outcomes").read_text().splitlines():
            name, outcome, reason = json.loads(line)
            found[name] = outcome, reason
    if done.returncode not in (0, 1, 5) and not found:
        raise RuntimeError(f"pytest failed:\n{done.stdout[-2000:]}")
    return found


def _source() -> pathlib.Path:
    spec = importlib.util.find_spec("keras")
    if spec is None or spec.origin is None:
        raise SystemExit("Keras is not installed: pip install 'whygrad[keras]'")
    return pathlib.Path(spec.origin).parent / "src"


class Results:
    """What is known of each test on each backend; kept in a file, if there is one."""

    def __init__(self, file: pathlib.Path | None) -> None:
        self.file = file
        self.known: dict[str, dict[str, tuple[str, str]]] = {"whygrad": {}, "tensorflow": {}}
        if file is not None and file.exists():
            self.known.update(json.loads(file.read_text()))

    def add(self, backend: str, found: dict[str, tuple[str, str]]) -> None:
        """Add outcomes, and write the file."""
        self.known[backend].update(found)
        if self.file is not None:
            self.file.write_text(json.dumps(self.known, indent=0))

    def row(self, folder: str) -> tuple[str, int, int, list[str]]:
        """Of one folder: the tests that TensorFlow passes, how many of them whygrad passes, and the others."""
        passed = missing = 0
        failures = []
        for name, (outcome, _) in self.known["whygrad"].items():
            if name != folder and not name.startswith((f"{folder}/", f"{folder}::")):
                continue
            if outcome == "passed":
                passed += 1
            elif self.known["tensorflow"].get(name, ("passed", ""))[0] == "passed":
                missing += 1
                failures.append(name)
        return folder, passed + missing, passed, failures


def main() -> None:
    """Run the tests and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS, help="folders below keras/src, or files in them")
    parser.add_argument("--results", type=pathlib.Path, help="a JSON file that keeps what is known")
    parser.add_argument("--without-tensorflow", action="store_true", help="run the tests only on whygrad")
    parser.add_argument("--log", type=pathlib.Path, help="a folder that gets what pytest prints")
    parser.add_argument("-k", dest="expression", help="only the tests that this expression of pytest's selects")
    given = parser.parse_args()
    results = Results(given.results)
    options = ["-k", given.expression] if given.expression else []
    rows = []
    for folder in given.folders:
        found = outcomes("whygrad", [folder], options=options, log=given.log)
        results.add("whygrad", found)
        left = {name for name, (outcome, _) in found.items() if outcome != "passed"} - set(results.known["tensorflow"])
        if left and not given.without_tensorflow:
            files = sorted({name.partition("::")[0] for name in left})
            results.add("tensorflow", outcomes("tensorflow", files, only=left, log=given.log))
        rows.append(results.row(folder))
        print(f"{rows[-1][0]:20} {rows[-1][1]:6} {rows[-1][2]:6}", flush=True)
    print("\n| folder | TensorFlow passes | of these whygrad passes | share |\n|---|---|---|---|")
    for name, total, passed, _ in rows:
        share = f"{100 * passed / total:.2f} %" if total else "no test ran"
        print(f"| {name} | {total} | {passed} | {share} |")
    for *_, failures in rows:
        for failure in failures:
            print(f"\n{failure}\n    {results.known['whygrad'][failure][1].strip()}"[:400])


if __name__ == "__main__":
    main()
