"""The objects that `tf.function` makes: attributes, methods, copies, threads; and the state after an error."""

import copy
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest

import whygrad as tf
from tests.support import dropped
from whygrad.values.recorders import state


@tf.function
def double(x):
    return x * 2.0


class Net(tf.Module):
    def __init__(self, w=2.0):
        super().__init__()
        self.w = tf.Variable(w)
        self.compiled = tf.function(self.plain)

    def plain(self, x):
        return x * self.w

    @tf.function
    def __call__(self, x, n=3):
        return x * self.w * float(n)


def test_pretty_printed_concrete_signatures():
    f = tf.function(lambda x, n=2: {"y": x * float(n)})
    assert f.pretty_printed_concrete_signatures() == ""
    f(tf.ones(3))
    assert f.pretty_printed_concrete_signatures() == (
        "Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(3,), dtype=tf.float32, name=None)\n"
        "  n (POSITIONAL_OR_KEYWORD): Literal[2]\n"
        "Output Type:\n"
        "  Dict[['y', TensorSpec(shape=(3,), dtype=tf.float32, name=None)]]\n"
        "Captures:\n"
        "  None"
    )


def test_attributes_of_a_concrete_function():
    net = Net()
    concrete = net.__call__.get_concrete_function(tf.TensorSpec([2], tf.float32), 5)
    assert concrete(tf.ones(2)).numpy().tolist() == [10.0, 10.0]
    assert concrete.structured_input_signature == ((tf.TensorSpec([2], tf.float32, "x"), 5), {})
    assert concrete.variables == (net.w,) == concrete.trainable_variables
    (x,) = concrete.inputs
    assert (x.name, x.shape, x.dtype) == ("x:0", [2], tf.float32)
    assert pickle.loads(pickle.dumps(x)).op.name == "x"
    assert concrete.output_dtypes is tf.float32
    assert repr(concrete).startswith(
        "<ConcreteFunction (x: TensorSpec(shape=(2,), dtype=tf.float32, name=None), n: Literal[5]) -> "
    )
    assert concrete(tf.ones(3)).shape == (
        3,
    )  # a tensor of another shape alone: traced anew, as TensorFlow's kernels take it
    with pytest.raises(TypeError, match=r"Can not cast TensorSpec\(shape=\(3,\)"):
        concrete(tf.ones(3), 5)
    assert [each.op for each in concrete.graph.as_graph_def().node] == [
        each.type for each in concrete.graph.get_operations()
    ]
    assert len(concrete.graph.get_operations()) > 1
    first, *_, last = concrete.graph.as_graph_def().node
    assert (first.name, first.op, first.input) == ("x", "Placeholder", ())
    assert last.op == "Identity"
    assert last.input[0] in [each.name for each in concrete.graph.node]
    with pytest.raises(AttributeError, match="no TensorFlow graph"):
        concrete.graph.get_tensor_by_name("x:0")


def test_methods_are_functions():
    a, b = Net(), Net()
    for x in (tf.ones(1), tf.ones(2)):
        a(x)
    b(tf.ones(1))
    assert a.__call__.experimental_get_tracing_count() == 2
    assert b.__call__.experimental_get_tracing_count() == 1
    assert Net.__call__.experimental_get_tracing_count() >= 3
    assert a.__call__.python_function(tf.constant(1.0)).numpy() == 6.0


def test_a_method_without_arguments_is_traced_for_its_signature():
    class Doubling:
        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def double(self, x):
            return x * 2.0

    assert Doubling().double.get_concrete_function()(tf.constant(2.0)).numpy() == 4.0


def test_copies_are_compiled_for_themselves():
    net = Net()
    x = tf.constant(1.0)
    net.compiled(x)
    other = copy.deepcopy(net)
    other.w.assign(7.0)
    assert net.compiled(x).numpy() == 2.0
    assert other.compiled(x).numpy() == 7.0
    again = copy.copy(double)
    assert again(x).numpy() == 2.0
    assert again is not double
    assert again.experimental_get_tracing_count() == 1


def test_a_function_of_a_module_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(double)) is double


def plain(x):
    return x + 1.0


def test_a_function_of_a_plain_function_is_pickled_with_it():
    function = tf.function(plain, input_signature=[tf.TensorSpec([], tf.float32)])
    same = pickle.loads(pickle.dumps(function))
    assert (same.python_function, same.input_signature) == (plain, function.input_signature)
    assert same(tf.constant(1.0)).numpy() == 2.0
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tf.function(lambda x: x))


def test_weak_references():
    f = tf.function(lambda x: x)
    f(tf.constant(1.0))
    gone = weakref.ref(f)
    del f
    assert gone() is None


def test_threads_that_trace_do_not_disturb_each_other():
    v = tf.Variable(np.ones(4, np.float32))
    functions = [tf.function(lambda x, k=k: tf.reduce_sum(tf.sin(x * v) * float(k))) for k in range(6)]
    failed = []
    start = threading.Barrier(len(functions))

    def work(k):
        try:
            start.wait()
            for n in (4, 1):
                x = tf.ones(n) * 0.5
                with tf.GradientTape() as tape:
                    y = functions[k](x)
                np.testing.assert_allclose(y.numpy(), 4 * k * np.sin(0.5), rtol=1e-5)
                np.testing.assert_allclose(tape.gradient(y, v).numpy(), 0.5 * k * np.cos(0.5) * np.ones(4), rtol=1e-5)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(functions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert isinstance(v.numpy(), np.ndarray)


def test_a_function_that_calls_itself_without_end():
    @tf.function
    def forever(x):
        return forever(x)

    with pytest.raises(RecursionError):
        forever(tf.constant(1.0))
    assert state.context is None
    assert state.recorders == ()


class Stop(Exception):
    pass


def _fails_at(place):
    """A function that goes through many kinds of contexts and raises at one of them."""
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])
    met = []

    def here(name):
        met.append(name)
        if name == place:
            raise Stop

    def f(x):
        here("begin")
        v.assign_add(1.0)
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * w) * v
            here("tape")

            def branch():
                v.assign(9.0)
                here("branch")
                return y * 2.0

            y = tf.cond(y > 0.0, branch, lambda: y)

            def turn(i, a):
                w.assign(w * 2.0)
                here("turn")
                return i + 1, a * y

            y = tf.while_loop(lambda i, a: i < 2, turn, (0, y))[1]
            inner = tf.function(lambda x: [v.assign(3.0), here("inner"), x * v][2])
            y = inner(y)
            with tape.stop_recording():
                here("stopped")
        g = tape.gradient(y, w)
        here("end")
        return g

    return f, v, w, met


PLACES = ["begin", "tape", "branch", "turn", "inner", "stopped", "end"]


def test_every_place_that_raises_is_reached():
    f, *_, met = _fails_at(None)
    tf.function(f)(tf.constant([1.0, 2.0]))
    assert set(met) == set(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_an_error_leaves_nothing_behind(place):
    f, v, w, _ = _fails_at(place)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        before = state.recorders
        with pytest.raises(Stop):
            tf.function(f)(x)
        assert state.recorders == before
        y = x * v
    assert state.context is None
    assert state.recorders == ()
    assert v.numpy() == 1.0
    assert w.numpy().tolist() == [1.0, 2.0]
    assert type(x) is tf.Tensor
    assert tape.gradient(y, x).numpy().tolist() == [1.0, 1.0]
    assert tf.function(lambda: v.assign_add(1.0))().numpy() == 2.0


@pytest.mark.parametrize("name", dropped.FUNCTIONS)
def test_a_dropped_function_holds_no_arrays(name):
    for _ in range(12):  # the sweep comes again from the same call site
        assert dropped.held_after_dropping(name) == []


def test_a_concrete_function_says_which_argument_differs():
    @tf.function
    def plus(x, y):
        return x["a"] + y

    concrete = plus.get_concrete_function({"a": tf.constant(1)}, 5)
    assert concrete({"a": tf.constant(2)}).numpy() == 7
    for args, kwargs, reason in [
        (({"a": tf.constant(1)}, 8), {}, r"Can not cast 8 to Literal\[5\]"),
        ((tf.constant(1), 5), {}, r"Can not cast <tf.Tensor.*> to a Dict type"),
        (({"a": tf.constant(1)}, 5, 6), {}, "too many positional arguments"),
        (({"a": tf.constant(1)},), {"z": 6}, "got an unexpected keyword argument 'z'"),
        ((), {}, "missing a required argument: 'x'"),
    ]:
        with pytest.raises(TypeError, match=f"Binding inputs to tf.function failed due to `{reason}"):
            concrete(*args, **kwargs)


def test_keyword_arguments_with_one_identifier_are_refused():
    @tf.function
    def rate(**named):
        return sum(named.values())

    assert rate(**{"per day": 1, "per/hour": 2}).numpy() == 3
    with pytest.raises(
        ValueError, match=r"Name collision after sanitization.*'per day' and 'per/day' are both called 'per_day'"
    ):
        rate(**{"per day": 1, "per/day": 2})


def test_a_concrete_function_takes_its_tensors_alone():
    @tf.function
    def plus(pair, n, *others, **named):
        return pair[0] + pair["b" if isinstance(pair, dict) else 1] * n + sum(others) + named.get("c", 0)

    one, two, three = (tf.constant(each) for each in (1, 2, 3))
    spec = tf.TensorSpec([], tf.int32, "first")
    concrete = plus.get_concrete_function((spec, one), 10, two, c=three)
    assert concrete(one, two, three, one).numpy() == concrete((one, two), 10, three, c=one).numpy() == 25
    assert concrete(first=one, pair=two, others_0=three, c=one).numpy() == 25
    assert concrete((1, 2), 10, 3, c=1).numpy() == 25  # Python numbers become tensors
    assert concrete.structured_input_signature == (
        (
            (spec, tf.TensorSpec([], tf.int32, "pair_1")),
            10,
            tf.TensorSpec([], tf.int32, "others_0"),
        ),
        {"c": tf.TensorSpec([], tf.int32, "c")},
    )
    flat = r"plus\(first, pair, others_0, c\)"
    for args, kwargs, reason in [
        ((one,) * 5, {}, f"{flat} takes 4 positional arguments, got 5"),
        ((one,), {"c": one}, f"{flat} missing required arguments: others_0, pair"),
        ((one, one, one, one), {"c": one}, f"{flat} got two values for 'c'"),
        ((one, one, one), {"c": one, "z": one}, f"{flat} got unexpected keyword arguments: z"),
        ((one, one, 3, one), {}, rf"{flat}: expected argument #2\(zero-based\) to be a Tensor; got int \(3\)"),
    ]:
        with pytest.raises(TypeError, match=f"Fallback to flat signature also failed due to: {reason}"):
            concrete(*args, **kwargs)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"input #1\(zero-based\) was expected to be a int32 tensor"
    ):
        concrete(one, tf.constant(1.0), one, one)

    @tf.function
    def calls_with_another_shape():
        return concrete(tf.constant([1, 2]), two, three, one)

    with pytest.raises(
        TypeError, match=r"Binding inputs to tf\.function failed"
    ):  # inside a function shapes are checked
        calls_with_another_shape()


def test_the_same_concrete_function_is_the_same_object():
    f = tf.function(lambda x, y=2: x * y)
    spec = tf.TensorSpec([None], tf.int32)
    concrete = f.get_concrete_function(spec)
    assert f.get_concrete_function(spec) is concrete
    assert f.get_concrete_function(tf.TensorSpec([None], tf.int32, "z")) is not concrete
    for kind in (tf.TensorSpec([2], tf.int32), tf.constant([1, 2])):
        assert f.get_concrete_function(kind) is f.get_concrete_function(x=kind)
    assert f.get_concrete_function(tf.constant([1.0])) is not f.get_concrete_function(tf.constant([1]))
    gone = weakref.ref(concrete)
    del concrete
    assert gone() is None


def test_a_method_shows_its_input_signature():
    class Doubling:
        @tf.function(input_signature=())
        def none(self):
            return tf.constant(1.0)

    assert Doubling().none.input_signature == ()
    assert tf.function(lambda: 1.0, input_signature=[]).input_signature == ()


def test_ragged_arguments_have_a_concrete_function_that_says_what_does_not_fit():
    f = tf.function(lambda x: x * 2.0)
    ragged = tf.ragged.constant([[1.0], [2.0, 3.0]])
    declared = tf.function(lambda x: x * 2.0, input_signature=[tf.RaggedTensorSpec([None, None])])
    concrete = [f.get_concrete_function(given) for given in (ragged, tf.RaggedTensorSpec([None, None]))]
    for function in (*concrete, declared):
        assert function(ragged).to_list() == [[2.0], [4.0, 6.0]]
        for wrong, sentence in [
            (tf.constant([1.0]), r"RaggedTensorSpec.* don't have the same nested structure"),
            (tf.ragged.constant([[[1.0]]]), r"RaggedTensorSpec.* don't have the same nested structure"),
            (
                tf.ragged.constant([[1]]),
                r"Can not cast values with dtype=tf.int32 to RaggedTensorSpec.* dtype=tf.float32",
            ),
        ]:
            with pytest.raises(TypeError, match=sentence):
                function(wrong)


def test_weak_references_are_no_arguments():
    net = Net()
    with pytest.raises(TypeError, match=r"weakref input .* not supported"):
        tf.function(lambda x: 1.0)(weakref.ref(net))


@pytest.mark.parametrize("argument", [{1}, [{1}], {"a": {1}}, slice(1, 2) if sys.version_info < (3, 12) else {2}])
def test_an_argument_that_may_change_is_refused(argument):
    with pytest.raises(TypeError, match="Could not generate a generic TraceType"):
        tf.function(lambda x: 1.0)(argument)
    assert float(tf.function(lambda x: float(len(x)))(frozenset([1, 2]))) == 2.0
