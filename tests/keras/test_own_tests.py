"""Some of Keras's own unit tests, which are in its wheel. `python -m tools.keras_tests` runs all of them, beside TensorFlow."""

from tools.keras_tests import outcomes

FOLDERS = ["activations", "constraints", "losses", "regularizers"]


def test_keras_own_tests_pass(keras):
    found = outcomes("whygrad", FOLDERS)
    assert len(found) > 200
    assert {name: reason for name, (outcome, reason) in found.items() if outcome == "failed"} == {}
