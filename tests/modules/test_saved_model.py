"""Saved models: modules and functions that are called without the Python that made them."""

import itertools
import json
import math
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import pytest
from safetensors import safe_open

import whygrad as tf
from whygrad.modules.saved_model import _MADE_UP
from whygrad.values.recorders import state


class Net(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(np.arange(6.0).reshape(3, 2).astype("float32"), name="w")
        self._parts = [tf.Variable(1.0), {"b": tf.Variable([0.5, -0.5])}]
        self.calls = tf.Variable(0, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def __call__(self, x):
        self.calls.assign_add(1)
        rows = x.shape[0]
        return {"y": tf.nn.softmax(x @ self.w + self._parts[1]["b"]), "flat": tf.reshape(x, [rows * 3])}

    @tf.function
    def halved(self, x, times=2, negate=False):
        if negate:
            x = -x
        for _ in tf.range(times):
            x = x / 2.0
        return x


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("model")


@pytest.fixture(scope="module")
def net(folder: pathlib.Path) -> Net:
    made = Net()
    made.halved(tf.constant([4.0]))
    made.halved(tf.constant([4.0]), negate=True)
    tf.saved_model.save(made, folder, signatures=made.__call__.get_concrete_function())
    return made


@pytest.fixture(scope="module")
def loaded(net: Net, folder: pathlib.Path):
    return tf.saved_model.load(folder)


@pytest.mark.parametrize("rows", [1, 5])
def test_a_loaded_module_computes_and_differentiates_as_the_saved_one(net: Net, loaded, rows: int) -> None:
    x = np.random.default_rng(rows).normal(size=(rows, 3)).astype("float32")
    found = []
    for each in (net, loaded):
        with tf.GradientTape() as tape:
            result = each(x)
            loss = tf.reduce_sum(result["y"] ** 2)
        found.append([result["y"], result["flat"], *tape.gradient(loss, [each.w, each._parts[1]["b"]])])
    for a, b in zip(*found):
        np.testing.assert_allclose(a, b, rtol=1e-6)


def test_a_process_that_only_loads_a_model_finds_all_of_its_ops(tmp_path: pathlib.Path) -> None:
    """`import whygrad` loads the commonest ops alone; log2 is one of `whygrad.numpy`."""
    made = tf.Module()
    made.f = tf.function(
        lambda x: tf.experimental.numpy.log2(tf.cumsum(tf.math.lgamma(x))), input_signature=[tf.TensorSpec([2])]
    )
    tf.saved_model.save(made, tmp_path)
    x = tf.constant([4.0, 5.0])
    program = "import sys, whygrad as tf; print(tf.saved_model.load(sys.argv[1]).f([4.0, 5.0]).numpy().tolist())"
    command = [sys.executable, "-c", program, tmp_path]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
    assert json.loads(printed) == made.f(x).numpy().tolist()


def test_assignments_and_variables_stay_with_the_loaded_object(net: Net, folder: pathlib.Path) -> None:
    loaded = tf.saved_model.load(folder)
    before = int(net.calls)
    loaded(tf.zeros([1, 3]))
    assert int(loaded.calls) == 1
    assert int(net.calls) == before
    assert not loaded.calls.trainable
    assert loaded.w.name == "w:0"
    assert float(loaded._parts[0]) == 1.0


def test_python_arguments_choose_the_version(loaded) -> None:
    assert loaded.halved(tf.constant([4.0])).numpy() == [1.0]
    assert loaded.halved(tf.constant([4.0]), negate=True).numpy() == [-1.0]
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded.halved(tf.constant([4.0]), times=3)
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded.halved(tf.constant([4.0, 5.0]))


def test_a_loaded_model_can_be_saved_again_through_a_module(loaded, tmp_path: pathlib.Path) -> None:
    outer = tf.Module()
    outer.inner = loaded
    outer.f = tf.function(lambda x: loaded(x)["y"] * 2.0, input_signature=[tf.TensorSpec([2, 3])])
    tf.saved_model.save(outer, tmp_path / "again")
    again = tf.saved_model.load(tmp_path / "again")
    x = tf.ones([2, 3])
    np.testing.assert_allclose(again.f(x), loaded(x)["y"] * 2.0, rtol=1e-6)


def test_a_custom_gradient_is_saved(tmp_path: pathlib.Path) -> None:
    @tf.custom_gradient
    def clipped(x):
        return x * 1.0, lambda g: tf.clip_by_norm(g, 0.5)

    root = tf.Module()
    root.f = tf.function(clipped, input_signature=[tf.TensorSpec(None)])
    tf.saved_model.save(root, tmp_path)
    f = tf.saved_model.load(tmp_path).f
    for value in (2.0, [3.0, 4.0]):
        x = tf.constant(value)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * 3.0
        np.testing.assert_allclose(tf.norm(tape.gradient(y, x)), 0.5, rtol=1e-6)


def test_signatures_take_and_give_tensors_by_name(loaded) -> None:
    signature = loaded.signatures["serving_default"]
    assert signature.structured_input_signature == ((), {"x": tf.TensorSpec([None, 3], name="x")})
    assert signature.structured_outputs["y"] == tf.TensorSpec([None, 2], name="y")
    assert signature(x=tf.ones([2, 3]))["flat"].shape == (6,)
    with pytest.raises(TypeError, match="takes the arguments x, not z"):
        signature(z=tf.ones([2, 3]))


def test_the_file_holds_data_only(net: Net, folder: pathlib.Path) -> None:
    with safe_open(folder / "model.safetensors", "numpy") as file:
        model = json.loads(file.metadata()["whygrad.saved_model"])
    assert model["objects"][model["root"]]["children"].keys() == {"w", "_parts", "calls", "__call__", "halved"}


def test_sizes_of_different_axes_are_told_apart(tmp_path: pathlib.Path) -> None:
    root = _root(lambda x: tf.reshape(x, [tf.shape(x)[1], tf.shape(x)[0]]), tf.TensorSpec([None, None]))
    tf.saved_model.save(root, tmp_path)
    assert tf.saved_model.load(tmp_path).f(tf.ones([5, 3])).shape == [3, 5]


def test_no_product_of_made_up_sizes_is_a_linear_function_of_another() -> None:
    products = [
        [math.prod(sizes) for sizes in zip(*chosen)]
        for count in range(1, 5)
        for chosen in itertools.combinations(_MADE_UP, count)
    ]
    for (a, b, c), (x, y, z) in itertools.permutations(products, 2):
        assert (y - x) * (c - a) != (z - x) * (b - a)


def test_sizes_that_the_body_decides_are_asked_for(tmp_path: pathlib.Path) -> None:
    root = _root(lambda x: x[:, 1:] * tf.ones([4]), tf.TensorSpec([None, None]))
    tf.saved_model.save(root, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.f(tf.ones([2, 5])).shape == [2, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"takes the sizes \[None, 5\] .* given \[2, 6\]"):
        loaded.f(tf.ones([2, 6]))


def test_a_size_that_broadcasting_hides_is_learnt(tmp_path: pathlib.Path) -> None:
    weights = tf.Variable(tf.ones([5, 2]))
    # An axis of size 1 would broadcast with the mean of 5 features, and pass for one that any size fits.
    root = _root(lambda x: (x - tf.range(5.0)) @ weights, tf.TensorSpec([None, None]))
    root.weights = weights
    tf.saved_model.save(root, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_allclose(loaded.f(tf.ones([3, 5])), np.full((3, 2), -5.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"takes the sizes \[None, 5\] .* given \[3, 4\]"):
        loaded.f(tf.ones([3, 4]))


def _with_forward_mode(x):
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        y = x * x
    return accumulator.jvp(y)


def _root(function, *signature):
    root = tf.Module()
    root.f = tf.function(function, input_signature=list(signature))
    return root


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")  # functions of strings run as Python
@pytest.mark.parametrize(
    ("root", "reason"),
    [
        (_root(lambda: tf.random.normal([2])), "draws random numbers by the global seed"),
        (_root(lambda x: tf.numpy_function(np.sin, [x], tf.TensorSpec([2])), tf.TensorSpec([2])), "calls Python"),
        (_root(lambda s: tf.strings.length(s), tf.TensorSpec([], tf.string)), "runs as Python"),
        (_root(_with_forward_mode, tf.TensorSpec([2])), "differentiates with a tape or accumulator"),
        (_root(lambda x: x * float(x.shape[0] ** 2), tf.TensorSpec([None])), "depends on the sizes"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_cannot_be_saved_is_refused_with_its_reason(root, reason: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match=reason):
        tf.saved_model.save(root, tmp_path)
    assert not tf.saved_model.contains_saved_model(tmp_path)


def test_an_error_leaves_no_tape_of_a_loaded_function_recording(tmp_path: pathlib.Path) -> None:
    def f(x, row):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.gather(x, row) * 3.0
        return tf.convert_to_tensor(tape.gradient(y, x))

    tf.saved_model.save(_root(f, tf.TensorSpec([4]), tf.TensorSpec([], tf.int32)), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_array_equal(loaded.f(tf.ones(4), 2), [0.0, 0.0, 3.0, 0.0])
    tf.config.run_functions_eagerly(True)
    try:
        with pytest.raises(tf.errors.InvalidArgumentError):
            loaded.f(tf.ones(4), 4)
        assert state.recorders == ()
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_function_that_was_never_called_says_so(tmp_path: pathlib.Path) -> None:
    root = tf.Module()
    root.f = tf.function(lambda x: x)
    tf.saved_model.save(root, tmp_path)
    with pytest.raises(ValueError, match="Found zero restored functions"):
        tf.saved_model.load(tmp_path).f(1.0)


def test_tensorflows_own_models_and_other_files_are_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(b"")
    assert tf.saved_model.contains_saved_model(tmp_path)
    with pytest.raises(ValueError, match="SavedModel of TensorFlow's"):
        tf.saved_model.load(tmp_path)
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        tf.saved_model.load(tmp_path / "nowhere")
    (tmp_path / "model.safetensors").write_bytes(b"\x00" * 20)
    with pytest.raises(tf.errors.DataLossError):
        tf.saved_model.load(tmp_path)
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(3, tmp_path)


def test_a_version_that_cannot_be_saved_is_left_out_where_there_are_others(tmp_path: pathlib.Path) -> None:
    class Reader(tf.Module):
        @tf.function
        def __call__(self, x):
            if x.dtype == tf.string:
                x = tf.strings.to_number(x)
            return x * 2.0

    reader = Reader()
    reader(tf.constant(1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.FunctionWarning)  # compiled, it would run as Python
        reader(tf.constant("3"))
    with pytest.warns(UserWarning, match="computes strings") as caught:
        tf.saved_model.save(reader, tmp_path)
    assert str(caught[-1].message).startswith("a version of __call__ cannot be saved: it computes strings")
    loaded = tf.saved_model.load(tmp_path)
    assert loaded(tf.constant(4.0)).numpy() == 8.0
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded(tf.constant("3"))


def test_stateless_random_ops_are_saved(tmp_path):
    class Noise(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([2], tf.int32)])
        def __call__(self, seed):
            return tf.random.stateless_normal([3], seed), tf.random.stateless_uniform([2], seed + 1)

    noise = Noise()
    tf.saved_model.save(noise, tmp_path)
    for a, b in zip(tf.saved_model.load(tmp_path)(tf.constant([3, 4])), noise(tf.constant([3, 4]))):
        np.testing.assert_array_equal(a, b)


def test_an_element_at_a_position_that_the_call_gives_is_saved(tmp_path):
    root = tf.Module()
    root.table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    root.row = tf.function(lambda i: root.table[i] * 2.0, input_signature=[tf.TensorSpec([], tf.int32)])
    tf.saved_model.save(root, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    for i, expected in ((1, [6.0, 8.0]), (-1, [10.0, 12.0])):
        assert loaded.row(tf.constant(i)).numpy().tolist() == expected
    with tf.GradientTape() as tape:
        row = loaded.row(tf.constant(-1))
    assert tf.convert_to_tensor(tape.gradient(row, loaded.table)).numpy().tolist() == [
        [0.0, 0.0],
        [0.0, 0.0],
        [2.0, 2.0],
    ]


def test_a_saved_method_has_parameters_beyond_its_signature(tmp_path):
    class Scale(tf.Module):
        def __init__(self):
            self.factor = tf.Variable(2.0)
            self.call = tf.function(self._call, input_signature=[tf.TensorSpec([None])])

        def _call(self, x, offset=1.0, negative=False):
            return (-x if negative else x) * self.factor + offset

    scale = Scale()
    tf.saved_model.save(scale, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_array_equal(loaded.call(tf.constant([1.0, 3.0])), [3.0, 7.0])
    (version,) = loaded.call.concrete_functions
    assert [float(each) for each in version.variables] == [2.0]
