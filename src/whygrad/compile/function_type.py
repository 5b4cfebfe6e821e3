"""What functions say of themselves: the types of their arguments and results, in TensorFlow's words."""

from __future__ import annotations

import abc
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from whygrad._public import export
from whygrad.compile.signature import Same
from whygrad.values import nest
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable


@export("types.experimental.TraceType")
class TraceType(abc.ABC):
    """What a function is traced for, of an argument whose class says so.

    A class whose method `__tf_tracing_type__(self, context)` returns one decides when functions of its objects are traced again: for
    each TraceType that is not equal to an earlier one.

    >>> import whygrad as tf
    >>> issubclass(tf.types.experimental.TraceType, object)
    True
    """

    @abc.abstractmethod
    def is_subtype_of(self, other: TraceType) -> bool:
        """Return whether a function that was traced for `other` serves this too."""

    @abc.abstractmethod
    def most_specific_common_supertype(self, others: Sequence[TraceType]) -> TraceType | None:
        """Return the type that includes this one and the others; None if there is none."""

    @abc.abstractmethod
    def placeholder_value(self, placeholder_context: Any = None) -> Any:
        """Return the value with which a function is traced."""

    @abc.abstractmethod
    def __hash__(self) -> int: ...

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool: ...


class Type:
    """The type of an argument or a result, as it is written."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


def type_of(value: Any) -> Any:
    """Return the type of a value, in which a `TensorSpec` stands for a tensor."""
    if isinstance(value, TensorSpec):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, Tensor):  # strings are constants
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, Variable):
        return Type(
            f"VariableSpec(shape={value.shape}, dtype={value.dtype!r}, trainable={value.trainable}, alias_id=0)"
        )
    if isinstance(value, Same):
        return type_of(value.object) if isinstance(value.object, Variable) else Type(repr(value))
    if isinstance(value, Mapping):
        return Type(f"Dict[{_pairs(nest.sorted_keys(value), nest.children_of(value))}]")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return Type(f"{type(value).__name__}[{_pairs(value._fields, value)}]")
    if isinstance(value, list | tuple):
        name = "List" if isinstance(value, list) else "Tuple"
        return Type(f"{name}[{', '.join(repr(type_of(each)) for each in value)}]")
    return Type(f"Literal[{value!r}]")


def _pairs(names: Sequence[Any], values: Sequence[Any]) -> str:
    return ", ".join(f"[{name!r}, {type_of(value)!r}]" for name, value in zip(names, values))


class Parameter(inspect.Parameter):
    """A parameter of a function, with the type of its argument."""

    @property
    def type_constraint(self) -> Any:
        """The type of the argument; None where it may be any."""
        return None if self.annotation is self.empty else self.annotation

    @property
    def optional(self) -> bool:
        """Whether it has a default."""
        return self.default is not self.empty


class _Default:
    def __repr__(self) -> str:
        return "<captured_default_value>"


_DEFAULT = _Default()


@export("types.experimental.FunctionType")
class FunctionType(inspect.Signature):
    """The parameters of a function and the types of its arguments; of a concrete function also what it returns.

    >>> import whygrad as tf
    >>> tf.function(lambda x, n=2: x * n).function_type
    (x, n=<captured_default_value>)
    """

    captures: tuple[Any, ...] = ()  # the types of captured values

    @property
    def output(self) -> Any:
        """The type of the result; None where that is not known."""
        return None if self.return_annotation is self.empty else self.return_annotation

    def __repr__(self) -> str:
        return str(self)


def of_function(python: Callable[..., Any], input_signature: Any) -> FunctionType:
    """Return the type of a function that is not traced yet."""
    found: list[Parameter] = []
    specs = iter(() if input_signature is None else input_signature)
    for each in inspect.signature(python).parameters.values():
        if each.name == "self" and not found:
            continue
        given = next(specs, None)
        found.append(
            Parameter(
                each.name,
                each.kind,
                default=_DEFAULT if each.default is not each.empty else each.empty,
                annotation=each.empty if given is None else type_of(given),
            )
        )
    return FunctionType(found)


def of_concrete(
    parameters: inspect.Signature, bound: inspect.BoundArguments, outputs: Any, captures: Sequence[Variable]
) -> FunctionType:
    """Return the type of a function that was traced for these arguments."""
    varies = any(each.kind is each.VAR_POSITIONAL for each in parameters.parameters.values())
    found: list[Parameter] = []
    for name, value in bound.arguments.items():
        each = parameters.parameters[name]
        if each.kind is each.VAR_POSITIONAL:
            found += [
                Parameter(f"{name}_{i}", each.POSITIONAL_ONLY, annotation=type_of(part)) for i, part in enumerate(value)
            ]
        elif each.kind is each.VAR_KEYWORD:
            found += [Parameter(key, each.KEYWORD_ONLY, annotation=type_of(part)) for key, part in value.items()]
        else:
            positional = varies and each.kind is each.POSITIONAL_OR_KEYWORD
            found.append(Parameter(name, each.POSITIONAL_ONLY if positional else each.kind, annotation=type_of(value)))
    made = FunctionType(found, return_annotation=type_of(outputs))
    made.captures = tuple([f"{id(each)}: TensorSpec(shape=(), dtype=tf.resource, name=None)" for each in captures])
    return made


def written_out(function_type: FunctionType) -> str:
    """Return a type with a line for each parameter."""
    listed = [f"  {each.name} ({each.kind.name}): {each.annotation!r}" for each in function_type.parameters.values()]
    lines = ["Input Parameters:", *(listed or ["  None"]), "Output Type:", f"  {function_type.output!r}", "Captures:"]
    return "\n".join([*lines, *([f"  {each}" for each in function_type.captures] or ["  None"])])


def named(structure: Any, names: Sequence[str]) -> Any:
    """Return arguments with the names of their parameters in their `TensorSpec`s, where those have none."""
    return type(structure)(
        [
            TensorSpec(each.shape, each.dtype, name) if isinstance(each, TensorSpec) and each.name is None else each
            for each, name in zip(structure, names)
        ]
    )
