"""What targets depend on only through code that a traced function did not run, such as the branch not taken.

TensorFlow gives zeros for it, where eager code gives None.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import CodeType
from typing import TypeAlias

from whygrad.ops.primitive import RawRecord, outputs_in, record_of
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable

# What leads to the targets, each with the call site whose code did not run (of several on the path, the one nearest to the target),
# or None if all code on the path ran.
Reached: TypeAlias = dict[Key | Variable, tuple[CodeType, int] | None]


class Untaken:
    """A branch or loop body that did not run: what it would have computed, and from what."""

    __slots__ = ("inputs", "outputs", "position", "site")

    def __init__(
        self, position: int, outputs: Sequence[Key], inputs: Sequence[Key | Variable], site: tuple[CodeType, int]
    ) -> None:
        self.position = position  # the number of records before it
        self.outputs = outputs
        self.inputs = inputs
        self.site = site  # the call site of the control flow


def reached_from(targets: Iterable[Key], records: Sequence[RawRecord], untaken: Sequence[Untaken]) -> Reached:
    """Everything that leads to the targets, by records and by code that did not run."""
    reached: Reached = dict.fromkeys(targets)
    end = len(records)
    for code in reversed(untaken):
        _go_back(records[code.position : end], reached)
        end = code.position
        if not reached.keys().isdisjoint(code.outputs):
            _reach(code.inputs, code.site, reached)
    _go_back(records[:end], reached)
    return reached


def _go_back(records: Sequence[RawRecord], reached: Reached) -> None:
    """Add the inputs of the records whose outputs are reached, from the last record to the first."""
    for raw in reversed(records):
        if raw[0].primitive.no_gradient is not None:
            continue
        sites = [reached[key] for key in outputs_in(raw) if key in reached]
        if sites:
            _reach(record_of(raw).inputs, next((site for site in sites if site is not None), None), reached)


def _reach(inputs: Iterable[Key | Variable], site: tuple[CodeType, int] | None, reached: Reached) -> None:
    """Add inputs, with the call site of the code that did not run. One that is known by now is nearer to the targets."""
    for each in inputs:
        if reached.get(each) is None:
            reached[each] = site
