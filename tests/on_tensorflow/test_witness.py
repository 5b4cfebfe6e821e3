"""The same programs on both engines: the same causes at the same lines, and none in healthy ones."""

import re
import runpy
import subprocess
import sys
import zlib

import numpy as np
import pytest

from tests.clinic import pages
from tests.clinic.program import FOLDER, HEALTHY, Program, programs
from tests.on_tensorflow.watched import findings
from whygrad import on_tensorflow
from whygrad.on_tensorflow.witness import Witness
from whygrad.why.evidence.trace import tracing

pytestmark = pytest.mark.tensorflow

# Programs in which TensorFlow behaves otherwise, or that show what docs/on_tensorflow.md says is not seen, by the reason.
UNSEEN = {
    name: reason
    for reason, names in {
        "TensorFlow gives the symbolic tensor back, so that nothing fails": "sum_of_kept_tensors",
        "a ufunc of NumPy's reads the memory of a tensor without asking it": "numpy_np_function",
        "indices are plain numbers to whygrad": "midpoint_index",
        "TensorFlow returns the gradient of the wrong shape, and the update fails: that comes first": "bias_add",
        "zeros that were requested are not followed to updates": "zeros_filled_in_for_frozen_layers",
        "accumulators are not watched": "direction_of_an_earlier_result",
    }.items()
    for name in names.split()
}
# Programs in which TensorFlow differs, and is explained all the same: it crashes, or gives nan where whygrad gives numbers.
DIFFERENT = {"output_gradients_count", "cholesky_of_similar_points"}
# A sixth of the others, chosen by their names: a new program moves no other in or out.
PROGRAMS = [
    each
    for each in programs()
    if str(each) in DIFFERENT or (zlib.crc32(str(each).encode()) % 6 == 0 and str(each) not in UNSEEN)
]


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.kind != HEALTHY], ids=str)
def test_the_true_cause_comes_first_with_its_line(program, real_tf):
    found = findings(program.path, real_tf)
    assert found, "nothing was found"
    assert (found[0].kind, found[0].site.line) in [(program.kind, line) for line in program.lines], found[0]


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each.kind == HEALTHY], ids=str)
def test_a_healthy_program_gets_no_finding(program, real_tf):
    assert findings(program.path, real_tf) == []


# Of Keras's programs a fifth, but for those that fail otherwise on TensorFlow, or in a graph that cannot be repeated.
KERAS_UNSEEN = {
    "fakes_of_the_first_half_reused",
    "labels_from_one",
    "bilinear_layer",
    "functional_concat_of_time_steps",
    "mean_of_an_empty_window",  # TensorFlow compiles the function of a dataset that makes the nan
}
KERAS = [Program(path) for path in sorted((FOLDER.parent / "keras" / "clinic").glob("*/*.py"))]
KERAS = [each for each in KERAS if zlib.crc32(str(each).encode()) % 5 == 0 and str(each) not in KERAS_UNSEEN]


@pytest.mark.parametrize("program", KERAS, ids=str)
def test_the_true_cause_comes_first_in_a_keras_program(program, real_tf):
    found = findings(program.path, real_tf)
    assert {(each.kind, each.site.line in program.lines) for each in found[:1]} == (
        set() if program.kind == HEALTHY else {(program.kind, True)}
    )


SCRIPT = """
import random
import sys
import threading

import numpy as np
import tensorflow as tf

tf.random.set_seed(3)
random.seed(1)
np.random.seed(2)
rng = np.random.default_rng(5)
w = tf.Variable(tf.random.normal([3, 2]), name="w")
bias = tf.Variable(2.0)
log, counts, total = [], {"calls": 0}, 0
buffer = np.zeros(3)


class Trainer(tf.Module):
    def __init__(self):
        self.steps = 0
        self.seen = set()
        self.rate = None

    @tf.function
    def step(self, x):
        global total
        print("tracing", x.shape)
        tf.print("running", output_stream=sys.stdout)
        if self.rate is None:
            self.rate = tf.Variable(0.1)
        self.steps += 1
        self.seen.add(self.steps)
        total += 1
        log.append(self.steps)
        counts["calls"] += 1
        buffer[0] += 1
        noise = rng.normal() + random.random() + np.random.rand()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(x @ w + tf.random.normal([2], seed=7)) ** 2) + noise
            loss += tf.reduce_sum(tf.random.uniform([2]))
        w.assign_sub(self.rate * tape.gradient(loss, w))
        self.rate.assign(self.rate * 0.9)
        return loss


trainer = Trainer()
for i in range(3):
    x = tf.random.normal([4, 3])
    print(trainer.step(x).numpy().tobytes().hex(), w.numpy().tobytes().hex(), trainer.rate.numpy())
    print(trainer.steps, trainer.seen, total, log, counts, buffer, rng.normal(), random.random(), np.random.rand())
    print(tf.random.normal([2], seed=7).numpy(), tf.random.uniform([2]).numpy(), bias.assign(2.0).numpy(), bias.assign_add(1.0).numpy())
print(np.asarray(w), np.array(x), np.sin(w), tf.py_function(lambda a: a * 2, [w], tf.float32).numpy())
t = threading.Thread(target=lambda: print("thread", (w * 2).numpy()))
t.start()
t.join()
gen = tf.random.Generator.from_seed(4)


@tf.function
def draws():
    return gen.normal([2])


print(draws().numpy(), draws().numpy(), gen.normal([1]).numpy())
try:
    tf.ones([2]) + tf.ones([3])
except tf.errors.InvalidArgumentError as error:
    print(type(error).__name__, str(error).splitlines()[0])


@tf.function
def fails(x):
    return tf.linalg.inv(x)


try:
    fails(tf.zeros([2, 2]))
except tf.errors.InvalidArgumentError as error:
    print(type(error).__name__, error.message.splitlines()[0].split("}}")[-1])


@tf.custom_gradient
def clipped(x):
    def grad(upstream):
        log.append("called")
        return tf.clip_by_norm(upstream, 1.0)

    return tf.identity(x), grad


with tf.GradientTape(persistent=True) as tape:
    y = tf.reduce_sum(clipped(tf.nn.softmax(x @ w)) ** 3)
print(tape.gradient(y, w).numpy().tobytes().hex(), log, tape.jacobian(y, w).shape, float(y))
sys.exit(5)
"""


def test_the_program_behaves_as_without_whygrad(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(SCRIPT)
    plain = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    command = [sys.executable, "-m", "whygrad", "run", "--on", "tensorflow", path]
    watched = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert plain.returncode == 5, plain.stderr
    assert (watched.returncode, watched.stdout) == (plain.returncode, plain.stdout), watched.stderr
    assert "whygrad: 3 findings" in watched.stderr, watched.stderr  # what ran once: a count, an array's element, a draw


FAILS = """
import tensorflow as tf


@tf.function
def fails(x):
    raise KeyError("mine")


fails(tf.ones(2))
"""


def test_a_traceback_has_no_frames_of_the_witness(real_tf, tmp_path):
    path = tmp_path / "fails.py"
    path.write_text(FAILS)
    command = [sys.executable, "-m", "whygrad", "run", "--on", "tensorflow", path]
    watched = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert watched.returncode == 1
    assert "in <module>" in watched.stderr
    assert "witness.py" not in watched.stderr


FREED = """
import gc
import tensorflow as tf


class Net:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])
        self.compiled = tf.function(lambda x: tf.reduce_sum(x * self.w))
        self.bound = tf.function(self.plain)

    def plain(self, x):
        return tf.reduce_sum(x + self.w)

    @tf.function
    def step(self, x):
        return tf.reduce_sum(self.w * x)

    def __del__(self):
        print("freed")


for _ in range(3):
    net = Net()
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = net.step(tf.ones([2])) + net.compiled(tf.ones([2])) + net.bound(tf.ones([2]))
        tape.gradient(y, net.w)
    del net, y, tape
    gc.collect()
print("end")
"""


def test_objects_with_compiled_methods_are_freed_and_not_called_new(real_tf, tmp_path):
    path = tmp_path / "freed.py"
    path.write_text(FREED)
    command = [sys.executable, "-m", "whygrad", "run", "--on", "tensorflow", path]
    watched = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert watched.stdout.split() == ["freed", "freed", "freed", "end"], watched.stderr
    assert "no gradient problems found" in watched.stderr
    assert "not followed" not in watched.stderr


COMPILED = """
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
rate = tf.Variable([0.0, 1.0])


@tf.function
def none(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.round(w) * x)
    return loss, tape.gradient(loss, w) is None


@tf.function
def infinite(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.log(rate) * x)
    rate.assign_sub(0.1 * tape.gradient(loss, rate))
    return loss


@tf.function
def model(x):
    return tf.reduce_sum(tf.floor(w) * x)


x = tf.constant([1.0, 2.0])
none(x)
infinite(x)
with tf.GradientTape() as tape:
    out = model(x)
assert tape.gradient(out, w) is None
"""


def test_compiled_functions_are_looked_into(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(COMPILED)
    found = {(each.kind, each.site.line) for each in findings(path, real_tf)}
    assert {("non-differentiable-op", 11), ("log-of-zero", 18), ("non-differentiable-op", 25)} <= found


def test_the_page_shows_tensorflows_own_numbers(real_tf, tmp_path):
    path = tmp_path / "page_of_a_step.py"
    path.write_text("""
import tensorflow as tf
w = tf.Variable([3.0, 4.0], name="w")
scale = tf.Variable(1.4, name="scale")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * tf.round(scale))
tape.gradient(loss, [w, scale])
""")
    with Witness(eager=False).watching(), tracing() as trace:
        runpy.run_path(str(path))
    nodes = {node.name: node for node in trace.steps.kept[0].nodes}
    assert {"w", "scale", "round", "multiply", "reduce_sum"} <= set(nodes)
    assert (nodes["w"].norm, nodes["w"].gradient) == (5.0, pytest.approx(2**0.5))
    assert [mark.kind for mark in nodes["round"].marks] == ["cut"]
    assert '"kind":"non-differentiable-op"' in trace.html()


FIT = """
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(64, 2)).astype("float32")
x[40] = 1e30


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(3)
        self.unused = self.add_weight(shape=(2,), name="unused")

    def call(self, x):
        return tf.square(self.hidden(x))


net = Net()
net.compile("sgd", "mse")
net.fit(x, x[:, :1], batch_size=8, epochs=2, verbose=0, shuffle=False)
"""


def test_a_compiled_step_of_keras_is_repeated_with_its_batch(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(FIT)
    unused, overflow = findings(path, real_tf)
    assert (unused.kind, unused.site.line) == ("source-unused", 21)  # the layer that is never called was made there
    assert re.match(r"the gradient of the loss with respect to `net(_\d+)?/unused` is None", unused.sentence)
    assert (overflow.kind, overflow.site.line) == ("diverged", 18)
    assert "kernel`" in overflow.sentence


def test_a_thread_and_a_python_callback_are_followed(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import threading\nimport numpy as np\nimport tensorflow as tf\nw = tf.Variable(2.0)\nmade = []\n"
        "thread = threading.Thread(target=lambda: made.append(w * 2.0))\n"
        "with tf.GradientTape(persistent=True) as tape:\n    thread.start()\n    thread.join()\n"
        "    y = made[0] * 3.0\n"
        "    z = tf.py_function(lambda x: np.sin(x.numpy()), [w], tf.float32)\n"
        "tape.gradient(y, w)\ntape.gradient(z, w)\n"
    )
    assert [(each.kind, each.site.line) for each in findings(path, real_tf)] == [
        ("computed-outside-tape", 6),
        ("python-callback-opaque", 11),
    ]


def test_tensorflow_is_as_before_afterwards(real_tf, tmp_path):
    before = {name: getattr(real_tf.GradientTape, name) for name in dir(real_tf.GradientTape)}
    softmax = real_tf.nn.softmax
    path = tmp_path / "program.py"
    path.write_text("import tensorflow as tf\ntf.ones([2]) * 2.0\n")
    findings(path, real_tf)
    assert {name: getattr(real_tf.GradientTape, name) for name in dir(real_tf.GradientTape)} == before
    assert real_tf.nn.softmax is softmax


def test_a_failure_of_the_witness_does_not_stop_the_program(real_tf, tmp_path, monkeypatch):
    from whygrad.on_tensorflow import op_types

    def fails(tf, x, a):
        raise KeyError("planted")

    monkeypatch.setitem(op_types.TRANSLATIONS, "Tanh", fails)
    path = tmp_path / "program.py"
    path.write_text(
        "import tensorflow as tf\nx = tf.Variable(1.0)\nwith tf.GradientTape() as t:\n    y = tf.tanh(x)\n"
        "assert abs(t.gradient(y, x).numpy() - 0.42) < 0.001\n"
    )
    assert findings(path, real_tf) == []


def _on_tensorflow(text):
    return text.replace("import whygrad as tf", "import tensorflow as tf") + "\n"


def _is_seen(page):
    """Whether a page's programs run on TensorFlow as well: some are about whygrad's own names, or are compiled."""
    has_own_names = "whygrad" in _on_tensorflow(page.failing) + _on_tensorflow(page.repaired)
    return not has_own_names and not page.is_compiled and page.kind not in UNSEEN


@pytest.mark.parametrize("page", [each for each in pages.pages() if _is_seen(each)], ids=str)
def test_the_programs_of_the_catalogue(page, real_tf, tmp_path):
    for which in ("failing", "repaired"):
        path = tmp_path / f"{which}.py"
        path.write_text(_on_tensorflow(getattr(page, which)))
        found = findings(path, real_tf)
        assert [each.kind for each in found[:1]] == ([page.kind] if which == "failing" else []), found


TRAINED = """
import pathlib

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(320, 2)).astype("float32")
x[8 * 29] = 1e30  # in the 30th batch
here = pathlib.Path(__file__).parent


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(3)
        self.dropout = keras.layers.Dropout(0.3)

    def call(self, x, training=False):
        if tf.executing_eagerly():
            with open(here / "repeated.txt", "a") as file:
                print(*self.hidden.kernel.numpy().ravel(), file=file)
        return tf.square(self.dropout(self.hidden(x), training=training))


class Remember(keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        with open(here / "trained.txt", "a") as file:
            print(*(self.model.hidden.kernel.numpy().ravel() if batch else [0.0] * 6), file=file)

    def on_epoch_begin(self, epoch, logs=None):
        self.model.optimizer.learning_rate.assign(0.02)


net = Net()
net.compile("sgd", "mse")
net.fit(x, x[:, :1], batch_size=8, epochs=1, verbose=0, shuffle=False, callbacks=[Remember()])
"""


def test_a_step_of_keras_is_repeated_from_the_values_that_its_variables_had(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(TRAINED)
    (found,) = findings(path, real_tf)
    assert (found.kind, found.site.line) == ("diverged", 24)
    repeated, trained = (np.loadtxt(tmp_path / f"{name}.txt") for name in ("repeated", "trained"))
    # The last repetition is of the 30th call. Up to there the variables change as they did: those of the call before are others.
    np.testing.assert_allclose(repeated[-1], trained[29], rtol=1e-5, atol=1e-6)
    assert not np.allclose(trained[28], trained[29], rtol=1e-4, atol=1e-5)


def test_a_function_is_looked_into_each_time_that_somebody_watches(real_tf):
    @real_tf.function
    def loss(x):
        with real_tf.GradientTape() as tape:
            tape.watch(x)
            y = real_tf.reduce_sum(real_tf.round(x))
        assert tape.gradient(y, x) is None
        return y

    for _ in range(2):
        with on_tensorflow.tracing() as trace:
            loss(real_tf.constant([1.0, 2.0]))
        assert [each.kind for each in trace.findings] == ["non-differentiable-op"]


def test_an_op_is_recorded_as_its_primitive_without_computing_it_again(real_tf, monkeypatch):
    from whygrad.on_tensorflow import op_types

    computed = []
    translation = op_types.TRANSLATIONS["MatMul"]
    monkeypatch.setitem(op_types.TRANSLATIONS, "MatMul", lambda *given: computed.append(1) or translation(*given))
    x, w = real_tf.ones([2, 3]), real_tf.Variable(real_tf.ones([3, 4]))
    witness = Witness()
    witness.strict = True
    with witness.watching(), tracing() as trace:
        for scale in (1.0, 2.0, 0.0):
            with real_tf.GradientTape() as tape:
                y = real_tf.reduce_sum(real_tf.matmul(x * scale, w), axis=1)
            gradient = tape.gradient(y, w)
    assert gradient.numpy().sum() == 0
    assert len(computed) == 1  # the first time
    assert trace.counts["ops"] == 3 * 3


def test_names_of_files_and_the_like_are_not_said_to_be_unseen(real_tf, tmp_path):
    witness = Witness()
    with witness.watching(), tracing():
        weight = real_tf.Variable([1.0, 2.0])
        checkpoint = real_tf.train.Checkpoint(weight=weight)
        checkpoint.restore(checkpoint.save(str(tmp_path / "saved")))
        real_tf.strings.join(["a", "b"])
    assert witness.unseen == {}


COMPILED_FAILURES = {
    "return tf.linalg.inv(x)": ("singular-matrix", 6, "tf.zeros([2, 2])"),
    "y = tf.matmul(x, tf.ones([3, 2]))\n    return y": ("shape-mismatch", 6, "tf.ones([2, 2])"),
}


@pytest.mark.parametrize("body", COMPILED_FAILURES)
def test_an_error_inside_a_compiled_function_is_explained_op_by_op(body, real_tf, tmp_path):
    kind, line, given = COMPILED_FAILURES[body]
    path = tmp_path / "program.py"
    path.write_text(f"import tensorflow as tf\n\n\n@tf.function\ndef solve(x):\n    {body}\n\n\nsolve({given})\n")
    (cause,) = findings(path, real_tf)
    assert (cause.kind, cause.site.line) == (kind, line)


def test_a_variable_that_is_an_argument_and_one_that_was_updated_in_part_are_followed(real_tf, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import tensorflow as tf\ntable = tf.Variable([[1.0, 2.0], [3.0, 4.0]])\n\n\n@tf.function\ndef model(rows):\n"
        "    return tf.reduce_sum(tf.round(rows))\n\n\n"
        "with tf.GradientTape(persistent=True) as tape:\n    table.scatter_nd_add([[0]], [[1.0, 1.0]])\n"
        "    y = tf.reduce_sum(tf.floor(table))\n    z = model(table)\n"
        "tape.gradient(y, table)\ntape.gradient(z, table)\n"
    )
    assert [(each.kind, each.site.line) for each in findings(path, real_tf)] == [
        ("non-differentiable-op", 12),
        ("non-differentiable-op", 7),
    ]
