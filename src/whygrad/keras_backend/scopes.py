"""Tell explanations which layer, loss or metric computes on behalf of a line that says only `model.fit(x, y)`, and what made it."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from whygrad.runtime.call_sites import At, InScope, Place, Scope, objects_in_scopes, pinned, users_site
from whygrad.why.source.stand_ins import variable_in


def noting_where_made(new: Callable[..., Any]) -> Any:
    """`__new__` of a class, which also notes the user's line that makes an object."""

    @functools.wraps(new)
    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        made = object.__new__(cls) if new is object.__new__ else new(cls, *args, **kwargs)
        identity = id(made)
        scope = Scope("", Place(*users_site()))
        scope.made_in = _entered()
        objects_in_scopes[identity] = weakref.ref(made, lambda _: objects_in_scopes.pop(identity, None)), scope
        return made

    return staticmethod(__new__)


def in_scope(method: Callable[..., Any], kind: str) -> Callable[..., Any]:
    """A method of a layer or the like, whose ops belong to it."""

    @functools.wraps(method)
    def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
        scope = scope_of_object(self)
        if scope is None or (pinned.scope is not None and pinned.scope[0] is scope):  # a layer is also an operation
            return method(self, *args, **kwargs)
        if not scope.what:
            scope.what = f"{kind} `{self.name}`"
        scope.caller = _entered()
        with InScope(scope):
            return method(self, *args, **kwargs)

    return scoped


def _entered() -> Scope | None:
    """The innermost scope that this thread is in."""
    return None if pinned.scope is None else pinned.scope[0]


def refusing(check: Callable[..., None]) -> Callable[..., None]:
    """A layer's check of its input, for a layer whose call is in no scope: the error then names the layer and what it was given."""

    @functools.wraps(check)
    def checked(spec: Any, *args: Any, **kwargs: Any) -> None:
        name = kwargs.get("layer_name", args[-1] if args else "")
        scope = Scope(f"layer `{name}`", None)  # noqa: F841  # read off this frame, where the check fails
        check(spec, *args, **kwargs)

    return checked


def making_variables(add_weight: Callable[..., Any]) -> Callable[..., Any]:
    """`add_weight` of a layer, which also notes the variable's layer."""
    scoped = in_scope(add_weight, "layer")

    @functools.wraps(add_weight)
    def adding(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = scoped(self, *args, **kwargs)
        own = scope_of_object(self)
        if own is not None:
            _belongs_to(made, own)
            if getattr(made, "_value", None) is None:
                with InScope(own):
                    made._made_at = Place(*users_site())
            if own.frozen is None and not self.trainable:  # by an argument of its constructor
                own.frozen, own.frozen_with = own.made, own
        return made

    return adding


def _belongs_to(made: Any, scope: Scope) -> None:
    """Note the scope of a Keras variable, which may get its value only later, where a model is built symbolically."""
    made._scope = scope
    if getattr(made, "_value", None) is not None:
        _describe(made)


def initializing(initialize: Callable[..., None]) -> Callable[..., None]:
    """The method that gives a Keras variable its value, which then gets the path and the scope too."""

    @functools.wraps(initialize)
    def _initialize(self: Any, value: Any) -> None:
        with At(getattr(self, "_made_at", pinned.place)):
            initialize(self, value)
        _describe(self)

    return _initialize


def _describe(made: Any) -> None:
    """Give the variable that a Keras variable holds, and what stands for that, its path and scope."""
    for each in (made._value, variable_in(made)):
        if each is not None:
            each._path, each._scope = made.path, getattr(made, "_scope", None)


def scope_of_object(held: Any) -> Scope | None:
    """The scope of an object, if the line that made it was noted."""
    found = objects_in_scopes.get(id(held))
    return None if found is None else found[1]


def maker_of(value: Any) -> Any:
    """The layer that made a Keras symbolic tensor."""
    return getattr(getattr(value, "_keras_history", None), "operation", None)


class _Setting(threading.local):
    """The layer whose `trainable` the program is setting in this thread, which sets that of the layers inside."""

    outermost: Scope | None = None


_setting = _Setting()


def noting_where_frozen(trainable: property) -> property:
    """The attribute `trainable` of layers, which also notes the user's lines that set it."""

    def setter(self: Any, value: Any) -> None:
        scope = scope_of_object(self)
        before = _setting.outermost
        if before is None:
            _setting.outermost = scope
        try:
            if scope is not None:
                _note_setting(scope, _setting.outermost or scope, bool(value))
            trainable.fset(self, value)  # type: ignore[misc]
        finally:
            _setting.outermost = before

    return trainable.setter(setter)


def _note_setting(scope: Scope, outermost: Scope, trainable: bool) -> None:
    place = Place(*users_site())
    if not trainable:
        scope.frozen, scope.frozen_with, scope.thawed = place, outermost, None
        return
    if scope.frozen is not None:
        scope.frozen, scope.thawed = None, place


def reporting(add_variable: Callable[..., Any]) -> Callable[..., Any]:
    """A method with which a metric makes its variables, which are results that the program shows."""

    @functools.wraps(add_variable)
    def adding(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = add_variable(self, *args, **kwargs)
        scope = scope_of_object(self)
        if scope is not None:
            metric = weakref.ref(self)
            scope.result = lambda: f"metric `{getattr(metric(), 'name', '')}`"  # Keras may name it later
            _belongs_to(made, scope)
        return made

    return adding


def noting_unknown_variables(check: Callable[..., None]) -> Callable[..., None]:
    """An optimizer's check that it was built for some variables, whose error then also has both lists."""

    @functools.wraps(check)
    def checked(self: Any, variables: Any) -> None:
        try:
            check(self, variables)
        except ValueError as error:
            error.unknown_variables = variables, self._trainable_variables  # type: ignore[attr-defined]
            raise

    return checked


def as_whole_call(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method such as `fit`, whose arguments are not the operands of the ops in it."""
    scope = Scope("", None, method.__name__)

    @functools.wraps(method)
    def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
        with InScope(scope):
            return method(self, *args, **kwargs)

    return scoped


def training(
    fit: Callable[..., Any],
    standard_step: Callable[..., Any],
    variable_of: Callable[[Any], Any] = lambda held: held.value,
) -> Callable[..., Any]:
    """A method that trains a model: listeners are notified of a model in which Keras's own step finds nothing to train.

    `variable_of` gives whygrad's variable for a Keras variable.
    """
    whole = as_whole_call(fit)

    @functools.wraps(fit)
    def scoped(self: Any, *args: Any, **kwargs: Any) -> Any:
        done = whole(self, *args, **kwargs)
        if type(self).train_step is standard_step and self.weights and not self.trainable_weights:
            from whygrad.view.notice import nothing_trained

            nothing_trained(list(map(variable_of, self.weights)), users_site())
        return done

    return scoped


# What is wrapped of Keras's classes, so that explanations name the layers and losses in which something happens: by module, the class, its
# method, and what wraps it.
METHODS: dict[str, tuple[tuple[str, str, Callable[[Any], Any]], ...]] = {
    "keras.src.backend.tensorflow.core": (("Variable", "_initialize", initializing),),
    "keras.src.ops.operation": (
        ("Operation", "__new__", noting_where_made),
        ("Operation", "__call__", functools.partial(in_scope, kind="op")),  # `ops.relu(x)` in a functional model
    ),
    "keras.src.layers.layer": (
        ("Layer", "__call__", functools.partial(in_scope, kind="layer")),
        ("Layer", "add_weight", making_variables),
        ("Layer", "trainable", noting_where_frozen),
    ),
    "keras.src.losses.loss": (
        ("Loss", "__new__", noting_where_made),
        ("Loss", "__call__", functools.partial(in_scope, kind="loss")),
    ),
    "keras.src.optimizers.base_optimizer": (("BaseOptimizer", "_check_variables_are_known", noting_unknown_variables),),
    "keras.src.metrics.metric": (
        ("Metric", "__new__", noting_where_made),
        ("Metric", "add_variable", reporting),
    ),
}
