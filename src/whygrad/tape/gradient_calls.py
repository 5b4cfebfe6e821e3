"""What a call of `GradientTape.gradient` was asked and gave: for those who explain it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from types import CodeType, MappingProxyType
from typing import TYPE_CHECKING, Any

from whygrad.ops.primitive import RawRecord, Record
from whygrad.runtime.data import Data
from whygrad.tape.norms import Norms
from whygrad.values.tensor import Key, Tensor
from whygrad.values.variable import Variable

if TYPE_CHECKING:
    from whygrad.tape.gradient_tape import GradientTape


class GradientCall(Data):
    """One call of `GradientTape.gradient`, passed to listeners while the tape still has its records."""

    tape: GradientTape
    targets: list[Any]
    sources: list[Any]
    gradients: list[Any]
    broadcasts: list[Record]  # ops that repeated both of their operands
    code: CodeType  # the call site
    instruction: int
    # With unconnected_gradients="zero", the sources that got zeros in place of None; otherwise None.
    filled: Set[int] | None = None
    norms: Norms | None = None  # the norms of the sweep's cotangents, where they were recorded
    seeds: list[tuple[Key, Tensor]] | None = None  # the targets' upstream gradients, where the sweep can be repeated
    paths: list[tuple[Any, ...]] | None = None  # to each source in a nested structure; None for a plain list or tuple
    # The sources that got zeros because a traced function would have used them in code that did not run, with the call site of that.
    untaken: Mapping[int, tuple[CodeType, int]] = MappingProxyType({})
    odd: Sequence[int] = ()  # without a trace: the positions of gradients to explain: inf, nan or all zeros
    traced: TracedFunction | None = None  # while a function was traced that would run op by op: what is known of it

    @property
    def without_path(self) -> Collection[int]:
        """The positions of sources that got zeros though no op leads from them to the targets."""
        return self.untaken if self.filled is None else self.filled

    def key_of(self, value: Any) -> Key | None:
        """The identity of a target or source; for a variable, of its last value that was read."""
        keys = self.tape._keys(value)
        return keys[-1] if keys else None


class TracedFunction(Data):
    """What is known of a function that is being traced: a trace of the program does not see it."""

    ops: list[RawRecord]  # without what rules keep
    values: dict[Variable, list[Key]]  # of the variables that it reads


class Derivative(Data):
    """A gradient taken while another tape was recording."""

    targets: list[Key]
    source: Key
    gradient: Key
    code: CodeType
    instruction: int
    named: Any = None  # see `GradientTape.named`


class FailedCall(Data):
    """A call of `GradientTape.gradient` that raised."""

    tape: GradientTape
    record: Record | None  # whose rule failed
    targets: list[Any]
    code: CodeType
    instruction: int


class PastCall:
    """A call of `gradient` as its tape remembers it, without keeping its large tensors alive."""

    __slots__ = ("counts", "held", "rest")

    def __init__(self, targets: list[Any], sources: list[Any], gradients: list[Any], rest: tuple[Any, ...]) -> None:
        self.counts = len(targets), len(sources)
        # Small tensors are held, so that `why()` can answer after `print(tape.gradient(y, x))`.
        self.held = [
            each if (type(each) is Tensor and each._array.nbytes <= _SMALL) or each is None else _reference(each)
            for each in (*targets, *sources, *gradients)
        ]
        self.rest = rest

    def restored(self, tape: GradientTape) -> GradientCall | None:
        """The call itself, if its large tensors still exist."""
        found = [each() if type(each) is _reference else each for each in self.held]
        if any(each is None and was is not None for each, was in zip(found, self.held)):
            return None
        targets, sources = self.counts
        parts = found[:targets], found[targets : targets + sources], found[targets + sources :]
        return GradientCall(tape, *parts, *self.rest)


_SMALL = 1 << 14  # bytes of a tensor that a past call holds
_reference = weakref.ref

# Called for each call of `gradient` that gave None, inf, nan or zeros, or had no sources; under a trace, for every call.
listeners: list[Callable[[GradientCall], None]] = []
# Called for each call that raised.
failure_listeners: list[Callable[[FailedCall, Exception], None]] = []
