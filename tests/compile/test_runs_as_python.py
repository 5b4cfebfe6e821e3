"""A function that XLA cannot compile, because of strings or a shape that depends on values, runs as Python, with a warning."""

import inspect

import numpy as np
import pytest

import whygrad as tf

X = tf.constant([1.0, 2.0, 3.0])
FUNCTIONS = {
    "repeat": lambda x: tf.repeat(x, tf.cast(x, tf.int32)),
    "boolean_mask": lambda x: tf.boolean_mask(x, x > 1.0),
    "where": lambda x: tf.where(x > 1.0),
    "unique": lambda x: tf.unique(x)[0],
    "range": lambda x: tf.range(tf.cast(x[1], tf.int32)),
    "reshape": lambda x: tf.reshape(x, [tf.cast(x[2], tf.int32), -1]),
    "zeros": lambda x: tf.zeros([tf.cast(x[0], tf.int32), 2]),
    "slice": lambda x: x[: tf.cast(x[1], tf.int32)],
    "tile": lambda x: tf.tile(x, [tf.cast(x[1], tf.int32)]),
    "axis": lambda x: tf.reduce_sum([x, x], axis=tf.cast(x[0], tf.int32)),
    "one_hot": lambda x: tf.one_hot([0], tf.cast(x[2], tf.int32)),
    "top_k": lambda x: tf.math.top_k(x, tf.cast(x[1], tf.int32)).values,
    "py_function": lambda x: tf.py_function(lambda a: a[1:] * 2.0, [x], tf.float32) + 1.0,
    "py_function of a list": lambda x: tf.py_function(lambda a: [a, a * 2.0], [x], [tf.float32, tf.float32])[1],
    "numpy_function": lambda x: tf.numpy_function(lambda a: a[a > 1.0], [x], tf.float32) + 1.0,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_gives_what_python_gives(name):
    python = FUNCTIONS[name]
    f = tf.function(python)
    with pytest.warns(tf.FunctionWarning, match="runs as Python at each call, because it cannot be compiled") as caught:
        f(X)
    assert caught[0].filename == __file__
    assert caught[0].lineno == inspect.getsourcelines(python)[1]
    assert len(caught) == 1
    assert {cause.kind for cause in caught[0].message.causes} <= {
        "shape-depends-on-values",
        "value-needed-while-compiling",
    }
    for given in (
        X,
        tf.constant([1.0, 1.0, 1.0]),
        tf.constant([0.0, 2.0, 3.0]),
    ):  # a further warning would be an error here
        np.testing.assert_array_equal(f(given), python(given))


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
@pytest.mark.parametrize(
    ("python", "given"),
    [
        (lambda rows: tf.reduce_sum(rows, 1), tf.ragged.constant([[1.0, 2.0], [3.0]])),
        (lambda x: tf.ragged.constant([[1.0], [2.0, 3.0]]) * x, tf.constant(2.0)),
        (lambda text: tf.strings.split(text), tf.constant("a b")),
    ],
)
def test_numbers_and_variables_in_its_results_become_tensors(python, given):
    v = tf.Variable(2.0)
    f = tf.function(lambda x: (python(x), {"n": 3, "v": [v, None]}))
    for _ in range(2):
        _, rest = f(given)
        assert (rest["n"].dtype, int(rest["n"]), rest["v"][1]) == (tf.int32, 3, None)
        assert tf.is_tensor(rest["v"][0])
        assert not isinstance(rest["v"][0], tf.Variable)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_with_jit_compile_it_raises(name):
    with pytest.raises((TypeError, ValueError, NotImplementedError, tf.errors.InvalidArgumentError)) as caught:
        tf.function(FUNCTIONS[name], jit_compile=True)(X)
    assert "jax" not in str(caught.value).lower()
    assert "racer" not in str(caught.value)
    assert caught.value.causes


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_tapes_inside_and_outside_differentiate_it():
    @tf.function
    def inside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.boolean_mask(x, x > 1.0) ** 2)
        return tape.gradient(y, x)

    outside = tf.function(lambda x: tf.reduce_sum(tf.boolean_mask(x, x > 1.0) ** 2))
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = outside(X)
    assert inside(X).numpy().tolist() == tape.gradient(y, X).numpy().tolist() == [0.0, 4.0, 6.0]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_py_function_has_a_gradient():
    def squares(x):
        return tf.py_function(lambda a: a * a, [x], tf.float32)

    @tf.function
    def both(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = squares(x)
        return y, tape.gradient(y, x)

    assert [each.numpy().tolist() for each in both(X)] == [[1.0, 4.0, 9.0], [2.0, 4.0, 6.0]]
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.function(squares)(X)
    assert tape.gradient(y, X).numpy().tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize("observed", [False, True])
def test_py_function_without_a_result(observed):
    seen = []

    @tf.function
    def f(x):
        assert tf.py_function(lambda a: seen.append(a.numpy().tolist()), [x], Tout=[]) == []
        return x + 1.0

    def calls():
        f(X)
        f(X * 2.0)

    if observed:
        with tf.tracing():
            calls()
    else:
        calls()
    assert seen == [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_a_function_inside_makes_the_outermost_one_run_as_python():
    inner = tf.function(lambda x: tf.boolean_mask(x, x > 1.0))
    outer = tf.function(lambda x: inner(x) * 2.0)
    assert outer(X).numpy().tolist() == [4.0, 6.0]
    assert outer(X + 1.0).numpy().tolist() == [4.0, 6.0, 8.0]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_variables_are_assigned():
    total = tf.Variable(0.0)

    @tf.function
    def f(x):
        total.assign_add(tf.reduce_sum(tf.boolean_mask(x, x > 1.0)))

    assert f(X) is None
    f(X)
    assert total.numpy() == 10.0


def test_a_function_that_computes_strings_runs_as_python_and_is_traced_once():
    @tf.function
    def lengths(words):
        return tf.strings.length(tf.strings.lower(words))

    with pytest.warns(tf.FunctionWarning, match="StringLower computes with them"):
        assert lengths(tf.constant(["ab", "c"])).numpy().tolist() == [2, 1]
    assert lengths(tf.constant(["abc"])).numpy().tolist() == [3]
    assert lengths.experimental_get_tracing_count() == 1


def test_a_function_that_looks_up_runs_as_python_for_any_strings():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    @tf.function
    def known(words):
        return table.lookup(words) >= 0

    with pytest.warns(tf.FunctionWarning, match="runs as Python"):
        assert known(tf.constant(["a"])).numpy().tolist() == [False]
    table.insert(["a"], [5])
    assert known(tf.constant(["a", "b"])).numpy().tolist() == [True, False]
    assert known.experimental_get_tracing_count() == 1


def test_a_function_of_files_runs_as_python(tmp_path):
    tf.io.write_file(str(tmp_path / "a"), "ant")
    read = tf.function(lambda name: tf.io.read_file(name))
    with pytest.warns(tf.FunctionWarning, match=r"tf\.io\.read_file computes with them"):
        assert read(tf.constant(str(tmp_path / "a"))).numpy() == b"ant"
