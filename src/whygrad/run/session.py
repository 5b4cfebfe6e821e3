"""One run of a program under whygrad: the trace, the findings and the report at the end."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterable
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

from whygrad.run.program import Program
from whygrad.run.progress import Progress
from whygrad.run.standin import standing_in
from whygrad.values.errors import Explained
from whygrad.view import catalogue
from whygrad.view.cells import look_of
from whygrad.view.data import Destination, as_text
from whygrad.view.notice import note_of
from whygrad.view.report import report
from whygrad.view.tracebacks import chain_of
from whygrad.why.cause import SYMPTOMS, Cause
from whygrad.why.causes.exceptions import causes_of

if TYPE_CHECKING:
    from whygrad.on_tensorflow.witness import Witness

# The signals with which a shell, a terminal or a scheduler ends a program.
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


class Session:
    """A run, from before the program's first line until after its last thread and exit handler."""

    def __init__(
        self,
        program: Program | None,
        json: Destination | None = None,
        quiet: bool = False,
        witness: Witness | None = None,
        html: Destination | None = None,
    ) -> None:
        self._program = program  # None for the program that is already running
        self._json = json
        self._html = html
        self._quiet = quiet
        self._witness = witness  # of the TensorFlow that the program runs on; None for whygrad itself
        self._stream = sys.stderr
        self._stack = contextlib.ExitStack()
        self._progress: Progress | None = None
        self._process = os.getpid()
        self._failed = False
        self._causes_of_exceptions: list[Cause] = []
        self._exception: Any = None  # what ended the program, for the page, and the op that raised it
        self._stop: Any = None
        self._handled: list[signal.Signals] = []

    def begin(self) -> None:
        """Start tracing, standing in for TensorFlow in a program that is yet to run, and report when Python ends."""
        from whygrad.why.evidence.trace import tracing

        if self._witness is not None:
            self._stack.enter_context(self._witness.watching())
        elif self._program is not None:
            self._stack.enter_context(standing_in())
        else:
            self._watch_exceptions()
        self._trace = self._stack.enter_context(tracing())
        self._watch_threads()
        if not self._quiet:
            self._progress = Progress.on(self._stream, lambda: self._trace.counts.get("ops", 0))
        # First registered, last called: after the program's threads have ended and its own handlers have run.
        atexit.register(self.end)
        self._report_on_signals()

    def cancel(self) -> None:
        """Close without a report, because there was no program to run."""
        atexit.unregister(self.end)
        self._close()

    def failed(self, error: BaseException) -> None:
        """Record the causes of an uncaught exception before it is printed."""
        self._failed = True
        if self._html is not None:
            self._exception, self._stop = self._exception_of(error), self._stop_at(error)
        if self._witness is not None:
            self._witness.explain(error)
        self._record(error)

    @staticmethod
    def _exception_of(error: BaseException) -> Any:
        """What the page shows of an exception; None if it cannot be shown, as where its text raises another."""
        from whygrad.view.page.page import raised

        try:
            return raised(error)
        except Exception:
            return None

    @staticmethod
    def _stop_at(error: BaseException) -> Any:
        """The op that raised, for the page; None if it cannot be found."""
        from whygrad.why.evidence.steps import stop_at

        try:
            return stop_at(error.__traceback__)
        except Exception:  # the page is drawn without it
            return None

    def _record(self, error: BaseException) -> None:
        for each in chain_of(error):
            causes = causes_of(each)
            self._causes_of_exceptions += causes
            if causes and not isinstance(each, Explained):  # which works them out itself
                each.causes = causes  # type: ignore[attr-defined]
            notes = getattr(each, "__notes__", None)
            if notes and causes and not self._quiet:  # the report shows them
                ours = [note_of(each, cause) for cause in causes]
                each.__notes__ = [note for note in notes if note not in ours]

    def _report_on_signals(self) -> None:
        """Report before a signal ends the process, where the signal would end it and the program does not handle it itself."""
        if threading.current_thread() is not threading.main_thread():
            return  # Python handles signals in the main thread alone
        for number in _ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, self._signalled)
                self._handled.append(number)

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        """End the process as the signal would have, after the report."""
        atexit.unregister(self.end)
        try:
            self.end()
        finally:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def end(self) -> None:
        """Write the findings and the report."""
        try:
            self._close()
            if os.getpid() != self._process:  # a child that the program forked: the parent reports
                return
            findings = _in_order([*self._causes_of_exceptions, *self._trace.findings])
            if self._json is not None:
                self._write(self._json, as_text(findings))
            if self._html is not None:
                self._write(self._html, self._page(findings))
            if not self._quiet:
                self._write_report(findings)
        except Exception as error:  # an error in the report must not change the exit status of the program
            self._say(f"whygrad: the report failed: {type(error).__name__}: {error}")

    def _close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
        for number in self._handled:
            if signal.getsignal(number) == self._signalled:  # not the program's own handler
                signal.signal(number, signal.SIG_DFL)
        self._handled.clear()
        self._stack.close()

    def _watch_threads(self) -> None:
        """Record the causes of exceptions that end a thread."""
        print_exception = threading.excepthook

        def hook(arguments: threading.ExceptHookArgs, /) -> None:
            if arguments.exc_value is not None:
                self._record(arguments.exc_value)
            print_exception(arguments)

        threading.excepthook = hook

    def _watch_exceptions(self) -> None:
        """Record the causes of an exception that ends a program which this session did not start."""
        print_exception = sys.excepthook

        def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
            self.failed(error)
            print_exception(kind, error, traceback)

        sys.excepthook = hook

    def _write(self, destination: Destination, text: str) -> None:
        try:
            destination.write(text)
        except OSError as error:
            self._say(f"whygrad: can't write {destination.path!r}: {error.strerror}")

    def _page(self, findings: list[Cause]) -> str:
        from whygrad.view.page.page import page_of

        return page_of(self._trace, findings, here=self._here(), exception=self._exception, stop=self._stop)

    def _here(self) -> str | None:
        return _main_file() if self._program is None else self._program.here

    def _write_report(self, findings: list[Cause]) -> None:
        look = look_of(self._stream)
        pages = catalogue.kinds() if findings else []
        notes = [] if self._witness is None else self._witness.notes()
        text = report(findings, self._trace.counts, look, here=self._here(), failed=self._failed, pages=pages)
        self._say("\n".join([text, *(f"whygrad: {note}" for note in notes)]))

    def _say(self, text: str) -> None:
        # The program closed the stream, or the reader is gone; or a signal came while the program was writing to it.
        with contextlib.suppress(OSError, ValueError, RuntimeError):
            sys.stdout.flush()
        try:
            self._stream.write(text + "\n")
            self._stream.flush()
        except RuntimeError:
            with contextlib.suppress(OSError, ValueError):
                os.write(self._stream.fileno(), (text + "\n").encode(errors="replace"))
        except (OSError, ValueError):
            pass


_of_environment: list[Session] = []


def trace_this_process() -> None:
    """Trace the program that is importing whygrad, as `WHYGRAD=trace` in the environment requests."""
    session = Session(None)
    session.begin()
    _of_environment.append(session)


def cancel_trace_of_environment() -> None:
    """End a trace that the environment requested: `whygrad run` has its own."""
    while _of_environment:
        _of_environment.pop().cancel()


def _main_file() -> str | None:
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    return None if file is None else os.path.abspath(file)


def _in_order(causes: Iterable[Cause]) -> list[Cause]:
    """Each cause once, the most serious first and the likely ones last."""
    distinct: dict[object, Cause] = {}
    for cause in causes:
        place = cause.site
        where = cause.sentence if place is None else (place.file, place.line)
        distinct.setdefault((cause.kind, where), cause)
    ordered = sorted(distinct.values(), key=lambda cause: (cause.likely, SYMPTOMS.index(cause.symptom)))
    return [cause for i, cause in enumerate(ordered) if not any(cause.repeats(other) for other in ordered[:i])]
