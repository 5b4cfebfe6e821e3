"""`import whygrad` is light."""

import subprocess
import sys

HEAVY = ["jax", "keras", "tensorflow", "scipy", "rich", "ml_dtypes"]


def _loaded_after(statement):
    code = f"import sys; {statement}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_import_loads_nothing_heavy():
    assert _loaded_after("import whygrad") == []


def test_the_check_would_see_it():
    assert _loaded_after("import whygrad, scipy") == ["scipy"]


def test_a_gradient_loads_nothing_heavy():
    program = (
        "import whygrad as tf; x = tf.Variable([[1.0, 2.0]]); t = tf.GradientTape(); t.__enter__(); "
        "y = tf.reduce_mean(tf.matmul(x, x, transpose_b=True)); t.__exit__(None, None, None); t.gradient(y, x)"
    )
    assert _loaded_after(program) == []
