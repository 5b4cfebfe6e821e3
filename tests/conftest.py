"""Settings for all tests: an explanation that fails is an error, and hypothesis has no deadline."""

import hypothesis
import pytest

import whygrad.why.diagnosis

pytest.register_assert_rewrite("tests.support")  # so that a failed assertion there shows its operands, as in tests
whygrad.why.diagnosis.strict = True
hypothesis.settings.register_profile("without deadlines", deadline=None)
hypothesis.settings.load_profile("without deadlines")


@pytest.fixture
def check_numerics():
    """`enable_check_numerics` for one test."""
    whygrad.debugging.enable_check_numerics()
    yield
    whygrad.debugging.disable_check_numerics()
