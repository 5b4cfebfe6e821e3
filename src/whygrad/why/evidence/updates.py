"""Updates: which gradients the new value of a variable was computed from, and whether its own is among them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from types import CodeType
from typing import NamedTuple

from whygrad.ops.primitive import INPUTS, RawRecord, outputs_in
from whygrad.tape.gradient_calls import GradientCall
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Key, Tensor, key_of
from whygrad.values.variable import Variable
from whygrad.why.source import syntax
from whygrad.why.source.names import name_given_to, names_of
from whygrad.why.source.sites import node_at

Place = tuple[CodeType, int]


class Taken(NamedTuple):
    """A gradient: the variable that it was taken for, by position among the sources of a call, name there and shape, and the call."""

    position: int
    name: str
    shape: tuple[int, ...]
    code: CodeType
    instruction: int


class Misapplied(NamedTuple):
    """A variable that was updated with the gradients of other variables, though its own was taken in the same step."""

    own: Taken
    given: Taken  # the first of the others
    places: tuple[Place, ...]  # the user's calls around the update, innermost first


class Superseded(NamedTuple):
    """How often gradients of a call were replaced by the next ones before anything used them: the last such gradient, and its variable."""

    times: int
    key: Key
    number: int


class Unchanged(NamedTuple):
    """A variable whose gradient was subtracted from another variable, step after step, while it never changed itself."""

    own: Taken
    places: tuple[Place, ...]  # the user's calls around the update, innermost first


_TOGETHER = 32  # ops: few of them use gradients, and to look whether one of many does takes a fourth of the time
_inputs_in = itemgetter(slice(INPUTS, None))
_STEPS = 3  # after which a gradient that goes to another variable is no accident


class Updates:
    """Follows gradients through ops and slots of optimizers to the variables that are updated with them."""

    def __init__(self) -> None:
        # Of a value, and of a slot by its number: the variables with whose gradients it was computed.
        self._behind: dict[Key, frozenset[int]] = {}
        self._slots: dict[int, frozenset[int]] = {}
        self._taken: dict[int, Taken] = {}  # by variable: its last gradient
        self._names: dict[Place, list[str]] = {}  # of the sources, by the place of the call
        self._waiting: set[int] = set()  # variables that were not updated with it yet
        self._fresh: dict[Key, int] = {}  # gradients that nothing used yet, with the numbers of their variables
        self._superseded: dict[Place, Superseded] = {}
        self.misapplied: list[Misapplied] = []
        self.waited: list[Misapplied] = []  # those that were made before the last look at them
        self._changed: set[int] = set()  # variables that took a value after a gradient was taken for them
        # By the variables that a gradient was taken for: how often it was subtracted from another one, and the places of the last time.
        self._elsewhere: dict[int, tuple[int, tuple[Place, ...]]] = {}

    def unchanged(self) -> list[Unchanged]:
        """What holds at the end of the program."""
        return [
            Unchanged(self._taken[number], places)
            for number, (times, places) in self._elsewhere.items()
            if times >= _STEPS and number not in self._changed and number in self._taken
        ]

    def taken(self, call: GradientCall) -> None:
        """A call gave gradients."""
        place = (call.code, call.instruction)
        names = self._names.get(place)
        if names is None:
            names = self._names[place] = names_of(call)[1]
        self._supersede(place, call.sources)
        for i, (source, gradient) in enumerate(zip(call.sources, call.gradients)):
            if not isinstance(source, Variable) or gradient is None or i in call.without_path:
                continue
            number = source._number
            name = names[i] if i < len(names) else name_given_to(source) or "Variable"
            self._taken[number] = Taken(i, name, tuple(source.shape), call.code, call.instruction)
            self._waiting.add(number)
            values = gradient.values if isinstance(gradient, IndexedSlices) else gradient
            if isinstance(values, Tensor):
                self._behind[key_of(values)] = frozenset([number])
                self._fresh[key_of(values)] = number

    def _supersede(self, place: Place, sources: Sequence[object]) -> None:
        """Count the gradients of the last call at this place, if nothing used any of them, and let go of all that are not used."""
        unused = {number: key for key, number in self._fresh.items()}
        last = [
            each._number
            for each in sources
            if isinstance(each, Variable)
            and (taken := self._taken.get(each._number)) is not None
            and (taken.code, taken.instruction) == place
        ]
        if last and all(number in unused for number in last):
            known = self._superseded.get(place)
            self._superseded[place] = Superseded(1 if known is None else known.times + 1, unused[last[0]], last[0])
        self._fresh.clear()

    def left(self, key: Key) -> None:
        """A value left for NumPy or Python."""
        self._fresh.pop(key, None)

    def superseded(self) -> dict[Place, Superseded]:
        """By place of a call: how often its gradients were replaced by the next ones before anything used them."""
        return dict(self._superseded)

    def all_taken(self) -> dict[int, Taken]:
        """The last gradient that was taken for each variable, by its number."""
        return dict(self._taken)

    def is_changed(self, number: int) -> bool:
        """Whether a variable took a value after a gradient was taken for it."""
        return number in self._changed

    def behind(self, key: Key) -> frozenset[int]:
        """The numbers of the variables with whose gradients a value was computed."""
        return self._behind.get(key, frozenset())

    def is_computed_from_gradient_of(self, variable: Variable, key: Key) -> bool:
        """Whether a value was computed from gradients taken for this variable and no other one."""
        return self._behind.get(key) == frozenset([variable._number])

    def is_computed_from_gradient(self, key: Key) -> bool:
        """Whether a value was computed from a gradient that was taken for a variable."""
        return key in self._behind

    def computed(self, records: Sequence[RawRecord]) -> None:
        """Ops ran."""
        behind = self._behind
        if not behind:
            return
        if len(records) < _TOGETHER:
            self._follow(records)
            return
        for begin in range(0, len(records), _TOGETHER):
            few = records[begin : begin + _TOGETHER]
            if not behind.keys().isdisjoint(chain.from_iterable(map(_inputs_in, few))):
                self._follow(few)

    def _follow(self, records: Sequence[RawRecord]) -> None:
        behind = self._behind
        for raw in records:
            found: frozenset[int] | None = None
            for key in raw[INPUTS:]:
                known = behind.get(key)
                if known is not None:
                    self._fresh.pop(key, None)
                    found = known if found is None or found is known else found | known
            if found is not None and not raw[0].primitive.traits.only_shape:
                for output in outputs_in(raw):
                    behind[output] = found

    def variable_set(self, variable: Variable, origin: Tensor | None, calls: Callable[[], Sequence[Place]]) -> None:
        """A variable took a value that was computed from `origin`; `calls` gives the user's calls around that."""
        number = variable._number
        own = self._taken.get(number)
        if own is not None:
            self._changed.add(number)
        known = None if origin is None else self._behind.get(key_of(origin))
        if origin is None or not known:
            return
        self._fresh.pop(key_of(origin), None)
        if own is None:  # a slot of an optimizer: what is computed from it comes from the gradients
            self._note_elsewhere(known, variable, calls)
            known = self._slots[number] = known | self._slots.get(number, frozenset())
            self._behind[key_of(variable.value_here)] = known
        elif number in self._waiting:
            self._waiting.remove(number)
            if number not in known:
                others = [self._taken[each] for each in known if each in self._taken]
                if others:
                    given = min(others, key=lambda each: each.position)
                    self.misapplied.append(Misapplied(own, given, tuple(calls())))

    def _note_elsewhere(self, known: frozenset[int], variable: Variable, calls: Callable[[], Sequence[Place]]) -> None:
        """Note a gradient of one variable that is subtracted from another; sums of gradients and of their squares are added."""
        (source,) = known if len(known) == 1 else (None,)
        if source is None or source in self._changed:
            return
        times, places = self._elsewhere.get(source, (0, ()))
        if not places:
            places = tuple(calls())
            node = node_at(*places[0]) if places else None
            if not isinstance(node, ast.Call) or syntax.called_name(node) != "assign_sub":
                return
        self._elsewhere[source] = (times + 1, places)

    def forget_made(self, records: Sequence[RawRecord]) -> None:
        """Forget the values that these ops made."""
        if self._behind:
            self._forget_values(chain.from_iterable(map(outputs_in, records)))

    def forget(self, keys: Iterable[Key], variables: Container[int]) -> None:
        """Forget these values, and all variables but these."""
        self._forget_values(keys)
        for number in [each for each in {*self._taken, *self._slots} if each not in variables]:
            self._taken.pop(number, None)
            self._slots.pop(number, None)
            self._waiting.discard(number)

    def _forget_values(self, keys: Iterable[Key]) -> None:
        for key in self._behind.keys() & keys:
            del self._behind[key]
            self._fresh.pop(key, None)
