"""Warnings appear once per site: each test starts with no warnings given."""

import pytest

from whygrad.view import notice


@pytest.fixture(autouse=True)
def _no_warnings_given_yet():
    notice._reported.clear()
