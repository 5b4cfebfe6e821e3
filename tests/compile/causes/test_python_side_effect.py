"""The explanation of `python-side-effect`."""

import pytest

from tests.support.programs import facts_of, warned


@pytest.mark.parametrize(
    ("store", "kept", "text"),
    [
        ("history.append(y)", "history[0]", "history.append(y)"),
        ("cache['y'] = [y]", "cache['y'][0]", "cache['y']"),
        ("self.last = y", "self.last", "self.last"),
        ("self.parts['y'] = y", "self.parts['y']", "self.parts['y']"),
    ],
)
def test_a_tensor_that_python_keeps_is_a_warning(store, kept, text, tmp_path):
    program = f"""
    history, cache = [], {{}}
    class Model:
        def __init__(self):
            self.parts = {{}}
        @tf.function
        def __call__(self, x):
            y = x * 2.0
            {store}
            return y
    model = Model()
    for _ in range(3):
        model(tf.ones(3))
    """
    (cause,) = warned(program, tmp_path)
    assert facts_of(cause) == (
        "python-side-effect",
        [(9, text, "stored here"), (8, "x * 2.0", "made here")],
        {kept: "float32 (3,)"},
    )
    assert cause.symptom == "wrong_value"


def test_keeping_concrete_values_is_no_finding(tmp_path):
    program = """
    seen, count = [], 0
    class Model:
        @tf.function
        def __call__(self, x):
            global count
            count += 1
            seen.append((x.shape, x.dtype, "traced"))
            self.weight = self.weight if hasattr(self, "weight") else tf.Variable(2.0)
            return x * self.weight
    model = Model()
    model(tf.ones(3))
    """
    assert warned(program, tmp_path) == []
