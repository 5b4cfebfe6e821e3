"""The bodies of branches and loops: traced separately, with what they use from outside as operands, and swept backwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.compile.tracing import Capture, Traced, trace
from whygrad.ops.compiled_array import CompiledTensorArray
from whygrad.ops.creation import zeros
from whygrad.ops.elementwise import cast
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, RawRecord, record
from whygrad.ops.shaping import concat, tile
from whygrad.tape.cotangents import dense
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.sweep import sweep
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError
from whygrad.values.faults import StringsComputed
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor, key_of, placed, wrap

Array = Any


def traced_body(name: str, python: Callable[..., Sequence[Tensor]], inputs: Sequence[Any], carried: int = 0) -> Traced:
    """Trace a branch or a loop body, under a tape if it may be differentiated."""
    if not any(recorder.differentiates for recorder in state.recorders):
        return trace(name, python, inputs)

    def traced(followed: Sequence[Tensor]) -> Traced:
        tape = GradientTape(persistent=True, watch_accessed_variables=False)
        return trace(name, python, inputs, followed, tape, carried)

    body = traced(())
    outside = body.watched_outside
    return traced(outside) if outside else body


def with_elements(value: Any, shapes: dict[int, TensorShape]) -> Any:
    """Give TensorArrays in a structure the element shapes that `shapes` has for their positions.

    Shapes that they already know are added to `shapes`.
    """
    flat = nest.flatten(value)
    for i, each in enumerate(flat):
        if isinstance(each, CompiledTensorArray):
            if each.buffer is not None:
                shapes[i] = each.element_shape
            elif i in shapes:
                flat[i] = each.with_elements_of(shapes[i])
    return nest.pack_sequence_as(value, flat)


def avals_of(traced: Traced) -> list[Any]:
    """Return shapes and dtypes of all outputs."""
    return [variable.aval for variable in traced.jaxpr.outvars]


def described(aval: Any) -> str:
    return f"{aval.dtype.name} {tuple(aval.shape)}"


def check_strings(before: Any, after: Any, what: str) -> None:
    """Raise unless two structures hold the same strings, which compiled code does not compute."""
    one, other = [
        [each._array for each in nest.flatten(structure) if isinstance(each, Tensor)] for structure in (before, after)
    ]
    if len(one) != len(other) or not all(map(np.array_equal, one, other)):
        raise OpTypeError(StringsComputed(what=what))


# -- captured values --


class Operands:
    """The captured values of several traced bodies, each once, as tensors of the surrounding context."""

    def __init__(self, bodies: Sequence[Traced]) -> None:
        self.tensors: list[Tensor] = []
        self._places: dict[int, int] = {}
        self.of_bodies = [[self._place(capture) for capture in body.captures] for body in bodies]

    def _place(self, capture: Capture) -> int:
        key = id(capture.tensor if capture.variable is None else capture.variable)
        if key not in self._places:
            self._places[key] = len(self.tensors)
            self.tensors.append(_outside(capture))
        return self._places[key]


def _outside(capture: Capture) -> Tensor:
    """Return a body's capture as a tensor of the surrounding context."""
    if capture.variable is not None:
        return capture.variable.read()
    if capture.make is not None:
        return state.context.feed(capture.make, np.asarray(capture.tensor._array))  # type: ignore[no-any-return]
    return convert(capture.origin, None)


def arrays_of(tensors: Sequence[Tensor]) -> list[Array]:
    return [tensor._array for tensor in tensors]


def differentiable_in(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [tensor for tensor in tensors if tensor.dtype.is_differentiable]


def with_none(found: Sequence[Any], over: Sequence[Tensor]) -> list[Any]:
    """Return the gradients of the differentiable tensors in `over`, with None for the others."""
    gradients = iter(found)
    return [next(gradients) if tensor.dtype.is_differentiable else None for tensor in over]


def record_control_flow(
    name: str, rule: Callable[..., Any], inputs: Sequence[Tensor], outputs: Sequence[Tensor]
) -> None:
    """Record control flow as one op; its `rule` is handed tensors of the context in which the backward pass runs."""

    def rule_here(xp: Any, g: tuple[Any, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> Any:
        # The backward pass may be part of another body, such as that of a jacobian: values from outside are captured there, so that
        # tapes which record that body see where they come from.
        upstream, outputs, given = (
            tuple([each if each is None else convert(each, None) for each in values]) for values in (g, y, tensors)
        )
        return rule(xp, upstream, outputs, given)

    if state.recorders:
        primitive = Primitive(
            name,
            no_forward,
            joint=rule_here,
            conjugates=False,
            takes_tensors=True,
            takes_none=True,
            register=False,
            keeps_plans=False,
        )
        record(primitive, tuple(inputs), tuple(outputs), {})


def no_forward(xp: Any, *tensors: Any) -> Any:
    raise OpNotImplementedError("control flow is carried out where it is met")


# -- the backward pass --


class OtherForms(Exception):
    """A branch has the gradient of a lookup as rows where one before it has none, a dense one, or fewer rows."""


class Forms:
    """The forms of the gradients that the branches of a backward pass return, which must be the same.

    Where one branch gives rows, all do, and as many: those that another one lacks are zeros.
    """

    def __init__(self) -> None:
        self._rows: dict[int, tuple[int, Any]] = {}  # by position: how many rows, and the dtype of their indices
        self._dense: dict[int, int] = {}  # by position: how many rows a dense gradient has
        self._is_noted = False  # whether a branch was noted

    def fitted(self, gradients: Sequence[Tensor | Rows | None], over: Sequence[Tensor]) -> list[Tensor | Rows]:
        """The gradients of a branch in the common form; raise if branches before it had another one."""
        before = dict(self._rows)
        for i, gradient in enumerate(gradients):
            if isinstance(gradient, Rows):
                most, dtype = self._rows.get(i, (0, gradient.indices.dtype))
                if dtype is not gradient.indices.dtype:
                    dtype = dtypes.int64
                self._rows[i] = (max(most, _row_count(gradient)), dtype)
            elif gradient is not None:
                self._dense[i] = _row_count(gradient)
        for i in self._rows.keys() & self._dense.keys():
            self._rows[i] = (max(self._rows[i][0], self._dense[i]), self._rows[i][1])
        if self._is_noted and self._rows != before:
            raise OtherForms
        self._is_noted = True
        return [
            _as_rows(gradient, tensor, *self._rows[i])
            if i in self._rows
            else (zeros_like(tensor) if gradient is None else gradient)
            for i, (gradient, tensor) in enumerate(zip(gradients, over))
        ]


def _as_rows(gradient: Tensor | Rows | None, over: Tensor, count: int, dtype: dtypes.DType) -> Rows:
    """A gradient as so many rows; those that it does not have are zeros at the place of its first one."""
    shape = over._array.shape[1:]
    if gradient is None:
        return Rows(zeros((count, *shape), over.dtype), zeros((count,), dtype))
    own = _row_count(gradient)
    if isinstance(gradient, Rows):
        values, indices = gradient.values, cast(gradient.indices, dtype)
    else:
        values, indices = gradient, cast(convert(np.arange(own), None), dtype)
    if own < count:
        first = tile(indices[:1], [count - own]) if own else zeros((count,), dtype)
        values = concat([values, zeros((count - own, *shape), over.dtype)], 0)
        indices = concat([indices, first], 0)
    return Rows(values, indices)


def pullback(
    branch: Traced,
    places: list[int],
    values: Sequence[Tensor],
    kept: Sequence[Tensor],
    g: Sequence[Tensor | None],
    forms: Forms | None,
) -> Callable[[], list[Any]]:
    """Return a branch of the backward pass: from the cotangents of a branch's results to those of its captures.

    The gradients of lookups are dense, unless there are `forms` for them: then they are `Rows`.
    """

    def pull() -> list[Any]:
        here = [convert(value, None) for value in values]
        given = [here[place] for place in places]
        found = sweep_body(branch, given, [convert(each, None) for each in kept], g, sparse=forms is not None)
        if forms is None:
            return summed_at(found, places, here)
        return forms.fitted(_sums_at(found, places, here), differentiable_in(here))

    return pull


def sweep_body(
    body: Traced,
    given: Sequence[Tensor | None],
    kept: Sequence[Tensor],
    g: Sequence[Tensor | None],
    sparse: bool = False,
) -> list[Any]:
    """Return the cotangents of a body's inputs and captures, from those of its results and residuals.

    `given` replaces its inputs and captures, as far as they are available, and `kept` replaces its residuals. The gradients of
    lookups are dense, unless `sparse`: then they are `Rows`.
    """
    seen = body.followed
    assert seen is not None  # bodies are differentiated only if a tape saw them
    sources = [*seen.inputs, *seen.stand_ins]
    at_hand = [(gone, tensor) for gone, tensor in zip(sources, given) if tensor is not None]
    places = {id(gone): tensor for gone, tensor in [*at_hand, *zip(seen.kept, kept)]}
    state.context.substitute_by_id(places)
    seeds = [
        (key_of(y), placed(convert(upstream, None)))
        for y, upstream in zip([*seen.results, *seen.kept], g)
        if upstream is not None and y.dtype.is_differentiable
    ]
    keys = [key_of(source) for source in sources]
    if not seeds:
        return [None] * len(keys)
    cotangents = sweep([_with_kept(raw, places) for raw in seen.tape._records], seeds, keys, seen.tape.roots, keep=True)
    return [cotangents.result(key) if sparse else dense(cotangents, key) for key in keys]


def _with_kept(raw: RawRecord, places: dict[int, Tensor]) -> RawRecord:
    """Return a record with its kept tensors replaced."""
    plan, output, kept, *rest = raw
    if not kept:
        return raw
    return (
        plan,
        output,
        [
            tuple([places.get(id(each), each) for each in tensor])
            if type(tensor) is tuple
            else places.get(id(tensor), tensor)
            for tensor in kept
        ],
        *rest,
    )


def summed_at(found: Sequence[Any], places: Sequence[int], over: Sequence[Tensor]) -> list[Any]:
    """Sum cotangents at `places`, for all that is differentiable, with zeros where there is none."""
    sums = zip(_sums_at(found, places, over), differentiable_in(over))
    return [zeros_like(tensor) if total is None else total for total, tensor in sums]


def _sums_at(found: Sequence[Any], places: Sequence[int], over: Sequence[Tensor]) -> list[Any]:
    """Sum cotangents at `places`, for all that is differentiable."""
    sums: list[Any] = [None] * len(over)
    for gradient, place in zip(found, places):
        if gradient is not None:
            sums[place] = gradient if sums[place] is None else _added(sums[place], gradient, over[place])
    return [total for total, tensor in zip(sums, over) if tensor.dtype.is_differentiable]


def _added(one: Any, other: Any, over: Tensor) -> Any:
    if not isinstance(one, Rows) and not isinstance(other, Rows):
        return one + other
    rows = [_as_rows(each, over, _row_count(each), dtypes.int64) for each in (one, other)]
    return Rows(*[concat(parts, 0) for parts in zip(*rows)])


def _row_count(gradient: Tensor | Rows) -> int:
    values = gradient.values if isinstance(gradient, Rows) else gradient
    return int(values._array.shape[0]) if values.ndim else 0


def zeros_like(tensor: Tensor) -> Tensor:
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))
