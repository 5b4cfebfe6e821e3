"""Which exceptions are explained, and which are left alone."""

import pytest

from tests.support.programs import raised, run
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import tracing


def test_exceptions_of_other_code_have_no_causes(tmp_path):
    with pytest.raises(ZeroDivisionError) as caught:
        run("1 / 0", tmp_path / "program.py")
    assert causes_of(caught.value) == []


def test_an_error_that_follows_from_a_none_has_no_cause_of_its_own(tmp_path):
    text = """
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        x = x - tf.reduce_sum(g)
        """
    with tracing() as trace:
        assert raised(text, tmp_path) == []
    assert [cause.kind for cause in trace.findings] == ["source-not-watched"]
