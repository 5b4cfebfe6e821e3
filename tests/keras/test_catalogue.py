"""Both programs of every page on Keras run: the failing one is explained, the repaired one has no finding."""

from importlib.metadata import version

import pytest

from tests.clinic import pages

pytestmark = pytest.mark.usefixtures("seeded")
PAGES = [page for page in pages.pages() if page.needs_keras]
QUOTES_KERAS = ("input-refused",)  # its first sentence is Keras's own, as Keras 3.15 writes it


def keras_writes_otherwise():
    """Asked in the tests, not at import: this file is collected where Keras is not installed, too."""
    return tuple(map(int, version("keras").split(".")[:2])) < (3, 15)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_failing_program_is_explained(page, tmp_path):
    found = page.found("failing", tmp_path)
    assert found[0].kind == page.kind, found
    assert page.symptom.split(", ")[0] == found[0].symptom


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_page_shows_the_current_explanation(page, tmp_path):
    said, expected = pages.said(page, tmp_path), page.says
    if page.kind in QUOTES_KERAS and keras_writes_otherwise():
        said, expected = (text[text.index("│") :] for text in (said, expected))
    assert said == expected, "python -m tests.clinic.pages brings the pages up to date"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_the_repaired_program_is_silent(page, tmp_path):
    assert page.found("repaired", tmp_path) == []


def test_there_are_such_pages():
    assert len(PAGES) >= 1
