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
import weakref
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export

# Source files as far as they have been met: whygrad's own (and NumPy's), and those of its users.
own_files: set[str] = set()
user_files: set[str] = set()
GENERATED = "<whygrad op on "  # the names of source that whygrad renders from a template begin so
# The Python code of NumPy and other libraries of arrays stands between the user's line and us where one of their functions is called on
# a tensor, or calls a function that we differentiate. (They are installed beside NumPy, and most programs load few of them.)
_NUMPYS = os.path.dirname(os.path.abspath(np.__file__))
ARRAY_LIBRARIES = (
    _NUMPYS + os.sep,
    *[
        os.path.join(os.path.dirname(_NUMPYS), name, "")
        for name in ("scipy", "pandas", "matplotlib", "sklearn", "tensorflow", "jax", "torch")
    ],
)
_packages: tuple[str, ...] = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,
    *ARRAY_LIBRARIES,
    GENERATED,
)
frame_at = sys._getframe


class Last:
    """The user's code object that was found last."""

    __slots__ = ("code",)

    code: CodeType | None


last = Last()
last.code = None


class Place(NamedTuple):
    """A call site with the fields of a frame."""

    f_code: CodeType
    f_lasti: int


def first_of_expression(code: CodeType, instruction: int) -> int:
    """The first instruction of the expression that an instruction belongs to."""
    places = list(code.co_positions())
    return 2 * places.index(places[instruction // 2])


class Scope:
    """A library's object that computes on behalf of the user's line, such as a layer that `fit` calls.

    An op inside of it gets the user's line as its call site, in a copy of the code object that has the scope as its last constant. So the
    scope goes wherever the call site goes, through tapes, traces and replays, and needs no room of its own.
    """

    __slots__ = (
        "__weakref__",
        "_codes",
        "caller",
        "frozen",
        "frozen_with",
        "function",
        "made",
        "made_in",
        "method",
        "result",
        "thawed",
        "what",
    )

    def __init__(self, what: str, made: Place | None, method: str = "") -> None:
        self.what = what  # "layer `dense`"; "" where there is nothing to name
        self.made = made
        # The method, such as `fit`, that computes all by itself. Of other scopes, ops belong to the user's line alone if that line calls
        # the object itself: `self.dense(x)`.
        self.method = method
        self.function = ""  # the name of a function of a library that was handed to us, as to `grad`: the user's line names no op of it
        self.frozen: Place | None = None  # where the program froze its variables
        self.frozen_with: Scope | None = None  # the object that the program froze there: this one, or one that holds it
        self.thawed: Place | None = None  # where the program made them trainable again
        self.result: Callable[[], str] | None = None  # the name of the result that its variables are, as a metric's
        self.caller: Scope | None = None  # the object that called it last: a model its layers, a layer those inside it
        self.made_in: Scope | None = None  # the object that was being called when it was made
        self._codes: dict[CodeType, CodeType] = {}

    def within(self, code: CodeType) -> CodeType:
        """The copy of a code object that stands for this scope in it."""
        known = self._codes.get(code)
        if known is None:
            known = self._codes[code] = code.replace(co_consts=(*code.co_consts, self))
        return known

    @property
    def is_whole_call(self) -> bool:
        """Whether it is a method that computes all by itself."""
        return bool(self.method)


# Objects of libraries that have a scope, by identity (a class may define its own ==).
objects_in_scopes: dict[int, tuple[weakref.ref[Any], Scope]] = {}


# For values of libraries that are not tensors, such as Keras's symbolic ones: functions that give the object that made one, or None.
makers_of_values: list[Callable[[Any], Any]] = []


def scope_of_maker(value: Any) -> Scope | None:
    """The scope of the library's object that made a value, if that is known."""
    for maker_of in makers_of_values:
        found = objects_in_scopes.get(id(maker_of(value)))
        if found is not None and found[1].what:
            return found[1]
    return None


def entered_in(frame: FrameType) -> Scope | None:
    """The scope that a frame entered, by its local variable `scope`: for tracebacks, whose scopes have been left."""
    found = frame.f_locals.get("scope") if frame.f_code.co_filename.startswith(_packages[0]) else None
    return found if type(found) is Scope else None


def spoken_name(function: Callable[..., Any]) -> str:
    """The name of a function that is being compiled: for one inside a library, the method that the user's line calls."""
    code = getattr(function, "__code__", None)
    scope = None if pinned.scope is None else pinned.scope[0]
    if scope is not None and scope.method and code is not None and is_ours(code.co_filename):
        return scope.method
    return str(getattr(function, "__name__", type(function).__name__))


def users_function(name: str) -> str:
    """The function that the program would name as being compiled: what the program wrote, where a library's method `name` calls that."""
    frame: FrameType | None = frame_at(1)
    found = name
    while frame is not None and pinned.scope is not None:
        scope = entered_in(frame)
        if scope is not None and scope.method == name:
            return found
        if not is_ours(frame.f_code.co_filename):
            found = frame.f_code.co_name
        frame = frame.f_back
    return name


def raised_by_library(trace: TracebackType | None) -> bool:
    """Whether an exception was raised by a library that computes on behalf of the user's line, and neither by whygrad nor by the user."""
    in_scope = False
    while trace is not None:
        frame = trace.tb_frame
        in_scope = in_scope or entered_in(frame) is not None
        if trace.tb_next is None:
            file = frame.f_code.co_filename
            # A library may have taken its own frames out: then the last one is ours, which entered the scope.
            return in_scope and (entered_in(frame) is not None or (is_ours(file) and not is_whygrads(file)))
        trace = trace.tb_next
    return False


def is_whygrads(filename: str) -> bool:
    """Whether a source file belongs to whygrad itself, and to no other library."""
    return filename.startswith((_packages[0], GENERATED))


def scope_of(code: CodeType) -> Scope | None:
    """The scope of a call site, if it has one."""
    constants = code.co_consts
    return constants[-1] if constants and type(constants[-1]) is Scope else None


class Pinned(threading.local):
    """The call site that the ops of this thread get whatever the stack says; None to look at the stack.

    It is set while a traced function is replayed, whose Python is not on the stack, and while a sweep is recorded, whose ops all
    belong to the line that asked for the gradient.
    """

    place: Place | None = None
    around: tuple[Place, ...] = ()  # the user's calls around that place which the stack does not show, innermost first
    traced_in: FrameType | None = (
        None  # the frame that has a function traced: calls outside of it are on the stack later
    )
    scope: tuple[Scope, FrameType] | None = None  # the innermost one, and the frame that entered it


class InScope:
    """A context in which what the calling function computes belongs to a scope."""

    __slots__ = ("before", "scope")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def __enter__(self) -> None:
        self.before = pinned.scope
        pinned.scope = (self.scope, frame_at(1))

    def __exit__(self, *_: object) -> None:
        pinned.scope = self.before


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


def code_in_scope(frame: FrameType, users: FrameType) -> CodeType:
    """The code of the user's frame: where the innermost scope lies between `frame` and it, the copy that stands for the scope."""
    code = users.f_code
    if pinned.scope is None:
        return code
    scope, entered = pinned.scope
    each: FrameType | None = frame
    while each is not users and each is not None:
        if each is entered:
            return code if each.f_back is users and not scope.is_whole_call else scope.within(code)
        each = each.f_back
    return code


def users_code(frame: FrameType) -> tuple[Any, CodeType]:
    """The nearest frame, from this one outwards, that is the user's, and its code, which is remembered as the last one."""
    place = pinned.place
    if place is not None:
        return place, place.f_code
    if frame.f_code.co_filename not in user_files:
        users = users_frame(frame)
        if pinned.scope is not None:
            code = code_in_scope(frame, users)
            if code is not users.f_code:
                return Place(code, users.f_lasti), code
        frame = users
    last.code = frame.f_code
    return frame, frame.f_code


def users_frame_above(depth: int) -> tuple[Any, CodeType]:
    """The user's frame and its code for an op, most likely `depth` calls up, or one further: some ops share a function."""
    try:
        frame = frame_at(depth)
    except ValueError:  # the stack is not that deep
        return users_code(frame_at(1))
    code, known = frame.f_code, last.code
    if code is known:
        return frame, code
    back = frame.f_back
    if back is not None and back.f_code is known and code.co_filename in own_files and pinned.scope is None:
        return back, known
    return users_code(frame_at(1))


def users_calls_traced() -> tuple[Place, ...]:
    """The user's calls around the user's nearest one, innermost first, up to the function that is being traced."""
    frame, found = frame_at(1), []
    while frame is not pinned.traced_in and frame.f_back is not None:
        if not is_ours(frame.f_code.co_filename):
            found.append(Place(frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found[1:]) if frame is pinned.traced_in else ()


def users_site(depth: int = 1) -> tuple[CodeType, int]:
    """The user's code object and the instruction in it that led here; those less than `depth` calls away are our own."""
    if pinned.place is not None:
        return pinned.place
    try:
        frame = frame_at(depth)
    except ValueError:  # no Python code called us
        frame = frame_at(1)
    code = frame.f_code
    if code is last.code:  # most likely: the code of an op's call before
        return code, frame.f_lasti
    users = users_frame(frame)
    return users.f_code if pinned.scope is None else code_in_scope(frame, users), users.f_lasti
