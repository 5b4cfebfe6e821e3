"""source-unused: a layer that a trained model makes for itself, and that nothing calls. It is never built, so it has no variable to ask for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from whygrad.runtime.call_sites import Place, Scope, is_ours, objects_in_scopes
from whygrad.why.cause import Cause, finished
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.sites import site, tree_of
from whygrad.why.source.stand_ins import variable_in
from whygrad.why.source.wording import quoted


def suspect(question: Question, trace: Trace) -> None:
    """Note the layers that no line of the program reads again: they are not called if the program ends so."""
    if trace.times_asked(question.call) != 1:
        return
    sources = {id(each) for each in question.call.sources}
    for reference, scope in list(objects_in_scopes.values()):
        holder = reference()
        if holder is None or not scope.what or not _is_trained(holder, sources):
            continue
        for attribute, layer, kind in _unbuilt(holder):
            if layer.made is not None and not _reads(question, type(holder), attribute):
                cause = _cause(question, f"{quoted(attribute)} of {scope.what}", attribute, kind, layer.made)
                trace.suspect_uncalled(finished(cause), layer)


def _is_trained(holder: Any, sources: set[int]) -> bool:
    """Whether a layer or model of the program's own class has one of the sources."""
    return any(_files_of(type(holder))) and any(
        id(variable_in(each)) in sources for each in getattr(holder, "trainable_weights", ())
    )


def _files_of(kind: type) -> Iterator[str]:
    """The program's own files that define the methods of a class."""
    for each in kind.__mro__:
        for method in vars(each).values():
            code = getattr(method, "__code__", None)
            if code is not None and not is_ours(code.co_filename):
                yield code.co_filename


def _unbuilt(holder: Any) -> Iterator[tuple[str, Scope, str]]:
    """The layers among the attributes that were not called, and would get weights then: each with its attribute and its class."""
    for attribute, value in vars(holder).items():
        reference, scope = objects_in_scopes.get(id(value), (None, None))
        if reference is None or scope is None or scope.what or getattr(value, "built", True):
            continue
        if _makes_weights(value):
            yield attribute, scope, type(value).__name__


def _makes_weights(layer: Any) -> bool:
    """Whether a layer has a `build` besides that of the library's base class, which has `add_weight` too, or holds such a layer."""
    builds = next((kind for kind in type(layer).__mro__ if "build" in vars(kind)), None)
    if builds is not None and "add_weight" not in vars(builds):
        return True
    return any(_makes_weights(each) for each in getattr(layer, "_layers", ()))


_BY_NAME = {"getattr", "setattr", "vars"}


def _reads(question: Question, kind: type, attribute: str) -> bool:
    """Whether the program reads an attribute of that name anywhere, or looks attributes up by names that it computes."""
    trees = {id(tree): tree for tree in (*question.flow.trees, *map(tree_of, _files_of(kind))) if tree is not None}
    return any(
        (isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Name) and node.id in _BY_NAME)
        for tree in trees.values()
        for node in ast.walk(tree)
    )


def _cause(question: Question, what: str, attribute: str, kind: str, made: Place) -> Cause:
    return Cause(
        "source-unused",
        "wrong_value",
        f"{what} is never called: it gets no weights, and {quoted(question.target_name)} does not depend on it",
        (site(*made, "made here", kind), question.call_site.site),
        f"call self.{attribute}(...) in `call`, or leave the layer out",
        likely=True,
    )
