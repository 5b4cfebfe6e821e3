"""Python control flow that tensors decide does the same in whygrad and in TensorFlow: values, gradients, prints and errors.

Each program runs on TensorFlow, and on whygrad in three ways: compiled, op by op, and with functions run eagerly.
"""

import contextlib
import functools
import importlib.util
import io
import os

import numpy as np
import pytest

import whygrad
from whygrad.engines import loading

if importlib.util.find_spec("malt") is None and os.environ.get("WHYGRAD_REQUIRE_ORACLES") != "1":
    pytest.skip("diastatic-malt is not installed", allow_module_level=True)

pytestmark = [pytest.mark.tensorflow, pytest.mark.filterwarnings("ignore")]

PROGRAMS = {}
TRACED = set()  # programs that do something else where functions run eagerly, in TensorFlow too


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def traced(function):
    TRACED.add(function.__name__)
    return program(function)


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


def _gradient(tf, call, *args):
    args = [tf.constant(each) for each in args]
    with tf.GradientTape() as tape:
        tape.watch(args)
        y = call(*args)
    return [y, *tape.gradient(y, args)]


def _both(tf, function, *calls):
    return [function(tf.constant(each)) for each in calls]


# -- branches --


@program
def an_if_with_two_branches(tf):
    @tf.function
    def f(x):
        if x > 0.0:
            y = x * 2.0
        else:
            y = -x
        return y

    return _both(tf, f, 3.0, -3.0), _gradient(tf, f, 3.0), _gradient(tf, f, -3.0)


@program
def an_if_without_else(tf):
    @tf.function
    def f(x):
        if tf.reduce_sum(x) > 1.0:
            x = x / tf.reduce_sum(x)
        return x

    return _both(tf, f, [1.0, 3.0], [0.1, 0.2]), _gradient(tf, lambda x: tf.reduce_sum(f(x) ** 2), [1.0, 3.0])


@traced
def random_numbers_in_loops(tf):
    """The body of a loop over a tensor has random ops of its own, which continue from iteration to iteration and from call to call."""

    @tf.function
    def f():
        total = tf.zeros([1])
        for _ in tf.range(3):
            for _ in tf.range(2):
                total = total + tf.random.uniform([1])
            total = total * 10.0 + tf.random.normal([1])
        return total, tf.random.uniform([1])

    tf.random.set_seed(3)
    return [each.numpy() for _ in range(2) for each in f()]


@program
def an_elif(tf):
    @tf.function
    def f(x):
        if x < 0.0:
            y = 0.0
        elif x < 1.0:
            y = x
        elif x < 2.0:
            y = x * x
        else:
            y = 4.0
        return y

    return _both(tf, f, -1.0, 0.5, 1.5, 7.0), [_gradient(tf, f, each) for each in (0.5, 1.5)]


@program
def nested_ifs(tf):
    @tf.function
    def f(x, y):
        if x > 0:
            if y > 0:
                z = x + y
            else:
                z = x - y
        else:
            z = x * y
        return z

    return [f(tf.constant(a), tf.constant(b)) for a in (2, -2) for b in (3, -3)]


@program
def early_returns(tf):
    @tf.function
    def f(x):
        if x < 0:
            return -x
        if x > 10:
            return x - 10
        return x * 2

    return _both(tf, f, -3, 12, 4)


@program
def returns_in_both_branches(tf):
    @tf.function
    def f(x):
        if x > 0:
            return x, x + 1
        else:
            return -x, x

    return _both(tf, f, 3, -3)


@program
def returns_of_structures(tf):
    @tf.function
    def f(x):
        if x > 0:
            return {"a": x, "b": (x, [x + 1])}
        return {"a": -x, "b": (-x, [x - 1])}

    return _both(tf, f, 3, -3)


@program
def python_numbers_become_tensors(tf):
    @tf.function
    def f(x):
        n = 1
        if x > 0:
            n = 2
        return n + 1

    return _both(tf, f, 3.0, -3.0)


@program
def variables_assigned_in_a_branch(tf):
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        if x > 0.0:
            v.assign_add(x)
        else:
            v.assign(0.0)
        return v.read_value()

    return _both(tf, f, 3.0, 2.0, -1.0, 5.0), v


@program
def conditions_on_variables(tf):
    v = tf.Variable(3)

    @tf.function
    def f():
        if v > 0:
            v.assign_sub(1)
            return v * 10
        return v - 100

    return [f() for _ in range(5)], v


@program
def attributes_assigned_in_a_branch(tf):
    class Box:
        pass

    box = Box()

    @tf.function
    def f(x):
        box.value = x
        if x > 0:
            box.value = x * 2
        return box.value + 1

    return _both(tf, f, 3, -3)


@program
def items_assigned_in_a_branch(tf):
    @tf.function
    def f(x):
        d = {"a": x}
        if x > 0:
            d["a"] = x * 5
        return d["a"]

    return _both(tf, f, 3, -3)


@program
def conditional_expressions(tf):
    @tf.function
    def f(x):
        return (x * 2.0 if x > 1.0 else x / 2.0) + (1.0 if x > 5.0 else 0.0)

    return _both(tf, f, 3.0, 0.5, 6.0), _gradient(tf, f, 3.0), _gradient(tf, f, 0.5)


@program
def a_condition_that_python_knows(tf):
    @tf.function
    def f(x, training):
        if training:
            x = x * 2
        if x > 3:
            x = x + 1
        return x

    return [f(tf.constant(a), b) for a in (1, 2, 5) for b in (True, False)]


@traced
def conditions_of_one_element(tf):
    @tf.function
    def f(x):
        if x:
            return 1
        return 2

    return (
        _both(tf, f, [True], [[False]]),
        _error(tf, f, tf.constant([True, False])),
        _error(tf, f, tf.constant(1.0)),
    )


# -- logical expressions --


@program
def and_or_not(tf):
    @tf.function
    def f(x, y):
        if x > 0 and y > 0:
            r = 1
        elif x > 0 or y > 0:
            r = 2
        elif not x > -5:
            r = 3
        else:
            r = 4
        return r

    return [f(tf.constant(a), tf.constant(b)) for a, b in ((1, 1), (1, -1), (-1, 1), (-9, -1), (-1, -1))]


@program
def logical_values(tf):
    @tf.function
    def f(x):
        return x > 1.0 and x < 3.0, x < 1.0 or x > 3.0, not x > 1.0, 1.0 < x < 3.0, x == 2.0, x != 2.0

    return _both(tf, f, 2.0, 0.5, 4.0)


@program
def and_is_lazy(tf):
    @tf.function
    def f(x, i):
        if i < 3 and x[i] > 0:
            return x[i]
        return -1

    x = tf.constant([1, -2, 3])
    return [f(x, tf.constant(each)) for each in (0, 1, 2)]


@program
def python_values_in_logical_expressions(tf):
    @tf.function
    def f(x, flag, default=None):
        if flag and x > 0:
            x = x * 2
        if default is None or x > 100:
            x = x + 1
        return x

    return [f(tf.constant(a), b) for a in (2, -2) for b in (True, False)]


# -- while --


@program
def a_while_loop(tf):
    @tf.function
    def f(x):
        while tf.reduce_sum(x) > 1.0:
            x = tf.tanh(x)
        return x

    return _both(tf, f, [3.0, 0.5], [0.1, 0.2])


@program
def gradients_of_while_loops(tf):
    @tf.function
    def f(x):
        y = x
        while y < 100.0:
            y = y * y * x
        return y

    return _gradient(tf, f, 3.0), _gradient(tf, f, 1.5), _gradient(tf, f, 200.0)


@program
def gradients_inside_of_functions(tf):
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y < 100.0:
                y = y * x
        return y, tape.gradient(y, x)

    return _both(tf, f, 3.0, 200.0)


@program
def a_while_loop_with_break_and_continue(tf):
    @tf.function
    def f(n):
        i, s = 0, 0
        while i < n:
            i += 1
            if i % 2 == 0:
                continue
            if i > 7:
                break
            s += i
        return i, s

    return _both(tf, f, 0, 5, 20)


@program
def nested_while_loops(tf):
    @tf.function
    def f(n):
        s, i = 0, 0
        while i < n:
            j = 0
            while j < i:
                s += j
                j += 1
            i += 1
        return s

    return _both(tf, f, 0, 3, 6)


@program
def while_with_structures(tf):
    @tf.function
    def f(n):
        state = {"i": tf.constant(0), "s": (tf.constant(0.0),)}
        while state["i"] < n:
            state = {"i": state["i"] + 1, "s": (state["s"][0] + 2.0,)}
        return state

    return _both(tf, f, 0, 4)


@program
def variables_assigned_in_a_loop(tf):
    v = tf.Variable(0)

    @tf.function
    def f(n):
        for i in tf.range(n):
            v.assign_add(i)
        while v < 20:
            v.assign(v * 2)
        return v.read_value()

    return _both(tf, f, 4, 3), v


@program
def collatz(tf):
    @tf.function
    def f(n):
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    return _both(tf, f, 1, 6, 27)


@program
def newtons_method(tf):
    @tf.function
    def root(a):
        x = a
        while tf.abs(x * x - a) > 1e-4:
            x = 0.5 * (x + a / x)
        return x

    return _both(tf, root, 2.0, 9.0), _gradient(tf, root, 4.0)


# -- for --


@traced
def for_over_a_range(tf):
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            s += i
        for i in tf.range(2, n, 3):
            s += 10 * i
        for i in tf.range(n, 0, -2):
            s -= i
        return s

    return _both(tf, f, 0, 1, 9)


@program
def for_over_pythons_range_of_a_tensor(tf):
    @tf.function
    def f(n):
        s = 0
        for i in range(n):
            s += i
        for i in range(1, n + 1):
            s += i
        return s

    return f(tf.constant(5)), f(tf.constant(0)), f(3)


@program
def for_over_rows(tf):
    @tf.function
    def f(x):
        s = 0.0
        for row in x:
            if row[0] > 0.0:
                s += tf.reduce_sum(row * row)
        return s

    x = [[1.0, 2.0], [-1.0, 2.0], [3.0, 0.5]]
    return _both(tf, f, x), _gradient(tf, f, x)


@program
def for_with_break(tf):
    @tf.function
    def f(x):
        s, last = 0.0, 0.0
        for each in x:
            if each < 0.0:
                break
            s += each * each
            last = each
        return s + last

    return _both(tf, f, [1.0, 2.0, -1.0, 5.0], [-1.0, 2.0]), _gradient(tf, f, [1.0, 2.0, -1.0, 5.0])


@program
def for_with_continue(tf):
    @tf.function
    def f(x):
        s = 0.0
        for each in x:
            if each < 0.0:
                continue
            s += each * each
        return s

    return _both(tf, f, [1.0, 2.0, -1.0, 5.0]), _gradient(tf, f, [1.0, 2.0, -1.0, 5.0])


@program
def for_over_a_symbolic_range_with_break(tf):
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            if i > 4:
                break
            s += i
        return s

    return _both(tf, f, 3, 10)


@program
def for_over_python_lists(tf):
    @tf.function
    def f(x):
        s = tf.constant(0.0)
        for weight in [1.0, 2.0, 3.0]:
            if x > weight:
                s += weight * x
        return s

    return _both(tf, f, 2.5), _gradient(tf, f, 2.5)


@program
def gradients_of_loops_over_ranges(tf):
    @tf.function
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
        return y

    def with_n(n):
        x = tf.constant(1.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(n))
        return y, tape.gradient(y, x)

    return [with_n(n) for n in (0, 1, 4)]


@program
def the_last_number_of_a_loop(tf):
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 2
        return i, last

    return _both(tf, f, 4)


@program
def tensor_arrays(tf):
    @tf.function
    def f(x):
        ta = tf.TensorArray(tf.float32, size=4)
        for i in tf.range(4):
            if x[i] > 0.0:
                ta = ta.write(i, x[i] * 2.0)
            else:
                ta = ta.write(i, -x[i])
        return ta.stack()

    x = [1.0, -2.0, 3.0, -4.0]
    return _both(tf, f, x), _gradient(tf, lambda x: tf.reduce_sum(f(x) ** 2), x)


@program
def fibonacci(tf):
    @tf.function
    def f(n):
        a, b = 0, 1
        for _ in tf.range(n):
            a, b = b, a + b
        return a

    return _both(tf, f, 1, 2, 10)


@program
def an_rnn(tf):
    w = tf.constant([[0.5, -0.2], [0.1, 0.3]])

    @tf.function
    def f(x, lengths):
        state = tf.zeros([2, 2])
        for t in tf.range(3):
            new = tf.tanh(x[:, t] + state @ w)
            state = tf.where((t < lengths)[:, tf.newaxis], new, state)
        return state

    x = tf.reshape(tf.range(12, dtype=tf.float32), (2, 3, 2)) / 12.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(f(x, tf.constant([2, 3])))
    return y, tape.gradient(y, x)


@program
def loops_inside_of_branches(tf):
    @tf.function
    def f(x, n):
        if x > 0:
            for i in tf.range(n):
                x += i
        else:
            while x < 0:
                x += 3
        return x

    return [f(tf.constant(a), tf.constant(4)) for a in (2, -7)]


@program
def a_dataset_in_a_function(tf):
    ds = tf.data.Dataset.from_tensor_slices(np.arange(6, dtype=np.float32)).batch(2)

    @tf.function
    def f(ds):
        s = tf.constant(0.0)
        for batch in ds:
            if tf.reduce_sum(batch) > 2.0:
                s += tf.reduce_sum(batch)
        return s

    return f(ds)


@program
def an_iterator_in_a_function(tf):
    ds = tf.data.Dataset.range(5)

    @tf.function
    def f(iterator):
        x = next(iterator)
        if x > 0:
            return x * 10
        return x - 1

    iterator = iter(ds)
    return [f(iterator) for _ in range(3)]


# -- functions inside of functions --


def _doubled_if_positive(x):
    if x > 0:
        return x * 2
    return x


@program
def functions_of_the_module(tf):
    @tf.function
    def f(x):
        return _doubled_if_positive(x) + 1

    return _both(tf, f, 3, -3)


@program
def nested_functions_and_closures(tf):
    scale = 3

    @tf.function
    def f(x):
        def inner(y, offset=1):
            if y > scale:
                return y * scale + offset
            return y - offset

        return inner(x) + inner(x + 5, offset=2)

    return _both(tf, f, 3, -3)


@program
def lambdas(tf):
    f = tf.function(lambda x: x * 2 if x > 0 else x - 1)
    g = tf.function(lambda x: (lambda y: y if y > 1 and y < 5 else -y)(x))
    return _both(tf, f, 3, -3), _both(tf, g, 3, -3)


@program
def methods(tf):
    class Model:
        limit = 2.0

        def __init__(self):
            self.calls = tf.Variable(0)

        def clip(self, x):
            if x > self.limit:
                self.calls.assign_add(1)
                return x * 0.0 + self.limit
            return x

        @tf.function
        def __call__(self, x):
            return self.clip(x) * 2.0

    model = Model()
    return _both(tf, model, 3.0, 1.0), model.calls


@program
def modules_and_callable_objects(tf):
    class Gate(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable(2.0)

        def __call__(self, x):
            if tf.reduce_sum(x) > 0.0:
                return x * self.w
            return x

    gate = Gate()

    @tf.function
    def f(x):
        return gate(x) + 1.0

    with tf.GradientTape() as tape:
        y = f(tf.constant([3.0]))
    return y, tape.gradient(y, gate.w), f(tf.constant([-3.0]))


@program
def functions_under_tf_function_inside(tf):
    @tf.function
    def inner(x):
        if x > 0:
            return x * 2
        return x

    @tf.function
    def outer(x):
        y = inner(x)
        if y > 5:
            y = inner(y)
        return y

    return _both(tf, outer, 1, 3, -3)


@program
def recursion_in_python(tf):
    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        if x > 100.0:
            return x
        return x * power(x, n - 1)

    f = tf.function(power)
    return f(tf.constant(2.0), 3), f(tf.constant(200.0), 2)


@program
def functions_as_arguments(tf):
    def apply(function, x):
        return function(x) if x > 0 else x

    f = tf.function(lambda x: apply(_doubled_if_positive, x))
    return _both(tf, f, 3, -3)


@program
def partial_functions(tf):
    def scaled(factor, x, offset):
        if x > offset:
            return x * factor
        return x

    f = tf.function(functools.partial(scaled, 3, offset=2))
    return _both(tf, f, 3, 1)


@program
def map_fn_of_a_function_with_a_branch(tf):
    @tf.function
    def f(x):
        return tf.map_fn(_doubled_if_positive, x)

    @tf.function
    def g(x):
        def one(y):
            if y > 1:
                return y
            return -y

        return tf.map_fn(one, x)

    return _both(tf, f, [3, -3]), _both(tf, g, [3, -3])


@program
def decorated_functions(tf):
    def twice(function):
        @functools.wraps(function)
        def wrapper(x):
            return function(function(x))

        return wrapper

    @tf.function
    @twice
    def f(x):
        if x > 0:
            return x - 5
        return x + 1

    return _both(tf, f, 3, -3, 12)


@program
def keyword_and_default_arguments(tf):
    @tf.function
    def f(x, *rest, limit=3, **others):
        for each in rest:
            if each > limit:
                x += each
        if x > others["top"]:
            x = others["top"]
        return x

    one, top = tf.constant(1), tf.constant(8)
    return f(one, tf.constant(2), tf.constant(5), top=top), f(one, tf.constant(9), limit=1, top=top)


@program
def with_statements(tf):
    @tf.function
    def f(x):
        with tf.name_scope("scope"):
            if x > 0:
                y = x * 2
            else:
                y = x
        return y

    return _both(tf, f, 3, -3)


@program
def comprehensions_stay_pythons(tf):
    @tf.function
    def f(x):
        y = sum([x * each for each in range(3) if each != 1])
        if y > 5:
            y = y - 5
        return y

    return _both(tf, f, 3, -3)


# -- builtins --


@program
def pythons_functions_of_tensors(tf):
    @tf.function
    def f(x):
        if x[0] > 0:
            return (
                tf.cast(len(x), tf.float32) + tf.reduce_sum(abs(x)),
                int(x[1]),
                float(tf.cast(x[0], tf.int32)),
                sorted(x),
            )
        return 0.0, 0, 0.0, x

    return _both(tf, f, [1.5, -2.5, 3.0], [-1.5, -2.5, 3.0])


@program
def int_of_a_known_tensor(tf):
    return tf.function(lambda x: (int(x), float(x)))(tf.constant(2.7))


@traced
def set_loop_options_of_a_range(tf):
    @tf.function
    def f(n):
        s = 0
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            s += i
        return s

    return _both(tf, f, 2, 9)


@program
def shapes_that_grow(tf):
    @tf.function
    def f(n):
        v = tf.constant([0])
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(v, tf.TensorShape([None]))])
            v = tf.concat([v, [i]], 0)
        return v

    return _both(tf, f, 0, 3)


# -- what is traced --


@traced
def python_runs_once(tf):
    @tf.function
    def f(x):
        print("tracing f")
        if x > 0:
            print("tracing the main branch")
            y = x
        else:
            print("tracing the else branch")
            y = -x
        for _ in tf.range(x):
            print("tracing the loop")
            y += 1
        return y

    return _both(tf, f, 3, -3), f(tf.constant(3)), f.experimental_get_tracing_count()


@traced
def side_effects_happen_once(tf):
    seen = []

    @tf.function
    def f(x):
        seen.append("f")
        while x > 0:
            seen.append("loop")
            x -= 1
        return x

    f(tf.constant(3))
    f(tf.constant(5))
    return seen


@traced
def autograph_off(tf):
    @tf.function(autograph=False)
    def f(x):
        if x > 0:
            return x
        return -x

    @tf.function
    def g(x):
        return f(x)

    return _error(tf, f, tf.constant(1)), _error(tf, g, tf.constant(1))


@traced
def do_not_convert(tf):
    @tf.autograph.experimental.do_not_convert
    def helper(x):
        if x > 0:
            return x
        return -x

    @tf.function
    def f(x):
        if x > 5:
            return helper(x)
        return x

    g = tf.function(tf.autograph.experimental.do_not_convert(lambda x: x if x > 0 else -x))
    return _error(tf, f, tf.constant(1)), _error(tf, g, tf.constant(1))


# -- errors --


@traced
def variables_undefined_in_a_branch(tf):
    @tf.function
    def f(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def g(x):
        if x > 0:
            return x
        tf.print(x)

    return _error(tf, f, tf.constant(1)), _error(tf, g, tf.constant(1))


@traced
def other_dtypes_in_the_branches(tf):
    @tf.function
    def f(x):
        if x > 0:
            y = 1
        else:
            y = 1.0
        return y

    @tf.function
    def g(x):
        y = x
        if x > 0:
            y = 1.0
        return y

    return _error(tf, f, tf.constant(1)), _error(tf, g, tf.constant(1))


@traced
def other_structures_in_the_branches(tf):
    @tf.function
    def f(x):
        if x > 0:
            y = (x, x)
        else:
            y = x
        return y

    @tf.function
    def g(x):
        y = None
        if x > 0:
            y = x
        return y

    return _error(tf, f, tf.constant(1)), _error(tf, g, tf.constant(1))


@traced
def loops_that_change_their_variables(tf):
    @tf.function
    def f(n):
        x = 0
        for _ in tf.range(n):
            x = tf.cast(x, tf.float32) + 1.5
        return x

    @tf.function
    def g(n):
        x = tf.constant(1.0)
        for _ in tf.range(n):
            x = tf.stack([x, x])
        return x

    @tf.function
    def h(n):
        x = tf.constant(1.0)
        while n > 0:
            n -= 1
            x = (x, x)
        return x

    return [_error(tf, each, tf.constant(1)) for each in (f, g, h)]


@traced
def returns_inside_of_loops(tf):
    @tf.function
    def f(x):
        for each in x:
            if each > 2:
                return each
        return 0

    @tf.function
    def g(n):
        i = tf.constant(0)
        while i < n:
            if i * i > 10:
                return i
            i += 1
        return -1

    return _error(tf, f, tf.constant([1, 3])), _error(tf, g, tf.constant(1))


@traced
def a_break_in_a_python_loop(tf):
    @tf.function
    def f(x):
        for i in [1, 2, 3]:
            if x > i:
                break
        return x

    return _error(tf, f, tf.constant(1))


@program
def errors_of_the_users(tf):
    @tf.function
    def f(x, flag):
        if x > 0:
            x = x + 1
        if flag:
            raise KeyError("no")
        return x

    return _error(tf, f, tf.constant(1), True), f(tf.constant(1), False)


@traced
def what_autograph_leaves_alone(tf):
    functions = [
        lambda x: max(x, 1.0),
        lambda x: bool(x),
        lambda x: float(x) if x.numpy() else 0.0,
    ]
    return [_error(tf, tf.function(each), tf.constant(2.0)) for each in functions]


@traced
def the_code_of_a_function(tf):
    def f(x):
        if x > 0:
            return x
        return -x

    code = tf.autograph.to_code(f)
    return "def tf__f(x)" in code, "if_stmt" in code, f(3)


@program
def to_graph(tf):
    def f(x):
        if x > 0:
            return x * x
        return -x

    return tf.autograph.to_graph(f)(tf.constant(3)), tf.autograph.to_graph(f)(tf.constant(-3))


def _normal(value):
    """Results of either library, for comparison."""
    if isinstance(value, dict):
        return {name: _normal(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(each) for each in value]
    if hasattr(value, "numpy"):
        return np.asarray(value.numpy())
    return value


def _compare(one, other):
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            _compare(one[name], other[name])
    elif isinstance(one, list):
        assert len(one) == len(other)
        for a, b in zip(one, other):
            _compare(a, b)
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    else:
        assert one == other


def _outcome(function, tf):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = _normal(function(tf))
    return result, out.getvalue()


@pytest.fixture
def expected(name, real_tf):
    """What a program gives and prints on TensorFlow."""
    return _expected(name, real_tf)


@functools.cache
def _expected(name, tf):
    return _outcome(PROGRAMS[name], tf)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled(name, expected):
    expected, printed = expected
    result, out = _outcome(PROGRAMS[name], whygrad)
    _compare(expected, result)
    assert out == printed


@pytest.mark.parametrize("name", PROGRAMS)
def test_op_by_op(name, expected, monkeypatch):
    monkeypatch.setattr(loading, "is_installed", lambda: False)
    expected, printed = expected
    result, out = _outcome(PROGRAMS[name], whygrad)
    _compare(expected, result)
    assert out == printed


@pytest.mark.parametrize("name", [each for each in PROGRAMS if each not in TRACED])
def test_eagerly(name, expected):
    expected, _ = expected
    whygrad.config.run_functions_eagerly(True)
    try:
        result, _ = _outcome(PROGRAMS[name], whygrad)
    finally:
        whygrad.config.run_functions_eagerly(False)
    _compare_values(expected, result)


def _compare_values(one, other):
    """Compare values alone: eager functions return Python's numbers as they are."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, atol=1e-6)
    elif isinstance(one, dict):
        for name in one:
            _compare_values(one[name], other[name])
    elif isinstance(one, list):
        for a, b in zip(one, other):
            _compare_values(a, b)
    else:
        assert one == other
