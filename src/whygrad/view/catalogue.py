"""The catalogue of causes: a page for each kind, with its meaning, a failing program and the repaired one."""

from __future__ import annotations

import difflib
import re
import textwrap
from importlib import resources

from whygrad.view.cells import PLAIN_WIDTH
from whygrad.why.cause import SYMPTOMS

# The heading of each symptom, and the words that `whygrad explain` accepts for it.
HEADINGS = {
    "exception": "an exception",
    "nonfinite": "a gradient that is inf or nan",
    "none": "a gradient that is None",
    "empty": "no gradients at all",
    "zero": "a gradient that is zero everywhere",
    "wrong_value": "a gradient or a step that is silently wrong",
    "slow": "a program that is slower than necessary",
}
_WORDS = {
    "exception": "exception error raise raises raised crash",
    "nonfinite": "nonfinite nan inf infinity infinite",
    "none": "none",
    "empty": "empty",
    "zero": "zero zeros 0 vanishing",
    "wrong_value": "wrong wrong-value silent silently",
    "slow": "slow slowly retracing",
}


def kinds() -> list[str]:
    """The kinds with a page, sorted."""
    folder = resources.files("whygrad.why.causes")
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
    return (resources.files("whygrad.why.causes") / f"{kind}.md").read_text(encoding="utf-8")


def in_words(text: str) -> str:
    """A page with its symptoms as people say them, in place of their names.

    >>> in_words("Symptom: none, zero")
    'Symptom: a gradient that is None, or a gradient that is zero everywhere'
    """
    return re.sub(
        r"^Symptom: ([\w, ]+)$",
        lambda found: "Symptom: " + ", or ".join(HEADINGS[each] for each in found[1].split(", ")),
        text,
        count=1,
        flags=re.MULTILINE,
    )


def similar(kind: str) -> list[str]:
    """Kinds whose names are close to a word, the closest first."""
    return difflib.get_close_matches(kind, kinds(), n=3, cutoff=0.5)


def symptoms(kind: str) -> list[str]:
    """The symptoms of a kind, from its page: the most common first."""
    found = re.search(r"^Symptom: ([\w, ]+)$", page(kind) or "", re.MULTILINE)
    return found.group(1).split(", ") if found else []


def summary(kind: str) -> str:
    """The meaning of a kind in one line: the first clause of its page."""
    parts = [part for part in (page(kind) or "").split("\n\n") if not part.startswith(("#", "Symptom: ", "Where: "))]
    text = re.sub(r" \((?:[^()]|\([^()]*\))*\)", "", " ".join(parts[0].split())) if parts else ""
    return re.split(r"[.:;](?:\s|$)", text, maxsplit=1)[0]


def named(word: str) -> list[str]:
    """The kinds for a word: all kinds of a symptom ("nan", "none"), or those with the word in their name ("shape")."""
    for each in SYMPTOMS:
        if word in _WORDS[each].split():
            return [kind for kind in kinds() if each in symptoms(kind)]
    return [kind for kind in kinds() if word in kind.split("-")]


_LEAST_ROOM = 20  # columns for a summary, also in a narrow terminal


def overview(chosen: list[str], columns: int = PLAIN_WIDTH) -> str:
    """The kinds grouped by their first symptom, with one line for each, of at most so many columns."""
    width = max((len(kind) for kind in chosen), default=0)
    room = max(columns - width - 4, _LEAST_ROOM)
    blocks = []
    for each in (*SYMPTOMS, ""):
        of_symptom = [kind for kind in chosen if (symptoms(kind) or [""])[0] == each]
        if of_symptom:
            lines = [
                f"  {kind:{width}}  {textwrap.shorten(summary(kind), room, placeholder=' ...')}".rstrip()
                for kind in of_symptom
            ]
            blocks.append("\n".join([f"{HEADINGS.get(each, 'others')}:", *lines]))
    return "\n\n".join(blocks)
