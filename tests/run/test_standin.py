"""The stand-in for the module `tensorflow`: whygrad under TensorFlow's names."""

import importlib
import importlib.util
import sys
import types

import pytest

import whygrad
from tests.run.commands import whygrad as command
from whygrad.run.standin import standing_in


@pytest.fixture
def tf():
    with standing_in():
        yield importlib.import_module("tensorflow")


def test_names_are_whygrads_own(tf):
    assert tf.GradientTape is whygrad.GradientTape
    assert tf.math.log is whygrad.math.log
    assert tf.float32 is whygrad.float32
    assert tf.newaxis is None


@pytest.mark.parametrize(
    "statement",
    [
        "import tensorflow as tf; f = tf.math.log",
        "import tensorflow; f = tensorflow.math.log",
        "import tensorflow.math; f = tensorflow.math.log",
        "import tensorflow.math as m; f = m.log",
        "from tensorflow import math; f = math.log",
        "from tensorflow.math import log as f",
        "import tensorflow.compat.v2 as tf; f = tf.math.log",
        "from tensorflow.compat.v2.math import log as f",
        "from tensorflow import *; f = math.log",
        "import importlib; f = importlib.import_module('tensorflow.math').log",
    ],
)
@pytest.mark.usefixtures("tf")
def test_every_form_of_import(statement):
    names = {}
    exec(statement, names)
    assert names["f"] is whygrad.math.log


@pytest.mark.usefixtures("tf")
def test_numpy_of_tensorflow():
    import tensorflow.experimental.numpy as tnp
    from tensorflow.experimental import numpy as again

    import whygrad.numpy

    assert tnp is again
    assert tnp.sum is whygrad.numpy.sum


def test_versions(tf):
    assert tf.__version__ == tf.version.VERSION == "2.21.0"


def test_compat_v2_is_the_module_itself(tf):
    import tensorflow.compat.v2

    assert tensorflow.compat.v2 is tf is tf.compat.v2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nn.log", "tf.nn.log does not exist in whygrad; tf.math.log does"),
        ("log", "tf.log does not exist in whygrad; tf.math.log does"),
        ("math.reshape", "tf.math.reshape does not exist in whygrad; tf.reshape does"),
        ("GradientTap", "tf.GradientTap does not exist in whygrad; it has tf.GradientTape, tf.gradients"),
        ("numpy", "tf.numpy does not exist in whygrad; tf.experimental.numpy does"),
        (
            "lite",
            "tf.lite does not exist in whygrad; whygrad trains and explains models, and converts none for phones or other "
            "devices: train with TensorFlow what you deploy",
        ),
        (
            "Session",
            "tf.Session does not exist in whygrad; whygrad follows TensorFlow 2 and has no graphs: ops are computed at once, and "
            "tf.function compiles functions",
        ),
        (
            "compat.v1.no_name",
            "tf.compat.v1.no_name does not exist in whygrad; whygrad follows TensorFlow 2: ops are computed at once, variables are "
            "tf.Variable, gradients are taken with tf.GradientTape, and most names are in tf itself",
        ),
        ("zzzzzz", "tf.zzzzzz does not exist in whygrad"),
        ("_private", "tf._private does not exist in whygrad"),
        ("values", "tf.values does not exist in whygrad"),
        ("ops", "tf.ops does not exist in whygrad"),
    ],
)
def test_missing_names(tf, name, said):
    assert tf.experimental.numpy  # in the tree, as after a first use
    *path, last = name.split(".")
    for each in path:
        tf = getattr(tf, each)
    assert not hasattr(tf, last)
    with pytest.raises(AttributeError) as caught:
        getattr(tf, last)
    assert str(caught.value) == said


def test_close_names_are_offered(tf):
    with pytest.raises(AttributeError, match=r"^tf.reduce_men does not exist in whygrad; it has tf.reduce_mean, tf"):
        tf.reduce_men


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "from tensorflow.python.framework import ops",
            "No module named 'tensorflow.python': tensorflow.python holds TensorFlow's internals, and whygrad "
            "provides only its public names",
        ),
        (
            "import tensorflow.lite",
            "No module named 'tensorflow.lite': tf.lite does not exist in whygrad; whygrad trains and explains models, and converts "
            "none for phones or other devices: train with TensorFlow what you deploy",
        ),
        (
            "from tensorflow import GradientTap",
            "No module named 'tensorflow.GradientTap': tf.GradientTap does not exist in whygrad; it has tf.GradientTape, tf.gradients",
        ),
        (
            "from tensorflow.nn import log",
            "No module named 'tensorflow.nn.log': tf.nn.log does not exist in whygrad; tf.math.log does",
        ),
        ("import tensorflow.constant", "No module named 'tensorflow.constant': tf.constant is not a module"),
    ],
)
@pytest.mark.usefixtures("tf")
def test_missing_imports(statement, said):
    with pytest.raises(ImportError) as caught:
        exec(statement, {})
    assert str(caught.value) == said


def test_find_spec_finds_the_stand_in(tf):
    assert importlib.util.find_spec("tensorflow").name == "tensorflow"
    assert importlib.util.find_spec("tensorflow.math").name == "tensorflow.math"
    assert "matmul" in dir(tf)
    assert "_namespace" not in dir(tf)
    assert repr(tf.math) == "<module 'tensorflow.math' (whygrad's stand-in)>"
    assert not hasattr(tf, "__wrapped__")


def test_the_previous_modules_are_restored():
    before = list(sys.meta_path)
    real = types.ModuleType("tensorflow")
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == "tensorflow"}
    sys.modules["tensorflow"] = real
    try:
        with standing_in():
            assert importlib.import_module("tensorflow") is not real
        assert sys.modules["tensorflow"] is real
        assert sys.meta_path == before
    finally:
        del sys.modules["tensorflow"]
        sys.modules.update(kept)


def test_real_tensorflow_is_not_touched(tmp_path):
    """A package of that name in the program's own folder stands for an installed one."""
    (tmp_path / "tensorflow").mkdir()
    (tmp_path / "tensorflow" / "__init__.py").write_text("raise SystemExit('the real one was imported')")
    (tmp_path / "tensorflow" / "lite.py").write_text("raise SystemExit('a part of it was imported')")
    program = tmp_path / "program.py"
    program.write_text(
        "import tensorflow as tf\nprint(tf.constant(1.5).numpy())\n"
        "try:\n    import tensorflow.lite\nexcept ImportError:\n    print('no lite')\n"
    )
    found = command("run", "--quiet", program)
    assert (found.stdout, found.stderr, found.returncode) == ("1.5\nno lite\n", "", 0)


def test_a_missing_name_ends_at_the_users_line(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import tensorflow as tf\n\ntf.GradientTap()\n")
    found = command("run", "--quiet", program)
    assert found.stderr.split("\n") == [
        "Traceback (most recent call last):",
        f'  File "{program}", line 3, in <module>',
        "    tf.GradientTap()",
        "    ^^^^^^^^^^^^^^",
        "AttributeError: tf.GradientTap does not exist in whygrad; it has tf.GradientTape, tf.gradients",
        "",
    ]
