"""The ops between a source and a target, computed again at other values of the source: what changes with it, and what does not.

What the tape treats as a constant (other sources, what `tf.stop_gradient` gave, conditions and indices) does not change with the
source. So that nothing is concluded from numbers that happen to be equal, some trials are made with other data, too. All is
computed in float64, where a difference that is only rounding is far smaller than one that is not.

Without a trace, nothing holds what a sum adds to a value, once the program has dropped it. What changes does not depend on it: any
number does in its place.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record, computation
from whygrad.ops.traits import Arithmetic
from whygrad.values.tensor import Key
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Numerics, is_finite

_TRIALS = 3
_TRIALS_OF_DESCENT = 8  # at a saddle about half of them fall
# Relative to the operands: larger than what float64 loses in a long sum, smaller than any real dependence.
_ROUNDING = 1e-11


class Recomputed:
    """The ops on the ways from `sources` to `targets`, in order, and which of their values change with the sources."""

    def __init__(
        self, records: Sequence[Record], sources: Iterable[Key], targets: Iterable[Key], numerics: Numerics
    ) -> None:
        self.sources = set(sources)
        self.records = _between(records, self.sources, set(targets))
        self._numerics = numerics
        self._assumed: dict[tuple[Key, int], Any] = {}  # what takes the place of an unknown summand, in each trial

    def changing(self) -> set[Key] | None:
        """The values that change when the sources do, for the present data or for other data; None where that cannot be found out.

        A value that is not finite at other values of the sources counts as changing.
        """
        given = self._values_of_sources()
        if given is None or not self.records:
            return None
        generator = np.random.default_rng(0)
        changing = set(self.sources)
        for trial in range(_TRIALS):
            base = self._computed(given, trial, assuming=True)
            moved = self._computed(
                {key: _moved(array, generator) for key, array in given.items()}, trial, assuming=True
            )
            if base is None or moved is None or not all(is_finite(array) for array in base.values()):
                return None
            for record in self.records:
                if changing.isdisjoint(record.inputs):
                    continue
                scale = max((_largest(base[key]) for key in record.inputs if key in base), default=0.0)
                for key in outputs_of(record):
                    most = max(scale, _largest(base[key]), _largest(moved[key]))
                    if not _largest(moved[key] - base[key]) <= _ROUNDING * most:
                        changing.add(key)
        return changing

    def with_first_example_moved(self) -> tuple[dict[Key, Any], dict[Key, Any]] | None:
        """All values as they were, and with another first row of the sources; None where that cannot be found out."""
        given = self._values_of_sources()
        if given is None or not self.records:
            return None
        generator = np.random.default_rng(0)
        changed = {key: np.concatenate([_moved(array[:1], generator), array[1:]]) for key, array in given.items()}
        base, moved = self._computed(given, 0), self._computed(changed, 0)
        return None if base is None or moved is None else (base, moved)

    def falls(self, targets: Iterable[Key]) -> bool:
        """Whether the sum of the targets is lower at some other values of the sources nearby: then this is no minimum."""
        given, wanted = self._values_of_sources(), list(targets)
        base = None if given is None or not self.records else self._computed(given, 0)
        if given is None or base is None:
            return False
        generator = np.random.default_rng(0)
        for _ in range(_TRIALS_OF_DESCENT):
            moved = self._computed({key: _moved(array, generator) for key, array in given.items()}, 0)
            if (
                moved is not None
                and sum(float(np.real(np.sum(moved[key] - base[key]))) for key in wanted if key in base) < 0
            ):
                return True
        return False

    def _values_of_sources(self) -> dict[Key, Any] | None:
        found: dict[Key, Any] = {}
        for record in self.records:
            if self.sources.isdisjoint(record.inputs):
                continue
            operands = self._operands(record)
            used = self.sources.intersection(record.inputs)
            if not used <= operands.keys():
                return None
            found.update((key, _wide(operands[key])) for key in used)
        return found

    def _operands(self, record: Record) -> dict[Key, Any]:
        """The operands of an op, as far as they are known."""
        made = self._numerics.made(outputs_of(record)[0])
        if made is not None:
            return dict(zip(record.inputs, made.inputs))
        return {key: self._numerics.known[key] for key in record.inputs if key in self._numerics.known}

    def _computed(self, given: Mapping[Key, Any], trial: int, assuming: bool = False) -> dict[Key, Any] | None:
        """The values of all ops for these values of the sources; None if an op cannot be computed again."""
        values = dict(given)
        with np.errstate(all="ignore"):
            for record in self.records:
                operands = {key: _data(array, trial) for key, array in self._operands(record).items()} | values
                if assuming and record.traits.arithmetic in (Arithmetic.SUM, Arithmetic.DIFFERENCE):
                    operands = {key: self._summand(key, trial) for key in record.inputs} | operands
                if not all(key in operands for key in record.inputs):
                    return None
                outputs = _outputs(record, [operands[key] for key in record.inputs])
                if outputs is None:
                    return None
                values.update(outputs)
        return values

    def _summand(self, key: Key, trial: int) -> Any:
        if (key, trial) not in self._assumed:
            generator = np.random.default_rng([trial, len(self._assumed)])
            self._assumed[key, trial] = generator.uniform(0.5, 1.5, key.shape)
        return self._assumed[key, trial]


def _between(records: Sequence[Record], sources: set[Key], targets: set[Key]) -> list[Record]:
    """The ops through which a derivative passes from the targets to the sources, in order."""
    reached, found = set(sources), []
    for record in records:
        if record.kept is not None and not reached.isdisjoint(record.inputs):
            reached.update(key for key in outputs_of(record) if key.dtype.kind in "fcV")
            found.append(record)
    towards, between = set(targets), []
    for record in reversed(found):
        if not towards.isdisjoint(outputs_of(record)):
            towards.update(record.inputs)
            between.append(record)
    return between[::-1]


def _outputs(record: Record, inputs: list[Any]) -> dict[Key, Any] | None:
    primitive = record.plan.primitive
    traits = primitive.traits
    if primitive.takes_tensors or traits.draws is not None:
        return None
    keys = outputs_of(record)
    if traits.casts:
        return {keys[0]: inputs[0]}
    try:
        made = computation(primitive)(*inputs, **record.attributes)
    except Exception:  # forward functions are written for the dtypes that their ops admit
        return None
    several = tuple(made) if isinstance(record.output, tuple) else (made,)
    if len(several) != len(keys) or any(np.shape(array) != key.shape for array, key in zip(several, keys)):
        return None
    return dict(zip(keys, map(np.asarray, several)))


def _wide(array: Any) -> Any:
    # A compiled call's operands are JAX's arrays, which have no float64 unless that is switched on.
    array = np.asarray(array)
    kind = array.dtype.kind
    return array.astype(np.complex128 if kind == "c" else np.float64) if kind in "fcV" else array


def _data(array: Any, trial: int) -> Any:
    """Data for a trial: as it is for the first; for others each number is changed by some percent, and equal arrays alike.

    Zeros stay, as those of a mask, and so do single numbers, which are mostly part of the formula.
    """
    wide = _wide(array)
    if not trial or wide.dtype.kind != "f" or wide.size < 2 or not is_finite(wide):
        return wide
    generator = np.random.default_rng([trial, zlib.crc32(np.ascontiguousarray(wide).tobytes())])
    return wide * generator.uniform(0.9, 1.1, wide.shape)


def _moved(array: Any, generator: np.random.Generator) -> Any:
    """Other values near these: each changes by some percent, and zeros by a little, so that signs mostly stay."""
    typical = math.sqrt(float(np.mean(np.abs(array) ** 2))) if array.size else 0.0
    noise = generator.uniform(0.5, 1.0, array.shape) * generator.choice([-1.0, 1.0], array.shape)
    return array + noise * (0.1 * np.abs(array) + 0.01 * (typical or 1.0))


def _largest(array: Any) -> float:
    return float(np.max(np.abs(array), initial=0.0)) if array.dtype.kind in "fc" else 0.0
