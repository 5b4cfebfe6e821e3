"""The repository's own Markdown, brought to its place in the site, with its links."""

from __future__ import annotations

import functools
import os
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Where the site has the pages that are not in docs/, or not under the same name.
_ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples/index.md",
    "docs/causes.md": "causes/index.md",
}
# The sidebar. A page that is not listed here is added to the guides, so that a new one needs no entry.
CONTENTS = {
    "Start": ["tensorflow", "numpy", "learn", "examples/index"],
    "Guides": ["run", "keras", "on_tensorflow", "function", "functions", "page"],
    "Reference": ["causes/index", "compatibility", "api/index"],
    "Internals": ["architecture", "performance", "reliability", "contributing", "changelog"],
}
# The head of a page that another page leads to, and not the sidebar: with all kinds of causes and all public names in it, nothing could
# be found there, and Sphinx would take minutes.
INNER = "---\norphan: true\n---\n"
_FENCED = re.compile(
    r"^(?P<indent> *)(?P<fence>```+)(?P<info>[^\n]*)\n(?P<body>.*?)^ *(?P=fence) *$", re.DOTALL | re.MULTILINE
)
# Code between backquotes may look like a link, and is left alone.
_LINK = re.compile(r"`[^`]*`|(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^()\s]+)\)")


class BrokenLink(Exception):
    """A link of a page leads nowhere."""


def _sources() -> dict[str, str]:
    """The Markdown files of the repository that are in the site, with their names there."""
    listed = {f"docs/{path.name}": path.name for path in (ROOT / "docs").glob("*.md")}
    return {name: place for name, place in (listed | _ELSEWHERE).items() if name not in ("README.md", "docs/causes.md")}


def _programs() -> dict[str, str]:
    """The example programs, each with its page."""
    return {f"examples/{path.name}": f"examples/{path.stem}.md" for path in sorted((ROOT / "examples").glob("*.py"))}


def _pictures() -> list[pathlib.Path]:
    return [*(ROOT / "docs").glob("*.svg"), *(ROOT / "docs").glob("*.png"), *(ROOT / "examples").glob("pictures/*.png")]


@functools.cache
def _places() -> dict[str, str]:
    """Where the site has each file of the repository that is in it."""
    pictures = [str(each.relative_to(ROOT)) for each in _pictures()]
    return _sources() | _ELSEWHERE | _programs() | {each: each.removeprefix("docs/") for each in pictures}


def pages() -> dict[str, str]:
    """The pages of the site that are written by hand, and those of the example programs, by their names in the site."""
    found = {place: page((ROOT / name).read_text(encoding="utf-8"), name, place) for name, place in _sources().items()}
    names = found["compatibility.md"]
    found["compatibility.md"] = names.replace(
        "\n## ", f"\n{field('filter the names, for instance tf.math.log')}\n## ", 1
    )
    for name, place in _programs().items():
        text = (ROOT / name).read_text(encoding="utf-8")
        found[place] = f"{INNER}[← The examples](index.md)\n\n# {pathlib.Path(name).name}\n\n`````python\n{text}`````\n"
    return found


def field(says: str) -> str:
    """The field that filters a page's tables and lists of names (static/filter.js)."""
    return f'<input type="search" class="filter" placeholder="{says}" aria-label="{says}">\n'


def page(text: str, name: str, place: str) -> str:
    """A page for Sphinx: links lead to places in the site, fenced blocks have captions and the right colours."""
    parts, end = [], 0
    for fenced in _FENCED.finditer(text):
        parts += [_linked(text[end : fenced.start()], name, place), _block(fenced)]
        end = fenced.end()
    return "".join([*parts, _linked(text[end:], name, place)])


def _block(fenced: re.Match[str]) -> str:
    """A fenced block. Reports get colours of their own, and a title becomes a caption."""
    language, _, rest = fenced["info"].partition(" ")
    if language in ("", "text", "console") and ("│" in fenced["body"] or language == "console"):
        language = "whygrad"
    title = re.fullmatch(r'title="(.+)"', rest)
    directive = f"{{code-block}} {language}\n{fenced['indent']}:caption: {title[1]}\n" if title else f"{language}\n"
    return f"{fenced['indent']}{fenced['fence']}{directive}{fenced['body']}{fenced['indent']}{fenced['fence']}"


def _linked(text: str, name: str, place: str) -> str:
    """Prose with its links changed. What is in the repository but not in the site is named without a link."""

    def linked(link: re.Match[str]) -> str:
        target, _, fragment = (link["target"] or "").partition("#")
        if not target or "://" in target:
            return link[0]
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if not (ROOT / path).exists():
            raise BrokenLink(f"{name}: {link[0]} leads to {path}, which does not exist")
        there = _places().get(path)
        if there is None:
            return link["text"][1:-1]
        if path == "docs/causes.md" and fragment:
            there, fragment = f"causes/{fragment}.md", ""
        there = os.path.relpath(there, os.path.dirname(place) or ".")
        return f"{link['text']}({there}{'#' if fragment else ''}{fragment})"

    return _LINK.sub(linked, text)


def contents(names: list[str]) -> str:
    """The tables of contents that Sphinx makes the sidebar from."""
    known = [name.removesuffix(".md") for name in names]
    listed = {each for entries in CONTENTS.values() for each in entries}
    inner = re.compile(r"index|causes/.+|api/.+|examples/.+")
    others = [each for each in known if each not in listed and not inner.fullmatch(each)]
    blocks = []
    for caption, entries in CONTENTS.items():
        shown = [each for each in entries if each in known] + (others if caption == "Guides" else [])
        blocks.append("\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *shown, "```\n"]))
    return "\n" + "\n".join(blocks)


def copy_pictures(folder: pathlib.Path) -> None:
    """Copy the pictures that pages show."""
    for picture in _pictures():
        place = folder / str(picture.relative_to(ROOT)).removeprefix("docs/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, place)
