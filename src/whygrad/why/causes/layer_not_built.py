"""layer-not-built: the list of sources is empty because it was read before the variables were made."""

from __future__ import annotations

import ast

from whygrad.why.cause import Cause
from whygrad.why.evidence.empty_sources import EmptySources
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, node_at


def explain(empty: EmptySources) -> Cause | None:
    """The cause, if a variable of the target was made after the list of sources."""
    if empty.collected is None or not _made_later(empty, empty.collected):
        return None
    return Cause(
        "layer-not-built",
        "empty",
        f"{empty.sentence}: it was read before the variables were made",
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
