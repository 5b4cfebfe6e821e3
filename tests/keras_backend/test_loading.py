"""The ways to Keras: `tf.keras`, `whygrad run`, `import whygrad.keras`, `KERAS_BACKEND=whygrad`; and what they leave alone."""

import importlib.util
import os
import subprocess
import sys

import pytest

import whygrad
from whygrad.keras_backend import loading, patches, tensorflow_names


def _printed(program, *, command=("-c",), **environment):
    done = subprocess.run(
        [sys.executable, *command, program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_tf_keras_is_keras_own_namespace_and_tensorflow_is_not_loaded(keras):
    program = """
import sys, whygrad as tf
assert "keras" not in sys.modules
print(tf.keras.__name__, tf.keras.backend.backend(), "tensorflow" in sys.modules)
from whygrad.keras.layers import Dense
import whygrad.keras.layers, keras
print(whygrad.keras is tf.keras, Dense is keras.layers.Dense)
print(tf.optimizers is keras.optimizers, tf.losses is tf.keras.losses)
"""
    assert _printed(program) == "keras._tf_keras.keras tensorflow False\nTrue True\nTrue True"


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")
def test_keras_knows_pandas_which_only_the_program_imports(keras):
    program = """
import sys, numpy as np, whygrad.keras, keras
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.ones((4, 2), "float32")
model.predict(x, verbose=0)
print("pandas" in sys.modules)
import pandas
print(model.predict(pandas.DataFrame({"a": x[:, 0], "b": x[:, 1]}), verbose=0).shape)
print(len(model.fit(pandas.DataFrame(x), pandas.Series(x[:, 0]), verbose=0).history["loss"]))
"""
    assert _printed(program) == "False\n(4, 1)\n1"


def test_the_backend_variable_chooses_whygrad(keras):
    program = "import whygrad, keras; print(keras.backend.backend(), keras.ops.ones(2).__class__.__module__)"
    assert _printed(program, KERAS_BACKEND="whygrad") == "tensorflow whygrad.values.tensor"


def test_importing_whygrad_keras_wins_over_another_backend_variable(keras):
    program = "import whygrad.keras, keras; print(keras.ops.ones(2).__class__.__module__)"
    assert _printed(program, KERAS_BACKEND="jax") == "whygrad.values.tensor"


@pytest.mark.parametrize("backend", ["whygrad", "jax", "torch"])
def test_dtypes_are_those_of_the_tensorflow_backend_whatever_the_variable_says(keras, backend):
    program = """
import os, whygrad.keras, keras, numpy as np
print(keras.optimizers.Adam().iterations.dtype, keras.backend.standardize_dtype(complex), os.environ["KERAS_BACKEND"])
print(keras.backend.result_type(np.int64), keras.backend.result_type(np.float64, "float32"))
"""
    assert _printed(program, KERAS_BACKEND=backend) == f"int64 complex128 {backend}\nint64 float64"


def test_a_script_runs_unmodified(keras, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import tensorflow as tf\n"
        "from tensorflow.keras.layers import Dense\n"
        "from tensorflow import keras\n"
        "import keras as plain\n"
        "layer = Dense(1, kernel_initializer='ones')\n"
        "with tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(layer(tf.ones((2, 3))))\n"
        "print([g.numpy().tolist() for g in tape.gradient(loss, layer.trainable_variables)])\n"
        "print(keras is tf.keras, plain.layers.Dense is Dense)\n"
    )
    printed = _printed(str(script), command=("-m", "whygrad", "run"))
    assert printed == "[[[2.0], [2.0], [2.0]], [2.0]]\nTrue True"


def test_keras_that_is_already_imported_is_refused_in_one_sentence(keras):
    program = """
import sys, types
sys.modules["keras"] = types.ModuleType("keras")
try:
    import whygrad.keras
except ImportError as error:
    print(error)
"""
    expected = (
        "Keras is already imported, on another backend: put `import whygrad.keras` before the first `import keras`"
    )
    assert _printed(program) == expected


def test_a_version_that_is_not_known_is_refused_in_one_sentence(keras, monkeypatch):
    monkeypatch.setattr(loading.imports, "is_active", lambda: False)
    monkeypatch.setattr(loading.importlib.metadata, "version", lambda name: "4.0.1")
    with pytest.raises(
        ImportError, match=r"^whygrad runs Keras 3\.12 to 3\.16, and Keras 4\.0\.1 is installed: pip install"
    ):
        loading.prepare()


def test_a_name_that_keras_lost_is_named(keras):
    module = type(sys)("keras.src.utils.module_utils")
    with pytest.raises(
        ImportError, match=r"whygrad replaces `keras\.src\.utils\.module_utils\.tensorflow`, which this version"
    ):
        patches.apply(module)


def test_without_keras_the_error_says_what_to_install():
    program = """
import sys, whygrad as tf
import importlib.metadata as metadata
def version(name): raise metadata.PackageNotFoundError(name)
metadata.version = version
print(hasattr(tf, "keras"))
try:
    tf.keras
except AttributeError as error:
    print(error)
try:
    import whygrad.keras
except ModuleNotFoundError as error:
    print(error)
try:
    tf.optimizers
except AttributeError as error:
    print(error)
"""
    sentence = "is Keras 3, which is not installed: pip install 'whygrad[keras]'"
    optimizers = f"tf.optimizers is tf.keras.optimizers, and tf.keras {sentence}"
    assert _printed(program) == f"False\ntf.keras {sentence}\ntf.keras {sentence}\n{optimizers}"


@pytest.mark.skipif(importlib.util.find_spec("tensorflow") is None, reason="TensorFlow is not installed")
def test_real_tensorflow_stays_beside_it(keras):
    program = """
import sys, whygrad.keras, keras
import tensorflow
print(tensorflow.__spec__.origin.endswith("tensorflow/__init__.py"), tensorflow is sys.modules["tensorflow"])
print(type(keras.ops.ones(2)).__module__, isinstance(tensorflow.ones(2), type(keras.ops.ones(2))))
"""
    assert _printed(program, TF_CPP_MIN_LOG_LEVEL="3") == "True True\nwhygrad.values.tensor False"


def test_names_of_tensorflow_that_keras_does_not_use_are_refused():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'tensorflow\.python\.tpu'"):
        tensorflow_names.find("tensorflow.python.tpu")
    with pytest.raises(AttributeError, match=r"tf\.sinus does not exist in whygrad"):
        tensorflow_names.root().sinus
    assert tensorflow_names.root().math.sin is whygrad.math.sin


def test_a_model_is_compiled_by_xla_unless_ops_must_be_deterministic(keras):
    program = """
import whygrad.keras, keras
from keras.src.trainers.trainer import model_supports_jit
model = keras.Sequential([keras.layers.Dense(1)])
print(model_supports_jit(model))
whygrad.config.experimental.enable_op_determinism()
print(model_supports_jit(model))
"""
    assert _printed(program) == "True\nFalse"


def test_what_few_programs_use_is_loaded_when_it_is_used(keras):
    program = """
import sys, whygrad.keras, keras
print([name for name in ("sklearn", "matplotlib", "jax") if name in sys.modules])
print(keras.wrappers.SKLearnClassifier.__name__, keras.visualization.plot_image_gallery.__name__)
print(whygrad.keras.wrappers.SKLearnClassifier is keras.wrappers.SKLearnClassifier, keras.wrappers.__name__)
import keras.wrappers
from keras.visualization import draw_bounding_boxes
print("SKLearnRegressor" in dir(keras.wrappers))
"""
    printed = "[]\nSKLearnClassifier plot_image_gallery\nTrue keras.wrappers\nTrue"
    assert _printed(program) == printed
