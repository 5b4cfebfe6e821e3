"""Cause: what every explanation is, whatever it explains."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from typing import Any

from whygrad.why.source.edits import Edit
from whygrad.why.source.sites import Site, tree_of

SYMPTOMS = ("exception", "nonfinite", "none", "empty", "zero", "wrong_value", "slow")  # most serious first


@dataclass(frozen=True)
class Cause:
    """Why something went wrong: one sentence, the places, what met there, and what to change."""

    kind: str  # an id of the catalogue: "integer-dtype", "source-not-watched", ...
    symptom: str  # one of SYMPTOMS
    sentence: str
    sites: tuple[Site, ...]  # the causing place first
    help: str
    shapes: dict[str, str] = field(default_factory=dict)  # by the user's name for it: "float32 (3, 4)"
    likely: bool = False  # inferred rather than established
    edits: tuple[Edit, ...] = ()  # the changes that the help describes; none where they take thought

    @property
    def site(self) -> Site | None:
        """The causing place."""
        return self.sites[0] if self.sites else None

    def as_data(self) -> dict[str, Any]:
        """The cause as plain data, as `whygrad run --json` writes it."""
        place = self.site
        return {
            "kind": self.kind,
            "symptom": self.symptom,
            "sentence": self.sentence,
            "likely": self.likely,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "sites": [
                {
                    "file": s.file,
                    "line": s.line,
                    "column": s.column,
                    "end_line": s.end_line,
                    "end_column": s.end_column,
                    "text": s.text,
                    "role": s.role,
                    "note": s.note,
                }
                for s in self.sites
            ],
            "shapes": dict(self.shapes),
            "help": self.help,
            "edits": [vars(edit) for edit in self.edits],
        }


def with_imported_name(cause: Cause) -> Cause:
    """The cause with help that names the library as the program imports it, where that is not `tf`."""
    tree = None if cause.site is None else tree_of(cause.site.file)
    names = [
        each.asname or each.name
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Import)
        for each in node.names
        if each.name in ("tensorflow", "whygrad")
    ]
    if not names or "tf" in names:
        return cause

    def renamed(text: str) -> str:
        return re.sub(r"(?<![\w.])tf\.", f"{names[0]}.", text)

    edits = tuple([replace(edit, text=renamed(edit.text)) for edit in cause.edits])
    return replace(cause, help=renamed(cause.help), edits=edits)
