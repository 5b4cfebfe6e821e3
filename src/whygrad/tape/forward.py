"""ForwardAccumulator: forward-mode derivatives, computed along with the ops, one direction at a time."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Sequence
from typing import Any

from whygrad._public import export
from whygrad.engines.numpy import engine
from whygrad.ops.primitive import KEPT, RawRecord, record_of
from whygrad.runtime.call_sites import users_site
from whygrad.runtime.interrupts import SafelyLeft, safe_exit
from whygrad.tape.cotangents import dense
from whygrad.tape.gradient_tape import GradientTape, UnconnectedGradients, unconnected_gradients_of
from whygrad.tape.recording_tape import numbers
from whygrad.tape.sweep import sweep
from whygrad.tape.targets_and_sources import placed_as
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError
from whygrad.values.faults import NotWatchable
from whygrad.values.recorders import Mark, Recorder, observers, state
from whygrad.values.tensor import Key, Tensor, key_of, wrap
from whygrad.values.variable import Variable


@export("autodiff.ForwardAccumulator")
class ForwardAccumulator(SafelyLeft, Recorder):
    """Computes Jacobian-vector products of the ops in its `with` block, for `tangents`, as they run.

    `primals` are tensors or variables, `tangents` the directions in which they move. `jvp` then gives the tangent of a result.
    Accumulators and tapes nest: an accumulator around a tape gives Hessian-vector products.

    >>> import whygrad as tf
    >>> x = tf.constant([2.0, 3.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
    ...     y = x * x
    >>> accumulator.jvp(y).numpy()
    array([4., 0.], dtype=float32)
    """

    differentiates = True
    explains = True  # a tangent that is None, while the program is traced by a tape beside it

    def __init__(self, primals: Any, tangents: Any) -> None:
        # Weak, by identity: a tensor's tangent is freed with it.
        self._tangents: weakref.WeakKeyDictionary[Key, Tensor] = weakref.WeakKeyDictionary()
        self._variables: dict[Variable, Tensor] = {}
        self._primals: list[
            tuple[tuple[Any, ...], weakref.ref[Tensor | Variable]]
        ] = []  # with their places in the structure given
        self._made_at = users_site()
        self._beside: GradientTape | None = None
        self._recording = False
        self.number = next(numbers)
        self._entered = 0  # how many times
        self.mark = Mark(self)
        self.unmarked = _Followed(self._tangents)
        seen = set()
        for primal in nest.flatten(primals):
            if id(primal) in seen:
                raise OpValueError(
                    f"Tensor {primal} was specified as a primal multiple times. This may indicate an error. If it was "
                    "intended, please sum the corresponding tangents."
                )
            seen.add(id(primal))
        self._watch(primals, tangents)

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise OpValueError("Accumulator is already recording.")
        self._note("__enter__")
        self._entered += 1
        try:
            state.recorders = (*state.recorders, self)
            self._recording = True
            if self.explains and observers and state.context is None:
                self._beside = self._tape_beside() if self._beside is None else self._beside
                self._beside.__enter__()
            return self
        except BaseException:  # Ctrl-C: `with` does not call `__exit__` then
            self._remove()
            raise

    @safe_exit
    def __exit__(self, *exception: object) -> None:
        try:
            if self._recording:
                self._note("__exit__", None, None, None)
            self._remove()
        except BaseException:
            self._remove()
            raise
        self._exit = None

    def _remove(self) -> None:
        state.recorders = tuple([recorder for recorder in state.recorders if recorder is not self])
        self._recording = False
        if self._beside is not None:
            self._beside.__exit__()

    def unused_copy(self) -> ForwardAccumulator:
        """A new accumulator, without primals."""
        return ForwardAccumulator((), ())

    def _note(self, method: str, *args: Any) -> None:
        """Note a call of one of the methods in the function that is being traced, if it will run op by op."""
        if state.context is not None and state.context.replays:
            state.context.on_tape(self, method, *args)

    def _watch(self, primals: Any, tangents: Any) -> None:
        """Let `primals` move by `tangents`, in addition to tangents given before."""
        self._note("_watch", primals, tangents)
        nest.assert_same_structure(primals, tangents)
        for path, primal, tangent in zip(nest.paths(primals), nest.flatten(primals), nest.flatten(tangents)):
            if not isinstance(primal, Tensor | Variable):
                wording = "Passed in object {value} of type {kind!r}, not tf.Tensor or tf.Variable."
                raise OpValueError(NotWatchable(value=primal, wording=wording))
            if not primal.dtype.is_differentiable:
                logging.getLogger("whygrad").warning(
                    "The dtype of the watched primal must be floating (e.g. tf.float32), got %r", primal.dtype
                )
                continue
            direction = convert(tangent, primal.dtype)
            value = primal.value_here if isinstance(primal, Variable) else primal
            if direction._array.shape != value._array.shape:
                raise OpValueError(
                    f"Tangent was expected to be of shape {value.shape} but is instead of shape {direction.shape}: it says "
                    "how each element of its primal moves"
                )
            if isinstance(primal, Variable):
                self._add(self._variables, primal, direction)
            self._add(self._tangents, key_of(value), direction)
            self._primals.append((path, weakref.ref(primal)))

    @staticmethod
    def _add(tangents: Any, key: Any, direction: Tensor) -> None:
        before = tangents.get(key)
        tangents[key] = direction if before is None else before + direction

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The tangents of `primals`, in their structure; None, or zeros, for those that do not depend on the primals."""
        unconnected = unconnected_gradients_of(unconnected_gradients)

        def tangent_of(primal: Any) -> Tensor | None:
            if isinstance(primal, Variable):
                found, value = self._variables.get(primal), primal.value_here
            else:
                value = convert(primal, None)
                found = None if value._key is None else self._tangents.get(value._key)
            if found is None and unconnected is UnconnectedGradients.ZERO:
                return wrap(engine.zeros(value._array.shape, value._array.dtype))
            return found

        if state.context is not None and state.context.replays:
            return state.context.differentiate(
                self, "jvp", (primals, unconnected), lambda: nest.map_structure(tangent_of, primals)
            )
        found = nest.map_structure(tangent_of, primals)
        if self.explains and unconnected is UnconnectedGradients.NONE and state.context is None:
            self._explain(nest.flatten(primals), nest.flatten(found))
        return found

    def _explain(self, results: list[Any], tangents: list[Any]) -> None:
        """Have results that all have no tangent explained: by the gradient, which is None for the same reason."""
        targets = [each for each in results if isinstance(each, Tensor | Variable)]
        if any(each is not None for each in tangents) or not targets or not self._living_primals():
            return
        recorders, state.recorders = state.recorders, ()  # an outer derivative has nothing to do with the explanation
        try:
            if self._beside is None:  # it knows no more than that nothing which was followed leads to the results
                self._beside = self._tape_beside()
                with self._beside:
                    pass
            self._beside.gradient(targets, self._telling_primal(self._beside))
        finally:
            state.recorders = recorders

    def _tape_beside(self) -> GradientTape:
        tape = GradientTape(persistent=True, watch_accessed_variables=False)
        tape.primals_at = self._made_at
        tape.watch([primal for _, primal in self._living_primals()])
        return tape

    def _telling_primal(self, tape: GradientTape) -> Any:
        """One primal at its place in a structure: the first that was used, as its way to a result must end somewhere."""
        used = {key for record in tape.records for key in record.inputs} | {event.source for event in tape.events}
        primals = self._living_primals()
        path, found = next((each for each in primals if not used.isdisjoint(tape._keys(each[1]))), primals[0])
        for key in reversed(path):
            found = {key: found}
        return found

    def _living_primals(self) -> list[tuple[tuple[Any, ...], Any]]:
        return [(path, primal) for path, each in self._primals if (primal := each()) is not None]

    # -- as a recorder --

    def may_depend(self, outputs: Sequence[Key], inputs: Sequence[Key | Variable]) -> None:
        """Results that could depend on a primal have a tangent, of zeros, as in TensorFlow."""
        if any(each in (self._variables if isinstance(each, Variable) else self._tangents) for each in inputs):
            for key in outputs:
                if key not in self._tangents:
                    self._tangents[key] = wrap(engine.zeros(key.shape, key.dtype))

    def variable_read(self, variable: Variable) -> None:
        """A variable keeps its tangent when a new value is assigned to it."""
        tangent = self._variables.get(variable)
        if tangent is not None:
            self._tangents.setdefault(key_of(variable.value_here), tangent)

    def append(self, raw: RawRecord, /) -> None:
        """An op ran: find the tangents of its results. Recorders outside of this accumulator record that computation too."""
        if raw[KEPT] is None:
            return
        recorders = state.recorders
        state.recorders = recorders[: recorders.index(self)]
        try:
            if state.context is not None and state.context.replays:
                with state.context.suspended():  # each call has its own accumulator
                    self._push_forward(raw)
            else:
                self._push_forward(raw)
        finally:
            state.recorders = recorders

    def _push_forward(self, raw: RawRecord) -> None:
        """Apply the transpose of the record's rules, which are linear in the cotangent, to the tangents.

        For a cotangent g of the output, the rules give g J. The derivative of that with respect to g, times the tangents t of the inputs,
        is J t. (The value of g does not matter. It is ones, because some rules treat zeros specially.)
        """
        record = record_of(raw)
        inputs = [key for key in dict.fromkeys(record.inputs) if key in self._tangents]
        output: Any = record.output
        every = output if type(output) is tuple else (output,)
        outputs = [key for key in every if key.dtype.kind in "fcV"]
        for key in outputs:
            if key.mark is self.mark:  # watched tensors have a tangent, which must be found
                key.mark = None
        push = None if record.plan.joint is None else getattr(record.plan.joint.rule, "push_forward", None)
        if push is not None:  # the user's own rule for forward mode
            tangents = nest.flatten(push([self._tangents.get(key) for key in record.inputs]))
            for key, tangent in zip(every, tangents):
                if key in outputs:
                    self._tangents[key] = convert(tangent, None if hasattr(tangent, "dtype") else key.dtype)
            return
        cotangents = [wrap(engine.ones(key.shape, key.dtype)) for key in outputs]
        with GradientTape() as tape:
            for cotangent in cotangents:  # new ones: `watch` would look up the call site for each op
                tape._add_root(key_of(cotangent))
            pulled = sweep([raw], list(zip(outputs, cotangents)), inputs, set(inputs), keep=True)
            gxs = [pulled.get(key) for key in inputs]
        found = [(key, gx) for key, gx in zip(inputs, gxs) if isinstance(gx, Tensor)]
        seeds = [(key_of(gx), placed_as(self._tangents[key], gx)) for key, gx in found]
        wanted = [key_of(cotangent) for cotangent in cotangents]
        pushed = sweep(tape._records, seeds, wanted, tape.roots, keep=False)
        for key, of_output in zip(outputs, wanted):
            tangent = dense(pushed, of_output)
            if tangent is not None:
                self._tangents[key] = tangent


class _Followed(set[Key]):
    """The keys that have a tangent, as a recorder's `unmarked`: setting a tangent adds them."""

    def __init__(self, tangents: weakref.WeakKeyDictionary[Key, Tensor]) -> None:
        self._tangents = tangents

    def __contains__(self, key: object) -> bool:
        return key in self._tangents

    def add(self, key: Key) -> None:
        """Do nothing: a result is added when its tangent is known."""
