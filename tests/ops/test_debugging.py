"""Checks and assertions, their messages, `tf.print`, and the scopes and settings of programs."""

import collections
import logging
import sys

import numpy as np
import pytest

import whygrad as tf

NAN, INF = float("nan"), float("inf")
InvalidArgumentError = tf.errors.InvalidArgumentError


# -- check_numerics --


@pytest.mark.parametrize(
    ("upstream", "found"), [([1.0, NAN], "NaN"), ([1.0, INF], "Inf"), ([NAN, -INF], "Inf and NaN")]
)
def test_check_numerics_checks_the_gradient(upstream, found):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.debugging.check_numerics(x, "weights")
    with pytest.raises(InvalidArgumentError, match=f"detected in gradient. weights : Tensor had {found} values"):
        tape.gradient(y, x, output_gradients=tf.constant(upstream))


@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_check_numerics_of_every_float(dtype):
    assert tf.debugging.check_numerics(tf.constant([1.0, 2.0], dtype), "x").dtype == dtype
    with pytest.raises(InvalidArgumentError, match="x : Tensor had NaN values"):
        tf.debugging.check_numerics(tf.constant([1.0, NAN], dtype), "x")


# -- assertions on values --

HOLD = [
    lambda: tf.debugging.assert_equal([1, 2], [1, 2]),
    lambda: tf.debugging.assert_equal(tf.ones((2, 3)), 1.0),
    lambda: tf.debugging.assert_equal(["a"], ["a"]),
    lambda: tf.debugging.assert_equal(tf.zeros((0,)), tf.zeros((0,))),
    lambda: tf.debugging.assert_none_equal([1, 2], [3, 4]),
    lambda: tf.debugging.assert_less([1, 2], 3),
    lambda: tf.debugging.assert_less_equal(tf.Variable([1.0, 3.0]), 3.0),
    lambda: tf.debugging.assert_greater([4, 5], 3),
    lambda: tf.debugging.assert_greater_equal([3, 5], 3),
    lambda: tf.debugging.assert_near([1.0, 3.0], [1.0, 3.000001]),
    lambda: tf.debugging.assert_near(1.0 + 2j, 1.0 + 2j),
    lambda: tf.debugging.assert_near(tf.constant(1.0, tf.bfloat16), tf.constant(1.0, tf.bfloat16)),
    lambda: tf.debugging.assert_positive([1.0, 2.0]),
    lambda: tf.debugging.assert_positive([]),
    lambda: tf.debugging.assert_negative([-1, -2]),
    lambda: tf.debugging.assert_non_negative([0.0, 2.0]),
    lambda: tf.debugging.assert_non_positive(0.0),
    lambda: tf.debugging.assert_rank([[1.0]], 2),
    lambda: tf.debugging.assert_rank([[1.0]], tf.constant(2)),
    lambda: tf.debugging.assert_rank_at_least([[1.0]], 1),
    lambda: tf.debugging.assert_rank_in([[1.0]], (1, 2)),
    lambda: tf.debugging.assert_type([1.0], "float32"),
    lambda: tf.debugging.assert_type(tf.ragged.constant([[1], []]), tf.int32),
    lambda: tf.debugging.assert_integer([1, 2]),
    lambda: tf.debugging.assert_proper_iterable([1]),
    lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), ("N", "M")), (tf.ones(2), ("N",))]),
    lambda: tf.debugging.assert_shapes({"a string": ()}),
    lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), "N3"), (tf.ones((5, 2, 3)), (..., "N", None))]),
    lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), ("*", 3)), (tf.ones((2, 3)), (".", 3)), (1.0, None)]),
    lambda: tf.debugging.assert_shapes([(tf.ones(()), (1,))]),
    lambda: tf.Assert([True, False], ["a list that is not empty holds"]),
    lambda: tf.debugging.Assert(tf.constant(True), []),
]


@pytest.mark.parametrize("assertion", HOLD)
def test_assertions_that_hold_return_none(assertion):
    assert assertion() is None


FAIL = [
    (
        lambda: tf.debugging.assert_equal([1, 2], [1, 3], message="hey", summarize=1),
        "hey\nCondition x == y did not hold.\nIndices of first 1 different values:\n[[1]]\nCorresponding x values:\n[2]\n"
        "Corresponding y values:\n[3]\nFirst 1 elements of x:\n[1]\nFirst 1 elements of y:\n[1]",
    ),
    (
        lambda: tf.debugging.assert_equal(tf.ones((2, 3)), tf.zeros((2, 3))),
        "Condition x == y did not hold.\nIndices of first 3 different values:\n[[0 0]\n [0 1]\n [0 2]]\n"
        "Corresponding x values:\n[1. 1. 1.]\nCorresponding y values:\n[0. 0. 0.]\n"
        "First 3 elements of x:\n[1. 1. 1.]\nFirst 3 elements of y:\n[0. 0. 0.]",
    ),
    (
        lambda: tf.debugging.assert_equal(tf.range(6), 3, summarize=-1),
        "Condition x == y did not hold.\nFirst 6 elements of x:\n[0 1 2 3 4 5]\nFirst 1 elements of y:\n[3]",
    ),
    (
        lambda: tf.debugging.assert_none_equal([1, 2], [3, 2]),
        "Condition x != y did not hold.\nIndices of first 1 different values:\n[[1]]\nCorresponding x values:\n[2]\n"
        "Corresponding y values:\n[2]\nFirst 2 elements of x:\n[1 2]\nFirst 2 elements of y:\n[3 2]",
    ),
    (lambda: tf.debugging.assert_less([1.0], [1.0]), "Condition x < y did not hold."),
    (lambda: tf.debugging.assert_less_equal([2.0], [1.0]), "Condition x <= y did not hold."),
    (lambda: tf.debugging.assert_greater([1.0], [1.0]), "Condition x > y did not hold."),
    (lambda: tf.debugging.assert_greater_equal([1.0], [2.0]), "Condition x >= y did not hold."),
    (lambda: tf.debugging.assert_equal(1.0, 2.0), "Condition x == y did not hold."),
    (
        lambda: tf.debugging.assert_near([1.0, 3.0], [1.0, 2.0], rtol=0.1, atol=0.2, message="m"),
        "Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: b'm.  '\n"
        "b'x and y not equal to tolerance rtol = tf.Tensor(0.1, shape=(), dtype=float32), "
        "atol = tf.Tensor(0.2, shape=(), dtype=float32)'\n"
        "b'x (shape=(2,) dtype=float32) = '\n1.0, 3.0\nb'y (shape=(2,) dtype=float32) = '\n1.0, 2.0",
    ),
    (
        lambda: tf.debugging.assert_positive([1.0, 0.0], message="m"),
        "m.  \nCondition x > 0 did not hold element-wise:\nx (shape=(2,) dtype=float32) = \n['1.0', '0.0']",
    ),
    (
        lambda: tf.debugging.assert_negative(tf.ones(5)),
        "\nCondition x < 0 did not hold element-wise:\nx (shape=(5,) dtype=float32) = \n['1.0', '1.0', '1.0', '...']",
    ),
    (lambda: tf.debugging.assert_non_negative(-1.0), "\nCondition x >= 0 did not hold element-wise:"),
    (lambda: tf.debugging.assert_non_positive([1]), "\nCondition x <= 0 did not hold element-wise:"),
    (lambda: tf.debugging.assert_positive([NAN]), "\nCondition x > 0 did not hold element-wise:"),
    (
        lambda: tf.debugging.Assert(False, ["x is", tf.constant([1, 2, 3]), tf.range(20)]),
        "Expected 'False' to be true. Summarized data: b'x is'\n1, 2, 3\n0, 1, 2, ...",
    ),
    (lambda: tf.Assert(0, [tf.range(9)], summarize=-1), "Summarized data: 0, 1, 2, 3, 4, 5, 6, 7, 8"),
    (lambda: tf.debugging.assert_equal([1, 2], [1, 2, 3]), "Incompatible shapes: [2] vs. [3]"),
    (
        lambda: tf.debugging.assert_equal(1, 1.0),
        "cannot compute Equal as input #1(zero-based) was expected to be a int32 tensor but is a float tensor",
    ),
]


@pytest.mark.parametrize(("assertion", "message"), FAIL)
def test_assertions_that_fail_say_where(assertion, message):
    with pytest.raises(InvalidArgumentError) as caught:
        assertion()
    assert str(caught.value).startswith(message) or message in str(caught.value)


REFUSE = [
    (lambda: tf.debugging.assert_positive(True), TypeError, "Cannot convert 0 to EagerTensor of dtype bool"),
    (lambda: tf.debugging.assert_positive(1j), InvalidArgumentError, "Value for attr 'T' of complex128 is not in the list"),
    (lambda: tf.debugging.assert_near([1.0, 2.0], [1.0, 2.0, 3.0]), InvalidArgumentError, "Incompatible shapes: [2] vs. [3]"),
    (lambda: tf.Assert(False, 1), TypeError, "values must be a sequence."),
    (lambda: tf.debugging.assert_near([1, 3], [1, 2]), ValueError, "not inexact"),
    (lambda: tf.debugging.assert_rank([1.0], 2, "m"), ValueError, "m.  Tensor  must have rank 2.  Received rank 1, shape (1,)"),
    (lambda: tf.debugging.assert_rank([1.0], [1]), ValueError, "Rank must be a scalar."),
    (lambda: tf.debugging.assert_rank([1.0], 1.5), TypeError, "tensor must be of type tf.int32; got tf.float32"),
    (
        lambda: tf.debugging.assert_rank_at_least([1.0], 2),
        ValueError,
        "Tensor  must have rank at least 2.  Received rank 1, shape (1,)",
    ),
    (lambda: tf.debugging.assert_rank_in([1.0], (2, 3)), ValueError, "Tensor  must have rank in (2, 3).  Received rank 1"),
    (lambda: tf.debugging.assert_type([1.0], tf.int32, "m"), TypeError, "m.  tensor must be of type tf.int32; got tf.float32"),
    (
        lambda: tf.debugging.assert_integer([1.0]),
        TypeError,
        "Expected \"x\" to be integer type.  Found: tensor of dtype <dtype: 'float32'>",
    ),
    (lambda: tf.debugging.assert_scalar([1.0]), ValueError, "Expected scalar shape, saw shape: (1,)."),
    (
        lambda: tf.debugging.assert_same_float_dtype([tf.constant(1.0), tf.constant(1.0, tf.float64)]),
        ValueError,
        "tf.Tensor(1.0, shape=(), dtype=float64), type=<dtype: 'float64'>, must be of the same type (<dtype: 'float32'>) as "
        "tf.Tensor(1.0, shape=(), dtype=float32).",
    ),
    (
        lambda: tf.debugging.assert_same_float_dtype([tf.constant(1.0)], tf.float64),
        ValueError,
        "must be of the same type (<dtype: 'float64'>).",
    ),
    (
        lambda: tf.debugging.assert_same_float_dtype([tf.constant(1)]),
        ValueError,
        "Expected floating point type, got <dtype: 'int32'>.",
    ),
    (
        lambda: tf.debugging.assert_proper_iterable(tf.ones(2)),
        TypeError,
        'Expected argument "values" to be a "proper" iterable.',
    ),
    (lambda: tf.debugging.assert_proper_iterable("abc"), TypeError, "Found: <class 'str'>"),
    (lambda: tf.debugging.assert_proper_iterable(1), TypeError, 'Expected argument "values" to be iterable.'),
    (
        lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), ("N", "M")), (tf.ones(3), ("N",))], message="m"),
        ValueError,
        "m.  Specified by tensor shape=(2, 3) dtype=float32 dimension 0.  Tensor shape=(3,) dtype=float32 dimension 0 must "
        "have size 2.  Received size 3, shape (3,)",
    ),
    (
        lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), (2, 4))]),
        ValueError,
        "Specified explicitly.  Tensor shape=(2, 3) dtype=float32 dimension 1 must have size 4.  Received size 3",
    ),
    (
        lambda: tf.debugging.assert_shapes([(tf.ones((2, 3)), (2,))]),
        ValueError,
        "Tensor  must have rank in (0, 1).  Received rank 2",
    ),
    (lambda: tf.debugging.assert_shapes([(tf.ones(2), ())]), ValueError, "dimension 0 must have size 1.  Received size 2"),
    (
        lambda: tf.debugging.assert_shapes([(tf.ones(1), 4)]),
        ValueError,
        "Tensor shape=(1,) dtype=float32.  Specified shape must be an iterable.",
    ),
    (
        lambda: tf.debugging.assert_shapes([(tf.ones((1, 2)), (1, ...))]),
        ValueError,
        "is only allowed as the first entry",
    ),
    (lambda: tf.debugging.assert_shapes([(tf.ones(3), (..., 1, 3))]), ValueError, "must have rank at least 2"),
]  # fmt: skip


@pytest.mark.parametrize(("assertion", "error", "message"), REFUSE)
def test_assertions_about_ranks_shapes_and_types(assertion, error, message):
    with pytest.raises(error) as caught:
        assertion()
    assert message in str(caught.value)


def test_assertions_that_return_something():
    assert tf.debugging.assert_scalar(3.0) is None
    assert tf.debugging.assert_same_float_dtype() == tf.float32
    assert tf.debugging.assert_same_float_dtype([None, tf.ones(2, tf.float64)]) == tf.float64
    assert tf.debugging.is_numeric_tensor(tf.ones(2))
    assert not tf.debugging.is_numeric_tensor(tf.constant([True]))
    assert not tf.debugging.is_numeric_tensor(tf.constant("a"))
    assert not tf.debugging.is_numeric_tensor(1.0)
    assert not tf.debugging.is_numeric_tensor(tf.Variable(1.0))


# -- print --

Point = collections.namedtuple("Point", "x y")

PRINTED = [
    (lambda **k: tf.print(**k), "\n"),
    (lambda **k: tf.print(tf.constant([1.0, 2.5]), "and", 1, 2.5, True, None, **k), "[1 2.5] and 1 2.5 True None\n"),
    (lambda **k: tf.print(tf.range(7), tf.range(6), **k), "[0 1 2 ... 4 5 6] [0 1 2 3 4 5]\n"),
    (lambda **k: tf.print(tf.range(10), summarize=2, **k), "[0 1 ... 8 9]\n"),
    (lambda **k: tf.print(tf.range(10), summarize=-1, **k), "[0 1 2 3 4 5 6 7 8 9]\n"),
    (lambda **k: tf.print("x", tf.ones(2), sep="-", end="!", **k), "x-[1 1]!"),
    (
        lambda **k: tf.print(tf.reshape(tf.range(8), (2, 2, 2)), **k),
        "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]\n",
    ),
    (
        lambda **k: tf.print(tf.reshape(tf.range(64), (4, 4, 4)), summarize=1, **k),
        "[[[0 ... 3]\n  ...\n  [12 ... 15]]\n\n ...\n\n [[48 ... 51]\n  ...\n  [60 ... 63]]]\n",
    ),
    (lambda **k: tf.print(tf.constant("hi"), tf.constant(["a", "b"]), **k), 'hi ["a" "b"]\n'),
    (lambda **k: tf.print([1, tf.constant(2), "x"], (1, 2), **k), "[1, 2, 'x'] (1, 2)\n"),
    (lambda **k: tf.print("{}6", {"{}": tf.range(2), "{}0": "{}"}, **k), "{}6 {'{}': [0 1], '{}0': '{}'}\n"),
    (lambda **k: tf.print({"b": 1, "a": (1, tf.constant([1, 2]))}, **k), "{'a': (1, [1 2]), 'b': 1}\n"),
    (lambda **k: tf.print(Point(1, tf.constant(2.0)), "{}", ["{}", tf.ones(1)], **k), "Point(x=1, y=2) {} ['{}', [1]]\n"),
    (lambda **k: tf.print(tf.constant([1 / 3, 0.1, 1e6, 1234567.0, 1e-5]), **k), "[0.333333343 0.1 1e+06 1234567 1e-05]\n"),
    (lambda **k: tf.print(tf.constant([1 / 3, 0.1, 1e6, 0.3], tf.float64), **k), "[0.33333333333333331 0.1 1000000 0.3]\n"),
    (lambda **k: tf.print(tf.constant([1.5, 0.1], tf.bfloat16), **k), "[1.5 0.100097656]\n"),
    (lambda **k: tf.print(tf.constant([True, False]), tf.constant(True), **k), "[1 0] 1\n"),
    (lambda **k: tf.print(tf.constant([NAN, INF, -INF, -0.0]), **k), "[nan inf -inf -0]\n"),
    (lambda **k: tf.print(tf.zeros((0,)), tf.zeros((0, 2)), [], {}, **k), "[] [] [] {}\n"),
    (lambda **k: tf.print(tf.Variable([1.0, 2.0]), np.array([1.0]), **k), "[1 2] array([1.])\n"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), PRINTED)
def test_print(capsys, tmp_path, call, text):
    call(output_stream=sys.stdout)
    call()
    call(output_stream=f"file://{tmp_path}/log")
    captured = capsys.readouterr()
    assert captured.out == text
    assert captured.err == text  # by default
    assert (tmp_path / "log").read_text() == text


def test_print_to_a_log(caplog):
    with caplog.at_level(logging.INFO):
        tf.print("x", tf.ones(2), output_stream=logging.info)
    assert caplog.messages == ["x [1 1]"]


def test_print_refuses():
    with pytest.raises(ValueError, match="Unrecognized keyword arguments for tf"):
        tf.print(1, foo=2)
    with pytest.raises(ValueError, match="Unsupported output stream, logging level, or file"):
        tf.print(1, output_stream="bad")
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream=[])
    with pytest.raises(TypeError, match="Expected int for argument 'summarize' not 'a'"):
        tf.print(1, summarize="a")
    with pytest.raises(TypeError, match="Expected string for argument 'end' not 3"):
        tf.print(1, end=3)
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        tf.print(1, output_stream="file:///no/such/folder/log")


# -- scopes and settings --


def test_name_scopes():
    with tf.name_scope("a") as outer:
        assert outer == "a/"
        with tf.name_scope("b") as inner:
            assert (inner, tf.get_current_name_scope()) == ("a/b/", "a/b")
            with tf.name_scope(outer) as again:
                assert again == "a/"
            with tf.name_scope("") as root:
                assert (root, tf.get_current_name_scope()) == ("", "")
        assert tf.Variable(1.0, name="v").name == "a/v:0"
    assert tf.get_current_name_scope() == ""
    assert tf.Variable(1.0).name == "Variable:0"
    with pytest.raises(ValueError, match="name for name_scope must be a string"):
        tf.name_scope(None)
    with pytest.raises(RuntimeError, match="mine"), tf.name_scope("a"):
        raise RuntimeError("mine")
    assert tf.get_current_name_scope() == ""

    @tf.name_scope("decorated")
    def scope():
        return tf.get_current_name_scope()

    assert scope() == "decorated"


def test_scopes_that_are_passed_through():
    x = tf.Variable(3.0)
    called = []
    with (
        tf.GradientTape() as tape,
        tf.device("/job:localhost/device:CPU:0"),
        tf.control_dependencies([x.assign(4.0), lambda: called.append(1)]),
        tf.device(None),
    ):
        y = x * x
    assert tape.gradient(y, x).numpy() == 8.0
    assert called == [1]
    with tf.control_dependencies(None):
        pass
    with pytest.raises(TypeError):
        tf.control_dependencies(3)
    with (
        pytest.raises(ValueError, match="Unknown attribute 'foo' is encountered while parsing the device spec"),
        tf.device("foo"),
    ):
        pass


def test_small_questions():
    assert tf.executing_eagerly()
    assert not tf.inside_function()
    assert tf.no_op() is None
    assert tf.group(1, 2, name="g") is None
    assert [int(t) for t in tf.tuple([tf.constant(1), tf.constant(2)])] == [1, 2]
    assert tf.get_static_value(tf.constant([1, 2])).tolist() == [1, 2]
    assert tf.get_static_value("a") == "a"
    assert tf.get_static_value(tf.Variable(1)) is None
    assert float(tf.timestamp()) > 1.5e9
    assert isinstance(tf.get_logger(), logging.Logger)
    assert tf.version.VERSION.split(".")[0] == "2"


def test_config():
    (cpu,) = tf.config.list_physical_devices("CPU")
    assert repr(cpu) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert tf.config.list_physical_devices("GPU") == tf.config.experimental.list_physical_devices("GPU") == []
    assert tf.config.list_logical_devices()[0].name == "/device:CPU:0"
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.config.experimental.set_memory_growth(cpu, True)
    tf.config.optimizer.set_jit(True)
    assert tf.config.optimizer.get_jit() == "autoclustering"
    tf.config.optimizer.set_jit(False)
    assert tf.config.optimizer.get_jit() == ""
    tf.config.threading.set_inter_op_parallelism_threads(2)
    assert tf.config.threading.get_inter_op_parallelism_threads() == 2
    tf.config.run_functions_eagerly(True)
    assert tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(False)
    assert tf.config.LogicalDeviceConfiguration(memory_limit=3).memory_limit == 3


def test_determinism_asks_for_seeds(monkeypatch):
    from whygrad.ops import random_streams

    monkeypatch.setattr(random_streams._seeds, "required", False)
    tf.random.set_seed(None)
    tf.config.experimental.enable_op_determinism()
    with pytest.raises(RuntimeError, match="Random ops require a seed to be set when determinism is enabled"):
        tf.random.normal([1])
    tf.random.normal([1], seed=1)
    tf.random.set_seed(1)
    tf.random.normal([1])
    tf.random.set_seed(None)


def test_shapes_of_sparse_tensors_are_asserted():
    sparse = tf.SparseTensor([[0, 1], [2, 3]], [1.0, 2.0], [20, 30])
    scalar = tf.SparseTensor(tf.zeros((1, 0), tf.int64), [42.0], tf.zeros((0,), tf.int64))
    tf.debugging.assert_shapes([(tf.ones((20, 3)), ["N", "D"]), (sparse, ["N", 30]), (scalar, [])])
    tf.debugging.assert_rank(sparse, 2)
    for shape, message in [
        (["N", "N"], "dimension 1 must have size 20"),
        ([None, 41], "dimension 1 must have size 41"),
        (["N", "D", "M"], "must have rank 3.  Received rank 2"),
    ]:
        with pytest.raises(ValueError, match=message):
            tf.debugging.assert_shapes([(sparse, shape)])
    with pytest.raises(ValueError, match="RaggedTensor"):
        tf.debugging.assert_shapes([(tf.ragged.constant([[1.0], [2.0, 3.0]]), [2, None])])
    with pytest.raises(TypeError, match='"proper" iterable'):
        tf.debugging.assert_proper_iterable(sparse)
