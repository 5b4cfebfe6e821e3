"""Functions that whygrad follows as a whole: with a gradient of the program's own, in Python, or of several ops in TensorFlow."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from whygrad.on_tensorflow.custom_gradients import Remembered
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.shadows import SHADOW, array_in, array_of, attach, fits, flat_gradients, structure
from whygrad.ops.primitive import record
from whygrad.tape.custom_gradient import VariableWatcher, tapes_paused, with_gradient
from whygrad.tape.python_function import Call, numpy_function_primitive, py_function_primitive
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.recorders import state
from whygrad.values.tensor import wrap


class WholeFunctions:
    """Records a call of such a function as one op."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def custom_gradient(self, original: Any, f: Any, args: Any, kwargs: Any) -> Any:
        """A call of a function that has a gradient of the program's own."""
        if not self._observer.idle():
            return original(f, args, kwargs)
        known = Remembered()

        @functools.wraps(f)
        def remembering(*args: Any, **kwargs: Any) -> Any:
            result, grad = f(*args, **kwargs)
            return result, known.around(grad)

        with VariableWatcher() as watcher:
            result = original(remembering, args, kwargs)
        with self._observer.observing("tf.custom_gradient"):
            made = with_gradient(f, structure(args), structure(kwargs), structure(result), known, watcher)
            for shadow, output in zip(nest.flatten(made), flat_gradients(result)):
                attach(output, shadow)
        return result

    def composite(self, path: str) -> Callable[..., Any]:
        """TensorFlow computes such a function by several ops; whygrad knows it as a whole."""

        def composite(original: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._observer.idle():
                return original(*args, **kwargs)
            with self._observer.inside_tensorflow():
                result = original(*args, **kwargs)
            with self._observer.observing(path):
                ours = operator.attrgetter(path)(self._observer.whygrad)
                made = nest.flatten(ours(*structure(args), **structure(kwargs)))
                outputs = flat_gradients(result)
                if len(made) == len(outputs) and all(map(fits, made, map(array_of, outputs))):
                    for output, shadow in zip(outputs, made):
                        attach(output, shadow)
            return result

        return composite

    def numpy_function(self, original: Any, *args: Any, **kwargs: Any) -> Any:
        """A call of `tf.numpy_function`."""
        if not self._observer.idle():
            return original(*args, **kwargs)
        with self._observer.inside_tensorflow():
            result = original(*args, **kwargs)
        with self._observer.observing("tf.numpy_function"):
            given = kwargs.get("inp", args[1] if len(args) > 1 else [])
            inputs = tuple([convert(each, None) for each in nest.flatten(structure(given))])
            outputs = [each for each in flat_gradients(result) if array_of(each) is not None]
            made = tuple([wrap(array_in(each)) for each in outputs])
            if made and state.recorders:
                record(numpy_function_primitive, inputs, made, {})
            for output, shadow in zip(outputs, made):
                setattr(output, SHADOW, shadow)
        return result

    def py_function(self, original: Any, func: Any = None, inp: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Watch what the function does, on a tape of its own as on whygrad, and record the call as one op."""
        if not self._observer.idle() or not callable(func):
            return original(func, inp, *args, **kwargs)
        call = Call(func, [])
        returned: list[Any] = []

        @functools.wraps(func)
        def observed(*given: Any) -> Any:
            returned.clear()
            with self._observer.watched_again(), tapes_paused(), call.tape:
                with self._observer.observing("tf.py_function"):
                    call.inputs = [convert(each, None) for each in structure(list(given))]
                    call.tape.watch([each for each in call.inputs if each.dtype.is_differentiable])
                result = func(*given)
            returned.extend(flat_gradients(result))
            return result

        with self._observer.inside_tensorflow():
            result = original(observed, inp, *args, **kwargs)
        with self._observer.observing("tf.py_function"):
            outputs = [each for each in flat_gradients(result) if array_of(each) is not None]
            dtypes = [self._observer.whygrad.as_dtype(each.dtype.name) for each in outputs]
            call.outputs = [convert(structure(each), dtype) for each, dtype in zip(returned, dtypes)]
            inputs = tuple([convert(each, None) for each in structure(list(inp or ()))])
            made = tuple([wrap(array_in(each)) for each in outputs])
            if made and inputs and state.recorders:
                record(py_function_primitive, inputs, made, {"call": call})
            for output, shadow in zip(outputs, made):
                setattr(output, SHADOW, shadow)
        return result
