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

from whygrad.compile.bodies import (
    Forms,
    Operands,
    OtherForms,
    arrays_of,
    avals_of,
    check_strings,
    described,
    differentiable_in,
    no_forward,
    pullback,
    record_control_flow,
    summed_at,
    sweep_body,
    traced_body,
    with_elements,
    with_none,
    zeros_like,
)
from whygrad.compile.signature import fill, returned
from whygrad.compile.tracing import Capture, Traced, trace
from whygrad.engines.loading import engine
from whygrad.ops.compiled_array import CompiledTensorArray
from whygrad.ops.partial import Rows
from whygrad.ops.primitive import Primitive, record
from whygrad.ops.reductions import reduce_any
from whygrad.ops.traits import Traits
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.faults import LoopShapeVaries, Uncompilable, literal
from whygrad.values.recorders import state
from whygrad.values.shapes import TensorShape
from whygrad.values.tensor import Tensor, key_of, wrap, wrap_placed
from whygrad.values.variable import Variable

Array = Any


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
        lambda python: traced_body(f"a branch of {name}", python, []),
        lambda branch: avals_of(branch)[: branch.results],
    )
    operands = Operands(branches)
    updates = list(dict.fromkeys(variable for branch in branches for variable in branch.updates))
    entry = [variable.current() for variable in updates]
    results = branches[0].results
    left = [avals_of(branch)[branch.results + len(branch.updates) :] for branch in branches]

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
        index._array, [on_arrays(i) for i in range(len(branches))], *arrays_of(operands.tensors), *arrays_of(entry)
    )
    outputs, kept = [[wrap(array) for array in group] for group in (arrays[:results], arrays[results + len(updates) :])]

    def rule(
        xp: Any, g: tuple[Any, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]
    ) -> list[Tensor | Rows | None]:
        counts = [len(avals) for avals in left]
        to_results = g[:results]
        values = tensors[1:]

        def pulled(forms: Forms | None) -> Any:
            parts = zip(branches, operands.of_bodies, _split(y[results:], *counts), _split(g[results:], *counts))
            pulls = [
                pullback(branch, places, values, of, [*to_results, *to], forms) for branch, places, of, to in parts
            ]
            return choose(tensors[0], pulls, f"the gradient of {name}")

        # A sweep that is recorded itself has no use for rows, and on several devices they are not spread.
        if any(recorder.differentiates for recorder in state.recorders) or engine().is_spread:
            return [None, *with_none(pulled(None), values)]
        forms = Forms()
        while True:
            try:
                return [None, *with_none(pulled(forms), values)]
            except OtherForms:  # once for each branch at most: the next try knows what this one met
                pass

    record_control_flow(name, rule, [index, *operands.tensors], [*outputs, *kept])
    for variable, array in zip(updates, arrays[results:]):
        variable.rebind(array, read_value=False)
    return fill(structure, outputs)


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
                    f"{name}: one branch returns {described(other)}, another {described(mine)}. Inside a compiled function all "
                    "branches must return the same shapes and dtypes."
                )
                raise OpTypeError(wording if mine.dtype != other.dtype else Uncompilable(wording=literal(wording)))
        check_strings(structures[0], structure, f"the branches of {name} return different ones")


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
    body = traced_body(name, python, [*arrays_of(carry), *slices], carried=len(carry))
    if body.updates:
        return _loop_with_variables(name, python, body.updates, carry, elements, length, reverse)
    if any(capture.make is not None for capture in body.captures):
        return _loop_with_draws(name, python, body.captures, carry, elements, length, reverse)
    check_carried(name, carry, avals_of(body))
    count = len(carry)
    if not length:
        avals = [variable.aval for variable in body.jaxpr.outvars[count:]]
        return list(carry), [wrap(np.zeros((0, *aval.shape), aval.dtype)) for aval in avals]
    operands = Operands([body])

    def iteration(carried: tuple[Array, ...], parts: tuple[Array, ...]) -> Any:
        outputs = body.run(*carried, *parts, *captured)
        return tuple(outputs[:count]), tuple(outputs[count:])

    xp = engine()
    captured = arrays_of(operands.tensors)
    begin = tuple([xp.asarray(array) for array in arrays_of(carry)])
    last, collected = xp.lax.scan(iteration, begin, tuple(arrays_of(elements)), length=length, reverse=reverse)
    final, ys, kept = _split([wrap(array) for array in (*last, *collected)], count, body.results - count)
    inputs = [*carry, *elements, *operands.tensors]

    rule = _rule_of_loop(name, body, operands, count, len(elements), length, reverse)
    record_control_flow(name, rule, inputs, [*final, *ys, *kept])
    return list(final), list(ys)


def _rule_of_loop(
    name: str, body: Traced, operands: Operands, count: int, parts: int, length: int, reverse: bool
) -> Callable[..., list[Tensor | None]]:
    """The rule of a loop: a loop from its last iteration to its first, over the values that each iteration began with.

    The carry has `count` tensors, and each iteration is given a slice of `parts` others.
    """

    def rule(xp: Any, g: tuple[Any, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        began, given, used = _split(tensors, count, parts)
        left = y[body.results :]
        to_carry = differentiable_in([zeros_like(y[i]) if g[i] is None else g[i] for i in range(count)])
        sums = [zeros_like(tensor) for tensor in differentiable_in(used)]
        reached = [i for i in range(count, len(g)) if g[i] is not None]

        def back(*now: Tensor) -> list[Tensor]:
            to_carry_now, sums_now, now_given, now_left, now_g = _split(now, len(to_carry), len(sums), parts, len(left))
            values = [convert(tensor, None) for tensor in used]
            upstream = with_none(to_carry_now, y[:count]) + [None] * (len(g) - count)
            for i, each in zip(reached, now_g):
                upstream[i] = each
            places = operands.of_bodies[0]
            found = sweep_body(
                body, [*[None] * count, *now_given, *[values[place] for place in places]], now_left, upstream
            )
            of_carry, of_given, of_used = _split(found, count, parts)
            return [
                *summed_at(of_carry, range(count), began),
                *[a + b for a, b in zip(sums_now, summed_at(of_used, places, values))],
                *summed_at(of_given, range(parts), now_given),
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
            *with_none(swept[: len(to_carry)], began),
            *with_none(of_elements, given),
            *with_none(swept[len(to_carry) :], used),
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
    traced = functools.cache(
        lambda: (trace(_CONDITION, test, arrays_of(begin)), trace(_BODY, iteration, arrays_of(begin)))
    )
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

    trace(_BODY, iteration, arrays_of(begin))
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
    check_carried("while_loop", begin, avals_of(body))
    if body.updates:
        return _unbounded_with_variables(test, iteration, body.updates, begin, differentiable)
    operands = Operands([condition, body])
    if differentiable and differentiable_in(begin):
        state.context.has_unbounded_loop()
        if any(recorder.watches(key_of(each)) for each in [*begin, *operands.tensors] for recorder in state.recorders):
            raise OpNotImplementedError(Uncompilable(wording=literal(BACKWARD)))
    arrays = arrays_of(operands.tensors)
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
        (*[xp.asarray(array) for array in arrays_of(begin)], xp.uint64(0)),
    )
    outputs = [wrap(array) for array in final[:-1]]
    inputs = [*begin, *operands.tensors]
    if state.recorders:
        record(_UNBOUNDED, tuple(inputs), tuple(outputs), {})
    return outputs


_UNBOUNDED = Primitive(
    "unbounded_while_loop",
    no_forward,
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
    traced = trace(_CONDITION, testing, arrays_of(begin)), trace(_BODY, turning, arrays_of(begin))
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
    check_carried("while_loop", begin, avals_of(body))
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
    captured = arrays_of(Operands([body]).tensors)
    arrays = engine().jax.vmap(lambda element: body.run(element, *captured))(engine().asarray(elems._array))
    return [wrap(array) for array in arrays]
