"""layer-not-built: the list of sources is empty because it was read before the variables were made."""

from __future__ import annotations

import ast
import inspect

from whygrad.runtime.call_sites import is_ours
from whygrad.why.cause import Cause
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.source import syntax
from whygrad.why.source.names import names_known_to
from whygrad.why.source.object_paths import object_paths
from whygrad.why.source.sites import Site, expression_at, node_at
from whygrad.why.source.stand_ins import variable_in


def explain(empty: EmptySources) -> Cause | None:
    """The cause, if a variable of the target was made after the list of sources."""
    if empty.collected is None or not (_made_later(empty, empty.collected) or _is_listed_now(empty, empty.collected)):
        return None
    return Cause(
        "layer-not-built",
        "empty",
        f"{empty.sentence}, because it was read before the variables were made",
        (empty.collected, *empty.made[:1], empty.call_site.site),
        "read the variables after the layer was called once, or make them in its constructor",
        empty.shapes,
    )


def _made_later(empty: EmptySources, collected: Site) -> bool:
    """Whether a variable was made after the list was: while a tape was recording, or further down in the same module."""
    for variable in empty.variables:
        values = empty.evidence.traced_values_of(variable) or empty.evidence.watched_variables[variable]
        key = next(iter(values), None)
        if key is None:
            continue
        if empty.evidence.was_made_while_recording(key):
            return True
        for code, instruction in empty.evidence.stack_of(key):
            node = node_at(code, instruction)
            here = (
                node is not None
                and code.co_filename == collected.file
                and isinstance(syntax.scope_of(node), ast.Module)
            )
            if here and node.lineno > collected.line:
                return True
    return False


def _is_listed_now(empty: EmptySources, collected: Site) -> bool:
    """Whether what the list was read from, such as `model.trainable_variables` of a library's object, has the variables by now."""
    node = expression_at(collected)
    if not isinstance(node, ast.Attribute) or not empty.variables:
        return False
    written = ast.unparse(node.value)
    for held in object_paths(names_known_to(empty.code), lambda value: hasattr(type(value), node.attr)):
        function = getattr(inspect.getattr_static(type(held.value), node.attr, None), "fget", None)
        if held.text == written and function is not None and is_ours(function.__code__.co_filename):
            listed = [id(variable_in(each)) for each in getattr(held.value, node.attr)]
            return all(id(each) in listed for each in empty.variables)
    return False
