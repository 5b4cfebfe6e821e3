"""Replaying a tape: where inf, nan and zeros appear in its records and its sweep, without a trace."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from whygrad.ops.primitive import Record, computation, record_of
from whygrad.ops.traits import Arithmetic
from whygrad.runtime.call_sites import frame_at, is_ours, users_frame
from whygrad.runtime.syntax_trees import parse
from whygrad.tape.gradient_calls import GradientCall
from whygrad.tape.norms import Norms
from whygrad.tape.places import place_of
from whygrad.values.tensor import Key, Tensor, wrap
from whygrad.values.variable import Variable
from whygrad.why.evidence.call_arguments import is_part_of_call
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.numerics import Numerics, is_finite
from whygrad.why.source.object_paths import object_paths
from whygrad.why.source.sites import operand_names


class Replay:
    """The evidence that a trace would have of a call of gradient, as far as the tape still has it.

    Its values are those that the rules keep, those that the running functions hold, and those that can be computed from them. An op
    with an unknown input is left out.
    """

    def __init__(self, call: GradientCall) -> None:
        self.numerics = Numerics()
        self.norms = Norms()
        self._call = call
        self._history = History(call.tape.records, call.tape.events)
        self._opaque: Record | None = None
        self._first_seen: Record | None = None
        values = _kept(call, self._history)
        with np.errstate(all="ignore"):
            self._forward(values)
        self.numerics.known = values
        call.tape.sweep_again(call, self.numerics, self.norms)
        # A rule's inf or nan is only explained where the op's inputs, and the origin of their inf or nan, are known.
        unknown = {key for key, array in values.items() if key not in self.numerics.births and not is_finite(array)}
        self.numerics.backward = [
            birth
            for birth in self.numerics.backward
            if unknown.isdisjoint((*outputs_of(birth.record), *birth.record.inputs))
            and self.numerics.made(outputs_of(birth.record)[0]) is not None
        ]

    def _forward(self, values: dict[Key, Any]) -> None:
        numerics, made_by = self.numerics, self._history.made_by
        for raw in self._call.tape._records:
            record = record_of(raw)
            outputs = outputs_of(record)
            compiled = getattr(record.plan.primitive, "compiled", None)
            if compiled is not None:  # its other inputs were made by the call itself, for the backward pass
                given = record.inputs[: len(compiled.inputs) + len(compiled.captures)]
                finite = all(is_finite(values[key]) for key in given if key in values)
                if finite and any(key in values and not is_finite(values[key]) for key in outputs):
                    self._opaque = self._opaque or record
                continue
            values.update(_other_operand(record, values))
            if not all(key in values for key in record.inputs):
                self._pass_on(record, values)
                if any(key in values and not is_finite(values[key]) for key in outputs):
                    self._first_seen = self._first_seen or record
                continue
            arrays = tuple([values[key] for key in record.inputs])
            if any(key not in values for key in outputs):
                made = _computed(record, arrays)
                if made is None:
                    continue
                values.update(zip(outputs, made))
            unknown = any(
                key in made_by and key not in numerics.births and not is_finite(array)
                for key, array in zip(record.inputs, arrays)
            )
            if not unknown:
                for key in outputs:
                    numerics.look_at(raw, tuple(map(wrap, arrays)), key, values[key])

    def _pass_on(self, record: Record, values: dict[Key, Any]) -> None:
        """Where an op's results cannot be computed again, take a nan among its operands as their origin."""
        births = self.numerics.births
        born = next((births[key] for key in record.inputs if key in births and np.isnan(births[key].made).any()), None)
        if born is not None and record.traits.selects is None:
            for key in outputs_of(record):
                if key.dtype.kind in "fc" and (key not in values or not is_finite(values[key])):
                    births.setdefault(key, born)

    def opaque_birth(self) -> Record | None:
        """The first compiled call that gave inf or nan of finite values: which of its ops made it, only another run can tell."""
        return self._opaque

    def first_seen(self) -> Record | None:
        """The first op with a result that is not finite, where its operands are not known."""
        return self._first_seen

    # -- as a trace --

    def history(self) -> History:
        """The tape's records, as a graph."""
        return self._history

    def made_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where a constant was made: a tape does not know."""
        return None

    def times_asked(self, call: GradientCall) -> int:
        """How often gradients were asked for."""
        return place_of(call.code, call.instruction).calls


def _kept(call: GradientCall, history: History) -> dict[Key, Any]:
    """The values that still exist: those that rules keep, the targets and the sources."""
    found: dict[Key, Any] = {}
    tensors: list[Any] = [*call.targets, *[s.value_here if isinstance(s, Variable) else s for s in call.sources]]
    for record in call.tape.records:
        for each in record.kept or ():
            tensors += each if type(each) is tuple else [each]
    for tensor in tensors:
        if isinstance(tensor, Tensor) and tensor._key is not None:
            found[tensor._key] = tensor._array
    used = {key for record in call.tape.records for key in record.inputs}
    found.update(_held_by_running_functions(used - found.keys()))
    for record in call.tape.records:
        if not all(key in found for key in record.inputs) and not is_part_of_call(history, record):
            found.update(_written_numbers(record, found))
    return found


def _written_numbers(record: Record, known: dict[Key, Any]) -> dict[Key, Any]:
    """The operands of an op that the program writes as numbers: a sum keeps none of them."""
    names = operand_names(record.code, record.instruction)
    if len(names) != len(record.inputs):
        return {}
    found = {}
    for name, key in zip(names, record.inputs):
        number = None if key in known or key.shape or key.dtype.kind not in "fiu" else _number(name)
        if number is not None and (key.dtype.kind == "f" or number.is_integer()):
            found[key] = np.asarray(number, key.dtype)
    return found


def _other_operand(record: Record, known: dict[Key, Any]) -> dict[Key, Any]:
    """The one unknown operand of a sum or difference, from its result: data such as labels, whose tensor nothing holds any more."""
    arithmetic = record.traits.arithmetic
    unknown = [i for i, key in enumerate(record.inputs) if key not in known]
    output = outputs_of(record)[0]
    if arithmetic not in (Arithmetic.SUM, Arithmetic.DIFFERENCE) or len(record.inputs) != 2 or len(unknown) != 1:
        return {}
    key, other = record.inputs[unknown[0]], record.inputs[1 - unknown[0]]
    if output not in known or key.dtype.kind != "f" or 0 in output.shape:
        return {}
    result, operand = known[output], known[other]
    if not is_finite(result) or not is_finite(operand):
        return {}
    if arithmetic is Arithmetic.SUM:
        found = np.asarray(result - operand)
    else:
        found = np.asarray(result + operand if unknown[0] == 0 else operand - result)
    once = [slice(0, 1) if size == 1 else slice(None) for size in key.shape]  # where it was repeated
    return {key: found[(0,) * (found.ndim - len(key.shape)) + tuple(once)]}


def _number(text: str) -> float | None:
    """The number that an expression such as `1e-06`, `-np.inf`, `float('-inf')` or `0.5 * np.log(2 * np.pi)` is."""
    try:
        return float(_value(parse(text, mode="eval").body))
    except (SyntaxError, TypeError, ValueError, ArithmeticError, AttributeError):
        return None


def _value(node: ast.expr) -> Any:
    """The value of an expression of written numbers; a TypeError of any other."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np", "numpy", "math"):
        return getattr(math, node.attr)
    if isinstance(node, ast.Call) and not node.keywords:
        if ast.unparse(node.func) == "float":
            return float(ast.literal_eval(node.args[0]))
        return _value(node.func)(*map(_value, node.args))
    raise TypeError(f"{ast.unparse(node)} is no written number")


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}


def _held_by_running_functions(wanted: set[Key]) -> dict[Key, Any]:
    """The wanted values among the tensors that the user's running functions can name: what a rule does not keep is mostly there."""
    found: dict[Key, Any] = {}
    frame: FrameType | None = users_frame(frame_at(1))
    scopes: dict[int, dict[str, Any]] = {}
    while frame is not None and len(scopes) < _MOST_SCOPES:
        if not is_ours(frame.f_code.co_filename):
            scopes.setdefault(id(frame.f_globals), frame.f_globals)
            if frame.f_locals is not frame.f_globals:
                scopes[id(frame)] = frame.f_locals
        frame = frame.f_back
    names = [each for scope in scopes.values() for each in list(scope.items()) if not each[0].startswith("__")]
    for path in object_paths(names, lambda value: isinstance(value, Tensor | Variable)):
        tensor = path.value.value_here if isinstance(path.value, Variable) else path.value
        if tensor._key in wanted and type(tensor) is Tensor:
            found[tensor._key] = tensor._array
    return found


_MOST_SCOPES = 16


def _computed(record: Record, arrays: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The outputs of an op, computed again; None where they may differ from those of the first time."""
    primitive = record.plan.primitive
    if primitive.takes_tensors or primitive.traits.draws is not None:
        return None
    try:
        made = computation(primitive)(*arrays, **record.attributes)
    except Exception:  # the public function may have prepared arguments that the forward function refuses
        return None
    several = tuple(made) if isinstance(record.output, tuple) else (made,)
    outputs = outputs_of(record)
    if len(several) != len(outputs):
        return None
    fitting = all(
        isinstance(array, np.ndarray | np.generic) and array.shape == key.shape and array.dtype == key.dtype
        for array, key in zip(several, outputs)
    )
    return several if fitting else None
