"""Tapes of a function that is being traced: one for `tf.gradients`, and one in place of each tape from outside that is used inside."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import outputs_in
from whygrad.runtime.call_sites import users_site
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients
from whygrad.values import nest
from whygrad.values.recorders import state
from whygrad.values.tensor import Key, key_of
from whygrad.values.variable import Variable


class TapeWanted(BaseException):
    """A trace needs a tape that records it from its beginning: it is repeated with one.

    Not an Exception: the program's own handlers must not catch it.
    """

    def __init__(self, outer: GradientTape | None) -> None:
        super().__init__()
        self.outer = outer  # the tape from outside that is used inside; None for `tf.gradients`


def tape_for(outer: GradientTape | None) -> GradientTape:
    """Return a new tape for a trace that wants one."""
    return GraphTape() if outer is None else StandIn(outer)


class _AlsoWatched(set[Key]):
    """The keys that a stand-in watches: its own, and those of the tape that it stands for."""

    def __init__(self, outer: GradientTape) -> None:
        super().__init__()
        self._outer = outer

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (isinstance(key, Key) and self._outer.watches(key))


class StandIn(GradientTape):
    """Takes the place of a tape from outside in a trace: it knows what that tape recorded, and records the trace.

    The tape itself never sees symbolic tensors. As in TensorFlow, it is spent by a gradient that was taken inside.
    """

    def __init__(self, outer: GradientTape) -> None:
        self.outer = outer
        super().__init__(True, outer._watch_accessed_variables)
        self._entered = outer._entered

    def _forget(self) -> None:
        super()._forget()
        outer = self.outer
        self._records += outer._records
        self.unmarked = _AlsoWatched(outer)
        self.roots |= outer.roots
        self._watches.update(outer._watches)
        self._watched_results = True
        self._versions.update({variable: list(keys) for variable, keys in outer._versions.items()})

    def unused_copy(self) -> StandIn:
        """A new stand-in for the same tape."""
        return StandIn(self.outer)

    def variable_read(self, variable: Variable) -> None:
        """Note the value of a variable, also where the tape outside has seen it first."""
        super().variable_read(variable)
        key = key_of(variable.value_here)
        if variable in self.outer._versions and self.outer.watches(key):
            versions = self._versions.setdefault(variable, [])
            if key not in versions:
                versions.append(key)

    def _differentiate(self, *args: Any, **kwargs: Any) -> list[Any]:
        found = super()._differentiate(*args, **kwargs)
        if not self.outer._persistent:
            self.outer._spent = True
            self.outer.first_use = users_site()
        return found


class _Everything(set[Key]):
    """The keys of all differentiable tensors."""

    def __contains__(self, key: object) -> bool:
        return isinstance(key, Key) and key.dtype.kind in "fcV"

    def add(self, key: Key) -> None:
        """Nothing to do: all are there."""


class GraphTape(GradientTape):
    """Watches every tensor and variable, constants included, and gives any number of gradients."""

    def __init__(self) -> None:
        super().__init__(persistent=True)

    def _forget(self) -> None:
        super()._forget()
        self.unmarked = _Everything()
        self._watched_results = True
        root = Key()  # no source: a sweep then visits only what leads to the sources
        root.shape, root.mark = (), None
        self.roots.add(root)

    def unused_copy(self) -> GraphTape:
        """A new tape of the same kind."""
        return GraphTape()

    def variable_read(self, variable: Variable) -> None:
        """Note the value of a variable that is about to be used, trainable or not."""
        versions = self._versions.setdefault(variable, [])
        key = key_of(variable.value_here)
        if key not in versions:
            versions.append(key)

    def gradients(
        self,
        ys: list[Any],
        xs: list[Any],
        grad_ys: list[Any] | None,
        unconnected: UnconnectedGradients,
        stop: list[Any],
    ) -> Any:
        """The gradients of the sum of `ys` for each of `xs`; the tensors in `stop` count as constants."""
        args = (ys, xs, grad_ys, unconnected, stop)
        if state.context is not None:
            return self._while_tracing("gradients", args, lambda: self._gradients(*args))
        return self._gradients(*args)

    def _gradients(
        self,
        ys: list[Any],
        xs: list[Any],
        grad_ys: list[Any] | None,
        unconnected: UnconnectedGradients,
        stop: list[Any],
    ) -> Any:
        stopped = {key for each in nest.flatten(stop) for key in self._keys(each)}
        recorded = self._records
        if stopped:  # what computed them is left out; the sweep's own ops are added to the whole list
            self._records = [raw for raw in recorded if stopped.isdisjoint(outputs_in(raw))]
        try:
            return self._gradient(ys, xs, grad_ys, unconnected)
        finally:
            self._records = recorded
