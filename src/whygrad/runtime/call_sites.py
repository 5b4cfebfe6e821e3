"""Call sites: the user's code object and instruction that led to an op, found by walking the frames of the stack.

This is the one place that calls `sys._getframe`, which CPython and PyPy have. It is asked for every recorded op, so it is kept
short: files are sorted into whygrad's own and the user's when they are first met, and an op compares its caller's code object with
the last one that was found to be the user's (`last`), which is most likely the same. File, line and columns are worked out later,
from the code object and the instruction.
"""

from __future__ import annotations

import os
import sys
import threading
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export

# Source files as far as they have been met: whygrad's own (and NumPy's), and those of its users.
own_files: set[str] = set()
user_files: set[str] = set()
GENERATED = "<whygrad op on "  # the names of source that whygrad renders from a template begin so
# NumPy's own Python code stands between the user's line and us where one of its functions is called on a tensor.
_packages: tuple[str, ...] = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    os.path.dirname(os.path.abspath(np.__file__)) + os.sep,
    GENERATED,
)
frame_at = sys._getframe


class Last:
    """The code object of the user's that was found last."""

    __slots__ = ("code",)

    code: CodeType | None


last = Last()
last.code = None


class Place(NamedTuple):
    """A call site with the fields of a frame."""

    f_code: CodeType
    f_lasti: int


class Pinned(threading.local):
    """The call site that the ops of this thread get whatever the stack says; None to look at the stack.

    It is set while a traced function is replayed, whose Python is not on the stack, and while a sweep is recorded, whose ops all
    belong to the line that asked for the gradient.
    """

    place: Place | None = None


pinned = Pinned()


class At:
    """A context in which the ops of this thread get one call site; with None, the one that the stack gives."""

    __slots__ = ("before", "place")

    def __init__(self, place: Place | None) -> None:
        self.place = place

    def __enter__(self) -> None:
        self.before = pinned.place
        pinned.place = self.place

    def __exit__(self, *_: object) -> None:
        pinned.place = self.before


def is_ours(filename: str) -> bool:
    """Whether a source file is whygrad's own (or NumPy's): not where the user would look."""
    if filename in own_files:
        return True
    if filename in user_files:
        return False
    own = filename.startswith(_packages)
    (own_files if own else user_files).add(filename)
    return own


@export("extend.register_library")
def register_library(filename: str) -> None:
    """Count a source file as a library of ops: explanations point to the lines that call it, not into it.

    >>> from whygrad import extend
    >>> extend.register_library("my_ops/__init__.py")  # in that file: extend.register_library(__file__)
    """
    user_files.discard(filename)
    own_files.add(filename)
    last.code = None


def register_package(directory: str) -> None:
    """Count every source file below a directory as a library's, as `register_library` does for one file."""
    global _packages
    _packages += (os.path.join(directory, ""),)
    for filename in [each for each in user_files if each.startswith(_packages)]:
        register_library(filename)
    last.code = None


def users_frame(frame: FrameType) -> FrameType:
    """The nearest frame, from this one outwards, that is not whygrad's own: the user's line."""
    own, users = own_files, user_files  # `is_ours` itself is called only for files that were not met before
    while (name := frame.f_code.co_filename) in own or (name not in users and is_ours(name)):
        back = frame.f_back
        if back is None:
            break
        frame = back
    return frame


def users_code(frame: FrameType) -> tuple[Any, CodeType]:
    """The nearest frame, from this one outwards, that is the user's, and its code, which is remembered as the last one."""
    place = pinned.place
    if place is not None:
        return place, place.f_code
    if frame.f_code.co_filename not in user_files:
        frame = users_frame(frame)
    last.code = frame.f_code
    return frame, frame.f_code


def users_frame_above(depth: int) -> tuple[FrameType, CodeType]:
    """The user's frame and its code for an op, most likely `depth` calls up, or one further: some ops share a function."""
    try:
        frame = frame_at(depth)
    except ValueError:  # the stack is not that deep
        return users_code(frame_at(1))
    code, known = frame.f_code, last.code
    if code is known:
        return frame, code
    back = frame.f_back
    if back is not None and back.f_code is known and code.co_filename in own_files:
        return back, known
    return users_code(frame_at(1))


def users_site(depth: int = 1) -> tuple[CodeType, int]:
    """The user's code object and the instruction in it that led here; those less than `depth` calls away are our own."""
    if pinned.place is not None:
        return pinned.place
    try:
        frame = frame_at(depth)
    except ValueError:  # no Python code called us
        frame = frame_at(1)
    frame = users_frame(frame)
    return frame.f_code, frame.f_lasti
