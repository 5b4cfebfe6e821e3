"""`whygrad run` and `whygrad explain`: the report, the data, the catalogue's pages."""

import json
import os
import pty
import re
import subprocess
import sys

import pytest

import whygrad as tf
from tests.run.commands import WHYGRAD, run, whygrad, with_findings
from whygrad.run.progress import PERIOD
from whygrad.view import catalogue

HEALTHY = """\
import tensorflow as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x).numpy())
"""

FINDINGS = """[
    cause("a-mistake", "nonfinite", 4, likely=True),
    cause("unwatched", "none", 3),
    cause("unwatched", "none", 3),
    cause("not-finite", "nonfinite", 2),
]"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(HEALTHY)
    return path


def test_a_healthy_program(program, tmp_path):
    found = whygrad("run", "--json", tmp_path / "found.json", program)
    assert found.stdout == "6.0\n"
    assert re.fullmatch(r"whygrad: no gradient problems found \(checked 1 tape, 1 gradient, \d+ ops?\)\n", found.stderr)
    assert found.returncode == 0
    assert (tmp_path / "found.json").read_text() == "[]\n"


def test_a_program_whose_gradient_is_none(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(HEALTHY.replace("tf.Variable", "tf.constant").replace(".numpy()", ""))
    found = whygrad("run", "--json", tmp_path / "found.json", program)
    assert found.stdout == "None\n"
    assert found.stderr.startswith("\nwhygrad: 1 finding (checked 1 tape, 1 gradient, ")
    assert found.stderr.count("is None") == 1  # said once: in the report, and not as a warning besides
    (data,) = json.loads((tmp_path / "found.json").read_text())
    assert (data["kind"], data["symptom"], data["file"]) == ("source-not-watched", "none", str(program))


def test_each_finding_once_most_serious_first(program, tmp_path):
    found = with_findings(FINDINGS, "run", "--json", "found.json", program, cwd=tmp_path)
    assert found.stdout == "6.0\n"
    assert found.stderr == (
        """
whygrad: 3 findings, most serious first (checked 1 tape, 2 gradients, 3 ops)

this is not-finite
  program.py:2  cut here
  help: do this

this is unwatched
  program.py:3  cut here
  help: do this

likely: this is a-mistake
  program.py:4  cut here
  help: do this
"""
    )
    data = json.loads((tmp_path / "found.json").read_text())
    assert [each["kind"] for each in data] == ["not-finite", "unwatched", "a-mistake"]
    required = {"kind", "symptom", "sentence", "file", "line", "column", "sites", "shapes", "help"}
    assert all(required <= set(each) for each in data)
    assert data[0]["shapes"] == {"x": "float32 (3,)"}


def test_the_report_comes_after_exit_handlers_and_threads(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import atexit, sys, threading, time\n"
        "say = lambda word: print(word, file=sys.stderr)\n"
        "atexit.register(say, 'handler')\n"
        "threading.Thread(target=lambda: (time.sleep(0.2), say('thread'))).start()\n"
        "sys.exit(3)\n"
    )
    found = with_findings("[]", "run", program)
    assert found.stderr.split("\n")[:2] == ["thread", "handler"]
    assert found.stderr.split("\n")[2].startswith("whygrad: no gradient problems found (")
    assert found.returncode == 3


RAISING = """\
from whygrad.view.notice import note_of
from whygrad.why.cause import Cause
error = ValueError("shapes differ")
error.causes = [Cause("shape-mismatch", "exception", "x meets y", (), "reshape y")]
error.add_note(note_of(error, error.causes[0]))
error.add_note("a note of somebody else")
"""


def test_the_causes_of_an_exception_are_findings_and_shown_once(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(RAISING + "raise error\n")
    found = with_findings(FINDINGS, "run", "--json", tmp_path / "found.json", program)
    assert found.returncode == 1
    traceback, _, report = found.stderr.partition("\nwhygrad: 4 findings")
    assert traceback.endswith("ValueError: shapes differ\na note of somebody else\n")
    assert report.split("\n")[2:4] == ["x meets y", "  help: reshape y"]
    assert json.loads((tmp_path / "found.json").read_text())[0]["kind"] == "shape-mismatch"


@pytest.mark.parametrize(
    "ending",
    [
        "raise RuntimeError('training failed') from error",
        "try:\n    raise error\nexcept ValueError:\n    raise RuntimeError('training failed')",
        "raise ExceptionGroup('training failed', [TypeError('another'), error])",
    ],
)
def test_causes_are_found_behind_the_exception_that_is_raised(tmp_path, ending):
    program = tmp_path / "program.py"
    program.write_text(RAISING + ending + "\n")
    found = with_findings("[]", "run", program)
    assert "training failed" in found.stderr
    assert found.stderr.count("reshape y") == 1
    assert "\nwhygrad: 1 finding (checked 1 tape, 2 gradients, 3 ops)\n\nx meets y\n" in found.stderr


def test_an_exception_raised_from_none_hides_its_context(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(RAISING + "try:\n    raise error\nexcept ValueError:\n    raise RuntimeError('no') from None\n")
    assert "no gradient problems found" in with_findings("[]", "run", program).stderr


def test_the_traceback_of_an_explained_exception_ends_in_the_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import tensorflow as tf\nx = tf.ones((2, 3))\ny = tf.matmul(x, x)\n")
    found = whygrad("run", program)
    lines = found.stderr.split("\n")
    assert lines[1:3] == [f'  File "{program}", line 3, in <module>', "    y = tf.matmul(x, x)"]
    assert found.stderr.count("  File ") == 1
    assert found.stderr.count("  help: ") == 1


def test_the_traceback_of_a_gradient_that_is_refused_ends_in_the_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorflow as tf\nfrom whygrad.testing import check_gradients\n"
        "@tf.custom_gradient\ndef twice(x):\n    return 2.0 * x, lambda g: 3.0 * g\n"
        "check_gradients(twice, [tf.constant(1.0)])\n"
    )
    found = whygrad("run", program)
    assert found.stderr.count("  File ") == 1
    assert f'  File "{program}", line 6, in <module>' in found.stderr
    assert "GradientMismatch: the gradient of `twice`" in found.stderr


def test_a_tape_whose_gradient_raised_is_counted(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorflow as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
        "tape.gradient(y, x, output_gradients=tf.ones(2))\n"
    )
    assert "whygrad: 1 finding (checked 1 tape, 1 gradient, 1 op)" in whygrad("run", program).stderr


def test_quiet_leaves_the_exception_as_it_is(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(RAISING + "raise error\n")
    found = with_findings(FINDINGS, "run", "--quiet", program)
    assert found.stderr.endswith("ValueError: shapes differ\nx meets y\n  help: reshape y\na note of somebody else\n")


def test_the_causes_of_an_exception_in_a_thread(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(RAISING + "import threading\ndef f():\n    raise error\nthreading.Thread(target=f).start()\n")
    found = with_findings("[]", "run", program)
    assert found.returncode == 0
    assert "\nwhygrad: 1 finding (checked 1 tape, 2 gradients, 3 ops)\n\nx meets y\n" in found.stderr


def test_an_exception_without_causes(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("1 / 0\n")
    found = with_findings("[]", "run", program)
    assert found.stderr.split("\n")[-3:] == [
        "ZeroDivisionError: division by zero",
        "whygrad: no gradient problems found before the exception (checked 1 tape, 2 gradients, 3 ops)",
        "",
    ]


def test_the_program_runs_when_its_explanation_fails(program):
    found = with_findings("[None]", "run", program)
    assert (found.stdout, found.returncode) == ("6.0\n", 0)
    assert found.stderr.startswith("whygrad: the report failed: AttributeError")


def test_ascii_where_the_encoding_wants_it(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("größe = 1\n", encoding="utf-8")
    findings = f"[Cause('k', 'none', 'größe', (Site({str(program)!r}, 1, 0, 1, 5, 'größe', 'hier'),), '…')]"
    found = with_findings(findings, "run", program, env={"PYTHONIOENCODING": "ascii"})
    assert found.stderr.endswith("\n\ngr??e\n  1 | gr??e = 1\n    | ^^^^^  hier\n  help: ...\n")


def test_the_program_may_go_elsewhere_and_close_its_streams(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import os, sys; os.chdir('/'); sys.stdout.close(); sys.stderr.close()")
    found = with_findings(FINDINGS, "run", "--json", "found.json", program, cwd=tmp_path)
    assert found.returncode == 0
    assert len(json.loads((tmp_path / "found.json").read_text())) == 3


def test_old_findings_do_not_outlive_a_run_that_is_killed(tmp_path):
    (tmp_path / "found.json").write_text("[]")
    program = tmp_path / "program.py"
    program.write_text("import os; os._exit(9)")
    assert whygrad("run", "--json", tmp_path / "found.json", program).returncode == 9
    assert not (tmp_path / "found.json").exists()


def test_data_that_cannot_be_written(tmp_path, program):
    found = whygrad("run", "--json", tmp_path / "nowhere" / "found.json", program)
    assert found.returncode == 2
    assert found.stdout == ""
    assert f"the folder {str(tmp_path / 'nowhere')!r} does not exist" in found.stderr


def test_options_after_a_script_that_reads_no_arguments_are_taken(tmp_path):
    plain, reading = tmp_path / "plain.py", tmp_path / "reading.py"
    plain.write_text("print('ran')\n")
    reading.write_text("import sys\nprint(sys.argv[1:])\n")
    found = whygrad("run", "plain.py", "--html", "plain.html", "--json=plain.json", "--quiet", cwd=tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (0, "ran\n", "")
    assert (tmp_path / "plain.html").exists()
    assert (tmp_path / "plain.json").exists()
    found = whygrad("run", "reading.py", "--html", "reading.html", cwd=tmp_path)
    assert found.stdout == "['--html', 'reading.html']\n"
    assert not (tmp_path / "reading.html").exists()
    found = whygrad("run", "plain.py", "--html", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (2, "")
    assert "argument --html: expected one argument" in found.stderr
    whygrad("run", "plain.py", "--", "--html", "after.html", cwd=tmp_path)
    assert not (tmp_path / "after.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "no script given"),
        (["run", "--json"], "expected one argument"),
        (["run", "--jsn", "x", "program.py"], "there is no option --jsn; did you mean --json?"),
        (["run", "-m"], "-m needs the name of a module after it"),
        (["walk"], "there is no command 'walk'; the commands are run and explain"),
        (["expalin", "nan"], "there is no command 'expalin'; did you mean explain?"),
        (["integer-dtype"], "write: whygrad explain integer-dtype"),
        (["nofile.py"], "to run a script, write: whygrad run nofile.py"),
        ([], "run a TensorFlow script on whygrad"),
        (["program.py", "8"], "to run a script, write: whygrad run program.py 8"),
    ],
)
def test_wrong_use(arguments, said, tmp_path):
    for name in ("program.py", "run"):  # a file with the name of a command is not taken for a script
        (tmp_path / name).touch()
    found = whygrad(*arguments, cwd=tmp_path)
    assert found.returncode == 2
    assert said in found.stderr
    assert "Traceback" not in found.stderr


def test_help_and_version():
    assert whygrad("--version").stdout == f"whygrad {tf.__version__}\n"
    assert "--json FILE" in whygrad("run", "--help").stdout


# -- whygrad explain --


@pytest.fixture
def pages(tmp_path, monkeypatch):
    folder = tmp_path / "why" / "causes"
    folder.mkdir(parents=True)
    (folder / "integer-dtype.md").write_text(
        "# integer-dtype\n\nSymptom: none\n\nIntegers have no derivative: größer\n", encoding="utf-8"
    )
    (folder / "log-of-zero.md").write_text(
        "# log-of-zero\n\nSymptom: nonfinite\n\nThe logarithm is taken\nof zero (exactly). More.\n", encoding="utf-8"
    )
    monkeypatch.setattr(catalogue.resources, "files", lambda package: folder)


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("kind", ["integer-dtype", "Integer dtype", "integer_dtype"])
def test_explain_prints_the_page(kind, capsys):
    from whygrad.run.command import main

    assert main(["explain", kind]) == 0
    symptom = "Symptom: a gradient that is None"
    assert capsys.readouterr().out == f"# integer-dtype\n\n{symptom}\n\nIntegers have no derivative: größer\n"


def test_explain_prints_the_frames_of_a_page_in_ascii_where_the_encoding_wants_it():
    found = whygrad("explain", "where-nan-branch", env={"PYTHONIOENCODING": "ascii"})
    assert (found.returncode, found.stderr) == (0, "")
    assert "  5 |     feature = tf.where(" in found.stdout


def test_the_warnings_of_a_plain_program_are_drawn_in_ascii_where_the_encoding_wants_it(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import whygrad as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as tape:\n    y = tf.floor(x)\n"
        "tape.gradient(y, x)\n"
    )
    found = run([sys.executable, program], env={"PYTHONIOENCODING": "ascii"})
    assert "  4 |     y = tf.floor(x)\n    |         ^^^^^^^^^^^  cut here" in found.stderr


@pytest.mark.usefixtures("pages")
def test_explain_an_unknown_kind(capsys):
    from whygrad.run.command import main

    assert main(["explain", "integer-type"]) == 2
    assert capsys.readouterr().err == (
        "whygrad: no kind of cause is called 'integer-type'; did you mean integer-dtype?\n"
        "`whygrad explain` lists them all\n"
    )


@pytest.mark.usefixtures("pages")
def test_explain_lists_the_kinds(capsys):
    from whygrad.run.command import main

    assert main(["explain"]) == 0
    assert capsys.readouterr().out == (
        "a gradient that is inf or nan:\n  log-of-zero    The logarithm is taken of zero\n\n"
        "a gradient that is None:\n  integer-dtype  Integers have no derivative\n"
    )


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("nan", "a gradient that is inf or nan:\n  log-of-zero  The logarithm is taken of zero\n"),
        ("None", "a gradient that is None:\n  integer-dtype  Integers have no derivative\n"),
        ("dtype", "a gradient that is None:\n  integer-dtype  Integers have no derivative\n"),
    ],
)
def test_explain_a_word_lists_the_kinds_that_it_stands_for(word, line, capsys):
    from whygrad.run.command import main

    assert main(["explain", word]) == 0
    assert capsys.readouterr().out == line


# -- at a terminal --


def at_a_terminal(program, answer=b"", **environment):
    """What a terminal is sent while a program runs."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [*WHYGRAD, "run", str(program)],
        stdin=there,
        stdout=there,
        stderr=there,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(there)
    if answer:
        os.write(here, answer)
    sent = b""
    while True:
        try:
            part = os.read(here, 4096)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        sent += part
    os.close(here)
    assert process.wait() == 0
    return sent.decode().replace("\r\n", "\n")


def screen(sent):
    """What is left to be seen: each line as it was when it ended."""
    return "\n".join(line.rpartition("\r\x1b[2K")[2] for line in sent.split("\n"))


LONG = """\
import sys, time
import tensorflow as tf
x = tf.Variable(1.0)
began = time.time()
def work(until):
    while time.time() - began < until:
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
work(1.4)
print("to stdout")
work(1.8)
print("to stderr", file=sys.stderr)
print("half", end=" ", flush=True)
work(2.4)
print("a line")
work(2.8)
print("got", input("name? "))
"""


def test_the_progress_line_does_not_mix_with_the_programs_output(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(LONG)
    sent = at_a_terminal(program, answer=b"Ada\n", NO_COLOR="1")
    drawn = re.findall(r"whygrad: [\d,]+ ops, (\d+) s", sent)
    assert 1 <= len(drawn) <= (float(drawn[-1]) + 0.5) / PERIOD
    seen = screen(sent).split("\n")
    seen = [line for line in seen if line != "Ada"]  # typed ahead, and echoed by the terminal itself
    assert seen[:4] == ["to stdout", "to stderr", "half a line", "name? got Ada"]
    assert seen[-2].startswith("whygrad: no gradient problems found (checked ")
    assert "ops, " not in "\n".join(seen)


def test_colour_at_a_terminal(program):
    assert "\x1b[1;32mwhygrad: no gradient problems found\x1b[0m (" in at_a_terminal(program, NO_COLOR="")
    assert "\x1b" not in at_a_terminal(program, NO_COLOR="1")
    assert "\x1b" not in at_a_terminal(program, TERM="dumb")


def test_the_page_of_a_program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(HEALTHY.replace("x * x", "tf.sqrt(x - 3.0)"))
    found = whygrad("run", "--quiet", "--html", str(tmp_path / "page.html"), str(path))
    assert (found.returncode, found.stdout, found.stderr) == (0, "inf\n", "")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '"kind":"infinite-slope"' in page
    assert '"title":"program.py"' in page


def test_explain_keeps_to_the_width_of_the_terminal():
    lines = whygrad("explain", env={"COLUMNS": "80"}).stdout.splitlines()
    assert len(lines) > 50
    assert max(map(len, lines)) <= 80
