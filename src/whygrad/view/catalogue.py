"""The catalogue of causes: a page for each kind, what it means, a failing program and the repaired one."""

from __future__ import annotations

import difflib
from importlib import resources


def kinds() -> list[str]:
    """The kinds that have a page, sorted."""
    folder = resources.files("whygrad.why") / "catalogue"
    if not folder.is_dir():
        return []
    return sorted(page.name.removesuffix(".md") for page in folder.iterdir() if page.name.endswith(".md"))


def page(kind: str) -> str | None:
    """The page of a kind; None if there is none.

    >>> page("no-such-kind") is None
    True
    """
    if kind not in kinds():
        return None
    return (resources.files("whygrad.why") / "catalogue" / f"{kind}.md").read_text(encoding="utf-8")


def similar(kind: str) -> list[str]:
    """Kinds whose names are close to a word, the closest first."""
    return difflib.get_close_matches(kind, kinds(), n=3, cutoff=0.5)
