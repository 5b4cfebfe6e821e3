"""How an op of TensorFlow's is recorded without computing it again: by the primitive that whygrad's function turned out to be.

The first time that an op is met with given attributes, shapes and dtypes, whygrad's function computes it, and is watched. Where it is
one primitive on the op's own inputs, the next such op is recorded as that primitive, with the result that TensorFlow has.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from whygrad.ops.primitive import ATTRIBUTES, Primitive, record
from whygrad.values import dtypes
from whygrad.values.recorders import observers
from whygrad.values.tensor import Tensor, wrap

_MOST_RECIPES = 4096  # a program that meets more kinds of ops than this computes the others
_MOST_BYTES = 64  # of an input that says axes, sizes or the like
_PLAIN = (bool, int, float, str, type(None), np.dtype, dtypes.DType)


class Recipe:
    """The primitive that an op is."""

    __slots__ = ("attributes", "inputs", "made", "options", "primitive")

    def __init__(self, primitive: Primitive, attributes: dict[str, Any], inputs: tuple[int, ...]) -> None:
        self.primitive = primitive
        self.attributes = attributes
        self.inputs = inputs  # which of the op's inputs the primitive takes
        self.options: tuple[tuple[int, bytes], ...] = ()  # the others, with their values
        self.made: tuple[tuple[Any, Any], ...] = ()  # shapes and dtypes of the results

    def fits(self, shadows: list[Any], arrays: list[Any]) -> bool:
        """Whether an op of the same attributes, shapes and dtypes, and with these results, is this one."""
        for number, value in self.options:
            if shadows[number]._array.tobytes() != value:
                return False
        return len(arrays) == len(self.made) and all(
            array.shape == shape and array.dtype == dtype for array, (shape, dtype) in zip(arrays, self.made)
        )


class Watched:
    """Sees what this thread computes, as an observer."""

    looks_inside_functions = True

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self.ops: list[tuple[Any, tuple[Tensor, ...], Any]] = []

    def computed(self, raw: tuple[Any, ...], inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """Note an op."""
        if threading.get_ident() == self._thread:
            self.ops.append((raw, inputs, outputs))

    def pulled(self, raw: tuple[Any, ...], key: Any, g: Any, gx: Any) -> None:
        """A sweep is of no interest."""

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Nor is a compiled function."""

    def recipe(self, shadows: list[Any], results: list[Any]) -> Recipe | None:
        """What the function computed, if it was one primitive on the op's inputs."""
        if len(self.ops) != 1:
            return None
        raw, inputs, outputs = self.ops[0]
        made = outputs if type(outputs) is tuple else (outputs,)
        numbers = {id(shadow): i for i, shadow in enumerate(shadows)}
        plan, attributes = raw[0], raw[ATTRIBUTES]
        if (
            len(made) != len(results)
            or any(a is not b for a, b in zip(made, results))
            or any(id(each) not in numbers for each in inputs)
            or not _is_plain(list(attributes.values()))
            or not plan.primitive.keeps_plans
        ):
            return None
        found = Recipe(plan.primitive, attributes, tuple([numbers[id(each)] for each in inputs]))
        others = [i for i in range(len(shadows)) if i not in found.inputs]
        if any(shadows[i]._array.nbytes > _MOST_BYTES for i in others):
            return None
        found.options = tuple([(i, shadows[i]._array.tobytes()) for i in others])
        found.made = tuple([(each._array.shape, each._array.dtype) for each in made])
        return found


def _is_plain(value: Any) -> bool:
    """Whether a value cannot depend on the numbers in a tensor: it says axes, sizes or ways of computing."""
    return all(map(_is_plain, value)) if isinstance(value, list | tuple) else isinstance(value, _PLAIN)


class Recipes:
    """The recipes that were found so far."""

    def __init__(self) -> None:
        self._known: dict[Any, Recipe | None] = {}

    def key(self, op_type: str, attributes: Any, shadows: list[Any]) -> Any:
        """What two ops have in common that are the same primitive."""
        shapes = [(each._array.shape, each._array.dtype.num) for each in shadows]
        try:
            key = (op_type, attributes, *shapes)
            hash(key)
        except TypeError:  # lists among the attributes
            key = (op_type, repr(attributes), *shapes)
        return key

    def record(self, key: Any, shadows: list[Any], arrays: list[Any]) -> tuple[Tensor, ...] | None:
        """Record an op that gave `arrays`; None if there is no recipe for it."""
        recipe = self._known.get(key)
        if recipe is None or not recipe.fits(shadows, arrays):
            return None
        made = tuple([wrap(each) for each in arrays])
        inputs = tuple([shadows[i] for i in recipe.inputs])
        record(recipe.primitive, inputs, made if len(made) > 1 else made[0], recipe.attributes)
        return made

    @contextlib.contextmanager
    def learning(self, key: Any, shadows: list[Any]) -> Iterator[Watched | None]:
        """Watch the function that computes an op for the first time. Of the same tensor twice it would not show which is which."""
        is_clear = key is not None and len(set(map(id, shadows))) == len(shadows)
        if not is_clear or key in self._known or len(self._known) >= _MOST_RECIPES or not observers:
            yield None
            return
        watched = Watched()
        observers.append(watched)
        try:
            yield watched
        finally:
            observers.remove(watched)

    def learned(self, key: Any, recipe: Recipe | None) -> None:
        """Keep what was found."""
        self._known[key] = recipe
