"""`pytest --why`: failing tests show the findings; without it, the plug-in costs nothing."""

import importlib.metadata
import subprocess
import sys

TESTS = """
import sys
import pytest


def test_whygrad_is_loaded_on_request_only(request):
    assert ("whygrad" in sys.modules) == request.config.getoption("--why")
    assert "whygrad" not in getattr(request.config.pluginmanager.rewrite_hook, "_must_rewrite", ())


def test_the_gradient_is_none():
    import whygrad as tf
    w = tf.Variable(2.5)
    with tf.GradientTape() as tape:
        y = tf.round(w) * 2.0
    assert tape.gradient(y, w) is not None


def test_a_number_is_wrong():
    import whygrad as tf
    w = tf.Variable([1.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(w))
    assert float(tape.gradient(y, w)[1]) < 1e9


def test_without_gradients():
    import whygrad
    assert 1 == 2


def test_warnings_stay_as_they_are():
    import whygrad as tf
    w = tf.Variable(2.5)
    with tf.GradientTape() as tape:
        y = tf.round(w) * 2.0
    with pytest.warns(tf.NoGradientWarning):
        tape.gradient(y, w)
    z = tf.Variable([0.0])
    with tf.GradientTape() as tape:
        y = tf.sqrt(z)
    with pytest.warns(tf.GradientWarning, match="infinite"):
        tape.gradient(y, z)
"""


def outcome_of(tmp_path, *options):
    """What pytest prints for the tests above."""
    (tmp_path / "test_it.py").write_text(TESTS)
    known = [each.name for each in importlib.metadata.entry_points(group="pytest11")]
    plugin = [] if "whygrad" in known else ["-p", "whygrad_pytest"]  # a checkout installed before the plug-in was there
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *plugin, *options]
    return subprocess.run(
        [*command, "--rootdir", str(tmp_path), "-c", "/dev/null", "test_it.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    ).stdout


def test_a_failing_test_shows_its_findings(tmp_path):
    printed = outcome_of(tmp_path, "--why")
    assert "3 failed, 2 passed" in printed
    none, number, other = printed.split("\n____")[1:]
    assert "whygrad: 1 finding (checked 1 tape, 1 gradient, 2 ops)" in none
    assert "cut here: float32 ()" in none
    assert "its slope is infinite" in " ".join(number.split())
    assert "whygrad:" not in other


def test_without_the_option_nothing_is_loaded(tmp_path):
    assert "1 passed, 4 deselected" in outcome_of(tmp_path, "-k", "on_request_only")
