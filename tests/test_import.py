"""`import whygrad` is fast: it loads little, and the rest when it is first used."""

import ast
import importlib
import inspect
import pathlib
import pickle
import subprocess
import sys

import pytest

import whygrad
from whygrad._public.table import TABLE

HEAVY = [
    "jax",
    "keras",
    "tensorflow",
    "scipy",
    "rich",
    "ml_dtypes",
    "safetensors",
    "logging",
    "dataclasses",
    "json",
    "random",
]
HEAVY += [
    "whygrad.why",
    "whygrad.view.notice",
    "whygrad.view.terminal",
    "whygrad.image",
    "whygrad.nn",
    "whygrad.ops.random",
    "whygrad.ops.random_generators",
    "whygrad.ops.random_streams",
]


def _loaded_after(statement):
    code = f"import sys; {statement}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_import_loads_nothing_heavy():
    assert _loaded_after("import whygrad") == []


def test_the_check_would_see_it():
    assert "scipy" in _loaded_after("import whygrad, scipy")
    assert "whygrad.image" in _loaded_after("import whygrad; whygrad.image.resize")


def test_a_gradient_loads_nothing_heavy():
    program = (
        "import whygrad as tf; x = tf.Variable([[1.0, 2.0]]); t = tf.GradientTape(); t.__enter__(); "
        "y = tf.reduce_mean(tf.matmul(x, x, transpose_b=True)); t.__exit__(None, None, None); t.gradient(y, x)"
    )
    assert _loaded_after(program) == []


def test_explaining_a_none_loads_the_explanations():
    program = """
import sys, warnings, whygrad as tf
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    y = x * x
assert "whygrad.view.notice" not in sys.modules
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert tape.gradient(y, x) is None
print(caught[0].message.causes[0].kind)
"""
    assert _printed(program) == "source-not-watched"


def test_a_warning_is_shown_without_rich():
    """rich takes 20 ms and more: only `whygrad run` at a terminal, and text that is not ASCII, need it."""
    program = """
import sys, warnings, whygrad as tf
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    y = x * x
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert tape.gradient(y, x) is None
str(caught[0].message)
print([name for name in sys.modules if name.partition(".")[0] == "rich"])
"""
    assert _printed(program) == "[]"


def test_explaining_an_error_loads_the_explanations():
    program = """
import sys, traceback, whygrad as tf
try:
    tf.matmul(tf.ones((2, 3)), tf.ones((2, 3)))
except tf.errors.InvalidArgumentError as error:
    assert "whygrad.view.notice" not in sys.modules
    print(error.causes[0].kind, any("help" in line for line in traceback.format_exception(error)))
"""
    assert _printed(program) == "shape-mismatch True"


def test_a_rule_finds_a_primitive_that_is_not_loaded_yet():
    program = """
import sys, whygrad as tf
a = tf.constant([[2.0, 0.5], [0.5, 1.0]])
with tf.GradientTape() as outer:
    outer.watch(a)
    with tf.GradientTape() as inner:
        inner.watch(a)
        y = tf.eig(a)[0]
    g = inner.gradient(y, a)
    assert "matrix_inverse" in str(sys.modules["whygrad.ops.primitive"].registered())
print(outer.gradient(g, a) is not None)
"""
    assert _printed(program) == "True"


def _printed(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_each_form_of_import_gives_the_same_namespace():
    for form in (
        "import whygrad; n = whygrad.image",
        "import whygrad.image; n = whygrad.image",
        "from whygrad import image as n",
    ):
        assert _printed(f"{form}; print(n.__name__, n.resize.__name__)") == "whygrad.image resize"
    starred = "from whygrad import *; import builtins; builtins.print(nn.relu.__name__, TensorSpec.__name__)"
    assert _printed(starred) == "relu TensorSpec"


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"tf\.sinus does not exist in whygrad; it has tf\.sin"):
        whygrad.sinus
    with pytest.raises(AttributeError, match=r"tf\.log does not exist in whygrad; tf\.math\.log does"):
        whygrad.log
    with pytest.raises(AttributeError, match=r"tf\.nn\.sinus does not exist in whygrad"):
        whygrad.nn.sinus
    with pytest.raises(AttributeError, match="module 'whygrad' has no attribute '__sinus__'"):
        whygrad.__sinus__


def test_looking_up_an_unknown_name_loads_nothing():
    asked = (
        "import sys, whygrad; before = set(sys.modules); hasattr(whygrad, 'karas'); print(set(sys.modules) - before)"
    )
    assert _printed(asked) == "set()"


def test_every_name_that_is_loaded_late_is_the_one_in_the_stubs():
    for namespace in TABLE:
        module = importlib.import_module(namespace)
        tree = ast.parse(pathlib.Path(module.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
        told = {}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                told |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            else:
                told[node.targets[0].id if isinstance(node, ast.Assign) else node.name] = None
        assert {name for name in told if not name.startswith("_")} == set(module.__all__) <= set(dir(module))
        for name, place in told.items():
            if place is not None and not name.startswith("_"):
                home, _, inner = place.rpartition(".")
                value = getattr(module, name)  # first: it loads a namespace, as the stub's import statement would
                assert getattr(importlib.import_module(home), inner) is value


def test_every_public_object_can_be_pickled_by_its_name():
    for namespace in TABLE:
        module = importlib.import_module(namespace)
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                assert pickle.loads(pickle.dumps(value)) is value, f"{namespace}.{name}"
