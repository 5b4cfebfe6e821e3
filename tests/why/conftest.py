"""Every test may be warned: warnings appear once per place, so those of earlier tests are forgotten first."""

import pytest

from whygrad.view import notice


@pytest.fixture(autouse=True)
def _no_warnings_given_yet():
    notice._said.clear()
