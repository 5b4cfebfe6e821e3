"""Module: a base class for objects that hold variables and other modules."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from whygrad._public import export
from whygrad.modules.tracking import Trackable, contents
from whygrad.ops.scopes import name_scope
from whygrad.values.errors import OpValueError
from whygrad.values.variable import Variable

Method = TypeVar("Method", bound=Callable[..., Any])


@export("Module")
class Module(Trackable):
    """A base class for objects that hold variables, directly or in other modules, lists, tuples and dicts.

    >>> import whygrad as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs, name=None):
    ...         super().__init__(name=name)
    ...         self.w = tf.Variable(tf.ones((inputs, outputs)), name="w")
    ...         self.b = tf.Variable(tf.zeros(outputs), name="b")
    ...     def __call__(self, x):
    ...         return tf.nn.relu(x @ self.w + self.b)
    >>> layer = Dense(3, 2)
    >>> layer.name, [v.name for v in layer.trainable_variables]
    ('dense', ['b:0', 'w:0'])
    """

    # Attributes that are skipped; a class may add names of its own.
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = Trackable._UNTRACKED

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _snake_case(type(self).__name__)
        if not re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_]*", name):
            raise OpValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers "
                "(e.g. a valid class name)."
            )
        self._name = name
        with name_scope(name) as scope:
            self._scope = name_scope(scope)

    @property
    def name(self) -> str:
        """The given name, or the name of the class in snake case."""
        return self._name

    @property
    def name_scope(self) -> Any:
        """The name scope of the module, for the variables that are created in it."""
        return self._scope

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables: first those of this module, in the order of its attributes' names, then those of its submodules."""
        return tuple(self._flatten(predicate=_is_variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The trainable variables among `variables`."""
        return tuple(self._flatten(predicate=lambda leaf: _is_variable(leaf) and leaf.trainable))

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The variables among `variables` that are not trainable."""
        return tuple(self._flatten(predicate=lambda leaf: _is_variable(leaf) and not leaf.trainable))

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules inside this one, at any depth."""
        return tuple(self._flatten(predicate=lambda leaf: isinstance(leaf, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] | None = None,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
        expand_composites: bool = False,
    ) -> Iterator[Any]:
        """The values in the attributes that pass `predicate`, each once; with `with_path`, once for each path to it."""
        passes = predicate or (lambda leaf: True)
        return _leaves(self, recursive, passes, attribute_traversal_key, with_path, (), {id(self)}, [])

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Run a method in the module's name scope: the variables it creates are named after the module.

        >>> import whygrad as tf
        >>> class Scale(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self, x):
        ...         if not hasattr(self, "factor"):
        ...             self.factor = tf.Variable(2.0, name="factor")
        ...         return self.factor * x
        >>> scale = Scale()
        >>> scale(3.0).numpy(), scale.factor.name
        (np.float32(6.0), 'scale/factor:0')
        """

        @functools.wraps(method)
        def in_scope(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return in_scope  # type: ignore[return-value]


def _is_variable(leaf: Any) -> bool:
    return isinstance(leaf, Variable)


def _leaves(
    module: Module,
    recursive: bool,
    passes: Callable[[Any], bool],
    key: Callable[[str], Any] | None,
    with_path: bool,
    path: tuple[Any, ...],
    seen: set[int],
    outer: list[Module],
) -> Iterator[Any]:
    attributes = vars(module)
    ignored = module._TF_MODULE_IGNORED_PROPERTIES
    inside = []
    outer = [*outer, module]
    for name in sorted(attributes, key=key):
        if name in ignored:
            continue
        try:
            found = list(contents(attributes[name]))
        except Exception as cause:
            raise OpValueError(f"Error processing property {name!r} of {attributes[name]!r}") from cause
        for place, leaf in found:
            if not with_path:
                if id(leaf) in seen:
                    continue
                seen.add(id(leaf))
            where = (*path, name, *place)
            if passes(leaf):
                yield (where, leaf) if with_path else leaf
            if recursive and isinstance(leaf, Module) and not any(leaf is each for each in outer):
                inside.append((where, leaf))
    for where, submodule in inside:
        yield from _leaves(submodule, recursive, passes, key, with_path, where, seen, outer)


def _snake_case(name: str) -> str:
    """`DenseNet2D` as `dense_net2_d`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<!^)(?=[A-Z][a-z])", "_", name).lower()
