"""A call read off its bytecode, for programs whose source is not available: typed at a prompt, run by `exec`, edited since."""

from __future__ import annotations

import ast
import dis
import itertools
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any, NamedTuple

_NAMES = (
    "LOAD_NAME",
    "LOAD_FAST",
    "LOAD_FAST_CHECK",
    "LOAD_FAST_BORROW",
    "LOAD_GLOBAL",
    "LOAD_DEREF",
    "LOAD_CLASSDEREF",
)
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_BETWEEN = ("PRECALL", "CACHE", "PUSH_NULL", "NOT_TAKEN")  # may stand between a function, its arguments and the call
_CONSTANTS = ("LOAD_CONST", "LOAD_CONST_IMMORTAL", "LOAD_SMALL_INT")
# From Python 3.13 on, two accesses to local variables that follow each other are one instruction.
_TWO_IN_ONE = re.compile(r"((?:LOAD|STORE)_FAST(?:_BORROW)?)_((?:LOAD|STORE)_FAST(?:_BORROW)?)")
_DISPLAYS = {"BUILD_LIST": ast.List, "BUILD_TUPLE": ast.Tuple}


class Step(NamedTuple):
    """One instruction, which touches at most one variable."""

    opname: str
    argval: Any
    arg: int | None
    offset: int


def steps_of(code: CodeType) -> Iterator[Step]:
    """The instructions of a code object; those that access two variables, as two."""
    for each in dis.get_instructions(code):
        both = _TWO_IN_ONE.fullmatch(each.opname)
        if both is None:
            yield Step(each.opname, each.argval, each.arg, each.offset)
        else:
            for opname, name in zip(both.groups(), each.argval):
                yield Step(opname, name, None, each.offset)


def names_stored(code: CodeType) -> set[str]:
    """The local variables, parameters among them, to which a function gives values."""
    return {step.argval for step in steps_of(code) if step.opname in ("STORE_FAST", "STORE_DEREF")}


def call_at(code: CodeType, instruction: int) -> ast.Call | None:
    """The call that an instruction makes, if it and its arguments are names, attributes, numbers, lists and tuples of them.

    >>> code = compile("tape.gradient(loss, [net.w, b], unconnected_gradients='zero')", "<stdin>", "eval")
    >>> place = next(each.offset for each in dis.get_instructions(code) if each.opname.startswith("CALL"))
    >>> ast.unparse(call_at(code, place))
    "tape.gradient(loss, [net.w, b], unconnected_gradients='zero')"
    """
    steps = list(steps_of(code))
    at = max((i for i, each in enumerate(steps) if each.offset <= instruction), default=0)  # or in the caches after it
    if steps[at].opname not in ("CALL", "CALL_KW"):
        return None
    reader = _Reader(steps, at)
    keywords: tuple[str, ...] = ()
    if steps[reader.at].opname == "KW_NAMES":
        keywords = code.co_consts[steps[reader.at].arg or 0]
        reader.step_back()
    elif steps[at].opname == "CALL_KW":
        keywords = steps[reader.at].argval
        reader.step_back()
    values = reader.several(steps[at].arg or 0)
    function = None if values is None else reader.one()
    if values is None or function is None:
        return None
    named = len(values) - len(keywords)
    call = ast.Call(function, values[:named], [ast.keyword(name, each) for name, each in zip(keywords, values[named:])])
    line = next(itertools.islice(code.co_positions(), instruction // 2, None), (None,))[0]
    for node in ast.walk(call):
        if isinstance(node, ast.expr | ast.keyword):
            node.lineno = node.end_lineno = line or 1
            node.col_offset = node.end_col_offset = 0
    return call


class _Reader:
    """Goes back over the instructions that put values on the stack."""

    def __init__(self, steps: list[Step], at: int) -> None:
        self.steps, self.at = steps, at
        self.step_back()

    def step_back(self) -> None:
        """To the instruction before."""
        self.at -= 1
        while self.at > 0 and self.steps[self.at].opname in _BETWEEN:
            self.at -= 1

    def one(self) -> ast.expr | None:
        """The expression whose value was put there last; None if it is of another kind than those read here."""
        step = self.steps[self.at]
        self.step_back()
        if step.opname in _NAMES:
            return ast.Name(step.argval, ast.Load())
        if step.opname in _CONSTANTS and isinstance(step.argval, str | int | float | None):
            return ast.Constant(step.argval)
        if step.opname in _ATTRIBUTES:
            owner = self.one()
            return None if owner is None else ast.Attribute(owner, step.argval, ast.Load())
        if step.opname in _DISPLAYS:
            elements = self.several(step.arg or 0)
            return None if elements is None else _DISPLAYS[step.opname](elements, ast.Load())
        return None

    def several(self, count: int) -> list[ast.expr] | None:
        """The expressions of the last values, in the order of the program."""
        found: list[ast.expr] = []
        for _ in range(count):
            each = self.one()
            if each is None:
                return None
            found.insert(0, each)
        return found
