"""What functions say of themselves: the types of their arguments and results, in TensorFlow's words."""

from __future__ import annotations

import abc
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from whygrad._public import export
from whygrad.compile.signature import Same, describe
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError
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
    if hasattr(type(value), "value_type"):  # a spec
        return value
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


class Argument(NamedTuple):
    """One argument of a call; each of `*args` and `**kwargs` is one."""

    name: str
    kind: Any  # of its parameter, in a signature that lists all arguments
    value: Any

    @property
    def by_keyword(self) -> bool:
        """Whether it can only be given by its name."""
        return self.kind is inspect.Parameter.KEYWORD_ONLY

    @property
    def identifier(self) -> str:
        """The name, as a parameter can have it."""
        return identifier(self.name)


def identifier(name: str) -> str:
    """Return a name, as a parameter can have it."""
    return name if name.isidentifier() else re.sub(r"^(?=\d)|\W", "_", name)


def check_identifiers(names: Iterable[str]) -> None:
    """Raise unless each of these names of arguments has an identifier of its own: concrete functions take arguments by identifier."""
    met: dict[str, str] = {}
    for name in names:
        other = met.setdefault(identifier(name), name)
        if other != name:
            raise OpValueError(
                f"Name collision after sanitization. The arguments {other!r} and {name!r} are both called {identifier(name)!r} in a "
                "concrete function. Rename one of them."
            )


def arguments(parameters: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Argument]:
    """Return the arguments of a call, one by one, in the order of the parameters and of the names of `**kwargs`."""
    varies = any(each.kind is each.VAR_POSITIONAL for each in parameters.parameters.values())
    found: list[Argument] = []
    for name, value in parameters.bind_partial(*args, **kwargs).arguments.items():
        each = parameters.parameters[name]
        if each.kind is each.VAR_POSITIONAL:
            found += [Argument(f"{name}_{i}", each.POSITIONAL_ONLY, part) for i, part in enumerate(value)]
        elif each.kind is each.VAR_KEYWORD:
            found += [Argument(key, each.KEYWORD_ONLY, value[key]) for key in sorted(value)]
        else:
            positional = varies and each.kind is each.POSITIONAL_OR_KEYWORD
            found.append(Argument(name, each.POSITIONAL_ONLY if positional else each.kind, value))
    return found


def of_concrete(taken: Sequence[Argument], outputs: Any, captures: Sequence[Variable]) -> FunctionType:
    """Return the type of a function that was traced for these arguments."""
    found = [Parameter(each.identifier, each.kind, annotation=type_of(each.value)) for each in taken]
    made = FunctionType(found, return_annotation=type_of(outputs))
    made.captures = tuple([f"{id(each)}: TensorSpec(shape=(), dtype=tf.resource, name=None)" for each in captures])
    return made


def cast(wanted: Any, value: Any) -> Any:
    """Return an argument with tensors where `TensorSpec`s are wanted; raise a TypeError unless its structure and values are the same."""
    if isinstance(wanted, Tensor):  # a string, which is a constant of the trace: a call may give any other
        wanted = TensorSpec.from_tensor(wanted)
    if isinstance(wanted, TensorSpec):
        try:
            tensor = convert(value, None if isinstance(value, Tensor | Variable) else wanted.dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(str(error)) from None
        if not wanted.is_compatible_with(tensor):
            raise TypeError(f"Can not cast {TensorSpec(tensor.shape, tensor.dtype)!r} to {wanted!r}")
        return tensor
    if nest.is_nested(wanted):
        if isinstance(wanted, Mapping):
            if not isinstance(value, Mapping):
                raise TypeError(f"Can not cast {value!r} to a Dict type.")
            if set(wanted) != set(value):
                raise TypeError(f"{value!r} has different keys with the TraceType {type_of(wanted)!r}.")
        elif not isinstance(value, type(wanted)) or not nest.is_nested(value):
            raise TypeError(f"Can not cast {value!r} to {type(wanted).__name__} type.")
        parts, given = nest.children_of(wanted), nest.children_of(value)
        if len(parts) != len(given):
            raise TypeError(f"Expected {value} to have length of {len(parts)}")
        return nest.rebuild(value, list(map(cast, parts, given)))
    if hasattr(type(wanted), "value_type"):  # another spec: of a ragged tensor, a dataset, ...
        matches = bool(wanted.is_compatible_with(value))
    else:
        matches = describe(wanted, [], [])[0] == describe(value, [], [])[0]
    if not matches:
        shown = TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value
        raise TypeError(_difference(wanted, value) or f"Can not cast {shown!r} to {type_of(wanted)!r}")
    return value


def _difference(wanted: Any, value: Any) -> str | None:
    """Return in what a value differs from the spec of a ragged or sparse tensor; None for other specs, and other differences."""
    kind = getattr(wanted, "value_type", None)
    if not isinstance(kind, type) or not issubclass(kind, TensorLikeComposite):
        return None
    if not isinstance(value, kind) or value.shape.rank not in (None, wanted.shape.rank):
        return f"{value!r} and {wanted!r} don't have the same nested structure"
    if value.dtype != wanted.dtype:
        return f"Can not cast values with dtype={value.dtype!r} to {wanted!r}, which has dtype={wanted.dtype!r}"
    return None


def written_out(function_type: FunctionType) -> str:
    """Return a type with a line for each parameter."""
    listed = [f"  {each.name} ({each.kind.name}): {each.annotation!r}" for each in function_type.parameters.values()]
    lines = ["Input Parameters:", *(listed or ["  None"]), "Output Type:", f"  {function_type.output!r}", "Captures:"]
    return "\n".join([*lines, *([f"  {each}" for each in function_type.captures] or ["  None"])])


def with_names(structure: Any, name: str) -> Any:
    """Return an argument with names in its `TensorSpec`s, where those have none: the parameter's, with the path inside the argument."""
    if isinstance(structure, TensorSpec):
        return TensorSpec(structure.shape, structure.dtype, structure.name or name)
    if not nest.is_nested(structure):
        return structure
    parts = nest.children_of(structure)
    labels = nest.sorted_keys(structure) if isinstance(structure, Mapping) else range(len(parts))
    return nest.rebuild(structure, [with_names(part, f"{name}_{label}") for part, label in zip(parts, labels)])
