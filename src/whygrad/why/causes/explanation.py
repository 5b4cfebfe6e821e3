"""Explanation: the kind, sentence and help for an op that failed, and the table from faults to the functions that explain them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from whygrad.values.faults import Fault
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source.edits import Edit
from whygrad.why.source.sites import Site


class Explanation(NamedTuple):
    """Kind, sentence and help of a cause; the operand that should be another one, where one is to blame."""

    kind: str
    sentence: str  # "": the op's own
    help: str
    blamed: Operand | None = None
    edits: tuple[Edit, ...] = ()
    born: Site | None = None  # where a value that is not finite first was so: the place of the cause


F = TypeVar("F", bound=Fault)
Explaining = Callable[[FailedOp, F], Explanation | None]

_functions: dict[type[Fault], Explaining[Any]] = {}


def explains(kind: type[F]) -> Callable[[Explaining[F]], Explaining[F]]:
    """Register a function that explains faults of a class and its subclasses."""

    def register(function: Explaining[F]) -> Explaining[F]:
        _functions[kind] = function
        return function

    return register


def explained(fault: Fault | None, op: FailedOp) -> Explanation | None:
    """The explanation of a fault; None where the sentence of its error is enough."""
    function = next((_functions[kind] for kind in type(fault).__mro__ if kind in _functions), None)
    return None if function is None or fault is None else function(op, fault)
