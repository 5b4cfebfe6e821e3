"""The catalogue's pages: their parts, and what whygrad says of their programs.

    python -m tests.clinic.pages

writes what whygrad says today into the pages, and all of them into docs/causes.md. Pages on compiled functions need JAX for
that, and those on Keras need Keras: without it they stay as they are. `tests/compile/test_catalogue.py` and
`tests/keras/test_catalogue.py` run their programs where these are installed.
"""

import contextlib
import io
import linecache
import re
import runpy
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import whygrad
from tests.clinic.program import findings
from whygrad.engines.loading import is_installed
from whygrad.keras_backend.loading import is_installed as keras_is_installed
from whygrad.view import catalogue
from whygrad.view.terminal import render
from whygrad.why.causes.exceptions import causes_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "whygrad" / "why" / "causes"
DOCUMENT = ROOT / "docs" / "causes.md"

_FORM = re.compile(
    r"# (?P<kind>[\w-]+)\n\n"
    r"(?:Symptom: (?P<symptom>[\w, ]+)\n\n)?"
    r"(?:Where: (?P<where>[\w, ]+)\n\n)?"
    r"(?P<meaning>.+?)\n\n"
    r"## A failing program\n```python\n(?P<failing>.+?)\n```\n\n"
    r"## What whygrad says\n```text\n(?P<says>.*?)```\n\n"
    r"## The repaired program\n```python\n(?P<repaired>.+?)\n```\n",
    re.DOTALL,
)


@dataclass(frozen=True)
class Page:
    kind: str
    symptom: str | None  # the failing program's first, which main() writes; others that the kind may have after it
    where: (
        str | None
    )  # "compiled functions": its programs run as they are, not under tracing, and take JAX; "Keras": they take Keras
    meaning: str
    failing: str
    says: str
    repaired: str

    def __str__(self):
        return self.kind

    @property
    def is_compiled(self):
        return self.where == "compiled functions"

    @property
    def needs_keras(self):
        return self.where == "Keras"

    @property
    def runs_everywhere(self):
        return self.where is None

    def found(self, which, folder):
        """What is found in the failing or the repaired program."""
        path = Path(folder) / f"{self.kind.replace('-', '_')}.py"
        path.write_text(getattr(self, which) + "\n", encoding="utf-8")
        return untraced_findings(path) if self.is_compiled else findings(path)


def untraced_findings(path):
    """What whygrad says of a program that runs without a trace: the causes of its exception, and of its warnings."""
    linecache.checkcache(str(path))
    raised = []
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        try:
            runpy.run_path(str(path), run_name="__main__")
        except Exception as error:
            raised = causes_of(error)
        finally:
            whygrad.debugging.disable_check_numerics()
    return [*raised, *[cause for each in caught for cause in getattr(each.message, "causes", ())]]


def read(path):
    """The parts of a page, which has a fixed form."""
    text = path.read_text(encoding="utf-8")
    parts = _FORM.fullmatch(text)
    assert parts is not None, f"{path.name} has not the form of a page"
    return Page(**parts.groupdict())


def pages():
    """All pages, sorted by kind."""
    return [read(path) for path in sorted(FOLDER.glob("*.md"))]


def said(page, folder):
    """The first finding of a page's failing program, as a terminal shows it."""
    if page.needs_keras and (keras := sys.modules.get("keras")) is not None:
        keras.backend.clear_session()  # Keras counts the layers of a name
    found = page.found("failing", folder)
    return f"{render(found[0])}\n" if found else ""


def document():
    """docs/causes.md: all pages, one after the other."""
    texts = [catalogue.in_words(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.md"))]
    head = (
        "# The catalogue of causes\n\n"
        "Every kind of cause that whygrad reports, each with a failing program, what whygrad says about it, and the repaired program.\n"
        "`whygrad explain KIND` prints one page, and `whygrad explain nan` (or `none`, `zero`, `error`, `shape`) lists the kinds for a symptom.\n"
        "`python -m tests.clinic.pages` writes this document from `src/whygrad/why/causes/`.\n\n"
    )
    return head + "\n".join(_lower(text) for text in texts)


def _lower(text):
    """A page with its headings one level down; comments in code stay as they are."""
    parts = re.split(r"(```.*?```)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("```") else re.sub(r"^#", "##", part, flags=re.MULTILINE) for part in parts)


def main():
    """Bring the pages and the document up to date."""
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(FOLDER.glob("*.md")):
            page = read(path)
            if (page.is_compiled and not is_installed()) or (page.needs_keras and not keras_is_installed()):
                continue
            text = path.read_text(encoding="utf-8")
            old, new = f"```text\n{page.says}```", f"```text\n{said(page, folder)}```"
            text = text.replace(old, new)
            found = page.found("failing", folder)
            if found:
                first = found[0].symptom
                others = [each for each in (page.symptom or "").split(", ") if each not in ("", first)]
                head = f"# {page.kind}\n\n"
                known = f"{head}Symptom: {page.symptom}\n\n" if page.symptom else head
                text = text.replace(known, f"{head}Symptom: {', '.join([first, *others])}\n\n", 1)
            path.write_text(text, encoding="utf-8")
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
