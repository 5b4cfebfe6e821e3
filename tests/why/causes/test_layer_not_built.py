"""The explanation of `layer-not-built`."""

from tests.support.programs import facts_of, traced

LAZY = """
    class Layer:
        def __init__(self):
            self.weights = []
        def __call__(self, x):
            if not self.weights:
                self.weights = [tf.Variable([2.0, 3.0])]
            return x * self.weights[0]
    layer = Layer()
"""


def test_a_layer_that_was_not_built(tmp_path):
    (cause,) = traced(
        LAZY
        + """
    wanted = layer.weights
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones(2)))
    tape.gradient(loss, wanted)
    """,
        tmp_path,
    )
    assert facts_of(cause) == (
        "layer-not-built",
        [
            (11, "layer.weights", "collected here"),
            (7, "tf.Variable([2.0, 3.0])", "made here"),
            (14, "tape.gradient(loss, wanted)", "asked here"),
        ],
        {"Variable": "float32 (2,)"},
    )
    assert cause.symptom == "empty"
    assert not cause.likely
