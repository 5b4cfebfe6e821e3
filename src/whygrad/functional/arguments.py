"""What functions are differentiated by: arguments that become tensors, and results that become NumPy arrays again.

A function that is called with NumPy arrays or Python numbers gets tensors that behave as arrays (`enable_dispatch` meanwhile), and the
caller gets NumPy arrays. With tensors or variables it runs as it stands, and the caller gets tensors.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from whygrad.numpy.dispatch import dispatching
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.ops.shaping import identity
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.errors import OpTypeError, OpValueError
from whygrad.values.faults import NotDifferentiableArgument
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import SymbolicTensor, Tensor, value_of, wrap
from whygrad.values.variable import Variable

_OURS = (Tensor, Variable, IndexedSlices, TensorLikeComposite)


def is_ours(value: Any) -> bool:
    """Whether an argument is a tensor or a variable, and no array or number."""
    return isinstance(value, _OURS)


def mode_for(leaves: Sequence[Any]) -> contextlib.AbstractContextManager[None]:
    """The context for a function that is called with these: for NumPy's values, that in which tensors behave as arrays."""
    is_numpy = any(leaf is not None and not is_ours(leaf) for leaf in leaves)
    return dispatching() if is_numpy else contextlib.nullcontext()


class Named(NamedTuple):
    """How explanations call a function and those of its arguments that it is differentiated by."""

    function: Callable[..., Any]
    argnums: tuple[int, ...]
    paths: tuple[tuple[Any, ...], ...]  # to each source: the number of the argument, then keys and indices
    derivative: str = "gradient"
    of: str = ""  # "gradient", for a derivative that is differentiated again

    @property
    def target(self) -> str:
        """The result of the function."""
        name = spoken_name(self.function)
        return f"the {self.of} of {name}" if self.of else name

    @property
    def sources(self) -> list[str]:
        """The arguments, by the names of their parameters."""
        names = _parameter_names(self.function)
        return [
            (names[path[0]] if path[0] < len(names) else f"the argument {path[0]}")
            + "".join(f"[{nest.shown_key(key)}]" for key in path[1:])
            for path in self.paths
        ]


def spoken_name(function: Callable[..., Any]) -> str:
    """A function as a sentence calls it."""
    while isinstance(function, functools.partial):
        function = function.func
    name = str(getattr(function, "__name__", type(function).__name__))
    return "the lambda" if name == "<lambda>" else name


def quoted_name(function: Callable[..., Any]) -> str:
    """A function inside a sentence of an error: its name in backquotes, or "the lambda"."""
    name = spoken_name(function)
    return name if name == "the lambda" else f"`{name}`"


def _parameter_names(function: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each.name for each in parameters if each.kind in kinds]


class Arguments:
    """The positional arguments of one call, of which those at `argnums` are differentiated."""

    def __init__(self, function: Callable[..., Any], args: Sequence[Any], argnums: tuple[int, ...]) -> None:
        self._chosen = [args[number] for number in argnums]  # as they were given
        flat = [nest.flatten(each) for each in self._chosen]
        self._counts = [len(each) for each in flat]
        self._leaves = [leaf for leaves in flat for leaf in leaves]
        self.named = Named(
            function,
            argnums,
            tuple(
                (number, *path)
                for number, each, leaves in zip(argnums, self._chosen, flat)
                for path, leaf in zip(nest.paths(each), leaves)
                if leaf is not None
            ),
        )
        values = [_taken(leaf, self.named, i) for i, leaf in enumerate(self._leaves)]
        self.sources = [each for each in values if each is not None]
        self._positions = [i for i, each in enumerate(values) if each is not None]
        self._returns_tensors = any(map(is_ours, self._leaves))
        packed = self._packed(values)
        self.args = list(args)
        for number, value in zip(argnums, packed):
            self.args[number] = value

    def mode(self) -> contextlib.AbstractContextManager[None]:
        """The context that the function runs in: for NumPy's arguments, that in which tensors behave as arrays."""
        return mode_for(self._leaves)

    def packed(self, found: Sequence[Any]) -> list[Any]:
        """One value for each source, in the structures of the arguments and as what the arguments are."""
        values: list[Any] = [None] * len(self._leaves)
        for position, value in zip(self._positions, found):
            values[position] = value if is_ours(self._leaves[position]) else left(value)
        return self._packed(values)

    def directions(self, tangents: Sequence[Any]) -> list[Tensor]:
        """A tangent for each source, given in the structures of the arguments."""
        found: list[Tensor] = []
        sources = iter(self.sources)
        for given, tangent in zip(self._chosen, tangents):
            here = [None if leaf is None else next(sources) for leaf in nest.flatten(given)]
            found += like(given, tangent, here, "a tangent", "its primal")
        return found

    def result(self, structure: Any) -> Any:
        """What the function gave: tensors as NumPy arrays, unless a differentiated argument is a tensor itself."""
        return structure if self._returns_tensors else nest.map_structure(left, structure)

    def _packed(self, values: list[Any]) -> list[Any]:
        found, start = [], 0
        for given, count in zip(self._chosen, self._counts):
            found.append(nest.pack_sequence_as(given, values[start : start + count]))
            start += count
        return found


def _taken(leaf: Any, named: Named, position: int) -> Any:
    """A tensor for one differentiated value; None for None, which stands for nothing, as in JAX."""
    if leaf is None:
        return None
    value: Any = leaf
    if isinstance(leaf, Variable | IndexedSlices | TensorLikeComposite):
        pass
    elif isinstance(leaf, Tensor):
        # Of a tensor that the function also uses by itself only the argument is differentiated: it needs an identity of its own.
        value = wrap(leaf._array) if type(leaf) is Tensor and not state.recorders else identity(leaf)
    elif isinstance(leaf, bool | int | float | complex | np.ndarray | np.generic) or hasattr(leaf, "__array__"):
        value = as_numpy_does(np.asarray(leaf)) if not isinstance(leaf, np.ndarray) else as_numpy_does(leaf)
    else:
        raise _refused(leaf, None, named, position)
    if not value.dtype.is_differentiable:
        raise _refused(leaf, value.dtype, named, position)
    return value


def _refused(leaf: Any, dtype: Any, named: Named, position: int) -> OpTypeError:
    number = named.sources[position]
    kind = type(leaf).__name__ if dtype is None or isinstance(leaf, bool | int) else f"of dtype {dtype.name}"
    return OpTypeError(
        NotDifferentiableArgument(
            function=quoted_name(named.function), argument=number, value=leaf, kind=kind, is_number=dtype is not None
        )
    )


def like(structure: Any, given: Any, tensors: Sequence[Any], what: str, of: str) -> list[Tensor]:
    """The elements of `given`, which must have the structure of another one and the shapes of its tensors; None has none."""
    try:
        nest.assert_same_structure(structure, given, check_types=False)
    except (TypeError, ValueError):
        raise OpTypeError(f"{what} must have the structure of {of}") from None
    found = []
    for each, tensor in zip(nest.flatten(given), tensors):
        if tensor is None:
            continue
        direction = convert(each, tensor.dtype)
        if tuple(direction.shape) != tuple(tensor.shape):
            raise OpValueError(f"{what} has shape {direction.shape}, but {of} has shape {tensor.shape}")
        found.append(direction)
    return found


def left(value: Any) -> Any:
    """A result as a NumPy array or scalar of its own; a tensor that an outer derivative needs, or that has no value yet, as it is."""
    if isinstance(value, IndexedSlices):
        value = convert(value, None)
    if not isinstance(value, Tensor) or isinstance(value, SymbolicTensor) or state.context is not None:
        return value
    if any(each.differentiates and each.watches(value._key) for each in state.recorders):
        return value
    # Not `value.numpy()`: recorders note values that leave a tape too early, and this one has been differentiated.
    array = value_of(value)
    return array.copy() if array.shape else array[()]
