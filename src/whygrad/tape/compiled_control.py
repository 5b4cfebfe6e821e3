"""Control flow inside compiled functions: branches and loops as XLA's own, differentiated by the rules of what is in them.

A branch or loop body is traced by itself, with what it uses from outside as inputs. For the backward pass it is traced once
more under a tape, on the values it had: a branch is taken again, a loop is gone through from its end, with the values of each
turn that the forward pass left.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.engines.loading import engine
from whygrad.ops.primitive import Primitive, record
from whygrad.ops.reductions import reduce_any
from whygrad.tape.compiled import gradients_of
from whygrad.tape.gradient_tape import GradientTape
from whygrad.tape.signature import fill, returned
from whygrad.tape.tracing import Capture, Traced, trace
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap, wrap_placed
from whygrad.values.variable import Variable

Array = Any


# -- what bodies use from outside --


class _Operands:
    """What some traced bodies use from outside, each once, as tensors of the context that they stand in."""

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
    """What a body captured, as a tensor of the context around it."""
    if capture.variable is not None:
        return capture.variable.read()
    if capture.make is not None:
        return state.context.feed(capture.make, np.asarray(capture.tensor._array))  # type: ignore[no-any-return]
    return convert(capture.tensor, None)


def _arrays(tensors: Sequence[Tensor]) -> list[Array]:
    return [tensor._array for tensor in tensors]


def _differentiable(tensors: Sequence[Tensor]) -> list[Tensor]:
    return [tensor for tensor in tensors if tensor.dtype.is_differentiable]


def _spread(found: Sequence[Tensor], over: Sequence[Tensor]) -> list[Tensor | None]:
    """Gradients of the differentiable ones among `over`, with None for the others."""
    gradients = iter(found)
    return [next(gradients) if tensor.dtype.is_differentiable else None for tensor in over]


def _recorded(name: str, rule: Callable[..., Any], inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
    if state.recorders:
        primitive = Primitive(name, _no_forward, joint=rule, conjugates=False, takes_tensors=True, register=False)
        record(primitive, tuple(inputs), tuple(outputs), {})


def _no_forward(xp: Any, *tensors: Any) -> Any:
    raise OpNotImplementedError("control flow is carried out where it is met")


# -- branches --


def choose(index: Tensor, functions: Sequence[Callable[[], Any]], name: str = "cond") -> Any:
    """The result of the function whose number is `index`; what lies outside counts as the nearest."""
    structures: list[Any] = []

    def flat(function: Callable[[], Any]) -> Callable[[], list[Tensor]]:
        def python() -> list[Tensor]:
            found: list[Tensor] = []
            structures.append(returned(function(), found))
            return found

        return python

    branches = [trace(f"a branch of {name}", flat(function), []) for function in functions]
    _check_alike(name, structures, branches)
    operands = _Operands(branches)
    updates = list(dict.fromkeys(variable for branch in branches for variable in branch.updates))
    entry = [variable.current() for variable in updates]
    results = len(branches[0].jaxpr.outvars) - len(branches[0].updates)

    def on_arrays(branch: Traced, places: list[int]) -> Callable[..., list[Array]]:
        def run(*arrays: Array) -> list[Array]:
            outputs = branch.run(*[arrays[place] for place in places])
            new = dict(zip(branch.updates, outputs[results:]))
            old = arrays[len(operands.tensors) :]
            return outputs[:results] + [new.get(variable, before) for variable, before in zip(updates, old)]

        return run

    xp = engine()
    choices = [on_arrays(branch, places) for branch, places in zip(branches, operands.of_bodies)]
    arrays = xp.lax.switch(index._array, choices, *_arrays(operands.tensors), *_arrays(entry))
    outputs = [wrap(array) for array in arrays[:results]]

    def rule(xp: Any, g: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        values = tensors[1:]
        pulls = [_pulling(branch, places, values, g) for branch, places in zip(branches, operands.of_bodies)]
        return [None, *_spread(choose(tensors[0], pulls, f"the gradient of {name}"), values)]

    _recorded(name, rule, [index, *operands.tensors], outputs)
    for variable, array in zip(updates, arrays[results:]):
        variable.rebind(array, read_value=False)
    return fill(structures[0], outputs)


def _pulling(
    branch: Traced, places: list[int], values: Sequence[Tensor], g: Sequence[Tensor]
) -> Callable[[], list[Tensor]]:
    """A branch of the backward pass: from the cotangents of a branch's results to those of what it used."""

    def pull() -> list[Tensor]:
        here = [convert(value, None) for value in values]
        state.context.leave_variables()
        state.context.substitute(branch.captures, [here[place] for place in places])
        return _gradient(lambda: branch.python(), here, g)

    return pull


def _gradient(python: Callable[[], Sequence[Tensor]], sources: Sequence[Tensor], g: Sequence[Tensor]) -> list[Tensor]:
    """The gradients of what `python` returns for the differentiable sources, zeros where there is none."""
    sources = _differentiable(sources)
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(sources)
        results = python()
    pairs = [(y, upstream) for y, upstream in zip(results, g) if y.dtype.is_differentiable]
    found = gradients_of(tape, pairs, sources)
    return [_zeros(source) if gradient is None else gradient for gradient, source in zip(found, sources)]


def _check_alike(name: str, structures: list[Any], branches: list[Traced]) -> None:
    """An error unless all branches return the same structure, with the same shapes and dtypes."""
    shown = [_avals(branch, len(branch.jaxpr.outvars) - len(branch.updates)) for branch in branches]
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
                raise OpTypeError(
                    f"{name}: one branch returns {_told(other)}, another {_told(mine)}. Inside a compiled function all "
                    "branches must return the same shapes and dtypes."
                )


def _avals(traced: Traced, count: int) -> list[Any]:
    return [variable.aval for variable in traced.jaxpr.outvars[:count]]


def _told(aval: Any) -> str:
    return f"{aval.dtype.name} {tuple(aval.shape)}"


# -- loops with a known number of turns --


def loop(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool = False,
) -> tuple[list[Tensor], list[Tensor]]:
    """`length` turns of `python(*carry, *one of each elements)`, which returns the next carry and what to collect.

    Returns the last carry, and what was collected, stacked. Variables that the body assigns are carried along.
    """
    slices = [_Slice(tensor) for tensor in elements]
    body = trace(name, python, [*_arrays(carry), *slices])
    if body.updates:
        return _carrying(name, python, body.updates, carry, elements, length, reverse)
    if any(capture.make is not None for capture in body.captures):
        return _drawing(name, python, body.captures, carry, elements, length, reverse)
    _check_carried(name, carry, body)
    operands = _Operands([body])
    count = len(carry)

    def turn(carried: tuple[Array, ...], parts: tuple[Array, ...]) -> Any:
        outputs = body.run(*carried, *parts, *captured)
        return tuple(outputs[:count]), (tuple(outputs[count:]), carried)

    xp = engine()
    captured = _arrays(operands.tensors)
    begin = tuple([xp.asarray(array) for array in _arrays(carry)])
    last, (collected, history) = xp.lax.scan(turn, begin, tuple(_arrays(elements)), length=length, reverse=reverse)
    final, ys, past = [[wrap(array) for array in arrays] for arrays in (last, collected, history)]
    inputs = [*carry, *elements, *operands.tensors]

    def rule(xp: Any, g: tuple[Tensor, ...], y: tuple[Tensor, ...], tensors: tuple[Tensor, ...]) -> list[Tensor | None]:
        began, given, used = _split(tensors, count, len(elements))
        to_final, to_ys, to_past = _split(g, count, len(ys))
        before = y[count + len(ys) :]
        sums = [_zeros(tensor) for tensor in _differentiable(used)]
        to_carry = _differentiable(to_final)

        def back(*now: Tensor) -> list[Tensor]:
            to_carry_now, sums_now, now_before, now_given, now_ys, now_past = _split(
                now, len(to_carry), len(sums), count, len(elements), len(to_ys)
            )
            values = [convert(tensor, None) for tensor in used]
            state.context.leave_variables()
            state.context.substitute(body.captures, [values[place] for place in operands.of_bodies[0]])
            upstream = _merged(to_carry_now, now_before) + list(now_ys)
            found = _gradient(lambda: python(*now_before, *now_given), [*now_before, *now_given, *values], upstream)
            of_carry, of_given, of_used = _split(found, len(to_carry), len(_differentiable(now_given)))
            from_past = [past for past, carried in zip(now_past, now_before) if carried.dtype.is_differentiable]
            return [
                *[a + b for a, b in zip(of_carry, from_past)],
                *[a + b for a, b in zip(sums_now, of_used)],
                *of_given,
            ]

        swept, of_elements = loop(
            f"the gradient of {name}",
            back,
            [*to_carry, *sums],
            [*before, *given, *to_ys, *to_past],
            length,
            not reverse,
        )
        return [
            *_spread(swept[: len(to_carry)], began),
            *_spread(of_elements, given),
            *_spread(swept[len(to_carry) :], used),
        ]

    _recorded(name, rule, inputs, [*final, *ys, *past])
    return final, ys


def _carrying(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    variables: list[Variable],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool,
) -> tuple[list[Tensor], list[Tensor]]:
    """`loop`, with variables that the body assigns as a part of what is carried."""
    count = len(carry)

    def with_variables(*tensors: Tensor) -> list[Tensor]:
        carried, values, parts = _split(tensors, count, len(variables))
        state.context.leave_variables()
        for variable, value in zip(variables, values):
            state.context.begin_with(variable, value)
        results = list(python(*carried, *parts))
        return results[:count] + [variable.current() for variable in variables] + results[count:]

    entry = [variable.current() for variable in variables]
    final, ys = loop(name, with_variables, [*carry, *entry], elements, length, reverse)
    for variable, value in zip(variables, final[count:]):
        variable.rebind(value._array, read_value=False)
    return final[:count], ys


def _drawing(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    captures: Sequence[Capture],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool,
) -> tuple[list[Tensor], list[Tensor]]:
    """`loop`, with what the body is fed, random numbers, as elements: each turn has its own, as op by op."""
    fed = [capture for capture in captures if capture.make is not None]
    draws = _Draws([capture.make for capture in fed], length, reverse)
    streams = []
    for i, capture in enumerate(fed):
        like = np.zeros((length, *capture.tensor._array.shape), capture.tensor._array.dtype)
        streams.append(state.context.feed(functools.partial(draws, i), like))
    count = len(carry) + len(elements)

    def with_draws(*tensors: Tensor) -> Sequence[Tensor]:
        state.context.hand_out(tensors[count:])
        return python(*tensors[:count])

    return loop(name, with_draws, carry, [*elements, *streams], length, reverse)


class _Draws(threading.local):
    """What several ops of a loop's body are fed in each turn, drawn turn by turn, and handed out op by op."""

    def __init__(self, makes: Sequence[Any], length: int, reverse: bool) -> None:
        self._makes = makes
        self._length = length
        self._reverse = reverse

    def __call__(self, place: int) -> np.ndarray[Any, Any]:
        """All turns' values for one of the ops; those of the first are asked for first."""
        if not place:
            self._turns = [[make() for make in self._makes] for _ in range(self._length)]
        drawn = [turn[place] for turn in self._turns]
        return np.stack(drawn[::-1] if self._reverse else drawn)


class _Slice:
    """Shape and dtype of one element along the first axis of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        self.shape = tensor._array.shape[1:]
        self.dtype = tensor._array.dtype


def _split(items: Sequence[Any], *counts: int) -> list[Sequence[Any]]:
    """The items in groups of the given sizes, and the rest."""
    groups, start = [], 0
    for count in counts:
        groups.append(items[start : start + count])
        start += count
    return [*groups, items[start:]]


def _merged(found: Sequence[Tensor], over: Sequence[Tensor]) -> list[Tensor]:
    """`found` for the differentiable ones among `over`, and the others themselves."""
    gradients = iter(found)
    return [next(gradients) if tensor.dtype.is_differentiable else tensor for tensor in over]


def _zeros(tensor: Tensor) -> Tensor:
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))


def _check_carried(name: str, carry: Sequence[Tensor], body: Traced) -> None:
    for i, (before, after) in enumerate(zip(carry, _avals(body, len(carry)))):
        if before._array.shape != after.shape:
            raise OpValueError(
                f"{name}: loop variable {i} has shape {tuple(before._array.shape)} before a turn but {tuple(after.shape)} after "
                "it. A compiled loop keeps the shapes of its variables: pad to the largest, or write to a tf.TensorArray."
            )
        if before._array.dtype != after.dtype:
            raise OpTypeError(
                f"{name}: loop variable {i} is {before._array.dtype.name} before a turn but {after.dtype.name} after it."
            )


# -- loops that end when a condition says so --


def while_loop(condition: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, limit: int | None) -> Any:
    """`tf.while_loop` with some of its variables symbolic, or a condition that is."""
    begin: list[Tensor] = []
    structure = returned(loop_vars, begin)

    def test(*tensors: Tensor) -> list[Tensor]:
        return [_scalar(condition(*fill(structure, tensors)))]

    def turn(*tensors: Tensor) -> list[Tensor]:
        turned = body(*fill(structure, tensors))
        if not isinstance(turned, list | tuple) and len(loop_vars) == 1:
            turned = [turned]
        found: list[Tensor] = []
        nest.assert_same_structure(list(structure), list(returned(turned, found)), check_types=False)
        return found

    turns = _known_turns(test, turn, begin)
    if turns is not None:
        final, _ = loop("while_loop", turn, begin, [], turns if limit is None else min(turns, limit))
    elif limit is not None:

        def turn_while(*tensors: Tensor) -> list[Tensor]:
            (goes_on,) = test(*tensors)
            return choose(_as_index(goes_on), [lambda: list(tensors), lambda: turn(*tensors)], "while_loop")  # type: ignore[no-any-return]

        final, _ = loop("while_loop", turn_while, begin, [], limit)
    else:
        final = _unbounded(test, turn, begin)
    return fill(structure, final)


def _scalar(value: Any) -> Tensor:
    tensor = convert(value, None)
    return reduce_any(tensor) if tensor.ndim else tensor


def _as_index(predicate: Tensor) -> Tensor:
    return wrap_placed(engine().asarray(predicate._array).astype(np.int32))


def _unbounded(test: Any, turn: Any, begin: list[Tensor]) -> list[Tensor]:
    """A loop whose number of turns is not known before it runs: forward only."""
    condition = trace("the condition of while_loop", test, _arrays(begin))
    body = trace("the body of while_loop", turn, _arrays(begin))
    _check_carried("while_loop", begin, body)
    if body.updates or condition.updates:
        variables = [*condition.updates, *body.updates]
        raise OpValueError(
            f"while_loop assigns the variable {variables[0].name} in a loop whose number of turns is not known when it is compiled: "
            "give maximum_iterations, or make its value a loop variable and assign it after the loop."
        )
    operands = _Operands([condition, body])
    arrays = _arrays(operands.tensors)
    of_condition, of_body = [[arrays[place] for place in places] for places in operands.of_bodies]
    xp = engine()
    fed = [capture.make is not None for capture in body.captures]

    def turn_once(carried: tuple[Array, ...]) -> tuple[Array, ...]:
        # How many turns draw is not known: each has streams of its own, numbered in bits that seeds do not use.
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
    no_gradient="how many turns it takes is only known when it runs: give tf.while_loop maximum_iterations",
    op_name="While",
    register=False,
)


def _known_turns(test: Any, turn: Any, begin: list[Tensor]) -> int | None:
    """How many turns a loop takes, where that depends on nothing but numbers that are known now."""
    if any(type(tensor) is not Tensor for tensor in begin) and all(type(tensor) is not Tensor for tensor in begin):
        return None
    condition = trace("the condition of while_loop", test, _arrays(begin))
    body = trace("the body of while_loop", turn, _arrays(begin))
    return engine().turns(
        (condition.jaxpr, condition.constants_known),
        (body.jaxpr, body.constants_known),
        [tensor._array if type(tensor) is Tensor else None for tensor in begin],
    )


# -- maps and folds over the first axis --


def fold(
    name: str, fn: Callable[[Any, Any], Any], begin: Any, elems: Any, reverse: bool, collects: bool
) -> tuple[Any, Any]:
    """`fn(accumulated, element)` along the first axis: the last value, and (if it `collects`) all of them, stacked."""
    carry: list[Tensor] = []
    structure = returned(begin, carry)
    elements: list[Tensor] = []
    of_elements = returned(elems, elements)

    def python(*tensors: Tensor) -> list[Tensor]:
        found: list[Tensor] = []
        turned = fn(fill(structure, tensors), fill(of_elements, tensors[len(carry) :]))
        nest.assert_same_structure(structure, returned(turned, found), check_types=False)
        return found + found if collects else found

    final, ys = loop(name, python, carry, elements, len(elements[0]), reverse)
    return fill(structure, final), fill(structure, ys) if collects else None


def each(name: str, fn: Callable[[Any], Any], elems: Any) -> Any:
    """`fn` of each element along the first axis, stacked, in the structure that `fn` returns."""
    elements: list[Tensor] = []
    structure = returned(elems, elements)
    results: list[Any] = []

    def python(*tensors: Tensor) -> list[Tensor]:
        found: list[Tensor] = []
        results.append(returned(fn(fill(structure, tensors)), found))
        return found

    _, ys = loop(name, python, [], elements, len(elements[0]))
    return fill(results[0], ys)
