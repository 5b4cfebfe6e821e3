"""The call of an op that failed: what it was given, under the user's names, temporaries included.

Nothing is kept for this while ops succeed: an exception's traceback still holds the frame of the function that the user
called, with its arguments, and the user's frame, with the text of the call.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

import numpy as np

from whygrad.compile.conversion import STATEMENTS
from whygrad.ops.advice import ShapeByValues, shapes_by_values
from whygrad.ops.operators import OF_TWO, REFLECTED
from whygrad.runtime.call_sites import ARRAY_LIBRARIES, Scope, entered_in, is_ours, is_whygrads, raised_by_library
from whygrad.runtime.overloads import is_forwarding, own_code
from whygrad.runtime.syntax_trees import parse
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable
from whygrad.why.source.bytecode import names_stored
from whygrad.why.source.edits import Edit, filled, with_part
from whygrad.why.source.sites import node_at
from whygrad.why.source.stand_ins import resolved
from whygrad.why.source.wording import described, quoted

_MOST = 4  # operands of one call that are shown at its place
_LONGEST = 60  # characters of an operand's text; what is longer is cut, or called by its parameter's name


@dataclass(frozen=True)
class Operand:
    """Something that an op was given."""

    parameter: str  # the op's name for it; `values[1]` for a part of a list
    value: Any
    node: Any = None  # what the user wrote; None where that is not known
    position: int = 0  # of the parameter among those of the op

    @property
    def text(self) -> str:
        """As the user wrote it."""
        if self.node is None:
            return self.parameter
        written = ast.unparse(self.node)
        if len(written) > _LONGEST and isinstance(self.node, ast.Call):
            written = f"{ast.unparse(self.node.func)}(...)"
        return written if len(written) <= _LONGEST else self.parameter

    @property
    def quoted(self) -> str:
        """As it stands in a sentence."""
        return quoted(self.text)

    @property
    def primary(self) -> str:
        """As it stands before an index or an attribute."""
        simple = isinstance(self.node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | None)
        return self.text if simple or self.text == self.parameter else f"({self.text})"

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its axes."""
        return tuple(self.value.shape)

    @property
    def part_of(self) -> str:
        """The parameter whose list it stands in; "" if it is not part of a list."""
        return self.parameter.partition("[")[0] if self.parameter.endswith("]") else ""

    @property
    def is_array(self) -> bool:
        """Whether it has dtype and shape."""
        return is_array(self.value)

    @property
    def is_number(self) -> bool:
        """Whether it is written as a plain number, whose shape is no news."""
        node = self.node.operand if isinstance(self.node, ast.UnaryOp) else self.node
        return isinstance(node, ast.Constant)


def is_array(value: Any) -> bool:
    """Whether a value has dtype and shape."""
    return isinstance(value, Tensor | Variable | np.ndarray | IndexedSlices)


class FailedOp:
    """A call of one of whygrad's functions, methods or operators that raised."""

    def __init__(self, trace: TracebackType, inside: FrameType, scope: Scope | None = None) -> None:
        code = trace.tb_frame.f_code
        self.code: CodeType = code if scope is None else scope.within(code)
        self.instruction = trace.tb_lasti
        self._user = trace.tb_frame
        self._inside = inside
        self.node = node_at(self.code, self.instruction)
        self.name = inside.f_code.co_name
        self.operands = [part for operand in self._given() for part in _parts(operand)]

    @property
    def shown_name(self) -> str:
        """The function's name, for a graph: `matmul` for the operator."""
        return self.name.strip("_")

    @property
    def computes(self) -> bool:
        """Whether it is a function, or a method of a tensor or variable; a `tf.function` that is called is neither."""
        return isinstance(self._inside.f_locals.get("self"), Tensor | Variable | None)

    @property
    def arrays(self) -> list[Operand]:
        """The operands that have dtype and shape, without plain numbers."""
        return [each for each in self.operands if each.is_array and not each.is_number]

    @property
    def in_order(self) -> list[Operand]:
        """The arrays in the order in which the op takes them, which keywords may change in the text."""
        return sorted(self.arrays, key=lambda each: each.position)

    @property
    def shapes(self) -> dict[str, str]:
        """Dtype and shape of the operands, by their texts."""
        found: dict[str, str] = {}
        for each in self.arrays:
            what = described(each.value)
            found[each.text if found.get(each.text, what) == what else each.parameter] = what
        return found

    @property
    def met(self) -> str:
        """Dtypes and shapes as they met, for the note at the place."""
        shown = [described(each.value) for each in self.arrays]
        return " with ".join(shown[:_MOST]) + (f" and {len(shown) - _MOST} more" if len(shown) > _MOST else "")

    @property
    def shape_by_values(self) -> ShapeByValues | None:
        """What the op declares, if values decide the shape of its result."""
        return shapes_by_values.get(self._inside.f_code)

    @property
    def owner(self) -> Operand | None:
        """The object whose method was called."""
        owner = self._inside.f_locals.get("self")
        return next((each for each in self.operands if each.value is owner and owner is not None), None)

    def operand(self, *parameters: str) -> Operand | None:
        """What was given for the first of these parameters that the op has."""
        found = (each for name in parameters for each in self.operands if each.parameter == name)
        return next(found, None)

    def array(self, *parameters: str) -> Operand | None:
        """As `operand`, where it has dtype and shape."""
        found = self.operand(*parameters)
        return found if found is not None and found.is_array else None

    def of_shape(self, shape: tuple[int, ...]) -> Operand | None:
        """The first array of a shape."""
        return next((each for each in self.arrays if each.shape == shape), None)

    @property
    def indexed(self) -> Operand | None:
        """What was indexed: `x[...]`, `tf.strided_slice(x, ...)`, `tf.gather(x, indices)`."""
        looked_up = self.operand("params", "data")
        found = looked_up if looked_up is not None else next(iter(self.in_order), None)
        return found if found is not None and found.is_array else None

    def argument(self, parameter: str) -> Any:
        """The value of a parameter as the op has it."""
        return self._inside.f_locals.get(parameter)

    def with_operand(self, operand: Operand, template: str) -> tuple[Edit, ...]:
        """The edit that puts one operand into a template such as "tf.cast({0}, tf.float32)"; none where it is not written."""
        node = operand.node
        if node is None or self.node is None or not any(each is node for each in ast.walk(self.node)):
            return ()
        return with_part(self.code.co_filename, self.node, node, filled(template, node)).edits

    # -- which argument is whose --

    def _given(self) -> Iterator[Operand]:
        written = dict(self._written())
        code = self._inside.f_code
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        for name in sorted(names, key=lambda each: list(written).index(each) if each in written else len(written)):
            if name == "self" and (
                self.name == "__init__" or not (name in written or is_array(self._inside.f_locals[name]))
            ):
                continue
            if name in self._inside.f_locals:
                value = self._value(name, written.get(name))
                position = -names.index(name) if self.name in REFLECTED else names.index(name)
                yield Operand(self._label(name, value), value, written.get(name), position)
        if code.co_flags & inspect.CO_VARARGS:
            name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
            for i, value in enumerate(self._inside.f_locals.get(name, ())):
                yield Operand(f"{name}[{i}]", value, written.get(f"{name}[{i}]"), len(names) + i)

    def _label(self, parameter: str, value: Any) -> str:
        """The op's name for an operand; a method's `self` and `other` by names that can be spoken of."""
        if self.name in REFLECTED:
            return {"self": "y", "other": "x"}.get(parameter, parameter)
        if self.name in OF_TWO:
            return {"self": "x", "other": "y"}.get(parameter, parameter)
        return type(value).__name__.lower() if parameter == "self" and is_array(value) else parameter

    def _value(self, parameter: str, node: Any) -> Any:
        """What the user gave for a parameter: read from the op's frame, or from the user's where the op has changed it."""
        value = self._inside.f_locals[parameter]
        if node is not None and parameter in names_stored(self._inside.f_code):
            theirs = self.looked_up(node)
            if is_array(theirs):
                return theirs
        return value

    def looked_up(self, node: Any) -> Any:
        """The value of a name or of an attribute of one. Nothing is computed for this."""
        if isinstance(node, ast.Name):
            return resolved(self._user.f_locals.get(node.id, self._user.f_globals.get(node.id)))
        if isinstance(node, ast.Attribute):
            return resolved(getattr(self.looked_up(node.value), "__dict__", {}).get(node.attr))
        return None

    def _written(self) -> Iterator[tuple[str, Any]]:
        """The op's parameters with what the user wrote for them."""
        code, node = self._inside.f_code, self.node
        names = code.co_varnames[: code.co_argcount]
        if isinstance(node, ast.Call) and _is_builtin(node.func):  # len(x), float(x)
            yield from zip(names, node.args)
        elif self.name in _ASKED_OF_A_VALUE:
            yield "self", _asked(node)
        elif isinstance(node, ast.Call):
            if self._is_called_by(node):
                yield from self._written_in_call(node, names)
        elif isinstance(node, ast.Subscript):
            yield from zip(names, (node.value, node.slice))
        elif isinstance(node, ast.UnaryOp):
            yield from zip(names, (node.operand,))
        elif isinstance(node, ast.Attribute):
            yield from zip(names, (node.value,))
        else:
            sides = _sides(node)
            if self._ufunc is not None:  # an array of NumPy's with a tensor on its right
                names = self._variadic_names(len(sides))
            pairs = list(zip(names, self._in_order(sides)))
            yield from sorted(pairs, key=lambda pair: sides.index(pair[1]))

    @property
    def _ufunc(self) -> Any:
        """The function that failed, if it is one of `whygrad.numpy` that work element by element."""
        owner = self._inside.f_locals.get("self")
        return owner if hasattr(owner, "nin") else None

    def _variadic_names(self, count: int) -> tuple[str, ...]:
        code = self._inside.f_code
        variadic = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return tuple([f"{variadic}[{i}]" for i in range(count)])

    def _written_in_call(self, node: ast.Call, names: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        code = self._inside.f_code
        if names[:1] == ("self",):
            if isinstance(node.func, ast.Attribute) and self.name != "__init__":
                yield "self", node.func.value
            names = names[1:]
        for i, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                break
            if i < len(names):
                yield names[i], argument
            elif code.co_flags & inspect.CO_VARARGS:
                yield self._variadic_names(i - len(names) + 1)[-1], argument
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value

    def _is_called_by(self, node: ast.Call) -> bool:
        """Whether a call is the call of the op, and not of something that calls it in turn: `functools.reduce(tf.add, xs)`."""
        called = self.looked_up(node.func)
        if called is None and isinstance(node.func, ast.Attribute):
            owner = self.looked_up(node.func.value)
            if owner is None:
                return node.func.attr == self.name
            called = inspect.getattr_static(type(owner), node.func.attr, None)
        if isinstance(called, type):
            return self.name == "__init__"
        if isinstance(called, np.ufunc) or str(getattr(called, "__module__", "")).startswith("numpy"):
            ours = self.name if self._ufunc is None else self._ufunc.__name__
            return bool(called.__name__ == ours)  # NumPy's function handed its arguments to ours
        called = getattr(called, "__func__", called)
        code = own_code(called)
        if code is self._inside.f_code:
            return True
        # A library's function of the same name, such as `keras.ops.matmul`, hands its arguments to ours.
        return code is not None and is_ours(code.co_filename) and bool(code.co_name == self.name)

    def _in_order(self, sides: list[Any]) -> list[Any]:
        """The operands of an operator in the order of the method that was called: of a reflected one, the right one first."""
        if len(sides) != 2:
            return sides
        if self.name in REFLECTED:
            return sides[::-1]
        if isinstance(self.node, ast.Compare) and self.name == _MIRRORED.get(type(self.node.ops[0])):
            return sides[::-1]  # 1 < x asks whether x > 1
        return sides


def failed_op(trace: TracebackType) -> FailedOp | None:
    """The call that failed, from the traceback at the user's innermost frame; None if no op is inside of it."""
    scope, entered = _innermost_scope(trace)
    inside = trace.tb_next if entered is None else entered.tb_next
    while inside is not None:
        code = inside.tb_frame.f_code
        # In a scope, the functions between the user's line and the op are the library's own.
        own = is_whygrads(code.co_filename) if entered is not None else is_ours(code.co_filename)
        is_op = own and not code.co_filename.startswith(ARRAY_LIBRARIES) and code.co_filename != STATEMENTS
        if is_op and _takes_arguments(code) and not is_forwarding(code):
            return FailedOp(trace, inside.tb_frame, scope)
        inside = inside.tb_next
    return None


def _innermost_scope(trace: TracebackType) -> tuple[Scope | None, TracebackType | None]:
    """The scope that a failing op belongs to, and the traceback where the innermost one was entered."""
    scope = entered = None
    innermost = None
    each = trace.tb_next
    while each is not None:
        found = entered_in(each.tb_frame)
        if found is not None and found is not innermost:  # a layer's call goes through two frames: the first one enters
            innermost = found
            is_direct = each is trace.tb_next and not found.is_whole_call
            scope, entered = None if is_direct else found, each
        each = each.tb_next
    return scope, entered


@dataclass(frozen=True)
class RefusedCall:
    """A call of a library's object, such as a layer, that the object itself has ended with an exception."""

    scope: Scope
    is_direct: bool  # whether the user's line calls the object itself
    given: list[Any]  # what has dtype and shape among its arguments
    code: CodeType
    instruction: int


def refused_call(trace: TracebackType) -> RefusedCall | None:
    """The innermost call of a library's object inside of a user's frame, if the library raised the exception, and not whygrad."""
    scope = entered = None
    each = trace.tb_next
    while each is not None:
        found = entered_in(each.tb_frame)
        if found is not None and found.what and found is not scope:  # of a layer's two frames the first one enters
            scope, entered = found, each
        each = each.tb_next
    if scope is None or entered is None or not raised_by_library(trace):
        return None
    is_direct, values = entered is trace.tb_next, entered.tb_frame.f_locals
    code = trace.tb_frame.f_code
    given = list(_with_shapes([*values.get("args", ()), *values.get("kwargs", {}).values()]))
    return RefusedCall(scope, is_direct, given, code if is_direct else scope.within(code), trace.tb_lasti)


def _with_shapes(value: Any) -> Iterator[Any]:
    """What has dtype and shape in a structure of arguments."""
    if isinstance(value, list | tuple):
        for each in value:
            yield from _with_shapes(each)
    elif isinstance(value, dict):
        yield from _with_shapes(list(value.values()))
    elif hasattr(value, "shape") and hasattr(value, "dtype"):
        yield value


def _takes_arguments(code: CodeType) -> bool:
    return code.co_argcount + code.co_kwonlyargcount > 0 or bool(code.co_flags & inspect.CO_VARARGS)


def users_frame(trace: TracebackType | None) -> TracebackType | None:
    """The innermost frame of a traceback that is the user's; one of the standard library only if there is no other."""
    found = library = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(_LIBRARY) and "-packages" not in file:
            library = trace
        elif not is_ours(file):
            found = trace
        trace = trace.tb_next
    return found or library


def last_frame(trace: TracebackType | None) -> FrameType | None:
    """The frame in which an exception was raised."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return None if trace is None else trace.tb_frame


def raised_by_us(trace: TracebackType | None) -> bool:
    """Whether an exception was raised in whygrad."""
    frame = last_frame(trace)
    return frame is not None and is_ours(frame.f_code.co_filename)


_LIBRARY = os.path.dirname(os.__file__) + os.sep
_MIRRORED: dict[type, str] = {ast.Lt: "__gt__", ast.Gt: "__lt__", ast.LtE: "__ge__", ast.GtE: "__le__"}


_ASKED_OF_A_VALUE = ("__bool__", "__iter__")  # by a statement: what stands there is the value itself


def _asked(node: Any) -> Any:
    """The expression whose truth or whose elements a statement, an operator or a comprehension asks for."""
    if isinstance(node, ast.UnaryOp):
        return node.operand
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return node.generators[0].iter
    if isinstance(node, ast.IfExp):
        return node.test
    return None if isinstance(node, ast.BoolOp) else node


def _is_builtin(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and hasattr(builtins, node.id)


def _sides(node: Any) -> list[Any]:
    """The operands of an operator."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return [node.left, node.comparators[0]]
    return []


def _parts(operand: Operand) -> Iterator[Operand]:
    """The elements of a list of tensors; anything else as it is."""
    value, node = operand.value, operand.node
    if not isinstance(value, list | tuple) or not any(is_array(each) for each in value):
        yield operand
        return
    literal = node.elts if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == len(value) else None
    for i, each in enumerate(value):
        part = None
        if literal is not None:
            part = None if isinstance(literal[i], ast.Starred) else literal[i]
        elif node is not None:
            part = parse(f"({ast.unparse(node)})[{i}]", mode="eval").body
        yield Operand(f"{operand.parameter}[{i}]", each, part, operand.position)
