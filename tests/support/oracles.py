"""Other libraries that tests need, and what stands in for the tests where one of them is missing."""

import importlib.util
import os

import pytest

# CI sets this: a test that cannot run must not pass unseen.
REQUIRED = os.environ.get("WHYGRAD_REQUIRE_ORACLES") == "1"


def is_missing(library):
    """Whether a library is not installed; an error where it is required."""
    missing = importlib.util.find_spec(library) is None
    if missing and REQUIRED:
        raise ImportError(f"WHYGRAD_REQUIRE_ORACLES=1 asks for tests that need {library}, and it is not installed.")
    return missing


class FileOfSkippedTests(pytest.File):
    """A file of tests that need a missing library: one skipped test stands for all of them.

    The file is not imported, since it may import the library; and thousands of tests are not collected only to be skipped.
    """

    library: str

    @classmethod
    def standing_for(cls, module_path, parent, library):
        file = cls.from_parent(parent, path=module_path)
        file.library = library
        return file

    def collect(self):
        yield _Skipped.from_parent(self, name="all")


class _Skipped(pytest.Item):
    def runtest(self):
        pytest.skip(f"{self.parent.library} is not installed")

    def reportinfo(self):
        return self.path, None, f"{self.path.name}: all tests"
