"""Runs a program as `python program.py` does: `__main__`, arguments, path, tracebacks and exit status."""

from __future__ import annotations

import builtins
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType, TracebackType
from typing import Any

from whygrad.view.tracebacks import shortened, without_frames_of
from whygrad.why.source.sites import remember_lines


class CannotStart(Exception):
    """The program does not exist; the message is for the user, `status` for the shell."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Program:
    """A program: a script, a module, or code given as text."""

    argument: str  # becomes sys.argv[0]
    here: str | None = None  # the file that the user runs

    def load(self) -> tuple[CodeType, dict[str, Any]]:
        """Prepare sys.path as Python does; return the code and the attributes of `__main__`."""
        raise NotImplementedError


class Script(Program):
    """A Python file; or, as for Python itself, a folder or zip file with a `__main__.py`."""

    def __init__(self, path: str) -> None:
        self.argument = path
        self.here = os.path.abspath(path)
        self._within: ModuleSpec | None = None
        if os.path.isdir(path) or _is_zip(path):
            self._within = PathFinder.find_spec("__main__", [self.here])
            if self._within is None:
                raise CannotStart(f"can't find '__main__' module in {self.here!r}", 1)
            self.here = self._within.origin
        else:
            try:
                with open(path, "rb") as file:
                    self._source = file.read()
            except OSError as error:
                raise CannotStart(f"can't open file {self.here!r}: [Errno {error.errno}] {error.strerror}", 2) from None

    def load(self) -> tuple[CodeType, dict[str, Any]]:
        """The code of the file."""
        assert self.here is not None
        if self._within is not None:
            _set_first_path(os.path.abspath(self.argument))
            return _from_spec(self._within)
        _set_first_path(os.path.dirname(os.path.realpath(self.here)))
        about = {
            "__file__": self.here,
            "__cached__": None,
            "__loader__": SourceFileLoader("__main__", self.here),
            "__package__": None,
            "__spec__": None,
        }
        return compile(self._source, self.here, "exec", dont_inherit=True), about


class Module(Program):
    """A module found by its name, as with `python -m`."""

    def __init__(self, name: str) -> None:
        self.argument = "-m"
        self._name = name

    def load(self) -> tuple[CodeType, dict[str, Any]]:
        """The code of the module; of its `__main__` if it is a package."""
        _set_first_path(os.getcwd())
        spec = self._find(self._name)
        if spec.submodule_search_locations is not None:
            spec = self._find(f"{self._name}.__main__")
        code, about = _from_spec(spec)
        self.here = spec.origin
        self.argument = spec.origin or self._name
        return code, about

    def _find(self, name: str) -> ModuleSpec:
        try:
            spec = importlib.util.find_spec(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise  # something that the package itself imports
            spec = None
        if spec is None:
            raise CannotStart(f"No module named {name}", 1)
        return spec


class Code(Program):
    """Code given on the command line, as with `python -c`."""

    def __init__(self, text: str) -> None:
        self.argument = "-c"
        self._text = text

    def load(self) -> tuple[CodeType, dict[str, Any]]:
        """The code."""
        _set_first_path("")
        remember_lines("<string>", self._text)
        return compile(self._text, "<string>", "exec", dont_inherit=True), {"__package__": None, "__spec__": None}


def _is_zip(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    import zipfile

    return not path.endswith(".py") and zipfile.is_zipfile(path)


def _from_spec(spec: ModuleSpec) -> tuple[CodeType, dict[str, Any]]:
    get_code = getattr(spec.loader, "get_code", None)
    code = get_code(spec.name) if get_code is not None else None
    if code is None:
        raise CannotStart(f"No code object available for {spec.name}", 1)
    return code, {
        "__file__": spec.origin,
        "__cached__": spec.cached,
        "__loader__": spec.loader,
        "__package__": spec.parent,
        "__spec__": spec,
    }


def _set_first_path(folder: str) -> None:
    """Put the program's folder first, as Python does; whygrad's own folder is there when it starts."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def run(program: Program, arguments: Sequence[str], failed: Callable[[BaseException], None]) -> int:
    """Run a program as `__main__` and return its exit status.

    An exception that it does not catch is passed to `failed` and then printed as Python prints it, without the frames of
    this package. KeyboardInterrupt is printed and raised again: Python then ends the process by the signal.
    """
    sys.argv[:] = [program.argument, *arguments]
    main = ModuleType("__main__")
    sys.modules["__main__"] = main
    try:
        code, about = program.load()
        sys.argv[0] = program.argument
        vars(main).update(about, __builtins__=builtins, __annotations__={})
        exec(code, vars(main))
        return 0
    except CannotStart:
        raise
    except SystemExit as exit:
        return _status(exit)
    except BaseException as caught:
        error = caught
    # Outside of the handler, because inside it the program's own hook would see an exception that is being handled.
    failed(error)
    _print(error)
    if isinstance(error, KeyboardInterrupt):
        sys.excepthook = lambda *exception: None  # already printed
        raise error
    return 1


def _status(error: SystemExit) -> int:
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code
    print(error.code, file=sys.stderr)
    return 1


def _print(error: BaseException) -> None:
    """Print an exception through `sys.excepthook`, which the program may have replaced."""
    traceback = shortened(error, _of_the_program(error.__traceback__))
    error.__traceback__ = traceback
    try:
        sys.excepthook(type(error), error, traceback)
    except SystemExit:
        raise
    except BaseException as another:
        print("Error in sys.excepthook:", file=sys.stderr)
        another.__traceback__ = _of_the_program(another.__traceback__)
        sys.__excepthook__(type(another), another, another.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, traceback)


_ROOM = os.path.dirname(__file__) + os.sep


def _of_the_program(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the frames of this room before the program's first and after its last."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith((_ROOM, "<frozen ")):
        traceback = traceback.tb_next
    return without_frames_of(traceback, (_ROOM,))
