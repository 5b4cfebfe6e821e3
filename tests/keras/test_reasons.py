"""Each mistake has the same cause and line in `fit` and in a loop of the program's own, eager and compiled."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import whygrad as tf
from tests.clinic.program import Program, findings

pytestmark = pytest.mark.usefixtures("seeded")
MSE = "keras.losses.MeanSquaredError()"

HEAD = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

rng = np.random.default_rng(0)
x = rng.normal(size=(16, 4)).astype("float32")
y = x.sum(1, keepdims=True)
"""
FIT = """
model.compile(keras.optimizers.SGD(0.01), loss={loss}, run_eagerly={eagerly})
model.fit(x, y, epochs=4, verbose=0)
"""
LOOP = """
optimizer, loss_of = keras.optimizers.SGD(0.01), {loss}


{decorator}
def train(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for _ in range(4):
    train(x, y)
"""
LAYER = """
class Own(layers.Layer):
    def call(self, x):
        {}

model = keras.Sequential([keras.Input((4,)), layers.Dense(5, name="before"), Own(), layers.Dense(1, name="after")])
"""
LOSS = """
def own(y_true, y_pred):
    return {}

model = keras.Sequential([layers.Dense(5), layers.Dense(1)])
"""

# By kind: the program before the training, and the loss.
CASES = {
    ("source-unused", "layer"): (
        """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.used = layers.Dense(1)
        self.extra = layers.Dense(2, name="extra")  # cause
        self.extra.build((None, 4))

    def call(self, x):
        return self.used(x)

model = Net()
""",
        MSE,
    ),
    ("source-unused", "layer that is not built"): (
        """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.used = layers.Dense(1)
        self.position = layers.Embedding(4, 1)  # cause

    def call(self, x):
        return self.used(x)

model = Net()
""",
        MSE,
    ),
    ("source-unused", "loss of its own class"): (
        """
class Own(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return tf.reduce_mean(y_true**2, axis=-1)  # cause

model = keras.Sequential([layers.Dense(5), layers.Dense(1)])
""",
        "Own()",
    ),
    ("source-unused", "prediction"): (LOSS.format("tf.reduce_mean(y_true**2)  # cause"), "own"),
    ("non-differentiable-op", "argmax"): (LAYER.format("return tf.one_hot(tf.argmax(x, -1), 5)  # cause"), MSE),
    ("non-differentiable-op", "round"): (LOSS.format("tf.reduce_mean((tf.round(y_pred) - y_true) ** 2)  # cause"), "own"),
    ("integer-dtype", "cast"): (LAYER.format('return keras.ops.cast(keras.ops.cast(x, "int32"), "float32")  # cause'), MSE),
    ("stop-gradient-misplaced", "ops"): (LAYER.format("return keras.ops.stop_gradient(x)  # cause"), MSE),
    ("variable-not-tracked", "attribute"): (
        """
class Scale(layers.Layer):
    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(1.0)  # cause

    def call(self, x):
        return x * self.scale

model = keras.Sequential([layers.Dense(5), Scale(), layers.Dense(1)])
""",
        MSE,
    ),
    ("variable-not-tracked", "dict"): (
        """
class Scale(layers.Layer):
    def __init__(self):
        super().__init__()
        self.weights_by_name = {"scale": tf.Variable(1.0)}  # cause

    def call(self, x):
        return x * self.weights_by_name["scale"]

model = keras.Sequential([layers.Dense(5), Scale(), layers.Dense(1)])
""",
        MSE,
    ),
    ("weights-frozen", "model"): (
        "model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])\nmodel.trainable = False  # cause\n",
        MSE,
    ),
    ("input-refused", "layer"): (
        LAYER.format("return layers.Reshape((3,))(x)  # cause"),
        MSE,
    ),
    ("input-refused", "built-in layer"): (
        'model = keras.Sequential([layers.Dense(5), layers.LSTM(3, name="memory"), layers.Dense(1)])  # cause\n',
        MSE,
    ),
    ("double-softmax", "loss"): (
        "y = rng.integers(0, 3, 16)\nmodel = keras.Sequential([layers.Dense(3), layers.Lambda(tf.nn.softmax)])\n",
        "keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
    ),
    ("log-of-negative", "loss"): (LOSS.format("tf.reduce_mean(tf.math.log(y_pred) - y_true)  # cause"), "own"),
    ("root-of-negative", "layer"): (LAYER.format("return tf.sqrt(x)  # cause"), MSE),
    ("saturated-region", "built-in layer"): (
        'model = keras.Sequential([layers.Dense(3, activation="relu", kernel_initializer="zeros", name="dead",  # cause\n'
        '    bias_initializer=keras.initializers.Constant(-1.0)), layers.Dense(1)])\n',
        MSE,
    ),
    ("label-out-of-range", "loss"): (
        "y = rng.integers(1, 4, 16)\nmodel = keras.Sequential([layers.Dense(3)])\n",
        "keras.losses.SparseCategoricalCrossentropy(from_logits=True)",
    ),
    ("shape-mismatch", "compute_output_spec"): (LAYER.format("return x @ tf.ones((3, 2))  # cause"), MSE),
}  # fmt: skip


def written(case, training, compiled):
    body, loss = CASES[case]
    decorator = "@tf.function" if compiled else ""
    tail = (FIT if training == "fit" else LOOP).format(loss=loss, eagerly=not compiled, decorator=decorator)
    if case[0] in (
        "label-out-of-range",
        "double-softmax",
    ):  # the line that made the loss, or else the one that calls it
        tail = tail.replace("run_eagerly=", "  # cause\n    run_eagerly=").replace(
            "training=True))", "training=True))  # cause"
        )
    return HEAD + body + tail


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("training", ["fit", "loop"])
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_the_cause_and_its_line(case, training, compiled, tmp_path):
    program = Program(tmp_path / "program.py")
    program.path.write_text(written(case, training, compiled), encoding="utf-8")
    first = findings(program.path)[0]
    assert (first.kind, first.site.line) in [(case[0], line) for line in program.lines], first
    assert {site.file for site in first.sites} == {str(program.path)}
    if training == "fit" and first.symptom in ("none", "zero", "nonfinite"):
        assert first.sentence.startswith(("the gradient of the loss with respect to `", "the loss is not finite"))
        assert "y[" not in first.sentence


def of(text, folder):
    path = folder / "program.py"
    path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
    return findings(path)


def test_a_variable_has_its_path_and_its_layer_the_line_that_made_it(tmp_path):
    program = written(("saturated-region", "built-in layer"), "fit", True)
    (cause,) = of(program.removeprefix(HEAD), tmp_path)
    assert "`sequential/dead/kernel`" in cause.sentence or "`sequential/dead/bias`" in cause.sentence
    made, flat, *_ = cause.sites
    assert (made.role, made.note) == ("made here", "layer `dead`")
    assert flat.role == "flat here, in layer `dead`"
    assert flat.text.startswith("model.fit(")


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("training", ["fit", "loop"])
def test_a_metric_that_alone_is_not_finite(training, compiled, tmp_path):
    metric = """
    def error(y_true, y_pred):
        return tf.abs(tf.math.log(y_pred) - y_true)

    model = keras.Sequential([layers.Dense(5), layers.Dense(1)])
    """
    fit = f"""
    model.compile("sgd", "mse", metrics=[error], run_eagerly={not compiled})
    model.fit(x, y, epochs=2, verbose=0)
    """
    loop = f"""
    optimizer, metric = keras.optimizers.SGD(0.01), keras.metrics.MeanMetricWrapper(error, name="error")

    {"@tf.function" if compiled else ""}
    def train(x, y):
        with tf.GradientTape() as tape:
            prediction = model(x, training=True)
            loss = tf.reduce_mean((prediction - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        metric.update_state(y, prediction)

    for _ in range(2):
        train(x, y)
    """
    (cause,) = of(textwrap.dedent(metric) + textwrap.dedent(fit if training == "fit" else loop), tmp_path)
    assert (cause.kind, cause.site.text) == ("log-of-negative", "tf.math.log(y_pred)")
    assert cause.sentence.startswith("metric `error` is not finite: ")


def test_an_error_of_keras_is_explained_where_python_prints_it(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import whygrad as tf\nimport numpy as np\nlayers = tf.keras.layers\n"
        "model = tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(2, name='first')])\n"
        "model.compile('sgd', 'mse')\nmodel.fit(np.ones((8, 4)), np.ones((8, 2)), verbose=0)\n"
    )
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, env={**os.environ, "PYTHONUTF8": "1"})
    assert "layer `first` refuses its input: " in done.stderr
    assert "made here: layer `first`" in done.stderr
    assert f"{os.sep}whygrad{os.sep}" not in done.stderr.partition("Traceback")[2]


def test_what_is_compiled_is_named_as_the_program_names_it(tmp_path):
    program = """
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(1)

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            prediction = self(data[0])
            return {"first": float(prediction[0, 0])}

    model = Net()
    model.compile("sgd", "mse")
    model.fit(x, y, verbose=0)
    """
    (cause,) = of(program, tmp_path)
    assert "while `train_step` is being compiled" in cause.sentence


def test_a_function_that_a_built_in_layer_calls_is_the_programs(tmp_path):
    (cause,) = of(
        """
        def root(x):
            return tf.sqrt(x)

        model = keras.Sequential([layers.Dense(4, activation=root), layers.Lambda(lambda x: 2.0 * x), layers.Dense(1)])
        model.compile("sgd", "mse")
        model.fit(x, y, verbose=0)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("root-of-negative", "tf.sqrt(x)")


@pytest.mark.parametrize("eagerly", [True, False])
def test_an_op_of_a_functional_model_is_found_where_the_program_calls_it(eagerly, tmp_path):
    (cause,) = of(
        f"""
        given = keras.Input((4,))
        hidden = layers.Dense(8, name="encoder")(given)
        hidden = keras.ops.stop_gradient(hidden)
        model = keras.Model(given, layers.Dense(1)(hidden))
        model.compile("sgd", "mse", run_eagerly={eagerly})
        model.fit(x, y, verbose=0)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.text) == ("stop-gradient-misplaced", "keras.ops.stop_gradient(hidden)")
    assert (cause.site.role, cause.site.note) == ("made here", "op `stop_gradient`")
    assert cause.help.startswith("leave out tf.stop_gradient around the input, ")


def test_a_variable_that_is_assigned_is_no_forgotten_weight(tmp_path):
    program = """
    class Running(layers.Layer):
        def __init__(self):
            super().__init__()
            self.calls = tf.Variable(1.0)

        def call(self, x):
            scaled = x * self.calls
            self.calls.assign_add(1.0)
            return scaled

    model = keras.Sequential([layers.Dense(4), Running(), layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y, epochs=2, verbose=0)
    """
    assert of(program, tmp_path) == []


def test_a_variable_that_a_compiled_fit_makes_nan_has_its_path(keras):
    pytest.importorskip("jax")
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, name="price")], name="market")
    model.compile("sgd", lambda y_true, y_pred: keras.ops.sqrt(0.0 * y_pred))
    with pytest.warns(tf.GradientWarning, match="`market/price/kernel` that `fit` assigns became nan at the 1st call"):
        model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)


STEPS = """
    model = keras.Sequential([layers.Dense(1, kernel_initializer="ones")])
    optimizer = keras.optimizers.SGD(0.1)
    for step in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        print(loss.numpy())
    """


def test_gradients_that_no_optimizer_applies(tmp_path):
    (cause,) = of(STEPS, tmp_path)
    assert cause.kind == "gradient-not-applied"
    assert "`optimizer` never applied it" in cause.sentence
    assert cause.help.endswith("optimizer.apply_gradients(zip(grads, model.trainable_variables))")


@pytest.mark.parametrize(
    "change",
    [
        ("print(loss.numpy())", "print(float(tf.linalg.global_norm(grads)))"),
        ("print(loss.numpy())", "print(f'{grads[0]}')"),
        ("print(loss.numpy())", "largest = np.max(grads[0])"),
        ("for step", "model.compile(optimizer)\n    for step"),
        (
            "optimizer = keras.optimizers.SGD(0.1)",
            "rate, optimizer = 0.1, keras.optimizers.SGD(0.1)\n    model.compile(optimizer)",
        ),
        ("optimizer = keras.optimizers.SGD(0.1)", "model.compile(optimizer=keras.optimizers.SGD(0.1))"),
        ("print(loss.numpy())", "if step > 10: optimizer.apply_gradients(zip(grads, model.trainable_variables))"),
    ],
    ids=lambda change: change[1],
)
def test_gradients_that_are_only_looked_at(change, tmp_path):
    assert change[0] in STEPS
    assert of(STEPS.replace(*change), tmp_path) == []


BACKBONE = """
    backbone = layers.Dense(5, activation="tanh")
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.head = layers.Dense(1)
        def call(self, x):
            return self.head(backbone(x))
    model, optimizer = Net(), keras.optimizers.SGD(0.1)
    for step in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    """


def test_a_layer_that_its_model_does_not_see(tmp_path):
    (cause,) = of(BACKBONE, tmp_path)
    assert cause.kind == "variable-not-tracked"
    assert "no attribute of" in cause.sentence


def test_a_layer_that_is_left_out_where_the_program_asks_for_another_part(tmp_path):
    assert of(BACKBONE.replace("model.trainable_variables", "model.head.trainable_variables"), tmp_path) == []


def test_a_frozen_network_that_two_losses_train_another_through(tmp_path):
    program = """
    net, probe = layers.Dense(3), layers.Dense(2)
    probe.build((None, 3))
    {}
    net.build((None, 4))
    optimizer = keras.optimizers.SGD(0.1)
    for step in range(4):
        with tf.GradientTape() as tape:
            size = tf.reduce_mean(net(x) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(size, net.trainable_variables), net.trainable_variables))
        with tf.GradientTape() as tape:
            probed = tf.reduce_mean((probe(net(x)) - 1.0) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(probed, net.trainable_variables), net.trainable_variables))
    """
    assert of(program.format("probe.trainable = False"), tmp_path) == []
    (cause,) = of(program.format(""), tmp_path)
    assert cause.kind == "wrong-variable-list"


def test_variables_that_a_list_holds_have_their_paths(tmp_path):
    program = """
    model = keras.Sequential([keras.Input((4,)), layers.Dense(2, name="first"), layers.Lambda(tf.round)])
    variables = model.trainable_variables
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    print(tape.gradient(loss, variables))
    """
    (cause,) = of(program, tmp_path)
    assert "with respect to `first/kernel` is None" in cause.sentence.replace("sequential/", "")


def test_operands_of_keras_ops_have_the_names_of_the_program(tmp_path):
    program = "PROJECTION = tf.ones((3, 2))\n" + LAYER.format("return keras.ops.matmul(x, PROJECTION)")
    (cause,) = of(program, tmp_path)
    assert cause.sentence.startswith("the inner sizes differ: `x` (")
    assert cause.sentence.endswith("`PROJECTION` (3, 2) has 3 at its last but one")


OPTIONAL = """
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.used, self.other = layers.Dense(1), layers.Dense(1)
        def call(self, x):
            return self.used(x)
        {}
    model = Net()
    model.compile("sgd", "mse")
    model.fit(x, y, verbose=0)
    {}
    """


def test_a_layer_that_the_program_reads_elsewhere_may_be_left_out(tmp_path):
    (cause,) = of(OPTIONAL.format("", ""), tmp_path)
    assert cause.sentence.startswith("`other` of layer `net` is never called")
    assert of(OPTIONAL.format("def inspect(self, x): return self.other(x)", ""), tmp_path) == []
    assert of(OPTIONAL.format("", "print(model.get_layer(index=1)(x).shape)"), tmp_path) == []
    assert of(OPTIONAL.format("", "print(getattr(model, 'ot' + 'her').name)"), tmp_path) == []


@pytest.mark.parametrize(
    ("change", "sentence", "help"),
    [
        ("optimizer.apply(grads[2:], weights[2:])", "other variables", "one optimizer for each list"),
        ("optimizer.apply(grads, weights)", "as well", "make a new one after that"),
    ],
)
def test_an_optimizer_that_was_built_for_other_variables(change, sentence, help, tmp_path):
    program = f"""
    model = keras.Sequential([keras.Input((4,)), layers.Dense(2), layers.Dense(1)])
    optimizer, weights = keras.optimizers.SGD(0.1), model.trainable_variables
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, weights)
    optimizer.apply(grads[:2], weights[:2])
    {change}
    """
    (cause,) = of(program, tmp_path)
    assert (cause.kind, cause.site.text) == ("wrong-variable-list", change)
    assert sentence in cause.sentence
    assert help in cause.help
