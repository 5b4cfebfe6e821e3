"""Why there are no gradients at all: the list of sources is empty."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History
from whygrad.why.evidence.question import kept_at
from whygrad.why.source import syntax
from whygrad.why.source.sites import Site, argument_node, node_at, site, site_of
from whygrad.why.source.wording import described, gradient_names, quoted


def explain(call: GradientCall, trace: Any = None) -> Cause:
    """The cause of an empty result."""
    targets, _ = gradient_names(call.code, call.instruction, max(len(call.targets), 1), 0)
    asked = site(call.code, call.instruction, "asked here")
    node = argument_node(call.code, call.instruction, 1, "sources")
    listed = quoted(ast.unparse(node)) if node is not None else "the list of sources"
    sentence = f"the gradient of {quoted(targets[0])} is empty: {listed} holds no variables"
    variables = _used(call)
    made = [place for place in (_made(variable, trace) for variable in variables) if place is not None]
    shapes = {variable.name.removesuffix(":0"): described(variable) for variable in variables[:4]}
    collected = _collected(call, node)
    if collected is not None and variables and _built_later(collected, variables, trace):
        return Cause(
            "layer-not-built",
            "empty",
            f"{sentence}: it was read before the variables were made",
            (collected, *made[:1], asked),
            "read the variables after the layer was called once, or make them in its constructor",
            shapes,
        )
    if variables:
        return Cause(
            "variable-not-tracked",
            "empty",
            f"{sentence}, though {quoted(targets[0])} was computed from {_count(len(variables))}",
            (*made[:1], *([collected] if collected is not None else []), asked),
            "put the variables into the list: an attribute that is not tracked is not among them",
            shapes,
            likely=not made,
        )
    return Cause(
        "variable-not-tracked",
        "empty",
        sentence,
        (*([collected] if collected is not None else []), asked),
        "look at where the list of sources comes from: a layer that is not built yet has no variables, and an attribute "
        "that is not tracked is not among them",
        likely=True,
    )


def _count(number: int) -> str:
    return "a variable" if number == 1 else f"{number} variables"


def _used(call: GradientCall) -> list[Variable]:
    """The variables that the target was computed from."""
    history = History(call.tape.records, ())
    towards = history.towards(key for key in map(call.key_of, call.targets) if key is not None)
    return [v for v, versions in call.tape._versions.items() if any(key in towards for key in versions)]


def _made(variable: Variable, trace: Any) -> Site | None:
    """Where a variable was made."""
    key = next(iter(trace.values_of(variable)), None) if trace is not None else None
    place = kept_at(trace.stack_of(key)) if key is not None else None
    return None if place is None else site(*place, "made here", described(variable))


def _collected(call: GradientCall, node: ast.expr | None) -> Site | None:
    """Where the list of sources was put together, if that was before the call of gradient."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return None
    scope = syntax.scope_at(call.code, call.instruction)
    found = syntax.assignment_before(scope, ast.unparse(node), node.lineno)
    if found is None or not isinstance(found[0], ast.Assign | ast.AnnAssign):
        return None
    return site_of(found[1], call.code.co_filename, "collected here")


def _built_later(collected: Site, variables: list[Variable], trace: Any) -> bool:
    """Whether a variable was made after the list was: while a tape was recording, or further down in the same function."""
    for variable in variables if trace is not None else ():
        key = next(iter(trace.values_of(variable)), None)
        if key is None:
            continue
        if key in trace.made_while_recording:
            return True
        for code, instruction in trace.stack_of(key):
            node = node_at(code, instruction)
            here = (
                node is not None
                and code.co_filename == collected.file
                and isinstance(syntax.scope_of(node), ast.Module)
            )
            if here and node.lineno > collected.line:
                return True
    return False
