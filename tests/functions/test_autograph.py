"""AutoGraph: what tests beside TensorFlow do not compare (tests/conformance/test_autograph_against_tensorflow.py).

Functions are compiled where JAX is installed, and run op by op.
"""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import whygrad as tf
from whygrad.compile import conversion
from whygrad.engines import loading

if importlib.util.find_spec("malt") is None and os.environ.get("WHYGRAD_REQUIRE_ORACLES") != "1":
    pytest.skip("diastatic-malt is not installed", allow_module_level=True)


@pytest.fixture(autouse=True, params=["compiled", "op by op"])
def way(request, monkeypatch):
    """The way in which functions run."""
    if request.param == "op by op":
        monkeypatch.setattr(loading, "is_installed", lambda: False)
    elif not loading.is_installed():
        pytest.skip("JAX is not installed")
    return request.param


def _values(function, *given):
    return [function(tf.constant(each)).numpy().tolist() for each in given]


def test_lambdas_on_one_line_are_told_apart():
    f, g = tf.function(lambda x: x if x > 0 else -x), tf.function(lambda x: x if x < 0 else -x)
    assert _values(f, 3, -3) == [3, 3]
    assert _values(g, 3, -3) == [-3, -3]


def test_super_without_arguments():
    class Base:
        def f(self, x):
            if x > 0:
                return x
            return -x

    class Derived(Base):
        @tf.function
        def f(self, x):
            y = super().f(x)
            if y > 10:
                y = y - 10
            return y + 1

    assert _values(Derived().f, 3, -3, 12) == [4, 4, 3]


def test_a_loop_that_python_begins_and_a_tensor_ends():
    @tf.function
    def f(x):
        n = 0
        while True:
            x = x * 2
            n += 1
            if x > 50:
                break
        return n

    assert _values(f, 1, 60) == [6, 1]


def test_gradients_through_a_loop_with_a_limit():
    @tf.function
    def f(x):
        while x < 100.0:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            x = x * x
        return x

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert (y.numpy(), tape.gradient(y, x).numpy()) == (6561.0, 8 * 3.0**7)


def test_a_tape_around_a_loop_without_a_limit(way, recwarn):
    @tf.function
    def f(x):
        while x < 100.0:
            x = x * x
        return x

    x = tf.constant(3.0)
    assert f(x).numpy() == 6561.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy() == 8 * 3.0**7
    said = [str(each.message) for each in recwarn if "maximum_iterations" in str(each.message)]
    assert len(said) == (way == "compiled")


def test_lists_and_objects_that_branches_leave_alone():
    class Config:
        scale = 3

    @tf.function
    def f(x):
        config, names = Config(), ["a", "b"]
        if x > 0:
            y = x * config.scale
        else:
            y = x
        return y + len(names)

    assert _values(f, 2, -2) == [8, 0]


def test_asserts(way):
    @tf.function
    def f(x):
        assert x > 0, "must be positive"
        return x * 2

    assert _values(f, 3) == [6]
    if way == "op by op":  # compiled functions check no values
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
            f(tf.constant(-3))


def test_a_loop_that_must_run_to_define_a_variable(way):
    @tf.function
    def f(n):
        for i in tf.range(n):
            last = i * 2
        return last

    assert _values(f, 3) == [4]
    if way == "op by op":
        with pytest.raises(UnboundLocalError, match="'last' is used before assignment"):
            f(tf.constant(0))


def test_python_runs_once_for_each_trace():
    traces = []

    @tf.function
    def f(x):
        traces.append("f")
        if tf.reduce_sum(x) > 0:
            x = x * 2
        return x

    _values(f, [1.0], [-1.0])
    assert traces == ["f"]


def test_python_runs_once_where_a_called_function_decides():
    traces = []

    class Model:
        def __init__(self):
            self.limit = tf.Variable(2.0)

        def clip(self, x):
            traces.append("clip")
            if x > self.limit:
                x = self.limit * 1.0
            return x

        @tf.function
        def __call__(self, x):
            traces.append("call")
            return self.clip(x)

    assert _values(Model(), 3.0, 1.0) == [2.0, 1.0]
    assert traces == ["call", "clip"]


def test_functions_that_need_no_conversion_are_not_converted(monkeypatch):
    monkeypatch.setattr(conversion, "convert", None)

    @tf.function
    def f(x, scales, training):
        for scale in scales:
            x = x * scale if training else x
        for row in x:
            x = x + row
        return x if x.shape[0] is not None and len(x) > 1 else -x

    assert f(tf.ones([2]), [1.0, 2.0], True).numpy().tolist() == [6.0, 6.0]


def test_the_message_names_the_variable():
    @tf.function
    def undefined(x):
        if x > 0:
            y = x
        return y

    @tf.function
    def other_dtype(x):
        y = 1
        if x > 0:
            y = 1.0
        return y

    @tf.function
    def no_return(x):
        if x > 0:
            return x
        tf.print(x)

    @tf.function
    def other_shape(x):
        y = tf.zeros([1])
        while x > 0:
            y = tf.concat([y, y], 0)
            x -= 1
        return y

    one = tf.constant(1)
    with pytest.raises(ValueError, match="'y' must also be initialized in the else branch"):
        undefined(one)
    with pytest.raises(TypeError, match="'y' has dtype float32 in the main branch, but dtype int32 in the else branch"):
        other_dtype(one)
    with pytest.raises(ValueError, match="the else branch must also have a return statement"):
        no_return(one)
    with pytest.raises(ValueError, match=r"'y' has shape \(1,\) before the loop, but shape \(2,\) after one iteration"):
        other_shape(one)


def test_errors_show_the_users_lines_and_names():
    def helper(x, y):
        while tf.reduce_sum(x) > 0:
            if x[0] > 0:
                x = tf.matmul(x, y)
        return x

    @tf.function
    def f(x):
        return helper(x, tf.ones([3]))

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.ones([2]))
    (cause,) = caught.value.causes
    first = helper.__code__.co_firstlineno
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (first + 3, "tf.matmul(x, y)", "failed here")
    ]
    assert "`x`" in cause.sentence
    frames, trace = [], caught.value.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == __file__:
            frames.append((code.co_name, trace.tb_lineno))
        trace = trace.tb_next
    own = f.python_function.__code__.co_firstlineno
    assert frames[1:] == [("f", own + 2), ("helper", first + 1), ("helper", first + 2), ("helper", first + 3)]


def test_what_cannot_be_converted_keeps_its_explanation():
    @tf.function
    def f(x):
        if x > 0.0:
            x = x * 2.0
        return max(x, 1.0)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        f(tf.constant(1.0))
    (cause,) = caught.value.causes
    assert (cause.kind, cause.site.text) == ("python-branch-on-symbolic", "max(x, 1.0)")
    assert "tf.maximum(x, 1.0)" in cause.help


def test_reasons_inside_of_converted_functions():
    w = tf.Variable(2.0)

    @tf.function
    def f(x):
        if x > 0.0:
            y = tf.round(x * w)
        else:
            y = x
        return y

    with tf.tracing(), tf.GradientTape() as tape:
        y = f(tf.constant(3.0))
    with pytest.warns(tf.NoGradientWarning) as caught:
        assert tape.gradient(y, w) is None
    assert any("tf.round(x * w)" in str(each.message) for each in caught)


def test_without_the_package_the_error_names_it(monkeypatch):
    monkeypatch.setattr(conversion, "is_installed", lambda: False)
    f = tf.function(lambda x: x if x > 0 else -x)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        f(tf.constant(1))
    assert any("diastatic-malt" in note for note in caught.value.__notes__)
    with pytest.raises(ModuleNotFoundError, match=r"whygrad\[scripts\]"):
        tf.autograph.to_code(f.python_function)


def test_code_and_verbosity(capsys):
    def f(x):
        if x > 0:
            return x
        return -x

    code = tf.autograph.to_code(f)
    assert code.startswith("def tf__f(x):")
    assert "ag__.if_stmt" in code
    with pytest.raises(ValueError, match=r"try passing f\.python_function"):
        tf.autograph.to_code(tf.function(f))
    tf.autograph.set_verbosity(2, True)
    try:
        tf.function(lambda x: x if x > 0 else -x)(tf.constant(1))
    finally:
        tf.autograph.set_verbosity(0)
    assert "AutoGraph converted" in capsys.readouterr().out


def test_random_numbers_in_loops_and_branches():
    @tf.function
    def f(n):
        total = tf.constant(0.0)
        for _ in tf.range(n):
            total += tf.random.uniform([], seed=1)
            if total > 100.0:
                total = tf.constant(0.0)
        return total

    drawn = {float(f(tf.constant(3))) for _ in range(3)}
    assert len(drawn) == 3
    assert all(0.0 < each < 3.0 for each in drawn)


def test_the_package_is_not_loaded_unless_needed():
    program = "import sys, whygrad as tf; tf.function(lambda x: x * 2)(tf.constant(1)); print('malt' in sys.modules)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_structures_and_numpy_values_in_loops():
    @tf.function
    def f(n):
        state = {"sum": np.float32(0.0), "pair": (0, [tf.zeros([2])])}
        while state["pair"][0] < n:
            state = {"sum": state["sum"] + 0.5, "pair": (state["pair"][0] + 1, [state["pair"][1][0] + 1.0])}
        return state

    found = f(tf.constant(3))
    assert found["sum"].numpy() == 1.5
    assert found["pair"][1][0].numpy().tolist() == [3.0, 3.0]
