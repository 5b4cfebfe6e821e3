"""A program runs under `whygrad run` as it runs under Python: each is run both ways, and the two compared."""

import os
import signal
import sys
import textwrap
import zipfile

import pytest

from tests.run.commands import run, whygrad


def both(folder, program, *arguments, **options):
    """A program run by Python and by whygrad; standard output, standard error and status must be the same."""
    expected = run([sys.executable, *program, *arguments], cwd=folder, **options)
    found = whygrad("run", "--quiet", *program, *arguments, cwd=folder, **options)
    assert found.stdout == expected.stdout
    assert found.stderr == expected.stderr
    assert found.returncode == expected.returncode
    return found


def write(folder, source, name="program.py"):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    return name


PROGRAMS = {
    "what it knows of itself": """
        '''What it is.'''
        import os, sys
        print(sys.argv, sys.path[0], os.getcwd())
        print(__name__, __file__, __doc__, __package__, __spec__, __cached__, type(__loader__).__name__)
        print(sorted(globals()), __builtins__, __annotations__)
        import __main__
        print(__main__.__file__, sys.modules["__main__"].__dict__ is globals(), sys._getframe().f_code.co_filename)
        x: int = 3
        print(__annotations__)
    """,
    "standard input": "import sys; print(input('? ')); print(sys.stdin.read().upper())",
    "status 0": "import sys; sys.exit()",
    "status 3": "import sys; sys.exit(3)",
    "status 300": "import sys; sys.exit(300)",
    "message at exit": "import sys; sys.exit('so long')",
    "status by hand": "import os, sys; print('here', flush=True); os._exit(4)",
    "exception": """
        def f():
            raise ValueError("no")
        try:
            f()
        except ValueError as error:
            raise KeyError("again") from error
    """,
    "exception with notes": "e = ValueError('no'); e.add_note('a note'); raise e",
    "interrupt": "raise KeyboardInterrupt",
    "syntax error": "def f(:\n    pass\n",
    "own hook": """
        import sys
        def hook(kind, error, traceback):
            print("hook", kind.__name__, error, traceback.tb_lineno, traceback.tb_next, sys.exc_info())
        sys.excepthook = hook
        1 / 0
    """,
    "hook that fails": """
        import sys
        def hook(kind, error, traceback):
            raise TypeError("hook")
        sys.excepthook = hook
        1 / 0
    """,
    "exit handlers and threads": """
        import atexit, concurrent.futures, threading, time
        atexit.register(print, "handler")
        ended = threading.Event()
        def work():
            ended.wait()
            time.sleep(0.2)
            print("thread")
        threading.Thread(target=work).start()
        pool = concurrent.futures.ThreadPoolExecutor(1)  # not shut down: Python does so at the end
        pool.submit(print, "pool").result()
        print("end")
        ended.set()
    """,
    "a thread that fails": """
        import threading
        def work():
            raise ValueError("in a thread")
        thread = threading.Thread(target=work, name="worker")
        thread.start()
        thread.join()
    """,
    "fork": """
        import os, sys
        child = os.fork()
        if child == 0:
            print("child", flush=True)
            sys.exit(5)
        print("status", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """,
    "pickling its own class": """
        import pickle
        class Point:
            pass
        print(type(pickle.loads(pickle.dumps(Point()))) is Point)
    """,
    "a warning": "import warnings; warnings.warn('old', DeprecationWarning)",
    "a neighbour": "import neighbour; print(neighbour.value)",
    "non-ASCII": "# coding: latin-1\nname = 'größe'; print(name); größe = 1; raise ValueError(name)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_with_python(tmp_path, name):
    write(tmp_path, "value = 42", "folder/neighbour.py")
    path = write(tmp_path, PROGRAMS[name], "folder/program.py")
    if name == "non-ASCII":
        (tmp_path / path).write_bytes(PROGRAMS[name].encode("latin-1"))
    both(tmp_path, [path], "--json", "-m", "--", "a b", input="first\nrest\n", env={"PYTHONWARNINGS": None})


def test_an_interrupt_from_outside_ends_it_by_the_signal(tmp_path):
    # With Python's own handler, also where the tests themselves run in the background and so ignore the signal.
    handled = "import os, signal, time; signal.signal(signal.SIGINT, signal.default_int_handler); "
    path = write(tmp_path, handled + "os.kill(os.getpid(), signal.SIGINT); time.sleep(9)")
    assert both(tmp_path, [path]).returncode == -signal.SIGINT


def test_a_link(tmp_path):
    write(tmp_path, "import sys; print(__file__, sys.path[0], sys.argv)", "folder/program.py")
    os.symlink(tmp_path / "folder" / "program.py", tmp_path / "link.py")
    both(tmp_path, ["link.py"])
    both(tmp_path, [str(tmp_path / "link.py")])


def test_a_folder_or_zip_file_with_a_main_module(tmp_path):
    source = "import sys; print(__name__, __file__, sys.argv, sys.path[0], __package__); 1 / 0"
    write(tmp_path, source, "folder/__main__.py")
    assert "ZeroDivisionError" in both_but_frozen(tmp_path, ["folder"], "a").stderr
    with zipfile.ZipFile(tmp_path / "program.zip", "w") as archive:
        archive.writestr("__main__.py", source)
    assert "ZeroDivisionError" in both_but_frozen(tmp_path, ["program.zip"], "a").stderr


def both_but_frozen(folder, program, *arguments):
    """As `both`, where Python shows frames of its own machinery, which we do not imitate."""
    expected = run([sys.executable, *program, *arguments], cwd=folder)
    found = whygrad("run", "--quiet", *program, *arguments, cwd=folder)
    own = [line for line in expected.stderr.split("\n") if "<frozen runpy>" not in line]
    assert (found.stdout, found.stderr.split("\n"), found.returncode) == (expected.stdout, own, expected.returncode)
    return found


def test_a_module(tmp_path):
    source = "import sys; print(__name__, __file__, sys.argv, sys.path[0], __package__, __spec__.name); 1 / 0"
    write(tmp_path, source, "module.py")
    write(tmp_path, source, "package/__main__.py")
    write(tmp_path, source, "package/inner.py")
    for name in ("module", "package", "package.inner"):
        found = both_but_frozen(tmp_path, ["-m", name], "--json", "x")
        assert "ZeroDivisionError" in found.stderr


def test_a_module_that_is_not_there(tmp_path):
    found = whygrad("run", "-m", "nothing_here", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (1, "whygrad: No module named nothing_here\n")
    write(tmp_path, "import nothing_there", "package/__init__.py")
    write(tmp_path, "", "package/inner.py")
    found = whygrad("run", "-m", "package.inner", cwd=tmp_path)
    assert found.returncode == 1
    assert "ModuleNotFoundError: No module named 'nothing_there'" in found.stderr


def test_code(tmp_path):
    both(tmp_path, ["-c", "import sys; print(__name__, sys.argv, sys.path[0]); sys.exit(7)"], "-m", "a")


def test_a_script_that_is_not_there(tmp_path):
    found = whygrad("run", "nothing.py", cwd=tmp_path)
    place = str(tmp_path / "nothing.py")
    assert found.returncode == 2
    assert found.stderr == f"whygrad: can't open file {place!r}: [Errno 2] No such file or directory\n"
    (tmp_path / "empty").mkdir()
    found = whygrad("run", "empty", cwd=tmp_path)
    assert found.returncode == 1
    assert "can't find '__main__' module in" in found.stderr


def test_safe_path_is_respected(tmp_path):
    write(tmp_path, "value = 42", "neighbour.py")
    path = write(tmp_path, "import neighbour")
    found = whygrad("run", path, cwd=tmp_path, env={"PYTHONSAFEPATH": "1"})
    assert "No module named 'neighbour'" in found.stderr
