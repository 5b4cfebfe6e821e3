"""How values are spoken of: by the names the user gave them, with dtype and shape, never by their numbers."""

from __future__ import annotations

from typing import Any

from whygrad.values.tensor import Key
from whygrad.why import source


def described(value: Any) -> str:
    """A tensor, variable or key as dtype and shape: `float32 (3, 4)`."""
    if isinstance(value, Key):
        return f"{value.dtype.name} {value.shape}"
    return f"{value.dtype.name} {tuple(value.shape)}"


def quoted(name: str) -> str:
    """A piece of the user's code inside a sentence."""
    return f"`{name}`"


def gradient_names(code: Any, instruction: int, targets: int, sources: int) -> tuple[list[str], list[str]]:
    """What the call `tape.gradient(target, sources)` at a place calls its targets and sources."""
    target = source.argument_node(code, instruction, 0, "target")
    wanted = source.argument_node(code, instruction, 1, "sources")
    return source.element_names(target, targets, "the target"), source.element_names(wanted, sources, "the source")


def listed(names: list[str]) -> str:
    """Names in a sentence: `a`, `b` and `c`."""
    shown = [quoted(name) for name in names]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]
