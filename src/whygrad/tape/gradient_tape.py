"""GradientTape: differentiates what it recorded."""

from __future__ import annotations

import contextlib
import enum
import math
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from types import CodeType
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np

from whygrad._public import export
from whygrad.engines.numpy import engine
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import KEPT, Record
from whygrad.ops.recorded import recorded
from whygrad.runtime.call_sites import users_site
from whygrad.tape.gradient_calls import FailedCall, GradientCall, PastCall, failure_listeners, listeners
from whygrad.tape.norms import MOST_RECORDS, Norms
from whygrad.tape.places import Place, can_hold, looks_odd, odd_positions, place_of
from whygrad.tape.recording_tape import RecordingTape
from whygrad.tape.sweep import dependents_of, sweep
from whygrad.tape.targets_and_sources import (
    SINGLE,
    checked,
    fill_with_zeros,
    flat,
    in_form_of,
    ones_for,
    paths_in,
    total_of,
    upstream_for,
    values_in,
)
from whygrad.tape.untaken import Reached, reached_from
from whygrad.values import nest
from whygrad.values.errors import OpNotImplementedError, OpRuntimeError, OpTypeError, OpValueError
from whygrad.values.faults import (
    BatchSizesDiffer,
    NeedsPersistentTape,
    NotABatch,
    NotASource,
    NotATarget,
    TapeNeverEntered,
    TapeSpent,
    UnconnectedGradientsUnknown,
    UpstreamCount,
)
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import Mark, Observer, observers, state
from whygrad.values.tensor import Key, Operand, Tensor, key_of, wrap
from whygrad.values.variable import Variable

# The type of a gradient, for type checkers. It may be an IndexedSlices or None, too, but a program that must prove otherwise
# for each gradient it uses is not easier to get right: `Any` stands for these two.
Gradient: TypeAlias = Tensor | Any
_K = TypeVar("_K")


@export("UnconnectedGradients")
class UnconnectedGradients(enum.Enum):
    """The result of `gradient` for a source that the target does not depend on.

    >>> import whygrad as tf
    >>> tf.UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"


def explain_gradient(tape: GradientTape, target: Any, source: Any) -> Any:
    """Implement `GradientTape.why`; `whygrad.view.hooks` replaces it."""
    raise OpNotImplementedError("explanations are not loaded: import whygrad")


class _Recent(threading.local):
    """The tape whose `gradient` was last called in this thread."""

    tape: Mark | None = None  # a mark is a weak reference to its recorder


recent = _Recent()
_ZERO = UnconnectedGradients.ZERO
_GRADIENT_DEPTH = 4  # the least number of frames between the user's line and `_differentiate`
_NOTHING = type(None)
_NO_KEYS: frozenset[Key] = frozenset()


@export("GradientTape", "autodiff.GradientTape")
class GradientTape(RecordingTape):
    """Records the ops inside its `with` block, and computes their gradients.

    Trainable variables are watched when they are read; tensors are watched with `watch`. A tape gives one set of
    gradients, unless it is `persistent`.

    >>> import whygrad as tf
    >>> x = tf.Variable([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     loss = tf.reduce_sum(x * x)
    >>> tape.gradient(loss, x).numpy()
    array([2., 4.], dtype=float32)
    """

    # Set on the tapes of functions such as `grad`: what explanations call the target and the sources, which the caller's line does not
    # name; whether zeros in place of None are explained as None is; and the sources for which another part of the result has more.
    named: Any = None
    explains_zeros = False
    spared: Set[int] = frozenset()
    # Of the tape that explains a forward accumulator: the call site that names its primals, which the caller's line does not name.
    primals_at: tuple[CodeType, int] | None = None

    def why(self, target: Any, source: Any) -> Any:
        """Explain the gradient of `target` with respect to `source`: the cause if something is wrong, and the paths it came by.

        This takes the gradient, which a tape that is not persistent allows once; afterwards it explains the gradient that it gave.

        >>> import whygrad as tf
        >>> x = tf.Variable(2.0)
        >>> with tf.GradientTape() as tape:
        ...     y = tf.round(x) * 3.0
        >>> tape.why(y, x).causes[0].kind
        'non-differentiable-op'
        """
        return explain_gradient(self, target, source)

    def unused_copy(self) -> GradientTape:
        """A new tape with the same options."""
        return GradientTape(self._persistent, self._watch_accessed_variables)

    @overload
    def gradient(
        self,
        target: Any,
        sources: Operand,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Gradient: ...
    @overload
    def gradient(
        self,
        target: Any,
        sources: list[Any],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> list[Gradient]: ...
    @overload
    def gradient(
        self,
        target: Any,
        sources: tuple[Any, ...],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> tuple[Gradient, ...]: ...
    @overload
    def gradient(
        self,
        target: Any,
        sources: Mapping[_K, object],
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> dict[_K, Gradient]: ...
    @overload
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any: ...
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of `target` (summed, if it is not a scalar) with respect to each of `sources`, in the structure of `sources`.

        A gradient has exactly its source's shape and dtype; it is an `IndexedSlices` if only lookups contributed. A source that the
        target does not depend on gives None, or zeros with `unconnected_gradients="zero"`.

        >>> import whygrad as tf
        >>> params = {"w": tf.Variable([1.0, 2.0]), "b": tf.Variable(0.5)}
        >>> with tf.GradientTape() as tape:
        ...     loss = tf.reduce_sum(params["w"] * 3.0) + params["b"] ** 2
        >>> {name: gradient.numpy().tolist() for name, gradient in tape.gradient(loss, params).items()}
        {'w': [3.0, 3.0], 'b': 1.0}
        """
        unconnected = unconnected_gradients
        if type(unconnected) is not UnconnectedGradients:
            unconnected = unconnected_gradients_of(unconnected)
        try:
            if state.context is not None:
                here = state.context.tape_here(self)
                if here is not self:
                    return here.gradient(target, sources, output_gradients, unconnected)
                args = (target, sources, output_gradients, unconnected)
                return self._while_tracing("gradient", args, lambda: self._gradient(*args))
            return self._gradient(target, sources, output_gradients, unconnected)
        except Exception as error:
            self._notify_of_failure(target, error)
            raise

    @overload
    def jacobian(
        self,
        target: Any,
        sources: Operand,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Gradient: ...
    @overload
    def jacobian(
        self,
        target: Any,
        sources: list[Any],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> list[Gradient]: ...
    @overload
    def jacobian(
        self,
        target: Any,
        sources: tuple[Any, ...],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> tuple[Gradient, ...]: ...
    @overload
    def jacobian(
        self,
        target: Any,
        sources: Mapping[_K, object],
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> dict[_K, Gradient]: ...
    @overload
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any: ...
    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of each element of `target` by each element of each of `sources`, in the structure of `sources`.

        Each has the target's shape, followed by its source's. All elements of the target go through one sweep together
        (with `experimental_use_pfor=False`, which needs a persistent tape, one after the other: less memory).

        >>> import whygrad as tf
        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x[0]
        >>> tape.jacobian(y, x).numpy()
        array([[2., 0.],
               [2., 1.]], dtype=float32)
        """
        unconnected = unconnected_gradients_of(unconnected_gradients)
        args = (target, sources, unconnected, None, experimental_use_pfor)
        if state.context is not None and (here := state.context.tape_here(self)) is not self:
            return here.jacobian(*args)
        return self._notifying_of_failure(
            "jacobian", args, lambda: self._jacobian(target, sources, unconnected, experimental_use_pfor)
        )

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """The jacobian of each `target[i]` with respect to `source[i]`, stacked; `target[i]` must not depend on other `source[j]`.

        >>> import whygrad as tf
        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> tape.batch_jacobian(y, x).shape
        TensorShape([2, 2, 2])
        """
        unconnected = unconnected_gradients_of(unconnected_gradients)
        if parallel_iterations is not None and not self._persistent:
            wording = "GradientTape must be created with persistent=True to compute the batch_jacobian with parallel_iterations."
            raise OpRuntimeError(NeedsPersistentTape(option="parallel_iterations", wording=wording))
        args = (target, source, unconnected, None, experimental_use_pfor)
        if state.context is not None and (here := state.context.tape_here(self)) is not self:
            return here.batch_jacobian(*args)  # type: ignore[no-any-return]
        return self._notifying_of_failure(  # type: ignore[no-any-return]
            "batch_jacobian", args, lambda: self._batch_jacobian(target, source, unconnected, experimental_use_pfor)
        )

    def _notifying_of_failure(self, method: str, args: tuple[Any, ...], ask: Callable[[], Any]) -> Any:
        """What `ask` gives; if it raises, listeners are notified of the failure."""
        try:
            return ask() if state.context is None else self._while_tracing(method, args, ask)
        except Exception as error:
            self._notify_of_failure(args[0], error)
            raise

    def _while_tracing(self, method: str, args: tuple[Any, ...], ask: Callable[[], Any]) -> Any:
        """What `ask` gives in a function that is being traced; one that will run op by op calls the method each time."""
        context = state.context
        return context.differentiate(self, method, args, ask) if context.replays else ask()

    def _notify_of_failure(self, target: Any, error: Exception) -> None:
        failed = FailedCall(
            self,
            getattr(error, "record", None),
            nest.flatten(target),
            *users_site(),
        )
        for listener in failure_listeners:
            listener(failed, error)

    def _gradient(self, target: Any, sources: Any, output_gradients: Any, unconnected: UnconnectedGradients) -> Any:
        """`gradient`: the upstream gradients of the targets, one sweep back from them, and the results in the structure of `sources`."""
        self._check_usable()
        targets = values_in(target, NotATarget)
        seeds = self._seeds(targets, output_gradients)

        def pull_back(
            wanted: list[Key], norms: Norms | None, keep: bool, place: Place
        ) -> tuple[list[Any], list[Record]]:
            sweep_observers: Sequence[Observer] = observers if norms is None else (*observers, norms)
            leaves = _NO_KEYS if self._watched_results else self.roots
            repeats = place.repeats if keep is self._persistent else None
            cotangents = sweep(
                self._records, seeds, wanted, self.roots, keep, sweep_observers, leaves, place.site, repeats
            )
            results = []
            for key in wanted:
                found = cotangents.result(key)
                results.append(IndexedSlices(found.values, found.indices, key.shape) if type(found) is Rows else found)
            for target, _ in seeds:
                if target.mark is not self.mark and target in wanted and self._is_used_by_another_target(target, seeds):
                    results = [None if key is target else found for key, found in zip(wanted, results)]
            return results, cotangents.broadcasts

        itself = [] if len(seeds) == len(targets) else self._unread(targets, output_gradients)
        gradients = self._differentiate(targets, sources, unconnected, pull_back, (), seeds, itself)
        return gradients[0] if type(sources) in SINGLE else in_form_of(sources, gradients)

    def _is_target(self, key: Key, targets: list[Any]) -> bool:
        """Whether a tensor is itself a target: then its gradient is the upstream gradient, also if it is not watched."""
        return any(key in self._keys(target)[-1:] for target in targets)

    def _is_used_by_another_target(self, key: Key, seeds: list[tuple[Key, Tensor]]) -> bool:
        """Whether another target was computed from this one, which is not watched: the gradient for it would be incomplete."""
        if key in self.unmarked:
            return False
        reached = dependents_of(self._records, {key}) - {key}
        return not reached.isdisjoint([target for target, _ in seeds])

    def _jacobian(self, target: Any, sources: Any, unconnected: UnconnectedGradients, together: bool) -> Any:
        self._check_usable()
        if not (together or self._persistent):
            wording = (
                "GradientTape must be created with persistent=True to compute the jacobian with eager execution enabled and "
                "with  experimental_use_pfor set to False."
            )
            raise OpRuntimeError(NeedsPersistentTape(option="experimental_use_pfor=False", wording=wording))
        if nest.is_nested(target):
            wording = "jacobian takes one tensor as its target, not a structure of them"
            raise OpTypeError(NotATarget(value=target, wording=wording))
        (y,) = [checked(item, NotATarget) for item in flat(target, NotATarget)]
        shape, dtype = tuple(y.shape), y.dtype.numpy_dtype
        seeds = np.eye(math.prod(shape), dtype=dtype if y.dtype.is_differentiable else None)
        pull_back = self._pulling_many(y, seeds.reshape(len(seeds), *shape), together)
        found = self._differentiate([y], sources, unconnected, pull_back, (len(seeds),))
        reshaped = [None if each is None else _reshaped(each, shape + tuple(each.shape)[1:]) for each in found]
        self._gave([y], sources, reshaped)
        return nest.pack_sequence_as(sources, reshaped)

    def _batch_jacobian(self, target: Any, source: Any, unconnected: UnconnectedGradients, together: bool) -> Tensor:
        self._check_usable()
        if not (together or self._persistent):
            wording = (
                "GradientTape must be created with persistent=True to compute the batch_jacobian with eager execution enabled "
                "and  with experimental_use_pfor set to False."
            )
            raise OpRuntimeError(NeedsPersistentTape(option="experimental_use_pfor=False", wording=wording))
        y, x = checked(target, NotATarget), checked(source, NotASource)
        for value in (y, x):
            if value.shape.rank < 2:
                raise OpValueError(NotABatch(shape=tuple(value.shape)))
        if y.shape[0] != x.shape[0]:
            raise OpValueError(BatchSizesDiffer(target=tuple(y.shape), source=tuple(x.shape)))
        batch, *row = y.shape
        size = math.prod(row)
        # One seed for each element of a row, for all rows together: no row depends on another.
        eye = np.eye(size, dtype=y.dtype.numpy_dtype if y.dtype.is_differentiable else None)
        seeds = np.broadcast_to(eye.reshape(size, 1, *row), (size, batch, *row))
        pull_back = self._pulling_many(y, seeds, together)
        (found,) = self._differentiate([y], x, unconnected, pull_back, (size,))
        shape = (batch, *row, *tuple(x.shape)[1:])
        if found is None:  # zeros, as in TensorFlow, whatever `unconnected_gradients` says
            return wrap(engine.zeros(shape, y.dtype.numpy_dtype))
        result = _reshaped(recorded.swapaxes(found, 0, 1), shape)
        self._gave([y], source, [result])
        return result

    def _pulling_many(self, target: Any, seeds: Any, together: bool) -> Callable[..., tuple[list[Any], list[Record]]]:
        """How `_differentiate` computes the cotangents of many seeds of one target, stacked along the first axis."""

        from whygrad.tape.jacobian import sweep_many  # few programs take jacobians

        def pull_back(
            wanted: list[Key], norms: Norms | None, keep: bool, place: Place
        ) -> tuple[list[Any], list[Record]]:
            keys = self._keys(target)
            if not keys:
                return [None] * len(wanted), []
            try:
                return sweep_many(self._records, keys[-1], seeds, wanted, self.roots, one_by_one=not together)
            finally:
                if not keep:
                    self._let_go()

        return pull_back

    def _check_usable(self) -> None:
        if self._spent or not self._entered:
            raise OpRuntimeError(TapeSpent() if self._spent else TapeNeverEntered())

    def _gave(self, targets: list[Any], sources: Any, gradients: list[Any]) -> None:
        """Remember the gradients of the last call in their final shape."""
        if self._last_call is not None:
            self._last_call = PastCall(targets, values_in(sources, NotASource), gradients, self._last_call.rest)

    def _differentiate(
        self,
        targets: list[Any],
        sources: Any,
        unconnected: UnconnectedGradients,
        pull_back: Callable[[list[Key], Norms | None, bool, Place], tuple[list[Any], list[Record]]],
        before: tuple[int, ...],
        seeds: list[tuple[Key, Tensor]] | None = None,
        unread: Sequence[tuple[Any, Callable[[], Tensor]]] = (),
    ) -> list[Any]:
        """What `pull_back` gives for each source; zeros, with the axes `before` its own, where they are requested.

        `seeds` are the cotangents of the targets, if there is one for each, and None for jacobians; `unread` those of targets without a
        key.
        """
        flat_sources = values_in(sources, NotASource)
        if self._recording and not self._persistent:
            self._stop()
        keys_of: list[list[Key]] = []
        wanted: list[Key] = []
        for source in flat_sources:
            keys = self._keys(source)
            keys_of.append(keys)
            wanted += keys
        site = users_site(_GRADIENT_DEPTH)
        place = place_of(*site)
        place.calls += 1
        is_close = place.calls >= place.close_at
        norms, keep = None, self._persistent
        if not keep and (is_close or place.records_norms):
            norms, keep = self._kept_to_explain(place, is_close, seeds)
        try:
            gradients, broadcasts = pull_back(wanted, norms, keep, place)
            for i, key in enumerate(wanted):
                # A joint rule gives a cotangent for all inputs of an op, also for those that the tape does not watch.
                if key.mark is not self.mark and key not in self.unmarked and not self._is_target(key, targets):
                    gradients[i] = None
            if unread or len(gradients) != len(keys_of) or not all(keys_of):  # not one value per source
                gradients = self._by_source(gradients, keys_of, flat_sources, unread)
            filled = fill_with_zeros(gradients, flat_sources, before) if unconnected is _ZERO else None
            is_sought = self._untaken and _NOTHING in map(type, gradients)
            untaken = self._used_by_untaken(targets, flat_sources, gradients) if is_sought else {}
            if untaken:
                fill_with_zeros(gradients, flat_sources, before, untaken)
            again = seeds if self._persistent else None  # the sweep can be repeated from them
            paths = None if type(sources) in SINGLE else paths_in(sources, flat_sources)
            details = broadcasts, site[0], site[1], filled, norms, again, paths, untaken
            self._last_call = PastCall(targets, flat_sources, gradients, details)
            recent.tape = self.mark
            for recorder in state.recorders:
                recorder.differentiated(self, targets, flat_sources, gradients, *site)
            odd = self._look(place, is_close, targets, gradients, filled or untaken)
            is_wanting = filled is not None or untaken or not gradients or _NOTHING in map(type, gradients)
            if is_wanting or odd or broadcasts or observers:
                call = GradientCall(self, targets, flat_sources, gradients, *details, odd)
                if odd and keep:
                    call = call.replace(seeds=self._seeds(targets, None) if seeds is None else seeds)
                self._notify(call)
            if is_close:
                place.had_gradients = place.had_gradients or any(each is not None for each in gradients)
                place.had_variables = [isinstance(each, Variable) for each in flat_sources]
        finally:
            if not self._persistent:  # also when a rule failed: what was kept is gone by then
                # No more gradients. The records stay, without what they kept, as long as the tape, for explanations.
                self._spent = True
                self.first_use = site
                if keep:
                    self._let_go()
        return gradients

    def _kept_to_explain(
        self, place: Place, is_close: bool, seeds: list[tuple[Key, Tensor]] | None
    ) -> tuple[Norms | None, bool]:
        """For a call that may be explained: where to note norms, if they are noted, and whether the records keep their tensors.

        Norms are those of one sweep from `seeds`. A jacobian is explained by the sweep for the sum of its target.
        """
        is_noted = (
            (place.calls == 1 or place.records_norms) and seeds is not None and len(self._records) <= MOST_RECORDS
        )
        return Norms() if is_noted else None, is_close and not observers and can_hold(self._records)

    def _look(
        self, place: Place, is_close: bool, targets: list[Any], gradients: list[Any], filled: Collection[int]
    ) -> Sequence[int]:
        """The positions of gradients to explain: inf, nan or zeros. Observers see values themselves."""
        if observers or state.context is not None:
            return ()
        return odd_positions(place, gradients, targets, filled) if is_close else looks_odd(place, gradients)

    def _used_by_untaken(
        self, targets: list[Any], sources: list[Any], gradients: list[Any]
    ) -> dict[int, tuple[CodeType, int]]:
        """The positions of sources without a gradient that code that did not run would use, with the call site of its control flow."""
        reached = reached_from((key for target in targets for key in self._keys(target)), self._records, self._untaken)
        found = {i: self._site_in(reached, each) for i, each in enumerate(sources) if gradients[i] is None}
        return {i: site for i, site in found.items() if site is not None}

    def _site_in(self, reached: Reached, source: Any) -> tuple[CodeType, int] | None:
        """The call site for a source that the tape watches, or would watch if it was read."""
        found = [reached.get(key) for key in self._keys(source) if self.watches(key)]
        if isinstance(source, Variable) and self._watch_accessed_variables and source._trainable:
            found.append(reached.get(source))
        return next((site for site in found if site is not None), None)

    def _by_source(
        self,
        found: list[Any],
        keys_of: list[list[Key]],
        sources: list[Any],
        unread: Sequence[tuple[Any, Callable[[], Tensor]]],
    ) -> list[Any]:
        """The cotangents found, one after the other for the keys of each source, as one gradient for each source."""
        arrived = iter(found)
        gradients = [total_of([next(arrived) for _ in keys]) for keys in keys_of]
        for value, upstream in unread:
            for i, source in enumerate(sources):
                if source is value:  # the derivative of anything for itself is 1, watched or not
                    gradients[i] = total_of([gradients[i], upstream()])
        return gradients

    def _notify(self, call: GradientCall) -> None:
        """Notify listeners of a call, if it has None, no sources, or what a look at its gradients found; under a trace, of every call."""
        context = state.context
        if call.filled is None:
            is_wanting = not call.gradients or bool(call.untaken) or _NOTHING in map(type, call.gradients)
        else:  # zeros in place of None were requested: only a trace reports more about such a call
            is_wanting = self.explains_zeros and not call.filled <= self.spared
        if context is not None and context.replays:
            # A function that runs op by op notifies listeners at each call, and not while it is traced, unless its trace fails.
            if is_wanting:
                context.root.wanting.append(call.replace(traced=context.root.known))
        elif observers or call.odd or is_wanting or ((call.filled is None or self.explains_zeros) and call.broadcasts):
            for listener in listeners:
                listener(call)

    def _let_go(self) -> None:
        """Let go of what the records keep."""
        for raw in self._records:
            if raw[KEPT]:
                raw[KEPT].clear()

    def sweep_again(self, call: GradientCall, *sweep_observers: Observer) -> None:
        """Repeat the sweep of a call that has its `seeds`, for `sweep_observers` alone: recorders are not notified."""
        assert call.seeds is not None, "a persistent tape keeps them"
        recorders, state.recorders = state.recorders, ()
        last = recent.tape  # a rule may itself take gradients
        try:
            wanted = [key for source in call.sources for key in self._keys(source)]
            sweep(self._records, call.seeds, wanted, self.roots, True, sweep_observers)
        finally:
            state.recorders = recorders
            recent.tape = last

    @contextlib.contextmanager
    def keeping_records(self, call_site: tuple[CodeType, int]) -> Iterator[None]:
        """Let a tape that is not persistent repeat its sweep inside this block; afterwards it is spent, as if by a call at `call_site`."""
        if self._persistent or not self._entered:
            yield
            return
        if self._recording:
            self._stop()
        self._persistent = True
        try:
            yield
        finally:
            self._persistent = False
            self._spent = True
            self.first_use = call_site
            self._let_go()

    @property
    def is_spent(self) -> bool:
        """Whether its one set of gradients was given."""
        return self._spent

    def last_call(self) -> GradientCall | None:
        """The last call of `gradient`, if its targets and sources still exist."""
        return None if self._last_call is None else self._last_call.restored(self)

    def _keys(self, value: Any) -> list[Key]:
        """The identities of a source or target: for a variable, of each of its values that was read."""
        if type(value) is not Tensor and isinstance(value, Variable):
            return self._versions.get(value, []) if value._value._array.dtype.kind in "fcV" else []
        return [value._key or key_of(value)] if value._array.dtype.kind in "fcV" else []

    def _seeds(self, targets: list[Any], output_gradients: Any) -> list[tuple[Key, Tensor]]:
        """Each differentiable target with its upstream gradient, checked."""
        if output_gradients is None:
            return [(keys[-1], ones_for(value)) for value in targets if (keys := self._keys(value))]
        upstream = nest.flatten(output_gradients)
        if len(upstream) != len(targets):
            raise OpValueError(UpstreamCount(given=len(upstream), targets=len(targets)))
        seeds = []
        for i, (value, g) in enumerate(zip(targets, upstream)):
            if g is not None and value.dtype.is_differentiable:
                g = upstream_for(g, value, i)
            keys = self._keys(value)
            if keys:
                seeds.append((keys[-1], ones_for(value) if g is None else g))
        return seeds

    def _unread(self, targets: list[Any], output_gradients: Any) -> list[tuple[Any, Callable[[], Tensor]]]:
        """The targets that have no seed, variables that the tape did not see read and integers, with their upstream gradients."""
        given: list[Any] = [None] * len(targets) if output_gradients is None else nest.flatten(output_gradients)

        def upstream(value: Any, g: Any, position: int) -> Callable[[], Tensor]:
            return lambda: ones_for(value) if g is None else upstream_for(g, value, position)

        return [
            (value, upstream(value, g, i))
            for i, (value, g) in enumerate(zip(targets, given))
            if not self._keys(value) and (value.dtype.is_differentiable or value.dtype.is_integer)
        ]


def unconnected_gradients_of(given: Any) -> UnconnectedGradients:
    if type(given) is UnconnectedGradients:
        return given
    try:
        return UnconnectedGradients(given)
    except ValueError:
        raise OpValueError(UnconnectedGradientsUnknown(given=given)) from None


def _reshaped(tensor: Tensor, shape: tuple[int, ...]) -> Tensor:
    return recorded.reshape(tensor, shape)  # type: ignore[no-any-return]
