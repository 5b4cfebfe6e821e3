"""Control flow in traced functions that run op by op: bodies are traced once, and the call repeats those that it takes.

The functions have the names and arguments of those in `whygrad.compile.control_flow`, for compiled functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.compile import control_flow
from whygrad.compile.control_flow import (
    check_carried,
    flat_loop,
    traced_branches,
    with_known_elements,
)
from whygrad.compile.replay import Body, ReplayContext, Step, Values, depends, trace_back_bodies, trace_body
from whygrad.compile.signature import fill
from whygrad.engines.recording import SymbolicArray, blank
from whygrad.ops.shaping import identity, stack, unstack
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor, wrap
from whygrad.values.variable import Variable

Array = Any


def _symbolic(tensors: Sequence[Any], *leading: int) -> list[Tensor]:
    """Return new symbolic tensors of the same dtypes and shapes, with `leading` axes before them."""
    return [wrap(SymbolicArray(blank((*leading, *each._array.shape), each._array.dtype))) for each in tensors]


def _arrays(tensors: Sequence[Tensor]) -> list[Array]:
    return [tensor._array for tensor in tensors]


def _bind(values: Values, symbolic: Sequence[Tensor], made: Sequence[Tensor]) -> None:
    for each, tensor in zip(symbolic, made):
        values.tensors[id(each._array)] = tensor


# -- branches --


class Choose(Step):
    """One of several branches."""

    def __init__(self, index: Tensor, branches: Sequence[Body], outputs: Sequence[Tensor]) -> None:
        super().__init__()
        self.index, self.branches, self.outputs = index, branches, outputs

    def run(self, values: Values) -> None:
        """Run the branch that the index selects."""
        number = min(max(int(np.asarray(values.of(self.index)._array)), 0), len(self.branches) - 1)
        results = self.branches[number].run(values, [])
        _bind(values, self.outputs, results)
        for branch in (*self.branches[:number], *self.branches[number + 1 :]):
            branch.did_not_run(values, results)

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        """Lead from the results to what all branches use."""
        trace_back_bodies(needed, self.outputs, self.branches, ())


def choose(index: Tensor, functions: Sequence[Callable[[], Any]], name: str = "cond") -> Any:
    """Return the result of function number `index`; an index out of range is clamped."""
    context: ReplayContext = state.context
    branches, structure = traced_branches(
        name,
        functions,
        lambda python: trace_body(context, python, [], name=f"a branch of {name}"),
        lambda branch: _arrays(branch.results),
    )
    outputs = _symbolic(branches[0].results)
    depends(outputs, [result for branch in branches for result in branch.results])
    context.add(Choose(index, branches, outputs))
    context.assigned_in(branches)
    return fill(structure, outputs)


# -- loops with a known number of iterations --


class Loop(Step):
    """A loop with a known number of iterations."""

    def __init__(
        self,
        body: Body,
        carry: Sequence[Tensor],
        elements: Sequence[Tensor],
        length: int,
        reverse: bool,
        outputs: Sequence[Tensor],
    ) -> None:
        super().__init__()
        self.body, self.carry, self.elements, self.length, self.reverse = body, carry, elements, length, reverse
        self.outputs = outputs

    def run(self, values: Values) -> None:
        """Run all iterations."""
        current = [values.of(tensor) for tensor in self.carry]
        parts = [unstack(values.of(tensor)) for tensor in self.elements]
        count = len(current)
        collected: list[list[Tensor]] = []
        numbers = range(self.length)
        for i in reversed(numbers) if self.reverse else numbers:
            results = self.body.run(values, [*current, *[part[i] for part in parts]])
            current = results[:count]
            collected.append(results[count:])
        if self.reverse:
            collected.reverse()
        _bind(values, self.outputs[:count], current)
        _bind(values, self.outputs[count:], [stack(list(each)) for each in zip(*collected)])

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        """Lead from the results to what the loop was given, and what its body uses."""
        trace_back_bodies(needed, self.outputs, [self.body], [*self.carry, *self.elements])


def loop(
    name: str,
    python: Callable[..., Sequence[Tensor]],
    carry: Sequence[Tensor],
    elements: Sequence[Tensor],
    length: int,
    reverse: bool = False,
) -> tuple[list[Tensor], list[Tensor]]:
    """Run `python(*carry, *slices of elements)` for `length` iterations; it returns the next carry and values to stack.

    Returns the last carry and the stacked values.
    """
    context: ReplayContext = state.context
    examples = [
        *_arrays(carry),
        *[SymbolicArray(blank(each._array.shape[1:], each._array.dtype)) for each in elements],
    ]
    body = _loop_body(context, python, examples, [*carry, *elements], name)
    count = len(carry)
    check_carried(name, carry, _arrays(body.results))
    if not length:
        stacked = [blank((0, *each._array.shape), each._array.dtype) for each in body.results[count:]]
        return list(carry), [wrap(each) for each in stacked]
    final, ys = _symbolic(body.results[:count]), _symbolic(body.results[count:], length)
    depends([*final, *ys], body.results)
    context.add(Loop(body, carry, elements, length, reverse, [*final, *ys]))
    context.assigned_in([body])
    return final, ys


def _loop_body(
    context: ReplayContext,
    python: Callable[..., Sequence[Tensor]],
    examples: Sequence[Array],
    given: Sequence[Tensor],
    name: str,
) -> Body:
    """Trace a loop body; for tapes its inputs depend on what the loop was given."""

    def of_inputs(*tensors: Tensor) -> Sequence[Tensor]:
        depends(tensors, given)
        return python(*tensors)

    return trace_body(context, of_inputs, examples, name=name)


# -- loops with a condition --


class While(Step):
    """A loop with a condition."""

    def __init__(
        self, condition: Body, body: Body, begin: Sequence[Tensor], limit: int | None, outputs: Sequence[Tensor]
    ) -> None:
        super().__init__()
        self.condition, self.body, self.begin, self.limit, self.outputs = condition, body, begin, limit, outputs

    def run(self, values: Values) -> None:
        """Run iterations while the condition holds."""
        current = [values.of(tensor) for tensor in self.begin]
        turns = 0
        while self.limit is None or turns < self.limit:
            (goes_on,) = self.condition.run(values, current)
            if not np.asarray(goes_on._array):
                break
            current = self.body.run(values, current)
            turns += 1
        if not turns and state.recorders:
            current = [identity(tensor) for tensor in current]  # results of the loop, to be told from what it was given
            self.body.did_not_run(values, current)
        _bind(values, self.outputs, current)

    def trace_back(self, needed: dict[int, Tensor | Variable]) -> None:
        """Lead from the results to what the loop was given, and what its body uses."""
        trace_back_bodies(needed, self.outputs, [self.body], self.begin)


def while_loop(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    limit: int | None,
    differentiable: bool = True,
) -> Any:
    """`tf.while_loop` in a traced function; it is always differentiable."""
    context: ReplayContext = state.context
    known = with_known_elements(body, loop_vars, lambda name, python, inputs: trace_body(context, python, inputs))
    structure, begin, test, iteration = flat_loop(condition, body, known)
    tested = trace_body(context, test, _arrays(begin), name="the condition of while_loop")
    turned = _loop_body(context, iteration, _arrays(begin), begin, "the body of while_loop")
    check_carried("while_loop", begin, _arrays(turned.results))
    outputs = _symbolic(turned.results)
    depends(outputs, [*turned.results, *begin])
    context.add(While(tested, turned, begin, limit, outputs))
    context.assigned_in([tested, turned])
    return fill(structure, outputs)


# -- maps and folds over the first axis --

fold = functools.partial(control_flow.fold, loop=loop)
each = functools.partial(control_flow.each, loop=loop)


def of_each(name: str, python: Callable[[Tensor], list[Tensor]], elems: Tensor, together: bool) -> list[Tensor]:
    """Stack `python`'s results for each element: here only their shapes, because a jacobian is taken again at each call."""
    found = python(_symbolic([elems[0]])[0])
    outputs = _symbolic(found, len(elems))
    depends(outputs, found)
    return outputs
