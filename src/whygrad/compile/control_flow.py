"""Control flow inside compiled functions: branches and loops as XLA ops, differentiated by the rules of the ops inside them.

Each branch or loop body is traced separately, with its captured values as inputs, and under a tape if it may be differentiated.
The forward pass also returns what the rules need (its residuals): for a loop, those of each iteration. The backward pass sweeps over
that tape's records, for the branch that was taken, or from the last iteration to the first. It does not call the Python again: by
then the names that it closes over may have other values.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from whygrad.compile.signature import fill, returned
from whygrad.compile.tracing import Capture, Traced, trace
from whygrad.engines.loading import engine
from whygrad.ops.compiled_array import CompiledTensorArray
from whygrad.ops.creation import zeros
from whygrad.ops.elementwise import cast
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, RawRecord, record
from whygrad.ops.reductions import reduce_any
from whygrad.ops.shaping import concat, tile
from whygrad.ops.traits import Traits
from whygrad.tape.cotangents import dense
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.sweep import sweep
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.faults import LoopShapeVaries, StringsComputed, Uncompilable, literal
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor, key_of, placed, wrap, wrap_placed
from whygrad.values.variable import Variable

Array = Any


# -- captured values --


class _Operands:
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


def _arrays(tensors: Sequence[Tensor]) -> list[Array]:
    return [tensor._array for tensor in tensors]


def _differentiable(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [tensor for tensor in tensors if tensor.dtype.is_differentiable]


def _with_none(found: Sequence[Any], over: Sequence[Tensor]) -> list[Any]:
    """Return the gradients of the differentiable tensors in `over`, with None for the others."""
    gradients = iter(found)
    return [next(gradients) if tensor.dtype.is_differentiable else None for tensor in over]


def _recorded(name: str, rule: Callable[..., Any], inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
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
            _no_forward,
            joint=rule_here,
            conjugates=False,
            takes_tensors=True,
            takes_none=True,
            register=False,
            keeps_plans=False,
        )
        record(primitive, tuple(inputs), tuple(outputs), {})


def _no_forward(xp: Any, *tensors: Any) -> Any:
    raise OpNotImplementedError("control flow is carried out where it is met")


# -- branches --


_B = TypeVar("_B", bound=Any)  # a traced branch


def traced_branches(
    name: str,
    functions: Sequence[Callable[[], Any]],
    trace: Callable[[Callable[[], list[Tensor]]], _B],
    results_of: Callable[[_B], list[Any]],
) -> tuple[list[_B], Any]:
    """Trace each function, and check that they return the same: the branches, and the structure of their results."""
    structures: list[Any] = []
    shapes: dict[int, TensorShape] = {}  # of the elements of returned TensorArrays, as far as known

    def flat(function: Callable[[], Any]) -> Callable[[], list[Tensor]]:
        def python() -> list[Tensor]:
            found: list[Tensor] = []
            structures.append(returned(with_elements(function(), shapes), found))
            return found

        return python

    branches = [trace(flat(function)) for function in functions]
    if shapes and len({len(results_of(branch)) for branch in branches}) > 1:  # one branch knows the shapes for another
        branches = [trace(flat(function)) for function in functions]
    structures = structures[-len(branches) :]
    check_same_results(name, structures, [results_of(branch) for branch in branches])
    return branches, structures[0]


def choose(index: Tensor, functions: Sequence[Callable[[], Any]], name: str = "cond") -> Any:
    """Return the result of function number `index`; an index out of range is clamped."""
    branches, structure = traced_branches(
        name,
        functions,
        lambda python: _body(f"a branch of {name}", python, []),
        lambda branch: _avals(branch)[: branch.results],
    )
    operands = _Operands(branches)
    updates = list(dict.fromkeys(variable for branch in branches for variable in branch.updates))
    entry = [variable.current() for variable in updates]
    results = branches[0].results
    left = [_avals(branch)[branch.results + len(branch.updates) :] for branch in branches]

    def on_arrays(number: int) -> Callable[..., list[Array]]:
        branch, places = branches[number], operands.of_bodies[number]

        def run(*arrays: Array) -> list[Array]:
            outputs, assigned, kept = _split(
                branch.run(*[arrays[place] for place in places]), results, len(branch.updates)
            )
            new = dict(zip(branch.updates, assigned))
            old = arrays[len(operands.tensors) :]
            after = [new.get(variable, before) for variable, before in zip(updates, old)]
            # The residuals of the other branches are never read.
            of_all = [[xp.zeros(aval.shape, aval.dtype) for aval in avals] for avals in left]
            of_all[number] = list(kept)
            return [*outputs, *after, *[array for each in of_all for array in each]]

        return run

    xp = engine()
    arrays = xp.lax.switch(
        index._array, [on_arrays(i) for i in range(len(branches))], *_arrays(operands.tensors), *_arrays(entry)
    )
    outputs, kept = [[wrap(array) for array in group] for group in (arrays[:results], arrays[results + len(updates) :])]

    def rule(
        xp: Any, g: tuple[Any, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]
    ) -> list[Tensor | Rows | None]:
        counts = [len(avals) for avals in left]
        to_results = g[:results]
        values = tensors[1:]

        def pulled(forms: _Forms | None) -> Any:
            parts = zip(branches, operands.of_bodies, _split(y[results:], *counts), _split(g[results:], *counts))
            pulls = [
                _pullback(branch, places, values, of, [*to_results, *to], forms) for branch, places, of, to in parts
            ]
            return choose(tensors[0], pulls, f"the gradient of {name}")

        # A sweep that is recorded itself has no use for rows, and on several devices they are not spread.
        if any(recorder.differentiates for recorder in state.recorders) or engine().is_spread:
            return [None, *_with_none(pulled(None), values)]
        forms = _Forms()
        while True:
            try:
                return [None, *_with_none(pulled(forms), values)]
            except _OtherForms:  # once for each branch at most: the next try knows what this one met
                pass

    _recorded(name, rule, [index, *operands.tensors], [*outputs, *kept])
    for variable, array in zip(updates, arrays[results:]):
        variable.rebind(array, read_value=False)
    return fill(structure, outputs)


def _body(name: str, python: Callable[..., Sequence[Tensor]], inputs: Sequence[Any], carried: int = 0) -> Traced:
    """Trace a branch or a loop body, under a tape if it may be differentiated."""
    if not any(recorder.differentiates for recorder in state.recorders):
        return trace(name, python, inputs)

    def traced(followed: Sequence[Tensor]) -> Traced:
        tape = GradientTape(persistent=True, watch_accessed_variables=False)
        return trace(name, python, inputs, followed, tape, carried)

    body = traced(())
    outside = body.watched_outside
    return traced(outside) if outside else body


class _OtherForms(Exception):
    """A branch has the gradient of a lookup as rows where one before it has none, a dense one, or fewer rows."""


class _Forms:
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
            raise _OtherForms
        self._is_noted = True
        return [
            _as_rows(gradient, tensor, *self._rows[i])
            if i in self._rows
            else (_zeros(tensor) if gradient is None else gradient)
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


def _pullback(
    branch: Traced,
    places: list[int],
    values: Sequence[Tensor],
    kept: Sequence[Tensor],
    g: Sequence[Tensor | None],
    forms: _Forms | None,
) -> Callable[[], list[Any]]:
    """Return a branch of the backward pass: from the cotangents of a branch's results to those of its captures.

    The gradients of lookups are dense, unless there are `forms` for them: then they are `Rows`.
    """

    def pull() -> list[Any]:
        here = [convert(value, None) for value in values]
        given = [here[place] for place in places]
        found = _sweep_body(branch, given, [convert(each, None) for each in kept], g, sparse=forms is not None)
        if forms is None:
            return _summed_at(found, places, here)
        return forms.fitted(_sums_at(found, places, here), _differentiable(here))

    return pull


def _sweep_body(
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


def _summed_at(found: Sequence[Any], places: Sequence[int], over: Sequence[Tensor]) -> list[Any]:
    """Sum cotangents at `places`, for all that is differentiable, with zeros where there is none."""
    sums = zip(_sums_at(found, places, over), _differentiable(over))
    return [_zeros(tensor) if total is None else total for total, tensor in sums]


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


def check_same_results(name: str, structures: list[Any], shown: list[list[Any]]) -> None:
    """Raise unless all branches return the same structure, with the same shapes and dtypes (`shown` has those)."""
    for structure, avals in zip(structures[1:], shown[1:]):
        try:
            nest.assert_same_structure(structures[0], structure)
            alike = len(avals) == len(shown[0])
        except (TypeError, ValueError):
            alike = False
        if not alike:
            raise OpTypeError(
                f"{name}: true_fn and false_fn arguments to tf.cond must have the same number, type, and overall structure of "
                "return values."
            )
        for mine, other in zip(avals, shown[0]):
            if (mine.shape, mine.dtype) != (other.shape, other.dtype):
                wording = (
                    f"{name}: one branch returns {_described(other)}, another {_described(mine)}. Inside a compiled function all "
                    "branches must return the same shapes and dtypes."
                )
                raise OpTypeError(wording if mine.dtype != other.dtype else Uncompilable(wording=literal(wording)))
        check_strings(structures[0], structure, f"the branches of {name} return different ones")


def check_strings(before: Any, after: Any, what: str) -> None:
    """Raise unless two structures hold the same strings, which compiled code does not compute."""
    one, other = [
        [each._array for each in nest.flatten(structure) if isinstance(each, Tensor)] for structure in (before, after)
    ]
    if len(one) != len(other) or not all(map(np.array_equal, one, other)):
        raise OpTypeError(StringsComputed(what=what))


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


def _avals(traced: Traced) -> list[Any]:
    """Return shapes and dtypes of all outputs."""
    return [variable.aval for variable in traced.jaxpr.outvars]


def _described(aval: Any) -> str:
    return f"{aval.dtype.name} {tuple(aval.shape)}"


# -- loops with a known number of iterations --


def loop(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool = False,
) -> tuple[list[Tensor], list[Tensor]]:
    """Run `python(*carry, *slices of elements)` for `length` iterations; it returns the next carry and values to stack.

    Returns the last carry and the stacked values. Variables that the body assigns are part of the carry.
    """
    slices = [_Slice(tensor) for tensor in elements]
    body = _body(name, python, [*_arrays(carry), *slices], carried=len(carry))
    if body.updates:
        return _loop_with_variables(name, python, body.updates, carry, elements, length, reverse)
    if any(capture.make is not None for capture in body.captures):
        return _loop_with_draws(name, python, body.captures, carry, elements, length, reverse)
    check_carried(name, carry, _avals(body))
    count = len(carry)
    if not length:
        avals = [variable.aval for variable in body.jaxpr.outvars[count:]]
        return list(carry), [wrap(np.zeros((0, *aval.shape), aval.dtype)) for aval in avals]
    operands = _Operands([body])

    def iteration(carried: tuple[Array, ...], parts: tuple[Array, ...]) -> Any:
        outputs = body.run(*carried, *parts, *captured)
        return tuple(outputs[:count]), tuple(outputs[count:])

    xp = engine()
    captured = _arrays(operands.tensors)
    begin = tuple([xp.asarray(array) for array in _arrays(carry)])
    last, collected = xp.lax.scan(iteration, begin, tuple(_arrays(elements)), length=length, reverse=reverse)
    final, ys, kept = _split([wrap(array) for array in (*last, *collected)], count, body.results - count)
    inputs = [*carry, *elements, *operands.tensors]

    rule = _rule_of_loop(name, body, operands, count, len(elements), length, reverse)
    _recorded(name, rule, inputs, [*final, *ys, *kept])
    return list(final), list(ys)


def _rule_of_loop(
    name: str, body: Traced, operands: _Operands, count: int, parts: int, length: int, reverse: bool
) -> Callable[..., list[Tensor | None]]:
    """The rule of a loop: a loop from its last iteration to its first, over the values that each iteration began with.

    The carry has `count` tensors, and each iteration is given a slice of `parts` others.
    """

    def rule(xp: Any, g: tuple[Any, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        began, given, used = _split(tensors, count, parts)
        left = y[body.results :]
        to_carry = _differentiable([_zeros(y[i]) if g[i] is None else g[i] for i in range(count)])
        sums = [_zeros(tensor) for tensor in _differentiable(used)]
        reached = [i for i in range(count, len(g)) if g[i] is not None]

        def back(*now: Tensor) -> list[Tensor]:
            to_carry_now, sums_now, now_given, now_left, now_g = _split(now, len(to_carry), len(sums), parts, len(left))
            values = [convert(tensor, None) for tensor in used]
            upstream = _with_none(to_carry_now, y[:count]) + [None] * (len(g) - count)
            for i, each in zip(reached, now_g):
                upstream[i] = each
            places = operands.of_bodies[0]
            found = _sweep_body(
                body, [*[None] * count, *now_given, *[values[place] for place in places]], now_left, upstream
            )
            of_carry, of_given, of_used = _split(found, count, parts)
            return [
                *_summed_at(of_carry, range(count), began),
                *[a + b for a, b in zip(sums_now, _summed_at(of_used, places, values))],
                *_summed_at(of_given, range(parts), now_given),
            ]

        swept, of_elements = loop(
            f"the gradient of {name}",
            back,
            [*to_carry, *sums],
            [*given, *left, *[g[i] for i in reached]],
            length,
            not reverse,
        )
        return [
            *_with_none(swept[: len(to_carry)], began),
            *_with_none(of_elements, given),
            *_with_none(swept[len(to_carry) :], used),
        ]

    return rule


def _loop_with_variables(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    variables: list[Variable],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool,
) -> tuple[list[Tensor], list[Tensor]]:
    """Run `loop` with the variables that the body assigns as part of the carry."""
    count = len(carry)

    def with_variables(*tensors: Tensor) -> list[Tensor]:
        carried, values, parts = _split(tensors, count, len(variables))
        state.context.discard_assignments()
        for variable, value in zip(variables, values):
            state.context.set_initial(variable, value)
        results = list(python(*carried, *parts))
        return results[:count] + [variable.current() for variable in variables] + results[count:]

    entry = [variable.current() for variable in variables]
    final, ys = loop(name, with_variables, [*carry, *entry], elements, length, reverse)
    for variable, value in zip(variables, final[count:]):
        variable.rebind(value._array, read_value=False)
    return final[:count], ys


def _loop_with_draws(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    captures: Sequence[Capture],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool,
) -> tuple[list[Tensor], list[Tensor]]:
    """Run `loop` with the body's random numbers as elements: each iteration has its own, as in eager mode."""
    fed = [capture for capture in captures if capture.make is not None]
    draws = _Draws([capture.make for capture in fed], length, reverse)
    streams = []
    for i, capture in enumerate(fed):
        like = np.zeros((length, *capture.tensor._array.shape), capture.tensor._array.dtype)
        streams.append(state.context.feed(functools.partial(draws, i), like))
    count = len(carry) + len(elements)

    def with_draws(*tensors: Tensor) -> Sequence[Tensor]:
        state.context.replay_feeds(tensors[count:])
        return python(*tensors[:count])

    return loop(name, with_draws, carry, [*elements, *streams], length, reverse)


class _Draws(threading.local):
    """The random numbers for several ops of a loop's body, drawn iteration by iteration, and handed out op by op."""

    def __init__(self, makes: Sequence[Any], length: int, reverse: bool) -> None:
        self._makes = makes
        self._length = length
        self._reverse = reverse

    def __call__(self, place: int) -> np.ndarray[Any, Any]:
        """Return the numbers of all iterations for one op; the first op must be asked first."""
        if not place:
            self._iterations = [[make() for make in self._makes] for _ in range(self._length)]
        drawn = [iteration[place] for iteration in self._iterations]
        return np.stack(drawn[::-1] if self._reverse else drawn)


class _Slice:
    """Shape and dtype of one element along the first axis of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        self.shape = tensor._array.shape[1:]
        self.dtype = tensor._array.dtype


def _split(items: Sequence[Any], *counts: int) -> list[Sequence[Any]]:
    """Split the items into groups of the given sizes, and the rest."""
    groups, start = [], 0
    for count in counts:
        groups.append(items[start : start + count])
        start += count
    return [*groups, items[start:]]


def _zeros(tensor: Tensor) -> Tensor:
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))


def check_carried(name: str, carry: Sequence[Tensor], results: Sequence[Any]) -> None:
    """Raise unless an iteration gives loop variables the shapes and dtypes that they had before."""
    for i, (before, after) in enumerate(zip(carry, results)):
        if before._array.shape != after.shape:
            shape = tuple(before._array.shape)
            raise OpValueError(LoopShapeVaries(loop=name, number=i, before=shape, after=tuple(after.shape)))
        if before._array.dtype != after.dtype:
            raise OpTypeError(
                f"{name}: loop variable {i} is {before._array.dtype.name} before an iteration but {after.dtype.name} after it."
            )


# -- loops with a condition --


def while_loop(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    limit: int | None,
    differentiable: bool = False,
) -> Any:
    """`tf.while_loop` with symbolic loop variables or a symbolic condition.

    If it must be `differentiable`, a function that differentiates through an unbounded loop is not compiled.
    """
    structure, begin, test, iteration = flat_loop(condition, body, with_known_elements(body, loop_vars))
    traced = functools.cache(lambda: (trace(_CONDITION, test, _arrays(begin)), trace(_BODY, iteration, _arrays(begin))))
    iterations = _known_iterations(traced, begin)
    if iterations is not None:
        count = iterations if limit is None else min(iterations, limit)
        asks = bool(traced()[0].jaxpr.effects)  # the condition prints: before each iteration, and when it ends the loop

        def turn_known(*tensors: Tensor) -> list[Tensor]:
            if asks:
                test(*tensors)
            return iteration(*tensors)

        final, _ = loop("while_loop", turn_known, begin, [], count)
        if asks:
            test(*final)
    elif limit is not None:

        def turn_while(*tensors: Tensor) -> list[Tensor]:
            (goes_on,) = test(*tensors)
            return choose(_as_index(goes_on), [lambda: list(tensors), lambda: iteration(*tensors)], "while_loop")  # type: ignore[no-any-return]

        final, _ = loop("while_loop", turn_while, begin, [], limit)
    else:
        final = _unbounded(test, iteration, traced(), begin, differentiable)
    return fill(structure, final)


def flat_loop(
    condition: Callable[..., Any], body: Callable[..., Any], loop_vars: Any
) -> tuple[Any, list[Tensor], Callable[..., list[Tensor]], Callable[..., list[Tensor]]]:
    """Return the structure of the loop variables, their tensors, and the condition and the body as functions of those."""
    begin: list[Tensor] = []
    structure = returned(loop_vars, begin)

    def test(*tensors: Tensor) -> list[Tensor]:
        return [_scalar(condition(*fill(structure, tensors)))]

    def iteration(*tensors: Tensor) -> list[Tensor]:
        found: list[Tensor] = []
        turned = returned(_after_iteration(body, fill(structure, tensors)), found)
        turned = list(turned) if isinstance(turned, list | tuple) else [turned]
        nest.assert_same_structure(list(structure), turned, check_types=False)
        check_strings(list(structure), turned, "while_loop changes one in an iteration")
        if len(found) != len(begin):
            raise OpValueError(
                "while_loop: a TensorArray among the loop variables has elements of a known shape before an iteration or after it, "
                "but not both: give element_shape= where it is made"
            )
        return found

    return structure, begin, test, iteration


_CONDITION, _BODY = "the condition of while_loop", "the body of while_loop"


def _after_iteration(body: Callable[..., Any], loop_vars: Any) -> Any:
    """Return the loop variables after one iteration; a single variable may be returned bare."""
    turned = body(*loop_vars)
    return [turned] if not isinstance(turned, list | tuple) and len(loop_vars) == 1 else turned


def with_known_elements(body: Callable[..., Any], loop_vars: Any, trace: Callable[..., Any] = trace) -> Any:
    """Return the loop variables, with TensorArrays that know their element shapes, from a first trace of the body if needed."""
    arrays = [each for each in nest.flatten(loop_vars) if isinstance(each, CompiledTensorArray)]
    if all(array.buffer is not None for array in arrays):
        return loop_vars
    begin: list[Tensor] = []
    structure = returned(loop_vars, begin)
    shapes: dict[int, TensorShape] = {}

    def iteration(*tensors: Tensor) -> list[Tensor]:
        with_elements(_after_iteration(body, fill(structure, tensors)), shapes)
        return []

    trace(_BODY, iteration, _arrays(begin))
    return with_elements(loop_vars, shapes)


def _scalar(value: Any) -> Tensor:
    tensor = convert(value, None)
    return reduce_any(tensor) if tensor.ndim else tensor


def _as_index(predicate: Tensor) -> Tensor:
    return wrap_placed(engine().asarray(predicate._array).astype(np.int32))


def _unbounded(
    test: Callable[..., list[Tensor]],
    iteration: Callable[..., list[Tensor]],
    traced: tuple[Traced, Traced],
    begin: list[Tensor],
    differentiable: bool,
) -> list[Tensor]:
    """Run a loop whose number of iterations is unknown at compile time: forward only."""
    condition, body = traced
    check_carried("while_loop", begin, _avals(body))
    if body.updates:
        return _unbounded_with_variables(test, iteration, body.updates, begin, differentiable)
    operands = _Operands([condition, body])
    if differentiable and _differentiable(begin):
        state.context.has_unbounded_loop()
        if any(recorder.watches(key_of(each)) for each in [*begin, *operands.tensors] for recorder in state.recorders):
            raise OpNotImplementedError(Uncompilable(wording=literal(BACKWARD)))
    arrays = _arrays(operands.tensors)
    of_condition, of_body = [[arrays[place] for place in places] for places in operands.of_bodies]
    xp = engine()
    fed = [capture.make is not None for capture in body.captures]

    def turn_once(carried: tuple[Array, ...]) -> tuple[Array, ...]:
        # The number of draws is unknown: each iteration has its own streams, numbered in bits that seeds do not use.
        of_turn = carried[-1] << np.uint64(32)
        captured = [xp.numbered(each, of_turn) if drawn else each for each, drawn in zip(of_body, fed)]
        return (*body.run(*carried[:-1], *captured), carried[-1] + np.uint64(1))

    final = xp.lax.while_loop(
        lambda carried: condition.run(*carried[:-1], *of_condition)[0],
        turn_once,
        (*[xp.asarray(array) for array in _arrays(begin)], xp.uint64(0)),
    )
    outputs = [wrap(array) for array in final[:-1]]
    inputs = [*begin, *operands.tensors]
    if state.recorders:
        record(_UNBOUNDED, tuple(inputs), tuple(outputs), {})
    return outputs


_UNBOUNDED = Primitive(
    "unbounded_while_loop",
    _no_forward,
    no_gradient="the number of iterations is only known at run time: give tf.while_loop maximum_iterations",
    op_name="While",
    register=False,
    traits=Traits(is_unbounded_loop=True),
)


BACKWARD = (
    "A tape may differentiate through a loop that ends by a condition, and its number of iterations is unknown at compile time: "
    "tf.autograph.experimental.set_loop_options(maximum_iterations=n), as the loop's first statement, lets it be compiled."
)


def _unbounded_with_variables(
    test: Callable[..., list[Tensor]],
    iteration: Callable[..., list[Tensor]],
    variables: list[Variable],
    begin: list[Tensor],
    differentiable: bool,
) -> list[Tensor]:
    """Run `_unbounded` with the variables that the body assigns as part of what it carries."""
    count = len(begin)

    def with_variables(python: Callable[..., list[Tensor]]) -> Callable[..., list[Tensor]]:
        def run(*tensors: Tensor) -> list[Tensor]:
            state.context.discard_assignments()
            for variable, value in zip(variables, tensors[count:]):
                state.context.set_initial(variable, value)
            found = python(*tensors[:count])
            return found if python is test else [*found, *[variable.current() for variable in variables]]

        return run

    testing, turning = with_variables(test), with_variables(iteration)
    begin = [*begin, *[variable.current() for variable in variables]]
    traced = trace(_CONDITION, testing, _arrays(begin)), trace(_BODY, turning, _arrays(begin))
    final = _unbounded(testing, turning, traced, begin, differentiable)
    for variable, value in zip(variables, final[count:]):
        variable.rebind(value._array, read_value=False)
    return final[:count]


def _known_iterations(traced: Callable[[], tuple[Traced, Traced]], begin: list[Tensor]) -> int | None:
    """Return the number of iterations of a loop, if it depends only on values known at compile time.

    `traced` returns its condition and its body; it is not called if no initial value is known.
    """
    if begin and all(type(tensor) is not Tensor for tensor in begin):
        return None
    condition, body = traced()
    check_carried("while_loop", begin, _avals(body))
    return engine().count_iterations(
        (condition.jaxpr, condition.constants_known),
        (body.jaxpr, body.constants_known),
        [tensor._array if type(tensor) is Tensor else None for tensor in begin],
    )


# -- maps and folds over the first axis --


def fold(
    name: str,
    fn: Callable[[Any, Any], Any],
    begin: Any,
    elems: Any,
    reverse: bool,
    collects: bool,
    loop: Callable[..., Any] = loop,
) -> tuple[Any, Any]:
    """Fold `fn(accumulated, element)` along the first axis: the last value, and (if it `collects`) all of them, stacked."""
    carry: list[Tensor] = []
    structure = returned(begin, carry)
    elements: list[Tensor] = []
    of_elements = returned(elems, elements)

    def python(*tensors: Tensor) -> list[Tensor]:
        found: list[Tensor] = []
        turned = fn(fill(structure, tensors), fill(of_elements, tensors[len(carry) :]))
        after = returned(turned, found)
        nest.assert_same_structure(structure, after, check_types=False)
        check_strings(structure, after, f"{name} changes one from element to element")
        return found + found if collects else found

    final, ys = loop(name, python, carry, elements, len(elements[0]), reverse)
    return fill(structure, final), fill(structure, ys) if collects else None


def each(name: str, fn: Callable[[Any], Any], elems: Any, loop: Callable[..., Any] = loop) -> Any:
    """Stack `fn` of each element along the first axis, in the structure that `fn` returns."""
    elements: list[Tensor] = []
    structure = returned(elems, elements)
    results: list[Any] = []

    def python(*tensors: Tensor) -> list[Tensor]:
        found: list[Tensor] = []
        results.append(returned(fn(fill(structure, tensors)), found))
        check_strings([], results[-1], f"{name} makes one for each element")
        return found

    _, ys = loop(name, python, [], elements, len(elements[0]))
    return fill(results[0], ys)


def of_each(name: str, python: Callable[[Tensor], list[Tensor]], elems: Tensor, together: bool) -> list[Tensor]:
    """Stack `python`'s results for each element along the first axis; `together` as one batch unless differentiated."""
    if not together or any(recorder.differentiates for recorder in state.recorders):
        return loop(name, python, [], [elems], len(elems))[1]
    body = trace(name, python, [_Slice(elems)])
    if body.jaxpr.effects:  # Python callbacks must run one after the other
        return loop(name, python, [], [elems], len(elems))[1]
    captured = _arrays(_Operands([body]).tensors)
    arrays = engine().jax.vmap(lambda element: body.run(element, *captured))(engine().asarray(elems._array))
    return [wrap(array) for array in arrays]
