"""input-refused: an error of a layer's or loss's own, with the line that made it and the layer whose output went in."""

import textwrap

import pytest

from tests.clinic.program import findings

HEAD = """
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
"""


@pytest.fixture
def refused(seeded, tmp_path):
    def causes(program):
        path = tmp_path / "program.py"
        path.write_text(HEAD + textwrap.dedent(program), encoding="utf-8")
        return findings(path)

    return causes


def test_the_layer_before_it_is_named_with_its_line(refused):
    (cause,) = refused("""
        pool = layers.MaxPooling2D(3, name="pool")
        conv = layers.Conv2D(2, 3, name="conv")
        keras.Sequential([keras.Input((4, 4, 1)), pool, conv])
    """)
    assert cause.kind == "input-refused"
    assert {site.note: site.text for site in cause.sites if site.role == "made here"} == {
        "layer `conv`": 'layers.Conv2D(2, 3, name="conv")',
        "layer `pool`, whose output goes into layer `conv`": 'layers.MaxPooling2D(3, name="pool")',
    }
    assert "layer `pool` gives float32 (None, 1, 1, 1)" in cause.help


def test_the_sentence_is_what_keras_says_without_its_frame(refused):
    (cause,) = refused('layers.Reshape((3,), name="shaped")(keras.Input((4,)))')
    assert cause.sentence.startswith("layer `shaped` refuses its input: The total size of the tensor must be unchanged")
    assert "Arguments received" not in cause.sentence
    assert "\x1b" not in cause.sentence
    assert (cause.site.role, cause.site.note) == ("failed here", "float32 (None, 4)")


def test_an_error_of_the_programs_own_code_is_left_alone(refused):
    with pytest.raises(ZeroDivisionError):
        refused("""
            class Own(layers.Layer):
                def call(self, x):
                    return x / (1 // 0)

            Own()(np.ones((2, 2)))
        """)
