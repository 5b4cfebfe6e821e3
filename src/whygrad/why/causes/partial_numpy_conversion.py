"""numpy-conversion of a part: a gradient lacks what went through NumPy or Python and came back as a constant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic, Moves, Selects
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes.numpy_conversion import as_numpys_here, called_for_arrays, changed_as_array, how, kept_in_array
from whygrad.why.evidence.comebacks import Comeback, comebacks, differentiable_origins
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Numerics
from whygrad.why.evidence.question import Question
from whygrad.why.source.edits import Repair
from whygrad.why.source.sites import Site, site
from whygrad.why.source.tensor_functions import as_tensors, numpys_take_tensors
from whygrad.why.source.wording import described, listed, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(question: Question, trace: Trace) -> Iterator[Cause]:
    """Each place where a value left, of which something came back that the target depends on, unless that looks meant."""
    found = comebacks(question, trace)
    if not found:
        return
    judge = _Judge(question, found, trace.numerics)
    reported: dict[tuple[Any, int], list[Comeback]] = {}
    for each in found:
        if not judge.is_meant(each):
            reported.setdefault((each.left.code, each.left.instruction), []).append(each)
    for place, (first, *_) in reported.items():
        # All that is called with what left has to take a tensor, also where that alone would look meant.
        functions = [
            name for each in found if (each.left.code, each.left.instruction) == place for name in each.functions
        ]
        yield _cause(question, judge, first, list(dict.fromkeys(functions)))


def _cause(question: Question, judge: _Judge, comeback: Comeback, functions: list[str]) -> Cause:
    names = [question.source_names[i] for i in judge.sources_of(comeback)]
    left = site(comeback.left.code, comeback.left.instruction, "left here", described(comeback.left.source))
    came = site(*comeback.place, "came back here", described(comeback.constant))
    shown = listed(names[:3]) if len(names) <= 3 else f"{listed(names[:2])} and {len(names) - 2} more"
    called = called_for_arrays(comeback.left)
    repair = called if called is not None and called.edits else Repair(_help(comeback, left, functions))
    back = () if (came.file, came.line) == (left.file, left.line) else (came,)
    return Cause(
        "numpy-conversion",
        "wrong_value",
        f"the gradient of {quoted(question.target_name)} with respect to {shown} lacks a part: a value left {_when(comeback)} "
        f"{how(left)}, and came back as a constant",
        (left, *back, question.call_site.site),
        repair.help,
        {names[0]: described(question.call.sources[judge.sources_of(comeback)[0]])},
        likely=True,
        edits=repair.edits,
    )


def _when(comeback: Comeback) -> str:
    return "before the tape's block" if comeback.is_outside else "the tape"


def _help(comeback: Comeback, left: Site, functions: list[str]) -> str:
    """What to write instead of the conversion, and of the functions that the program calls on the way."""
    inside = ", inside the with block" if comeback.is_outside else ""
    place = comeback.left.code, comeback.left.instruction
    how_to = kept_in_array(*place) or changed_as_array(comeback.left, left)
    if not how_to:
        in_tensors = f"stay with tensors: {as_tensors(left.text, functions)}"
        how_to = as_numpys_here(*place, functions) if numpys_take_tensors() else in_tensors
    return f"{how_to}{inside}; if it is meant to be a constant, say so with tf.stop_gradient"


_COMPARES = (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE)
_LINEAR = (Arithmetic.SUM, Arithmetic.DIFFERENCE, Arithmetic.NEGATION, Arithmetic.PRODUCT, Arithmetic.QUOTIENT)


class _Judge:
    """Tells what comes back by mistake from what is detached on purpose."""

    def __init__(self, question: Question, found: list[Comeback], numerics: Numerics) -> None:
        self._numerics = numerics
        self.question, self.history = question, question.evidence.tape_history
        self.watched = question.evidence.watched
        self._origins: dict[Key, set[Key]] = {}
        self._terms = set(self._linear(question.evidence.differentiated_targets))
        # Subtracted before an exponential a constant only shifts: softmax and logsumexp made safe by hand.
        self._shifts = {
            each.left.source
            for each in found
            if each.met.traits.arithmetic is Arithmetic.DIFFERENCE and self._is_exponent(each.met)
        }

    def origins(self, key: Key) -> set[Key]:
        """A value and what it was computed from, in the tape's block, by ops that have a gradient."""
        if key not in self._origins:
            self._origins[key] = differentiable_origins(self.history, key)
        return self._origins[key]

    def sources_of(self, comeback: Comeback) -> list[int]:
        """The sources that got a gradient without the part that came back."""
        call, left = self.question.call, comeback.left.source
        assert left is not None
        before = (
            differentiable_origins(self.question.evidence.history, left) if comeback.is_outside else self.origins(left)
        )
        return [
            i
            for i, source in enumerate(call.sources)
            if call.gradients[i] is not None and not before.isdisjoint(self.question.evidence.read_values_of(source))
        ]

    def is_meant(self, comeback: Comeback) -> bool:
        """Whether a value that came back is not a part of a derivative, or was detached on purpose."""
        left, met, constant = comeback.left.source, comeback.met, comeback.constant
        assert left is not None
        if not self.sources_of(comeback) or left in self._shifts or met.traits.compares:
            return True
        if comeback.is_rounded or comeback.is_running:
            return True
        output = outputs_of(met)[0]
        arithmetic = met.traits.arithmetic
        others = [key for key in comeback.others if key in self.watched]
        depends = any(left in self.origins(key) for key in others)
        if comeback.is_outside and arithmetic is not Arithmetic.SUM:
            return True  # a constant that one step takes from the last one
        if not output.shape and output in self._terms and arithmetic in (Arithmetic.SUM, Arithmetic.DIFFERENCE):
            # A constant term does nothing, unless it takes back what other terms hold: `loss - float(loss)`.
            return arithmetic is Arithmetic.DIFFERENCE and constant is met.inputs[-1] and depends
        if comeback.is_outside:
            return True
        if arithmetic in _COMPARES or met.traits.penalizes or met.traits.takes_logits is not None:
            if self._is_one_of_several(comeback, others):
                return False
            # What a prediction is compared with: a goal, or a sample whose probability follows.
            return (comeback.is_drawn if depends else not self._is_raw(left)) if others else True
        if arithmetic in (Arithmetic.PRODUCT, Arithmetic.QUOTIENT):
            return comeback.is_drawn or (not self._is_raw(left) and self._is_weight(left, constant, others, output))
        return False

    def _is_one_of_several(self, comeback: Comeback, others: list[Key]) -> bool:
        """Whether a result of the sources came back as it was, and what it is compared with is compared with a result that did not
        leave, too: of an anchor and two embeddings only one is a constant."""
        left = comeback.left.source
        assert left is not None
        if not self._is_unchanged(comeback, left):
            return False
        call, evidence = self.question.call, self.question.evidence
        values = {key for source in call.sources for key in evidence.read_values_of(source)} & self.origins(left)
        for other in others:
            for user in self.history.used_by.get(other, ()) if values <= self.origins(other) else ():
                if not isinstance(user, Record) or user is comeback.met or user.traits.arithmetic not in _COMPARES:
                    continue
                if any(key is not other and key in self.watched and values <= self.origins(key) for key in user.inputs):
                    return True
        return False

    def _is_unchanged(self, comeback: Comeback, left: Key) -> bool:
        """Whether the values that came back are those that left."""
        made, met = self._numerics.made(left), self._numerics.made(outputs_of(comeback.met)[0])
        if made is None or met is None:
            return False
        return np.array_equal(made.output, met.inputs[comeback.met.inputs.index(comeback.constant)])

    def _is_weight(self, left: Key, constant: Key, others: list[Key], output: Key) -> bool:
        """Whether a factor weights log-probabilities, terms or samples of a loss, as people do with constants on purpose."""
        if not left.shape and left in self._terms:
            return True  # terms of a loss that are balanced by their own values
        if any(
            self._passes(key, lambda traits: traits.is_logarithm or traits.takes_logits is not None) for key in others
        ):
            return True
        if any(each.gradient in self.origins(left) for each in self.question.evidence.derivatives):
            return True  # terms that are balanced by the norms of their gradients
        samples = bool(constant.shape) and output.shape == constant.shape and output in self._terms
        return samples and any(self._passes(key, lambda traits: traits.penalizes) for key in others)

    def _passes(self, key: Key, wanted: Any) -> bool:
        """Whether a value is the result of an op of some kind, but for signs, factors, sums and selections."""
        pending, seen = [key], {key}
        while pending:
            maker = self.history.made_by.get(pending.pop())
            if not isinstance(maker, Record):
                continue
            traits = maker.traits
            if wanted(traits):
                return True
            if (
                traits.arithmetic in _LINEAR
                or traits.reduces is not None
                or traits.moves
                or traits.selects
                or traits.casts
            ):
                new = [each for each in maker.inputs if each in self.watched and each not in seen]
                seen.update(new)
                pending += new
        return False

    def _linear(self, targets: list[Key]) -> Iterator[Key]:
        """The values that the target is a sum of, each perhaps times a number, averaged or in another shape."""
        pending, seen = list(targets), set(targets)
        while pending:
            key = pending.pop()
            yield key
            maker = self.history.made_by.get(key)
            if not isinstance(maker, Record):
                continue
            traits = maker.traits
            factors = traits.arithmetic in (Arithmetic.PRODUCT, Arithmetic.QUOTIENT)
            if factors and sum(each in self.watched for each in maker.inputs) > 1:
                continue
            if traits.arithmetic in _LINEAR or traits.reduces is not None or traits.moves is Moves.ALL or traits.casts:
                new = [each for each in maker.inputs if each in self.watched and each not in seen]
                seen.update(new)
                pending += new

    def _is_raw(self, key: Key) -> bool:
        """Whether a value is a source itself, or some of its elements."""
        pending = [key]
        while pending:
            maker = self.history.made_by.get(pending.pop())
            if not isinstance(maker, Record):
                continue
            if not (
                maker.traits.moves or maker.traits.selects in (Selects.SLICE, Selects.VALUES) or maker.traits.casts
            ):
                return False
            pending += maker.inputs
        return True

    def _is_exponent(self, record: Record) -> bool:
        users = self.history.used_by.get(outputs_of(record)[0], ())
        return any(isinstance(each, Record) and each.traits.arithmetic is Arithmetic.EXPONENTIAL for each in users)
