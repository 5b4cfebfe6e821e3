"""The ops that TensorFlow executes eagerly: each is repeated by whygrad on shadows, and takes TensorFlow's values."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator
from typing import Any

from whygrad.on_tensorflow.custom_gradients import NotFollowed
from whygrad.on_tensorflow.function_calls import FunctionCall
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.op_types import DATA, TRANSLATIONS
from whygrad.on_tensorflow.recipes import Recipes
from whygrad.on_tensorflow.shadows import SHADOW, WITHOUT_ARRAYS, WITHOUT_NUMBERS, array_of, fits, shadow_of
from whygrad.on_tensorflow.variables import OF_VARIABLES
from whygrad.ops.primitive import Primitive, record
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable
from whygrad.why.evidence.numerics import is_finite

MOST_REPEATED_OPS = 20_000  # of one call: what is wrong in a loop shows in its first iterations


class TooManyOps(BaseException):
    """A call that is repeated takes too many ops; an `except Exception` in the program does not catch this."""


class RepeatedOps:
    """Repeats ops as TensorFlow calls back for them."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._functions: dict[str, Callable[..., Any]] = {}
        self._recipes = Recipes()
        self.traced: FunctionCall | None = (
            None  # the call of a compiled function that is running, which may be traced now
        )

    def executed(
        self, op_type: Any, inputs: Any, attributes: Any, outputs: Any, op_name: Any = None, graph: Any = None
    ) -> None:
        """TensorFlow executed an op."""
        if graph is not None:
            if op_type == "IteratorGetNext" and self.traced is not None and self.traced.takes_from_iterator:
                with self._observer.observing("an iterator"):
                    self.traced.hold_batch(outputs)
            return
        if self._observer.busy.depth:
            return
        if self._observer.busy.ops_left is not None:
            self._observer.busy.ops_left -= 1
            if self._observer.busy.ops_left < 0:
                raise TooManyOps
        op_type = op_type.decode() if isinstance(op_type, bytes) else op_type
        self._observer.busy.depth = 1  # as `_observing`, written out because it is for every op
        try:
            self._op(op_type, inputs, attributes, outputs)
        except Warning:
            raise
        except Exception as error:
            self._observer.failed(op_type, error)
        finally:
            self._observer.busy.depth = 0

    def _op(self, op_type: str, inputs: Any, attributes: Any, outputs: Any) -> None:
        of_variable = OF_VARIABLES.get(op_type)
        if of_variable is not None:
            of_variable(self._observer.variables, inputs, outputs)
            return
        translation = TRANSLATIONS.get(op_type)
        if translation is not None:
            shadows = [self._observer.variables.shadow(each) for each in inputs]
            try:
                if self._computed(op_type, translation, shadows, attributes, outputs):
                    return
            except Exception:
                if _can_carry_gradients(inputs, outputs):
                    raise
        handles = [each for each in inputs if isinstance(getattr(each, SHADOW, None), Variable)]
        if op_type.startswith("__"):  # a call of a compiled function, which `_called` records
            self._observer.variables.changed(handles)
            return
        if op_type in DATA or not outputs or not (handles or _can_carry_gradients(inputs, outputs)):
            if handles and not outputs:
                self._observer.variables.changed(handles)
            for each in outputs:
                shadow_of(each)
            return
        if all(each.dtype.name in WITHOUT_ARRAYS for each in outputs):  # datasets, iterators and the like
            return
        self._observer.unseen.setdefault(op_type, "whygrad does not know this op type")
        values: list[Any] = [getattr(each, SHADOW).read() for each in handles]
        values += [
            shadow
            for each in inputs
            if each.dtype.name != "resource" and (shadow := self._observer.variables.shadow(each)) is not None
        ]
        self.opaque(op_type, values, outputs)

    def _computed(self, op_type: str, translation: Any, shadows: list[Any], attributes: Any, outputs: Any) -> bool:
        """Repeat an op on shadows; return whether the results are alike."""
        arrays = [array_of(each) for each in outputs]
        key = None
        if None not in shadows and all(each is not None for each in arrays):
            key = self._recipes.key(op_type, attributes, shadows)
            if self._recorded(key, shadows, arrays, outputs):
                return True
        with self._recipes.learning(key, shadows) as watched:
            if isinstance(translation, str):
                function = self._functions.get(op_type)
                if function is None:
                    function = self._functions[op_type] = operator.attrgetter(translation)(self._observer.whygrad)
                made: Any = function(*shadows)
            else:
                made = translation(self._observer.whygrad, shadows, dict(zip(attributes[::2], attributes[1::2])))
        results = list(made) if isinstance(made, tuple | list) else [made]
        if len(results) != len(outputs):
            return False
        for shadow, array in zip(results, arrays):
            if shadow is not None and not fits(shadow, array):
                return False
        if watched is not None:
            self._recipes.learned(key, watched.recipe(shadows, results))
            # On the edge, as at a matrix that is singular up to rounding, TensorFlow may get nan where whygrad gets numbers.
            if any(
                each is not None and is_finite(each._array) != is_finite(array) for each, array in zip(results, arrays)
            ) and self._recorded(key, shadows, arrays, outputs):
                return True
        for shadow, output, array in zip(results, outputs, arrays):
            if shadow is None:
                shadow_of(output)
            elif getattr(output, SHADOW, None) is None:
                shadow._array = array
                setattr(output, SHADOW, shadow)
        return True

    def _recorded(self, key: Any, shadows: list[Any], arrays: list[Any], outputs: Any) -> bool:
        """Record an op with TensorFlow's results, if it is known which primitive it is."""
        recorded = self._recipes.record(key, shadows, arrays)
        for shadow, output in zip(recorded or (), outputs):
            setattr(output, SHADOW, shadow)
        return recorded is not None

    def opaque(self, name: str, values: list[Any], outputs: Any) -> tuple[Tensor, ...]:
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

    @contextlib.contextmanager
    def unobserved(self) -> Iterator[None]:
        """As `_inside_tensorflow`, where many ops follow: TensorFlow does not call back for them, which would cost a tenth of their time."""
        context, callback = self._observer.found.context.context(), self.executed
        is_observing = callback in context.op_callbacks
        if is_observing:
            context.remove_op_callback(callback)
        try:
            with self._observer.inside_tensorflow():
                yield
        finally:
            if is_observing:
                context.add_op_callback(callback)

    @contextlib.contextmanager
    def limited(self) -> Iterator[None]:
        """Stop what takes too many ops."""
        self._observer.busy.ops_left = MOST_REPEATED_OPS
        try:
            yield
        finally:
            self._observer.busy.ops_left = None


def _can_carry_gradients(inputs: Any, outputs: Any) -> bool:
    """Whether an op takes numbers that have gradients, and gives numbers: file names, counts and printed text have nothing to follow."""
    return any(each.dtype.is_floating or each.dtype.is_complex for each in inputs) and any(
        each.dtype.name not in WITHOUT_NUMBERS for each in outputs
    )


def _no_forward(xp: Any, *x: Any) -> Any:
    raise NotFollowed("TensorFlow computes this op")


def _unknown_rule(xp: Any, g: Any) -> Any:
    raise NotFollowed("an op that whygrad does not know")
