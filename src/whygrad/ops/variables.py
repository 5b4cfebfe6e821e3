"""What variables can do that takes ops: explicit reads, operators, and writing to a part."""

from __future__ import annotations

from typing import Any

from whygrad.ops.elementwise import set_operators
from whygrad.ops.indexing import getitem
from whygrad.ops.primitive import Primitive, apply
from whygrad.values import conversion
from whygrad.values.dtypes import DType
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

_read = Primitive("read_variable", lambda xp, x: x, vjp=lambda xp, g: g, op_name="ReadVariableOp")


def read_value(variable: Variable) -> Tensor:
    """The variable's value as a tensor of its own, which can be a source by itself."""
    return apply(_read, variable.read())


def _convert_variable(value: Variable, dtype: DType | None = None, name: Any = None, as_ref: bool = False) -> Tensor:
    return conversion.convert(value.read(), dtype)


conversion.register_tensor_conversion_function(Variable, _convert_variable, priority=0)
for _name, _method in {"read_value": read_value, "value": read_value, "__getitem__": getitem}.items():
    setattr(Variable, _name, _method)
set_operators(Variable)
