"""The programs of docs/keras.md print what it shows."""

import pytest

from tests.support.documents import printed, programs

DOCUMENT = "docs/keras.md"
SHOWN = programs(DOCUMENT)


@pytest.mark.parametrize("number", range(len(SHOWN)))
def test_a_program_prints_what_the_document_shows(seeded, number, tmp_path):
    program, shown = SHOWN[number]
    assert printed(program, tmp_path) == shown.strip()


def test_the_document_shows_programs():
    assert len(SHOWN) >= 1
