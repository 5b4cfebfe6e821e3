"""Concrete functions: a function for one kind of arguments, callable with those alone."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile import function_type
from whygrad.compile.graph_nodes import Operation
from whygrad.compile.open_sizes import Accepted, learnt
from whygrad.compile.signature import Place, Same, describe, fill
from whygrad.compile.specialized import Graph, GraphTensor, Specialization, Specializations
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, invalid
from whygrad.values.recorders import PrivateValues, left_function, state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable


def concrete_of(owner: Specializations, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Concrete:
    """Return the version for the given arguments, in which `TensorSpec`s stand for tensors. The program gets one object for each kind."""
    if not args and not kwargs and owner.signature is not None:
        args = tuple(owner.signature)
    if owner.signature is None:
        args, kwargs = owner.in_order(args, kwargs)
    if any(_is_composite(each) or _is_string(each) for each in nest.flatten((args, kwargs))):
        specs = nest.map_structure(_as_spec, (args, kwargs))
        return _shared(owner, describe(specs, [], [])[0], [], lambda: PythonConcrete(owner, *specs))
    names = [
        each.name if isinstance(each, TensorSpec) else None for each in nest.flatten((args, kwargs)) if _is_input(each)
    ]
    if any(map(_is_open, nest.flatten((args, kwargs)))):
        nameless = nest.map_structure(_without_name, (args, kwargs))
        key = describe(nameless, [], [])[0]
        return _shared(owner, key, names, lambda: OpenConcrete(owner, args, kwargs, names))
    key, special = owner.version_for(*nest.map_structure(_example, (args, kwargs)))
    return _shared(owner, (key, special), names, lambda: Concrete(owner, special, names))


def all_of(owner: Specializations) -> list[Concrete]:
    """Return all versions of a function."""
    return [Concrete(owner, special) for special in owner.versions.values()]


def _shared(owner: Specializations, key: Any, names: list[str | None], make: Callable[[], Concrete]) -> Concrete:
    """Return the concrete function of this key that the program holds already, unless its inputs have other names."""
    with owner.lock:
        found: Concrete | None = owner.concretes.get(key)
        if found is None or any(name not in (None, held) for name, held in zip(names, found.given_names)):
            found = make()
            owner.concretes[key] = found
        return found


def _is_composite(value: Any) -> bool:
    """Return whether a value is a ragged or sparse tensor, or the spec of one."""
    kind = value.value_type if hasattr(type(value), "value_type") else type(value)
    return isinstance(kind, type) and issubclass(kind, TensorLikeComposite)


def _is_input(value: Any) -> bool:
    """Return whether a value among the arguments becomes an input."""
    return isinstance(value, TensorSpec | Tensor | np.ndarray | np.generic)


def _is_string(value: Any) -> bool:
    """Return whether a value among the arguments is a tensor of strings, or the spec of one."""
    if isinstance(value, TensorSpec | Tensor):
        return value.dtype.name == "string"
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "OSU"


def _is_open(value: Any) -> bool:
    """Return whether a value is a `TensorSpec` that leaves sizes open."""
    return isinstance(value, TensorSpec) and not value.shape.is_fully_defined()


def _as_spec(value: Any) -> Any:
    """Return the spec of a tensor of any kind; other values as they are."""
    if isinstance(value, TensorLikeComposite):
        return value._spec()
    if isinstance(value, Tensor | np.ndarray | np.generic):
        return TensorSpec.from_tensor(convert(value, None))
    return value


def _without_name(value: Any) -> Any:
    return TensorSpec(value.shape, value.dtype) if isinstance(value, TensorSpec) else value


def _example(value: Any) -> Any:
    return (
        convert(np.zeros(tuple(value.shape), value.dtype.numpy_dtype), None) if isinstance(value, TensorSpec) else value
    )


_numbers = itertools.count(1)  # of the concrete functions


@export("types.experimental.ConcreteFunction")
class Concrete:
    """A function compiled for one kind of arguments, and callable only with those.

    >>> import whygrad as tf
    >>> concrete = tf.function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([2]))
    >>> isinstance(concrete, tf.types.experimental.ConcreteFunction)
    True
    """

    def __init__(self, owner: Specializations, special: Specialization, names: Sequence[str | None] = ()) -> None:
        self._owner = owner
        self._special = special
        self._number = next(_numbers)
        # The names that the program gave to the tensors among the arguments.
        self.given_names = names if len(names) == len(special.inputs) else [None] * len(special.inputs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it with matching arguments; the object whose method it is, and Python values, may be left out.

        Or call it with the tensors among the arguments alone, by position or by the names that they have as inputs.
        """
        try:
            full, named_too = self._structured(args, kwargs)
        except OpTypeError as error:
            try:
                tensors = self._flat(args, kwargs)
            except TypeError as also:
                raise OpTypeError(f"{error}\nFallback to flat signature also failed due to: {also}") from None
            if state.context is not None and not all(map(TensorSpec.is_compatible_with, self._specs, tensors)):
                raise
            full, named_too = self._filled(tensors)
        return self._call_owner(full, named_too)

    def _call_owner(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        return self._owner(*args, **kwargs)

    def _filled(self, tensors: Sequence[Any]) -> Any:
        """The positional arguments and those by name, with these tensors."""
        return fill(self._special.structure, tensors)

    # -- arguments as the Python function takes them --

    @property
    def _specs(self) -> list[TensorSpec]:
        """The tensors among its arguments, with the names that the program gave them."""
        return [TensorSpec(each.shape, each.dtype, name) for each, name in zip(self._inputs, self.given_names)]

    def _arguments(self, inputs: Sequence[Any] | None = None) -> list[function_type.Argument]:
        """The arguments that it takes, one by one, with `TensorSpec`s or the given values for tensors. A method's object is not one."""
        args, kwargs = self._filled(self._specs if inputs is None else inputs)
        found = function_type.arguments(self._owner.parameters, args, kwargs)
        return found[1:] if self._is_method else found

    def _structured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments of a call, with those that may be left out; raise unless they fit."""
        positional = self._instance
        if positional and args and args[0] is positional[0]:
            args = args[1:]
        by_keyword: dict[str, Any] = {}
        try:
            by_identifier = {function_type.identifier(name): value for name, value in kwargs.items()}
            given = self.function_type.bind_partial(*args, **by_identifier).arguments
            for each in self._arguments():
                value = each.value
                if each.identifier in given:
                    value = function_type.cast(value, given[each.identifier])
                elif any(isinstance(part, TensorSpec) for part in nest.flatten(value)):
                    raise TypeError(f"missing a required argument: {each.identifier!r}")
                if each.by_keyword:
                    by_keyword[each.name] = value
                else:
                    positional.append(value)
        except TypeError as error:
            raise self._not_bound(str(error), args, kwargs) from None
        return tuple(positional), by_keyword

    def _not_bound(self, reason: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> OpTypeError:
        return OpTypeError(
            f"Binding inputs to tf.function failed due to `{reason}`. Received args: {args} and kwargs: {kwargs} for signature: "
            f"{self.function_type}."
        )

    # -- the tensors among them alone --

    def _flat(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        """Return the inputs that were given by position or by their names; raise unless all are there, and tensors."""
        names = self._input_names
        summary = f"{self._owner.name}({', '.join(names)})"
        if len(args) > len(names):
            raise TypeError(f"{summary} takes {len(names)} positional arguments, got {len(args)}.")
        missing = sorted(set(names[len(args) :]) - set(kwargs))
        if missing:
            raise TypeError(f"{summary} missing required arguments: {', '.join(missing)}.")
        for name in kwargs:
            if name in names[: len(args)]:
                raise TypeError(f"{summary} got two values for '{name}'.")
        unexpected = sorted(set(kwargs) - set(names))
        if unexpected:
            raise TypeError(f"{summary} got unexpected keyword arguments: {', '.join(unexpected)}.")
        given = [*args, *[kwargs[name] for name in names[len(args) :]]]
        for i, value in enumerate(given):
            if not isinstance(value, Tensor | Variable):
                raise TypeError(
                    f"{summary}: expected argument #{i}(zero-based) to be a Tensor; got {type(value).__name__} ({value})."
                )
        tensors = [convert(value, None) for value in given]
        for i, (spec, tensor) in enumerate(zip(self._inputs, tensors)):
            if spec.dtype != tensor.dtype:
                raise invalid(
                    f"cannot compute {self._owner.name} as input #{i}(zero-based) was expected to be a {spec.dtype.cxx_name} tensor but is a "
                    f"{tensor.dtype.cxx_name} tensor [Op:{self._owner.name}]"
                )
        return tensors

    @property
    def _input_names(self) -> list[str]:
        """The names of its inputs: those that the program gave them, or those of their parameters, numbered where they repeat."""
        names = list(self.given_names)
        for each in self._arguments([Place(i) for i in range(len(names))]):
            for part in nest.flatten(each.value):
                if type(part) is Place:
                    names[part.index] = names[part.index] or each.name
        found: list[str] = []
        for name in names:
            base, number = name or "tensor_arg", 0
            proposal = base
            while proposal in found:
                number += 1
                proposal = f"{base}_{number}"
            found.append(proposal)
        return found

    @property
    def _is_method(self) -> bool:
        """Whether the first argument is the object whose method it is."""
        first = next(iter(self._special.structure[0]), None)
        return type(first) is Same and next(iter(self._owner.parameters.parameters), None) == "self"

    @property
    def _instance(self) -> list[Any]:
        """The object whose method it is, in a list; an empty one for a function."""
        return [self._special.structure[0][0].object] if self._is_method else []

    @property
    def function_type(self) -> function_type.FunctionType:
        """The types of its arguments and results."""
        return function_type.of_concrete(self._arguments(), self._result, self._captured)

    @property
    def structured_input_signature(self) -> tuple[Any, dict[str, Any]]:
        """The arguments that it takes, with `TensorSpec`s for tensors."""
        named = [(each, function_type.with_names(each.value, each.name)) for each in self._arguments()]
        positional = tuple([value for each, value in named if not each.by_keyword])
        return positional, {each.name: value for each, value in named if each.by_keyword}

    @property
    def structured_outputs(self) -> Any:
        """The result, with tensors that have a shape, a dtype and a name alone."""
        return nest.map_structure(_as_spec, fill(self._special.results, self.outputs))

    @property
    def output_shapes(self) -> Any:
        """The shapes of the result."""
        return nest.map_structure(lambda each: getattr(each, "shape", None), self.structured_outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the result."""
        return nest.map_structure(lambda each: getattr(each, "dtype", None), self.structured_outputs)

    @property
    def _result(self) -> Any:
        """The result, with a spec for each tensor."""
        return nest.map_structure(_as_spec, fill(self._special.results, self._outputs))

    @property
    def _inputs(self) -> list[TensorSpec]:
        return self._special.inputs

    @property
    def _outputs(self) -> list[TensorSpec]:
        return self._special.outputs

    @property
    def name(self) -> bytes:
        """The name that it has in TensorFlow's graphs: that of the function, with a number."""
        return f"__inference_{self._owner.name}_{self._number}".encode()

    @property
    def inputs(self) -> list[GraphTensor]:
        """The tensors among its arguments, named after their parameters."""
        return [
            GraphTensor(
                spec, Operation(name, "Placeholder", {"_user_specified_name": name.encode(), "dtype": spec.dtype})
            )
            for spec, name in zip(self._inputs, self._input_names)
        ]

    @property
    def outputs(self) -> list[GraphTensor]:
        """The tensors that it returns."""
        return [
            GraphTensor(spec, Operation(f"Identity_{i}" if i else "Identity", "Identity", {"T": spec.dtype}))
            for i, spec in enumerate(self._outputs)
        ]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it uses."""
        return tuple(self._special.variables)

    @property
    def _captured(self) -> list[Variable]:
        """The variables that it uses and that are not among its arguments."""
        given = [each.object for each in nest.flatten(self._special.structure) if isinstance(each, Same)]
        return [each for each in self.variables if not any(each is one for one in given)]

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are trainable."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def graph(self) -> Any:
        """What it computes, as far as programs read TensorFlow's graphs: the names of its operations, and what goes in and out."""
        return Graph(self, self._owner.name, self._special.computation.nodes(self._input_names))

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Return its arguments and results as text, with a line for each argument if `verbose`."""
        found = self.function_type
        return function_type.written_out(found) if verbose else str(found)

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.function_type} at {id(self):#X}>"


# Sizes in place of None, and ranks in place of unknown ones, under which a function with open sizes is traced to learn the shapes of
# its results. They have many divisors: programs split and reshape batches.
_TRIALS = ((12, 2), (24, 3), (8, 1), (4, 4), (1, 0))


class OpenConcrete(Concrete):
    """A function for arguments whose sizes are partly open: a version is compiled for each size that it is called with.

    It is traced for one set of sizes when it is made. Which sizes of the results are open is seen from a second one, if asked.
    """

    def __init__(
        self, owner: Specializations, args: tuple[Any, ...], kwargs: dict[str, Any], names: Sequence[str | None]
    ) -> None:
        self._given = args, kwargs
        self._trials = iter(_TRIALS)
        self.accepted: list[Accepted] | None = None  # what it accepts for its open axes, if it refused made-up sizes
        self._is_traced = False  # for some sizes
        self._owner = owner
        super().__init__(owner, self._next_trial(), names)

    def _next_trial(self) -> Specialization:
        """Return the function for the next sizes that suit its Python; if none do, raise what the first of them raised."""
        failed: Exception | None = None
        for size, rank in self._trials:
            # An axis of size 1 broadcasts where the function takes another size: it comes after what can be learnt.
            if size == 1 and self._learn():
                return self._next_trial()
            try:
                return self._traced_for(
                    [each.size(size) for each in self.accepted or ()] or itertools.repeat(size), rank
                )
            except Exception as error:
                failed = failed or error
        assert failed is not None, "there are trials left"
        raise failed

    def _learn(self) -> bool:
        """Learn which sizes the function accepts, and begin again with these. Return whether it accepts any."""
        shapes = [each.shape for each in nest.flatten(self._given) if _is_open(each)]
        if self.accepted is not None or any(each.rank is None for each in shapes):
            return False
        self.accepted = learnt(self._traced_for, sum(size is None for shape in shapes for size in shape))
        if self.accepted is None:
            return False
        self._trials = iter(_TRIALS)
        return True

    def _traced_for(self, made_up: Iterable[int], rank: int = 0) -> Specialization:
        """Return the function for these sizes in place of the open ones, and this rank in place of unknown ones."""
        sizes = iter(made_up)

        def closed(value: Any) -> Any:
            if not _is_open(value):
                return value
            given = [None] * rank if value.shape.rank is None else value.shape
            return TensorSpec([next(sizes) if each is None else each for each in given], value.dtype, value.name)

        args, kwargs = nest.map_structure(closed, self._given)
        with self._owner.for_other_sizes() if self._is_traced else contextlib.nullcontext():
            found = self._owner.version_for(*nest.map_structure(_example, (args, kwargs)))[1]
        self._is_traced = True
        return found

    def _call_owner(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        with self._owner.for_other_sizes():
            return super()._call_owner(args, kwargs)

    @property
    def _inputs(self) -> list[TensorSpec]:
        given = nest.flatten(self._given)
        return [
            each if isinstance(each, TensorSpec) else TensorSpec.from_tensor(convert(each, None))
            for each in given
            if _is_input(each)
        ]

    @functools.cached_property
    def _outputs(self) -> list[TensorSpec]:
        found = self._special.outputs
        try:
            others = self._next_trial().outputs
        except Exception:  # no other sizes suit it
            return found
        return [
            TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype, one.name)
            for one, other in zip(found, others)
        ]


class PythonConcrete(Concrete):
    """A function for strings, ragged or sparse tensors of one kind: its Python runs at each call, and once when it is made.

    That first time it is called with empty strings and rows, and sees its result's kind; nothing is assigned.
    """

    def __init__(self, owner: Specializations, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._owner = owner
        self._number = next(_numbers)
        is_method = next(iter(owner.parameters.parameters), None) == "self"
        self._method_of = Same(args[0]) if is_method and args else None
        self._given = ((self._method_of, *args[1:]) if self._method_of else args), kwargs
        self._kind = self._tried(1)
        self.given_names = [each.name for each in self._inputs]

    def _tried(self, size: int) -> Any:
        """The result for an example with this size in place of the open ones, as specs; None where the function refuses it."""
        args, kwargs = nest.map_structure(lambda each: _empty(each, size), self._given)
        with left_function(), PrivateValues():
            state.recorders = ()  # explanations are of the program's own values
            try:
                found = self._owner(*[each.object if type(each) is Same else each for each in args], **kwargs)
            except Exception:  # of the example's values: a call with others may succeed
                return None
        return nest.map_structure(_as_spec, found)

    def _filled(self, tensors: Sequence[Any]) -> Any:
        rest = iter(tensors)
        args, kwargs = nest.map_structure(
            lambda each: next(rest) if isinstance(each, TensorSpec) else each, self._given
        )
        return tuple([each.object if type(each) is Same else each for each in args]), kwargs

    def _flat(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        if any(map(_is_composite, nest.flatten(self._given))):
            raise TypeError("the tensors that ragged and sparse tensors consist of cannot be given alone.")
        return super()._flat(args, kwargs)

    @property
    def _is_method(self) -> bool:
        return self._method_of is not None

    @property
    def _instance(self) -> list[Any]:
        return [] if self._method_of is None else [self._method_of.object]

    @functools.cached_property
    def _result(self) -> Any:
        found = self._kind
        if found is None or not any(map(_has_open_sizes, nest.flatten(self._given))):
            return found
        other = self._tried(2)
        return found if other is None else nest.map_structure(_common, found, other)

    @property
    def structured_outputs(self) -> Any:
        """The result, with tensors that have a shape, a dtype and a name alone."""
        tensors = iter(self.outputs)
        return nest.map_structure(lambda each: next(tensors) if isinstance(each, TensorSpec) else each, self._result)

    @property
    def _inputs(self) -> list[TensorSpec]:
        return [each for each in nest.flatten(self._given) if isinstance(each, TensorSpec)]

    @property
    def _outputs(self) -> list[TensorSpec]:
        return [each for each in nest.flatten(self._result) if isinstance(each, TensorSpec)]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """None are known: there is no trace."""
        return ()

    @property
    def _captured(self) -> list[Variable]:
        return []

    @property
    def graph(self) -> Any:
        """An empty list of operations, with what goes in and out: there is no trace."""
        return Graph(self, self._owner.name, [])


def _has_open_sizes(value: Any) -> bool:
    return _is_open(value) or _is_composite(value)


def _empty(value: Any, size: int) -> Any:
    """An empty value of a spec, with this size in place of the open ones; other values as they are."""
    return value.empty(size) if hasattr(value, "value_type") else value


def _common(a: Any, b: Any) -> Any:
    return a.most_specific_compatible_type(b) if hasattr(a, "value_type") else a
