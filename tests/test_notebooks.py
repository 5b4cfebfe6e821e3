"""`tools.notebooks` runs cells one by one and tells outcomes apart."""

import importlib.util
import json

import pytest

from tools import notebooks
from tools.notebooks import Outcome
from whygrad.run.standin import standing_in

CELLS = [
    "import tensorflow as tf\nx = tf.Variable(3.0)",
    "with tf.GradientTape() as tape:\n  y = x * x\nprint('gradient', tape.gradient(y, x).numpy())\ny",
    "tf.no_such_name",
    "@tf.function\ndef f(x):\n  return x + 1\nf(tf.constant(1)).numpy()",
]


def notebook(*cells):
    kinds = [{"cell_type": "markdown", "source": ["# Text"]}]
    return {"cells": kinds + [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]}


def test_the_cells_of_a_notebook():
    magic = "!pip install tensorflow\nimport os\n%matplotlib inline"
    assert notebooks.cells_of(notebook("# only a comment", magic, "x = (")) == ["\nimport os\n", "x = ("]


def test_cells_run_in_one_namespace_and_show_their_last_value(tmp_path):
    with standing_in():
        first, second, third, last = notebooks.run_cells(CELLS, tmp_path)
    assert first == Outcome("", None, "")
    assert second.printed == "gradient 6.0\n<tf.Tensor: shape=(), dtype=float32, numpy=9.0>\n"
    assert third.raised == "AttributeError"
    assert "tf.no_such_name does not exist in whygrad" in third.message
    assert last.printed in ("2\n", "np.int32(2)\n")


@pytest.mark.parametrize(
    ("theirs", "ours", "same"),
    [
        (Outcome("loss 1.00001", None, ""), Outcome("loss 1.00002", None, ""), True),
        (Outcome("loss 1.0", None, ""), Outcome("loss 1.1", None, ""), False),
        (Outcome("[nan 2]", None, ""), Outcome("[nan 2]", None, ""), True),
        (Outcome("shape 3 vs. 2", None, ""), Outcome("shape 3 vs. 2\n  12 | the line", None, ""), True),
        (Outcome("<object at 0x7f12>", None, ""), Outcome("<object at 0x8a34>", None, ""), True),
        (Outcome("", None, ""), Outcome("", "AttributeError", "no name"), False),
        (Outcome("", "ValueError", ""), Outcome("", None, ""), False),
        (Outcome("", "ValueError", ""), Outcome("", "ValueError", "another text"), True),
    ],
)
def test_what_counts_as_the_same(theirs, ours, same):
    assert (notebooks.difference(theirs, ours) is None) is same


@pytest.mark.tensorflow
def test_the_rate_of_a_notebook(tmp_path, capsys):
    if importlib.util.find_spec("tensorflow") is None:  # importing it here would bring Keras on its own backend
        pytest.skip("TensorFlow is not installed")
    cells = [*CELLS[:2], "tf.experimental.ExtensionType"]
    (tmp_path / "small.ipynb").write_text(json.dumps(notebook(*cells)), encoding="utf-8")
    assert notebooks.main([str(tmp_path), "--show"]) == 0
    shown = capsys.readouterr().out
    assert "small.ipynb: 2 of 3\n--- cell 2\ntf.experimental.ExtensionType\n--- raised AttributeError" in shown
    assert shown.endswith("all: 2 of 3, 66.7%\n")
