"""Where numbers went wrong: the op or the rule at which finite values became inf or nan, or a cotangent became zero."""

from __future__ import annotations

import contextlib
import math
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, NamedTuple, Protocol

import numpy as np

from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import OUTPUT, RawRecord, Record, computation, outputs_in, record_of
from whygrad.ops.traits import Logits
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values.conversion import convert
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Key, Tensor
from whygrad.why.evidence.bad_values import BadValues
from whygrad.why.evidence.history import History

# The values of one training step are kept until the next step begins, but never more than this: the arrays that ops made and were
# given, and what it takes to note an op.
_MOST_BYTES = 1 << 28
_BYTES_PER_OP = 1024
_SMALL = 256  # bytes of an op's input that are counted with the op
MOST_PENDING = 4 * 128  # entries of ops that are looked at together
MOST_PENDING_BYTES = 1 << 14  # of one of them
_MOST_BIRTHS = 4096


@dataclass(frozen=True)
class Birth:
    """Where an inf or nan first appears: in an op's result, in what a rule gives, or in the data."""

    where: str  # "forward", "backward" or "data"
    record: Record  # the op; for data, the first op that used it
    bad: int  # how many elements are not finite
    total: int
    arrays: tuple[Any, ...]  # forward: the op's inputs; backward: the upstream cotangent; data: the data
    made: Any  # the array that is not finite
    key: Key  # whose value (backward: cotangent) it is
    infinite: Birth | None = None  # the origin of the inf, if the op made a nan from an inf


class Made(NamedTuple):
    """An op with the values of its inputs and its output."""

    record: Record
    inputs: tuple[Any, ...]
    output: Any


class Pulled(NamedTuple):
    """One run of a rule: the cotangent `g` of the op's output, and `gx`, that of its input `key`."""

    record: Record
    key: Key
    g: Any
    gx: Any


# What is known of one sweep: see `backward`, `vanished`, `thinned`, `watched` and `arrived` of `Numerics`.
_Sweep = tuple[list[Birth], list[Pulled], list[Pulled], list[Pulled], dict[tuple[Any, Key], float]]


# A value in the current step: the record of its op, the op's inputs, its key and its array.
_Value = tuple[RawRecord, tuple[Tensor, ...], Key, Any]


class _Group(NamedTuple):
    """Values that were looked at together: their number of bytes, and the larger values that were counted with them."""

    values: list[Any]  # four entries for each, those of a `_Value`
    size: int
    large: list[Key | None]


class Seen(Protocol):
    """The evidence that explanations of numbers need, from a trace or from a tape that is replayed."""

    numerics: Numerics

    def history(self) -> History:
        """What was recorded, as a graph."""

    def made_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where a constant or a variable's value was made."""

    def times_asked(self, call: GradientCall) -> int:
        """How often gradients were asked for at the place of this call, this time included."""


class Numerics:
    """Where values and cotangents became inf, nan or zero, in the forward pass and in the sweep."""

    def __init__(self) -> None:
        self._births: dict[Key, Birth] = {}
        self._bad_values = BadValues()
        # The values of the current step, each with the record of its op and the op's inputs: groups in order, those of them that
        # `made` has not been asked for since, and by key the values of the others.
        self._groups: deque[_Group] = deque()
        self._unsorted: deque[_Group] = deque()
        self._made: dict[Key, _Value] = {}
        self.known: dict[Key, Any] = {}  # in a replay: all values that are known, also of ops with unknown operands
        self.pending: list[Any] = []  # those that are in no group yet: four entries for each
        self._looking = threading.Lock()
        self.backward: list[Birth] = []  # births in the sweep that is running or ran last
        self.vanished: list[Pulled] = []  # rules that turned a cotangent into zeros, in the same sweep
        # Rules that gave zeros for half of a float16 cotangent or more, in the same sweep.
        self.thinned: list[Pulled] = []
        self.watched: list[Pulled] = []  # rules whose results are looked at more closely, in the same sweep
        # How much arrived along each edge, in the same sweep: the sum of squares of what a rule gave, by its op's output and input.
        self.arrived: dict[tuple[Any, Key], float] = {}
        self.settled = False  # the first inf or nan was explained: all that follow come from it
        self._last_sweep: _Sweep = ([], [], [], [], {})
        self._bad_cotangents: set[Key] = set()
        self._bytes = 0  # of all that the groups keep alive
        self._counted: set[Key | None] = set()  # the larger ones among the values that ops made and were given
        self.asked = False  # a gradient was taken, so the next tape begins a new step

    # -- the forward pass --

    @property
    def births(self) -> dict[Key, Birth]:
        """The origin of every value in the forward pass that is not finite."""
        self.look()
        return self._births

    def computed(self, raw: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Note where an op made inf or nan."""
        if self.asked:
            self._begin_step()
        for output in outputs if type(outputs) is tuple else (outputs,):
            self.look_at(raw, inputs, output._key, output._array)

    def look_at(self, raw: RawRecord, inputs: tuple[Tensor, ...], key: Key, array: Any) -> None:
        """Keep one value that an op made of `inputs`, and note, before anything asks, if it is not finite.

        Many small values are looked at together: an op on small arrays takes less time than a look at what it made.
        """
        pending = self.pending
        pending.extend((raw, inputs, key, array))
        if len(pending) >= MOST_PENDING or array.nbytes > MOST_PENDING_BYTES:
            self.look()

    def look(self) -> None:
        """Look at the values that were made since the last look."""
        if not self.pending:
            return
        with self._looking:
            values = self.pending[:]
            if not values:  # another thread has just looked at them
                return
            del self.pending[: len(values)]
            arrays, given = values[3::4], values[1::4]
            size, large = self._size(values[2::4], arrays, given)
            self._bytes += size
            group = _Group(values, size, large)
            self._groups.append(group)
            self._unsorted.append(group)
            if not _all_finite(arrays):
                for raw, inputs, key, array in zip(values[::4], given, values[2::4], arrays):
                    if not is_finite(array) and not self.settled:
                        record = record_of(raw)
                        birth = self._origin(record, tuple([t._array for t in inputs]), key, array)
                        self._births[key] = birth
                        if birth.where == "forward":
                            self._bad_values.add((record.code, record.instruction), key, array)
                for old in list(self._births)[: -_MOST_BIRTHS // 2] if len(self._births) > _MOST_BIRTHS else ():
                    del self._births[old]
            if self._bytes > _MOST_BYTES:
                self._let_go()

    def came_back(self, birth: Birth) -> Birth | None:
        """Where an op made the inf or nan that a dataset handed back as data."""
        key = self._bad_values.origin_of(birth.made)
        return None if key is None else self.births.get(key)

    def _size(
        self, keys: list[Key], arrays: list[Any], given: list[tuple[Tensor, ...]]
    ) -> tuple[int, list[Key | None]]:
        """The bytes that these values take with the inputs that they were made of, and the larger ones, which count once."""
        counted, large = self._counted, list[Key | None]()
        sizes = [array.nbytes for array in arrays]
        size = len(arrays) * _BYTES_PER_OP + sum(sizes)
        if max(sizes) > _SMALL:
            large += [key for key, taken in zip(keys, sizes) if taken > _SMALL]
            counted.update(large)
        for tensor in [tensor for inputs in given for tensor in inputs if tensor._array.nbytes > _SMALL]:
            if (source := tensor._key) not in counted:
                counted.add(source)
                large.append(source)
                size += tensor._array.nbytes
        return size, large

    def made(self, key: Key) -> Made | None:
        """The op that computed a value in the current step, with its inputs; None if that is not known."""
        self.look()
        while self._unsorted:
            values = self._unsorted.popleft().values
            self._made.update(zip(values[2::4], zip(values[::4], values[1::4], values[2::4], values[3::4])))
        found = self._made.get(key)
        if found is None:
            return None
        raw, inputs, _, array = found
        return Made(record_of(raw), tuple([t._array for t in inputs]), array)

    def _let_go(self) -> None:
        """Forget the oldest ops, until the others take half of the room."""
        groups, unsorted = self._groups, self._unsorted
        while self._bytes > _MOST_BYTES // 2 and len(groups) > 1:
            oldest = groups.popleft()
            self._bytes -= oldest.size
            self._counted.difference_update(oldest.large)  # counted again if a later op is given one of them
            if unsorted and unsorted[0] is oldest:
                unsorted.popleft()
            else:
                for key in oldest.values[2::4]:
                    self._made.pop(key, None)

    def _begin_step(self) -> None:
        """Forget the last step, once a new tape has recorded its first op (a second tape of the same step has more)."""
        tape = next((recorder for recorder in state.recorders if isinstance(recorder, GradientTape)), None)
        if tape is not None and tape.length <= 1:
            self.look()
            for table in (self._groups, self._unsorted, self._made, self._counted):
                table.clear()
            self._bytes = 0
            self.asked = False

    def _origin(self, record: Record, arrays: tuple[Any, ...], key: Key, made: Any) -> Birth:
        """Where the inf or nan in `made` comes from: an input that has it, data, or this op."""
        has_nan = bool(np.isnan(made).any())
        infinite: Birth | None = None
        for source, array in zip(record.inputs, arrays):
            if is_finite(array):
                continue
            birth = self._births.get(source)
            if birth is None:
                birth = self._births[source] = Birth("data", record, _bad(array), array.size, (array,), array, source)
            if np.isnan(array).any() or not has_nan:
                return birth
            infinite = birth  # the op was given inf and gave nan: the nan was born here
        return Birth("forward", record, _bad(made), made.size, arrays, made, key, infinite)

    # -- the sweep --

    def pulled(self, raw: RawRecord, key: Key, g: Any, gx: Any) -> None:
        """Note where a rule turned finite cotangents into inf or nan, or others into zeros."""
        primitive = raw[0].primitive
        given = gx if type(gx) is np.ndarray else _plain(gx)
        traits = primitive.traits
        if primitive.takes_tensors or traits.decomposes or traits.takes_logits is Logits.SIGMOID_LOSS:
            self.watched.append(Pulled(record_of(raw), key, g, given))
        if given.dtype == np.float16 and given.size and 2 * np.count_nonzero(given) <= given.size:
            self.thinned.append(Pulled(record_of(raw), key, g, given))
        size = _square_sum(given)
        edge = (raw[OUTPUT], key)
        self.arrived[edge] = self.arrived.get(edge, 0.0) + size
        if size == 0.0:
            if given.size and not given.any() and any(each.any() for each in _parts(g)):
                self.vanished.append(Pulled(record_of(raw), key, g, given))
        elif not size < math.inf and not is_finite(given):
            if self._bad_cotangents.isdisjoint(outputs_in(raw)):
                birth = Birth("backward", record_of(raw), _bad(given), given.size, tuple(_parts(g)), given, key)
                self.backward.append(birth)
            self._bad_cotangents.add(key)

    def end_call(self) -> None:
        """End a call of gradient: its sweep is forgotten when the next sweep ends, its forward pass when the next step begins."""
        self._last_sweep = self._sweep
        self._sweep = ([], [], [], [], {})
        self._bad_cotangents.clear()
        self.asked = True

    @contextlib.contextmanager
    def looking_back(self) -> Iterator[None]:
        """Inside this block `backward`, `vanished`, `thinned`, `watched` and `arrived` are those of the sweep that ended last."""
        now = self._sweep
        self._sweep = self._last_sweep
        try:
            yield
        finally:
            self._sweep = now

    @property
    def _sweep(self) -> _Sweep:
        return self.backward, self.vanished, self.thinned, self.watched, self.arrived

    @_sweep.setter
    def _sweep(self, sweep: _Sweep) -> None:
        self.backward, self.vanished, self.thinned, self.watched, self.arrived = sweep


def _all_finite(arrays: list[Any]) -> bool:
    """Whether no array of a few holds inf or nan. May be False for finite ones, whose squares overflow."""
    dtypes = {array.dtype for array in arrays}
    for dtype in dtypes & {_FLOAT32, _FLOAT64}:
        alike = arrays if len(dtypes) == 1 else [array for array in arrays if array.dtype == dtype]
        if len(alike) > 1:
            large = alike[-1:] if alike[-1].nbytes > MOST_PENDING_BYTES else []  # which led to this look
            with contextlib.suppress(TypeError, BufferError):  # one of them is not in one piece
                alike = [np.frombuffer(b"".join(alike[: len(alike) - len(large)]), dtype), *large]
        for array in alike:
            if not _square_sum(array) < math.inf:
                return False
    others = dtypes - {_FLOAT32, _FLOAT64}
    return not others or all(is_finite(array) for array in arrays if array.dtype in others)


def is_finite(array: Any) -> bool:
    """Whether an array holds neither inf nor nan; integers, bools and strings are finite."""
    kind = array.dtype.kind
    if kind not in "fcV":
        return True
    return _square_sum(array) < math.inf or bool(np.isfinite(array).all())


def _square_sum(array: Any) -> Any:
    """The sum of the squares: finite only if all elements are, and zero if they are: the quickest look at an array.

    It may overflow or underflow; then, and for dtypes without a quick product, nan sends the caller to look at each element.
    """
    dtype = array.dtype
    if dtype is _FLOAT32 or dtype is _FLOAT64:
        if not array.ndim:
            value = array.item()  # Python's own product takes a fifth of the time
            return value * value
        return float(_vdot(array, array))  # a Python float is compared in a fifth of the time
    if dtype.kind in "fcV":
        return math.nan if array.any() else 0.0
    return 1.0


_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
_vdot = np.vdot


def array_of(value: Any) -> Any:
    """The numbers of a tensor, variable or gradient; of a sparse gradient only its rows."""
    if type(value) is Tensor:
        return value._array
    if isinstance(value, IndexedSlices):
        value = value.values
    return convert(value, None)._array


def all_zero(array: Any) -> bool:
    """Whether there are elements, and all are zero."""
    return bool(array.size) and not array.any()


def in_double(made: Made | Birth) -> Any:
    """The result of an op in float64; None if it cannot be computed."""
    inputs = made.inputs if isinstance(made, Made) else made.arrays
    primitive = made.record.plan.primitive
    wide = [a.astype(np.float64) if a.dtype.kind in "fV" else a for a in inputs]
    if primitive.traits.casts and primitive.no_gradient is None:
        return wide[0]
    try:
        with np.errstate(all="ignore"):
            return computation(primitive)(*wide, **made.record.attributes)
    except Exception:  # forward functions are written for the dtypes that their ops admit
        return None


def is_finite_in_double(birth: Birth) -> bool:
    """Whether an op that gave inf or nan gives neither in float64."""
    wide = in_double(birth)
    return isinstance(wide, np.ndarray | np.generic) and bool(np.isfinite(wide).all())


def is_beyond_range(birth: Birth) -> bool:
    """Whether an op's result is too large for its dtype: a wider one holds it, or it is inf without nan in every dtype."""
    wide = in_double(birth)
    if not isinstance(wide, np.ndarray | np.generic):
        return False  # computed by the program's own code, or not computable again
    return bool(np.isfinite(wide).all()) or not np.isnan(birth.made).any()


def largest(dtype: Any) -> float:
    """The largest number of a floating dtype; NumPy does not know bfloat16, whose range is float32's."""
    return float(np.finfo(dtype if dtype.kind != "V" else np.float32).max)


def _bad(array: Any) -> int:
    return int(array.size - np.isfinite(array).sum())


def _parts(value: Any) -> list[Any]:
    return [_plain(each) for each in value] if type(value) is tuple else [_plain(value)]


def _plain(value: Any) -> Any:
    """A cotangent, whether dense, partial or a tensor, as an array."""
    if isinstance(value, Rows | Slot):
        value = value.values
    if isinstance(value, Tensor):
        return value._array
    return np.asarray(value)
