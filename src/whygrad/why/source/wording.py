"""How sentences name values and ops: as the program writes them, with dtype and shape, never by their numbers."""

from __future__ import annotations

import ast
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import scope_of
from whygrad.runtime.syntax_trees import parse
from whygrad.values.tensor import Key
from whygrad.why.source import sites


def described(value: Any) -> str:
    """A tensor, variable or key as dtype and shape: `float32 (3, 4)`."""
    if isinstance(value, Key):
        return f"{'string' if value.dtype.kind == 'O' else value.dtype.name} {value.shape}"
    if getattr(value.shape, "rank", 0) is None:  # a sparse gradient without the size of its table
        return f"{value.dtype.name} of unknown shape"
    return f"{value.dtype.name} {tuple(value.shape)}"


def quoted(name: str) -> str:
    """A piece of the user's code inside a sentence, in backquotes; "the target", where the code is not known, without."""
    return name if name.startswith("the ") else f"`{name}`"


def for_instance(template: str, name: str) -> str:
    """How to write an operand in another form, ", for instance with tf.abs(x)"; "" where its code is not known."""
    return "" if name.startswith("the ") else f", for instance with {template.format(name)}"


def grouped(text: str) -> str:
    """An expression as an operand of another: in parentheses where it needs them."""
    single = isinstance(
        parse(text, mode="eval").body, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant
    )
    return text if single else f"({text})"


def listed(names: list[str]) -> str:
    """Names in a sentence: `a`, `b` and `c`."""
    shown = [quoted(name) for name in names]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


_MOST_NAMES = 3


def more_sources(names: list[str], thing: str = "source") -> str:
    """The end of a sentence that holds for other sources too: " (the same for 2 more sources: `b`, `c`)"; "" if there are none."""
    return f" (the same for {counted(len(names), f'more {thing}')}: {first_of(names)})" if names else ""


def first_of(names: list[str]) -> str:
    """The first of many names: `a`, `b`, `c`, ..."""
    return ", ".join([quoted(name) for name in names[:_MOST_NAMES]] + (["..."] if len(names) > _MOST_NAMES else []))


def counted(number: int, thing: str) -> str:
    """How many there are of something: `1 axis`, `2 rows`."""
    several = thing[:-2] + "es" if thing.endswith("is") else thing + ("es" if thing.endswith("s") else "s")
    return f"{number} {thing if number == 1 else several}"


def spoken(record: Record) -> str:
    """An op as the user wrote it: tf.norm, `a / b` or `a > b`; its own name where there is no source."""
    node = sites.node_at(record.code, record.instruction)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func)
    if isinstance(node, ast.BinOp | ast.Compare):
        return quoted(ast.unparse(node))
    return unwritten(record)


def unwritten(record: Record) -> str:
    """An op that no line of the program writes: a function of a library that is differentiated as it is, or the op's own name."""
    scope, numpys = scope_of(record.code), record.attributes.get("function")
    named = scope.function if scope is not None else ""
    return named or (numpys if isinstance(numpys, str) else record.plan.primitive.name)
