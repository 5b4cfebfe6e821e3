"""Where numbers went wrong: the op or the rule at which finite values became inf or nan, or a cotangent became zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import Record
from whygrad.values.tensor import Key, Tensor


@dataclass(frozen=True)
class Birth:
    """The first inf or nan on its way: made by an op, by a rule of the backward pass, or there in the data."""

    where: str  # "forward", "backward" or "data"
    record: Record  # the op; of data, the op that first used it
    bad: int  # how many elements are not finite
    total: int
    arrays: tuple[Any, ...]  # forward: the op's inputs; backward: the upstream cotangent; data: the data
    key: Key  # the value that is not finite
    infinite: Birth | None = None  # where the inf came from that an op made a nan of


class Numerics:
    """Births of what is not finite, and the rules at which a cotangent vanished."""

    def __init__(self) -> None:
        self.births: dict[Key, Birth] = {}  # the origin of every value in the forward pass that is not finite
        self.inputs: dict[Key, tuple[Any, ...]] = {}  # for each output of the running step, the arrays it was made of
        self.backward: list[Birth] = []  # births in the sweep that is running or ran last
        self.vanished: list[tuple[Record, Key]] = []  # rules that turned a cotangent into zeros, in the same sweep
        self.eigenvectors: list[tuple[Record, Key]] = []  # decompositions whose vectors were differentiated
        self._bad_cotangents: set[Key] = set()

    def computed(self, record: Record, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Note where an op made inf or nan."""
        arrays = tuple([t._array for t in inputs])
        for output in outputs if type(outputs) is tuple else (outputs,):
            array = output._array
            self.inputs[output._key] = arrays
            if _finite(array):
                continue
            self.births[output._key] = self._origin(record, arrays, output._key, array)

    def _origin(self, record: Record, arrays: tuple[Any, ...], key: Key, made: Any) -> Birth:
        """Where the inf or nan in `made` comes from: an input that has it, data, or this op."""
        has_nan = bool(np.isnan(made).any())
        infinite: Birth | None = None
        for source, array in zip(record.inputs, arrays):
            if _finite(array):
                continue
            birth = self.births.get(source)
            if birth is None:
                birth = self.births[source] = Birth("data", record, _bad(array), array.size, (array,), source)
            if np.isnan(array).any() or not has_nan:
                return birth
            infinite = birth  # an inf went in and a nan came out: this op is where the nan was born
        return Birth("forward", record, _bad(made), made.size, arrays, key, infinite)

    def begin_sweep(self) -> None:
        """Forget the last sweep."""
        self.backward.clear()
        self.vanished.clear()
        self.eigenvectors.clear()
        self._bad_cotangents.clear()

    def end_step(self) -> None:
        """Let go of the arrays of the forward pass."""
        self.inputs.clear()

    def pulled(self, record: Record, key: Key, g: Any, gx: Any) -> None:
        """Note where a rule made inf or nan of finite cotangents, or zeros of others."""
        if (
            record.plan.primitive.name in ("matrix_eigh", "matrix_svd")
            and isinstance(g, tuple)
            and any(np.any(_plain(each)) for each in g[1:])  # the values come first, then the vectors
        ):
            self.eigenvectors.append((record, key))
        arrived, given = _plain(g), _plain(gx)
        if given is None:
            return
        if not _finite(given):
            outputs = record.output if isinstance(record.output, tuple) else (record.output,)
            if not any(output in self._bad_cotangents for output in outputs):
                self.backward.append(Birth("backward", record, _bad(given), given.size, (arrived,), key))
            self._bad_cotangents.add(key)
        elif given.size and not given.any() and arrived is not None and arrived.any():
            self.vanished.append((record, key))


def _finite(array: Any) -> bool:
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def _bad(array: Any) -> int:
    return int(array.size - np.isfinite(array).sum())


def _plain(value: Any) -> Any:
    """A cotangent as an array: dense, of a part, or of a tensor; None for several."""
    if isinstance(value, Rows | Slot):
        value = value.values
    if isinstance(value, Tensor):
        return value._array
    return None if isinstance(value, tuple) else np.asarray(value)
