"""Tracebacks and warnings as Python itself prints them."""

import io
import os
import subprocess
import sys
import warnings

import pytest

import whygrad as tf
from whygrad.view import notice
from whygrad.view.terminal import MOST_LINES, render
from whygrad.view.tracebacks import shortened
from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site


@pytest.fixture(autouse=True)
def _nothing_said_yet():
    notice._reported.clear()


def files(traceback):
    found = []
    while traceback is not None:
        found.append(traceback.tb_frame.f_code.co_filename)
        traceback = traceback.tb_next
    return found


def test_own_frames_are_left_out():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.map_fn(lambda row: tf.reshape(row, (7,)), tf.ones((2, 3)))
    error = caught.value
    assert files(shortened(error, error.__traceback__)) == [__file__, __file__]
    assert error.causes[0].kind == "reshape-count"


@pytest.mark.parametrize("call", [lambda f: tf.map_fn(f, tf.ones((2, 3))), lambda f: tf.function(f)(tf.ones(3))])
def test_own_frames_are_left_out_of_the_programs_exceptions(call):
    with pytest.raises(ZeroDivisionError) as caught:
        call(lambda row: 1 / 0)
    assert files(shortened(caught.value, caught.value.__traceback__)) == [__file__] * 3


def test_own_frames_are_left_out_where_a_library_took_out_its_own():
    with pytest.raises(ZeroDivisionError) as caught:
        tf.function(lambda _: tf.distribute.get_strategy().run(lambda: 1 / 0))(1)
    last = caught.value.__traceback__
    while last.tb_frame.f_code.co_name != "run":
        last = last.tb_next
    last.tb_next = None  # as after Keras's filter
    found = files(shortened(caught.value, caught.value.__traceback__))
    assert found
    assert set(found) == {__file__}


def test_other_exceptions_keep_their_frames():
    inside = os.path.join(os.path.dirname(tf.__file__), "ops", "faulty.py")
    faulty = eval(compile("lambda row: 1 / 0", inside, "eval"))
    with pytest.raises(ZeroDivisionError) as caught:
        tf.map_fn(faulty, tf.ones((2, 3)))
    found = files(shortened(caught.value, caught.value.__traceback__))
    assert found[-1] == inside
    assert len(found) > 2


def warn_of_none():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)  # asked here


def printed(monkeypatch, stream):
    """What Python prints for a warning, where stderr is this stream."""
    monkeypatch.setattr(sys, "stderr", stream)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_none()
    (warning,) = caught
    return warnings.formatwarning(warning.message, warning.category, warning.filename, warning.lineno)


def test_no_source_line_is_printed_twice(monkeypatch):
    said = printed(monkeypatch, io.StringIO())
    assert "NoGradientWarning: the gradient of `y`" in said
    assert said.count("tape.gradient(y, x)") == 1


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_a_terminal_gets_colour_and_its_width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    said = printed(monkeypatch, Terminal())
    assert "\x1b[1;31m" in said
    frame = said.partition("\n")[2]
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;36m"):
        frame = frame.replace(code, "")
    assert max(map(len, frame.splitlines())) <= 60


def test_the_text_of_a_warning_has_no_colour():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_none()
    assert "\x1b" not in str(caught[0].message)
    assert f"{caught[0].message}" == str(caught[0].message)


def test_a_cause_has_at_most_twelve_lines():
    sites = tuple(Site("gone.py", i, 0, i, 5, "a + b", f"place {i}") for i in range(1, 9))
    cause = Cause("log-of-zero", "nonfinite", "a sentence " * 20, sites, "help " * 60)
    lines = render(cause).splitlines()
    assert len(lines) <= MOST_LINES
    assert "place 1" in "\n".join(lines)


FAILING = "import whygrad as tf\nx = tf.ones(3)\nwith tf.GradientTape() as tape:\n    y = x * 2.0\n"


def test_python_itself_prints_short_tracebacks_and_the_lines_of_code_in_no_file():
    code = FAILING + "print(tape.gradient(y, x))\ntape.gradient(y, x)\n"
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=600, env=environment
    )
    assert "print(tape.gradient(y, x))" in done.stderr  # in the frame of the warning
    assert "gradient_tape.py" not in done.stderr
    assert "this tape has already given its one set of gradients" in done.stderr


def test_the_environment_can_ask_for_a_trace(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import whygrad as tf\nx = tf.Variable([1.0, 0.0])\nwith tf.GradientTape() as tape:\n"
        "    y = tf.reduce_sum(tf.sqrt(x))\nprint(tape.gradient(y, x).numpy())\n"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "WHYGRAD": "trace"}
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, encoding="utf-8", timeout=600, env=environment
    )
    assert done.stdout == "[0.5 inf]\n"
    assert "whygrad: 1 finding (checked 1 tape, 1 gradient, " in done.stderr
    assert "more: whygrad explain infinite-slope" in done.stderr
    assert "GradientWarning" not in done.stderr


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f'"{sys.executable}" -m whygrad explain | head -n 1'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=600)
    assert (done.stdout, done.stderr) == ("an exception:\n", "")
