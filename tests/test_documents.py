"""What the documents show, runs: doctests of every module, and the programs of the README."""

import contextlib
import doctest
import importlib
import importlib.util
import inspect
import io
import pkgutil
import sys

import pytest

import whygrad
from tests.support.documents import ROOT, answer, printed, programs, sessions, titled
from whygrad._public.table import TABLE

# What stands on JAX is loaded when something is compiled, and cannot be loaded where JAX is not installed.
WITH_JAX = () if importlib.util.find_spec("jax") else ("whygrad.engines.xla", "whygrad.engines.xla_spread")
WITH_KERAS = () if importlib.util.find_spec("keras") else ("whygrad.keras",)
MODULES = sorted({m.name for m in pkgutil.walk_packages(whygrad.__path__, "whygrad.")} - {*WITH_JAX, *WITH_KERAS})


@pytest.mark.parametrize("module", ["whygrad", *MODULES])
def test_doctests(module):
    failed, _ = doctest.testmod(importlib.import_module(module), verbose=False)
    assert failed == 0


def _public_functions():
    for name in [*TABLE, "whygrad.numpy"]:
        module = importlib.import_module(name)
        for attribute in vars(module).get("__all__") or dir(module):
            value = getattr(module, attribute)
            ours = getattr(value, "__module__", None) or ""
            if not attribute.startswith("_") and inspect.isroutine(value) and ours.startswith("whygrad"):
                yield f"{name}.{attribute}", value


def test_public_functions_are_documented_with_an_example():
    """The functions of `whygrad.numpy` mean what NumPy's own documentation says, and need only say which they are."""
    without = [
        name
        for name, function in _public_functions()
        if (">>>" if not name.startswith("whygrad.numpy.") else "") not in (function.__doc__ or "")
        or not function.__doc__
    ]
    assert not without


def test_examples_of_ops_declared_by_table_run():
    """The docstrings of ops made by `unary` and `binary` are not found by doctest on their modules: run them here."""
    finder, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    seen = set()
    for name, function in _public_functions():
        code = getattr(function, "__code__", None)
        in_its_module = code is not None and code.co_filename == sys.modules[function.__module__].__file__
        if id(function) in seen or not function.__doc__ or in_its_module:
            continue
        seen.add(id(function))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            result = runner.run(finder.get_doctest(function.__doc__, {}, name, None, None), clear_globs=True)
        assert result.failed == 0, f"{name}\n{output.getvalue()}"


DOCUMENTS = {
    "README.md": 3,
    "docs/architecture.md": 2,
    "docs/data.md": 3,
    "docs/functions.md": 5,
    "docs/index.md": 1,
    "docs/learn.md": 6,
    "docs/numpy.md": 4,
    "docs/page.md": 1,
    "docs/saved_model.md": 1,
    "docs/sparse.md": 2,
    "docs/strings_ragged_sparse.md": 3,
    "docs/summary.md": 1,
    "docs/tensorflow.md": 3,
}  # with how many programs each shows, at least
ELSEWHERE = {  # their programs run there, with what they need
    "docs/causes.md": "tests/clinic",
    "docs/distribute.md": "tests/compile/test_strategies.py",
    "docs/extend.md": "tests/compile/test_documents.py",
    "docs/function.md": "tests/compile/test_documents.py",
    "docs/keras.md": "tests/keras/test_documents.py",
}
SHOWN = {f"{document}-{i}": each for document in DOCUMENTS for i, each in enumerate(programs(document))}
SESSIONS = {f"{document}-{i}": (document, *each) for document in DOCUMENTS for i, each in enumerate(sessions(document))}


@pytest.mark.parametrize("name", SHOWN)
def test_a_program_prints_what_its_document_shows(name, tmp_path):
    program, shown = SHOWN[name]
    assert printed(program, tmp_path) == shown.strip()


@pytest.mark.parametrize("name", SESSIONS)
def test_a_command_prints_what_its_document_shows(name, tmp_path):
    document, command, shown = SESSIONS[name]
    assert answer(command, document, tmp_path) == shown.strip()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_documents_show_programs(document):
    assert len(programs(document)) + len(sessions(document)) >= DOCUMENTS[document]


def test_a_document_that_shows_programs_runs_here_or_elsewhere():
    documents = ["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
    with_programs = {each for each in documents if "```python" in (ROOT / each).read_text(encoding="utf-8")}
    assert with_programs == {*DOCUMENTS, *ELSEWHERE}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_file_of_the_repository_is_shown_as_it_is(document):
    for name, program in titled(document).items():
        if (ROOT / name).exists():
            assert (ROOT / name).read_text(encoding="utf-8") == program, name
