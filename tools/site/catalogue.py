"""The catalogue of causes: a page for each kind, and one that lists all of them and can be filtered."""

from __future__ import annotations

import re

from tools.site.pages import INNER, field, page
from whygrad.view import catalogue
from whygrad.why.cause import SYMPTOMS

_HEAD = f"""# The catalogue of causes

Every kind of cause that whygrad reports. Each has a page: what it means, a failing program, what whygrad says about it, and the repaired
program. `whygrad explain KIND` prints the same page in a terminal. Type a few words of what you see, such as *nan log*, *None cast* or
*shape*:

{field("filter the causes")}
"""


def pages() -> dict[str, str]:
    """The pages of all kinds, and `causes/index.md`."""
    found = {}
    for kind in catalogue.kinds():
        text = page(catalogue.in_words(catalogue.page(kind) or ""), f"docs/{kind}.md", f"causes/{kind}.md")
        found[f"causes/{kind}.md"] = f"{INNER}[← The catalogue of causes](index.md)\n\n{text}"
    found["causes/index.md"] = _HEAD + _tables()
    return found


def words(kind: str) -> list[str]:
    """The words by which a kind is found: of its symptoms, of what it means, and of what whygrad says, without lines of the program."""
    meaning, _, rest = (catalogue.page(kind) or "").partition("\n## ")
    said = re.search(r"^What whygrad says\n```text\n(.*?)^```", rest.replace("## ", ""), re.DOTALL | re.MULTILINE)
    sentences = [line for line in said[1].splitlines() if "│" not in line] if said else []
    text = " ".join([*(catalogue.HEADINGS[each] for each in catalogue.symptoms(kind)), meaning, *sentences])
    return list(dict.fromkeys(re.findall(r"\w[\w.]*\w|\w", text.lower())))


def _hidden(found: list[str]) -> str:
    """Words that the filter reads (static/filter.js), and nobody else."""
    return f"<span hidden>{' '.join(found)}</span>"


def _tables() -> str:
    """A table for each symptom, with a line for each kind."""
    blocks = []
    for symptom in SYMPTOMS:
        kinds = [kind for kind in catalogue.kinds() if (catalogue.symptoms(kind) or [""])[0] == symptom]
        if kinds:
            heading = catalogue.HEADINGS[symptom]
            rows = [f"| [{kind}]({kind}.md) | {catalogue.summary(kind)} {_hidden(words(kind))} |" for kind in kinds]
            blocks.append(
                "\n".join([f"## {heading[0].upper()}{heading[1:]}", "| kind | what it means |", "|---|---|", *rows, ""])
            )
    return "\n".join(blocks)
