"""What a program without a trace is warned of when a gradient is inf, nan or zero, and when it is not."""

import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import whygrad as tf
from tests.support.programs import warned
from whygrad.tape import places
from whygrad.view import notice


@pytest.fixture(autouse=True)
def _nothing_said_yet():
    notice._reported.clear()


def causes(text, folder):
    """The kinds and lines of the causes that a program is warned of; line 1 of it is empty."""
    return [(cause.kind, cause.site.line) for cause in warned(text, folder, np=np)]


def test_an_infinite_slope_is_explained(tmp_path):
    text = """
        x = tf.Variable([1.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        g = tape.gradient(y, x)
        """
    assert causes(text, tmp_path) == [("infinite-slope", 4)]


def test_a_warning_says_how_to_see_more():
    x = tf.Variable([1.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.sqrt(x))
    with pytest.warns(tf.GradientWarning) as caught:
        tape.gradient(y, x)
    said = str(caught[0].message)
    for way in ("tf.tracing()", "WHYGRAD=trace"):
        assert way in said


@pytest.mark.parametrize(
    ("arguments", "way"),
    [
        (["program.py"], "`whygrad run program.py`"),
        (["-m", "package.program"], "`whygrad run -m package.program`"),
        (["-m", "package"], "`whygrad run -m package`"),
        (["-m", "pytest", "-q", "test_program.py"], "`pytest --why`"),
    ],
)
def test_a_warning_says_how_to_see_more_as_the_program_was_started(arguments, way, tmp_path):
    program = "import whygrad as tf\nx = tf.Variable([0.0])\n"
    program += "with tf.GradientTape() as tape:\n    y = tf.sqrt(x)\ntape.gradient(y, x)\n"
    (tmp_path / "package").mkdir()
    for name in ("program.py", "package/__init__.py", "package/program.py", "package/__main__.py"):
        (tmp_path / name).write_text("" if name.endswith("__init__.py") else program)
    (tmp_path / "test_program.py").write_text("def test_it():\n" + textwrap.indent(program, "    "))
    done = subprocess.run([sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"more: {way}, `with" in done.stdout + done.stderr


def test_a_value_that_no_rule_keeps_is_found_in_the_running_function(tmp_path):
    text = """
        def fit(labels):
            w = tf.Variable(1.0)
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w - labels)
                loss = loss * loss
            return tape.gradient(loss, w)

        fit(tf.constant([1.0, float("nan")]))
        """
    assert causes(text, tmp_path) == [("nan-in-data", 5)]


def test_numbers_that_the_program_writes_are_known(tmp_path):
    text = """
        def fit(features):
            w = tf.Variable([[0.1], [0.2]])
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((features @ w - 1.0) ** 2)
            return tape.gradient(loss, w)

        fit(tf.constant([[1.0, float("nan")]]))
        """
    assert causes(text, tmp_path) == [("nan-in-data", 5)]


def test_a_nan_is_passed_on_by_an_op_that_cannot_be_computed_again(tmp_path):
    text = """
        def shift():
            return tf.constant([2.0])

        w = tf.Variable([0.5])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.math.log(w - 1.0) + shift())
        g = tape.gradient(loss, w)
        """
    assert causes(text, tmp_path) == [("log-of-negative", 7)]


def test_a_target_that_is_nan_is_explained_though_its_gradient_is_finite(tmp_path):
    text = """
        def attend(scores, mask):
            return tf.nn.softmax(tf.where(mask, scores, float("-inf")))

        scores = tf.Variable([[1.0, 2.0], [0.5, 0.1]])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(attend(scores, [[True, True], [False, False]]))
        g = tape.gradient(loss, scores)
        """
    assert causes(text, tmp_path) == [("fully-masked-softmax", 3)]


def test_an_overflow_after_many_steps_is_a_divergence(tmp_path):
    text = """
        w = tf.Variable(5.0)
        for step in range(40):
            with tf.GradientTape() as tape:
                loss = (w * 3.0 - 1.0) ** 2
            w.assign_sub(1.5 * tape.gradient(loss, w))
        """
    assert causes(text, tmp_path) == [("diverged", 5)]


def test_nan_in_a_later_step_is_reported_once(tmp_path):
    text = """
        w = tf.Variable(3.0)
        for step in range(300):
            with tf.GradientTape() as tape:
                loss = w ** 4
            w.assign_sub(tape.gradient(loss, w))
        """
    assert causes(text, tmp_path) == [("diverged", 5)]


def test_what_was_too_large_to_keep_is_reported_with_the_op_of_the_sweep(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "_MOST_BYTES", 0)
    text = """
        x = tf.Variable([1.0, 0.0, 4.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        g = tape.gradient(y, x)
        """
    (cause,) = warned(text, tmp_path)
    assert (cause.kind, cause.site.line) == ("not-finite-here", 4)
    assert "is inf at 1 of 3 elements, though `y` is finite" in cause.sentence
    assert "the gradient of tf.sqrt" in cause.sentence


def test_a_program_that_acts_on_nan_itself_is_not_warned(tmp_path):
    text = """
        x = tf.Variable([1.0, 0.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.sqrt(x))
        g = tape.gradient(y, x)
        if tf.reduce_all(tf.math.is_finite(g)):
            x.assign_sub(g)
        """
    assert causes(text, tmp_path) == []


SATURATED = """
    w = tf.Variable([{start}, 90.0])
    for step in range({steps}):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.sigmoid(w) - 0.5) ** 2)
        g = tape.gradient(loss, w)
        w.assign([0.0, 0.0]) if step == {recovers} else None
    """


def saturated(folder, start=50.0, steps=5, recovers=-1):
    return causes(textwrap.dedent(SATURATED).format(start=start, steps=steps, recovers=recovers), folder)


def test_zeros_that_stay_are_reported_once(tmp_path):
    assert saturated(tmp_path) == [("saturated-region", 5)]


def test_zeros_of_a_loop_that_pass_are_not(tmp_path):
    assert saturated(tmp_path, recovers=0) == []


def test_some_zeros_are_not_reported(tmp_path):
    assert saturated(tmp_path, start=0.3) == []


def test_zeros_of_what_runs_once_are_reported_at_once(tmp_path):
    text = """
        def main():
            w = tf.Variable([50.0, 90.0])
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((tf.sigmoid(w) - 0.5) ** 2)
            return tape.gradient(loss, w)

        main()
        """
    assert causes(text, tmp_path) == [("saturated-region", 5)]


@pytest.mark.parametrize(
    "text",
    [
        # at a minimum
        """
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w - [1.0, 2.0]) ** 2)
        g = tape.gradient(loss, w)
        """,
        # no elements
        """
        w = tf.Variable(tf.zeros((0, 3)))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        g = tape.gradient(loss, w)
        """,
        # rows of a table
        """
        table = tf.Variable(tf.ones((4, 2)))
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(table, [1, 1]) ** 2)
        g = tape.gradient(loss, table)
        """,
        # zeros in place of None, on request
        """
        w, unused = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.gradient(loss, [w, unused], unconnected_gradients="zero")
        """,
        # hinge that is satisfied
        """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            loss = tf.nn.relu(1.0 - w)
        g = tape.gradient(loss, w)
        """,
        # a None with the name of what is not used
        """
        w, unused = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = w * w
        g, _ = tape.gradient(loss, [w, unused])
        """,
        # a None that the program leaves out
        """
        variables = [tf.Variable(1.0), tf.Variable(2.0)]
        with tf.GradientTape() as tape:
            loss = variables[0] ** 2
        grads = tape.gradient(loss, variables)
        pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
        """,
    ],
)
def test_no_alarm(text, tmp_path):
    assert causes(text, tmp_path) == []


def test_only_a_trace_names_loops_and_lines_after_the_call(tmp_path):
    text = """
        w, scale = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = w * w
        g = tape.gradient(loss, [w, scale])
        for step in range(3):
            print(scale * 2.0)
        if g[1] is None:
            print(scale * 3.0)
        """
    assert [kind for kind, _ in causes(text, tmp_path)] in ([], ["source-unused"])


def test_records_are_let_go_after_the_look():
    x = tf.Variable([1.0, 2.0])
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
        assert not any(record.kept for record in tape.records)


def test_looks_become_rare():
    place = places.Place(test_looks_become_rare.__code__, 0)
    close = []
    for _ in range(200):
        place.calls += 1
        if place.calls >= place.close_at:
            close.append(place.calls)
            places.odd_positions(place, [tf.ones(3)], [tf.ones(())], ())
    assert close[:6] == [1, 2, 3, 4, 6, 9]
    assert len(close) < 16


def test_one_look_at_each_call_finds_nan():
    w = tf.Variable(1.0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for step in range(100):
            with tf.GradientTape() as tape:
                loss = w * (float("nan") if step == 90 else 1.0)
            tape.gradient(loss, w)
    (warning,) = caught
    assert "nan at the 91st call here" in str(warning.message)


def test_a_variable_that_became_a_tensor_between_two_calls(tmp_path):
    text = """
        def slopes(p):
            with tf.GradientTape() as tape:
                loss = p["a"] ** 2 * p["b"]
            return tape.gradient(loss, p)

        params = {"a": tf.Variable(2.0), "b": tf.Variable(0.5)}
        first = slopes(params)
        params = {name: params[name] - 0.1 * first[name] for name in params}
        second = slopes(params)
        """
    (cause,) = warned(text, tmp_path)
    assert (cause.kind, cause.site.line) == ("variable-overwritten-by-tensor", 9)


def test_zeros_of_a_python_function_are_explained(tmp_path):
    text = """
        def squared(q):
            return tf.constant(q.numpy() ** 2)

        x = tf.Variable([0.1, 0.6])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.py_function(squared, [x], tf.float32))
        g = tape.gradient(loss, x)
        """
    assert causes(text, tmp_path) == [("python-callback-opaque", 3)]


def test_zeros_of_a_loss_of_one_class_are_explained(tmp_path):
    text = """
        w, x = tf.Variable([[0.3], [0.2]]), tf.constant([[1.0, 2.0], [0.5, -1.0]])
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 0], logits=x @ w)
        g = tape.gradient(losses, w)
        """
    assert causes(text, tmp_path) == [("softmax-over-one-class", 4)]


def test_what_rounding_leaves_of_a_cancelled_gradient_is_explained(tmp_path):
    text = """
        x = tf.Variable([[0.3, -1.2, 2.0], [0.7, 0.1, -0.4]])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(x)
            total = tf.reduce_sum(p, axis=1)
            loss = tf.reduce_sum(total * tf.constant([1.3, 0.7]))
        g = tape.gradient(loss, x)
        assert np.any(g.numpy()) and np.max(np.abs(g.numpy())) < 1e-6
        """
    assert causes(text, tmp_path) == [("contributions-cancel", 5)]


def test_a_list_of_variables_that_was_read_too_early(tmp_path):
    text = """
        class Layer(tf.Module):
            w = None

            def __call__(self, x):
                if self.w is None:
                    self.w = tf.Variable(tf.ones([2, 1]))
                return x @ self.w

        layer = Layer()
        weights = layer.trainable_variables
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(layer(tf.ones([3, 2])))
        g = tape.gradient(loss, weights)
        """
    assert causes(text, tmp_path) == [("layer-not-built", 11)]


@pytest.mark.parametrize(
    ("computed", "asked", "kind"),
    [
        ("tf.sqrt(x)", "jacobian(y, x)", "infinite-slope"),
        ("tf.nn.relu(x - 5.0)", "jacobian(y, x)", "saturated-region"),
        ("tf.sqrt(x)", "batch_jacobian(y, x)", "infinite-slope"),
        ("tf.nn.relu(x - 5.0)", "batch_jacobian(y, x)", "saturated-region"),
    ],
)
@pytest.mark.parametrize("persistent", [False, True])
def test_numbers_of_jacobians_are_looked_at(computed, asked, kind, persistent, tmp_path):
    text = f"""
        x = tf.Variable([[1.0, 0.0]])
        with tf.GradientTape(persistent={persistent}) as tape:
            y = {computed}
        j = tape.{asked}
        """
    assert causes(text, tmp_path) == [(kind, 4)]


def test_a_small_jacobian_is_no_rounding_error(tmp_path):
    text = """
        x = tf.Variable([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            y = 1e-6 * tf.tanh(x) - 1e-6 * x
        j = tape.jacobian(y, x)
        """
    assert causes(text, tmp_path) == []


def test_a_help_for_numpy_code_names_numpys_functions(tmp_path):
    text = """
        import numpy
        import whygrad

        def spread(x):
            return numpy.std(x)

        whygrad.grad(spread)(numpy.array([1.0, 1.0]))
        """
    (cause,) = warned(text, tmp_path)
    assert "numpy.sqrt(numpy.var(x) + 1e-12)" in cause.help


def test_contributions_cancel_though_the_program_dropped_what_was_added(tmp_path):
    text = """
        k = tf.Variable(2.0)
        x1, x2, v1, v2 = tf.constant(0.0), tf.constant(1.5), tf.constant(0.0), tf.constant(0.0)
        with tf.GradientTape() as tape:
            for _ in range(5):
                force = k * (x2 - x1 - 1.0)
                v1, v2 = v1 + 0.1 * force, v2 - 0.1 * force
                x1, x2 = x1 + 0.1 * v1, x2 + 0.1 * v2
            momentum = v1 + v2
        g = tape.gradient(momentum, k)
        """
    assert causes(text, tmp_path) == [("contributions-cancel", 9)]


def test_a_summand_that_is_not_known_does_not_make_a_minimum_a_mistake(tmp_path):
    text = """
        k = tf.Variable(2.0)
        x = tf.constant(0.0)
        with tf.GradientTape() as tape:
            for _ in range(3):
                x = x + 0.0 * k
            loss = (x + 1.0) ** 2 + (k - 2.0) ** 2
        g = tape.gradient(loss, k)
        """
    assert causes(text, tmp_path) == []


def test_probabilities_that_are_summed_up_to_rounding(tmp_path):
    text = """
        logits = tf.Variable([1.0, 2.0, 0.5])
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(logits)
        g = tape.gradient(p, logits)
        """
    (cause,) = warned(text, tmp_path, np=np)
    assert cause.kind == "non-scalar-target-summed"


def test_a_column_and_a_row_in_a_function(tmp_path):
    text = """
        x = np.linspace(0.0, 1.0, 30)
        columns = np.stack([np.ones(30), x], axis=1)
        def misfit(p):
            model = columns @ p[:, None]
            return np.sum((model - 2.0 * x) ** 2)
        tf.grad(misfit)(np.zeros(2))
        """
    assert causes(text, tmp_path) == [("silent-broadcast", 6)]


def test_a_variable_that_became_a_tensor_where_none_is_handled(tmp_path):
    text = """
        w, x = tf.Variable(0.0), tf.constant([1.0, 2.0])
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x - x) ** 2)
            grad = tape.gradient(loss, w)
            if grad is not None:
                w = w - 0.1 * grad
        """
    assert causes(text, tmp_path) == [("variable-overwritten-by-tensor", 8)]


def test_a_source_of_several_that_is_no_variable_and_handled(tmp_path):
    text = """
        w, c = tf.Variable(2.0), tf.constant(3.0)
        for source in (w, c, w, c):
            with tf.GradientTape() as tape:
                y = w * c
            g = tape.gradient(y, source)
            if g is not None:
                w.assign_sub(0.1 * g)
        """
    assert causes(text, tmp_path) == []


def test_a_result_without_a_tangent(tmp_path):
    text = """
        x = tf.constant([1.0, 2.0])
        y = tf.reduce_sum(x * x)
        with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as accumulator:
            z = y * 2.0
        t = accumulator.jvp(z)
        """
    (cause,) = warned(text, tmp_path)
    assert (cause.kind, cause.site.line) == ("source-unused", 6)
    assert (
        cause.sentence
        == "the tangent of `z` with respect to `x` is None: nothing that the accumulator followed leads from it to `z`"
    )


def test_one_of_several_results_without_a_tangent(tmp_path):
    text = """
        x, c = tf.constant([1.0, 2.0]), tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.ones(2)) as accumulator:
            y, z = tf.reduce_sum(x * x), c * 2.0
        t = accumulator.jvp([y, z])
        """
    assert causes(text, tmp_path) == []
