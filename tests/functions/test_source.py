"""The source of a function that is converted: what `inspect` gives, found without a look through all loaded modules."""

import functools
import inspect
import linecache
import os
import types
import zipfile

import pytest

from whygrad.compile.conversion import _source_of


def plain(x):
    return x + 1


@functools.lru_cache(
    maxsize=4,
)
def decorated(
    x,
):
    if x:
        return 1

    return 2  # the last line


class Holder:
    @staticmethod
    @functools.wraps(plain)
    def method(x):
        """A text
        that is not indented
        as the rest."""
        return x


def made():
    def inner(x): return x  # fmt: skip

    return inner


@pytest.mark.parametrize("function", [plain, decorated.__wrapped__, Holder.method, made()])
def test_the_source_is_that_of_inspect(function):
    assert _source_of(function.__code__) == inspect.getsourcelines(function.__code__)


def test_no_module_is_looked_at(monkeypatch):
    wanted = inspect.getsourcelines(plain)
    monkeypatch.setattr(inspect, "getmodule", lambda *given: pytest.fail("it looks through all modules"))
    assert _source_of(plain.__code__) == wanted


def compiled(source, filename):
    names = {}
    exec(compile(source, filename, "exec"), names)
    return names["f"].__code__


def test_a_file_that_changed_is_read_again(tmp_path):
    path = tmp_path / "changing.py"
    for source in ("def f():\n    return 1\n", "def f():\n    return 1 + 1\n"):
        path.write_text(source)
        os.utime(path, (len(source), len(source)))
        assert _source_of(compiled(source, str(path))) == (source.splitlines(keepends=True), 1)


def test_a_cell_of_a_notebook_has_source():
    source, name = "y = 1\ndef f():\n    return 2\n", "<cell 1 of test_source>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    try:
        assert _source_of(compiled(source, name)) == (["def f():\n", "    return 2\n"], 2)
    finally:
        del linecache.cache[name]


@pytest.mark.parametrize("name", ["<text>", "no_such_file.py", ""])
def test_where_there_is_no_source_the_error_is_that_of_inspect(name):
    with pytest.raises(OSError, match="source"):
        _source_of(compiled("def f(): return 2", name))


def test_a_module_in_an_archive_has_source(tmp_path, monkeypatch):
    archive = tmp_path / "modules.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("module_in_archive.py", "\n\ndef f(x):\n    return x\n")
    monkeypatch.syspath_prepend(str(archive))
    import module_in_archive

    assert isinstance(module_in_archive, types.ModuleType)
    assert _source_of(module_in_archive.f.__code__) == (["def f(x):\n", "    return x\n"], 3)
