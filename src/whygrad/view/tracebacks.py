"""Tracebacks as a user reads them: without whygrad's own frames, unless whygrad itself may be at fault."""

from __future__ import annotations

import os
from types import TracebackType

from whygrad.runtime.call_sites import GENERATED, is_ours, is_whygrads, raised_by_library
from whygrad.testing.gradient_checking import GradientMismatch
from whygrad.values.errors import Explained

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
# Wrappers around functions of TensorFlow and Keras, which raise no errors of their own, and attributes that only raise.
_PASSING_ON = (
    os.path.join(_PACKAGE, "values", "absent.py"),
    os.path.join(_PACKAGE, "on_tensorflow", ""),
    os.path.join(_PACKAGE, "keras_backend", "scopes.py"),
)
_CALLING = os.path.join(_PACKAGE, "modules", "default_strategy.py")


def chain_of(error: BaseException) -> list[BaseException]:
    """An exception and those that a traceback shows with it: its causes, contexts and the parts of a group."""
    found: dict[int, BaseException] = {}
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop(0)
        if each is None or id(each) in found:
            continue
        found[id(each)] = each
        waiting.append(each.__cause__ or (None if each.__suppress_context__ else each.__context__))
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
    return list(found.values())


def shortened(error: BaseException, traceback: TracebackType | None) -> TracebackType | None:
    """The traceback of an exception without whygrad's own frames, if it explains itself; likewise for exceptions shown with it.

    Causes are found from these frames, so they are worked out first. Exceptions that the program raises, in a function that whygrad
    calls, lose them too, and so do those of a library that runs on whygrad, such as Keras. Other exceptions may be whygrad's fault:
    they lose only the frames that pass calls on.
    """
    for each in chain_of(error):
        causes = getattr(each, "causes", None)
        _ = getattr(each, "__notes__", None)  # which the causes become
        whole = traceback if each is error else each.__traceback__
        explained = causes or isinstance(each, Explained | GradientMismatch) or raised_by_library(each.__traceback__)
        hidden = (_PACKAGE, GENERATED) if explained or _raised_by_program(whole) else _PASSING_ON
        users = without_frames_of(whole, hidden)
        if users is not None:
            each.__traceback__ = users
            traceback = users if each is error else traceback
    return traceback


def _raised_by_program(traceback: TracebackType | None) -> bool:
    """Whether the program raised the exception, or a library that it called, and not whygrad, or a library that whygrad called."""
    of_program = False
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if is_whygrads(file) or not is_ours(file):
            # Keras takes its own frames out: then the last one is ours, of a function that only calls what it is given.
            of_program = not is_whygrads(file) or (file == _CALLING and traceback.tb_next is None)
        traceback = traceback.tb_next
    return of_program


def without_frames_of(traceback: TracebackType | None, files: tuple[str, ...]) -> TracebackType | None:
    """A traceback without the frames of files whose names begin so."""
    kept = []
    while traceback is not None:
        if not traceback.tb_frame.f_code.co_filename.startswith(files):
            kept.append(traceback)
        traceback = traceback.tb_next
    for each, following in zip(kept, [*kept[1:], None]):
        each.tb_next = following
    return kept[0] if kept else None
