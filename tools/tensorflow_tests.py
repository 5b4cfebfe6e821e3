"""Run TensorFlow's own unit tests through public names, on TensorFlow and on whygrad, and compare.

The tests are part of TensorFlow's source, not of its wheel: SOURCE is a folder with its `tensorflow/python`. A test file imports internal
modules. Here each name of theirs becomes the public name that TensorFlow exports it under; what has none is missing for both. A test counts if
TensorFlow passes it that way, in eager mode, and whygrad has the names that it uses.

    python -m tools.tensorflow_tests SOURCE eager/backprop_test.py ops         # files, and folders with all their files
    python -m tools.tensorflow_tests SOURCE --results results.json --again     # keeps outcomes; runs whygrad again where it failed
    python -m tools.tensorflow_tests SOURCE ops --without-jax                  # as if JAX were not installed

Each file runs in a process of its own, on either side.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import contextlib
import functools
import importlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import traceback
import types
import unittest
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SECONDS = 60  # for one test
FILE_SECONDS = 900  # for one file
# Tests of what whygrad does not have, and of TensorFlow's own build.
LEFT_OUT = re.compile(
    r"gpu|tpu|remote|collective|_xla|benchmark|quantiz|custom_device|weak_tensor|multi_worker|nccl|profiler|v1_compat|huge|large|big"
)

# -- the names, as TensorFlow has them --


def imported_modules(files: Sequence[pathlib.Path]) -> set[str]:
    """The internal modules, or names of them, that these files import."""
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tensorflow"):
                found.update({node.module, *[f"{node.module}.{each.name}" for each in node.names]})
    return found


def public_names(modules: Sequence[str]) -> dict[str, dict[str, str]]:
    """For each internal module that the installed TensorFlow has, the public names of what it holds."""
    tf = importlib.import_module("tensorflow")
    decorators, exports = (
        importlib.import_module(f"tensorflow.python.util.tf_{name}") for name in ("decorator", "export")
    )
    paths: dict[int, str] = {}
    for value, path in _public_paths(tf):
        paths.setdefault(id(value), path)
    found = {}
    for name in modules:
        try:
            module = importlib.import_module(name)
        except Exception:
            continue
        names = {}
        for attribute, value in vars(module).items():
            carrier = decorators.unwrap(value)[1] if callable(value) else None
            new, old = (get(carrier) for get in (exports.get_v2_names, exports.get_v1_names))
            # Names of version 1 are those of version 2 where it has them, though their arguments may differ.
            old = [each if _has(tf, each) else f"compat.v1.{each}" for each in old]
            public = [*new, *old, *([paths[id(value)]] if id(value) in paths else ())]
            if public:
                names[attribute] = next((each for each in public if not each.startswith("__internal__")), public[0])
        found[name] = names
    return found


def _has(tf: Any, path: str) -> bool:
    with contextlib.suppress(AttributeError):
        functools.reduce(getattr, path.split("."), tf)
        return True
    return False


def _public_paths(tf: Any) -> Iterator[tuple[Any, str]]:
    """Public constants such as `tf.float32`, and the modules and classes that carry no name of their own."""
    for place in (
        "",
        "errors",
        "nn",
        "math",
        "test",
        "random",
        "nest",
        "compat",
        "experimental",
        "io",
        "train",
        "sparse",
        "linalg",
    ):
        module = getattr(tf, place) if place else tf
        for name in dir(module):
            value = getattr(module, name, None)
            if not name.startswith("_") and not isinstance(
                value, int | str | bool | float | types.ModuleType | type(None)
            ):
                yield value, f"{place}.{name}" if place else name


# -- the modules that a test file gets --


class MissingName(Exception):
    """A test uses a name that has no public counterpart, or that whygrad does not have."""


class Missing:
    """Stands for such a name until it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise MissingName(repr(self))

    def __repr__(self) -> str:
        return f"<missing {self._name}>"

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """As a base of a test it is left out; of another class, objects cannot be made."""
        if any(isinstance(base, type) and issubclass(base, unittest.TestCase) for base in bases):
            return ()
        return (type("Base", (), {"__new__": lambda *_, **__: self()}),)

    def __dir__(self) -> list[str]:
        raise MissingName(repr(self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self._name}.{name}")


def _same(function: Any = None, *_: Any, **__: Any) -> Any:
    """A decorator, with or without arguments, that changes nothing."""
    return function if callable(function) else _same


def _skipped(reason: str) -> Callable[..., Any]:
    def decorate(function: Any = None, *_: Any, **__: Any) -> Any:
        return unittest.skip(reason)(function) if callable(function) else decorate

    return decorate


@contextlib.contextmanager
def _nothing(*_: Any, **__: Any) -> Iterator[None]:
    yield


_IN_GRAPHS = """
    run_deprecated_v1 run_v1_only deprecated_graph_mode_only build_as_function_and_v1_graph enable_output_all_intermediates
    run_gpu_only run_cuda_only disable_control_flow_v2 run_in_graph_mode
"""
_ABSENT = (
    "is_gpu_available is_xla_enabled IsMklEnabled is_mkl_enabled GpuSupportsHalfMatMulAndConv IsCudaSupportEnabled"
)


class Helpers:
    """What tests take from TensorFlow's test helpers: in eager mode, and on the CPU, most of it does nothing."""

    def __init__(self, tf: Any) -> None:
        self.test_util = {
            **dict.fromkeys(_IN_GRAPHS.split(), _skipped("needs graphs or a GPU")),
            **dict.fromkeys(_ABSENT.split(), lambda *_, **__: False),
            **dict.fromkeys(
                ["use_gpu", "force_cpu", "device", "forward_compatibility_horizon", "deterministic_ops"], _nothing
            ),
            "is_cpu_available": lambda: True,
            "TensorFlowTestCase": tf.test.TestCase,
            "run_functions_eagerly": functools.partial(_eagerly, tf),
            "evaluate": lambda tensors: tf.nest.map_structure(lambda each: each.numpy(), tensors),
        }
        self.context = {
            **dict.fromkeys(["eager_mode", "device"], _nothing),
            "num_gpus": lambda: 0,
            "async_wait": lambda: None,
            "is_tfrt_enabled": lambda: False,
            "ensure_initialized": lambda: None,
        }
        self.others = {
            "ResourceVariable": tf.Variable,
            "VariableV1": tf.Variable,
            "variable_scope": _nothing,
            "global_variables_initializer": lambda: tf.no_op() if hasattr(tf, "no_op") else None,
            "enable_v2_behavior": lambda *_, **__: None,
            "enable_eager_execution": lambda *_, **__: None,
            "forward_compatible": lambda *_, **__: True,
            "enabled": lambda: True,  # of `tf2`: both sides behave as version 2
        }

    def find(self, module: str, name: str) -> Any:
        place = module.rpartition(".")[2]
        table = {"test_util": self.test_util, "context": self.context}.get(place, {})
        if name in table:
            return table[name]
        # The other helpers are decorators that choose modes, most of them.
        return _same if place == "test_util" else self.others.get(name)


@contextlib.contextmanager
def _eagerly(tf: Any, on: bool) -> Iterator[None]:
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(on)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


class Module(types.ModuleType):
    """An internal module, with public names in the place of what it holds."""

    def __init__(self, path: str, names: dict[str, dict[str, str]], tf: Any, helpers: Helpers) -> None:
        super().__init__(path)
        self.__dict__["_finds"] = (path, names, tf, helpers)

    def __getattr__(self, name: str) -> Any:
        path, names, tf, helpers = self.__dict__["_finds"]
        if name.startswith("__"):
            raise AttributeError(name)
        found = helpers.find(path, name)
        if found is None and f"{path}.{name}" in names:
            return Module(f"{path}.{name}", names, tf, helpers)
        if found is None and path in ("tensorflow.python.platform.test", "tensorflow.python.platform.googletest"):
            found = getattr(tf.test, name, None)
        if found is None:
            public = names.get(path, {}).get(name)
            try:
                found = functools.reduce(getattr, public.split("."), tf) if public else Missing(f"{path}.{name}")
            except (AttributeError, NotImplementedError, ImportError):
                found = Missing(f"tf.{public}")
        self.__dict__[name] = found
        return found


def load(file: pathlib.Path, tf: Any, names: dict[str, dict[str, str]]) -> types.ModuleType:
    """The test file as a module, whose imports of TensorFlow are answered with public names of `tf`."""
    helpers = Helpers(tf)

    def answer(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if name.split(".")[0] != "tensorflow":
            return builtins.__import__(name, globals, locals, fromlist, level)
        if name == "tensorflow":
            return tf
        return Module(name if fromlist else "tensorflow", names, tf, helpers)

    module = types.ModuleType(file.stem)
    module.__dict__.update(__builtins__={**vars(builtins), "__import__": answer}, __file__=str(file))
    sys.modules[file.stem] = module
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), module.__dict__)
    return module


# -- one file, on one side --


class Outcomes(unittest.TestResult):
    """What became of each test: "passed", or the last line of its error, with "missing" or "private" before it where that is the reason."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.tracebacks: dict[str, str] = {}

    def startTest(self, test: Any) -> None:
        super().startTest(test)
        signal.alarm(SECONDS)

    def stopTest(self, test: Any) -> None:
        signal.alarm(0)
        super().stopTest(test)

    def addSuccess(self, test: Any) -> None:
        self.found.setdefault(_name(test), "passed")

    def addSkip(self, test: Any, reason: str) -> None:
        self.found[_name(test)] = f"skipped: {reason}"

    def addFailure(self, test: Any, error: Any) -> None:
        self._add(test, error)

    def addError(self, test: Any, error: Any) -> None:
        self._add(test, error)

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        if error is not None:
            self._add(test, error)

    def _add(self, test: Any, error: Any) -> None:
        lines = traceback.format_exception_only(error[0], error[1])
        text = lines[-1].strip() if len(lines[-1]) > 30 else " ".join("".join(lines).split())
        kind = "failed"
        if issubclass(error[0], MissingName) or "<missing " in str(
            error[1]
        ):  # used, or handed on, or taken for an expected error
            kind = "missing"
        elif issubclass(error[0], AttributeError) and re.search(r"attribute '_[^_]", str(error[1])):
            kind = "private"
        self.found[_name(test)] = f"{kind}: {text[:300]}"
        self.tracebacks[_name(test)] = "".join(traceback.format_exception(*error))[-3000:]


def _name(test: Any) -> str:
    """Class and method. What `id` adds to these, the parameters as text, shows objects of one side."""
    return f"{type(test).__name__}.{test._testMethodName}"


def run_file(file: pathlib.Path, side: str, names_file: str, out: str, only: Sequence[str]) -> None:
    """Run one file's tests on `side`, and write their outcomes after each."""
    names = json.loads(pathlib.Path(names_file).read_text())
    if side == "whygrad without JAX":
        sys.modules["jax"] = None  # type: ignore[assignment]
    tf = importlib.import_module(side.split()[0])
    signal.signal(signal.SIGALRM, _too_long)
    outcomes = Outcomes()

    def write() -> None:
        pathlib.Path(out).write_text(json.dumps({"found": outcomes.found, "tracebacks": outcomes.tracebacks}))

    try:
        suite = unittest.defaultTestLoader.loadTestsFromModule(load(file, tf, names))
    except BaseException:
        outcomes.found["(import)"] = f"failed: {traceback.format_exc().splitlines()[-1][:300]}"
        outcomes.tracebacks["(import)"] = traceback.format_exc()[-3000:]
        write()
        return
    for test in _flat(suite):
        if only and _name(test) not in only:
            continue
        test.run(outcomes)
        write()
    write()


def _too_long(*_: Any) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def _flat(suite: Any) -> Iterator[Any]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from _flat(each)
        else:
            yield each


# -- all files, on both sides --


def in_a_process(file: pathlib.Path, side: str, names: str, only: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """The outcomes of a file's tests on one side, also if its process ended early."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "outcomes.json")
        arguments = [sys.executable, "-m", "tools.tensorflow_tests", "--file", str(file), side, names, str(out), *only]
        environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore", "TF2_BEHAVIOR": "1"}
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                arguments,
                env=environment,
                timeout=FILE_SECONDS,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        return json.loads(out.read_text()) if out.exists() else {"found": {}, "tracebacks": {}}


def main(arguments: Sequence[str]) -> int:
    """Run the files on TensorFlow, then on whygrad, and print a table."""
    arguments = [*arguments]
    del sys.argv[1:]  # modules of TensorFlow's parse the command line when they are imported
    if arguments[:1] == ["--file"]:
        given, side, names_given, out, *only = arguments[1:]
        run_file(pathlib.Path(given), side, names_given, out, only)
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="the folder that holds TensorFlow's `tensorflow/python`")
    parser.add_argument("files", nargs="*", help="below tensorflow/python; all that the results hold if none is given")
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("tensorflow_tests.json"))
    parser.add_argument("--again", action="store_true", help="run what failed on whygrad again")
    parser.add_argument("--without-jax", action="store_true")
    options = parser.parse_args(arguments)
    root = options.source / "tensorflow" / "python"
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    files = [file for each in options.files for file in _files_in(root / each)] or [root / each for each in results]
    names = options.results.with_suffix(".names.json")
    if not names.exists():
        every = [each for folder in ("eager", "framework", "kernel_tests", "ops") for each in _files_in(root / folder)]
        names.write_text(json.dumps(public_names(sorted(imported_modules(every)))))
    side = "whygrad without JAX" if options.without_jax else "whygrad"
    for file in files:
        result = results.setdefault(str(file.relative_to(root)), {})
        if "tensorflow" not in result:
            result["tensorflow"] = in_a_process(file, "tensorflow", str(names))["found"]
        counted = [test for test, found in result["tensorflow"].items() if found == "passed"]
        before = result.get(side, {})
        failed = [test for test in counted if before.get(test) != "passed"]
        if counted and (side not in result or (options.again and failed)):
            outcome = in_a_process(file, side, str(names), failed)
            result[side] = before | outcome["found"]
            result[f"{side}: tracebacks"] = outcome["tracebacks"]
        passed, judged = count(result, side)
        print(f"{passed} of {judged} {file.relative_to(root)}", flush=True)
        options.results.write_text(json.dumps(results, indent=1))
    passed, judged = (sum(each) for each in zip(*[count(result, side) for result in results.values()]))
    print(f"all: {passed} of {judged} ({passed / max(judged, 1):.1%})")
    return 0


def count(result: dict[str, dict[str, str]], side: str) -> tuple[int, int]:
    """How many tests pass on this side, of those that count."""
    ours = result.get(side, {})
    counted = [ours.get(test, "not reached") for test, found in result["tensorflow"].items() if found == "passed"]
    judged = [each for each in counted if not each.startswith(("missing", "private", "not reached", "skipped"))]
    return judged.count("passed"), len(judged)


def _files_in(path: pathlib.Path) -> list[pathlib.Path]:
    if path.is_file():
        return [path]
    return [each for each in sorted(path.rglob("*_test.py")) if not LEFT_OUT.search(str(each.relative_to(path)))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
