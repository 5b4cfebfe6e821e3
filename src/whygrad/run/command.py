"""The command `whygrad`."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import sys
from collections.abc import Sequence
from typing import Any

from whygrad._version import __version__
from whygrad.run.program import CannotStart, Code, Module, Program, Script, run
from whygrad.run.session import Session, cancel_trace_of_environment
from whygrad.view import catalogue
from whygrad.view.cells import look_of
from whygrad.view.data import Destination
from whygrad.view.terminal import drawable_lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute the command line and return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    cancel_trace_of_environment()
    parser = _parser()
    if not given:
        parser.print_help(sys.stderr)
        return 2
    if given[0] not in _COMMANDS and not given[0].startswith("-"):
        parser.error(_no_command(given))
    if given[0] == "run":
        given, program, rest = _split(given)
        if program is not None and program[0] == "" and not _reads_arguments(program[1]):
            ours, rest = _taken_out(rest)
            given += ours
        options, unknown = parser.parse_known_args(given)
        if unknown:
            parser.exit(2, f"whygrad run: {_no_option(unknown[0])} (whygrad run --help)\n")
        return _run(program, rest, options, parser)
    try:
        options = parser.parse_args(given)
        status = _explain(options.kind)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
        return 0


_COMMANDS = ("run", "explain")


def _no_command(given: list[str]) -> str:
    """What is meant by a first word that is no command."""
    word = given[0]
    if os.path.isfile(word) or word.endswith(".py"):
        return f"to run a script, write: whygrad run {shlex.join(given)}"
    if catalogue.page(word) is not None:
        return f"to read about a kind of cause, write: whygrad explain {word}"
    meant = difflib.get_close_matches(word.lower(), _COMMANDS, n=1)
    return f"there is no command {word!r}; " + (
        f"did you mean {meant[0]}?" if meant else "the commands are run and explain"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="whygrad", description="Run TensorFlow programs and explain their gradients.")
    parser.add_argument("--version", action="version", version=f"whygrad {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    runs = commands.add_parser(
        "run",
        usage="whygrad run [--on tensorflow] [--json FILE] [--html FILE] [--quiet] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT ...]",
        help="run a TensorFlow script on whygrad, unmodified, and report what is wrong with its gradients",
        description="Run a TensorFlow script on whygrad, unmodified, and report on stderr what is wrong with its "
        "gradients. Arguments after the script are passed to the script; if it reads none, options may also stand there.",
        epilog="-m MODULE runs a module and -c CODE runs code, as Python's own options do.",
        allow_abbrev=False,
    )
    runs.add_argument("--json", metavar="FILE", help="write the findings to FILE as data (docs/run.md)")
    runs.add_argument(
        "--html",
        metavar="FILE",
        help="write a page to FILE: the program with the findings, and its graph (docs/page.md)",
    )
    runs.add_argument(
        "--on",
        choices=["whygrad", "tensorflow"],
        default="whygrad",
        help="what computes: whygrad in TensorFlow's place, or the TensorFlow that is installed (docs/on_tensorflow.md)",
    )
    runs.add_argument(
        "--eager", action="store_true", help="with --on tensorflow: run functions op by op from the start"
    )
    runs.add_argument("--quiet", action="store_true", help="no report and no progress line")
    explains = commands.add_parser("explain", help="print the catalogue's page of a kind of cause")
    explains.add_argument(
        "kind",
        metavar="KIND",
        nargs="?",
        help="such as integer-dtype, or a word such as nan; without it, list all kinds",
    )
    return parser


# -- whygrad run --


def _split(given: list[str]) -> tuple[list[str], tuple[str, str] | None, list[str]]:
    """Split into our arguments, the program and its arguments, which may look like ours."""
    i = 1
    while i < len(given):
        word = given[i]
        if word in ("-m", "-c") and i + 1 < len(given):
            return given[:i], (word, given[i + 1]), given[i + 2 :]
        if word == "--":
            i += 1
            continue
        if not word.startswith("-"):
            return [each for each in given[:i] if each != "--"], ("", word), given[i + 1 :]
        i += 2 if word in _WITH_VALUE else 1
    return given, None, []


def _no_option(word: str) -> str:
    """What is wrong with a word before the script that is no option of ours."""
    if word in ("-m", "-c"):
        return f"{word} needs {'the name of a module' if word == '-m' else 'code'} after it"
    meant = difflib.get_close_matches(word.partition("=")[0], (*_WITH_VALUE, *_ALONE), n=1)
    return f"there is no option {word}" + (f"; did you mean {meant[0]}?" if meant else "")


_WITH_VALUE = ("--json", "--html", "--on")
_ALONE = ("--eager", "--quiet")
_READERS = re.compile(r"\b(argv|argparse|optparse|getopt|click|typer|fire|absl|docopt|hydra|tyro|flags)\b")


def _reads_arguments(script: str) -> bool:
    """Whether a script may read the arguments that it is called with: its text names something that does."""
    try:
        with open(script, encoding="utf-8", errors="replace") as file:
            return bool(_READERS.search(file.read()))
    except OSError:
        return True


def _taken_out(rest: list[str]) -> tuple[list[str], list[str]]:
    """Our options among what follows a script that reads no arguments, up to `--`, and the others."""
    ours: list[str] = []
    others: list[str] = []
    i = 0
    while i < len(rest) and rest[i] != "--":
        name, given, _ = rest[i].partition("=")
        has_value = i + 1 < len(rest) and not rest[i + 1].startswith("-")
        if name in _WITH_VALUE and not given and has_value:
            ours += rest[i : i + 2]
            i += 1
        else:
            # An option without its value is ours too at the end: the parser says what is missing.
            lacks_value = rest[i] == name and i + 1 == len(rest)
            is_ours = rest[i] in _ALONE or (name in _WITH_VALUE and (given or lacks_value))
            (ours if is_ours else others).append(rest[i])
        i += 1
    return ours, [*others, *rest[i:]]


def _run(
    program: tuple[str, str] | None, rest: list[str], options: argparse.Namespace, parser: argparse.ArgumentParser
) -> int:
    if program is None:
        parser.exit(2, "whygrad run: no script given (whygrad run --help)\n")
    json = None if options.json is None else _destination(options.json, parser)
    html = None if options.html is None else _destination(options.html, parser)
    how, what = program
    try:
        running: Program = {"-m": Module, "-c": Code, "": Script}[how](what)
        session = Session(running, json, options.quiet, _witness(options), html)
        session.begin()
        try:
            return run(running, rest, session.failed)
        except CannotStart:
            session.cancel()
            raise
    except CannotStart as error:
        print(f"whygrad: {error}", file=sys.stderr)
        return error.status


def _witness(options: argparse.Namespace) -> Any:
    """What watches TensorFlow, where the program is to run on it."""
    if options.on == "whygrad":
        return None
    try:
        from whygrad.on_tensorflow.witness import Witness

        return Witness(eager=options.eager)
    except ImportError as error:
        raise CannotStart(str(error), 2) from None


def _destination(path: str, parser: argparse.ArgumentParser) -> Destination:
    """Where a document goes, without that of an earlier run."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        parser.exit(2, f"whygrad run: can't write {path!r}: the folder {folder!r} does not exist\n")
    try:
        destination = Destination(path)
        destination.clear()
    except OSError as error:
        parser.exit(2, f"whygrad run: can't write {path!r}: {error.strerror}\n")
    return destination


# -- whygrad explain --


def _explain(kind: str | None) -> int:
    if kind is None:
        print(catalogue.overview(catalogue.kinds(), look_of(sys.stdout).width))
        return 0
    wanted = "-".join(kind.lower().replace("_", "-").split())
    page = catalogue.page(wanted)
    if page is not None:
        print(drawable_lines(catalogue.in_words(page.rstrip()), look_of(sys.stdout).ascii))
        return 0
    meant = catalogue.named(wanted)
    if meant:
        print(catalogue.overview(meant, look_of(sys.stdout).width))
        return 0
    similar = catalogue.similar(wanted)
    guess = f"; did you mean {' or '.join(similar)}?" if similar else ""
    print(f"whygrad: no kind of cause is called {kind!r}{guess}", file=sys.stderr)
    print("`whygrad explain` lists them all", file=sys.stderr)
    return 2
