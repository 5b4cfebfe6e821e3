"""Programs with `tf.function` do the same in whygrad and in TensorFlow: values, gradients, variables, traces and errors.

Both run them without AutoGraph, which has tests of its own: Python's `if` on a tensor is an error in both then.
"""

import contextlib
import copy
import functools
import io
import threading

import numpy as np
import pytest

import whygrad
from whygrad.engines import loading

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def _error(tf, call, *args):
    """The class that an error is known by: Python's, or one of `tf.errors`; None where nothing is raised."""
    try:
        call(*args)
    except Exception as error:
        return next(
            kind.__name__
            for kind in type(error).__mro__
            if kind.__module__ == "builtins" or kind.__name__ in dir(tf.errors)
        )
    return None


# -- gradients of the graph, and tapes from outside --


@program
def gradients_inside_a_function(tf, function):
    f = function(lambda x: tf.gradients(x * x, x))
    g = function(lambda x, y: tf.gradients([x * y, x], [x, y], grad_ys=[tf.constant([2.0, 3.0]), None]))
    x = tf.constant([3.0, 4.0])
    return f(x), g(x, x + 1.0), _error(tf, tf.gradients, x, x), _error(tf, tf.hessians, x, x)


@program
def gradients_for_variables_constants_and_intermediate_tensors(tf, function):
    v, w = tf.Variable(3.0), tf.Variable(2.0, trainable=False)

    def python(x):
        a = tf.constant(5.0)
        b = a * x
        y = b * v * w + tf.sin(a)
        return tf.gradients(y, [a, b, v, w, x])

    return function(python)(tf.constant(0.5))


@program
def gradients_that_stop(tf, function):
    def python(a):
        b = 2.0 * a
        return tf.gradients(a + b, [a, b], stop_gradients=[a, b]), tf.gradients(a + b, [a, b])

    return function(python)(tf.constant(1.0))


@program
def gradients_that_are_not_connected(tf, function):
    def python(x, y):
        return tf.gradients(x, [x, y]), tf.gradients(x, [x, y], unconnected_gradients="zero")

    return function(python)(tf.constant(1.0), tf.constant([2.0]))


@program
def gradients_of_gradients(tf, function):
    def python(x):
        (first,) = tf.gradients(tf.reduce_sum(x**3), x)
        (second,) = tf.gradients(first, x)
        return first, second, tf.hessians(tf.reduce_sum(x**3), x), tf.hessians(x[0] * x[1], [x, x])

    return function(python)(tf.constant([1.0, 2.0]))


@program
def gradients_of_a_lookup(tf, function):
    table = tf.Variable(tf.ones([4, 2]))
    (found,) = function(lambda: tf.gradients(tf.gather(table, [1, 1, 3]), table))()
    return found.values, found.indices


@program
def gradients_inside_a_branch(tf, function):
    def python(x):
        return tf.cond(x > 0.0, lambda: tf.gradients(x * x, x)[0], lambda: tf.gradients(x * x * x, x)[0])

    f = function(python)
    return f(tf.constant(3.0)), f(tf.constant(-2.0))


@program
def gradients_through_control_flow(tf, function):
    def python(x, n):
        y = tf.cond(x > 0.0, lambda: x * x, lambda: -x)
        _, z = tf.while_loop(lambda i, z: i < n, lambda i, z: (i + 1, z * x), (0, y), maximum_iterations=5)
        return tf.gradients(z, [x, y])

    return function(python)(tf.constant(3.0), tf.constant(2))


@program
def gradients_in_an_inner_function(tf, function):
    inner = function(lambda x, y: tf.gradients(y, x)[0])
    f = function(lambda x: inner(x, x * x))
    g = function(lambda x: tf.gradients(function(lambda x: x * x)(x), x)[0])
    return g(tf.constant(3.0)), _error(tf, f, tf.constant(3.0))


@program
def the_gradient_of_a_function_that_takes_gradients(tf, function):
    f = function(lambda x: tf.gradients(x**3, x)[0])
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


@program
def a_tape_from_outside_is_asked_inside(tf, function):
    v = tf.Variable(3.0)
    found = []
    for persistent in (True, False):
        with tf.GradientTape(persistent=persistent) as tape:
            f = function(lambda tape=tape: tape.gradient(v * v, v))
            found.append(f())
            v.assign_add(1.0)
            found.append(f())
    return found


@program
def a_tape_from_outside_watches_inside(tf, function):
    found = []
    for persistent in (True, False):
        with tf.GradientTape(persistent=persistent) as tape:

            def python(x, tape=tape):
                tape.watch(x)
                return tape.gradient(x * x, x)

            f = function(python)
            found += [f(tf.constant(3.0)), f(tf.constant(5.0))]
    return found


@program
def a_tensor_that_a_tape_from_outside_watches_inside_only(tf, function):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:

        def python(x):
            tape.watch(x)
            return x * x

        y = function(python)(x)
    return tape.gradient(y, x)


@program
def a_path_that_begins_outside(tf, function):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        return function(lambda: tape.gradient(y * y, x))(), function(lambda y: tape.gradient(y * y, x))(y)


@program
def a_tape_that_was_left_is_asked_inside(tf, function):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    f = function(lambda: tape.gradient(y, x))
    return f(), f()


@program
def the_jacobian_of_a_tape_from_outside(tf, function):
    v = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        return function(lambda: tape.jacobian(v * v, v))()


@program
def a_tape_from_outside_that_was_asked_inside_is_spent(tf, function):
    v = tf.Variable(3.0)
    found = []
    for persistent in (True, False):
        with tf.GradientTape(persistent=persistent) as tape:

            def python(tape=tape):
                y = v * v * v
                return y, tape.gradient(y, v)

            y, inside = function(python)()
            z = y * 2.0
        found += [inside, tape.gradient(z, v) if persistent else _error(tf, tape.gradient, z, v)]
    return found


# -- variables as arguments --


@program
def variables_of_one_kind_share_a_trace(tf, function):
    def python(v, w):
        v.assign_add(tf.ones_like(v))
        return v * w

    f = function(python)
    a, b, c, d = tf.Variable(1.0), tf.Variable(2.0), tf.Variable([3.0]), tf.Variable(4.0, trainable=False)
    counts, results = [], []
    for pair in ((a, b), (b, a), (a, a), (b, b), (c, a), (a, d), (a, b)):
        results.append(f(*pair))
        counts.append(f.experimental_get_tracing_count())
    return results, counts, a, b, c, d


@program
def variables_in_structures_share_a_trace(tf, function):
    f = function(lambda pair: pair["a"][0] * pair["b"])
    v = [tf.Variable(float(i)) for i in range(4)]
    results = [f({"a": [v[0]], "b": v[1]}), f({"a": [v[2]], "b": v[3]}), f({"a": [v[3]], "b": v[3]})]
    return results, f.experimental_get_tracing_count()


@program
def gradients_for_variables_that_share_a_trace(tf, function):
    f = function(lambda v, x: tf.reduce_sum(v * v * x))

    def inside(v, x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * v * x)
        return tape.gradient(y, v)

    g = function(inside)
    found = []
    x = tf.constant([1.0, 2.0])
    for v in (tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])):
        with tf.GradientTape() as tape:
            y = f(v, x)
        found += [tape.gradient(y, v), g(v, x)]
    return found, f.experimental_get_tracing_count(), g.experimental_get_tracing_count()


@program
def variables_of_one_kind_in_control_flow(tf, function):
    def python(v, x):
        tf.cond(x > 0.0, lambda: v.assign_add(x), lambda: v.assign_sub(x))
        return v * tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + v), (0, 0.0))[1]

    f = function(python)
    a, b = tf.Variable(1.0), tf.Variable(5.0)
    results = [f(v, x) for v in (a, b) for x in (tf.constant(2.0), tf.constant(-3.0))]
    return results, f.experimental_get_tracing_count(), a, b


# -- sizes that are open --


def _shown(tf, concrete):
    """The shapes and dtypes of a concrete function's arguments and results."""
    args, kwargs = concrete.structured_input_signature
    taken = [(str(each.shape), each.dtype.name) for each in tf.nest.flatten((args, kwargs)) if hasattr(each, "shape")]
    return (
        taken,
        [str(each) for each in tf.nest.flatten(concrete.output_shapes)],
        [each.name for each in tf.nest.flatten(concrete.output_dtypes)],
    )


@program
def a_concrete_function_of_open_size(tf, function):
    concrete = function(lambda x: (x * 2.0, tf.reduce_sum(x, 0), tf.shape(x))).get_concrete_function(
        tf.TensorSpec([None, 3], tf.float32)
    )
    return _shown(tf, concrete), [concrete(tf.ones([n, 3])) for n in (2, 5, 2)]


@program
def a_concrete_function_of_unknown_rank(tf, function):
    concrete = function(lambda x: (x * 2.0, tf.reduce_sum(x))).get_concrete_function(tf.TensorSpec(None, tf.float32))
    return _shown(tf, concrete), [concrete(tf.ones(shape)) for shape in ([2, 3], [4], [])]


@program
def a_concrete_function_of_open_sizes_and_python_values(tf, function):
    f = function(lambda pair, n: {"sum": pair["a"] * n + pair["b"]})
    specs = {"a": tf.TensorSpec([None], tf.float32), "b": tf.TensorSpec([None], tf.float32)}
    concrete = f.get_concrete_function(specs, 3.0)
    return _shown(tf, concrete), [concrete({"a": tf.ones([n]), "b": tf.zeros([n])}, 3.0) for n in (1, 4)]


@program
def a_reshape_in_a_concrete_function_of_open_size(tf, function):
    concrete = function(lambda x: tf.reshape(x, [-1, 4])).get_concrete_function(tf.TensorSpec([None], tf.float32))
    return _shown(tf, concrete), concrete(tf.ones([8])), concrete(tf.ones([4]))


@program
def a_signature_of_open_sizes(tf, function):
    f = function(lambda x, y: tf.matmul(x, y), input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([3, None])])
    return (
        _shown(tf, f.get_concrete_function()),
        f(tf.ones([2, 3]), tf.ones([3, 1])),
        f(np.ones([1, 3], np.float32), tf.ones([3, 5])),
    )


@program
def a_signature_of_unknown_rank(tf, function):
    f = function(lambda x: tf.reduce_max(x), input_signature=[tf.TensorSpec(None, tf.int32)])
    return f(3), f([1, 2]), f(tf.constant([[5, 4]])), _error(tf, f, 1.5), _error(tf, f, tf.constant(1.0))


@program
def a_method_of_open_size(tf, function):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([[1.0], [2.0]])

        @function
        def call(self, x):
            return x @ self.w

    model = Model()
    concrete = model.call.get_concrete_function(tf.TensorSpec([None, 2], tf.float32))
    with tf.GradientTape() as tape:
        y = concrete(tf.ones([3, 2]))
    return y, tape.gradient(y, model.w), concrete(tf.ones([1, 2])), [str(v.shape) for v in concrete.variables]


# -- what XLA does not compile --


@program
def strings_that_branches_choose(tf, function):
    f = function(lambda p: tf.cond(p, lambda: tf.constant("x"), lambda: tf.constant("y")))
    g = function(lambda i: tf.switch_case(i, [lambda: tf.constant(["x"]), lambda: tf.constant(["y"])]))
    same = function(lambda p, s: tf.cond(p, lambda: (s, 1.0), lambda: (s, 2.0)))
    text = tf.constant("a")
    return (
        f(tf.constant(True)),
        f(tf.constant(False)),
        g(tf.constant(0)),
        g(tf.constant(1)),
        same(tf.constant(False), text),
    )


@program
def strings_in_loops(tf, function):
    def changed(n, s):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, tf.constant("b")), (0, s))

    def kept(n, s):
        return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s), (0, s))

    each = function(lambda x: tf.map_fn(lambda a: tf.constant("q"), x, fn_output_signature=tf.string))
    results = [function(f)(tf.constant(n), tf.constant("a")) for f in (changed, kept) for n in (3, 0)]
    return results, each(tf.range(3))


@program
def strings_that_tensors_select(tf, function):
    f = function(lambda p, i: (tf.where(p, "a", "b"), tf.gather(["a", "b"], i), tf.constant(["a", "b"])[i[0]]))
    return f(tf.constant([True, False]), tf.constant([1, 0]))


@program
def branches_of_different_shapes(tf, function):
    f = function(lambda p, x: tf.cond(p, lambda: x[:1] * 2.0, lambda: x))
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(tf.constant(True), x)
    return y, f(tf.constant(False), x), tape.gradient(y, x)


@program
def a_loop_that_grows_a_tensor(tf, function):
    def python(n, invariants):
        return tf.while_loop(
            lambda i, s: i < n,
            lambda i, s: (i + 1, tf.concat([s, s], 0)),
            (tf.constant(0), tf.constant([1.0])),
            invariants,
        )

    f = function(lambda n: python(n, (tf.TensorShape([]), tf.TensorShape([None]))))
    g = function(lambda n: python(n, None))
    return f(tf.constant(3)), f(tf.constant(0)), _error(tf, g, tf.constant(3))


@program
def a_loop_of_unknown_length_that_assigns(tf, function):
    v = tf.Variable(0.0)

    def body(i):
        v.assign_add(1.0)
        return i + 1

    f = function(lambda n: tf.while_loop(lambda i: i < n, body, [0]))
    return f(tf.constant(3)), f(tf.constant(2)), v


@program
def a_limit_of_iterations_that_is_a_tensor(tf, function):
    f = function(lambda n: tf.while_loop(lambda i: i < 10, lambda i: i + 1, [0], maximum_iterations=n))
    return f(tf.constant(3)), f(tf.constant(30))


@program
def loops_that_go_wrong(tf, function):
    def loop(body, begin):
        f = function(lambda n: tf.while_loop(lambda i, s: i < n, body, (0, begin)))
        return _error(tf, f, tf.constant(3))

    return [
        loop(lambda i, s: i + 1, 1.0),
        loop(lambda i, s: (i + 1, tf.cast(s, tf.float64)), 1.0),
        loop(lambda i, s: (i + 1, tf.concat([s, s], 0)), tf.constant([1.0])),
        _error(tf, function(lambda x: tf.foldl(lambda a, b: tf.cast(a + b, tf.float64), x)), tf.constant([1.0, 2.0])),
        _error(tf, function(lambda p: tf.cond(p, lambda: 1, lambda: 1.0)), tf.constant(True)),
    ]


# -- values and structures --


@program
def a_function_of_tensors(tf, function):
    f = function(lambda x, y: (x * y, tf.reduce_sum(x)))
    return f(tf.constant([1.0, 2.0]), tf.constant(3.0))


@program
def arguments_that_are_arrays_and_numbers(tf, function):
    f = function(lambda x, n: x * tf.cast(n, x.dtype))
    return f(np.array([1.0, 2.0]), 3), f(tf.constant([1.5]), np.float32(2.0)), f(tf.constant([1.5]), True)


@program
def numbers_come_back_as_tensors(tf, function):
    return function(lambda: {"a": 1, "b": (2.5, True), "c": [None]})()


@program
def nested_structures(tf, function):
    f = function(lambda d: {"s": d["a"][0] + d["b"], "t": (d["a"][1], [d["b"] * 2.0])})
    return f({"a": [tf.constant(1.0), tf.constant([2.0])], "b": tf.constant(3.0)})


@program
def named_tuples(tf, function):
    import collections

    pair = collections.namedtuple("pair", ["left", "right"])
    result = function(lambda p: pair(p.right, p.left * 2.0))(pair(tf.constant(1.0), tf.constant(2.0)))
    return type(result).__name__, result.left, result.right


@program
def default_arguments_and_keywords(tf, function):
    @function
    def f(x, scale=2.0, *, shift=1.0):
        return x * scale + shift

    x = tf.constant(3.0)
    results = [f(x), f(x, 3.0), f(x, scale=3.0), f(x, shift=0.0), f(x=x, scale=2.0, shift=1.0)]
    return results, f.experimental_get_tracing_count()


@program
def variable_positional_and_keyword_arguments(tf, function):
    f = function(lambda *args, **kwargs: tf.add_n([*args, *[kwargs[k] for k in sorted(kwargs)]]))
    one = tf.constant(1.0)
    return f(one), f(one, one), f(one, a=one, b=one), f.experimental_get_tracing_count()


@program
def nothing_is_returned(tf, function):
    return function(lambda x: None)(tf.constant(1.0))


@program
def dtypes_and_shapes_inside(tf, function):
    seen = []

    @function
    def f(x):
        seen.append((x.dtype.name, x.shape.as_list(), x.shape.rank))
        return tf.shape(x)

    return f(tf.ones((2, 3))), f(tf.ones(4, tf.int64)), seen


@program
def strings_in_results(tf, function):
    return function(lambda x: ("text", x))(tf.constant(1.0))


@program
def indexed_slices_in_and_out(tf, function):
    slices = tf.IndexedSlices(tf.constant([[1.0, 2.0]]), tf.constant([1]), tf.constant([3, 2]))
    out = function(lambda s: tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape))(slices)
    return type(out).__name__, out.values, out.indices


@program
def the_same_tensor_twice(tf, function):
    x = tf.constant([1.0, 2.0])
    return function(lambda a, b: a * b)(x, x)


@program
def ragged_ranks_and_broadcasting(tf, function):
    f = function(lambda x: x[None] + tf.reshape(x, (-1, 1)))
    return f(tf.constant([1.0, 2.0, 3.0]))


@program
def complex_and_64_bit_numbers(tf, function):
    f = function(lambda x, n: (x * tf.math.conj(x), n + 2**40))
    return f(tf.constant([1.0 + 2.0j]), tf.constant(1, tf.int64))


# -- variables --


@program
def variables_after_a_call(tf, function):
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])

    @function
    def f(x):
        v.assign_add(x)
        w.assign(w * v)
        v.assign_sub(0.5)
        return v + tf.reduce_sum(w)

    return f(tf.constant(2.0)), v, w, f(tf.constant(1.0)), v, w, f.experimental_get_tracing_count()


@program
def sizes_that_a_signature_leaves_open(tf, function):
    class Net(tf.Module):
        @function(input_signature=[tf.TensorSpec([None])])
        def doubled(self, x):
            return x * 2.0

    @function
    def squared(x):
        return x * x

    nets = Net(), Net()
    results = [net.doubled(tf.ones(n)) for net in nets for n in (1, 2, 3)]
    concrete = squared.get_concrete_function(tf.TensorSpec([None], tf.float32))
    results += [concrete(tf.ones(n)) for n in (3, 4)]
    counts = [net.doubled.experimental_get_tracing_count() for net in nets]
    return results, counts, squared.experimental_get_tracing_count()


@program
def variables_created_on_the_first_call(tf, function):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = None

        @function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones((2, 2)) * 3.0)
            return x @ self.w

    net = Net()
    x = tf.ones((1, 2))
    return net(x), net(x), net.w, len(net.trainable_variables), net.__call__.experimental_get_tracing_count()


@program
def variables_created_on_every_call(tf, function):
    return _error(tf, lambda: function(lambda x: x * tf.Variable(2.0))(tf.constant(1.0)))


@program
def a_variable_as_argument(tf, function):
    f = function(lambda v, x: v.assign_add(x))
    v, w = tf.Variable(1.0), tf.Variable(5.0)
    f(v, tf.constant(2.0))
    f(w, tf.constant(2.0))
    return v, w


@program
def a_slice_of_a_variable_is_assigned(tf, function):
    v = tf.Variable([1.0, 2.0, 3.0])
    function(lambda: v[1:].assign([5.0, 6.0]))()
    return v


@program
def scatters_into_a_variable(tf, function):
    v = tf.Variable(tf.zeros((3, 2)))
    function(lambda i: v.scatter_nd_add([[0]], [[1.0, 2.0]]))(tf.constant([1]))
    return v


@program
def a_read_before_and_after_an_assignment(tf, function):
    v = tf.Variable(1.0)

    @function
    def f():
        before = v.read_value()
        v.assign(5.0)
        return before, v.read_value()

    return f(), v


@program
def an_error_in_a_trace_changes_no_variable(tf, function):
    v = tf.Variable(1.0)

    @function
    def f(x):
        v.assign(7.0)
        return tf.matmul(x, x)

    return _error(tf, lambda: f(tf.ones((2, 3)))) is not None, v


@program
def control_dependencies_order_assignments(tf, function):
    v = tf.Variable(1.0)

    @function
    def f():
        with tf.control_dependencies([v.assign(3.0)]):
            return v.read_value() * 2.0

    return f(), v


# -- new traces --


def _count(function, calls, python=lambda x: None, **options):
    f = function(python, **options)
    for args in calls:
        f(*args)
    return f.experimental_get_tracing_count()


@program
def traces_by_shape_and_dtype(tf, function):
    return _count(
        function, [(tf.ones(2),), (tf.zeros(2),), (tf.ones(3),), (tf.ones(2, tf.int32),), (np.ones(2, np.float32),)]
    )


@program
def traces_by_python_values(tf, function):
    return _count(function, [(1,), (1,), (2,), (3.5,), ("a",), ("a",), (None,), (None,)])


@program
def traces_by_structure(tf, function):
    x = tf.constant(1.0)
    return _count(function, [((x, x),), ([x, x],), ([x],), ({"a": x},), ({"b": x},), ({"a": x},)])


@program
def traces_by_identity_of_objects(tf, function):
    class Thing:
        pass

    a, b = Thing(), Thing()
    return _count(function, [(a,), (a,), (b,)])


@program
def a_trace_for_each_instance(tf, function):
    class Net(tf.Module):
        def __init__(self, k):
            super().__init__()
            self.w = tf.Variable(k)

        @function
        def __call__(self, x):
            return x * self.w

    a, b = Net(2.0), Net(3.0)
    x = tf.constant(1.0)
    results = a(x), b(x), a(x), Net.__call__(a, x)
    b(tf.constant([1.0]))
    return results, [each.__call__.experimental_get_tracing_count() for each in (a, b)]


@program
def side_effects_once_per_trace(tf, function):
    seen = []

    @function
    def f(x):
        seen.append(1)
        return x

    for x in (tf.constant(1.0), tf.constant(2.0), tf.constant([1.0]), tf.constant(3.0)):
        f(x)
    return len(seen)


@program
def python_values_are_frozen(tf, function):
    settings = {"scale": 2.0}
    f = function(lambda x: x * settings["scale"])
    x = tf.constant(1.0)
    first = f(x)
    settings["scale"] = 5.0
    return first, f(x), f(tf.constant([1.0]))


@program
def a_closed_over_variable_is_not_frozen(tf, function):
    v = tf.Variable(2.0)
    f = function(lambda x: x * v)
    x = tf.constant(1.0)
    first = f(x)
    v.assign(5.0)
    return first, f(x)


@program
def jit_compile_and_reduce_retracing(tf, function):
    f = function(lambda x: x * x, jit_compile=True)
    g = function(lambda x: x * x, reduce_retracing=True)
    return f(tf.constant(3.0)), [g(tf.ones(n)) for n in range(1, 4)]


@program
def a_nested_function_is_traced_once(tf, function):
    inner = function(lambda x: x * x)
    outer = function(lambda x: inner(x) + inner(x + 1.0))
    return outer(tf.constant(2.0)), inner.experimental_get_tracing_count(), outer.experimental_get_tracing_count()


# -- input_signature --


def _signed(tf, function):
    return function(lambda x: x + 1, input_signature=[tf.TensorSpec((None, 2), tf.float32)])


@program
def a_signature_converts(tf, function):
    f = _signed(tf, function)
    return f([[1, 2]]), f(np.ones((1, 2), np.float32)), f(tf.ones((3, 2)))


@program
def a_signature_refuses(tf, function):
    f = _signed(tf, function)
    return [
        _error(tf, call)
        for call in (
            lambda: f(tf.ones((2, 3))),
            lambda: f(tf.ones((2, 2), tf.int32)),
            lambda: f(tf.ones(2)),
            lambda: f("text"),
            lambda: f(tf.ones((2, 2)), tf.ones(1)),
            lambda: f(),
        )
    ]


@program
def a_signature_with_names_and_structures(tf, function):
    spec = {"x": tf.TensorSpec([], tf.float32), "y": [tf.TensorSpec([2], tf.float32)]}
    f = function(lambda d, k: d["x"] * d["y"][0] * k, input_signature=[spec, tf.TensorSpec([], tf.float32)])
    return f({"x": 2.0, "y": [[1.0, 2.0]]}, k=3.0)


@program
def too_many_or_too_few_arguments(tf, function):
    f = function(lambda x: x)
    one = tf.constant(1.0)
    return [
        _error(tf, call) for call in (lambda: f(), lambda: f(one, one), lambda: f(one, y=one), lambda: f(one, x=one))
    ]


@program
def concrete_functions(tf, function):
    f = function(lambda x, y: x * y)
    concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.float32))
    x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
    return (
        concrete(x, y),
        concrete(x=x, y=y),
        f.experimental_get_tracing_count(),
        concrete.structured_outputs.shape.as_list(),
        concrete.output_shapes.as_list(),
        concrete.output_dtypes.name,
        len(concrete.inputs),
        len(concrete.outputs),
    )


def _names(concrete):
    tensors = [*concrete.inputs, *concrete.outputs, *concrete.graph.inputs, *concrete.graph.outputs]
    return (
        [(each.name, each.op.name, each.op.type) for each in tensors],
        [each.op.get_attr("_user_specified_name") for each in concrete.inputs],
        [str(each.shape) for each in tensors],
    )


@program
def concrete_functions_name_what_goes_in_and_out(tf, function):
    spec = tf.TensorSpec
    f = function(lambda x, z=(1.0, 2.0), y=3.0: (x * y + z[0], z[1] + y))
    many = function(lambda x, *args, **kwargs: x + args[0] + kwargs["z"])
    found = [
        f.get_concrete_function(x=spec([None]), y=spec([])),
        f.get_concrete_function(z=(spec([2], name="first"), spec([], name="second")), y=spec([], name="own"), x=4.0),
        many.get_concrete_function(spec([]), spec(None), spec([]), z=spec([], name="named"), zz=spec([])),
    ]
    return (
        list(map(_names, found)),
        [list(each.graph.structured_outputs[0].shape) for each in found[:2]],
        b"__inference_" in found[0].name,
        _error(tf, found[0].inputs[0].op.get_attr, "absent"),
    )


@program
def concrete_functions_take_tensors_in_the_order_of_the_parameters(tf, function):
    spec = tf.TensorSpec
    f = function(lambda z, y, x: z + 10.0 * y + 100.0 * x)
    tensors = [tf.constant(1.0), tf.constant(2.0), tf.constant(3.0)]
    closed = f.get_concrete_function(x=spec([], name="c"), y=spec([], name="b"), z=spec([], name="a"))
    open = f.get_concrete_function(x=spec([None]), y=spec([]), z=spec([]))
    return (
        closed(*tensors),
        closed(a=tensors[0], b=tensors[1], c=tensors[2]),
        open(tensors[0], tensors[1], tf.constant([3.0])),
        [[each.name for each in concrete.inputs] for concrete in (closed, open)],
    )


@program
def a_concrete_function_knows_its_variables(tf, function):
    v, w = tf.Variable(2.0), tf.Variable(3.0, trainable=False)
    concrete = function(lambda x: x * v * w).get_concrete_function(tf.TensorSpec([], tf.float32))
    return len(concrete.variables), len(concrete.trainable_variables), concrete.trainable_variables[0]


@program
def a_concrete_function_refuses_other_arguments(tf, function):
    concrete = function(lambda x: x * 2.0).get_concrete_function(tf.TensorSpec([2], tf.float32))
    return _error(tf, lambda: concrete(tf.ones(2, tf.int32))) is not None


# -- methods and other callables --


@program
def methods(tf, function):
    class Counter(tf.Module):
        def __init__(self):
            super().__init__()
            self.n = tf.Variable(0)

        @function
        def add(self, k):
            return self.n.assign_add(k)

        @staticmethod
        @function
        def twice(x):
            return x * 2

        @classmethod
        @function
        def make(cls, x):
            return x + 1

    a, b = Counter(), Counter()
    a.add(tf.constant(2))
    b.add(tf.constant(5))
    a.add(k=tf.constant(1))
    return a.n, b.n, Counter.twice(tf.constant(3)), a.twice(tf.constant(4)), Counter.make(tf.constant(1))


@program
def a_method_that_is_wrapped_by_hand(tf, function):
    class Model:
        def __init__(self):
            self.w = tf.Variable(3.0)
            self.compiled = function(self.call)

        def call(self, x):
            return x * self.w

    return Model().compiled(tf.constant(2.0))


@program
def partial_objects_lambdas_and_callables(tf, function):
    class Scale:
        def __call__(self, x):
            return x * 3.0

    def power(x, n):
        return x**n

    x = tf.constant(2.0)
    return function(functools.partial(power, n=3))(x), function(lambda x: -x)(x), function(Scale())(x)


@program
def the_python_function_behind(tf, function):
    def square(x):
        """The square."""
        return x * x

    f = function(square)
    return f.python_function is square, f.__name__, f.__doc__, f.python_function(tf.constant(3.0))


@program
def functions_run_eagerly(tf, function):
    seen = []

    @function
    def f(x):
        seen.append(1)
        return x if float(x) > 0 else -x

    tf.config.run_functions_eagerly(True)
    try:
        eagerly = tf.config.functions_run_eagerly()
        results = f(tf.constant(1.0)), f(tf.constant(-2.0))
    finally:
        tf.config.run_functions_eagerly(False)
    return eagerly, tf.config.functions_run_eagerly(), results, len(seen)


@program
def do_not_convert_is_the_identity(tf, function):
    return function(tf.autograph.experimental.do_not_convert(lambda x: x + 1.0))(tf.constant(1.0))


@program
def a_module_with_functions_is_copied(tf, function):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @function
        def __call__(self, x):
            return x * self.w

    net = Net()
    x = tf.constant(3.0)
    net(x)
    other = copy.deepcopy(net)
    other.w.assign(10.0)
    return net(x), other(x)


@program
def threads_call_one_function(tf, function):
    v = tf.Variable([1.0, 2.0])
    f = function(lambda x: tf.reduce_sum(x * v))
    results = {}

    def work(n):
        results[n] = f(tf.ones(2) * float(n))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[n] for n in range(8)], f.experimental_get_tracing_count()


@program
def recursion_by_python_numbers(tf, function):
    @function
    def factorial(x, n):
        return x if n <= 0 else x * float(n) * factorial(x, n - 1)

    return factorial(tf.constant(1.0), 4)


# -- tapes --


@program
def a_tape_around(tf, function):
    v = tf.Variable([1.0, 2.0])
    f = function(lambda x: tf.sin(x) * v)
    x = tf.constant([0.5, 0.25])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, v])


@program
def a_tape_inside(tf, function):
    v = tf.Variable([1.0, 2.0])

    @function
    def f(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sin(x * v))
        return y, tape.gradient(y, v)

    return f(tf.constant([0.5, 0.25]))


@program
def a_tape_inside_and_one_outside(tf, function):
    @function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        return tape.gradient(y, x)

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        g = slope(x)
    return g, tape.gradient(g, x)


@program
def two_tapes_outside(tf, function):
    f = function(lambda x: tf.exp(x) * x)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    return g, outer.gradient(g, x)


@program
def two_tapes_inside(tf, function):
    @function
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.exp(x) * x
            g = inner.gradient(y, x)
        return g, outer.gradient(g, x)

    return f(tf.constant([1.0, 2.0]))


@program
def a_persistent_tape(tf, function):
    @function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = y * x
        return tape.gradient(y, x), tape.gradient(z, x), tape.gradient(z, y)

    x = tf.constant(3.0)
    square = function(lambda x: x * x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = square(x)
        z = square(y)
    return f(x), tape.gradient(y, x), tape.gradient(z, x), tape.gradient(z, y)


@program
def a_gradient_that_is_none(tf, function):
    v = tf.Variable(1.0)

    @function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * 2.0
        return tape.gradient(y, [x, v])

    x = tf.constant(1.0)
    g = function(lambda a, b: a * 2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(x, v)
    return f(x), tape.gradient(y, [x, v])


@program
def unconnected_zeros(tf, function):
    @function
    def f(x, z):
        with tf.GradientTape() as tape:
            tape.watch([x, z])
            y = x * 2.0
        return tape.gradient(y, [x, z], unconnected_gradients=tf.UnconnectedGradients.ZERO)

    return f(tf.constant(1.0), tf.constant([1.0, 2.0]))


@program
def output_gradients(tf, function):
    f = function(lambda x: (x * x, x + 1.0))
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        a, b = f(x)
    return tape.gradient([a, b], x, output_gradients=[tf.constant([1.0, 10.0]), tf.constant([5.0, 7.0])])


@program
def sparse_gradients(tf, function):
    table = tf.Variable(np.arange(8, dtype=np.float32).reshape(4, 2))

    @function
    def f(rows):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, rows) ** 2)
        return tape.gradient(y, table)

    g = f(tf.constant([1, 3, 1]))
    return type(g).__name__, tf.convert_to_tensor(g)


@program
def jacobians_around(tf, function):
    f = function(lambda x: tf.stack([x[0] * x[1], x[0] ** 2]))
    x = tf.constant([2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.jacobian(y, x)


@program
def jacobians_inside(tf, function):
    @function
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.sin(x) * tf.reduce_sum(x)
            rows = x * x[:, :1]
        return tape.jacobian(y, x), tape.batch_jacobian(rows, x)

    return f(tf.constant([[2.0, 3.0], [1.0, 4.0]]))


@program
def batch_jacobians_around(tf, function):
    f = function(lambda x: x * x[:, :1])
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.batch_jacobian(y, x)


@program
def forward_mode_around(tf, function):
    f = function(lambda x: tf.exp(x) * x)
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.5])) as acc:
        y = f(x)
    return y, acc.jvp(y)


@program
def forward_mode_inside(tf, function):
    @function
    def f(x):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
            y = tf.exp(x) * x
        return acc.jvp(y)

    return f(tf.constant([1.0, 2.0]))


@program
def forward_over_reverse(tf, function):
    @function
    def f(x, direction):
        with tf.autodiff.ForwardAccumulator(x, direction) as acc:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(x**3)
            g = tape.gradient(y, x)
        return acc.jvp(g)

    return f(tf.constant([1.0, 2.0]), tf.constant([1.0, 0.5]))


@program
def custom_gradients(tf, function):
    @tf.custom_gradient
    def clipped(x):
        return x * x, lambda dy: tf.clip_by_value(dy, -0.5, 0.5)

    f = function(lambda x: clipped(x) * 2.0)
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)

    @function
    def inside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x) * 2.0
        return tape.gradient(y, x)

    return y, tape.gradient(y, x), inside(x)


@program
def a_custom_gradient_of_a_compiled_function(tf, function):
    square = function(lambda x: x * x)

    @tf.custom_gradient
    def f(x):
        return square(x), lambda dy: dy * 7.0

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program
def recompute_grad(tf, function):
    v = tf.Variable(2.0)
    f = function(tf.recompute_grad(lambda x: tf.sin(x * v)))
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, [x, v])


@program
def stop_gradient_and_stop_recording(tf, function):
    @function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * tf.stop_gradient(x)
            with tape.stop_recording():
                z = x * x
            y = y + z
        return tape.gradient(y, x)

    g = function(lambda x: x * tf.stop_gradient(x))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = g(x)
    return f(x), tape.gradient(y, x)


@program
def a_step_of_training(tf, function):
    w, b = tf.Variable([1.0, -1.0]), tf.Variable(0.0)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]])
    y = tf.constant([1.0, 0.0, 2.0])

    @function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) + b - y) ** 2)
        for variable, gradient in zip([w, b], tape.gradient(loss, [w, b])):
            variable.assign_sub(0.05 * gradient)
        return loss

    return [step() for _ in range(5)], w, b, step.experimental_get_tracing_count()


# -- control flow --


def _differentiated(tf, function, python):
    x = tf.constant([0.5, -0.25, 0.75])
    f = function(python)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)

    @function
    def inside(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = python(x)
        return tape.gradient(y, x)

    return y, tape.gradient(y, x), inside(x)


@program
def cond(tf, function):
    return [
        _differentiated(tf, function, lambda x, k=k: tf.cond(tf.reduce_sum(x) > k, lambda: x * x, lambda: tf.sin(x)))
        for k in (0.0, 5.0)
    ]


@program
def cond_rebinding_a_name(tf, function):
    def python(x):
        x = tf.cond(x[0] > 0.0, lambda: x * x, lambda: x)
        x = tf.cond(x[0] > 0.0, lambda: x * x * 2.0, lambda: x)
        return x

    return _differentiated(tf, function, python)


@program
def switch_case(tf, function):
    def python(x, k):
        return tf.switch_case(k + tf.cast(x[0], tf.int32), [lambda: x, lambda: x * x, lambda: tf.exp(x)])

    return [_differentiated(tf, function, functools.partial(python, k=k)) for k in (0, 1, 7, -2)]


@program
def case(tf, function):
    return _differentiated(
        tf, function, lambda x: tf.case([(x[0] > 1.0, lambda: x), (x[2] > 0.5, lambda: x * x)], default=lambda: -x)
    )


@program
def while_loop(tf, function):
    return _differentiated(
        tf,
        function,
        lambda x: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x + a), (tf.constant(0), x))[1],
    )


@program
def while_loop_until(tf, function):
    return _differentiated(
        tf,
        function,
        lambda x: tf.while_loop(
            lambda a: tf.reduce_sum(a) < 20.0, lambda a: (a * 2.0 + x,), (x,), maximum_iterations=10
        )[0],
    )


@program
def while_loop_with_a_tensor_array(tf, function):
    def python(x):
        array = tf.TensorArray(tf.float32, 3)
        turn = lambda i, a, array: (i + 1, a * x, array.write(i, a))
        return tf.while_loop(lambda i, *_: i < 3, turn, (tf.constant(0), x, array))[2].stack()

    return _differentiated(tf, function, python)


@program
def tensor_array_by_symbolic_positions(tf, function):
    def python(x):
        at = tf.cast(x * 0.0, tf.int32) + [2, 0, 1]
        array = tf.TensorArray(tf.float32, 3, clear_after_read=False).scatter(at, x * x)
        return array.stack() + array.read(at[0]) * array.gather(at)

    return _differentiated(tf, function, python)


@program
def scan_and_folds(tf, function):
    def python(x):
        total = tf.scan(lambda a, e: a * e + tf.sin(e), x)
        return total + tf.foldl(lambda a, e: a * e + 1.0, x) + tf.foldr(lambda a, e: a - e * e, x)

    return _differentiated(tf, function, python)


@program
def map_fn_and_vectorized_map(tf, function):
    return _differentiated(
        tf, function, lambda x: tf.map_fn(lambda e: e * e, x) + tf.vectorized_map(lambda e: tf.exp(e), x)
    )


@program
def variables_assigned_in_branches(tf, function):
    v = tf.Variable(1.0)

    @function
    def f(x):
        tf.cond(x > 0.0, lambda: v.assign_add(x), lambda: v.assign(0.0))
        return v.read_value()

    return f(tf.constant(2.0)), v, f(tf.constant(-2.0)), v


@program
def branches_of_another_dtype(tf, function):
    f = function(lambda x: tf.cond(x > 0.0, lambda: x, lambda: tf.cast(x, tf.int32)))
    return _error(tf, lambda: f(tf.constant(1.0)))


# -- Python beside the graph --


@program
def py_function_and_numpy_function(tf, function):
    @function
    def f(x):
        y = tf.py_function(lambda x: x.numpy() * 2.0, [x], tf.TensorSpec([2], tf.float32))
        z = tf.numpy_function(lambda x: np.cumsum(x), [x], tf.float32)
        return tf.ensure_shape(y, [2]), z

    try:
        return f(tf.constant([1.0, 2.0]))
    except Exception:
        if tf is not whygrad:
            raise

        @function
        def g(x):  # whygrad asks for the shape of what comes back
            y = tf.py_function(lambda x: x.numpy() * 2.0, [x], tf.TensorSpec([2], tf.float32))
            return y, tf.numpy_function(lambda x: np.cumsum(x), [x], tf.TensorSpec([2], tf.float32))

        return g(tf.constant([1.0, 2.0]))


@program
def tf_print(tf, function):
    @function
    def f(x):
        tf.print("x =", x, output_stream="file:///dev/null")
        return x * 2.0

    return f(tf.constant([1.0, 2.0]))


@program
def prints_once_per_trace(tf, function):
    def python(x):
        print("tracing")
        return x

    f = function(python)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        f(tf.constant(1.0))
        f(tf.constant(2.0))
    return out.getvalue()


@program
def assertions_hold(tf, function):
    @function
    def f(x):
        tf.debugging.assert_equal(tf.shape(x)[0], 2)
        return x

    return f(tf.ones(2)), _error(tf, lambda: f(tf.ones(3)))


@program
def random_numbers_are_fresh_and_repeat_with_the_seed(tf, function):
    def draw():
        tf.random.set_seed(7)
        f = function(lambda: tf.random.normal([3]))
        return f().numpy(), f().numpy()

    (a, b), (c, d) = draw(), draw()
    return a.shape, bool((a == b).any()), bool((a == c).all()), bool((b == d).all())


def _numbers(results):
    return [np.asarray(each.numpy(), "float64").round(5).tolist() for each in results]


@program
def random_numbers_of_functions(tf, function):
    """Each op of a function has a stream of its own, by its number in the function, the same in every function."""

    @function
    def f():
        return tf.random.uniform([1]), tf.random.normal([1])

    @function
    def g():
        return tf.random.uniform([1]), tf.random.uniform([1], seed=3), tf.random.uniform([1], seed=3)

    @function
    def outer():
        return *f(), tf.random.uniform([1])

    def drawn(seed):
        tf.random.set_seed(seed)
        found = [_numbers(each()) for each in (f, f, g, g, outer, f, outer)]
        return found, tf.random.uniform([2]).numpy().round(5).tolist(), _numbers(f())

    return drawn(1234), drawn(1234), drawn(7)  # traced when the first seed was set


@program
def random_numbers_of_each_trace(tf, function):
    tf.random.set_seed(5)
    f = function(lambda x: tf.random.uniform([2]) + 0.0 * x[0])
    return _numbers([f(tf.zeros(1)), f(tf.zeros(2)), f(tf.zeros(1))])


@program
def random_numbers_of_all_kinds(tf, function):
    @function
    def f():
        return (
            tf.random.shuffle(tf.range(5)),
            tf.random.categorical([[0.0, 0.0, 0.0]], 4),
            tf.random.uniform([2], 0, 10, tf.int32),
            tf.nn.dropout(tf.ones(4), 0.5),
            tf.random.truncated_normal([2]),
            tf.random.gamma([1], 2.0),
        )

    tf.random.set_seed(11)
    return [_numbers(f()) for _ in range(3)]


@program
def random_numbers_of_an_unrolled_loop(tf, function):
    @function
    def f():
        return [tf.random.uniform([1]) for _ in range(3)]

    tf.random.set_seed(3)
    return _numbers(f()), _numbers(f())


@program
def random_initial_values(tf, function):
    class Linear(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = None

        @function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.random.uniform([2, 2]))
                self.b = tf.Variable(tf.random.normal([2]))
            return x @ self.w + self.b

    tf.random.set_seed(22)
    models = Linear(), Linear()
    return [_numbers([model(tf.ones([1, 2])), model.w, model.b]) for model in models]


@program
def random_numbers_without_a_global_seed(tf, function):
    tf.random.set_seed(None)
    f = function(lambda: (tf.random.uniform([2], seed=3), tf.random.uniform([2])))
    (a, b), (c, d) = f(), f()
    return _numbers([a, c]), bool(np.array_equal(b, d)), bool(np.array_equal(a, b))


@program
def random_numbers_with_an_op_seed(tf, function):
    f = function(lambda: tf.random.uniform([4], seed=3))
    a, b = f().numpy(), f().numpy()
    return a.shape, a.dtype.name, bool((a == b).any())


@program
def stateless_random_numbers(tf, function):
    f = function(lambda seed: tf.random.stateless_normal([3], seed))
    return f(tf.constant([1, 2])), f(tf.constant([3, 4]))


# -- what a symbolic tensor refuses --


@program
def a_symbolic_tensor_has_no_value(tf, function):
    x = tf.constant([1.0, 2.0])
    s = tf.constant(1.0)
    return [
        _error(tf, function(python), argument)
        for python, argument in [
            (lambda x: x if x > 0 else -x, s),
            (lambda x: x.numpy(), s),
            (lambda x: float(x), s),
            (lambda x: int(x), s),
            (lambda x: bool(x), s),
            (lambda x: np.sin(x), x),
            (lambda x: np.array(x), x),
            (lambda x: not x, s),
            (lambda x: x and x, s),
            (lambda x: [1, 2, 3][x], tf.constant(1)),
            (lambda x: range(x), tf.constant(1)),
            (lambda x: tf.zeros(3) if x in [1.0] else x, s),
        ]
    ]


@program
def a_symbolic_scalar_cannot_be_iterated(tf, function):
    error = _error(tf, lambda: function(lambda x: list(x))(tf.constant(1.0)))
    return error in ("TypeError", "OperatorNotAllowedInGraphError")  # which is a TypeError


@program
def a_tensor_that_leaked(tf, function):
    kept = []

    @function
    def f(x):
        kept.append(x * 2.0)
        return x

    f(tf.constant(1.0))
    return _error(tf, lambda: kept[0] + 1.0), _error(tf, lambda: f(kept[0])), _error(tf, lambda: float(kept[0]))


@program
def what_cannot_be_returned(tf, function):
    return _error(tf, lambda: function(lambda: object())())


@program
def what_python_raises_comes_through(tf, function):
    class Own(Exception):
        pass

    def fails(x):
        raise Own("no")

    def keyed(x):
        return {}["missing"]

    one = tf.constant(1.0)
    return [_error(tf, function(python), one) for python in (keyed, lambda x: x.nothing, lambda x: 1 // 0)]


@program
def a_function_works_after_an_error(tf, function):
    v = tf.Variable(1.0)
    fail = [True]

    @function
    def f(x):
        v.assign_add(1.0)
        with tf.GradientTape() as tape:
            y = x * v
            if fail[0]:
                raise ValueError("not now")
        return tape.gradient(y, v)

    x = tf.constant(2.0)
    first = _error(tf, lambda: f(x))
    between = v.numpy()
    fail[0] = False
    with tf.GradientTape() as tape:
        y = v * 3.0
    return first, between, f(x), v, tape.gradient(y, v)


@program
def what_is_not_callable(tf, function):
    return _error(tf, lambda: function(3))


@program
def signatures_that_describe_something_else(tf, function):
    spec = tf.TensorSpec([], tf.float32)
    return [
        _error(tf, functools.partial(function, input_signature=signature), python)
        for python, signature in [
            (lambda x: x, 3),
            (lambda x: x, [3]),
            (lambda x: x, [spec, spec]),
            (lambda x, y: x, [spec]),
            (lambda x, y=2.0: x, [spec]),
        ]
    ]


@program
def generators_and_coroutines(tf, function):
    def generator(x):
        yield x

    async def coroutine(x):
        return x

    one = tf.constant(1.0)
    return _error(tf, lambda: function(generator)(one)), _error(tf, lambda: function(coroutine)(one))


@program
def a_signature_with_defaults(tf, function):
    f = function(lambda x, y=2.0: x * y, input_signature=[tf.TensorSpec([], tf.float32)])
    return f(3.0), f(tf.constant(4.0))


@program
def concrete_functions_of_methods_and_python_values(tf, function):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        @function
        def __call__(self, x, n=3):
            return x * self.w * float(n)

    net = Net()
    concrete = net.__call__.get_concrete_function(tf.TensorSpec([], tf.float32), 5)
    return concrete(tf.constant(1.0)), concrete.structured_input_signature[0][-1], net(tf.constant(1.0))


@program
def a_concrete_function_inside_a_function(tf, function):
    inner = function(lambda x: x * x).get_concrete_function(tf.TensorSpec([], tf.float32))
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(lambda x: inner(x) + 1.0)(x)
    return y, tape.gradient(y, x)


# -- the comparison --


def _plain(value):
    """A result as NumPy's and Python's, without what differs between the libraries."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if hasattr(value, "numpy"):
        return value.dtype.name, np.asarray(value.numpy())
    return value


def _assert_same(found, expected):
    assert type(found) is type(expected), (found, expected)
    if isinstance(found, list | tuple):
        assert len(found) == len(expected), (found, expected)
        for a, b in zip(found, expected):
            _assert_same(a, b)
    elif isinstance(found, dict):
        assert sorted(found) == sorted(expected)
        for key in found:
            _assert_same(found[key], expected[key])
    elif isinstance(found, np.ndarray) and found.dtype.kind in "fciub":
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)
    else:
        assert found.tolist() == expected.tolist() if isinstance(found, np.ndarray) else found == expected, (
            found,
            expected,
        )


# -- variables that a function assigns and reads afterwards --


def _first_and_second(tf, call, variables):
    """The result of a call, its gradients for variables, and the gradients of their squares."""
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = call()
        first = tape.gradient(y, variables)
        squares = tf.add_n([tf.reduce_sum(each * each) for each in first if each is not None])
    return y, first, outer.gradient(squares, variables)


def _after_assigning(name):
    """Enter a program of three variables, whose `python(tf, x, u, v, w)` is called twice."""

    def enter(python):
        def run(tf, function):
            u, v, w = tf.Variable([0.5, 0.5]), tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
            f = function(lambda x: python(tf, x, u, v, w))
            x = tf.constant([1.0, 1.0])
            return [_first_and_second(tf, lambda: f(x), [u, v, w]) for _ in range(2)] + [u, v, w]

        PROGRAMS[f"gradient_of_what_is_read_{name}"] = run
        return python

    return enter


@_after_assigning("after_adding")
def _(tf, x, u, v, w):
    before = v * 2.0
    v.assign_add(x)
    return tf.reduce_sum(v * w + before)


@_after_assigning("after_assigning_without_reading")
def _(tf, x, u, v, w):
    v.assign(x * 2.0)
    return tf.reduce_sum(v * w)


@_after_assigning("after_assigning_twice")
def _(tf, x, u, v, w):
    v.assign(v * v)
    u.assign(v * u)
    product = u * v
    v.assign(w)
    return u * product * v


@_after_assigning("in_a_branch_that_assigns")
def _(tf, x, u, v, w):
    def branch():
        v.assign_add(x)
        return v * w

    return tf.cond(tf.reduce_sum(x) > 0.0, branch, lambda: w * 1.0)


@_after_assigning("after_a_branch_that_assigns")
def _(tf, x, u, v, w):
    def branch():
        v.assign_add(x)
        return w * u

    return tf.cond(tf.reduce_sum(x) > 0.0, branch, lambda: w * 1.0) * v


@_after_assigning("in_a_branch_after_assigning")
def _(tf, x, u, v, w):
    v.assign(x * 3.0)
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: v * v * w, lambda: w * 1.0)


@_after_assigning("in_a_loop_that_assigns")
def _(tf, x, u, v, w):
    def turn(i, total):
        v.assign_add(x)
        return i + 1, total + v * w

    return tf.while_loop(lambda i, total: i < 3, turn, (0, 0.0 * x), maximum_iterations=3)[1]


@_after_assigning("by_a_tape_inside")
def _(tf, x, u, v, w):
    with tf.GradientTape() as tape:
        v.assign_add(x)
        y = v * v * w
    return tape.gradient(y, v) * v


def _with_code_that_does_not_run(name):
    """A function whose gradients a tape around the call takes: by variables, an argument, and what was computed before."""

    def decorate(body):
        def run(tf, function):
            a, b, c = tf.Variable(2.0), tf.Variable(3.0), tf.Variable(4.0)
            traced = function(functools.partial(body, tf, a, b, c))
            found = []
            for n in (0, 1, 2):
                with tf.GradientTape(persistent=True) as tape:
                    x = tf.constant(5.0)
                    tape.watch(x)
                    before = x * x
                    y = traced(x, before, tf.constant(n)) * 2.0
                found += [y, tape.gradient(y, [a, b, c, x, before])]
                found += [
                    tape.gradient(y, b, unconnected_gradients="zero"),
                    tape.jacobian(y, [b], experimental_use_pfor=False),
                ]
            return found

        PROGRAMS[f"code_that_does_not_run_{name}"] = run

    return decorate


@_with_code_that_does_not_run("of_a_branch")
def _(tf, a, b, c, x, before, n):
    return tf.cond(n > 0, lambda: b * before, lambda: a * x) + a


@_with_code_that_does_not_run("of_one_of_several_branches")
def _(tf, a, b, c, x, before, n):
    return tf.switch_case(n, [lambda: a * x, lambda: b * before, lambda: c * 1.0])


@_with_code_that_does_not_run("of_a_loop")
def _(tf, a, b, c, x, before, n):
    return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * b), (0, x * a), maximum_iterations=4)[1]


@_with_code_that_does_not_run("of_a_branch_in_a_branch")
def _(tf, a, b, c, x, before, n):
    inner = lambda: tf.cond(n > 1, lambda: b * x, lambda: c * x)
    return tf.cond(n > 0, inner, lambda: a * before)


@pytest.mark.parametrize("way", ["compiled", "without_jax", "observed"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_behaves_as_in_tensorflow(real_tf, name, way, monkeypatch):
    expected = _plain(PROGRAMS[name](real_tf, functools.partial(real_tf.function, autograph=False)))
    if way == "without_jax":
        monkeypatch.setattr(loading, "is_installed", lambda: False)
    with whygrad.tracing() if way == "observed" else contextlib.nullcontext():
        found = _plain(PROGRAMS[name](whygrad, functools.partial(whygrad.function, autograph=False)))
    _assert_same(found, expected)


def test_most_of_the_api_is_compared():
    assert len(PROGRAMS) >= 60


def test_concrete_functions_of_strings_and_composites(real_tf):
    """They take what their specs say, return TensorFlow's values, and are described in its words."""

    def seen(tf):
        length = tf.function(lambda words, times=2: tf.strings.length(words) * times)
        total = tf.function(lambda rows: {"sum": tf.reduce_sum(rows, axis=1)})
        product = tf.function(lambda matrix: tf.sparse.reduce_sum(matrix, axis=1))
        of_words = length.get_concrete_function(tf.TensorSpec([None], tf.string))
        of_rows = total.get_concrete_function(tf.RaggedTensorSpec([None, None], tf.int32))
        of_matrix = product.get_concrete_function(tf.SparseTensorSpec([None, 2], tf.float32))
        return [
            of_words(tf.constant(["a", "bcd"])).numpy().tolist(),
            of_words(words=tf.constant(["ef"])).numpy().tolist(),
            length.get_concrete_function(tf.constant("gh"))(tf.constant("i")).numpy(),
            of_rows(tf.ragged.constant([[1, 2], [3], []]))["sum"].numpy().tolist(),
            of_matrix(tf.sparse.from_dense([[1.0, 2.0], [0.0, 3.0]])).numpy().tolist(),
            repr(of_words.structured_outputs),
            str(of_words.inputs[0]),
            repr(of_rows.structured_outputs),
            repr(of_rows.structured_input_signature),
            str(of_rows.function_type),
            tuple(type(_raised(each)).__name__ for each in (lambda: of_words(1), lambda: of_rows(tf.constant([[1]])))),
        ]

    assert seen(whygrad) == seen(real_tf)


def _raised(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.value
