"""The update step of an optimizer of Keras's, in eager code: traced once, and repeated op by op.

A step of Adam is some twenty ops for each variable, and for each of them Keras decides again about dtypes, promotions and sparse tensors.
A traced program (`whygrad.compile.replay`) repeats what came of it: the same kernels on the same arrays, so the same numbers bit by bit,
also without JAX. What a trace freezes, the numbers and flags of the optimizer, is part of the key under which it is kept.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from whygrad.compile.replay import Program
from whygrad.values.conversion import convert
from whygrad.values.errors import Explained
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Tensor

_FROZEN = (bool, int, float, str, type(None))  # classes of attributes whose values a trace freezes
_MOST_KEPT = 8  # keys of one optimizer: where its attributes change at every step, tracing gains nothing


class _Repeated:
    """The update step of one optimizer for one key: it is traced at its second call, since many optimizers make one step only."""

    def __init__(self, update: Callable[..., None], optimizer: Any, variables: Sequence[Any]) -> None:
        self._update = update
        self._optimizer = weakref.ref(optimizer)
        self._variables = variables
        self._kept = [*optimizer._variables, *variables]  # no other object gets their identities, which are in the key
        self._program: Program | None = None
        self._is_first = True
        self._is_refused = False

    def run(self, tensors: list[Tensor]) -> bool:
        """Make the step and return True, if it can be repeated."""
        if self._is_first or self._is_refused:
            self._is_first = False
            return False
        if self._program is None:
            try:
                self._program = Program("update", self._step, [each._array for each in tensors])
            except Explained:  # eager code says why, or needs no trace
                self._is_refused = True
                return False
        self._program.run(tensors, {})
        return True

    def _step(self, learning_rate: Tensor, *grads: Tensor) -> list[Tensor]:
        self._update(self._optimizer(), list(grads), self._variables, learning_rate)
        return []


_steps: weakref.WeakKeyDictionary[Any, dict[Any, _Repeated]] = weakref.WeakKeyDictionary()


def repeating(update: Callable[..., None]) -> Callable[..., None]:
    """`_backend_update_step` of the optimizers' base class, which repeats the updates of eager code."""

    @functools.wraps(update)
    def updating(self: Any, grads: Sequence[Any], trainable_variables: Sequence[Any], learning_rate: Any) -> None:
        if not state.recorders and not observers and _is_repeatable(self, grads):
            tensors = [convert(learning_rate, None), *grads]
            steps, key = _steps.setdefault(self, {}), _key(self, tensors, trainable_variables)
            if key not in steps and len(steps) < _MOST_KEPT:
                steps[key] = _Repeated(update, self, trainable_variables)
            if key in steps and steps[key].run(tensors):
                return
        update(self, grads, trainable_variables, learning_rate)

    return updating


def _is_repeatable(optimizer: Any, grads: Sequence[Any]) -> bool:
    """Whether the ops of a step are the same at each step: in Keras's own optimizers, for dense gradients in main memory."""
    if not type(optimizer).update_step.__module__.startswith("keras.src.optimizers."):
        return False
    return all(type(each) is Tensor for each in grads)


def _key(optimizer: Any, tensors: list[Tensor], trainable_variables: Sequence[Any]) -> Any:
    return (
        *[each for each in vars(optimizer).values() if type(each) in _FROZEN],
        *map(id, optimizer._variables),
        *map(id, trainable_variables),
        *[(each._array.shape, each._array.dtype) for each in tensors],
    )
