"""The right line of an op that raised, wherever Python knows it: unusual sources and unusual code."""

import code
import sys
import textwrap
import traceback
import zipfile

import pytest

import whygrad as tf
from tests.support.programs import run
from whygrad.values.errors import Explained

FAILS = """
    x, y = tf.ones([2]), tf.ones([3])
    z = x + y
"""


def _caused(function):
    with pytest.raises(Explained) as caught:
        function()
    (cause,) = caught.value.causes
    assert "help: " in "".join(traceback.format_exception(caught.value))
    return cause


def test_a_source_without_a_file():
    cause = _caused(lambda: run(FAILS))
    assert (cause.kind, cause.site.file, cause.site.line, cause.site.text) == ("shape-mismatch", "<nowhere>", 3, "")
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}


def test_a_method_without_a_source():
    cause = _caused(lambda: run("w = tf.Variable([1.0])\nw.assign([1.0, 2.0] * tf.ones(2))\n"))
    assert cause.shapes == {"variable": "float32 (1,)", "value": "float32 (2,)"}


def test_the_interactive_interpreter():
    class Shell(code.InteractiveInterpreter):
        def showtraceback(self):
            self.error = sys.exception() if sys.version_info >= (3, 12) else sys.exc_info()[1]

    shell = Shell({"tf": tf})
    for line in textwrap.dedent(FAILS).strip().splitlines():
        shell.runsource(line + "\n", "<stdin>")
    (cause,) = shell.error.causes
    assert (cause.kind, cause.site.file, cause.site.line) == ("shape-mismatch", "<stdin>", 1)
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}


def test_a_notebooks_cell(tmp_path):
    import linecache

    source = textwrap.dedent(FAILS)
    name = "<ipython-input-3-cell>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        cause = _caused(lambda: exec(compile(source, name, "exec"), {"tf": tf}))
    finally:
        del linecache.cache[name]
    assert (cause.site.file, cause.site.line, cause.site.text) == (name, 3, "x + y")


def test_a_source_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        archive.writestr("zipped_sum.py", "def total(x, y):\n    return x + y\n")
    monkeypatch.syspath_prepend(str(tmp_path / "library.zip"))
    monkeypatch.delitem(sys.modules, "zipped_sum", raising=False)
    import zipped_sum

    cause = _caused(lambda: zipped_sum.total(tf.ones(2), tf.ones(3)))
    assert cause.site.file.endswith("zipped_sum.py")
    assert (cause.site.line, cause.shapes) == (2, {"x": "float32 (2,)", "y": "float32 (3,)"})


@pytest.mark.parametrize("edit", ["# a line more\n{}", "def (:\n", ""])
def test_a_source_that_was_edited_or_is_gone(edit, tmp_path):
    path = tmp_path / "program.py"
    source = textwrap.dedent(FAILS)
    compiled = compile(source, str(path), "exec")
    path.write_text(edit.format(source.replace("x + y", "a * b")), encoding="utf-8")
    cause = _caused(lambda: exec(compiled, {"tf": tf}))
    assert (cause.kind, cause.site.line, cause.site.text) == ("shape-mismatch", 3, "")
    assert list(cause.shapes.values()) == ["float32 (2,)", "float32 (3,)"]


ODD = {
    "a lambda": ("f = lambda v: v @ v\nf(tf.ones([2, 3]))\n", 1, "v @ v"),
    "a comprehension": ("z = [v + tf.ones(3)\n     for v in [tf.ones(2)]]\n", 1, "v + tf.ones(3)"),
    "several lines": ("z = tf.matmul(\n    tf.ones([2, 3]),\n    tf.ones([2, 3]),\n)\n", 1, "tf.matmul( tf.ones([2, 3]), tf.ones([2, 3]), )"),
    "a decorated function": (
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def wrapper(*args):\n        return f(*args)\n"
        "    return wrapper\n@logged\n@logged\ndef model(v):\n    return v + tf.ones(3)\nmodel(tf.ones(2))\n",
        10,
        "v + tf.ones(3)",
    ),
    "a generator": ("def stages(v):\n    yield v\n    yield v + tf.ones(3)\nlist(stages(tf.ones(2)))\n", 3, "v + tf.ones(3)"),
    "a coroutine": (
        "import asyncio\nasync def model(v):\n    await asyncio.sleep(0)\n    return v + tf.ones(3)\n"
        "asyncio.run(model(tf.ones(2)))\n",
        4,
        "v + tf.ones(3)",
    ),
    "a deep stack": ("def down(n, v):\n    return v + tf.ones(3) if n == 0 else down(n - 1, v)\ndown(300, tf.ones(2))\n", 2, "v + tf.ones(3)"),
    "letters beyond ASCII": ('größe, 日本 = tf.ones(2), "漢字 😀"\nz = "😀", größe + tf.ones(3)\n', 2, "größe + tf.ones(3)"),
    "a class body": ("class Setup:\n    z = tf.ones(2) + tf.ones(3)\n", 2, "tf.ones(2) + tf.ones(3)"),
    "a mapped function": ("tf.map_fn(lambda v: tf.reshape(v, [5]), tf.ones([2, 2]))\n", 1, "tf.reshape(v, [5])"),
    "a chain of methods": (
        "class Chain:\n    def __init__(self, v):\n        self.v = v\n    def plus(self):\n        return self.v + tf.ones(3)\n"
        "(Chain(tf.ones(2))\n    .plus())\n",
        5,
        "self.v + tf.ones(3)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_code(name, tmp_path):
    source, line, text = ODD[name]
    cause = _caused(lambda: run(source, tmp_path / "program.py"))
    assert (cause.site.line, cause.site.text) == (line, text)
    assert len(cause.shapes) >= 1


def test_a_name_that_was_given_another_value_since(tmp_path):
    text = """
        x, y = tf.ones([2]), tf.ones([3])
        try:
            x + y
        except tf.errors.InvalidArgumentError as error:
            x = y = None
            causes = error.causes
        """
    (cause,) = run(text, tmp_path / "program.py")["causes"]
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}
