"""The page of a Keras program: a layer is one box, with the line that made it and its own findings."""

import json
import re
import subprocess
import sys
import textwrap

PROGRAM = """
import keras
import numpy as np

x, y = np.ones((4, 3), "float32"), np.ones((4, 1), "float32")
dead = keras.initializers.Constant(-9.0)
model = keras.Sequential([
    keras.layers.Dense(5, name="first"),
    keras.layers.Dense(5, activation="relu", bias_initializer=dead, name="closed"),
    keras.layers.Dense(1, name="last"),
])
model.compile("sgd", "mse")
model.fit(x, y, verbose=0)
"""


def test_a_layer_has_its_constructor_and_its_own_findings(tmp_path):
    script, report = tmp_path / "train.py", tmp_path / "report.html"
    script.write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, "-m", "whygrad", "run", "--html", str(report), str(script)]
    subprocess.run(command, check=False, capture_output=True, timeout=120)
    (text,) = re.findall(r'id="data">(.*?)</script>', report.read_text(encoding="utf-8"), re.DOTALL)
    data = json.loads(text)
    layers = {place["function"]: place for place in data["places"] if place["isScope"]}
    assert {name: place["made"] for name, place in layers.items() if name.startswith("layer")} == {
        "layer `first`": [0, 8],
        "layer `closed`": [0, 9],
        "layer `last`": [0, 10],
    }
    kinds = [finding["kind"] for finding in data["findings"]]
    assert kinds == ["saturated-region"]
    assert layers["layer `closed`"]["findings"] == [[0, True]]
    assert layers["layer `first`"]["findings"] == layers["layer `last`"]["findings"] == []
