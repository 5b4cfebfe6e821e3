"""Cause: what every explanation is, whatever it explains."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from typing import Any

from whygrad.why.source.edits import Edit
from whygrad.why.source.sites import Site, site, tree_of
from whygrad.why.source.tensor_functions import as_numpy, numpys_take_tensors

SYMPTOMS = ("exception", "nonfinite", "none", "empty", "zero", "wrong_value", "slow")  # most serious first


@dataclass(frozen=True)
class Cause:
    """Why something went wrong: one sentence, the places with their dtypes and shapes, and the help."""

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

    def __str__(self) -> str:
        from whygrad.view.terminal import render

        return render(self)

    def __repr__(self) -> str:
        from whygrad.view.terminal import shown_path

        place = "" if self.site is None else f" at {shown_path(self.site.file)}:{self.site.line}"
        return f"<Cause {self.kind}{place}: {self.sentence}>"

    def _repr_html_(self) -> str:
        from whygrad.view.notebook import cause_as_html

        return cause_as_html(self)

    def repeats(self, other: Cause) -> bool:
        """Whether another cause is about the same value, made at the same place: one repair serves both."""
        made, known = (
            [(s.file, s.line, s.column) for s in each.sites if s.role == "made here"] for each in (self, other)
        )
        return (
            self.symptom != other.symptom
            and not set(made).isdisjoint(known)
            and not self.shapes.keys().isdisjoint(other.shapes)
        )

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


def finished(cause: Cause) -> Cause:
    """The cause as it is shown: with the objects of libraries that its places lie in, and the library's name as the program imports it."""
    return _with_imported_name(_with_scopes(cause))


def _with_scopes(cause: Cause) -> Cause:
    """Name the layer, or what else a library calls, in which something happened, and begin with the line that made it."""
    sites: list[Site] = []
    for each in cause.sites:
        scope = each.scope
        if scope is None or not scope.what or f", in {scope.what}" in each.role:
            sites.append(each)
            continue
        made = None if scope.made is None else site(*scope.made, "made here", scope.what)
        if made is not None and not sites and (made.file, made.line) != (each.file, each.line):
            sites.append(made)
        sites.append(each.as_role(f"{each.role}, in {scope.what}", each.note))
    return replace(cause, sites=tuple(sites))


_NUMPYS = ("numpy", "whygrad.numpy", "whygrad.autograd.numpy")


def _with_imported_name(cause: Cause) -> Cause:
    """The cause with help that names the library as the program imports it, where that is not `tf`, and NumPy where the line does."""
    tree = None if cause.site is None else tree_of(cause.site.file)
    imported = [
        (each.name, each.asname or each.name)
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Import)
        for each in node.names
    ]
    names = [name for module, name in imported if module in ("tensorflow", "whygrad")]
    # Where NumPy's functions work on tensors, the program is written with them.
    is_numpys = numpys_take_tensors()
    differentiable = next((name for module, name in imported if module in _NUMPYS[1:]), None)
    if "tf" in names or not (names or is_numpys or differentiable):
        return cause
    library = names[0] if names else "whygrad"
    numpy = differentiable or next((n for module, n in imported if module in _NUMPYS), "np" if tree is None else None)
    text = "".join([each.text for each in cause.sites[:1]])
    if not is_numpys and f"{numpy}." not in text and (differentiable is None or f"{library}." in text):
        numpy = None

    def renamed(text: str) -> str:
        text = text if numpy is None else as_numpy(text, numpy)
        return re.sub(r"(?<![\w.])tf\.", f"{library}.", text)

    edits = tuple([replace(edit, text=renamed(edit.text)) for edit in cause.edits])
    return replace(cause, help=renamed(cause.help), edits=edits)
