"""Where the findings and the report arrive: through descriptors, pipes and links, and when a signal ends the program."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.run.commands import PATIENCE, STUB, WHYGRAD, whygrad

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors and signals of POSIX")

PROGRAM = """
import sys, whygrad as tf
w = tf.Variable(0.4)
with tf.GradientTape() as tape:
    loss = tf.round(w * 3.0)
tape.gradient(loss, w)
print("training", flush=True)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def _command(*arguments):
    return [*WHYGRAD, "run", "--quiet", *map(str, arguments)]


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
@pytest.mark.parametrize("mode", ["a", "w"])
def test_findings_through_a_descriptor_are_added_to_the_file_behind_it(path, mode, program, tmp_path):
    if path == "link":
        path = tmp_path / "link"
        path.symlink_to("/dev/stdout")
    if not os.path.exists("/proc/self/fd") and str(path).startswith("/proc"):
        pytest.skip("no /proc")
    log = tmp_path / "log"
    log.write_text("earlier lines\n")
    with open(log, mode) as out:
        subprocess.run(_command("--json", path, program), stdout=out, check=True, timeout=PATIENCE)
        subprocess.run([sys.executable, "-c", "print('after')"], stdout=out, check=True, timeout=PATIENCE)
    before, _, rest = log.read_text().partition("training\n")
    assert before == ("earlier lines\n" if mode == "a" else "")
    assert rest.endswith("after\n")
    assert [each["kind"] for each in json.loads(rest.removesuffix("after\n"))] == ["non-differentiable-op"]


def test_findings_into_a_pipe(program):
    found = whygrad("run", "--quiet", "--json", "/dev/stdout", program)
    assert json.loads(found.stdout.removeprefix("training\n"))[0]["kind"] == "non-differentiable-op"
    assert found.stderr.count("Warning") <= 1


def test_findings_into_a_descriptor_that_the_program_closes(program):
    program.write_text(PROGRAM + "import os\nos.close(1)\n")
    found = whygrad("run", "--quiet", "--json", "/dev/stdout", program)
    assert json.loads(found.stdout.removeprefix("training\n"))[0]["kind"] == "non-differentiable-op"


def test_findings_into_a_named_pipe(program, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    subprocess.run(_command("--json", pipe, program), stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE)
    reader.join(PATIENCE)
    assert json.loads(read[0])[0]["kind"] == "non-differentiable-op"
    assert pipe.is_fifo()


def test_a_descriptor_that_is_not_open_is_refused(program):
    found = whygrad("run", "--json", "/dev/fd/77", program)
    assert (found.returncode, found.stdout) == (2, "")
    assert "can't write '/dev/fd/77': Bad file descriptor" in found.stderr


_WITH_DEFAULT = (
    "import os, signal, sys; signal.signal(int(sys.argv[1]), signal.SIG_DFL); os.execvp(sys.argv[2], sys.argv[2:])"
)


def _end_by(number, program, *options, ignored=""):
    """Run a program, send it a signal after its first line, and return its status and what it wrote to stderr."""
    command = [*WHYGRAD, "run", *map(str, options), str(program)]
    if ignored:  # as nohup does it
        command = ["sh", "-c", f'trap "" {ignored}; exec "$@"', "sh", *command]
    # The tests themselves may run under nohup.
    command = [sys.executable, "-c", _WITH_DEFAULT, str(int(number)), *command]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert "training\n" in iter(running.stdout.readline, "")
        running.send_signal(number)
        _, errors = running.communicate(timeout=PATIENCE)
    finally:
        running.kill()
    return running.returncode, errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(
    "waiting",
    ["import time; time.sleep(6000)", "import threading; threading.Event().wait()", "while True: w * 2", "while True: print('x' * 100)"],
)  # fmt: skip
def test_a_signal_ends_the_program_after_the_report(number, waiting, program, tmp_path):
    program.write_text(PROGRAM + waiting + "\n")
    status, errors = _end_by(number, program, "--json", tmp_path / "found.json")
    assert status == -number
    assert "whygrad: 1 finding (checked 1 tape, 1 gradient" in errors
    assert errors.count("whygrad explain non-differentiable-op") == 1
    assert json.loads((tmp_path / "found.json").read_text())[0]["kind"] == "non-differentiable-op"


def test_the_programs_own_handler_is_left_alone(program):
    handler = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(5))\n"
    program.write_text(PROGRAM.replace("print", handler + "print") + "signal.pause()\n")
    status, errors = _end_by(signal.SIGTERM, program)
    assert status == 5
    assert errors.count("whygrad explain non-differentiable-op") == 1


def test_a_signal_that_is_ignored_stays_ignored(program):
    program.write_text(PROGRAM + "import time\ntime.sleep(1)\nsys.exit(3)\n")
    status, _ = _end_by(signal.SIGHUP, program, ignored="HUP")
    assert status == 3


def test_a_forked_child_that_is_ended_reports_nothing(program):
    program.write_text(
        PROGRAM + "import os, signal, time\n"
        "child = os.fork()\n"
        "if not child:\n    time.sleep(6000)\n"
        "time.sleep(0.5)\n"
        "os.kill(child, signal.SIGTERM)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    found = whygrad("run", program)
    assert found.stdout == "training\n-15\n"
    assert found.stderr.count("whygrad explain non-differentiable-op") == 1


def test_handlers_are_restored_before_the_exit_status_is_decided():
    """After the report, a signal ends the process as it would have without whygrad."""
    code = STUB.format(findings="[]", file="program.py").replace(
        "sys.exit(main())",
        "import atexit, signal\n"
        "atexit.register(lambda: print(signal.getsignal(signal.SIGTERM), file=sys.stderr))\n"
        "sys.exit(main())",
    )
    found = subprocess.run(
        [sys.executable, "-c", code, "run", "-c", "pass"], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert found.stderr.endswith(f"{signal.SIG_DFL!s}\n") or "SIG_DFL" in found.stderr.splitlines()[-1]
