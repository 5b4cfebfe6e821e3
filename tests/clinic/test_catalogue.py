"""Both programs of every page run: the failing one is explained with the page's kind, the repaired one has no finding."""

from pathlib import Path

import pytest

from tests.clinic import pages
from whygrad.view import catalogue
from whygrad.view.cells import PLAIN_WIDTH
from whygrad.why.cause import SYMPTOMS

PAGES = pages.pages()
RUN_HERE = [page for page in PAGES if page.runs_everywhere]  # tests/compile and tests/keras run the others


@pytest.mark.parametrize("page", RUN_HERE, ids=str)
def test_the_failing_program_is_explained(page, tmp_path):
    found = page.found("failing", tmp_path)
    assert found[0].kind == page.kind, found
    assert page.symptom.split(", ")[0] == found[0].symptom, "python -m tests.clinic.pages brings the pages up to date"


@pytest.mark.parametrize("page", RUN_HERE, ids=str)
def test_the_repaired_program_is_silent(page, tmp_path):
    assert page.found("repaired", tmp_path) == []


@pytest.mark.parametrize("page", RUN_HERE, ids=str)
def test_the_page_shows_the_current_explanation(page, tmp_path):
    assert page.says == pages.said(page, tmp_path), "python -m tests.clinic.pages brings the pages up to date"


def test_the_document_holds_the_pages():
    assert pages.DOCUMENT.read_text(encoding="utf-8") == pages.document(), "python -m tests.clinic.pages writes it anew"


def test_whygrad_explain_finds_each_page():
    assert catalogue.kinds() == [page.kind for page in PAGES]
    overview = catalogue.overview(catalogue.kinds()).splitlines()
    for page in PAGES:
        (line,) = [each for each in overview if each.startswith(f"  {page.kind} ")]
        assert len(line.split()) > 3
        assert len(line) <= PLAIN_WIDTH
        assert set(catalogue.symptoms(page.kind)) <= set(SYMPTOMS)


def test_every_kind_has_a_file_of_tests():
    root = Path(__file__).parents[1]
    files = {
        path.stem for folder in ("why", "compile", "keras") for path in (root / folder / "causes").glob("test_*.py")
    }
    assert [kind for kind in catalogue.kinds() if f"test_{kind.replace('-', '_')}" not in files] == []
