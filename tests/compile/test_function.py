"""whygrad.function: variables in and out, kinds of arguments, tapes inside and around, errors."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.support.compiled import assert_same


def _derivatives(f, x, others):
    """Result, first and second derivatives of the sum of squares of `f(x)`."""
    with tf.GradientTape() as outer:
        outer.watch([x, *others])
        with tf.GradientTape() as tape:
            tape.watch([x, *others])
            y = f(x)
            total = tf.reduce_sum(y * y)
        first = tape.gradient(total, [x, *others])
        squares = tf.add_n([tf.reduce_sum(each * each) for each in first])
    return y, first, outer.gradient(squares, [x, *others])


# -- a step of training --


def _training(compiled):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(8, 3)).astype(np.float32)
    y = x @ np.array([3.0, -1.0, 2.0], np.float32) + 1
    w, b = tf.Variable([1.0, 2.0, 3.0]), tf.Variable(0.5)

    def step(x, y, rate=0.1):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) + b - y) ** 2)
        for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
            variable.assign_sub(rate * gradient)
        return {"loss": loss, "steps": 1, "nothing": None}

    step = tf.function(step) if compiled else step
    losses = [float(step(x, y)["loss"]) for _ in range(20)]
    return losses, w.numpy(), b.numpy(), step


def test_a_training_step_equals_eager_execution_and_is_traced_once():
    losses, w, b, step = _training(compiled=True)
    expected = _training(compiled=False)
    np.testing.assert_allclose(losses, expected[0], rtol=1e-4)
    np.testing.assert_allclose(w, expected[1], rtol=1e-4)
    np.testing.assert_allclose(b, expected[2], rtol=1e-4)
    assert step.experimental_get_tracing_count() == 1


def test_results_have_the_structure_that_was_returned():
    f = tf.function(lambda x: {"a": (x, 3), "b": [None, x + 1.0]})
    result = f(tf.constant(2.0))
    assert isinstance(result["a"], tuple)
    assert result["a"][1].numpy() == 3
    assert result["a"][1].dtype == tf.int32
    assert result["b"][0] is None
    assert result["b"][1].numpy() == 3.0


def test_an_unsupported_result_is_a_type_error():
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(lambda: object())()


# -- variables --


def test_a_call_that_fails_changes_no_variable():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign(5.0)
        return tf.reshape(x, (7,))

    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.ones(3))
    assert v.numpy() == 1.0


def test_assignments_take_effect_in_order_and_once():
    v = tf.Variable(2.0)

    @tf.function
    def f():
        v.assign_add(1.0)
        doubled = v * 2.0
        v.assign(doubled)
        return v + 0.5

    assert f().numpy() == 6.5
    assert v.numpy() == 6.0
    assert f().numpy() == 14.5
    assert v.numpy() == 14.0


def test_a_variable_changed_outside_is_read_at_the_next_call():
    v = tf.Variable(2.0)
    f = tf.function(lambda x: x * v)
    assert f(tf.constant(3.0)).numpy() == 6.0
    v.assign(5.0)
    assert f(tf.constant(3.0)).numpy() == 15.0
    assert f.experimental_get_tracing_count() == 1


class _Lazy(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = None

    @tf.function
    def __call__(self, x):
        if self.kernel is None:
            self.kernel = tf.Variable(tf.random.normal([3, 2], seed=1))
        return x @ self.kernel


def test_variables_are_made_on_the_first_call():
    layer = _Lazy()
    x = tf.ones((4, 3))
    first = layer(x)
    np.testing.assert_allclose(layer(x).numpy(), first.numpy(), rtol=1e-6)
    layer.kernel.assign(tf.zeros((3, 2)))
    assert not layer(x).numpy().any()


def test_variables_made_on_every_call_are_an_error():
    @tf.function
    def f(x):
        return x * tf.Variable(2.0)

    with pytest.raises(ValueError, match=r"only supports singleton tf.Variables created on the first call"):
        f(tf.constant(1.0))


def test_a_method_does_not_keep_its_object_alive():
    layer = _Lazy()
    layer(tf.ones((4, 3)))
    layer(tf.ones((4, 3)))
    gone = weakref.ref(layer)
    del layer
    gc.collect()
    assert gone() is None


def test_two_objects_have_versions_of_their_own():
    first, second = _Lazy(), _Lazy()
    x = tf.ones((4, 3))
    for layer in (first, second):
        layer(x)
        layer(x)
    first.kernel.assign(tf.ones((3, 2)))
    second.kernel.assign(tf.zeros((3, 2)))
    assert first(x).numpy().max() == 3.0
    assert second(x).numpy().max() == 0.0


# -- kinds of arguments --


@pytest.mark.filterwarnings("ignore::whygrad.RetracingWarning")
def test_a_new_trace_for_new_shapes_dtypes_and_python_values():
    traced = []

    @tf.function
    def f(x, scale=1.0, name="a"):
        traced.append((x.shape, x.dtype, scale, name))
        return x * tf.cast(scale, x.dtype)

    for args, kwargs in [
        ((tf.ones(2),), {}),
        ((tf.ones(2),), {"scale": 1.0}),  # the same, written out
        ((np.ones(2, np.float32), 1.0, "a"), {}),  # arrays are tensors
        ((tf.ones(3),), {}),
        ((tf.ones(2, tf.float64),), {}),
        ((tf.ones(2), 2.0), {}),
        ((tf.ones(2),), {"name": "b"}),
    ]:
        f(*args, **kwargs)
    assert len(traced) == 5 == f.experimental_get_tracing_count()


def test_nested_arguments_and_64_bit_numbers():
    @tf.function
    def f(given):
        return {"sum": given["x"][0] + given["x"][1], "index": given["i"]}

    x = np.array([1.0 + 1e-12, 2.0])
    result = f({"x": [x, tf.constant(x)], "i": np.array([2**40])})
    np.testing.assert_array_equal(result["sum"].numpy(), x + x)
    assert result["index"].numpy()[0] == 2**40


def test_input_signature_fixes_dtype_and_checks_shapes():
    @tf.function(input_signature=[tf.TensorSpec((None, 2), tf.float32)])
    def f(x):
        return x + 1

    assert f([[1, 2]]).dtype == tf.float32
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed"):
        f(tf.ones((2, 3)))
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed"):
        f(tf.ones((2, 2), tf.float64))


def test_get_concrete_function():
    f = tf.function(lambda x: x * 2.0)
    concrete = f.get_concrete_function(tf.TensorSpec((2,), tf.float32))
    assert concrete(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    assert f.experimental_get_tracing_count() == 1
    assert tuple(concrete.structured_outputs.shape) == (2,)


def test_a_function_inside_a_function_is_traced_once():
    inner = tf.function(lambda x: x * x)
    outer = tf.function(lambda x: inner(x) + inner(x + 1.0))
    assert outer(tf.constant(2.0)).numpy() == 13.0
    assert inner.experimental_get_tracing_count() == 1


def test_indexed_slices_go_in_and_out():
    table = tf.Variable(np.zeros((5, 2), np.float32))

    @tf.function
    def gradient(rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, rows) ** 2 + tf.gather(table, rows))
        return tape.gradient(loss, table)

    slices = gradient(tf.constant([1, 3]))
    assert isinstance(slices, tf.IndexedSlices)
    assert tf.function(lambda s: tf.convert_to_tensor(s))(slices).numpy()[1].tolist() == [1.0, 1.0]


# -- tapes around a call --


def test_tapes_go_through_arguments_variables_and_tensors_from_outside():
    w, c = tf.Variable([1.0, 2.0, 3.0]), tf.constant([1.0, 2.0, 4.0])
    x = tf.constant([0.3, 0.2, 0.1])
    compiled = tf.function(lambda x: tf.sin(x * w) * c)
    compiled(x)  # without a tape that follows it, `c` is a constant
    assert_same(_derivatives(compiled, x, [w, c]), _derivatives(lambda x: tf.sin(x * w) * c, x, [w, c]))


def test_the_gradient_of_an_independent_argument_is_none():
    x, unused = tf.constant(2.0), tf.constant(3.0)
    f = tf.function(lambda x, unused: x * x)
    with tf.GradientTape() as tape:
        tape.watch([x, unused])
        y = f(x, unused)
    with pytest.warns(tf.GradientWarning):
        first, second = tape.gradient(y, [x, unused])
    assert first.numpy() == 4.0
    assert second is None


def test_a_tape_around_a_call_that_assigns():
    v = tf.Variable(3.0)

    @tf.function
    def f(x):
        y = x * v
        v.assign_add(1.0)
        return y

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, [x, v])[0].numpy() == 3.0
    assert v.numpy() == 4.0


def test_the_gradient_of_a_variable_is_the_sum_over_all_values_that_a_call_read():
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def f(x):
        before = v * 2.0
        v.assign(x)
        return tf.reduce_sum(before + v * w)

    with tf.GradientTape() as tape:
        y = f(tf.constant([5.0, 6.0]))
    of_v, of_w = tape.gradient(y, [v, w])
    assert of_v.numpy().tolist() == [5.0, 6.0]
    assert of_w.numpy().tolist() == [5.0, 6.0]


def test_a_jacobian_of_a_compiled_function():
    x = tf.constant([1.0, 2.0])
    f = tf.function(lambda x: x * x[0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), [[2.0, 0.0], [2.0, 1.0]])


# -- symbolic tensors --


@pytest.mark.parametrize(
    ("python", "error"),
    [
        (lambda x: x if x > 0 else -x, TypeError),
        (lambda x: x * float(x), TypeError),
        (lambda x: x * x.numpy(), AttributeError),
        (lambda x: np.sin(x), NotImplementedError),
    ],
)
def test_using_the_value_of_a_symbolic_tensor_is_an_error(python, error):
    with pytest.raises(error, match="it has no value yet"):
        tf.function(python, autograph=False)(tf.constant(2.0))


def test_using_a_leaked_tensor_is_an_error():
    kept = []

    @tf.function
    def f(x):
        kept.append(x * 2.0)
        return x

    with pytest.warns(tf.SideEffectWarning):
        f(tf.constant(1.0))
    with pytest.raises(TypeError, match="is out of scope: it was made inside `f`"):
        kept[0] + 1.0


def test_shapes_are_known_inside():
    @tf.function
    def f(x):
        assert x.shape == (2, 3)
        assert tf.shape(x)[0].numpy() == 2
        return tf.reshape(x, (tf.shape(x)[1], -1))

    assert f(tf.ones((2, 3))).shape == (3, 2)


# -- how it can be run --


def test_run_functions_eagerly():
    tf.config.run_functions_eagerly(True)
    try:
        f = tf.function(lambda x: x if x > 0 else -x)
        assert f(tf.constant(-2.0)).numpy() == 2.0
    finally:
        tf.config.run_functions_eagerly(False)


def test_without_jax_a_function_runs_and_names_the_package_to_install_once():
    program = (
        "import sys; sys.modules['jax'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'jax' else find(name, *rest)\n"
        "import whygrad as tf\n"
        "f, g = tf.function(lambda x: x * 2), tf.function(lambda x: x + 1)\n"
        "print(float(f(3.0)), float(g(tf.constant(3.0))))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "6.0 4.0\n"
    assert done.stderr.count("pip install 'whygrad[xla]'") == 1
    assert "<string>:6: UserWarning: JAX is not installed" in done.stderr


def test_an_old_jax_is_an_error_that_says_what_to_install():
    program = (
        "import jax; jax.__version_info__, jax.__version__ = (0, 5, 0), '0.5.0'\n"
        "import whygrad as tf\n"
        "tf.function(lambda x: x * 2)(3.0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert "or newer, and 0.5.0 is installed: pip install -U 'whygrad[xla]'" in done.stderr


def test_without_jax_a_traced_program_gets_no_word_of_it():
    program = (
        "import sys; sys.modules['jax'] = None\n"
        "import importlib.util; find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'jax' else find(name, *rest)\n"
        "import whygrad as tf\n"
        "inner = tf.function(lambda x: x * 2)\n"
        "with tf.tracing():\n"
        "    print(float(tf.function(lambda x: inner(x) + 1)(tf.constant(3.0))))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("7.0\n", "")


def test_reverse_sequence_takes_symbolic_lengths():
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    @tf.function
    def reversed_and_slope(x, lengths):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reverse_sequence(x, lengths, seq_axis=1) * [1.0, 2.0, 3.0]
        return y, tape.gradient(y, x)

    y, slope = reversed_and_slope(x, tf.constant([2, 3]))
    np.testing.assert_array_equal(y, [[2.0, 2.0, 9.0], [6.0, 10.0, 12.0]])
    np.testing.assert_array_equal(slope, [[2.0, 1.0, 3.0], [3.0, 2.0, 1.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="int32, int64"):
        reversed_and_slope(x, tf.constant([2.0, 3.0]))


def test_init_scope_leaves_the_function_that_is_being_compiled():
    seen = []
    v = tf.Variable(1.0)

    @tf.function
    def scaled(x):
        before = v * 1.0
        with tf.init_scope():
            seen.append((tf.executing_eagerly(), tf.inside_function(), float(tf.constant(2.0) * 3.0)))
            v.assign_add(6.0)
        seen.append((tf.executing_eagerly(), tf.inside_function()))
        return x * v + before

    assert scaled(tf.constant(1.0)).numpy() == 14.0
    assert seen == [(True, False, 6.0), (False, True)]
    assert v.numpy() == 7.0
    v.assign(2.0)
    assert scaled(tf.constant(1.0)).numpy() == 4.0
    assert len(seen) == 2


def test_init_scope_pauses_tapes():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with tf.init_scope():
            y = x * x
        z = y + x
    assert tape.gradient(z, x).numpy() == 1.0


def test_strings_are_constants_of_a_function():
    @tf.function
    def greeted(greeting, x):
        return greeting, x * 2.0

    for text in ("hello", "bye", "hello"):
        greeting, y = greeted(tf.constant([text]), tf.constant(1.0))
        assert greeting.numpy().tolist() == [text.encode()]
        assert y.numpy() == 2.0


def test_a_loop_variable_whose_dtype_changes_is_named():
    @tf.function
    def counted():
        return tf.while_loop(lambda i: i < 5.0, lambda i: (tf.cast(i, tf.float64) + 1.0,), [tf.constant(1.0)])

    with pytest.raises(TypeError, match="loop variable 0 is float32 before an iteration but float64 after it"):
        counted()


def test_the_gradient_of_a_lookup_in_a_function_stays_sparse():
    table, other = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.Variable([[1.0, 1.0]])

    @tf.function
    def looked_up(argument, indices):
        return tf.gather(table, indices) * other + tf.gather(tf.identity(argument), indices)

    argument = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(argument)
        y = looked_up(argument, tf.constant([2, 0, 2]))
    for gradient in tape.gradient(y, [table, argument]):
        assert isinstance(gradient, tf.IndexedSlices)
        assert gradient.indices.numpy().tolist() == [2, 0, 2]
        np.testing.assert_array_equal(tf.convert_to_tensor(gradient), [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]])
    np.testing.assert_array_equal(tape.gradient(y, other), [[11.0, 14.0]])
    jacobian = tape.jacobian(y, table)
    np.testing.assert_array_equal(tf.reduce_sum(jacobian, [0, 1]), [[1.0, 1.0], [0.0, 0.0], [2.0, 2.0]])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(looked_up(argument, tf.constant([2, 0, 2])) ** 2)
        slope = tf.convert_to_tensor(inner.gradient(y, table))
    np.testing.assert_array_equal(
        tf.convert_to_tensor(outer.gradient(slope, table)), [[2.0, 2.0], [0.0, 0.0], [4.0, 4.0]]
    )


# -- variables as arguments --


@pytest.mark.parametrize("first", ["other", "w"])
def test_an_argument_that_the_function_also_reads_by_another_name(first):
    w, other = tf.Variable(10.0), tf.Variable(1.0)

    def python(v):
        v.assign_add(1.0)
        w.assign_add(5.0)
        return v + w

    f = tf.function(python)
    order = [other, w] if first == "other" else [w, other]
    found = [float(f(v)) for v in (*order, *order)]
    values = [w.numpy(), other.numpy()]
    w.assign(10.0)
    other.assign(1.0)
    assert found == [float(python(v)) for v in (*order, *order)]
    assert values == [w.numpy(), other.numpy()]


def test_the_first_variable_is_not_kept_alive():
    f = tf.function(lambda v: v * 2.0)
    first = tf.Variable(np.ones(3, np.float32))
    f(first)
    for _ in range(200):
        f(tf.Variable(np.ones(3, np.float32)))
    gone = weakref.ref(first)
    del first
    assert gone() is None
    assert f.experimental_get_tracing_count() == 1


def test_arguments_are_not_modified():
    @tf.function
    def append(items):
        items[0]["a"].append(tf.constant(1.0))
        return tf.constant(0.0)

    @tf.function
    def append_to_a_copy(items):
        items = [*items, tf.constant(1.0)]
        return tf.stack(items)

    with pytest.raises(ValueError, match="append should not modify its Python input arguments"):
        append([{"a": [tf.constant(0.0)]}])
    assert append_to_a_copy([tf.constant(0.0)]).numpy().tolist() == [0.0, 1.0]


def test_a_constant_upstream_gradient_meets_symbolic_values():
    def second(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_min(x) * x + tf.reduce_max(x)
            jacobian = inner.jacobian(y, x)
        return outer.gradient(jacobian, x, output_gradients=tf.fill((3, 3), 0.7))

    x = tf.constant([0.3, 1.2, -0.5])
    np.testing.assert_allclose(tf.function(second)(x).numpy(), second(x).numpy(), rtol=1e-6)
