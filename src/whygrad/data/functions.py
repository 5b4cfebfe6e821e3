"""The user's functions in a pipeline: called on elements, described by specs, and named when they fail.

A function is traced when it is passed to `map` or a similar method, as in TensorFlow: that gives the specs of what it returns, and a mistake in it
is raised there. For elements it runs as Python, op by op, which is quicker than repeating its trace and lets explanations see its lines. A
function whose Python has visible effects (see `whygrad.data.effects`) repeats its trace instead, so that these happen once. One that
cannot be traced, because a value decides what it does, runs as Python in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.compile.output_specs import example_of, output_specs, raises_for_other_sizes
from whygrad.compile.replay import Program, ShapeVaries
from whygrad.data.effects import has_effects
from whygrad.data.frozen import frozen
from whygrad.data.stage import Run, Stage, Unknown
from whygrad.data.structure import (
    Element,
    Flat,
    Layout,
    as_dense,
    as_returned,
    flatten,
    holds_tensors,
    map_structure,
    of_unknown_sizes,
    spec_of,
    spec_of_value,
)
from whygrad.ops.random_streams import with_streams
from whygrad.sparse.spec import SparseTensorSpec
from whygrad.sparse.tensor import SparseTensor
from whygrad.values.errors import Explained, OperatorNotAllowedInGraphError, OpError, OpValueError, invalid
from whygrad.values.faults import NoValueYet
from whygrad.values.recorders import left_function, state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, wrap

Call = Callable[[Flat], Element]


def _spec(found: Any) -> Any:
    return found if isinstance(found, TensorSpec) else spec_of_value(found)


def _declared_spec(value: Any) -> Any:
    """The spec of a value with the sizes that the function has set, and no others."""
    _, declared = (state.declared or {}).get(id(value), (None, None))
    return of_unknown_sizes(spec_of(value)) if declared is None else TensorSpec(declared, value.dtype)


def _described(value: Any) -> Any:
    """A sparse tensor as a dense one of its shape, by which unknown sizes are found; other values as they are."""
    if not isinstance(value, SparseTensor) or not value.shape.is_fully_defined():
        return value
    return wrap(np.broadcast_to(np.zeros((), value.dtype.numpy_dtype), tuple(value.shape)))


class ElementFunction:
    """A function of the elements of a stage; `extra` are specs of arguments before the element, such as a state."""

    def __init__(self, function: Callable[..., Any], source: Stage, method: str, extra: tuple[Any, ...] = ()) -> None:
        if not callable(function):
            raise OpValueError(f"Dataset.{method} takes a function, not {function!r}")
        self.function = frozen(function)
        self.method = method
        self._source = source
        self._extra = extra
        # By shapes: the trace, and the structure returned.
        self._programs: dict[Any, tuple[Program, Any] | None] | None = None
        self._structure: Any = None  # of what the function returned last while it was traced
        self.known: Any = None  # the specs of what it returns, where the trace gave them
        self.seen: Any = None  # those of the first element otherwise
        self._trace()

    # -- specs --

    def _trace(self) -> None:
        """Trace the function on the specs of its arguments. A mistake is raised, unless only values could show it."""
        try:
            given: Any = (*self._extra, as_dense(self._source.spec))
        except Unknown:
            return None
        leaves = flatten(given)
        if not all(isinstance(each, TensorSpec) and each.shape.rank is not None for each in leaves):
            return None
        has_open_sizes = not all(each.shape.is_fully_defined() for each in leaves)
        effects = has_effects(self.function)
        if effects:
            self._programs = {}

        def flat(*tensors: Tensor) -> list[Any]:
            rest = iter(tensors)
            *extra, element = map_structure(lambda _: next(rest), given)
            self._structure = self._returned(self.function(*self._arguments(extra, element)))
            return [_described(each) for each in flatten(self._structure)]

        try:
            if effects and not has_open_sizes:  # this trace is the one that elements repeat
                found = iter(self._first_program(given))
            else:
                found = iter(self._specs_of(flat, leaves, effects))
        except (OperatorNotAllowedInGraphError, NotImplementedError, ShapeVaries):
            return self._run_as_python()
        except Exception as error:
            fault = error.fault if isinstance(error, Explained) else None
            strings = any(each.dtype.name == "string" for each in leaves)
            of_values = isinstance(fault, NoValueYet) or (effects and isinstance(error, OpError))
            if of_values or strings:
                return self._run_as_python()
            # An error of an op may come from the sizes that stand for unknown ones; one that the function itself raises, with the
            # same words for other sizes, does not.
            if has_open_sizes and (
                isinstance(error, Explained) or effects or not raises_for_other_sizes(error, flat, leaves)
            ):
                return self._run_as_python()
            raise
        specs = [
            SparseTensorSpec(spec.shape, spec.dtype) if isinstance(each, SparseTensor) else _spec(spec)
            for spec, each in zip(found, flatten(self._structure))
        ]
        rest = iter(specs)
        self.known = map_structure(lambda _: next(rest), self._structure)
        self._structure = map_structure(lambda _: None, self._structure)
        return None

    @staticmethod
    def _arguments(extra: list[Any], element: Any) -> tuple[Any, ...]:
        """A tuple is unpacked where the element is the only argument; after a state it is one argument."""
        return element if type(element) is tuple and not extra else (*extra, element)

    def _first_program(self, given: tuple[Any, ...]) -> list[TensorSpec]:
        """Trace the function for elements of known shapes; the specs of what it returns."""
        *extra, element = map_structure(lambda spec: wrap(example_of(spec)), given)
        arguments = self._arguments(extra, element)
        tensors = flatten(arguments)
        with left_function():
            program, self._structure = self._traced(arguments, tensors)
        assert self._programs is not None
        self._programs[_kind(tensors)] = program, self._structure
        return [TensorSpec(each.shape, each.dtype) for each in program.body.results]

    def _specs_of(self, flat: Callable[..., list[Any]], leaves: list[TensorSpec], effects: bool) -> list[Any]:
        try:
            return output_specs(flat, leaves, once=effects)
        except OpError:  # of the example's values, which are zeros, or of any values?
            return output_specs(flat, leaves, once=effects, example=1)

    def _returned(self, value: Any) -> Element:
        """What the function returned, as an element."""
        if holds_tensors(value):
            return value
        element = as_returned(value)
        if self.method == "map" and all(each is None for each in flatten(element)):
            raise invalid(f"the function of Dataset.map, {self._name()}, returns no tensor [Op:MapDataset]")
        return element

    def _run_as_python(self) -> None:
        self._programs = None

    @property
    def spec(self) -> Any:
        """The specs of what the function returns. Where it cannot be traced they are those of the first element, without sizes."""
        if self.known is not None:
            return self.known
        if self.seen is None:
            if self._extra:
                raise Unknown
            run = Run(peeks=True)
            call = self.caller(run)
            for flat in self._source.cursor(run):
                call(flat)
                break
            if self.seen is None:
                raise Unknown
        return self.seen

    # -- calls --

    def caller(self, run: Run) -> Callable[..., Element]:
        """The function as one iteration calls it: on a flat element, after the extra arguments."""
        streams = run.streams(self)
        source, function = self._source, self.function
        layout: Layout | None = None

        def call(flat: Flat, *extra: Any) -> Element:
            nonlocal layout
            if layout is None:
                layout = source.layout
            is_first = self.known is None and self.seen is None and self._programs is None
            if is_first:
                state.declared = {}
            try:
                if self._programs is not None:
                    return with_streams(streams, self._replayed, flat, extra, layout)
                result = with_streams(streams, function, *_called_with(extra, flat, layout))
            except StopIteration as error:
                raise RuntimeError(f"{self._name()} raised StopIteration") from error
            except Exception as error:
                self._blame(error, layout, flat)
                raise
            else:
                result = self._returned(result)
                if self.known is None and self.seen is None:
                    self.seen = map_structure(_declared_spec, result)
                return result
            finally:
                if is_first:
                    state.declared = None

        return call

    def _replayed(self, flat: Flat, extra: tuple[Any, ...], layout: Layout) -> Element:
        """Call the function by repeating its trace for arguments of these shapes."""
        assert self._programs is not None
        arguments = _called_with(extra, flat, layout)
        tensors = [each for each in flatten(arguments) if isinstance(each, Tensor)]
        key = _kind(tensors)
        if key not in self._programs:
            self._programs[key] = self._program(arguments, tensors)
        found = self._programs[key]
        if found is not None:
            program, returned = found
            try:
                results = iter(program.run(tensors, {}))
                return map_structure(lambda _: next(results), returned)
            except ShapeVaries:
                self._programs[key] = None
        return self._returned(self.function(*arguments))

    def _program(self, arguments: tuple[Any, ...], tensors: list[Tensor]) -> tuple[Program, Any] | None:
        """The trace for arguments of new shapes; None where there can be none."""
        try:
            return self._traced(arguments, tensors)
        except Exception:  # its own error comes from its Python
            return None

    def _traced(self, arguments: tuple[Any, ...], tensors: list[Tensor]) -> tuple[Program, Any]:
        returned: Any = None

        def flat(*given: Tensor) -> list[Any]:
            nonlocal returned
            rest = iter(given)
            filled = map_structure(lambda each: next(rest) if isinstance(each, Tensor) else each, arguments)
            returned = self._returned(self.function(*filled))
            return flatten(returned)

        program = Program(self._name(), flat, [each._array for each in tensors])
        if not all(isinstance(each, Tensor) for each in flatten(returned)):
            raise ShapeVaries  # a dataset or the like, which a trace cannot make
        return program, map_structure(lambda _: None, returned)

    # -- errors --

    def _name(self) -> str:
        return getattr(self.function, "__name__", type(self.function).__name__)

    def _blame(self, error: Exception, layout: Layout, flat: Flat) -> None:
        name = self._name()
        called = "a lambda" if name == "<lambda>" else f"`{name}`"
        error.add_note(f"Dataset.{self.method} called {called} on an element of {layout.describe(flat)}")


def _called_with(extra: tuple[Any, ...], flat: Flat, layout: Layout) -> tuple[Any, ...]:
    return (*extra, layout.pack(flat)) if extra else tuple(layout.arguments(flat))


def _kind(tensors: list[Tensor]) -> tuple[Any, ...]:
    return tuple([(each._array.shape, each._array.dtype) for each in tensors])
