"""The right line wherever Python knows it: unusual sources and unusual code."""

import _thread
import code
import sys
import textwrap
import threading
import zipfile

import pytest

import whygrad as tf
from tests.support.programs import run, traced
from whygrad.values.recorders import Recorder, ThreadState
from whygrad.why.evidence.trace import tracing

CUT = """
    w = tf.Variable([0.2, 0.7])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.round(w))
    tape.gradient(y, w)
"""


def found(text, folder):
    (cause,) = traced(text, folder)
    return cause.kind, cause.site.line, cause.site.text


def test_a_source_without_a_file():
    with tracing() as trace:
        run(CUT)
    (cause,) = trace.findings
    assert (cause.kind, cause.site.file, cause.site.line, cause.site.text) == (
        "non-differentiable-op",
        "<nowhere>",
        4,
        "",
    )
    assert cause.sentence.startswith("the gradient of `y` with respect to `w` is None")  # read off the bytecode


def test_the_operands_of_a_call_without_a_source():
    with tracing() as trace:
        run("""
            share = tf.Variable([0.0, 1.0])
            with tf.GradientTape() as tape:
                y = tf.math.log(share)
            tape.gradient(y, share)
        """)
    (cause,) = trace.findings
    assert (cause.kind, cause.shapes) == ("log-of-zero", {"share": "float32 (2,)"})
    assert "the logarithm is taken of `share`" in cause.sentence


def test_a_call_with_unpacked_arguments_and_no_source():
    with tracing() as trace:
        run(CUT.replace("gradient(y, w)", "gradient(*(y, w))"))
    (cause,) = trace.findings
    assert cause.sentence.startswith("the gradient of the target with respect to the source is None")


def test_the_interactive_interpreter():
    shell = code.InteractiveInterpreter({"tf": tf})
    with tracing() as trace:
        for statement in (
            "w = tf.Variable(0.2)\n",
            "with tf.GradientTape() as tape:\n    y = tf.round(w)\n",
            "g = tape.gradient(y, w)\n",
        ):
            assert shell.runsource(statement, "<stdin>") is False
    (cause,) = trace.findings
    assert (cause.kind, cause.site.file, cause.site.line) == ("non-differentiable-op", "<stdin>", 2)


def test_a_source_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        archive.writestr("zipped_model.py", "import whygrad as tf\ndef cut(w):\n    return tf.round(w)\n")
    monkeypatch.syspath_prepend(str(tmp_path / "library.zip"))
    monkeypatch.delitem(sys.modules, "zipped_model", raising=False)
    kind, line, text = found(
        """
        import zipped_model
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = zipped_model.cut(w)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert (kind, line, text) == ("non-differentiable-op", 3, "tf.round(w)")


def test_a_source_that_was_edited_since_it_started(tmp_path):
    path = tmp_path / "program.py"
    source = textwrap.dedent(CUT)
    compiled = compile(source, str(path), "exec")
    path.write_text(
        "# a line more\n# and another\n" + source.replace("tf.round(w)", "tf.floor(w) + 1.0"), encoding="utf-8"
    )
    with tracing() as trace:
        exec(compiled, {"tf": tf})
    (cause,) = trace.findings
    assert (cause.kind, cause.site.line, cause.site.text) == ("non-differentiable-op", 4, "")


def test_a_source_that_was_edited_in_place(tmp_path):
    path = tmp_path / "program.py"
    source = textwrap.dedent(CUT)
    compiled = compile(source, str(path), "exec")
    path.write_text(source.replace("tf.round(w)", "tf.floor(w)"), encoding="utf-8")
    with tracing() as trace:
        exec(compiled, {"tf": tf})
    (cause,) = trace.findings
    assert (cause.kind, cause.site.line, cause.site.text) == ("non-differentiable-op", 4, "")
    assert cause.sites[-1].text == "tape.gradient(y, w)"


def test_a_chain_of_methods_over_several_lines(tmp_path):
    (cause,) = traced(
        """
        class Chain:
            def __init__(self, value):
                self.value = value
            def rounded(self):
                return Chain(tf.round(self.value))
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = (Chain(w)
                 .rounded()
                 .value)
        (tape
            .gradient(y, w))
        """,
        tmp_path,
    )
    assert (cause.site.line, cause.site.text) == (6, "tf.round(self.value)")
    assert "`y` with respect to `w`" in cause.sentence


def test_a_source_that_is_gone_or_broken(tmp_path):
    path = tmp_path / "program.py"
    compiled = compile(textwrap.dedent(CUT), str(path), "exec")
    path.write_text("def (:\n" * 9, encoding="utf-8")
    with tracing() as trace:
        exec(compiled, {"tf": tf})
    (cause,) = trace.findings
    assert (cause.kind, cause.site.line, cause.site.text) == ("non-differentiable-op", 4, "")


def test_a_lambda(tmp_path):
    text = CUT.replace("tf.round(w))", "(lambda v: tf.round(v))(w))")
    assert found(text, tmp_path) == ("non-differentiable-op", 4, "tf.round(v)")


def test_a_comprehension(tmp_path):
    text = CUT.replace("tf.round(w))", "tf.stack([tf.round(v) for v in tf.unstack(w)]))")
    assert found(text, tmp_path) == ("non-differentiable-op", 4, "tf.round(v)")


def test_an_expression_over_several_lines(tmp_path):
    text = CUT.replace("tf.round(w))", "\n            tf.round(\n                w\n            )\n        )")
    assert found(text, tmp_path) == ("non-differentiable-op", 5, "tf.round( w )")


def test_a_decorated_function(tmp_path):
    assert found(
        """
        import functools
        def logged(f):
            @functools.wraps(f)
            def wrapper(*args):
                return f(*args)
            return wrapper
        @logged
        @logged
        def model(v):
            return tf.round(v)
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = model(w)
        tape.gradient(y, w)
        """,
        tmp_path,
    ) == ("non-differentiable-op", 11, "tf.round(v)")


def test_a_generator(tmp_path):
    assert found(
        """
        def stages(v):
            v = v * 2.0
            yield v
            v = tf.round(v)
            yield v
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            *_, y = stages(w)
        tape.gradient(y, w)
        """,
        tmp_path,
    ) == ("non-differentiable-op", 5, "tf.round(v)")


def test_a_coroutine(tmp_path):
    assert found(
        """
        import asyncio
        async def model(v):
            await asyncio.sleep(0)
            return tf.round(v)
        async def main():
            w = tf.Variable(0.2)
            with tf.GradientTape() as tape:
                y = await model(w)
            return tape.gradient(y, w)
        asyncio.run(main())
        """,
        tmp_path,
    ) == ("non-differentiable-op", 5, "tf.round(v)")


def test_a_deep_stack(tmp_path):
    assert found(
        """
        def down(n, v):
            return tf.round(v) if n == 0 else down(n - 1, v)
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = down(300, w)
        tape.gradient(y, w)
        """,
        tmp_path,
    ) == ("non-differentiable-op", 3, "tf.round(v)")


def test_letters_beyond_ascii(tmp_path):
    (cause,) = traced(
        """
        größe = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            日本, y = "漢字 😀", tf.reduce_sum(tf.round(größe))
        tape.gradient(y, größe)
        """,
        tmp_path,
    )
    line = '    日本, y = "漢字 😀", tf.reduce_sum(tf.round(größe))'
    assert (cause.site.text, cause.site.column) == ("tf.round(größe)", line.index("tf.round"))
    assert "`größe`" in cause.sentence


def test_a_class_body_and_a_walrus(tmp_path):
    assert found(
        """
        class Setup:
            w = tf.Variable(0.2)
            with tf.GradientTape() as tape:
                y = (z := tf.round(w)) * 2.0
            g = tape.gradient(y, w)
        """,
        tmp_path,
    ) == ("non-differentiable-op", 5, "tf.round(w)")


def test_exec_inside_a_function(tmp_path):
    text = "def train():\n    exec(" + repr(textwrap.dedent(CUT)) + ", {'tf': tf})\ntrain()\n"
    with tracing() as trace:
        run(text, tmp_path / "program.py")
    (cause,) = trace.findings
    assert (cause.kind, cause.site.file, cause.site.line) == ("non-differentiable-op", "<string>", 4)


def test_code_without_positions(tmp_path):
    path = tmp_path / "program.py"
    source = textwrap.dedent(CUT)
    path.write_text(source, encoding="utf-8")
    compiled = compile(source, str(path), "exec")
    bare = compiled.replace(co_linetable=b"")
    with tracing() as trace:
        exec(bare, {"tf": tf})
    assert [cause.kind for cause in trace.findings] == ["non-differentiable-op"]


def test_a_program_in_several_files(tmp_path, monkeypatch):
    (tmp_path / "clinic_scaling.py").write_text(
        "import numpy as np\n\n\ndef scaled(batch):\n    batch = np.asarray(batch)\n    return batch / np.abs(batch).max()\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "clinic_scaling", raising=False)
    (cause,) = traced(
        """
        import clinic_scaling
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(clinic_scaling.scaled(w * 2.0))
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.likely, cause.site.line, cause.site.text) == (
        "numpy-conversion",
        False,
        5,
        "np.asarray(batch)",
    )
    assert cause.site.file.endswith("clinic_scaling.py")


def test_a_branch_in_another_file(tmp_path, monkeypatch):
    (tmp_path / "clinic_tariff.py").write_text(
        "def bill(usage, rates, peak):\n    if peak:\n        return rates.high * usage\n    return rates.low * usage\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "clinic_tariff", raising=False)
    (cause,) = traced(
        """
        import clinic_tariff
        class Rates:
            def __init__(self):
                self.low, self.high = tf.Variable(0.1), tf.Variable(0.3)
        rates = Rates()
        with tf.GradientTape() as tape:
            cost = clinic_tariff.bill(tf.constant(2.0), rates, peak=False)
        tape.gradient(cost, [rates.low, rates.high])
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line, cause.site.text) == ("branch-not-taken", 2, "peak")
    assert cause.site.file.endswith("clinic_tariff.py")


@pytest.mark.parametrize(
    "op", [tf.sin, tf.square, tf.reduce_sum, tf.transpose, tf.nn.softmax], ids=lambda op: op.__name__
)
def test_an_op_that_no_python_code_called(op, monkeypatch):
    """As a thread's own function: there is no line to tell of, and nothing fails for it."""
    raised, computed = [], threading.Event()
    monkeypatch.setattr(sys, "unraisablehook", raised.append)

    class Told(Recorder):
        def append(self, record):
            computed.set()

    monkeypatch.setattr(ThreadState, "recorders", (Told(),))  # as under a trace, which records all threads
    _thread.start_new_thread(op, (tf.constant([1.0, 2.0]),))
    assert computed.wait(10)
    assert not raised
