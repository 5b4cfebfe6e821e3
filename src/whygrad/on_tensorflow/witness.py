"""The witness: follows a running TensorFlow program with whygrad's own tapes and traces, so that explanations can read them.

Each op that TensorFlow executes eagerly is repeated by whygrad on shadows (`shadows.py`), at the user's line, and takes TensorFlow's
values. Each TensorFlow tape has a whygrad tape beside it; a call of `gradient` runs on both. So explanations see the same
records, events and values as under whygrad's own engine, and know nothing of TensorFlow.

What whygrad finds is reported only if the two gradients agree on None and on shapes. TensorFlow's results are never changed.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import operator
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

import numpy as np

from whygrad.keras_backend import scopes
from whygrad.on_tensorflow import internals
from whygrad.on_tensorflow.custom_gradients import NotFollowed, Remembered
from whygrad.on_tensorflow.failures import as_if_called, causes_of_failure, is_same_failure, public_function
from whygrad.on_tensorflow.function_calls import FunctionCall, begin_anew, python_function_of
from whygrad.on_tensorflow.leaks import stand_in
from whygrad.on_tensorflow.op_types import COMPOSITES, DATA, TRANSLATIONS
from whygrad.on_tensorflow.recipes import Recipes
from whygrad.on_tensorflow.shadows import (
    SHADOW,
    WITHOUT_ARRAYS,
    WITHOUT_NUMBERS,
    array_in,
    array_of,
    attach,
    fits,
    join,
    seen,
    shadow_of,
    structure,
    variable_of,
)
from whygrad.on_tensorflow.variables import OF_VARIABLES, Variables
from whygrad.ops.primitive import Primitive, record
from whygrad.ops.shaping import identity_primitive
from whygrad.runtime.call_sites import frame_at, register_package, users_frame, users_site
from whygrad.tape import gradient_tape
from whygrad.tape.custom_gradient import VariableWatcher, tapes_paused, with_gradient
from whygrad.tape.gradient_tape import GradientCall, GradientTape
from whygrad.tape.python_function import Call, numpy_function_primitive, py_function_primitive
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import current
from whygrad.why.source import stand_ins


class _Busy(threading.local):
    """How deep this thread is in TensorFlow's own work, whose ops are not the program's."""

    depth = 0
    ops_left: int | None = None  # of a call that is repeated


class Witness:
    """Watches TensorFlow in this process between `begin` and `end`."""

    def __init__(self, eager: bool = False) -> None:
        self.found = internals.load()
        self._keras_is_scoped = False
        self._eager = eager  # whether functions run op by op from the start
        self._tf: Any = importlib.import_module("whygrad")
        self._functions: dict[str, Callable[..., Any]] = {}
        self._recipes = Recipes()
        self._busy = _Busy()
        self._undo = contextlib.ExitStack()
        self._variables = Variables(self.found, self._tf)
        self.unseen: dict[str, str] = {}  # op types that were met and could not be followed, with the reason
        # The calls of compiled functions that a tape recorded: each with its results, and its place among the records.
        self._calls_in: weakref.WeakKeyDictionary[GradientTape, list[Any]] = weakref.WeakKeyDictionary()
        # The call of a compiled function that is running, which may be traced now.
        self._traced: FunctionCall | None = None
        self._none_traced = False  # whether a gradient was None while a function was traced
        # Names of functions whose calls were repeated, and whether that found anything.
        self.replays: dict[str, bool] = {}
        # The result of one of Keras's functions whose value was not read yet, with the call.
        self._awaited: tuple[Any, FunctionCall] | None = None
        self._followed = False  # whether ops inside a compiled function stand for a call of it
        self.strict = False  # whether a failure of the witness is raised: for tests

    # -- beginning and end --

    @contextlib.contextmanager
    def watching(self) -> Iterator[Witness]:
        """Watch TensorFlow inside the block."""
        self.begin()
        try:
            yield self
        finally:
            self.end()

    def begin(self) -> None:
        """Start watching."""
        for folder in internals.packages(self.found.tensorflow):
            register_package(folder)
        stand_ins.finders.append(self._counterpart)
        self._undo.callback(stand_ins.finders.remove, self._counterpart)
        if self._eager:
            config = self.found.tensorflow.config
            self._undo.callback(config.run_functions_eagerly, config.functions_run_eagerly())
            config.run_functions_eagerly(True)
        callback = self._executed
        self.found.op_callbacks.add_op_callback(callback)
        self._undo.callback(self.found.op_callbacks.remove_op_callback, callback)
        tape, tensor, variable = self.found.GradientTape, self.found.EagerTensor, self.found.ResourceVariable
        wrappers: list[tuple[Any, str, Callable[..., Any]]] = [
            (tape, "__init__", self._tape_made),
            (tape, "_push_tape", self._tape_pushed),
            (tape, "_pop_tape", self._tape_popped),
            (tape, "watch", self._watched),
            (tape, "stop_recording", self._stopped),
            (tape, "reset", self._reset),
            (tape, "gradient", self._differentiated("gradient")),
            (tape, "jacobian", self._differentiated("jacobian")),
            (tape, "batch_jacobian", self._differentiated("batch_jacobian")),
            (variable, "__init__", self._variable_made),
            (self.found.constants, "convert_to_eager_tensor", self._constant_made),
            (self.found.Function, "__call__", self._called),
            (self.found.Optional, "get_value", self._value_taken),
            (self.found.custom_gradient, "_eager_mode_decorator", self._custom_gradient),
            (self.found.tensorflow, "numpy_function", self._numpy_function),
            (self.found.tensorflow, "py_function", self._py_function),
            (threading.Thread, "start", self._thread_started),
            *((np, name, self._array_made) for name in _ARRAYS if importlib.util.find_spec("numba") is None),
            *((*self._place(path), self._composite(path)) for path in COMPOSITES),
            *((owner, each, self._left) for owner in (tensor, variable) for each in _EXITS if each in vars(owner)),
        ]
        for owner, name, wrapper in wrappers:
            self._wrap(owner, name, wrapper)
        tensor.__array_function__ = self._in_numpy  # type: ignore[attr-defined]
        self._undo.callback(delattr, tensor, "__array_function__")

    @property
    def _in_numpy(self) -> Callable[..., Any]:
        """What NumPy calls when one of its functions gets a tensor: it computes as if there were nothing to call."""

        def in_numpy(tensor: Any, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
            if not self._busy.depth:
                with self._observing("NumPy"):
                    for each in nest.flatten([args, kwargs]):
                        self._notify_of_exit(each)
            with self._inside_tensorflow():
                return function._implementation(*args, **kwargs)

        return in_numpy

    def _notify_of_exit(self, tensor: Any) -> None:
        variable = variable_of(tensor)
        shadow = getattr(tensor, SHADOW, None) if variable is None else self._variables.known(tensor.handle).read()
        if isinstance(shadow, Tensor):
            for recorder in state.recorders:
                recorder.left_for_numpy(shadow)

    def _counterpart(self, value: Any) -> Any:
        """What stands for one of the program's values: a shadow, or the whygrad function with the same public name."""
        if callable(value) and not isinstance(value, type):
            found = public_function(value, self._tf)
            return value if found is None else found
        if type(value).__name__ == "SymbolicTensor" and (python := python_function_of(value.graph)) is not None:
            return stand_in(value, python)
        return structure(value) if type(value).__name__ == "IndexedSlices" else seen(value)

    def end(self) -> None:
        """Stop watching: TensorFlow is as before."""
        self._undo.close()
        with self._observing("tf.function"):
            begin_anew()

    def _wrap(self, owner: Any, name: str, wrapper: Callable[..., Any]) -> None:
        original = getattr(owner, name)

        @functools.wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            return wrapper(original, *args, **kwargs)

        setattr(owner, name, wrapped)
        self._undo.callback(setattr, owner, name, original)

    def _idle(self) -> bool:
        """Whether the program itself is running, eagerly, in this thread."""
        return not self._busy.depth and bool(self.found.context.executing_eagerly())

    @contextlib.contextmanager
    def _inside_tensorflow(self) -> Iterator[None]:
        self._busy.depth += 1
        try:
            yield
        finally:
            self._busy.depth -= 1

    @contextlib.contextmanager
    def _unobserved(self) -> Iterator[None]:
        """As `_inside_tensorflow`, where many ops follow: TensorFlow does not call back for them, which would cost a tenth of their time."""
        context, callback = self.found.context.context(), self._executed
        is_observing = callback in context.op_callbacks
        if is_observing:
            context.remove_op_callback(callback)
        try:
            with self._inside_tensorflow():
                yield
        finally:
            if is_observing:
                context.add_op_callback(callback)

    @contextlib.contextmanager
    def _observing(self, what: str) -> Iterator[None]:
        """An exception inside the block is a failure of the witness: the program goes on, and the report says what was not seen."""
        try:
            with self._inside_tensorflow():
                yield
        except Warning:
            raise
        except Exception as error:
            self._failed(what, error)

    def _failed(self, what: str, error: Exception) -> None:
        """Note what was not seen, and why."""
        if self.strict:
            raise error
        self.unseen.setdefault(what, f"{type(error).__name__}: {error}".splitlines()[0])

    # -- ops --

    def _executed(
        self, op_type: Any, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        """TensorFlow executed an op."""
        if graph is not None:
            if op_type == "IteratorGetNext" and self._traced is not None and self._traced.takes_from_iterator:
                with self._observing("an iterator"):
                    self._traced.hold_batch(outputs)
            return
        if self._busy.depth:
            return
        if self._busy.ops_left is not None:
            self._busy.ops_left -= 1
            if self._busy.ops_left < 0:
                raise _TooLong
        op_type = op_type.decode() if isinstance(op_type, bytes) else op_type
        self._busy.depth = 1  # as `_observing`, written out because it is for every op
        try:
            self._op(op_type, inputs, attributes, outputs)
        except Warning:
            raise
        except Exception as error:
            self._failed(op_type, error)
        finally:
            self._busy.depth = 0

    def _op(self, op_type: str, inputs: Any, attributes: Any, outputs: Any) -> None:
        of_variable = OF_VARIABLES.get(op_type)
        if of_variable is not None:
            of_variable(self._variables, inputs, outputs)
            return
        translation = TRANSLATIONS.get(op_type)
        if translation is not None:
            shadows = [self._variables.shadow(each) for each in inputs]
            try:
                if self._computed(op_type, translation, shadows, attributes, outputs):
                    return
            except Exception:
                if _can_carry_gradients(inputs, outputs):
                    raise
        handles = [each for each in inputs if isinstance(getattr(each, SHADOW, None), Variable)]
        if op_type.startswith("__"):  # a call of a compiled function, which `_called` records
            self._variables.changed(handles)
            return
        if op_type in DATA or not outputs or not (handles or _can_carry_gradients(inputs, outputs)):
            if handles and not outputs:
                self._variables.changed(handles)
            for each in outputs:
                shadow_of(each)
            return
        if all(each.dtype.name in WITHOUT_ARRAYS for each in outputs):  # datasets, iterators and the like
            return
        self.unseen.setdefault(op_type, "whygrad does not know this op type")
        values: list[Any] = [getattr(each, SHADOW).read() for each in handles]
        values += [
            shadow
            for each in inputs
            if each.dtype.name != "resource" and (shadow := self._variables.shadow(each)) is not None
        ]
        self._opaque(op_type, values, outputs)

    def _computed(self, op_type: str, translation: Any, shadows: list[Any], attributes: Any, outputs: Any) -> bool:
        """Repeat an op on shadows; return whether the results are alike."""
        arrays = [array_of(each) for each in outputs]
        key = None
        if None not in shadows and all(each is not None for each in arrays):
            key = self._recipes.key(op_type, attributes, shadows)
            recorded = self._recipes.record(key, shadows, arrays)
            if recorded is not None:
                for shadow, output in zip(recorded, outputs):
                    setattr(output, SHADOW, shadow)
                return True
        with self._recipes.learning(key, shadows) as watched:
            if isinstance(translation, str):
                function = self._functions.get(op_type)
                if function is None:
                    function = self._functions[op_type] = operator.attrgetter(translation)(self._tf)
                made: Any = function(*shadows)
            else:
                made = translation(self._tf, shadows, dict(zip(attributes[::2], attributes[1::2])))
        results = list(made) if isinstance(made, tuple | list) else [made]
        if len(results) != len(outputs):
            return False
        for shadow, array in zip(results, arrays):
            if shadow is not None and not fits(shadow, array):
                return False
        if watched is not None:
            self._recipes.learned(key, watched.recipe(shadows, results))
        for shadow, output, array in zip(results, outputs, arrays):
            if shadow is None:
                shadow_of(output)
            elif getattr(output, SHADOW, None) is None:
                shadow._array = array
                setattr(output, SHADOW, shadow)
        return True

    def _opaque(self, name: str, values: list[Any], outputs: Any) -> tuple[Tensor, ...]:
        """Record an op whose rule is not known: its results depend on its inputs, and no more is known."""
        with_arrays = [(each, array) for each in outputs if (array := array_of(each)) is not None]
        made = tuple([wrap(array) for _, array in with_arrays])
        for (output, _), shadow in zip(with_arrays, made):
            setattr(output, SHADOW, shadow)
        if made and values and state.recorders:
            primitive = Primitive(
                name,
                _no_forward,
                joint=_unknown_rule,
                inputs=["x"],
                takes_tensors=True,
                register=False,
                keeps_plans=False,
            )
            record(primitive, tuple(values), made, {})
        return made

    # -- variables --

    def _variable_made(self, original: Any, variable: Any, *args: Any, **kwargs: Any) -> None:
        original(variable, *args, **kwargs)
        if type(variable).__name__ == "_UnreadVariable":  # what an assignment returns
            return
        self._scope_keras()
        if self._idle():
            with self._observing("tf.Variable"):
                self._variables.describe(variable)

    def _scope_keras(self) -> None:
        """Once the program has loaded Keras, let what its training computes belong to the line that calls `fit`.

        A model has variables before it is trained, so this is called when one is made.
        """
        module = None if self._keras_is_scoped else sys.modules.get("keras.src.backend.tensorflow.trainer")
        if module is None:
            return
        self._keras_is_scoped = True
        trainer = module.TensorFlowTrainer
        step = trainer.train_step
        scoped = {
            name: scopes.training(getattr(trainer, name), step, variable_of) for name in ("fit", "train_on_batch")
        }
        for name in ("evaluate", "predict", "test_on_batch", "predict_on_batch"):
            scoped[name] = scopes.as_whole_call(getattr(trainer, name))
        for name, method in scoped.items():
            self._replace(trainer, name, method)
        specs = sys.modules["keras.src.layers.input_spec"]
        convert_not = self.found.tensorflow.autograph.experimental.do_not_convert
        check = convert_not(scopes.refusing(specs.assert_input_compatibility))
        self._replace(specs, "assert_input_compatibility", check)

    def _replace(self, owner: Any, name: str, by: Any) -> None:
        self._undo.callback(setattr, owner, name, getattr(owner, name))
        setattr(owner, name, by)

    # -- tapes --

    def _tape_made(
        self, original: Any, tape: Any, persistent: bool = False, watch_accessed_variables: bool = True
    ) -> None:
        original(tape, persistent, watch_accessed_variables)
        if self._idle():
            tape._whygrad = GradientTape(persistent, watch_accessed_variables)

    def _tape_pushed(self, original: Any, tape: Any) -> Any:
        result = original(tape)
        if self._idle() and (shadow := _shadow_tape(tape)) is not None:
            with self._observing("tf.GradientTape"):
                shadow.__enter__()
        return result

    def _tape_popped(self, original: Any, tape: Any) -> Any:
        if self._idle() and (shadow := _shadow_tape(tape)) is not None:
            with self._observing("tf.GradientTape"):
                shadow.__exit__(None, None, None)
        return original(tape)

    def _watched(self, original: Any, tape: Any, tensor: Any) -> Any:
        shadow = _shadow_tape(tape) if self._idle() else None
        try:
            result = original(tape, tensor)
        except Exception as error:
            # A tape that was never entered, of which whygrad says so when it is asked for a gradient.
            if shadow is not None:
                self._explain_failure(shadow, "gradient", ([structure(tensor)] * 2, {}), error)
            raise
        if shadow is not None:
            with self._observing("GradientTape.watch"):
                shadow.watch(structure(tensor))
        return result

    def _stopped(self, original: Any, tape: Any) -> contextlib.AbstractContextManager[None]:
        return self._while_stopped(original, tape, users_site())

    @contextlib.contextmanager
    def _while_stopped(self, original: Any, tape: Any, call_site: tuple[CodeType, int]) -> Iterator[None]:
        shadow = _shadow_tape(tape) if self._idle() else None
        if shadow is None:
            with original(tape):
                yield
            return
        with shadow.while_stopped(call_site), self._quiet_tape(tape), original(tape):
            yield

    @contextlib.contextmanager
    def _quiet_tape(self, tape: Any) -> Iterator[None]:
        """`stop_recording` pops and pushes the tape itself, which the shadow must not follow."""
        shadow = tape._whygrad
        tape._whygrad = None
        try:
            yield
        finally:
            tape._whygrad = shadow

    def _reset(self, original: Any, tape: Any) -> None:
        shadow = _shadow_tape(tape) if self._idle() else None
        if shadow is None:
            original(tape)
            return
        with self._quiet_tape(tape):
            original(tape)
        with self._observing("GradientTape.reset"):
            shadow.reset()

    def _differentiated(self, method: str) -> Callable[..., Any]:
        def differentiated(original: Any, tape: Any, *args: Any, **kwargs: Any) -> Any:
            shadow = _shadow_tape(tape) if self._idle() else None
            if shadow is None:
                result = original(tape, *args, **kwargs)
                if not self._busy.depth and any(each is None for each in _flat_gradients(result)):
                    self._none_traced = True
                return result
            given: Any = None
            with self._observing(f"GradientTape.{method}"):
                for each in nest.flatten([args, kwargs]):
                    if type(each).__name__ == "SymbolicTensor":
                        self._counterpart(each)
                given = [structure(each) for each in args], {name: _option(each) for name, each in kwargs.items()}
            try:
                with self._unobserved():
                    result = original(tape, *args, **kwargs)
            except Exception as error:
                if given is not None:
                    self._explain_failure(shadow, method, given, error)
                raise
            if given is not None:
                with self._observing(f"GradientTape.{method}"):
                    self._repeat(shadow, method, given, result)
            return result

        return differentiated

    def _repeat(self, shadow: GradientTape, method: str, given: Any, result: Any) -> None:
        """Differentiate on whygrad too, and let explanations look at the call where both agree."""
        agreed: list[bool] = []

        def compare(call: GradientCall) -> None:
            agreed.append(
                len(call.gradients) == len(flat)
                and (method != "gradient" or all(self._agree(*pair) for pair in zip(flat, call.gradients)))
            )
            if agreed[-1]:
                for listener in before:
                    listener(call)

        flat = _flat_gradients(result)
        if shadow in self._calls_in and any(map(_is_odd, flat)):
            self._follow_calls(shadow)
        before = list(gradient_tape.listeners)
        gradient_tape.listeners[:] = [compare]
        try:
            made = getattr(shadow, method)(*given[0], **given[1])
        except NotFollowed as error:
            if shadow not in self._calls_in:  # calls of functions are followed when something seems to be wrong inside
                self.unseen.setdefault(str(error), "its gradient was not followed")
            return
        except Exception as error:
            trace = current()
            if trace is None:
                raise
            for cause in causes_of(error):
                trace.found(cause)
            return
        finally:
            gradient_tape.listeners[:] = before
        if agreed and not all(agreed):
            self.unseen.setdefault(
                method, "whygrad's gradient differs from TensorFlow's, so this call is not explained"
            )
        for ours, theirs in zip(_flat_gradients(made), flat):
            if theirs is not None and getattr(theirs, SHADOW, None) is None:
                join(theirs, ours)

    def _agree(self, theirs: Any, ours: Any) -> bool:
        """Whether the two gradients agree, apart from known deviations of TensorFlow's.

        A compiled TensorFlow function gives zeros for what a branch that was not taken uses, where whygrad gives None. And some of its
        gradients do not have the shape of their source.
        """
        if join(theirs, ours):
            return True
        if theirs is None or hasattr(theirs, "indices"):
            return False
        if ours is None:
            return self._followed and _is_odd(theirs)
        if isinstance(ours, Tensor) and tuple(theirs.shape) != tuple(ours.shape):
            self.unseen.setdefault(
                "a gradient",
                f"TensorFlow gives it the shape {tuple(theirs.shape)}, and its source has {tuple(ours.shape)}",
            )
            return True
        return False

    def _explain_failure(self, shadow: GradientTape, method: str, given: Any, error: Exception) -> None:
        """TensorFlow refused to differentiate: whygrad refuses as well and says why, or gives None and is asked why."""
        try:
            with self._inside_tensorflow():
                self._follow_calls(shadow)
                getattr(shadow, method)(*given[0], **given[1])
        except NotFollowed as ours:
            self.unseen.setdefault(str(ours), "its gradient was not followed")
        except Exception as ours:
            with contextlib.suppress(Exception):
                causes = causes_of(as_if_called(ours, users_frame(frame_at(0))))
                if causes:  # none if it is TensorFlow's error, out of a custom gradient
                    error.causes = causes  # type: ignore[attr-defined]

    # -- compiled functions --

    def _called(self, original: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        """A `tf.function` is called: it runs as it is, and again op by op if something seems to be wrong inside."""
        self._scope_keras()
        if not self._idle() or self._eager or self._busy.ops_left is not None or current() is None:
            return original(function, *args, **kwargs)
        with self._inside_tensorflow():
            call = FunctionCall(function, args, kwargs, self.found)
        self._none_traced = False
        self._traced = call
        try:
            result = original(function, *args, **kwargs)
        except Exception as error:
            self._explain_failed_call(call, error)
            raise
        finally:
            self._traced = None
        call.none_traced = self._none_traced
        if type(result) is self.found.Optional:
            self._awaited = result, call
        else:
            self._look_at_call(call, result)
        return result

    def _explain_failed_call(self, call: FunctionCall, error: Exception) -> None:
        """A compiled function failed: op by op it fails at the line that is wrong, with values."""
        if error.__dict__.get("causes") is not None or isinstance(
            error, StopIteration | self.found.tensorflow.errors.OutOfRangeError
        ):
            return
        with self._observing("tf.function"):
            if not call.can_be_repeated():
                return
            causes: list[Cause] = []
            call.results = []
            inputs = [*call.tensors, *call.variables()]
            tape = GradientTape()
            before = state.recorders
            try:
                with tape:
                    tape.watch([each for each in structure(inputs) if each.dtype.is_differentiable])
                    results = self._repeat_call(call, (), [])
                if isinstance(error, LookupError):  # under a tape TensorFlow compiles the gradient too
                    tape.gradient(results, structure(inputs))
            except Exception as again:
                state.recorders = before
                if isinstance(again, LookupError):
                    again = as_if_called(again, users_frame(frame_at(0)))
                self.explain(again)
                causes = causes_of(again) if is_same_failure(again, error) else []
            if causes:
                error.causes = causes  # type: ignore[attr-defined]
                self.replays[call.name] = True

    def _value_taken(self, original: Any, optional: Any, *args: Any, **kwargs: Any) -> Any:
        """The value of what a function of Keras's gave: the call is looked at when Keras takes it, which costs no further op."""
        value = original(optional, *args, **kwargs)
        if self._awaited is not None and self._awaited[0] is optional and self._idle():
            call, self._awaited = self._awaited[1], None
            self._look_at_call(call, value)
        return value

    def _look_at_call(self, call: FunctionCall, result: Any) -> None:
        with self._observing("tf.function"):
            call.made(result)
            self._record_call(call)
            if call.suspect():
                self._replay(call)

    def _record_call(self, call: FunctionCall) -> None:
        """Record a call as one op, which tapes can have followed inside when they need it."""
        if not any(each.differentiates for each in state.recorders):
            return
        outputs = [each for each in call.results if getattr(each, SHADOW, None) is None]
        inputs = [shadow for each in call.tensors if (shadow := self._variables.shadow(each)) is not None]
        inputs += [variable.read() for each in call.variables() if (variable := variable_of(each)) is not None]
        before = state.recorders
        # A trace sees what is inside, if anything.
        state.recorders = tuple([each for each in before if each.differentiates])
        try:
            made = self._opaque(call.name, inputs, outputs)
            for tape in state.recorders:
                if made and inputs and isinstance(tape, GradientTape):
                    self._calls_in.setdefault(tape, []).append((call, made, tape.length - 1))
        finally:
            state.recorders = before

    def _follow_calls(self, tape: GradientTape) -> None:
        """Replace what a tape recorded of calls of compiled functions by the ops inside them, which are repeated one by one."""
        for call, made, position in reversed(self._calls_in.pop(tape, [])):
            if call.can_be_repeated():
                call.is_odd = True
                before = state.recorders
                state.recorders = (*[each for each in before if not each.differentiates], tape)
                try:
                    self._repeat_call(call, made, [(tape, position)])
                finally:
                    state.recorders = before

    def _replay(self, call: FunctionCall) -> None:
        """Repeat a call op by op, for the trace and for the tapes that recorded it last."""
        if not call.can_be_repeated():
            self.unseen.setdefault(call.name, "it takes from an iterator, so that its call cannot be repeated op by op")
            return
        made: tuple[Tensor, ...] = ()
        recorded = []
        for tape in [each for each in state.recorders if isinstance(each, GradientTape)]:
            calls = self._calls_in.get(tape, [])
            if calls and calls[-1][0] is call:
                _, made, position = calls.pop()
                recorded.append((tape, position))
        self._repeat_call(call, made, recorded)

    def _repeat_call(
        self, call: FunctionCall, made: tuple[Tensor, ...], recorded: list[tuple[GradientTape, int]]
    ) -> list[Tensor]:
        """Repeat a call op by op, from the values that variables had before it, in place of what tapes recorded of it.

        What the call gave, `made`, are then the results of the ops, which are returned.
        """
        results: list[Tensor] = []
        trace = current()
        findings = 0 if trace is None else len(trace.findings)
        ends = [tape.length for tape, _ in recorded]
        handles: list[Any] = []
        try:
            with call.restored() as handles:
                self._variables.changed(handles)
                for each in call.variables():  # which may have been made while something was traced
                    self._variables.known(each.handle)
                    self._variables.describe(each)
                with self._watched_again(), self._limited():
                    results = [shadow for each in call.repeat() if (shadow := shadow_of(each)) is not None]
                for new, old in zip(results, made):
                    record(identity_primitive, (new,), old, {})
            for (tape, position), end in zip(recorded, ends):
                tape.replace_record(position, end)
            self._followed = True
        except _TooLong:
            self.unseen.setdefault(
                call.name, f"its call takes more than {_MOST_REPEATED_OPS} ops, and was repeated up to there"
            )
        finally:
            self._variables.changed(handles)
        found = trace is not None and len(trace.findings) > findings
        if found or call.is_odd:
            self.replays[call.name] = self.replays.get(call.name, False) or found
        return results

    @contextlib.contextmanager
    def _limited(self) -> Iterator[None]:
        """Stop what takes too many ops."""
        self._busy.ops_left = _MOST_REPEATED_OPS
        try:
            yield
        finally:
            self._busy.ops_left = None

    @contextlib.contextmanager
    def _watched_again(self) -> Iterator[None]:
        """Follow ops inside a block of our own."""
        depth, self._busy.depth = self._busy.depth, 0
        try:
            yield
        finally:
            self._busy.depth = depth

    def notes(self) -> list[str]:
        """The report's remarks on how the program was watched."""
        said = []
        for name, found in self.replays.items():
            said.append(
                f"`{name}` is compiled: a call of it was repeated op by op, with the same inputs and variables"
                + ("" if found else ", and the repetition was clean")
            )
        for what, why in self.unseen.items():
            said.append(f"not followed: {what} ({why})")
        return said

    def explain(self, error: BaseException) -> None:
        """Give a TensorFlow exception the causes that whygrad's has for the same op on the same operands."""
        if error.__dict__.get("causes") is None:
            with self._observing("an exception"):
                self._know_leaks(error)
                causes = causes_of_failure(error, self._tf)
                if causes:
                    error.causes = causes  # type: ignore[attr-defined]

    def _know_leaks(self, error: BaseException) -> None:
        """Make stand-ins for the symbolic tensors that a failed call was given."""
        traceback = error.__traceback__
        while traceback is not None:
            for value in traceback.tb_frame.f_locals.values():
                for each in value if isinstance(value, list | tuple) else (value,):
                    if type(each).__name__ == "SymbolicTensor":
                        self._counterpart(each)
            traceback = traceback.tb_next

    # -- custom gradients, and values that leave --

    def _custom_gradient(self, original: Any, f: Any, args: Any, kwargs: Any) -> Any:
        if not self._idle():
            return original(f, args, kwargs)
        known = Remembered()

        @functools.wraps(f)
        def remembering(*args: Any, **kwargs: Any) -> Any:
            result, grad = f(*args, **kwargs)
            return result, known.around(grad)

        with VariableWatcher() as watcher:
            result = original(remembering, args, kwargs)
        with self._observing("tf.custom_gradient"):
            made = with_gradient(f, structure(args), structure(kwargs), structure(result), known, watcher)
            for shadow, output in zip(nest.flatten(made), _flat_gradients(result)):
                attach(output, shadow)
        return result

    def _place(self, path: str) -> tuple[Any, str]:
        """The TensorFlow module that defines a public name, and the name in it."""
        *modules, name = path.split(".")
        return functools.reduce(getattr, modules, self.found.tensorflow), name

    def _composite(self, path: str) -> Callable[..., Any]:
        """TensorFlow computes such a function by several ops; whygrad knows it as a whole."""

        def composite(original: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._idle():
                return original(*args, **kwargs)
            with self._inside_tensorflow():
                result = original(*args, **kwargs)
            with self._observing(path):
                ours = operator.attrgetter(path)(self._tf)
                made = nest.flatten(ours(*structure(args), **structure(kwargs)))
                outputs = _flat_gradients(result)
                if len(made) == len(outputs) and all(map(fits, made, map(array_of, outputs))):
                    for output, shadow in zip(outputs, made):
                        attach(output, shadow)
            return result

        return composite

    def _numpy_function(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        if not self._idle():
            return original(*args, **kwargs)
        with self._inside_tensorflow():
            result = original(*args, **kwargs)
        with self._observing("tf.numpy_function"):
            given = kwargs.get("inp", args[1] if len(args) > 1 else [])
            inputs = tuple([convert(each, None) for each in nest.flatten(structure(given))])
            outputs = [each for each in _flat_gradients(result) if array_of(each) is not None]
            made = tuple([wrap(array_in(each)) for each in outputs])
            if made and state.recorders:
                record(numpy_function_primitive, inputs, made, {})
            for output, shadow in zip(outputs, made):
                setattr(output, SHADOW, shadow)
        return result

    def _py_function(self, original: Any, func: Any = None, inp: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Watch what the function does, on a tape of its own as on whygrad, and record the call as one op."""
        if not self._idle() or not callable(func):
            return original(func, inp, *args, **kwargs)
        call = Call(func, [])
        returned: list[Any] = []

        @functools.wraps(func)
        def observed(*given: Any) -> Any:
            returned.clear()
            with self._watched_again(), tapes_paused(), call.tape:
                with self._observing("tf.py_function"):
                    call.inputs = [convert(each, None) for each in structure(list(given))]
                    call.tape.watch([each for each in call.inputs if each.dtype.is_differentiable])
                result = func(*given)
            returned.extend(_flat_gradients(result))
            return result

        with self._inside_tensorflow():
            result = original(observed, inp, *args, **kwargs)
        with self._observing("tf.py_function"):
            outputs = [each for each in _flat_gradients(result) if array_of(each) is not None]
            dtypes = [self._tf.as_dtype(each.dtype.name) for each in outputs]
            call.outputs = [convert(structure(each), dtype) for each, dtype in zip(returned, dtypes)]
            inputs = tuple([convert(each, None) for each in structure(list(inp or ()))])
            made = tuple([wrap(array_in(each)) for each in outputs])
            if made and inputs and state.recorders:
                record(py_function_primitive, inputs, made, {"call": call})
            for output, shadow in zip(outputs, made):
                setattr(output, SHADOW, shadow)
        return result

    def _thread_started(self, original: Any, thread: threading.Thread) -> None:
        """TensorFlow's callbacks belong to a thread: add ours to a thread of the program before it runs."""
        run = thread.run

        def watched_run() -> None:
            self.found.op_callbacks.add_op_callback(self._executed)
            run()

        thread.run = watched_run  # type: ignore[method-assign]
        original(thread)

    def _constant_made(self, original: Any, value: Any, *args: Any, **kwargs: Any) -> Any:
        """Note the line that makes a tensor of an array or a list: no op does that. A number is made one where it is used."""
        tensor = original(value, *args, **kwargs)
        if isinstance(value, np.ndarray | list | tuple) and not self._busy.depth:
            with self._observing("tf.constant"):
                shadow_of(tensor)
        return tensor

    def _array_made(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """NumPy makes an array from a value. It reads a tensor's memory without calling the tensor."""
        if args and type(args[0]) is self.found.tensor_class and not self._busy.depth:
            with self._observing("NumPy"):
                self._notify_of_exit(args[0])
        return original(*args, **kwargs)

    def _left(self, original: Any, tensor: Any, *args: Any, **kwargs: Any) -> Any:
        if not self._busy.depth:
            with self._observing("EagerTensor.numpy"):
                self._notify_of_exit(tensor)
        with self._inside_tensorflow():  # some of these methods call each other
            return original(tensor, *args, **kwargs)


_MOST_REPEATED_OPS = 20_000  # of one call: what is wrong in a loop shows in its first iterations


class _TooLong(BaseException):
    """A call that is repeated takes too many ops; an `except Exception` in the program does not catch this."""


# NumPy's functions that make an array of anything. Numba compiles calls of them by their identity: beside Numba they stay as they are.
_ARRAYS = ("array", "asarray", "asanyarray", "ascontiguousarray")
# The methods of an eager tensor that give its value to NumPy or Python.
_EXITS = ("numpy", "__array__", "__float__", "__int__", "__bool__", "__complex__", "__index__", "__format__")


def _shadow_tape(tape: Any) -> GradientTape | None:
    found: GradientTape | None = getattr(tape, "_whygrad", None)
    return found


def _option(value: Any) -> Any:
    """An argument of `gradient`: TensorFlow's enumeration by its word, and structures of shadows."""
    word = getattr(value, "value", None)
    return word if isinstance(word, str) else structure(value)


def _flat_gradients(result: Any) -> list[Any]:
    """The tensors in what TensorFlow returned; its sparse gradients are one each."""
    if isinstance(result, dict):
        return [each for key in sorted(result) for each in _flat_gradients(result[key])]
    if isinstance(result, list | tuple) and not hasattr(result, "indices"):
        return [each for part in result for each in _flat_gradients(part)]
    return [result]


def _is_odd(gradient: Any) -> bool:
    """Whether a gradient is None, not finite, or zero everywhere."""
    array = None if gradient is None else array_of(getattr(gradient, "values", gradient))
    if array is None or array.dtype.kind not in "fc":
        return array is None
    return not np.isfinite(array).all() or not array.any()


def _can_carry_gradients(inputs: Any, outputs: Any) -> bool:
    """Whether an op takes numbers that have gradients, and gives numbers: file names, counts and printed text have nothing to follow."""
    return any(each.dtype.is_floating or each.dtype.is_complex for each in inputs) and any(
        each.dtype.name not in WITHOUT_NUMBERS for each in outputs
    )


def _no_forward(xp: Any, *x: Any) -> Any:
    raise NotFollowed("TensorFlow computes this op")


def _unknown_rule(xp: Any, g: Any) -> Any:
    raise NotFollowed("an op that whygrad does not know")
