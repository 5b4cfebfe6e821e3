"""The operators of Tensor and Variable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from whygrad.ops import bits, elementwise, linalg_products
from whygrad.ops.primitive import Primitive, apply, number_beside, op_function, registered
from whygrad.ops.traits import MOVES_ALL
from whygrad.runtime.code_objects import rename
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert, convert_to_tensor, readers
from whygrad.values.tensor import Tensor, wrap

_primitives = registered()


def _as_operand(value: Any, tensor: Tensor) -> Tensor:
    """Convert `value` to an operand with the dtype of `tensor`; Python numbers, the most common, take the shortest path."""
    number = number_beside(value, tensor)
    if number is not None:
        return number
    return convert(value, None if elementwise.is_value(value) else tensor.dtype)


def _as_right_operand(value: Any, tensor: Tensor) -> Tensor:
    """Convert the right operand of `+` and `/`, which keeps its own dtype if it cannot take the tensor's."""
    return convert_to_tensor(value, dtype_hint=tensor.dtype)


def _operands(name: str, convert_right: Callable[[Any, Tensor], Tensor]) -> Callable[[Any, Any], tuple[Any, Any]]:
    """How the method `__name__` converts its operands to tensors; see `op_function`."""

    def operands(self: Any, other: Any) -> tuple[Any, Any]:
        x = self if type(self) is Tensor else convert(self, None)
        kind = type(other)
        if kind is float or kind is int:
            number = number_beside(other, x)
            if number is not None:
                return x, number
        if kind in readers:
            other = readers[kind](other)
        elif kind is not Tensor:
            try:
                other = convert_right(other, x)
            except (TypeError, ValueError):
                answer = _deferred(other, f"__r{name}__", self)
                if answer is NotImplemented:
                    raise
                return NotImplemented, answer
        return x, other

    return operands


def _operator(
    name: str, function: Callable[[Any, Any], Any], convert_right: Callable[[Any, Tensor], Tensor] = _as_operand
) -> tuple[Any, Any]:
    """The methods `__name__` and `__rname__`, made from a function of two tensors."""
    operands = _operands(name, convert_right)

    def method(self: Any, other: Any) -> Any:
        x, y = operands(self, other)
        return y if x is NotImplemented else function(x, y)

    return method, _reflected(function)


def _direct_operator(
    name: str,
    primitive: str,
    allowed: str = "number",
    convert_right: Callable[[Any, Tensor], Tensor] = _as_operand,
    **others: Any,
) -> tuple[Any, Any]:
    """Like `_operator`, for a primitive: the methods are the op itself, with no call in between; `others` as for `op_function`."""
    op = _primitives[primitive]
    method = op_function(op, allowed, _operands(name, convert_right), **others)

    def general(other: Any, y: Tensor) -> Any:
        return method(_as_operand(other, y), y)

    return method, op_function(op, allowed, _number_first, general=general, reflected=True)


def _number_first(other: Any, self: Any) -> tuple[Any, Tensor]:
    """How the method `__rname__` converts its operands: numbers alone. Others stay as given in its frame, where errors show them."""
    y = self if type(self) is Tensor else convert(self, None)
    number = number_beside(other, y)
    return other if number is None else number, y


def _matmul_operator() -> tuple[Any, Any]:
    """`@` likewise, with the checks of `matmul`."""
    method = op_function(
        _primitives["matmul"],
        "float or complex",
        _operands("matmul", _as_operand),
        general=linalg_products.matmul,
        compute=linalg_products.checked_product,
    )
    return method, _reflected(linalg_products.matmul)


def _reflected(function: Callable[[Any, Any], Any]) -> Any:
    def reflected(self: Any, other: Any) -> Any:
        x = self if type(self) is Tensor else convert(self, None)
        return function(_as_operand(other, x), x)

    return reflected


def _deferred(other: Any, method: str, tensor: Any) -> Any:
    """Let an object that handles tensors itself compute `tensor <operator> other`."""
    kind = type(other)
    if kind.__module__ in ("builtins", "numpy") or not any(method in vars(base) for base in kind.__mro__):
        return NotImplemented
    try:
        return getattr(kind, method)(other, tensor)
    except (TypeError, ValueError):
        return NotImplemented


# On bools the operators are logical.


def _times_otherwise(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_and(x, y) if x._array.dtype.kind == "b" else elementwise.multiply(x, y)


def _and(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_and(x, y) if x._array.dtype.kind == "b" else bits.bitwise_and(x, y)


def _or(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_or(x, y) if x._array.dtype.kind == "b" else bits.bitwise_or(x, y)


def _xor(x: Tensor, y: Tensor) -> Tensor:
    return elementwise.logical_xor(x, y) if x._array.dtype.kind == "b" else bits.bitwise_xor(x, y)


def _inverted(x: Tensor) -> Tensor:
    return elementwise.logical_not(x) if x._array.dtype.kind == "b" else bits.invert(x)


_positive = Primitive("positive", lambda xp, x: x, vjp=lambda xp, g: g, traits=MOVES_ALL)


def _equality(function: Callable[[Any, Any], Tensor], unlike: bool) -> Any:
    """`==` or `!=`: shapes that do not broadcast are unequal, and nothing equals None."""

    def method(self: Any, other: Any) -> Any:
        if other is None:
            return unlike
        if isinstance(other, TensorLikeComposite):
            return NotImplemented  # a ragged tensor compares itself
        x = self if type(self) is Tensor else convert(self, None)
        y = _as_operand(other, x)
        if x._array.shape != y._array.shape and x._array.dtype == y._array.dtype:
            try:
                np.broadcast_shapes(x._array.shape, y._array.shape)
            except ValueError:
                return wrap(np.array(unlike))
        return function(x, y)

    return method


def set_operators(owner: Any) -> None:
    """Set the operators of Tensor or Variable."""
    both_sides = {
        "add": _direct_operator("add", "add", "number or string", convert_right=_as_right_operand),
        "sub": _direct_operator("sub", "subtract"),
        "mul": _direct_operator("mul", "multiply", otherwise=_times_otherwise),
        "truediv": _direct_operator(
            "truediv", "divide", "float or complex", convert_right=_as_right_operand, general=elementwise.truediv
        ),
        "floordiv": _operator("floordiv", elementwise.floordiv),
        "mod": _operator("mod", elementwise.floormod),
        "pow": _operator("pow", elementwise.pow),
        "matmul": _matmul_operator(),
        "and": _operator("and", _and),
        "or": _operator("or", _or),
        "xor": _operator("xor", _xor),
    }
    comparisons = {
        "lt": elementwise.less,
        "le": elementwise.less_equal,
        "gt": elementwise.greater,
        "ge": elementwise.greater_equal,
    }
    methods = {
        **{name: method for name, (method, _) in both_sides.items()},
        **{f"r{name}": reflected for name, (_, reflected) in both_sides.items()},
        **{name: _operator(name, function)[0] for name, function in comparisons.items()},
        "eq": _equality(elementwise.equal, False),
        "ne": _equality(elementwise.not_equal, True),
        "neg": lambda self: elementwise.negative(self),
        "pos": lambda self: apply(_positive, convert(self)),
        "abs": lambda self: elementwise.abs(self),
        "invert": lambda self: _inverted(convert(self)),
    }
    for name, method in methods.items():
        rename(method, f"__{name}__", f"{owner.__name__}.__{name}__")
        setattr(owner, method.__name__, method)
    REFLECTED.update(f"__r{name}__" for name in both_sides)
    OF_TWO.update(f"__{name}__" for name in (*both_sides, *comparisons, "eq", "ne"))


# The names of the methods of operators with two operands: those of the right operand, and those of the left one.
REFLECTED: set[str] = set()
OF_TWO: set[str] = set()
set_operators(Tensor)
