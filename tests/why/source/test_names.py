"""Names of sources and of the library in explanations: as the program writes them, in any structure."""

import pytest

from tests.support.programs import raised, traced, warned


def test_errors_use_the_programs_name_of_the_library(tmp_path):
    text = "import whygrad as wg\nw = wg.Variable([1.0])\nx = wg.constant([1])\ny = w * x\n"
    (cause,) = raised(text, tmp_path)
    assert "wg.cast(x, wg.float32)" in cause.help
    assert "tf." not in cause.help


def test_warnings_use_the_programs_name_of_the_library(tmp_path):
    text = """
        import whygrad as wg
        x = wg.constant(1.0)
        with wg.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        """
    (cause,) = warned(text, tmp_path)
    assert cause.kind == "source-not-watched"
    assert "wg.Variable" in cause.help


MODEL = """
class Net(tf.Module):
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])
        self.extra = tf.Variable([3.0])
        self.parts = [{"b": tf.Variable(0.5)}]

    def __call__(self, x):
        return tf.reduce_sum(self.w * x)

net = Net()
scale = tf.Variable(2.0, name="scale")
params = {"w": tf.Variable(1.0), "b": tf.Variable(2.0), "more": [tf.Variable(3.0), tf.Variable(4.0)]}
with tf.GradientTape(persistent=True) as tape:
    loss = net(2.0) + params["w"] * params["more"][0]
"""


@pytest.mark.parametrize("found_in", [traced, warned])
@pytest.mark.parametrize(
    ("sources", "name"),
    [
        ("params", "params['b']"),
        ("{'p': params, 's': scale}", "params['b']"),
        ("{'p': {'more': params['more']}, 'a': net.w}", "params['more'][1]"),
        ("[[params['w'], scale], net.w]", "scale"),
        ("net.trainable_variables", "net.extra"),
        ("net.trainable_variables[1:2]", "net.parts[0]['b']"),
        ("(scale,) + net.trainable_variables", "scale"),
        ("[net.w, net.extra]", "net.extra"),
    ],
)
def test_sources_have_the_names_that_the_program_writes(found_in, sources, name, tmp_path):
    cause = found_in(f"{MODEL}tape.gradient(loss, {sources})\n", tmp_path)[0]
    assert f"with respect to `{name}` is None" in cause.sentence


def test_a_variables_own_name_is_the_fallback(tmp_path):
    text = """
    class Store:
        @property
        def variables(self):
            return kept

    kept = [tf.Variable(1.0, name="rate"), tf.Variable(2.0)]
    store = Store()
    with tf.GradientTape() as tape:
        loss = kept[1] * 2.0
    tape.gradient(loss, store.variables)
    """
    (cause,) = warned(text, tmp_path)
    assert "with respect to `rate` is None" in cause.sentence


@pytest.mark.parametrize("found_in", [traced, warned])
def test_a_key_that_is_a_whole_text_is_abridged(found_in, tmp_path):
    text = """
        import whygrad as tf
        params = {"begin " + "x" * 3000 + " end": tf.Variable([1.5])}
        with tf.GradientTape() as tape:
            loss = sum(tf.reduce_sum(tf.round(each)) for each in params.values())
        tape.gradient(loss, params)
        """
    (cause,) = found_in(text, tmp_path)
    assert "`params['begin xxx" in cause.sentence
    assert "…xxxxxxx end']`" in cause.sentence
    assert len(cause.sentence) < 400
