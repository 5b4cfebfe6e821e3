"""A function that runs op by op has the semantics of a traced one."""

import sys
import threading

import numpy as np
import pytest

import whygrad as tf
from tests.support import dropped
from whygrad.runtime.prints import without_prints
from whygrad.values.recorders import Recorder, observers, state

pytestmark = pytest.mark.usefixtures("op_by_op")


# -- Python runs once for each kind of arguments --


def test_python_runs_once_for_each_shape_dtype_and_python_value():
    seen = []

    @tf.function
    def f(x, factor):
        seen.append(factor)
        return x * factor

    for x, factor in ((1.0, 2), (3.0, 2), (3.0, 4), ([1.0, 2.0], 2), (5.0, 2)):
        np.testing.assert_allclose(f(tf.constant(x), factor), np.asarray(x) * factor)
    assert seen == [2, 4, 2]
    assert f.experimental_get_tracing_count() == 3
    assert f.pretty_printed_concrete_signatures().count("  x (POSITIONAL_OR_KEYWORD): TensorSpec") == 3


def test_sizes_that_are_left_open_print_once(capsys):
    def f(x):
        print("tracing")
        return x + 1.0

    by_signature = tf.function(f, input_signature=[tf.TensorSpec([None])])
    for n in (1, 2, 3):
        by_signature(tf.ones(n))
    assert capsys.readouterr().out == "tracing\n"
    concrete = tf.function(f).get_concrete_function(tf.TensorSpec([None], tf.float32))
    for n in (1, 2, 3):
        concrete(tf.ones(n))
    assert capsys.readouterr().out == "tracing\n"


def test_other_threads_print_while_one_is_silent(capsys):
    def silent():
        with without_prints():
            print("dropped")
            ready.set()
            done.wait(10)
            tf.print("shown later", output_stream=stream_of[0])
            stream_of[0] = sys.stdout

    ready, done, stream_of = threading.Event(), threading.Event(), [sys.stdout]
    thread = threading.Thread(target=silent)
    thread.start()
    ready.wait(10)
    print("shown")
    done.set()
    thread.join()
    tf.print("by the stream of then", output_stream=stream_of[0])
    assert capsys.readouterr().out == "shown\nshown later\nby the stream of then\n"


def test_strings_are_traced_as_numbers_are():
    seen = []

    @tf.function
    def f(words, n):
        seen.append(words.dtype)
        marked = tf.strings.join([tf.strings.lower(words), tf.strings.as_string(n)], "-")
        return marked, tf.strings.length(words) * n, words == "b", tf.strings.substr(words, 1, 1)

    for words, n in ((["Ab", "bC"], 1), (["b", "DEF"], 2), (["wxyz", "b"], 3)):
        # A part of a string that is too short is an error of the call, not of the trace.
        found = [each.numpy().tolist() for each in f(tf.constant(words), tf.constant(n))]
        assert found[0] == [f"{word.lower()}-{n}".encode() for word in words]
        assert found[1:3] == [[len(word) * n for word in words], [word == "b" for word in words]]
        assert found[3] == [word[1:2].encode() for word in words]
    assert len(seen) == f.experimental_get_tracing_count() == 1


def test_one_string_in_several_ops():
    @tf.function
    def f(word):
        louder = word + "!"
        return tf.strings.lower(louder), tf.stack([louder, word]), louder + word

    for word in "ABCDE":
        assert [each.numpy() for each in f(tf.constant(word))[::2]] == [
            f"{word}!".lower().encode(),
            f"{word}!{word}".encode(),
        ]


def test_lookups_and_files_are_read_at_each_call(tmp_path):
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    seen = []

    @tf.function
    def f(words, path):
        seen.append(1)
        return table.lookup(words), tf.io.read_file(path)

    path = tmp_path / "text"
    for i in range(3):
        path.write_text(str(i))
        found, text = f(tf.constant([str(i), "a"]), tf.constant(str(path)))
        assert (found.numpy().tolist(), text.numpy()) == ([-1, i - 1], str(i).encode())
        table.insert(["a"], [i])
    assert len(seen) == 1


def test_strings_that_tensors_and_loops_choose():
    @tf.function
    def f(word, n):
        if word == "a":
            word = tf.strings.upper(word)
        for _ in tf.range(n):
            word = word + "!"
        return word

    assert [f(tf.constant(word), tf.constant(n)) for word, n in (("a", 1), ("b", 2))] == [b"A!", b"b!!"]


@pytest.mark.parametrize(
    "python",
    [
        lambda word, n: tf.cond(n > 1, lambda: tf.constant("many"), lambda: word),
        lambda word, n: tf.cond(n > 1, lambda: tf.constant("many"), lambda: tf.constant("one")),
        lambda word, n: tf.switch_case(n - 1, [lambda: word, lambda: tf.constant("two")]),
        lambda word, n: tf.while_loop(lambda i, _: i < n, lambda i, s: (i + 1, s + word), (0, tf.constant("")))[1],
        lambda word, n: (word, {"unit": tf.constant(["m", "s"])}),
    ],
)
def test_constant_strings_are_results_of_bodies_as_numbers_are(python):
    f = tf.function(python)
    for given in (("a", 1), ("b", 2), ("c", 1)):
        given = tuple(map(tf.constant, given))
        for found, expected in zip(tf.nest.flatten(f(*given)), tf.nest.flatten(python(*given)), strict=True):
            np.testing.assert_array_equal(found.numpy(), expected.numpy())
    assert f.experimental_get_tracing_count() == 1


def test_what_the_values_of_strings_decide_runs_as_python():
    f = tf.function(lambda text: tf.strings.split(text))
    with pytest.warns(tf.FunctionWarning, match="StringSplitV2"):
        assert f(tf.constant("a b")).numpy().tolist() == [b"a", b"b"]
    assert f(tf.constant("c d e")).numpy().tolist() == [b"c", b"d", b"e"]


def test_an_error_of_strings_is_that_of_the_call():
    f = tf.function(lambda text: tf.strings.to_number(text))
    assert f(tf.constant("1.5")) == 1.5
    with pytest.raises(tf.errors.InvalidArgumentError, match="StringToNumberOp could not correctly convert string: x"):
        f(tf.constant("x"))
    assert tf.function(lambda text: tf.strings.to_number(text))(tf.constant("2")) == 2.0


def test_the_nodes_of_the_graph_say_what_they_take():
    f = tf.function(lambda x, y: (tf.nn.relu(x * y + y), y + 1.0))
    graph = f.get_concrete_function(tf.constant(1.0), tf.constant(2.0)).graph
    assert [(list(node.input), node.name, node.op) for node in graph.as_graph_def().node] == [
        ([], "x", "Placeholder"),
        ([], "y", "Placeholder"),
        (["x", "y"], "Mul", "Mul"),
        (["Mul", "y"], "AddV2", "AddV2"),
        (["AddV2"], "Relu", "Relu"),
        (["y"], "AddV2_1", "AddV2"),
        (["Relu"], "Identity", "Identity"),
        (["AddV2_1"], "Identity_1", "Identity"),
    ]


def test_python_values_are_frozen():
    scale = {"by": 2.0}

    @tf.function
    def f(x):
        return x * scale["by"]

    assert f(tf.constant(3.0)) == 6.0
    scale["by"] = 10.0
    assert f(tf.constant(3.0)) == 6.0
    assert f(tf.constant([3.0])) == 30.0  # a new trace


def test_results_are_tensors():
    f = tf.function(lambda x: {"three": 3, "none": None, "pair": (x, [1.5, np.int64(2)])})
    result = f(tf.constant(1))
    assert result["none"] is None
    assert (result["three"].dtype, result["pair"][1][0].dtype, result["pair"][1][1].dtype) == (
        tf.int32,
        tf.float32,
        tf.int64,
    )
    with pytest.raises(TypeError, match="object"):
        tf.function(lambda x: object())(tf.constant(1))


def test_arrays_are_tensors_inside():
    kinds = []

    @tf.function
    def f(x):
        kinds.append(isinstance(x, tf.Tensor))
        return x + 1

    assert f(np.array([1, 2], np.int32)).numpy().tolist() == [2, 3]
    assert kinds == [True]


def test_an_input_signature_is_enforced():
    f = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert f([1, 2]).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        f(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed"):
        f(["text"])


def test_concrete_functions():
    f = tf.function(lambda x, n: x * n)
    concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32), 3)
    assert concrete(tf.constant([1.0, 2.0])).numpy().tolist() == [3.0, 6.0]
    (output,) = concrete.outputs
    assert (output.shape, output.dtype, output.name) == ([2], tf.float32, "Identity:0")
    assert f.experimental_get_tracing_count() == 1
    assert concrete(tf.constant([1.0])).numpy().tolist() == [3.0]
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        concrete(tf.constant([1.0]), 3)


def test_functions_within_functions_are_part_of_the_trace():
    calls = []

    @tf.function
    def inner(x):
        calls.append("inner")
        return x * x

    @tf.function
    def outer(x):
        calls.append("outer")
        return inner(x) + inner(x)

    assert [float(outer(tf.constant(x))) for x in (1.0, 2.0, 3.0)] == [2.0, 8.0, 18.0]
    assert calls == ["outer", "inner", "inner"]


# -- symbolic tensors --


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda t: t.numpy(), AttributeError),
        (lambda t: bool(t), TypeError),
        (lambda t: float(t), TypeError),
        (lambda t: int(t), TypeError),
        (lambda t: range(t), TypeError),
        (lambda t: np.asarray(t), NotImplementedError),
        (lambda t: f"{t:.2f}", TypeError),
    ],
)
def test_symbolic_tensors_have_no_value(use, error):
    @tf.function(autograph=False)
    def f(x):
        use(tf.cast(x, tf.int32))
        return x

    with pytest.raises(error) as caught:
        f(tf.constant(1.0))
    assert caught.value.causes[0].kind in ("value-needed-while-compiling", "python-branch-on-symbolic")


def test_shapes_are_known():
    @tf.function
    def f(x):
        assert x.shape == (2, 3)
        assert int(tf.shape(x)[0]) == 2
        return tf.reshape(x, [tf.shape(x)[1], -1])

    assert f(tf.zeros([2, 3])).shape == (3, 2)


def test_a_leaked_tensor_is_explained(request):
    kept = []

    @tf.function
    def f(x):
        y = x * 2.0
        kept.append(y)
        return y

    if "observed" in request.node.name:  # a finding of the trace, and no warning besides
        f(tf.constant(1.0))
        assert [each.kind for each in request.getfixturevalue("observed").findings] == ["python-side-effect"]
    else:
        with pytest.warns(tf.SideEffectWarning, match="was set while `f` was being traced"):
            f(tf.constant(1.0))
    with pytest.raises(TypeError, match="out of scope") as caught:
        kept[0] + 1.0
    assert caught.value.causes[0].kind == "leaked-tensor"


# -- state --


def test_variables_are_read_and_assigned_at_each_call():
    v, total = tf.Variable(1.0), tf.Variable([0.0, 0.0])

    @tf.function
    def f(x):
        before = v + 0.0
        v.assign_add(x)
        total.assign(total + v)
        total[1].assign(7.0)
        return before, v

    assert [each.numpy() for each in f(tf.constant(2.0))] == [1.0, 3.0]
    v.assign(10.0)
    assert [each.numpy() for each in f(tf.constant(5.0))] == [10.0, 15.0]
    assert total.numpy().tolist() == [18.0, 7.0]


def test_a_call_that_raises_assigns_nothing():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign(2.0)
        return tf.numpy_function(lambda x: 1 / 0, [x], tf.TensorSpec([], tf.float32))

    with pytest.raises(ZeroDivisionError):
        f(tf.constant(1.0))
    assert v.numpy() == 1.0


def test_variables_are_created_once():
    made = []

    @tf.function
    def lazily(x):
        if not made:
            made.append(tf.Variable(tf.zeros([2])))
        return made[0].assign_add(x)

    lazily(tf.ones([2]))
    assert lazily(tf.ones([2])).numpy().tolist() == [2.0, 2.0]

    with pytest.raises(ValueError, match=r"singleton tf.Variables created on the first call"):
        tf.function(lambda x: x * tf.Variable(2.0))(tf.constant(1.0))


def test_random_numbers_are_fresh_at_each_call_and_repeat_with_the_seed():
    generator = tf.random.Generator.from_seed(3)

    def draws(x):
        return tf.random.normal([2]) + x, tf.random.uniform([2], 0, 9, tf.int32), generator.normal([2])

    def three(function):
        tf.random.set_seed(1)
        generator.reset_from_seed(3)
        return [[each.numpy().tolist() for each in function(tf.constant(1.0))] for _ in range(3)]

    found = three(tf.function(draws))
    assert found == three(tf.function(draws))
    assert [each[2] for each in found] == [each[2] for each in three(draws)]  # a Generator is the same everywhere
    assert len({str(each) for each in found}) == 3


def test_printing_and_python_happen_at_each_call(capsys):
    @tf.function
    def f(x):
        print("traced")
        tf.print("x is", x)
        return tf.py_function(lambda x: x * 2.0, [x], tf.TensorSpec([], tf.float32))

    assert [float(f(tf.constant(x))) for x in (1.0, 2.0)] == [2.0, 4.0]
    printed = capsys.readouterr()
    assert printed.out == "traced\n"
    assert printed.err == "x is 1\nx is 2\n"


# -- derivatives --


def test_a_tape_around_a_call_differentiates_through_it():
    w, x = tf.Variable([1.0, 2.0]), tf.constant([3.0, 4.0])
    f = tf.function(lambda x: tf.reduce_sum(w * tf.sin(x)))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        first = tape.gradient(y, [w, x])
    np.testing.assert_allclose(first[0], np.sin(x), rtol=1e-6)
    np.testing.assert_allclose(first[1], w.numpy() * np.cos(x), rtol=1e-6)
    np.testing.assert_allclose(outer.gradient(first[1], x), -w.numpy() * np.sin(x), rtol=1e-6)


def test_a_tensor_from_outside_that_is_watched_has_its_gradient():
    x = tf.constant(3.0)
    f = tf.function(lambda y: x * x * y)
    assert f(tf.constant(1.0)) == 9.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(tf.constant(2.0)) + f(tf.constant(1.0))
    assert tape.gradient(y, x) == 18.0


def test_a_custom_gradient_is_traced_once():
    runs = []

    @tf.custom_gradient
    def clipped(x):
        y = tf.exp(x)

        def grad(upstream):
            runs.append("grad")
            return upstream * tf.minimum(y, 2.0)

        return y, grad

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x)
        return tape.gradient(y, x)

    assert [float(slope(tf.constant(x))) for x in (0.0, 3.0)] == [1.0, 2.0]
    assert runs == ["grad"]


def test_gradients_of_lookups_stay_sparse():
    table = tf.Variable(tf.zeros([5, 2]))

    @tf.function
    def f(ids):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, ids))
        return tape.gradient(y, table)

    assert isinstance(f(tf.constant([1, 1])), tf.IndexedSlices)
    assert f(tf.constant([1, 3])).indices.numpy().tolist() == [1, 3]


# -- control flow: bodies are traced once, and each call takes its own way --


def test_branches():
    calls = []

    @tf.function
    def f(x):
        def yes():
            calls.append("yes")
            return x * x

        return tf.cond(x > 0.0, yes, lambda: -x)

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert (y.numpy(), tape.gradient(y, x).numpy(), f(tf.constant(-2.0)).numpy()) == (9.0, 6.0, 2.0)
    assert calls == ["yes"]


def test_code_that_does_not_run_has_gradients_and_tangents_of_zero():
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    unused = tf.function(lambda x: tf.cond(x > 0.0, lambda: a * x, lambda: b * x))
    rounded = tf.function(lambda x: tf.cond(x > 0.0, lambda: a * x, lambda: tf.round(b) * x))
    loop = tf.function(lambda x, n: tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * b), (0, x))[1])
    x = tf.constant(5.0)
    with tf.GradientTape(persistent=True) as tape, tf.autodiff.ForwardAccumulator(b, tf.constant(1.0)) as accumulator:
        results = unused(x), loop(x, tf.constant(0)), rounded(x)
    gradients = [tape.gradient(each, b) for each in results]
    tangents = [accumulator.jvp(each) for each in results]
    for found in (gradients, tangents):
        assert [None if each is None else each.numpy() for each in found] == [0.0, 0.0, None]
    assert tape.gradient(results[0], [a, b], unconnected_gradients="zero")[1].numpy() == 0.0
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(a)
        y = unused(x)
    assert tape.gradient(y, b) is None  # it would not be watched there, either


def test_tangents_that_are_known_when_the_function_is_traced():
    @tf.function
    def moved(x):
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, -2.0])) as accumulator:
            results = tf.sqrt(x), tf.sin(x), tf.norm(x), tf.nn.softmax(x), x**3.0
        return accumulator.jvp(results)

    x = tf.constant([4.0, 9.0])
    for found, expected in zip(moved(x), moved.python_function(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_a_gradient_of_zero_for_code_that_does_not_run_has_its_reason(observed):
    b = tf.Variable(3.0)
    f = tf.function(lambda x: tf.cond(x > 0.0, lambda: x * x, lambda: b * x))
    with tf.GradientTape() as tape:
        y = f(tf.constant(5.0))
    tape.gradient(y, b)
    (cause,) = observed.findings
    assert (cause.kind, cause.symptom) == ("branch-not-taken", "none")
    assert "with respect to `b` is zero: it is used only in a branch that was not taken" in cause.sentence


def test_a_value_that_only_code_that_does_not_run_would_use_has_its_reason(observed):
    b = tf.Variable(3.0)

    def parts(x):
        return x * x, tf.exp(b)

    @tf.function
    def f(x):
        square, other = parts(x)
        return tf.cond(x > 0.0, lambda: square, lambda: square + other)

    with tf.GradientTape() as tape:
        y = f(tf.constant(5.0))
    assert tape.gradient(y, b).numpy() == 0.0
    (cause,) = observed.findings
    assert cause.kind == "branch-not-taken"
    assert cause.site.text.startswith("tf.cond(x > 0.0")
    assert "is zero: what is computed from it is used only in a branch or loop body that did not run" in cause.sentence


def test_a_loop_runs_as_many_iterations_as_the_call_needs():
    v = tf.Variable(0.0)

    @tf.function
    def f(x, n):
        def turn(i, y):
            v.assign_add(1.0)
            return i + 1, y * x

        return tf.while_loop(lambda i, y: i < n, turn, (0, tf.ones([])))[1]

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(5))
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (32.0, 80.0)
    assert f(x, tf.constant(3)) == 8.0
    assert v.numpy() == 8.0


def test_gradients_inside_through_control_flow():
    @tf.function
    def f(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * x), (0, tf.ones([])))[1]
            y = tf.cond(y > 10.0, lambda: y * 2.0, lambda: y)
            y += tf.reduce_sum(tf.map_fn(lambda each: each * x, tf.constant([1.0, 2.0])))
        return tape.gradient(y, x)

    assert [float(f(tf.constant(2.0), tf.constant(n))) for n in (2, 5)] == [7.0, 163.0]


# -- what cannot be traced, and what fails when it runs --


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.boolean_mask(x, x > 1.0),
        lambda x: tf.unique(x)[0],
        lambda x: tf.where(x > 1.0),
        lambda x: tf.zeros([tf.cast(x[0], tf.int32)]),
    ],
)
def test_a_shape_that_depends_on_values_makes_it_run_as_python(function):
    calls = []

    @tf.function
    def f(x):
        calls.append(1)
        return function(x), 3

    x = tf.constant([1.0, 2.0, 2.0])
    with pytest.warns(UserWarning, match="`f` runs as Python at each call"):
        f(x)
    for given in (x, x + 1.0):
        result, three = f(given)
        np.testing.assert_array_equal(result, function(given))
        assert three.dtype == tf.int32
    assert len(calls) == 4
    assert f.experimental_get_tracing_count() == 1


def test_an_op_that_fails_is_shown_at_its_own_line():
    v = tf.Variable(1.0)

    @tf.function
    def f(x, i):
        v.assign_add(1.0)
        rows = x * 2.0
        return tf.gather(rows, i)

    assert f(tf.ones([3]), tf.constant(2)) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.ones([3]), tf.constant(7))
    (cause,) = caught.value.causes
    assert cause.kind == "index-out-of-range"
    assert cause.site.text == "tf.gather(rows, i)"
    assert v.numpy() == 2.0


def test_a_call_sees_its_variables_at_one_moment():
    """Another thread that changes two variables together does so before the call or after it."""
    p, q = tf.Variable(0.0), tf.Variable(0.0)
    changed = []

    @tf.function
    def change():
        p.assign_add(1.0)
        q.assign_add(1.0)

    @tf.function
    def difference():
        return p - q

    class Slow(Recorder):
        """Between the two reads, another thread tries to change both."""

        def variable_read(self, variable):
            if variable is q and not threads:
                thread = threading.Thread(target=lambda: changed.append(change()), daemon=True)
                thread.start()
                thread.join(0.2)
                threads.append(thread)

    threads = []
    change()
    difference()
    waiting = threading.Event()
    other = threading.Thread(target=waiting.wait)
    other.start()
    state.recorders = (*state.recorders, slow := Slow())
    try:
        found = difference()
    finally:
        state.recorders = tuple(each for each in state.recorders if each is not slow)
        waiting.set()
    for thread in (other, *threads):
        thread.join(600)
    assert found == 0.0
    assert len(threads) == len(changed) == 1
    assert p == q == 2.0


# -- variables as arguments: where TensorFlow mixes up the two names of a variable, Python decides --


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


@pytest.mark.parametrize("name", dropped.FUNCTIONS)
def test_a_dropped_function_holds_no_arrays(name):
    if not observers:  # a trace keeps what it has seen
        assert dropped.held_after_dropping(name) == []


@pytest.mark.filterwarnings("ignore::whygrad.SideEffectWarning")  # the append is what leaks it
def test_the_value_of_a_leaked_tensor_is_an_attribute_that_is_missing():
    held = []
    tf.function(lambda x: held.append(x + 1.0) or x)(tf.constant(1.0))
    with pytest.raises(AttributeError, match="is out of scope"):
        held[0].numpy()
