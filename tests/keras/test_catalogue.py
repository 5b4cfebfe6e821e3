"""Both programs of every page on Keras run: the failing one is explained, the repaired one has no finding."""

import pytest

from tests.clinic import pages

pytestmark = pytest.mark.usefixtures("seeded")
PAGES = [page for page in pages.pages() if page.needs_keras]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_failing_program_is_explained(page, tmp_path):
    found = page.found("failing", tmp_path)
    assert found[0].kind == page.kind, found
    assert page.symptom.split(", ")[0] == found[0].symptom


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_page_shows_the_current_explanation(page, tmp_path):
    assert page.says == pages.said(page, tmp_path), "python -m tests.clinic.pages brings the pages up to date"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_repaired_program_is_silent(page, tmp_path):
    assert page.found("repaired", tmp_path) == []


def test_there_are_such_pages():
    assert len(PAGES) >= 1
