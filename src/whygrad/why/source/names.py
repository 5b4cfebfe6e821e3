"""The names of the targets and sources of a call of `gradient`, as the program writes them."""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

from whygrad.runtime.call_sites import scope_of
from whygrad.tape.gradient_calls import GradientCall
from whygrad.values.nest import shown_key
from whygrad.values.variable import Variable
from whygrad.why.source import syntax
from whygrad.why.source.object_paths import object_paths
from whygrad.why.source.sites import argument_node, element_names, tree_of
from whygrad.why.source.stand_ins import resolved

# Attributes that collect the variables of an object, in an order that the user did not choose.
_COLLECTIONS = ("trainable_variables", "variables", "non_trainable_variables", "trainable_weights", "weights")


def names_of(call: GradientCall) -> tuple[list[str], list[str]]:
    """The targets and the sources of a call, as they are written there."""
    if call.tape.named is not None:
        return [call.tape.named.target] * len(call.targets), call.tape.named.sources
    if scope_of(call.code) is not None:  # a library's step of training
        named = [name_given_to(each) if isinstance(each, Variable) else None for each in call.sources]
        return ["the loss"] * len(call.targets), [name or "the source" for name in named]
    if call.tape.primals_at is not None:  # `accumulator.jvp(results)`
        results = argument_node(call.code, call.instruction, 0, "primals")
        primals = argument_node(*call.tape.primals_at, 0, "primals")
        source = "the primal" if primals is None else _at(primals, (call.paths or [()])[0])
        return element_names(results, len(call.targets), "the result"), [source]
    target = argument_node(call.code, call.instruction, 0, "target")
    wanted = argument_node(call.code, call.instruction, 1, "sources") or argument_node(
        call.code, call.instruction, 1, "source"
    )
    targets = element_names(target, len(call.targets), "the target")
    if wanted is None or call.paths is None:
        sources = _written_out(call, wanted) or element_names(wanted, len(call.sources), "the source")
    else:
        sources = [_at(wanted, path) for path in call.paths]
    collections = [] if wanted is None else [each for each in ast.walk(_as_made(wanted)) if _collects(each)]
    if collections:
        sources = [_own_name(call, source, collections) or name for source, name in zip(call.sources, sources)]
    elif isinstance(wanted, ast.Call):  # list(params.values()): an element of it has a better name
        sources = [_name_within(call, source, wanted) or name for source, name in zip(call.sources, sources)]
    elif isinstance(wanted, ast.Name | ast.Attribute):  # an element of `variables` has a better name than its index
        sources = [
            name if name == ast.unparse(wanted) else _path_in_library(source) or name
            for source, name in zip(call.sources, sources)
        ]
    return targets, sources


def gradient_names(code: CodeType, instruction: int, targets: int, sources: int) -> tuple[list[str], list[str]]:
    """The targets and the sources of the call `tape.gradient(target, sources)` at a place, where only their numbers are known."""
    target = argument_node(code, instruction, 0, "target")
    wanted = argument_node(code, instruction, 1, "sources")
    return element_names(target, targets, "the target"), element_names(wanted, sources, "the source")


def names_of_variables(call: GradientCall, variables: list[Variable]) -> list[str]:
    """How the function that calls `gradient` could write some variables: by name, by a path from a name, or by their own name."""
    if all(each._path is not None for each in variables):
        return [each._path for each in variables if each._path is not None]
    wanted = set(map(id, variables))
    ways: dict[int, str] = {}
    known, passing = names_known_to(call.code), _names_of_loops(call.code)
    lasting = [each for each in known if each[0] not in passing]
    for each in itertools.chain(
        *(object_paths(names, lambda value: id(value) in wanted) for names in (lasting, known))
    ):
        ways.setdefault(id(each.value), each.text)
        if len(ways) == len(wanted):
            break
    named = [ways.get(id(each)) or name_given_to(each) for each in variables]
    return list(dict.fromkeys(name for name in named if name))


def _names_of_loops(code: CodeType) -> set[str]:
    """The names that loops of a file give their elements: what they hold is there by chance."""
    tree = tree_of(code.co_filename)
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For)] if tree is not None else []
    return {part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name)}


def names_known_to(code: CodeType) -> list[tuple[str, Any]]:
    """The names that a function knows, with what they hold: its own first, if it is running, then those of its module."""
    frame = _frame_running(code)
    names = [*({} if frame is None else frame.f_locals).items(), *_globals_of(code).items()]
    return [(name, value) for name, value in names if not name.startswith("__")]


def name_given_to(variable: Variable) -> str | None:
    """The name that a variable was given, or has in a library such as Keras; None for one that was given none."""
    if variable._path is not None:
        return variable._path
    return None if variable.name.startswith("Variable:") else variable.name.removesuffix(":0")


def _path_in_library(source: Any) -> str | None:
    """The name of a variable of a library such as Keras."""
    return source._path if isinstance(source, Variable) else None


def _at(node: ast.expr, path: tuple[Any, ...]) -> str:
    """An element of a structure: the expression at its place, as far as the structure is written out."""
    while path:
        key = path[0]
        if isinstance(node, ast.List | ast.Tuple) and not any(isinstance(each, ast.Starred) for each in node.elts):
            node = node.elts[key]
        elif isinstance(node, ast.Dict):
            found = [v for k, v in zip(node.keys, node.values) if isinstance(k, ast.Constant) and k.value == key]
            if not found:
                break
            node = found[-1]
        else:
            break
        path = path[1:]
    return ast.unparse(node) + "".join(f"[{shown_key(key)}]" for key in path)


def _as_made(sources: ast.expr) -> ast.expr:
    """The expression for some sources; for a name, the one that it was given last."""
    if not isinstance(sources, ast.Name):
        return sources
    assignment = syntax.assignment_before(syntax.scope_of(sources), sources.id, sources.lineno)
    return sources if assignment is None else assignment[1]


def _written_out(call: GradientCall, wanted: ast.expr | None) -> list[str] | None:
    """The sources as the list writes them that a name stands for; None where they are not these objects."""
    made = wanted if wanted is None else _as_made(wanted)
    if made is wanted or not isinstance(made, ast.List | ast.Tuple) or len(made.elts) != len(call.sources):
        return None
    held = [resolved(value_of(each, call.code)) for each in made.elts]
    if any(value is not source for value, source in zip(held, call.sources)):
        return None
    return [ast.unparse(each) for each in made.elts]


def _collects(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in _COLLECTIONS


def _own_name(call: GradientCall, source: Any, collections: list[Any]) -> str | None:
    """A variable by the attribute that holds it, or else by the name it was given."""
    if not isinstance(source, Variable):
        return None
    for collection in collections:
        holder = value_of(collection.value, call.code)
        if _is_module(holder):
            for path, _ in holder._flatten(with_path=True, predicate=lambda each: resolved(each) is source):
                return ast.unparse(collection.value) + "".join(_steps(holder, path))
        found = next(object_paths([(ast.unparse(collection.value), holder)], lambda each: each is source), None)
        if found is not None and found.text.startswith(ast.unparse(collection.value) + "."):
            return found.text
    # The holder is not known where a function explains itself after it has ended: another name may lead to the variable.
    return name_given_to(source) or next(iter(names_of_variables(call, [source])), None)


def _name_within(call: GradientCall, source: Any, wanted: ast.Call) -> str | None:
    """A variable by a path from a name that an expression uses."""
    if not isinstance(source, Variable):
        return None
    names = [each for each in ast.walk(wanted) if isinstance(each, ast.Name)]
    roots = [(each.id, value_of(each, call.code)) for each in names]
    found = next(object_paths([each for each in roots if each[1] is not None], lambda each: each is source), None)
    return None if found is None else found.text


def _is_module(holder: Any) -> bool:
    """Whether it is a `tf.Module`: whygrad's own, or TensorFlow's, which has the same methods."""
    return callable(getattr(type(holder), "_flatten", None))


def _steps(holder: Any, path: tuple[Any, ...]) -> Iterator[str]:
    """The path from an object to one that it holds, as the program would write it."""
    for key in path:
        if _is_module(holder):
            yield f".{key}"
            holder = vars(holder)[key]
        elif hasattr(holder, "_fields") and isinstance(key, str):
            yield f".{key}"
            holder = getattr(holder, key)
        else:
            yield f"[{shown_key(key)}]"
            holder = holder[key]


def value_of(node: ast.expr, code: CodeType) -> Any:
    """The value of a name or attribute in a function; None where it cannot be looked up without running code.

    Locals are known while the function runs.
    """
    if isinstance(node, ast.Name):
        frame = _frame_running(code)
        if frame is not None:
            return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
        return _globals_of(code).get(node.id) if node.id in code.co_names else None
    if isinstance(node, ast.Attribute):
        return getattr(value_of(node.value, code), "__dict__", {}).get(node.attr)
    return None


def _globals_of(code: CodeType) -> dict[str, Any]:
    """The globals of a function that has ended, if another one of its file is running."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != code.co_filename:
        frame = frame.f_back
    return {} if frame is None else frame.f_globals


def _frame_running(code: CodeType) -> FrameType | None:
    """The innermost frame that runs this code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame
