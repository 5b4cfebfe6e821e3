"""The explanation of `leaked-tensor`."""

import warnings

import pytest

import whygrad as tf
from tests.support.programs import facts_of, raised


def test_a_leaked_tensor(tmp_path):
    program = """
    kept = []
    @tf.function
    def f(x):
        kept.append(x * 2.0)
        return x
    f(tf.ones(3))
    kept[0] + 1.0
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.SideEffectWarning)
        (cause,) = raised(program, tmp_path)
    assert facts_of(cause) == (
        "leaked-tensor",
        [(8, "kept[0] + 1.0", "used here"), (5, "x * 2.0", "made here")],
        {"kept[0]": "float32 (3,)"},
    )
    assert cause.sentence.startswith("`kept[0]` is a symbolic tensor, made while `f` was being compiled")
    assert cause.help.startswith("return it from `f`")


@pytest.mark.parametrize(
    "use", ["h.numpy()", "float(h[0])", "bool(h)", "tf.function(lambda: h * 2.0)()", "print(h + h)"]
)
def test_every_use_of_a_leaked_tensor_is_explained(use, tmp_path):
    program = f"def f(x):\n    global h\n    h = x * 2.0\n    return x\ntf.function(f)(tf.ones(3))\n{use}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.SideEffectWarning)
        (cause,) = raised(program, tmp_path)
    assert cause.kind == "leaked-tensor"
    assert cause.site.line == 6
    assert (cause.sites[1].line, cause.sites[1].text) == (3, "x * 2.0")
    assert cause.shapes == {"h": "float32 (3,)"}


def test_a_tensor_of_a_method_that_ran_while_another_was_compiled(tmp_path):
    program = """
    class Layer:
        v = tf.Variable([1.0, 3.0])
        def build(self):
            self.share = self.v / tf.reduce_sum(self.v)
        def call(self, x):
            return x * self.share
    layer = Layer()
    tf.function(lambda x: (layer.build(), x)[1])(tf.ones(2))
    layer.call(tf.ones(2))
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.SideEffectWarning)
        (cause,) = raised(program, tmp_path)
    assert [(site.line, site.role) for site in cause.sites] == [(5, "made here"), (7, "used here")]
    assert cause.help.startswith("compute `layer.share` in `call`, where it is used")
