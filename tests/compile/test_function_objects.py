"""The objects that `tf.function` makes: attributes, methods, copies, threads; and the state after an error."""

import copy
import pickle
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
    assert concrete.inputs == [tf.TensorSpec([2], tf.float32)]
    assert concrete.output_dtypes is tf.float32
    assert repr(concrete).startswith(
        "<ConcreteFunction (x: TensorSpec(shape=(2,), dtype=tf.float32, name=None), n: Literal[5]) -> "
    )
    with pytest.raises(TypeError, match=r"Can not cast TensorSpec\(shape=\(3,\)"):
        concrete(tf.ones(3))
    assert [each.op for each in concrete.graph.as_graph_def().node] == [
        each.type for each in concrete.graph.get_operations()
    ]
    assert len(concrete.graph.get_operations()) > 1
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
    assert dropped.held_after_dropping(name) == []


def test_a_concrete_function_says_which_argument_differs():
    @tf.function
    def plus(x, y):
        return x["a"] + y

    concrete = plus.get_concrete_function({"a": tf.constant(1)}, 5)
    assert concrete({"a": tf.constant(2)}).numpy() == 7
    for args, kwargs, reason in [
        (({"a": tf.constant(1)}, 8), {}, r"Can not cast 8 to Literal\[5\]"),
        ((tf.constant(1),), {}, r"Can not cast TensorSpec\(.*\) to a Dict"),
        (({"a": tf.constant(1)}, 5, 6), {}, "too many positional arguments"),
        (({"a": tf.constant(1)},), {"z": 6}, "got an unexpected keyword argument 'z'"),
        ((), {}, "missing a required argument: 'x'"),
    ]:
        with pytest.raises(TypeError, match=f"Binding inputs to tf.function failed due to `{reason}"):
            concrete(*args, **kwargs)


def test_a_method_shows_its_input_signature():
    class Doubling:
        @tf.function(input_signature=())
        def none(self):
            return tf.constant(1.0)

    assert Doubling().none.input_signature == ()
